package report

import (
	"cmp"
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

// class returns the colour of an outcome on a page.
func (o Outcome) class() string {
	switch o {
	case InBounds:
		return "good"
	case OutOfBound, Incomplete:
		return "bad"
	}
	return "warn"
}
