package precision

import (
	"fmt"
	"math"
	"strconv"

	"github.com/goldwire/goldwire/cosim/report"
)

// FloatKey is the key of the section of a FloatDiff.
const FloatKey = "float"

// FloatDiff is the one-step comparison of the fixed-point model with float64 from the same state.
type FloatDiff struct {
	Events          uint64    `json:"events"`
	MaxRelErrCwnd   float64   `json:"max_rel_err_cwnd"` // same tick inputs, one step
	ActionFlips     uint64    `json:"action_flips"`     // same tick inputs
	FlipsPer10k     float64   `json:"flips_per_10k"`
	PsActionFlips   uint64    `json:"ps_action_flips"` // picosecond inputs
	PsFlipsPer10k   float64   `json:"ps_flips_per_10k"`
	PsMaxRelErrCwnd float64   `json:"ps_max_rel_err_cwnd"` // events whose actions agree
	PsUnexplained   uint64    `json:"ps_unexplained"`      // flips further than a tick from every threshold
	Flips           []Flip    `json:"flips"`               // tick flips, each one; picosecond flips, the first hundred
	ErrHist         []HistBin `json:"err_hist"`            // histogram of log10 relative error of cwnd
}

// Flip is one event for which fixed point and float64 decided differently.
type Flip struct {
	Event     uint64  `json:"event"`
	Context   int     `json:"context"`
	Inputs    string  `json:"inputs"` // "tick" or "ps"
	Fixed     string  `json:"fixed"`
	Float     string  `json:"float"`
	Threshold string  `json:"threshold"`      // the nearest compared pair
	Distance  float64 `json:"distance_ticks"` // how far from it
}

// HistBin counts errors e with 10^Log10 <= e < 10^(Log10+1).
type HistBin struct {
	Log10 int    `json:"log10"`
	Count uint64 `json:"count"`
}

// Bounds that the fixed-point format was chosen for. The picosecond bound holds
// at a tick of 1 ns; at 128 ns the figure is reported without one.
const (
	MaxRelErrCwnd    = 1e-3 // one step, same tick inputs
	MaxFlipsPer10k   = 1.0  // same tick inputs
	MaxPsFlipsPer10k = 10.0 // picosecond inputs, tick of 1 ns
)

// metrics are the figures, those with bounds first. tick is Result.Tick.
func (f *FloatDiff) metrics(tick string) []report.Metric {
	out := []report.Metric{
		{Name: "max_rel_err_cwnd", What: "relative error of cwnd", Value: f.MaxRelErrCwnd,
			Bound: report.AtMost(MaxRelErrCwnd)},
		{Name: "flips_per_10k", What: "action flips per 10,000 (tick inputs)", Value: f.FlipsPer10k,
			Bound: report.AtMost(MaxFlipsPer10k), Whole: true},
		{Name: "ps_flips_per_10k", What: "action flips per 10,000 (picosecond inputs)", Value: f.PsFlipsPer10k,
			Bound: report.AtMost(MaxPsFlipsPer10k), Whole: true},
		{Name: "ps_unexplained", What: "flips further than a tick from every threshold", Value: float64(f.PsUnexplained),
			Bound: report.AtMost(0)},
		{Name: "ps_max_rel_err_cwnd", What: "relative error of cwnd (picosecond inputs)", Value: f.PsMaxRelErrCwnd},
	}
	for i := range out {
		out[i].Samples = f.Events
		if out[i].Name == "ps_flips_per_10k" && tick != oneNs {
			out[i].Bound = report.Bound{}
		}
	}
	return out
}

const oneNs = "1ns"

// Section returns the comparison as a section of the report of a run in which that many events were due to be compared.
// tick is Result.Tick.
func (f *FloatDiff) Section(tick string, due uint64) report.Section {
	s := report.Section{
		Key: FloatKey, Title: "Fixed point against float64", Lead: "fixed point against float64",
		Metrics: f.metrics(tick), Data: f.data(), Lines: f.lines(tick),
		Note: fmt.Sprintf("Bounds: relative error %s in one step and %s flip in 10,000 events with tick inputs; %s flips "+
			"in 10,000 with picosecond inputs at a tick of 1 ns.", report.Digits(MaxRelErrCwnd),
			report.Digits(MaxFlipsPer10k), report.Digits(MaxPsFlipsPer10k)),
	}
	switch {
	case f.Events != due:
		s.Fault = fmt.Sprintf("%d of %d events that decide about the window were compared", f.Events, due)
	case due == 0:
		s.Idle = "no event of the run decides about the window"
	}
	s.Parts = f.parts()
	return s
}

// Join returns the figures of two comparisons as one: the larger errors, the flips added up.
func (f *FloatDiff) Join(other any) any {
	b, ok := other.(*FloatDiff)
	if !ok {
		return f
	}
	return &FloatDiff{
		Events: f.Events + b.Events, ActionFlips: f.ActionFlips + b.ActionFlips,
		PsActionFlips: f.PsActionFlips + b.PsActionFlips, PsUnexplained: f.PsUnexplained + b.PsUnexplained,
		MaxRelErrCwnd:   max(f.MaxRelErrCwnd, b.MaxRelErrCwnd),
		PsMaxRelErrCwnd: max(f.PsMaxRelErrCwnd, b.PsMaxRelErrCwnd),
		FlipsPer10k:     max(f.FlipsPer10k, b.FlipsPer10k), PsFlipsPer10k: max(f.PsFlipsPer10k, b.PsFlipsPer10k),
		Flips: []Flip{}, ErrHist: []HistBin{}, // those of each run are in its result
	}
}

// data returns a copy whose numbers JSON can hold.
func (f *FloatDiff) data() *FloatDiff {
	c := *f
	c.Flips, c.ErrHist = append([]Flip{}, f.Flips...), append([]HistBin{}, f.ErrHist...)
	for i := range c.Flips {
		c.Flips[i].Distance = report.Finite(c.Flips[i].Distance)
	}
	for _, x := range []*float64{&c.MaxRelErrCwnd, &c.FlipsPer10k, &c.PsFlipsPer10k, &c.PsMaxRelErrCwnd} {
		*x = report.Finite(*x)
	}
	return &c
}

func (f *FloatDiff) lines(tick string) []report.Line {
	bound := "no bound at this tick"
	if tick == oneNs {
		bound = "bound " + report.Digits(MaxPsFlipsPer10k)
	}
	return []report.Line{
		{Name: "fixed v. float", Text: string(report.InBounds)},
		{Name: "  tick inputs", Text: fmt.Sprintf("cwnd within %s in one step (bound %s), %s, %s in 10,000 (bound %s)",
			report.Digits(f.MaxRelErrCwnd), report.Digits(MaxRelErrCwnd), report.Plural(f.ActionFlips, "action flip"),
			report.Digits(f.FlipsPer10k), report.Digits(MaxFlipsPer10k))},
		{Name: "  ps inputs", Text: fmt.Sprintf("%s, %s in 10,000 (%s), %s further than a tick from every threshold "+
			"(bound 0); cwnd within %s (no bound)", report.Plural(f.PsActionFlips, "action flip"),
			report.Digits(f.PsFlipsPer10k), bound, report.Count(f.PsUnexplained), report.Digits(f.PsMaxRelErrCwnd))},
	}
}

func (f *FloatDiff) parts() []report.Part {
	t := report.Table{Columns: report.Columns("inputs", "largest relative error of cwnd, one step", "action flips",
		"in 10,000 events", "not explained by one tick")}
	t.Rows = append(t.Rows,
		report.Cells("ticks", report.Digits(f.MaxRelErrCwnd), report.Count(f.ActionFlips), report.Digits(f.FlipsPer10k),
			"–"),
		report.Cells("picoseconds", report.Digits(f.PsMaxRelErrCwnd), report.Count(f.PsActionFlips),
			report.Digits(f.PsFlipsPer10k), report.Count(f.PsUnexplained)))
	out := []report.Part{t, report.Text{Dim: true, Text: report.Count(f.Events) + " events compared, each from the same " +
		"state; the error of the picosecond row is over events whose actions agree."}}
	if len(f.ErrHist) > 0 {
		out = append(out, f.histogram())
	}
	if len(f.Flips) == 0 {
		return out
	}
	const number, code = report.Number, report.Code
	flips := report.Table{Columns: []report.Column{{Name: "event", Kind: number}, {Name: "context", Kind: number},
		{Name: "inputs"}, {Name: "fixed", Kind: code}, {Name: "float", Kind: code}, {Name: "nearest threshold", Kind: code},
		{Name: "distance, ticks", Kind: number}}}
	for i := range f.Flips {
		x := &f.Flips[i]
		flips.Rows = append(flips.Rows, report.Cells(report.Count(x.Event), strconv.Itoa(x.Context), x.Inputs, x.Fixed,
			x.Float, x.Threshold, report.Digits(x.Distance)))
	}
	out = append(out, report.Heading("Flips: events for which fixed point and float decided differently"), flips)
	if all := f.ActionFlips + f.PsActionFlips; all > uint64(len(f.Flips)) {
		out = append(out, report.Text{Dim: true, Text: fmt.Sprintf("%s of %s flips shown.",
			report.Count(uint64(len(f.Flips))), report.Count(all))})
	}
	return out
}

// histogram draws the relative errors of cwnd by decades.
func (f *FloatDiff) histogram() report.Figure {
	bound := int(math.Round(math.Log10(MaxRelErrCwnd)))
	lo, hi := bound-1, bound
	p := report.Panel{Title: "events", Limit: &report.Limit{At: float64(bound), Name: "bound " +
		report.Digits(MaxRelErrCwnd)}}
	for _, b := range f.ErrHist {
		lo, hi = min(lo, b.Log10), max(hi, b.Log10)
		p.Bars = append(p.Bars, report.Bar{From: float64(b.Log10), To: float64(b.Log10 + 1), Count: b.Count,
			Over: b.Log10 >= bound})
	}
	// Empty bars extend the axis to the bound.
	p.Bars = append(p.Bars, report.Bar{From: float64(lo), To: float64(lo + 1)},
		report.Bar{From: float64(hi), To: float64(hi + 1)})
	return report.Figure{
		About: "histogram of the relative error of cwnd, fixed point against float64",
		X:     "relative error of cwnd after one step", Decades: true, Panels: []report.Panel{p},
	}
}
