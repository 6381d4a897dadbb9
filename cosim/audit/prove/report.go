package prove

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// String returns the verdict on one line.
func (v *Verdict) String() string {
	how := "for all time"
	switch {
	case v.Bounded():
		how = fmt.Sprintf("%d cycles", v.Depth)
	case v.Engine == Paths:
		how = "structural"
	}
	word := "proven"
	switch {
	case v.Disproved:
		word = "WRONG"
	case v.Failed != "":
		word = "OPEN"
	}
	s := fmt.Sprintf("%-6s %-28s %-6s %-12s %3d asserted %3d assumed %3d reached %2d twins fail %6.1f s", word, v.Name,
		v.Engine, how, v.Asserts, v.Assumes, v.Reached, v.Twins, v.Seconds)
	if v.Failed != "" {
		s += "\n       " + v.Failed
	}
	return s
}

// Summary counts verdicts.
type Summary struct {
	Groups []string
	count  map[string]*counts
}

type counts struct{ proven, bounded, wrong, open, twins int }

// Sum counts verdicts by group.
func Sum(all []Verdict) *Summary {
	s := &Summary{count: map[string]*counts{}}
	for i := range all {
		v := &all[i]
		c := s.count[v.Group]
		if c == nil {
			c = &counts{}
			s.count[v.Group] = c
			s.Groups = append(s.Groups, v.Group)
		}
		switch {
		case v.Disproved:
			c.wrong++
		case v.Failed != "":
			c.open++
		case v.Bounded():
			c.bounded++
		default:
			c.proven++
		}
		c.twins += v.Twins
	}
	slices.Sort(s.Groups)
	return s
}

// Proven returns how many rows of a group are proven for all time.
func (s *Summary) Proven(group string) int {
	if c := s.count[group]; c != nil {
		return c.proven
	}
	return 0
}

// String returns the table of the groups in Markdown.
func (s *Summary) String() string {
	var b strings.Builder
	_ = report.WriteMarkdownSheets(&b, []report.Sheet{s.sheet("")}) // a Builder takes everything
	return strings.TrimPrefix(b.String(), "\n")
}

func (s *Summary) sheet(title string) report.Sheet {
	x := report.Sheet{Title: title, Head: []string{"group", "proven", "bounded", "wrong", "open", "twins that fail"}}
	row := func(name string, c counts) {
		cells := []string{name}
		for _, n := range []int{c.proven, c.bounded, c.wrong, c.open, c.twins} {
			cells = append(cells, strconv.Itoa(n))
		}
		x.Rows = append(x.Rows, cells)
	}
	for _, g := range s.Groups {
		row(g, *s.count[g])
	}
	row("all", s.total())
	return x
}

// WriteMarkdown writes verdicts to a document: the counts of the groups, every row of the RTL, the survivors by block,
// and the rows that do not count, with the reasons.
func WriteMarkdown(w io.Writer, doc *measured.Doc, all []Verdict) error {
	sum := Sum(all)
	word := map[int]string{0: "PASS", 1: "FAIL", 2: "NOT WHOLE"}[sum.Code()]
	doc.Outcome = word + ": a row is proven when its property holds and each of its twins, the same proof on RTL with a " +
		"planted fault, fails. hdl/prove/README.md explains what counts."
	rows := report.Sheet{Title: "Rows of the RTL", Words: 4,
		Head: []string{"group", "row", "claim", "proven", "twins that fail", "seconds"}}
	open := report.Sheet{Title: "Rows that do not count"}
	for i := range all {
		v := &all[i]
		state := v.state()
		if v.Failed != "" {
			open.List = append(open.List, v.Name+": "+v.Failed)
		}
		if v.Group != survivorGroup {
			rows.Rows = append(rows.Rows, []string{v.Group, v.Name, v.Claim, state, strconv.Itoa(v.Twins),
				fmt.Sprintf("%.0f", v.Seconds)})
		}
	}
	slices.SortStableFunc(rows.Rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	doc.Sheets = []report.Sheet{sum.sheet("Rows by group"), rows}
	if len(open.List) > 0 {
		doc.Sheets = append(doc.Sheets, open)
	}
	return doc.WriteMarkdown(w)
}

// state returns the verdict in words.
func (v *Verdict) state() string {
	switch {
	case v.Disproved:
		return "WRONG"
	case v.Failed != "":
		return "OPEN"
	case v.Bounded():
		return fmt.Sprintf("%d cycles", v.Depth)
	}
	return "for all time"
}

func (s *Summary) total() (all counts) {
	for _, c := range s.count {
		all.proven += c.proven
		all.bounded += c.bounded
		all.wrong += c.wrong
		all.open += c.open
		all.twins += c.twins
	}
	return all
}

// Code returns the exit code: 1 when a property does not hold, 2 when a row is open or none is proven.
func (s *Summary) Code() int {
	switch all := s.total(); {
	case all.wrong > 0:
		return 1
	case all.open > 0 || all.proven+all.bounded == 0:
		return 2
	}
	return 0
}
