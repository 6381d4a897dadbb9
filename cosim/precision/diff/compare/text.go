package compare

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/cosim/report"
)

// verdicts are in the order of a summary, the worst first.
var verdicts = []baseline.Verdict{baseline.Beyond, baseline.Flip, baseline.Within, baseline.IsAccepted,
	baseline.Identical, baseline.Unused}

// Summary returns the counts of all verdicts on one line.
func (r *Result) Summary() string {
	var parts []string
	for _, v := range verdicts {
		if n := r.Count(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	word := "NO DIFFERENCE"
	switch {
	case r.Failed():
		word = "DIFFERENT"
	case r.Count(baseline.Within)+r.Count(baseline.IsAccepted) > 0:
		word = "WITHIN BOUNDS"
	}
	return word + ": " + strings.Join(parts, ", ")
}

func played(s *baseline.Stimulus) string {
	return fmt.Sprintf("%s seed %d, %d events", s.Source, s.Seed, s.Events)
}

// WriteText prints the result for a terminal.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(report.Wrap(fmt.Sprintf("diff compare A %s, B %s", r.A, r.B)) + report.Wrap(r.Summary()))
	for i := range r.Stimulus {
		s := &r.Stimulus[i]
		b.WriteString("\n" + played(s) + "\n")
		if rows := r.table(s.Source); len(rows) > 1 {
			b.WriteString(report.Wrap("largest error against exact numbers, of a decision how often it is not theirs: in one " +
				"step, and free; then what differs between A and B"))
			r.columns(&b, rows)
		}
		for _, l := range r.alike(s.Source) {
			b.WriteString(report.Wrap(l))
		}
	}
	if list := append(r.accepted(), r.Notes...); len(list) > 0 {
		b.WriteString("\n")
		for _, l := range list {
			b.WriteString(report.Wrap(l))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// columns prints rows under their head. Where what differs makes the lines too long it stands below, with the names.
func (r *Result) columns(b *strings.Builder, rows [][]string) {
	last := len(rows[0]) - 1
	t := report.TextTable{Rows: rows, Gap: 1, Right: func(i int) bool { return i > 2 && i < last }}
	long := func(l string) bool { return utf8.RuneCountInString(l) > report.TextWidth }
	if !slices.ContainsFunc(t.Lines(), long) {
		b.WriteString(t.String())
		return
	}
	var texts []string
	names := map[string][]string{}
	t.Rows = nil
	for i, row := range rows {
		t.Add(row[:last]...)
		if i == 0 {
			continue
		}
		if names[row[last]] == nil {
			texts = append(texts, row[last])
		}
		names[row[last]] = append(names[row[last]], row[1]+" "+row[0])
	}
	b.WriteString(t.String())
	for _, what := range texts {
		b.WriteString(report.Wrap(what + ": " + strings.Join(names[what], ", ")))
	}
}

// WriteHTML writes the result as a page.
func (r *Result) WriteHTML(w io.Writer) error {
	banner := report.Banner{Word: "SAME", Class: "good", Line: r.Summary()}
	switch {
	case r.Failed():
		banner.Word, banner.Class = "DIFFERENT", "bad"
	case r.Count(baseline.Within)+r.Count(baseline.IsAccepted) > 0:
		banner.Word = "WITHIN BOUNDS"
	}
	page := report.Page{Title: fmt.Sprintf("Goldwire diff compare: %s, %s", r.A, r.B), Banner: banner}
	for i := range r.Stimulus {
		source := r.Stimulus[i].Source
		s := report.Section{Title: played(&r.Stimulus[i]),
			Note: "largest error against exact numbers, of a decision how often it is not theirs"}
		if rows := r.table(source); len(rows) > 1 {
			t := report.Table{Columns: report.Columns(rows[0]...)}
			for _, k := range []int{1, 2, len(rows[0]) - 1} {
				t.Columns[k].Kind = report.Words
			}
			for _, row := range rows[1:] {
				cells := report.Cells(row...)
				if cells[2].Tag = "good"; row[2] == string(baseline.Beyond) || row[2] == string(baseline.Flip) {
					cells[2].Tag = "bad"
				}
				t.Rows = append(t.Rows, cells)
			}
			s.Parts = append(s.Parts, t)
		}
		for _, l := range r.alike(source) {
			s.Parts = append(s.Parts, report.Text{Text: l})
		}
		page.Sections = append(page.Sections, s)
	}
	if list := append(r.accepted(), r.Notes...); len(list) > 0 {
		page.Sections = append(page.Sections, report.Section{Title: "Notes", Parts: []report.Part{report.List{Items: list}}})
	}
	return page.WriteHTML(w)
}

// alike has a line of those that are identical, and one of those that never occurred.
func (r *Result) alike(source string) (out []string) {
	for _, v := range []baseline.Verdict{baseline.Identical, baseline.Unused} {
		if names := r.names(source, v); len(names) > 0 {
			out = append(out, fmt.Sprintf("%s: %s", v, strings.Join(names, ", ")))
		}
	}
	return out
}

func (r *Result) names(source string, v baseline.Verdict) (out []string) {
	for i := range r.Rows {
		if w := &r.Rows[i]; w.Source == source && w.Verdict == v {
			name := w.Name
			if w.Kind == baseline.Output {
				name = "rsp." + name // a value of the rules may have the same name
			}
			out = append(out, name)
		}
	}
	return out
}

// differs reports whether a row belongs into the table.
func differs(w *baseline.Row) bool {
	return w.Verdict != baseline.Identical && w.Verdict != baseline.Unused
}

// table returns the rows that differ, under a head.
func (r *Result) table(source string) [][]string {
	out := [][]string{{"name", "kind", "verdict", "A step", "B step", "A free", "B free", "bound", "what"}}
	for i := range r.Rows {
		w := &r.Rows[i]
		if w.Source != source || !differs(w) {
			continue
		}
		out = append(out, []string{w.Name, string(w.Kind), string(w.Verdict), size(w.A, &w.A.Step), size(w.B, &w.B.Step),
			size(w.A, &w.A.Free), size(w.B, &w.B.Free), boundOf(w), w.What()})
	}
	return out
}

// size is the figure of a line that a bound limits.
func size(l *baseline.Line, f *baseline.Figures) string {
	switch {
	case f.Compared == 0:
		return "-"
	case l.Kind == baseline.Decision:
		return strconv.FormatUint(f.Differ, 10)
	}
	return number(f.Max)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func boundOf(w *baseline.Row) string {
	switch {
	case w.Bound == nil:
		return "none"
	case w.Bound.Step == w.Bound.Free:
		return number(w.Bound.Step)
	}
	return number(w.Bound.Step) + "/" + number(w.Bound.Free)
}

// accepted has one line for each accepted difference that was found.
func (r *Result) accepted() (out []string) {
	for i := range r.Rows {
		if w := &r.Rows[i]; w.By != nil {
			out = append(out, fmt.Sprintf("accepted: %v, by %s on %s: %s", w.Key, w.By.Who, w.By.When, w.By.Why))
		}
	}
	return out
}
