package wordlen

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

func (res *Result) boundsText() string {
	var out []string
	for _, b := range res.Bounds {
		out = append(out, b.Name+" "+report.Short(b.Max))
	}
	return strings.Join(out, ", ") + ", flips " + report.Short(res.FlipsBound) + " in 10,000"
}

// Headline returns the first line of a report.
func (res *Result) Headline() string {
	won, was := res.Winner.Cost.Total(), res.Contract.Cost.Total()
	return fmt.Sprintf("diff wordlen %s %s: %s bits in place of the contract's %s within %s; confirmed on %s held-out "+
		"events", res.Block, strings.Join(res.Sources, ","), report.Count(uint64(won)), report.Count(uint64(was)),
		res.boundsText(),
		report.Count(res.ComparedHeldOut))
}

// WriteText prints the result for a terminal.
func (res *Result) WriteText(w io.Writer) error {
	return report.WriteSheets(w, res.Headline(), res.sheets())
}

// WriteHTML writes the result as a page.
func (res *Result) WriteHTML(w io.Writer) error {
	return report.WritePage(w, "Goldwire diff wordlen: "+res.Block,
		report.Banner{Word: "DONE", Class: "good", Line: res.Headline()}, append(res.sheets(), res.figure()))
}

func (res *Result) sheets() []report.Sheet {
	out := []report.Sheet{res.formats(), res.costs(), res.pareto()}
	if len(res.Units) > 0 {
		out = append(out, res.units())
	}
	return out
}

func (res *Result) formats() report.Sheet {
	s := report.Sheet{Title: "Formats",
		Head: []string{"value", "contract", "here", "integer bits from", "observed", "proven", "fraction alone", "bit costs"},
		Note: "observed: integer bits of the largest number of the sources; proven: of the contract's bound; alone: the " +
			"least fraction bits while all other values have their most"}
	for _, v := range res.Values {
		if v.Kept != "" {
			s.List = append(s.List, fmt.Sprintf("%s keeps %s: %s", v.Name, v.Contract, v.Kept))
			continue
		}
		proven := "-"
		if v.Proven != nil {
			proven = strconv.Itoa(*v.Proven)
		}
		s.Row(v.Name, v.Contract, v.Format, v.Integers, v.Seen, proven, v.Alone, v.Weight)
	}
	return s
}

// figures returns errors and flips as cells.
func (f *Figures) cells() (out []string) {
	for _, x := range f.Errors {
		out = append(out, report.Short(x))
	}
	return append(out, report.Short(f.Flips))
}

func (res *Result) errorHead() (out []string) {
	for _, b := range res.Bounds {
		out = append(out, b.Name+" off by")
	}
	return append(out, "flips per 10k")
}

func (res *Result) costs() report.Sheet {
	s := report.Sheet{Title: "Cost and error, worst of all sources and seeds",
		Head: append([]string{"table", "bits", "state", "registers", "multipliers"}, res.errorHead()...)}
	row := func(name string, c Cost, f *Figures) {
		s.Row(name, uint64(c.Total()), uint64(c.State), uint64(c.Registers), uint64(c.Multipliers), f.cells())
	}
	row("contract", res.Contract.Cost, &res.Contract.Figures)
	row("here", res.Winner.Cost, &res.Winner.Figures)
	row("here, held out", res.Winner.Cost, &res.HeldOut)
	s.Note = "state: bits of one context; registers: of one profile; multipliers: bits of both operands and the result " +
		"of each product and division"
	s.List = append(s.List, fmt.Sprintf("%d tables evaluated by the search and %d more for the front, on %s events each; "+
		"an exhaustive search has %s", res.Search, res.Evaluations-res.Search, report.Count(res.Compared),
		report.Short(res.Grid)))
	for _, r := range res.Rejected {
		s.List = append(s.List, fmt.Sprintf("rejected with the held-out seeds: %d bits: %s", r.Cost.Total(),
			strings.Join(r.Why, "; ")))
	}
	s.Names("left out, because the same events were played before: ", res.Same)
	return s
}

func (res *Result) pareto() report.Sheet {
	s := report.Sheet{Title: "Pareto front: no evaluated table has both less cost and less error",
		Head: append([]string{"bits"}, append(res.errorHead(), "keeps")...)}
	var names []string
	for _, v := range res.Values {
		if v.Kept == "" {
			names = append(names, v.Name)
		}
	}
	s.Head = append(s.Head, names...)
	if res.Yosys != "" {
		s.Head = slices.Insert(s.Head, 1, "cells")
	}
	for i := range res.Front {
		p := &res.Front[i]
		keeps := "no"
		if p.Keeps {
			keeps = "yes"
		}
		var cells, bits []string
		if res.Yosys != "" {
			cells = []string{report.Count(uint64(p.Cells))}
		}
		for _, f := range p.Formats {
			bits = append(bits, strings.TrimLeft(f, "USQ"))
		}
		s.Row(uint64(p.Cost.Total()), cells, p.Figures.cells(), keeps, bits)
	}
	return s
}

func (res *Result) units() report.Sheet {
	s := report.Sheet{Title: "Cells of multipliers and dividers",
		Head: []string{"product", "contract", "cells", "here", "cells"},
		Note: "gates of " + res.Yosys + " before they are mapped to a library (synth -noabc): a measure to compare tables " +
			"by, no area; a divider is a row of gates for each bit of the quotient; sums, clamps, registers and memories " +
			"are not counted"}
	for i := range res.Units {
		u := &res.Units[i]
		s.Row(u.Name, u.Contract, uint64(u.Contract.Cells), u.Here, uint64(u.Here.Cells))
	}
	s.Row("all", "", uint64(res.Contract.Cells), "", uint64(res.Winner.Cells))
	return s
}

// figure draws cost against each figure, a dot for each evaluated table.
func (res *Result) figure() report.Sheet {
	fig := report.Figure{X: "cost, bits", About: "cost of each evaluated table against its errors"}
	for k, name := range res.errorHead() {
		get := func(p *Point) float64 {
			if k < len(p.Figures.Errors) {
				return p.Figures.Errors[k]
			}
			return p.Figures.Flips
		}
		all := report.Curve{Name: "evaluated", Form: report.Dots, Colour: "flat"}
		front := report.Curve{Name: "front", Form: report.Steps}
		limit := report.Curve{Name: "bound", Form: report.Dashed, Colour: "warn"}
		bound := res.FlipsBound
		if k < len(res.Bounds) {
			bound = res.Bounds[k].Max
		}
		for i := range res.all {
			all.X, all.Y = append(all.X, float64(res.all[i].Cost.Total())), append(all.Y, get(&res.all[i]))
		}
		for i := range res.Front {
			front.X, front.Y = append(front.X, float64(res.Front[i].Cost.Total())), append(front.Y, get(&res.Front[i]))
		}
		if n := len(all.X); n > 0 {
			limit.X, limit.Y = []float64{all.X[0], math.Nextafter(all.X[n-1], math.Inf(1))}, []float64{bound, bound}
		}
		fig.Panels = append(fig.Panels, report.Panel{Title: name, Log: true, Curves: []report.Curve{all, front, limit}})
	}
	return report.Sheet{Title: "Cost against error", Figures: []report.Figure{fig}}
}
