package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Section is what one comparison or measurement adds to a report. Its owner creates and words it; this package only
// shows it: as lines in text, as Data under Key and as metrics in JSON, as properties in JUnit, and as a heading with
// parts on a page.
type Section struct {
	Key   string // name of Data in JSON, and of the section in reasons without a Title
	Title string // heading on a page; "" for a section that a page leaves out
	Lead  string // how the reason of a verdict begins; "" for the Title
	Note  string // a line below the heading
	// Softens names the comparison if it accepts more than equal values, such as "within tolerances". It appears in the
	// line of the verdict. "" if only equal values pass.
	Softens string
	// Metrics decide the section's outcome: every bound must be kept, and every figure with a bound measured.
	Metrics []Metric
	// Idle is why there was nothing to measure, from a count that does not depend on the measurement; "" if there was.
	// With Idle, metrics that were not measured are not a fault.
	Idle string
	// Fault is why the measurement is incomplete, such as missed events. A run with a fault never passes.
	Fault string
	Lines []Line // of the terminal's table; nil for a line from the metrics
	Data  any    // in JSON under Key; nil for none. It holds no NaN, infinity or null lists
	Parts []Part // on a page, below the outcome
}

// Line is a row of the terminal's table.
type Line struct{ Name, Text string }

// Joiner is Data that can be joined over several runs.
type Joiner interface {
	// Join returns the joined data of both runs. It changes neither.
	Join(other any) any
}

// Outcome is whether a section kept its bounds.
type Outcome string

// The outcomes of a section.
const (
	NoBounds   Outcome = ""
	InBounds   Outcome = "within bounds"
	OutOfBound Outcome = "out of bounds"
	NothingDue Outcome = "nothing to measure"
	Incomplete Outcome = "not measured"
)

// Outcome returns the section's outcome, and the reason if it is not a pass.
func (s *Section) Outcome() (Outcome, string) {
	if over := s.beyond(false); over != "" {
		return OutOfBound, over
	}
	if s.Fault != "" {
		return Incomplete, s.Fault
	}
	var missing []string
	bounded := false
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Bound.Set() {
			bounded = true
			if m.Verdict() == Unmeasured {
				missing = append(missing, cmp.Or(m.What, m.Name))
			}
		}
	}
	switch {
	case len(missing) > 0 && s.Idle != "", !bounded && s.Idle != "":
		return NothingDue, s.Idle
	case len(missing) > 0:
		return Incomplete, "not measured: " + strings.Join(missing, ", ")
	case !bounded:
		return NoBounds, ""
	}
	return InBounds, ""
}

// beyond describes the metrics beyond their bounds, or returns "". For a run that ended early it leaves out bounds that
// apply only to whole runs.
func (s *Section) beyond(early bool) string {
	var over []string
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Verdict() == Beyond && !(early && m.Whole) {
			over = append(over, m.excess())
		}
	}
	return strings.Join(over, "; ")
}

func (s *Section) lead() string { return cmp.Or(s.Lead, s.Title, s.Key) + ": " }

// lines returns the rows for the terminal. An outcome that is not a pass is always shown, whatever the owner wrote.
func (s *Section) lines() []Line {
	out := append([]Line(nil), s.Lines...)
	o, why := s.Outcome()
	if len(out) == 0 && len(s.Metrics)+len(s.Idle) == 0 && s.Fault == "" {
		return nil // it has only plots
	}
	if len(out) == 0 {
		var figures []string
		for i := range s.Metrics {
			m := &s.Metrics[i]
			figures = append(figures, cmp.Or(m.What, m.Name)+" "+m.words())
		}
		out = []Line{{s.Key, strings.Join(figures, ", ")}}
		if o == InBounds {
			out[0].Text = string(o) + ": " + out[0].Text
		}
	}
	switch o {
	case OutOfBound, Incomplete:
		out = append([]Line{{out[0].Name, strings.ToUpper(string(o)) + ": " + why}}, rest(out, s)...)
	case NothingDue:
		out = []Line{{out[0].Name, string(o) + ": " + why}}
	}
	return out
}

// rest returns the lines below the first, which shows the outcome. For a section without its own lines it returns the
// figures.
func rest(lines []Line, s *Section) []Line {
	if len(s.Lines) > 0 {
		return lines[1:]
	}
	return []Line{{"", lines[0].Text}}
}

func (o Outcome) class() string {
	switch o {
	case InBounds:
		return "good"
	case OutOfBound, Incomplete:
		return "bad"
	}
	return "warn"
}

// Metric is one named figure. Its zero value is a figure that was not measured, which never passes a bound.
type Metric struct {
	Name  string // lower case with underscores; the key in JSON and JUnit
	What  string // in words, without the unit if Unit has it
	Unit  string // "" for a count, a share or a ratio
	Value float64
	// Least and Greatest are the range of several measurements, with Value their median; both are 0 if the figure was
	// measured once.
	Least, Greatest float64
	// Samples is how many events, flows or rounds the value comes from; 0 means not measured.
	Samples uint64
	Bound   Bound
	// Whole marks a bound that applies only to whole runs, such as the bound of a share: a run that ended early may exceed
	// it by chance.
	Whole bool
	// Excess describes a value beyond its bound; "" for the plain phrase.
	Excess string
}

// Bound limits a value. The zero value is no limit.
type Bound struct {
	kind  boundKind
	Value float64
}

type boundKind uint8

const (
	noBound boundKind = iota
	atMost
	atLeast
)

// AtMost returns the bound for values that may not exceed x.
func AtMost(x float64) Bound { return Bound{atMost, x} }

// AtLeast returns the bound for values that may not be less than x.
func AtLeast(x float64) Bound { return Bound{atLeast, x} }

// Set reports whether there is a bound.
func (b Bound) Set() bool { return b.kind != noBound }

// String returns "<= x" or ">= x", or "" for no bound.
func (b Bound) String() string {
	switch b.kind {
	case atMost:
		return "<= " + Digits(b.Value)
	case atLeast:
		return ">= " + Digits(b.Value)
	}
	return ""
}

// holds reports whether a value keeps the bound. A value that is not a finite number, such as a rate over no time,
// never does.
func (b Bound) holds(x float64) bool {
	switch b.kind {
	case atMost:
		return isFinite(x) && x <= b.Value
	case atLeast:
		return isFinite(x) && x >= b.Value
	}
	return true
}

// MetricVerdict is the outcome of one figure.
type MetricVerdict string

// The outcomes of a figure.
const (
	Unbounded MetricVerdict = "no bound"
	Within    MetricVerdict = "within"
	Beyond    MetricVerdict = "beyond"
	// Unmeasured figures have no value. Those with a bound are never a pass.
	Unmeasured MetricVerdict = "not measured"
)

// Verdict returns the outcome.
func (m *Metric) Verdict() MetricVerdict {
	switch {
	case m.Samples == 0:
		return Unmeasured
	case !m.Bound.Set():
		return Unbounded
	case m.Bound.holds(m.Value):
		return Within
	}
	return Beyond
}

// Median sets the value to the median of the samples (for an even number, the mean of the middle two) and keeps their
// range. Without samples the figure stays unmeasured.
func (m *Metric) Median(samples []float64) {
	m.Samples = uint64(len(samples))
	if len(samples) == 0 {
		m.Least, m.Value, m.Greatest = 0, 0, 0
		return
	}
	s := slices.Sorted(slices.Values(samples))
	m.Least, m.Value, m.Greatest = s[0], (s[(len(s)-1)/2]+s[len(s)/2])/2, s[len(s)-1]
}

// excess describes a value beyond its bound.
func (m *Metric) excess() string {
	if m.Excess != "" {
		return m.Excess
	}
	verb := "exceeds"
	if m.Bound.kind == atLeast {
		verb = "is less than"
	}
	value, bound := apart(m.Value, m.Bound.Value)
	return fmt.Sprintf("%s %s %s %s", cmp.Or(m.What, m.Name), value, verb, bound)
}

// words returns the value with its unit and bound, as in "0.2 ms (<= 1)".
func (m *Metric) words() string {
	if m.Verdict() == Unmeasured {
		return string(Unmeasured)
	}
	s := Digits(m.Value)
	if m.Unit != "" {
		s += " " + m.Unit
	}
	if m.Bound.Set() {
		s += " (" + m.Bound.String() + ")"
	}
	return s
}

// Figures lists the metrics of sections, each with the key of its section.
func Figures(sections []Section) []SectionMetric {
	out := []SectionMetric{}
	for i := range sections {
		for _, m := range sections[i].Metrics {
			out = append(out, SectionMetric{sections[i].Key, m})
		}
	}
	return out
}

// SectionMetric is a metric with the key of its section.
type SectionMetric struct {
	Section string
	Metric
}

// MarshalJSON writes a value that was not measured as null, and a value that JSON cannot hold as the largest finite
// one.
func (m SectionMetric) MarshalJSON() ([]byte, error) {
	doc := struct {
		Section string        `json:"section"`
		Name    string        `json:"name"`
		What    string        `json:"what"`
		Value   *float64      `json:"value"`
		Unit    string        `json:"unit"`
		Samples uint64        `json:"samples"`
		AtMost  *float64      `json:"at_most,omitempty"`
		AtLeast *float64      `json:"at_least,omitempty"`
		Verdict MetricVerdict `json:"verdict"`
	}{Section: m.Section, Name: m.Name, What: m.What, Unit: m.Unit, Samples: m.Samples, Verdict: m.Verdict()}
	bound := Finite(m.Bound.Value)
	switch m.Bound.kind {
	case atMost:
		doc.AtMost = &bound
	case atLeast:
		doc.AtLeast = &bound
	}
	if doc.Verdict != Unmeasured {
		v := Finite(m.Value)
		doc.Value = &v
	}
	return json.Marshal(doc)
}
