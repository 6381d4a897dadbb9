package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/cosim/report"
)

// document is the result as JSON.
type document struct {
	Verdict  string                   `json:"verdict"` // pass or mismatch
	A        string                   `json:"a"`
	B        string                   `json:"b"`
	Counts   map[baseline.Verdict]int `json:"counts"`
	Stimulus []baseline.Stimulus      `json:"stimulus"`
	Rows     []row                    `json:"rows"`
	Notes    []string                 `json:"notes,omitempty"`
}

type row struct {
	Source   string           `json:"source"`
	Kind     baseline.Kind    `json:"kind"`
	Name     string           `json:"name"`
	Verdict  baseline.Verdict `json:"verdict"`
	What     string           `json:"what,omitempty"`
	Bound    *baseline.Bound  `json:"bound,omitempty"`
	A        sideOf           `json:"a"`
	B        sideOf           `json:"b"`
	Accepted *acceptedBy      `json:"accepted,omitempty"`
}

type sideOf struct {
	Format string           `json:"format,omitempty"`
	Count  uint64           `json:"count"`
	Digest string           `json:"digest"`
	Step   baseline.Figures `json:"step"`
	Free   baseline.Figures `json:"free"`
}

type acceptedBy struct {
	Who  string `json:"who"`
	When string `json:"when"`
	Why  string `json:"why"`
}

// Verdict returns pass or mismatch.
func (r *Result) Verdict() string {
	if r.Failed() {
		return "mismatch"
	}
	return "pass"
}

func (r *Result) document() *document {
	d := &document{Verdict: r.Verdict(), A: r.A, B: r.B, Counts: map[baseline.Verdict]int{}, Stimulus: r.Stimulus,
		Notes: r.Notes}
	for _, v := range verdicts {
		d.Counts[v] = r.Count(v)
	}
	of := func(l *baseline.Line) sideOf { return sideOf{l.Format, l.Count, l.Digest, l.Step, l.Free} }
	for i := range r.Rows {
		w := &r.Rows[i]
		x := row{Source: w.Source, Kind: w.Kind, Name: w.Name, Verdict: w.Verdict, What: w.What(), Bound: w.Bound,
			A: of(w.A), B: of(w.B)}
		if w.By != nil {
			x.Accepted = &acceptedBy{w.By.Who, w.By.When, w.By.Why}
		}
		d.Rows = append(d.Rows, x)
	}
	return d
}

// WriteJSON writes the result with every row as JSON.
func (r *Result) WriteJSON(w io.Writer) error { return report.EncodeJSON(w, r.document()) }

// WriteCSV writes one line for each row, under a head.
func (r *Result) WriteCSV(w io.Writer) error {
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	figures := func(f *baseline.Figures) []string {
		return []string{strconv.FormatUint(f.Compared, 10), strconv.FormatUint(f.Differ, 10), float(f.Max), float(f.Bias)}
	}
	head := []string{"source", "kind", "name", "verdict", "what", "bound_step", "bound_free"}
	for _, s := range []string{"a", "b"} {
		head = append(head, s+"_format", s+"_count", s+"_digest")
		for _, m := range []string{"step", "free"} {
			for _, f := range []string{"compared", "differ", "max", "bias"} {
				head = append(head, s+"_"+m+"_"+f)
			}
		}
	}
	rows := [][]string{append(head, "accepted_by", "accepted_when", "accepted_why")}
	for i := range r.Rows {
		x := &r.Rows[i]
		line := []string{x.Source, string(x.Kind), x.Name, string(x.Verdict), x.What(), "", ""}
		if x.Bound != nil {
			line[5], line[6] = float(x.Bound.Step), float(x.Bound.Free)
		}
		for _, l := range []*baseline.Line{x.A, x.B} {
			line = append(line, l.Format, strconv.FormatUint(l.Count, 10), l.Digest)
			line = append(append(line, figures(&l.Step)...), figures(&l.Free)...)
		}
		by := []string{"", "", ""}
		if x.By != nil {
			by = []string{x.By.Who, x.By.When, x.By.Why}
		}
		rows = append(rows, append(line, by...))
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// WriteMarkdown writes the result for a pull request.
func (r *Result) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### goldwire diff compare: %s\n\nA `%s`, B `%s`\n", report.MarkdownCell(r.Summary()),
		report.MarkdownCell(r.A), report.MarkdownCell(r.B))
	for i := range r.Stimulus {
		s := &r.Stimulus[i]
		fmt.Fprintf(&b, "\n**%s**\n\n", report.MarkdownCell(played(s)))
		rows := r.table(s.Source)
		for j, line := range rows {
			if len(rows) == 1 {
				break
			}
			b.WriteString("|")
			for _, c := range line {
				b.WriteString(" " + report.MarkdownCell(c) + " |")
			}
			if b.WriteString("\n"); j == 0 {
				b.WriteString("|---|---|---|--:|--:|--:|--:|--:|---|\n")
			}
		}
		if len(rows) > 1 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%d identical\n", len(r.names(s.Source, baseline.Identical)))
		if names := r.names(s.Source, baseline.Unused); len(names) > 0 {
			fmt.Fprintf(&b, "\nnever occurred: %s\n", report.MarkdownCell(strings.Join(names, ", ")))
		}
	}
	for i, l := range append(r.accepted(), r.Notes...) {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- " + report.MarkdownCell(l) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJUnit writes the result as JUnit XML: a suite for each source, a test for each signal and decision. What never
// occurred is skipped.
func (r *Result) WriteJUnit(w io.Writer) error {
	doc := report.Suites{Name: "goldwire diff compare"}
	for i := range r.Stimulus {
		s := report.Suite{Name: r.Stimulus[i].Source}
		for j := range r.Rows {
			x := &r.Rows[j]
			if x.Source != s.Name {
				continue
			}
			c := report.TestCase{Name: x.Name, Classname: s.Name + "." + string(x.Kind), Out: x.What()}
			switch x.Verdict {
			case baseline.Beyond, baseline.Flip:
				c.Failure = &report.Problem{Type: string(x.Verdict), Message: fmt.Sprintf("%s: %s; error in one step %s (A) "+
					"%s (B), free %s (A) %s (B), bound %s", x.Verdict, x.What(), size(x.A, &x.A.Step), size(x.B, &x.B.Step),
					size(x.A, &x.A.Free), size(x.B, &x.B.Free), boundOf(x))}
			case baseline.Unused:
				c.Skipped = &report.Problem{Message: string(baseline.Unused)}
			case baseline.IsAccepted:
				c.Out = fmt.Sprintf("accepted by %s on %s: %s", x.By.Who, x.By.When, x.By.Why)
			}
			s.Cases = append(s.Cases, c)
		}
		doc.Suites = append(doc.Suites, s)
	}
	return doc.Write(w)
}
