package diff

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/goldwire/goldwire/cosim/report"
)

// WriteCSV writes one line for each signal and each decision of each mode, under a head. Of a decision, differ and
// float64_differ count the events that the parties decided otherwise than the reference, and the rest is empty.
func (res *Result) WriteCSV(w io.Writer) error {
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	whole := func(n uint64) string { return strconv.FormatUint(n, 10) }
	head := []string{"mode", "kind", "name", "format", "unit", "compared", "differ", "median", "p99", "max", "max_rel",
		"max_lsb", "bias", "float64_differ", "float64_max", "quantised", "inexact", "saturated", "wrapped", "lo", "hi",
		"unused_top_bits"}
	causes := []string{"arithmetic", "constants", "tick", "whole"}
	for _, s := range causes {
		head = append(head, s+"_compared", s+"_differ", s+"_max", s+"_bias")
	}
	rows := [][]string{head}
	for i := range res.Modes {
		m := &res.Modes[i]
		split := map[string]*CausedError{}
		if m.Causes != nil {
			for k := range m.Causes.Signals {
				split[m.Causes.Signals[k].Name] = &m.Causes.Signals[k]
			}
		}
		for k := range m.Signals {
			s := &m.Signals[k]
			e := &s.Fixed
			line := []string{string(m.Mode), s.Kind, s.Name, s.Format, s.Unit, whole(e.Count), whole(e.Differ), float(e.Median),
				float(e.P99), float(e.Max), float(e.MaxRel), float(e.MaxLSB), float(e.Bias), whole(s.Float.Differ),
				float(s.Float.Max), whole(s.Count), whole(s.Inexact), whole(s.Saturated), whole(s.Wrapped), float(s.Lo),
				float(s.Hi), strconv.Itoa(s.TopBits)}
			if x := split[s.Name]; x != nil {
				for _, e := range []*Error{&x.Arithmetic, &x.Constants, &x.Tick, &x.Whole} {
					cells := []string{whole(e.Count), whole(e.Differ), float(e.Max), float(e.Bias)}
					if e == &x.Tick && !m.Causes.Tick {
						cells = make([]string, 4) // not known
					}
					line = append(line, cells...)
				}
			}
			rows = append(rows, padded(line, len(head)))
		}
		for _, d := range m.Decisions {
			line := padded([]string{string(m.Mode), "decision", d.Name, "", "", whole(d.Compared), whole(d.FixedWrong)},
				len(head))
			line[13] = whole(d.FloatWrong)
			rows = append(rows, line)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// padded returns a line of n cells.
func padded(line []string, n int) []string { return append(line, make([]string, n-len(line))...) }

// WriteMarkdown writes the result for a pull request, without the ranges of formats.
func (res *Result) WriteMarkdown(w io.Writer) error {
	sheets := res.sheets()
	if len(res.Modes) > 0 {
		sheets = sheets[:len(sheets)-1]
	}
	if res.Parted != "" {
		sheets = append([]report.Sheet{{Title: "Fixed point is not the model", Note: res.Parted}}, sheets...)
	}
	return report.WriteMarkdown(w, res.Headline(), sheets)
}

// WriteJUnit writes the result as JUnit XML: whether fixed point is the model, in each mode whether every flip has a
// cause, and a test for each signal and decision, which passes and holds the figures.
func (res *Result) WriteJUnit(w io.Writer) error {
	class := "goldwire." + res.Block + "." + res.Source
	model := report.TestCase{Name: "fixed point is the model", Classname: class,
		Out: report.Plural(res.Model, "event") + " compared"}
	switch {
	case res.Parted != "":
		model.Failure = &report.Problem{Message: res.Parted, Type: "mismatch"}
	case res.Model == 0:
		model.Skipped = &report.Problem{Message: "formats are not the contract's"}
	}
	doc := report.Suites{Name: "goldwire diff run", Suites: []report.Suite{{Name: "model",
		Cases: []report.TestCase{model}}}}
	for i := range res.Modes {
		m := &res.Modes[i]
		s, class := report.Suite{Name: string(m.Mode)}, class+"."+string(m.Mode)
		flips := report.TestCase{Name: "every flip has a cause", Classname: class}
		switch {
		case res.Against == Float64:
			flips.Skipped = &report.Problem{Message: "flips are not judged against float64"}
		case m.Without() > 0:
			flips.Failure = &report.Problem{Message: report.Plural(m.Without(), "flip") + " without a cause"}
		}
		s.Cases = append(s.Cases, flips)
		for k := range m.Signals {
			v := &m.Signals[k]
			c := report.TestCase{Name: v.Name, Classname: class + "." + v.Kind}
			if c.Out = fmt.Sprintf("%s: %d compared, %d differ, largest error %s %s", v.Format, v.Fixed.Count, v.Fixed.Differ,
				report.Short(v.Fixed.Max), v.Unit); v.Fixed.Count == 0 {
				c.Skipped = &report.Problem{Message: "never occurred"}
			}
			s.Cases = append(s.Cases, c)
		}
		for _, d := range m.Decisions {
			s.Cases = append(s.Cases, report.TestCase{Name: d.Name, Classname: class + ".decision",
				Out: fmt.Sprintf("%d compared, %d decided otherwise by fixed point", d.Compared, d.FixedWrong)})
		}
		doc.Suites = append(doc.Suites, s)
	}
	return doc.Write(w)
}
