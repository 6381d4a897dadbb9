package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// runSections are the sections of one run on the page, in order, above those of its comparisons.
var runSections = []func(*Result) *Section{
	mismatchSection, figureSection, configurationSection, casesSection, coverageSection,
}

// WriteHTML writes the report as one page.
func WriteHTML(w io.Writer, r *Report) error {
	t := r.totals()
	p := Page{Banner: bannerOf(r.Verdict(), r.Reason())}
	many := len(r.Results) > 1
	switch len(r.Results) {
	case 0:
		p.Title = "no run"
	case 1:
		p.Title = r.Results[0].Name()
	default:
		p.Title = fmt.Sprintf("%s, %d runs", same(r, func(x *Result) string { return x.Block }), len(r.Results))
		sum := fmt.Sprintf("%s events, %s cycles, %s compared, %s", Count(t.events), Count(t.cycles), t.compared.words(),
			mismatches(t.mismatches))
		if p.Line = sum; r.Verdict() != Pass {
			p.Line = r.Reason() + " (" + sum + ")"
		}
		p.Sections = append(p.Sections, Section{Title: "Runs", Parts: []Part{runTable(r)}})
		if c := r.Coverage(); c != nil && c.Bins > 0 {
			p.Sections = append(p.Sections, Section{Title: "Coverage of all runs", Parts: coverageParts(c)})
		}
	}
	for i := range r.Results {
		x := &r.Results[i]
		g := Group{ID: runID(i), Sections: x.sections()}
		if many {
			g.Title, g.Banner = x.Name(), bannerOf(x.judge())
		}
		p.Groups = append(p.Groups, g)
	}
	return p.WriteHTML(w)
}

func (r *Result) sections() (out []Section) {
	for _, of := range runSections {
		if s := of(r); s != nil {
			out = append(out, *s)
		}
	}
	return append(out, r.Sections...)
}

func runID(i int) string { return "run" + strconv.Itoa(i+1) }

func bannerOf(v Verdict, why string) Banner { return Banner{banner(v), class(v), why} }

func class(v Verdict) string {
	switch v {
	case Pass:
		return "good"
	case Mismatched, OverBound, Empty, Errored, NotRun:
		return "bad"
	}
	return "warn"
}

func runTable(r *Report) Table {
	t := Table{Columns: Columns("verdict", "run", "events", "cycles", "fields compared", "responses compared",
		"mismatches", "coverage", "events/s")}
	t.Columns[1].Kind = Words
	for i := range r.Results {
		x := &r.Results[i]
		name := []Cell{{Text: banner(x.Verdict()), Tag: class(x.Verdict())}, {Text: x.Name(), Link: "#" + runID(i)}}
		row := append(name, Cells(Count(x.Events), Count(x.Cycles), Count(x.Compared.Fields), Count(x.Compared.Responses),
			Count(x.Mismatches), x.Coverage.share(), si(x.EventsPerS))...)
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (c *Coverage) share() string { return percent(uint64(c.Hit), uint64(c.Bins)) }

// figureSection shows the figures of every run.
func figureSection(r *Result) *Section {
	cycles := Count(r.Cycles)
	if r.ModelOnly {
		cycles = "none"
	}
	return &Section{Title: "Figures", Parts: []Part{Tiles{
		{"events", Count(r.Events), Count(r.Responses) + " responses"},
		{"cycles compared", cycles, fmt.Sprintf("%.3f events per cycle", r.EventsPerCycle)},
		{"fields compared", Count(r.Compared.Fields), "of " + Count(r.Compared.Responses) + " responses" + r.partial()},
		{"mismatches", Count(r.Mismatches), "in " + Plural(uint64(r.Episodes), "episode")},
		{"coverage", r.Coverage.share(), fmt.Sprintf("%d of %d bins", r.Coverage.Hit, r.Coverage.Bins)},
		{"throughput", si(r.EventsPerS) + " events/s", fmt.Sprintf("%s cycles/s, %.1f s", si(r.CyclesPerS), r.Seconds)},
	}}}
}

func configurationSection(r *Result) *Section {
	var t Table
	for _, n := range []Named{{"block", r.Block}, {"source", r.Source}, {"seed", utoa(r.Seed)},
		{"parameters", paramList(r.Params)}, {"transport", r.Transport}, {"rtl", r.RTL}, {"device under test", device(r)},
		{"schema hash", r.SchemaHash}, {"digest of all outputs", r.Digest}} {
		t.Named(n.Name, n.Value)
	}
	for _, n := range []Named{{"stimulus", r.Stimulus.String()}, {"time tick", r.Tick}, {"expected from", r.Reference},
		{"not compared", strings.Join(r.Uncompared, " ")},
		{"masked", r.masked()}, {"handshake relaxed", strings.Join(r.Relaxed, " ")}, {"ended by", r.Broken}} {
		if n.Value != "" {
			t.Named(n.Name, n.Value)
		}
	}
	s := &Section{Title: "Configuration", Parts: []Part{t}}
	if r.Reproduce != "" {
		s.Parts = append(s.Parts, Text{Text: "Repeat this run", Dim: true}, Command(r.Reproduce))
	}
	return s
}

func casesSection(r *Result) *Section {
	if len(r.Cases) == 0 {
		return nil
	}
	failed := Table{Columns: []Column{{"case", Code}, {"events", Number}, {"cycles", Number}, {"message", Code}}}
	all := Table{Columns: []Column{{}, {"case", Code}, {"events", Number}, {"cycles", Number}}}
	for _, c := range r.Cases {
		tag := Cell{Text: "pass", Tag: "good"}
		if c.Failed {
			tag = Cell{Text: "failed", Tag: "bad"}
			failed.Rows = append(failed.Rows, Cells(c.Name, Count(c.Events), Count(c.Cycles), c.Message))
		}
		all.Rows = append(all.Rows, append([]Cell{tag}, Cells(c.Name, Count(c.Events), Count(c.Cycles))...))
	}
	s := &Section{Title: "Cases", Parts: []Part{
		Text{Text: fmt.Sprintf("%s, %d failed", Plural(uint64(len(r.Cases)), "case"), len(failed.Rows))}}}
	if len(failed.Rows) > 0 {
		s.Parts = append(s.Parts, failed)
	}
	s.Parts = append(s.Parts, Fold{"all cases", []Part{all}})
	return s
}

func coverageSection(r *Result) *Section {
	if r.Coverage.Bins == 0 {
		return nil
	}
	return &Section{Title: "Functional coverage", Parts: coverageParts(&r.Coverage)}
}

func coverageParts(c *Coverage) []Part {
	out := []Part{Text{Text: c.summary()}}
	if len(c.Groups) > 0 {
		t := Table{Columns: []Column{{"group", Code}, {"hit", Number}, {"bins", Number}, {"", Meter}, {"", Number}}}
		for _, g := range c.Groups {
			share := 0.0
			if g.Bins > 0 {
				share = 100 * float64(g.Hit) / float64(g.Bins)
			}
			row := Cells(g.Name, strconv.Itoa(g.Hit), strconv.Itoa(g.Bins), "", percent(uint64(g.Hit), uint64(g.Bins)))
			row[3].Share = share
			t.Rows = append(t.Rows, row)
		}
		out = append(out, t)
	}
	if len(c.Missed) > 0 {
		out = append(out, Heading(fmt.Sprintf("Missed bins (%d)", len(c.Missed))), List{Items: c.Missed, Names: true})
	}
	if len(c.Unreachable) > 0 {
		t := Table{Columns: []Column{{"bin", Code}, {"proof", Words}}}
		for _, u := range c.Unreachable {
			t.Rows = append(t.Rows, Cells(u.Bin, u.Proof))
		}
		out = append(out, Heading(fmt.Sprintf("Unreachable bins (%d), left out of the count, each with its proof",
			len(c.Unreachable))), t)
	}
	return out
}
