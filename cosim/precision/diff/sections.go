package diff

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

var titles = map[Mode]string{
	Step: "one step: every event from the state in fixed point",
	Free: "free: every arithmetic from its own state",
}

// sheets returns the pieces of the report in their order.
func (res *Result) sheets() (out []report.Sheet) {
	out = SettingSheets(res.Changed)
	for i := range res.Modes {
		m := &res.Modes[i]
		out = append(out, m.errors(res.Against), m.decisions(res.Against))
		if m.Causes != nil {
			out = append(out, m.Causes.errors())
			if m.Causes.Apart > 0 {
				out = append(out, m.Causes.decisions())
			}
		}
		if m.Worst != nil {
			out = append(out, m.Worst.sheet())
		}
		if len(m.Judged) > 0 {
			out = append(out, m.judged())
		}
		if n := m.Without(); n > 0 {
			s := flipSheet("Flips without a cause, "+titles[m.Mode], m.Unexplained)
			s.Note = "no comparison explains them: the comparisons of package diff have a gap, or the parties do not run the " +
				"same rules; please report this"
			s.List = more(n - uint64(len(m.Unexplained)))
			out = append(out, s)
		}
		if len(m.Flips) > 0 {
			s := flipSheet("Flipped decisions, "+titles[m.Mode], m.Flips)
			s.Note = "right: whom exact numbers confirm; distance: of the exact number from the threshold, then of the one of " +
				"the party that errs"
			s.List = append(m.events(), more(m.Lost)...)
			if res.Against == Float64 {
				s.Note = ""
				first(&s, 5) // the others are those of exact numbers
			}
			out = append(out, s)
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

func (m *Measure) errors(against Reference) report.Sheet {
	s := report.Sheet{Title: "Error against " + against.words() + ", " + titles[m.Mode],
		Head: []string{"value", "format", "compared", "differ", "median", "p99", "max", "relative", "LSB", "bias", "float64"}}
	s.Note = fmt.Sprintf("%s events compared, %s decided differently", report.Count(m.Compared), report.Count(m.Apart))
	if m.Mode == Step && m.Apart > 0 {
		s.Note += " and left out here"
	}
	s.Note += "; absolute errors in the value's unit"
	if against == Float64 {
		s.Note += ", those of float64 itself among them"
	} else {
		s.Note += ", float64: its own largest one"
	}
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
		s.Row(v.Name, v.Format, f.Count, f.Differ, f.Median, f.P99, f.Max, f.MaxRel, f.MaxLSB, f.Bias, v.Float.Max)
		s.Figures = append(s.Figures, f.Figures(v.Name)...)
	}
	if f := m.course(); len(f.Panels) > 0 {
		s.Figures = append([]report.Figure{f}, s.Figures...)
	}
	if against == Float64 {
		first(&s, len(s.Head)-1)
	}
	if len(s.Rows) == 0 {
		s.Head = nil
	}
	s.Names("without any error: ", none)
	return s
}

// Figures returns the histogram of the errors of a value, no figure when there were none.
func (e *Error) Figures(name string) []report.Figure {
	if len(e.Histogram) == 0 {
		return nil
	}
	c := report.Curve{}
	for _, b := range e.Histogram {
		c.X, c.Y = append(c.X, float64(b.Log2)), append(c.Y, float64(b.Count))
	}
	return []report.Figure{{X: "log2 of the error", Panels: []report.Panel{
		{Title: name + ": comparisons by absolute error", Log: true, Curves: []report.Curve{c}}}}}
}

// course draws the error of each word of the state over the events of the run.
func (m *Measure) course() report.Figure {
	f := report.Figure{Name: "Error over time", X: "event", About: "largest error of each stretch of the run"}
	for i := range m.Signals {
		v := &m.Signals[i]
		if v.Kind != string(formats.State) || len(v.Course) == 0 {
			continue
		}
		c := report.Curve{}
		for k, x := range v.Course {
			c.X, c.Y = append(c.X, float64(k)*float64(v.Stretch)), append(c.Y, x)
		}
		c.X, c.Y = append(c.X, float64(len(v.Course))*float64(v.Stretch)), append(c.Y, v.Course[len(v.Course)-1])
		f.Panels = append(f.Panels, report.Panel{Title: strings.TrimSpace(v.Name + ": largest error, " + v.Unit), Log: true,
			Curves: []report.Curve{c}})
	}
	return f
}

// bars draws the bits of each format, by their weight, and shades those above the largest number.
func (m *Measure) bars() report.Figure {
	p := report.Panel{Title: "bits in use"}
	for i := range m.Signals {
		v := &m.Signals[i]
		f, err := formats.ParseFormat(v.Format)
		if err != nil || v.Count == 0 {
			continue
		}
		s := report.Span{Name: v.Name, From: -float64(f.Frac), To: float64(f.Int), UsedFrom: -float64(f.Frac),
			UsedTo: float64(int(f.Int) - v.TopBits)}
		s.Note = fmt.Sprintf("%s, %d of its top bits unused, %s to %s", v.Format, v.TopBits, report.Short(v.Lo),
			report.Short(v.Hi))
		p.Spans = append(p.Spans, s)
	}
	if len(p.Spans) == 0 {
		return report.Figure{}
	}
	return report.Figure{X: "weight of the bit, log2", About: "bits of each format that the run used",
		Panels: []report.Panel{p}}
}

func (m *Measure) ranges() report.Sheet {
	s := report.Sheet{Title: "How the formats were used",
		Head: []string{"value", "format", "unit", "least", "largest", "unused top bits", "inexact", "saturated", "wrapped"}}
	for i := range m.Signals {
		if v := &m.Signals[i]; v.used() {
			s.Row(v.Name, v.Format, v.Unit, v.Lo, v.Hi, v.TopBits, v.Inexact, v.Saturated, v.Wrapped)
		}
	}
	if f := m.bars(); len(f.Panels) > 0 {
		s.Figures = []report.Figure{f}
	}
	return s
}

func (r Reference) words() string {
	if r == Float64 {
		return "float64"
	}
	return "exact numbers"
}

func (m *Measure) decisions(against Reference) report.Sheet {
	s := report.Sheet{Title: "Decisions, " + titles[m.Mode]}
	var none []string
	for _, d := range m.Decisions {
		if d.FixedWrong == 0 && d.FloatWrong == 0 {
			none = append(none, d.Name)
			continue
		}
		s.Row(d.Name, d.Compared, d.FixedWrong, d.FloatWrong, d.Apart)
	}
	if len(s.Rows) > 0 {
		s.Head = []string{"decision", "compared", "fixed wrong", "float64 wrong", "fixed against float64"}
		s.Note = "wrong: not as exact numbers decide"
		if against == Float64 {
			s.Note = "wrong: not as float64 decides"
			first(&s, 3)
		}
	}
	s.Names("taken alike in all "+report.Count(m.Compared)+" events: ", none)
	return s
}

func (m *Measure) judged() report.Sheet {
	s := report.Sheet{Title: "Flips judged by exact numbers, " + titles[m.Mode],
		Head: []string{"cause", "flips", "fixed right", "float64 right", "neither right"},
		Note: "arithmetic: fixed point rounded in the event; constants: a register's format; state: errors of earlier " +
			"events; float64: fixed point decided as exact numbers, float64 did not"}
	for _, c := range m.Judged {
		s.Row(c.Cause, c.Flips, c.Fixed, c.Float, c.Neither)
	}
	s.List = []string{report.Plural(m.Without(), "flip") + " without a cause"}
	return s
}

func (m *Measure) events() (out []string) {
	for i, f := range m.Flips {
		if i == 0 || f.Event != m.Flips[i-1].Event {
			out = append(out, report.Count(f.Event)+": "+f.Fields)
		}
	}
	return out
}

func first(s *report.Sheet, columns int) {
	s.Head = s.Head[:columns]
	for i := range s.Rows {
		s.Rows[i] = s.Rows[i][:columns]
	}
}

func more(n uint64) []string {
	if n == 0 {
		return nil
	}
	return []string{report.Count(n) + " more, not listed"}
}

func flipSheet(title string, flips []Flip) report.Sheet {
	s := report.Sheet{Title: title, Head: []string{"event", "kind", "decision", "fixed", "float64", "exact", "right",
		"cause", "threshold", "distance", "errs at"}}
	for _, f := range flips {
		distance, other := report.Short(f.Distance), report.Short(f.OtherDistance)
		if f.Threshold == "-" {
			distance, other = "-", "-"
		}
		s.Row(f.Event, f.Kind, f.Decision, f.Fixed, f.Float, f.Exact, f.Right, f.Cause, f.Threshold, distance, other)
	}
	return s
}
