package diff

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

var titles = map[Mode]string{
	Step: "one step: every event from the state in fixed point",
	Free: "free: every arithmetic from its own state",
}

// table is a piece of the report, as text and on a page.
type table struct {
	Title, Note string
	Head        []string
	Rows        [][]string
	List        []string
	Figures     []report.Figure
}

// section returns the table as one of a page: the first column holds words, the others numbers.
func (t *table) section() report.Section {
	s := report.Section{Title: t.Title, Note: t.Note}
	if len(t.Rows) > 0 {
		x := report.Table{Columns: report.Columns(t.Head...)}
		for _, r := range t.Rows {
			x.Rows = append(x.Rows, report.Cells(r...))
		}
		s.Parts = append(s.Parts, x)
	}
	for _, f := range t.Figures {
		s.Parts = append(s.Parts, f)
	}
	if len(t.List) > 0 {
		s.Parts = append(s.Parts, report.List{Items: t.List})
	}
	return s
}

// tables returns the pieces of the report in their order.
func (res *Result) tables() (out []table) {
	if len(res.Changed) > 0 {
		s := table{Title: "Formats that are not the contract's", Head: []string{"value", "contract", "here"}}
		for _, c := range res.Changed {
			s.Rows = append(s.Rows, []string{c.Name, c.Contract, c.Format})
		}
		out = append(out, s)
	}
	for i := range res.Modes {
		m := &res.Modes[i]
		out = append(out, m.errors(), m.decisions())
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

func (m *Measure) errors() table {
	s := table{Title: "Error against exact numbers, " + titles[m.Mode],
		Head: []string{"value", "format", "compared", "differ", "median", "p99", "max", "relative", "LSB", "bias", "float64"}}
	s.Note = fmt.Sprintf("%s events compared, %s decided differently", group(m.Compared), group(m.Apart))
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
		s.Rows = append(s.Rows, []string{v.Name, v.Format, group(f.Count), group(f.Differ), short(f.Median), short(f.P99),
			short(f.Max), short(f.MaxRel), short(f.MaxLSB), short(f.Bias), short(v.Float.Max)})
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

func (m *Measure) ranges() table {
	s := table{Title: "How the formats were used",
		Head: []string{"value", "format", "unit", "least", "largest", "unused top bits", "inexact", "saturated", "wrapped"}}
	for i := range m.Signals {
		if v := &m.Signals[i]; v.used() {
			s.Rows = append(s.Rows, []string{v.Name, v.Format, v.Unit, short(v.Lo), short(v.Hi), strconv.Itoa(v.TopBits),
				group(v.Inexact), group(v.Saturated), group(v.Wrapped)})
		}
	}
	return s
}

func (m *Measure) decisions() table {
	s := table{Title: "Decisions, " + titles[m.Mode]}
	var none []string
	for _, d := range m.Decisions {
		if d.FixedWrong == 0 && d.FloatWrong == 0 {
			none = append(none, d.Name)
			continue
		}
		s.Rows = append(s.Rows, []string{d.Name, group(d.Compared), group(d.FixedWrong), group(d.FloatWrong), group(d.Apart)})
	}
	if len(s.Rows) > 0 {
		s.Head = []string{"decision", "compared", "fixed wrong", "float64 wrong", "fixed against float64"}
		s.Note = "wrong: not as exact numbers decide"
	}
	if len(none) > 0 {
		s.List = []string{"taken alike in all " + group(m.Compared) + " events: " + strings.Join(none, ", ")}
	}
	return s
}

func (m *Measure) flips() table {
	s := table{Title: "Flipped decisions, " + titles[m.Mode],
		Head: []string{"event", "kind", "decision", "fixed", "float64", "exact", "right", "threshold", "distance",
			"in fixed"},
		Note: "right: whom exact numbers confirm; " +
			"distance: of the exact number from the threshold, then of the one in fixed point"}
	for _, f := range m.Flips {
		distance, inFixed := short(f.Distance), short(f.FixedDistance)
		if f.Threshold == "-" {
			distance, inFixed = "-", "-"
		}
		s.Rows = append(s.Rows, []string{group(f.Event), f.Kind, f.Decision, f.Fixed, f.Float, f.Exact, f.Right, f.Threshold,
			distance, inFixed})
	}
	if m.Lost > 0 {
		s.List = []string{group(m.Lost) + " more, not listed"}
	}
	return s
}

// short returns a number in at most 8 characters, to three digits.
func short(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case math.IsNaN(x):
		return "-"
	case a >= 1 && a < 1e6 && a == math.Trunc(a):
		return group(uint64(a), x < 0)
	case a >= 1000 && a < 1e6:
		return group(uint64(math.Round(a)), x < 0)
	case a >= 1e-3 && a < 1000:
		t := strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(a)))), 64)
		if strings.Contains(t, ".") {
			t = strings.TrimSuffix(strings.TrimRight(t, "0"), ".")
		}
		return t
	}
	return strings.NewReplacer("e+0", "e", "e-0", "e-", "e+", "e").Replace(strconv.FormatFloat(x, 'e', 1, 64))
}

// group returns a whole number with commas.
func group(n uint64, negative ...bool) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if len(negative) > 0 && negative[0] {
		s = "-" + s
	}
	return s
}
