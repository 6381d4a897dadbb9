package reports

import (
	"fmt"
	"io"

	"github.com/goldwire/goldwire/cosim/report"
)

// WriteHTML writes a self-contained page: failures by bucket, errors, missing runs, runs taken over, coverage with the
// missed bins by testpoint, cost by test, and every run.
func (r *Report) WriteHTML(w io.Writer) error {
	p := report.Page{Title: "Campaign, stage " + r.Stage,
		Banner: report.Banner{Word: r.word(), Class: r.class(), Line: r.line()}}
	count := func(n int) string { return report.Count(uint64(n)) }
	tiles := report.Tiles{{Name: "planned", Value: count(r.Planned)}, {Name: "passed", Value: count(r.Passed)},
		{Name: "failed", Value: count(r.Failed)}, {Name: "errors", Value: count(r.Errors)},
		{Name: "missing", Value: count(r.Missing)}}
	if r.TakenOver > 0 {
		tiles = append(tiles, report.Tile{Name: "taken over", Value: count(r.TakenOver), Note: "not run"})
	}
	line := "Compared " + r.Compared() + ". Cost: " + r.Spent() + "."
	if r.Judged > 0 {
		line += " " + r.Near() + "."
	}
	p.Sections = append(p.Sections, report.Section{Title: "Account", Parts: []report.Part{tiles, report.Text{Text: line}}})
	for _, s := range []report.Section{
		{Title: "Failures", Note: "By block, first differing field and kind of the event; the first run of each in full.",
			Parts: r.failed()},
		{Title: "Errors of the harness", Note: "By reason. These runs neither passed nor failed.", Parts: r.broken()},
		{Title: "Missing runs", Note: "They were planned and left no record.",
			Parts: r.fold(report.Plural(uint64(len(r.missing)), "run"), r.missing, 1)},
		{Title: "Taken over",
			Note:  "Not run: nothing that can affect these runs has changed since the campaign that ran them.",
			Parts: list(r.Origins())},
		{Title: "Open testpoints", Note: "The stage is closed: it passes only when all are shown.", Parts: list(r.open())},
		{Title: "Coverage", Note: "Bins of all runs together. A missed bin of several testpoints stands at each.",
			Parts: r.covered()},
		{Title: "Cost of the tests", Note: "With builds, and with the second run of failures.", Parts: r.cost()},
		{Title: "All runs", Parts: r.all()},
	} {
		if len(s.Parts) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return p.WriteHTML(w)
}

func (r *Report) failed() (out []report.Part) {
	for i := range r.failures {
		g := &r.failures[i]
		run, st := r.first(g)
		out = append(out, report.Heading(fmt.Sprintf("%s (%s)", g.title, report.Plural(uint64(len(g.runs)), "run"))),
			report.Text{Text: who(run) + ": " + difference(st)}, report.Command(st.Repeat))
		if f := st.Failure; f != nil && len(f.Shrunk) > 0 {
			out = append(out, report.Fold{Name: "shortest events",
				Parts: []report.Part{report.List{Items: f.Shrunk, Numbered: true}}})
		}
		out = append(out, r.fold("all its runs", g.runs, 2)...)
	}
	return out
}

// fold lists the command lines of runs; nothing for fewer runs than least.
func (r *Report) fold(name string, runs []int, least int) []report.Part {
	if len(runs) < least {
		return nil
	}
	l := report.List{}
	for _, i := range runs {
		l.Items = append(l.Items, r.Runs[i].Repeat)
	}
	return []report.Part{report.Fold{Name: name, Parts: []report.Part{l}}}
}

// list lists lines; nothing without lines.
func list(lines []string) []report.Part {
	if len(lines) == 0 {
		return nil
	}
	return []report.Part{report.List{Items: lines}}
}

func (r *Report) broken() (out []report.Part) {
	for i := range r.errors {
		g := &r.errors[i]
		_, st := r.first(g)
		out = append(out, report.Text{Text: report.Plural(uint64(len(g.runs)), "run") + ": " + g.title},
			report.Command(st.Repeat))
		out = append(out, r.fold("all its runs", g.runs, 2)...)
	}
	return out
}

func (r *Report) covered() (out []report.Part) {
	t := report.Table{Columns: report.Columns("block", "size", "bins", "hit", "missed")}
	t.Columns[1].Kind = report.Words
	for _, c := range r.Coverage {
		t.Rows = append(t.Rows, report.Cells(c.Block, c.Size, fmt.Sprint(c.Bins), fmt.Sprint(c.Hit),
			fmt.Sprint(len(c.Missed))))
	}
	if len(t.Rows) > 0 {
		out = append(out, t)
	}
	for _, m := range r.missed {
		out = append(out, report.Fold{Name: fmt.Sprintf("%s (%s, %s): %d missed", m.testpoint, m.block, m.size, len(m.bins)),
			Parts: []report.Part{report.List{Items: m.bins, Names: true}}})
	}
	return out
}

func (r *Report) cost() []report.Part {
	t := report.Table{Columns: report.Columns("test", "runs", "not passed", "taken over", "CPU s", "s", "MB")}
	for i := range r.tests {
		x := &r.tests[i]
		t.Rows = append(t.Rows, report.Cells(x.name, fmt.Sprint(x.runs), fmt.Sprint(x.unpassed), fmt.Sprint(x.taken),
			fmt.Sprintf("%.1f", x.cpu), fmt.Sprintf("%.1f", x.seconds), fmt.Sprint(x.memoryMB)))
	}
	return []report.Part{t}
}

func (r *Report) all() []report.Part {
	t := report.Table{Columns: []report.Column{{Name: "run"}, {Name: "seed", Kind: report.Number}, {Name: "outcome"},
		{Name: "reason"}, {Name: "CPU s", Kind: report.Number}}}
	for i := range r.Runs {
		st := &r.Runs[i]
		t.Rows = append(t.Rows, report.Cells(st.ID, fmt.Sprint(r.runs[i].Seed), string(st.Outcome), st.Reason,
			fmt.Sprintf("%.1f", st.Cost.CPU)))
	}
	return []report.Part{report.Fold{Name: report.Plural(uint64(len(r.Runs)), "run"), Parts: []report.Part{t}}}
}
