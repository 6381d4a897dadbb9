package fabricreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/series"
)

// Outcome is the runs of one congestion control, one for each seed.
type Outcome struct {
	CC      string
	Runs    []*result.Result
	Played  []loop.Played // by the devices, one for each seed; nil without one
	Summary result.Summary
	Watch   *Watch         // of the first seed; nil without a page
	Series  *series.Series // of the first seed; nil unless requested
}

// Report is everything that a command simulated.
type Report struct {
	Plan *fabricplan.Plan
	All  []*Outcome
	// books are the findings of Verify, except unfinished flows.
	books []string
	pairs []pair
}

// pair is a control in fixed point and on the RTL, if both ran.
type pair struct {
	fixed, rtl *Outcome
	differ     string // the first difference, or ""
	compared   int    // flows
}

// New checks the books of all runs and compares fixed point with RTL if both ran.
func New(p *fabricplan.Plan, all []*Outcome) *Report {
	r := &Report{Plan: p, All: all}
	for _, o := range all {
		for _, run := range o.Runs {
			// Unfinished flows are reported separately. They are not an error of a run that was stopped.
			books := *run
			books.Stopped = true
			if err := books.Verify(); err != nil {
				r.books = append(r.books, fmt.Sprintf("%s seed %d: %s", o.CC, run.Spec.Seed, oneLine(err)))
			}
		}
	}
	for _, names := range loop.Pairs {
		if p := (pair{fixed: r.of(names[0]), rtl: r.of(names[1])}); p.fixed != nil && p.rtl != nil {
			p.differ, p.compared = difference(p.fixed, p.rtl)
			r.pairs = append(r.pairs, p)
		}
	}
	return r
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// of returns the outcome of a congestion control, or nil if it did not run.
func (r *Report) of(cc string) *Outcome {
	if i := slices.IndexFunc(r.All, func(o *Outcome) bool { return o.CC == cc }); i >= 0 {
		return r.All[i]
	}
	return nil
}

// Verdict is the outcome of a command.
type Verdict string

// The verdicts.
const (
	Done       Verdict = "done"
	Incomplete Verdict = "incomplete" // a flow is unfinished, or the books do not balance
	Mismatch   Verdict = "mismatch"   // fixed point and RTL differ
	Empty      Verdict = "empty"      // nothing was simulated, or not all that was planned
)

// Found reports whether the simulations found something wrong.
func (v Verdict) Found() bool { return v == Incomplete || v == Mismatch }

// Verdict returns the outcome, from the metrics of all sections, and the reason if it is not Done.
func (r *Report) Verdict() (Verdict, string) {
	empty := ""
	if len(r.All) == 0 {
		empty = "no congestion control was simulated"
	}
	found := ""
	for _, s := range r.bounded() {
		switch o, why := s.Outcome(); o {
		case report.OutOfBound:
			if s.Key == agreeKey {
				return Mismatch, why
			}
			found = cmp.Or(found, s.Title+": "+why)
		case report.InBounds:
		default:
			empty = cmp.Or(empty, s.Title+": "+why)
		}
	}
	switch {
	case found != "":
		return Incomplete, found
	case empty != "":
		return Empty, empty
	}
	return Done, ""
}

// agreeKey is the key of the section about fixed point and RTL.
const agreeKey = "fixed_equals_rtl"

// bounded returns the sections with bounds: the figures of each congestion control, the books, and the comparison of
// fixed point with RTL.
func (r *Report) bounded() (out []report.Section) {
	runs := 0
	for _, o := range r.All {
		s := report.Section{Key: o.CC, Title: "Figures of " + o.CC, Metrics: metrics(&o.Summary)}
		if len(o.Runs) != len(r.Plan.Seeds) || slices.Contains(o.Runs, nil) {
			s.Fault = fmt.Sprintf("%d of %d seeds were simulated", len(o.Runs), len(r.Plan.Seeds))
		}
		runs += len(o.Runs)
		out = append(out, s)
	}
	out = append(out, report.Section{Key: "books", Title: "Books that do not balance", Metrics: []report.Metric{{
		Name: "books", What: "books that do not balance", Value: float64(len(r.books)), Samples: uint64(runs),
		Bound: report.AtMost(0), Excess: strings.Join(r.books, "; "),
	}}})
	for _, o := range r.All {
		for _, block := range loop.Blocks {
			m, ok := o.left(block)
			if idle := r.idle(o, block); ok || idle != "" {
				out = append(out, report.Section{Key: "rtl_equals_model_" + block,
					Title: "RTL of " + o.CC + " against the model: block " + block, Metrics: []report.Metric{m}, Fault: idle})
			}
		}
	}
	for i := range r.pairs {
		p := &r.pairs[i]
		differ := report.Metric{Name: "differs", What: "differences between " + p.fixed.CC + " and " + p.rtl.CC,
			Samples: uint64(p.compared), Bound: report.AtMost(0), Excess: p.differ}
		if p.differ != "" {
			differ.Value, differ.Samples = 1, max(differ.Samples, 1)
		}
		out = append(out, report.Section{Key: agreeKey, Title: p.fixed.CC + " and " + p.rtl.CC,
			Metrics: []report.Metric{differ}})
	}
	return out
}
