package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Sheet is a piece of a report with the same content as text and on a page: a table of figures with notes around it.
type Sheet struct {
	Title, Note string
	Head        []string
	Rows        [][]string // the first cell holds words, the others numbers
	Words       int        // in Markdown: how many of the first cells hold words; 0 for one
	List        []string
	Figures     []Figure // only on a page
}

// Row adds a row: counts as Count writes them, numbers as Short does, the cells of a list, others as they print.
func (s *Sheet) Row(cells ...any) {
	var row []string
	for _, c := range cells {
		switch c := c.(type) {
		case uint64:
			row = append(row, Count(c))
		case float64:
			row = append(row, Short(c))
		case []string:
			row = append(row, c...)
		default:
			row = append(row, fmt.Sprint(c))
		}
	}
	s.Rows = append(s.Rows, row)
}

// Names adds a line to the list that names things after a lead, no line if there are none.
func (s *Sheet) Names(lead string, names []string) {
	if len(names) > 0 {
		s.List = append(s.List, lead+strings.Join(names, ", "))
	}
}

// Section returns the sheet as a section of a page.
func (s *Sheet) Section() Section {
	x := Section{Title: s.Title, Note: s.Note}
	if len(s.Rows) > 0 {
		t := Table{Columns: Columns(s.Head...)}
		for _, r := range s.Rows {
			t.Rows = append(t.Rows, Cells(r...))
		}
		x.Parts = append(x.Parts, t)
	}
	for _, f := range s.Figures {
		x.Parts = append(x.Parts, f)
	}
	if len(s.List) > 0 {
		x.Parts = append(x.Parts, List{Items: s.List})
	}
	return x
}

// text prints heading, note, table and list.
func (s *Sheet) text(b *strings.Builder) {
	b.WriteString("\n" + s.Title + "\n")
	if s.Note != "" {
		b.WriteString(Wrap(s.Note))
	}
	t := TextTable{Gap: 1, Width: TextWidth}
	if len(s.Head) > 0 {
		t.Add(s.Head...)
	}
	t.Rows = append(t.Rows, s.Rows...)
	b.WriteString(t.String())
	for _, l := range s.List {
		b.WriteString(Wrap(l))
	}
}

// WriteSheets prints a headline and sheets for a terminal.
func WriteSheets(w io.Writer, headline string, sheets []Sheet) error {
	var b strings.Builder
	b.WriteString(Wrap(headline))
	for i := range sheets {
		sheets[i].text(&b)
	}
	return flush(w, &b)
}

// WritePage writes a page with a banner and sheets.
func WritePage(w io.Writer, title string, banner Banner, sheets []Sheet) error {
	p := Page{Title: title, Banner: banner}
	for i := range sheets {
		p.Sections = append(p.Sections, sheets[i].Section())
	}
	return p.WriteHTML(w)
}

// Short writes x with three digits in at most 8 characters.
func Short(x float64) string {
	whole := func(a float64) string {
		if x < 0 {
			return "-" + Count(uint64(a))
		}
		return Count(uint64(a))
	}
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case math.IsNaN(x):
		return "-"
	case a >= 1 && a < 1e6 && a == math.Trunc(a):
		return whole(a)
	case a >= 1000 && a < 1e6:
		return whole(math.Round(a))
	case a >= 1e-3 && a < 1000:
		t := strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(a)))), 64)
		if strings.Contains(t, ".") {
			t = strings.TrimSuffix(strings.TrimRight(t, "0"), ".")
		}
		return t
	}
	return strings.NewReplacer("e+0", "e", "e-0", "e-", "e+", "e").Replace(strconv.FormatFloat(x, 'e', 1, 64))
}
