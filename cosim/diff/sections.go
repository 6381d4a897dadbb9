package diff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

var titles = map[Mode]string{
	Step: "one step: every event from the state in fixed point",
	Free: "free: every arithmetic from its own state",
}

// sheets returns the pieces of the report in their order.
func (res *Result) sheets() (out []report.Sheet) {
	if len(res.Changed) > 0 {
		s := report.Sheet{Title: "Formats that are not the contract's", Head: []string{"value", "contract", "here"}}
		for _, c := range res.Changed {
			s.Rows = append(s.Rows, []string{c.Name, c.Contract, c.Format})
		}
		out = append(out, s)
	}
	for i := range res.Modes {
		m := &res.Modes[i]
		out = append(out, m.errors(), m.decisions())
		if m.Causes != nil {
			out = append(out, m.Causes.errors())
			if m.Causes.Apart > 0 {
				out = append(out, m.Causes.decisions())
			}
		}
		if len(m.Flips) > 0 {
			out = append(out, m.flips())
		}
	}
	if len(res.Modes) > 0 {
		// Fixed point runs from its own state in every mode, so that all have the same figures.
		out = append(out, res.Modes[0].ranges())
	}
	return out
}

// used reports whether anything is known of a signal.
func (s *Signal) used() bool { return s.Fixed.Count > 0 || s.Count > 0 }

func (m *Measure) errors() report.Sheet {
	s := report.Sheet{Title: "Error against exact numbers, " + titles[m.Mode],
		Head: []string{"value", "format", "compared", "differ", "median", "p99", "max", "relative", "LSB", "bias", "float64"}}
	s.Note = fmt.Sprintf("%s events compared, %s decided differently", report.Count(m.Compared), report.Count(m.Apart))
	if m.Mode == Step && m.Apart > 0 {
		s.Note += " and left out here"
	}
	s.Note += "; absolute errors in the value's unit, float64: its own largest one"
	var none []string
	for i := range m.Signals {
		v := &m.Signals[i]
		if v.Fixed.Differ == 0 && v.Float.Differ == 0 {
			if v.Fixed.Count > 0 {
				none = append(none, v.Name)
			}
			continue
		}
		f := &v.Fixed
		row := []string{v.Name, v.Format, report.Count(f.Count), report.Count(f.Differ)}
		for _, x := range []float64{f.Median, f.P99, f.Max, f.MaxRel, f.MaxLSB, f.Bias, v.Float.Max} {
			row = append(row, report.Short(x))
		}
		s.Rows = append(s.Rows, row)
		if len(f.Histogram) > 0 {
			c := report.Curve{}
			for _, b := range f.Histogram {
				c.X, c.Y = append(c.X, float64(b.Log2)), append(c.Y, float64(b.Count))
			}
			s.Figures = append(s.Figures, report.Figure{X: "log2 of the error", Panels: []report.Panel{
				{Title: v.Name + ": comparisons by absolute error", Log: true, Curves: []report.Curve{c}}}})
		}
	}
	if len(s.Rows) == 0 {
		s.Head = nil
	}
	if len(none) > 0 {
		s.List = []string{"without any error: " + strings.Join(none, ", ")}
	}
	return s
}

func (m *Measure) ranges() report.Sheet {
	s := report.Sheet{Title: "How the formats were used",
		Head: []string{"value", "format", "unit", "least", "largest", "unused top bits", "inexact", "saturated", "wrapped"}}
	for i := range m.Signals {
		if v := &m.Signals[i]; v.used() {
			s.Rows = append(s.Rows, []string{v.Name, v.Format, v.Unit, report.Short(v.Lo), report.Short(v.Hi),
				strconv.Itoa(v.TopBits), report.Count(v.Inexact), report.Count(v.Saturated), report.Count(v.Wrapped)})
		}
	}
	return s
}

func (m *Measure) decisions() report.Sheet {
	s := report.Sheet{Title: "Decisions, " + titles[m.Mode]}
	var none []string
	for _, d := range m.Decisions {
		if d.FixedWrong == 0 && d.FloatWrong == 0 {
			none = append(none, d.Name)
			continue
		}
		s.Rows = append(s.Rows, []string{d.Name, report.Count(d.Compared), report.Count(d.FixedWrong),
			report.Count(d.FloatWrong), report.Count(d.Apart)})
	}
	if len(s.Rows) > 0 {
		s.Head = []string{"decision", "compared", "fixed wrong", "float64 wrong", "fixed against float64"}
		s.Note = "wrong: not as exact numbers decide"
	}
	if len(none) > 0 {
		s.List = []string{"taken alike in all " + report.Count(m.Compared) + " events: " + strings.Join(none, ", ")}
	}
	return s
}

func (m *Measure) flips() report.Sheet {
	s := report.Sheet{Title: "Flipped decisions, " + titles[m.Mode],
		Head: []string{"event", "kind", "decision", "fixed", "float64", "exact", "right", "threshold", "distance",
			"in fixed"},
		Note: "right: whom exact numbers confirm; " +
			"distance: of the exact number from the threshold, then of the one in fixed point"}
	for _, f := range m.Flips {
		distance, inFixed := report.Short(f.Distance), report.Short(f.FixedDistance)
		if f.Threshold == "-" {
			distance, inFixed = "-", "-"
		}
		s.Rows = append(s.Rows, []string{report.Count(f.Event), f.Kind, f.Decision, f.Fixed, f.Float, f.Exact, f.Right,
			f.Threshold, distance, inFixed})
	}
	if m.Lost > 0 {
		s.List = []string{report.Count(m.Lost) + " more, not listed"}
	}
	return s
}
