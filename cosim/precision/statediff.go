package precision

import (
	"cmp"
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
)

// StateKey is the key of the section of a StateDiff.
const StateKey = "state"

// StateDiff is the one-step comparison of every state word and decision of the fixed-point model with the float
// reference, from the same state, on any source.
type StateDiff struct {
	Events uint64 `json:"events"` // compared
	// Near counts events that were decided differently because a value that fixed point rounds lay within its bound of
	// the threshold; their state is not compared.
	Near   uint64 `json:"near"`
	Beyond uint64 `json:"beyond"` // values beyond their bound
	// First names the first of them: event, field, both values, bound.
	First  string       `json:"first,omitempty"`
	Fields []StateField `json:"fields"`
	// Thresholds counts, for each comparison of the reference, the events that it decided next to its threshold.
	Thresholds []ThresholdSides `json:"thresholds"`

	Shown uint64 `json:"shown"` // events that the comparison was given, whether or not it has a rule for them
	// Due counts the events shown for which the reference has a rule, by their kind alone.
	Due uint64 `json:"due"`
	// Windows counts those of them that decide about the window, which a Shadow compares, too.
	Windows uint64 `json:"-"`
}

// StateField is what was seen of one value.
type StateField struct {
	Name     string  `json:"name"`
	Bound    string  `json:"bound,omitempty"` // in words; empty: exact
	Compared uint64  `json:"compared"`        // events
	MaxError float64 `json:"max_error"`
	// Closest is the largest share of its bound that an error within it took, 0 to 1.
	Closest float64 `json:"closest"`
	Beyond  uint64  `json:"beyond"`
}

// maxNear is the largest share of events that may be decided differently near a threshold. Measured: below 1 in
// 100,000 on every source; more means that an error hides behind the rule.
const maxNear = 1e-3

func (d *StateDiff) metrics() []report.Metric {
	return []report.Metric{
		{
			Name: "beyond", What: "values beyond their bounds", Value: float64(d.Beyond), Samples: d.Shown,
			Bound:  report.AtMost(0),
			Excess: fmt.Sprintf("%d values beyond their bounds, the first: %s", d.Beyond, d.First),
		},
		{
			Name: "near", What: "events decided differently near a threshold", Value: float64(d.Near), Samples: d.Events,
			Bound: report.AtMost(maxNear*float64(d.Events) + 3), Whole: true,
			Excess: fmt.Sprintf("%d of %d events decided differently near a threshold: at most %g of them may be", d.Near,
				d.Events, maxNear),
		},
	}
}

// Section returns the comparison as a section of the report of a run with that many events, all of which it must have
// been shown.
func (d *StateDiff) Section(events uint64) report.Section {
	s := report.Section{
		Key: StateKey, Title: "Model against the float reference, one event at a time",
		Lead: "model against the float reference, one event at a time", Metrics: d.metrics(), Data: d.data(),
	}
	switch {
	case d.Shown != events:
		s.Fault = fmt.Sprintf("the float reference was shown %d of the run's %d events", d.Shown, events)
	case d.Events != d.Due && d.Beyond == 0:
		s.Fault = fmt.Sprintf("the float reference judged %d of %d events", d.Events, d.Due)
	case d.Due == 0:
		s.Idle = fmt.Sprintf("none of %d events is one that the float reference has a rule for", d.Shown)
	}
	text := fmt.Sprintf("every state word and decision of %s within its bound", report.Plural(d.Events, "event"))
	if d.Near > 0 {
		text += fmt.Sprintf("; %d decided within a bound of a threshold", d.Near)
	}
	s.Lines = []report.Line{{Name: "float reference", Text: text}, {Text: thresholdText(d.Thresholds)}}
	if o, _ := s.Outcome(); o == report.InBounds {
		s.Note = text + "."
	}
	s.Parts = []report.Part{d.table(), thresholdTable(d.Thresholds)}
	return s
}

// data returns a copy whose numbers JSON can hold.
func (d *StateDiff) data() *StateDiff {
	c := *d
	c.Fields = append([]StateField{}, d.Fields...)
	c.Thresholds = append([]ThresholdSides{}, d.Thresholds...)
	for i := range c.Fields {
		f := &c.Fields[i]
		f.MaxError, f.Closest = report.Finite(f.MaxError), report.Finite(f.Closest)
	}
	return &c
}

func (d *StateDiff) table() report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: "value", Kind: report.Code}, {Name: "bound"}, {Name: "events", Kind: report.Number},
		{Name: "largest error", Kind: report.Number}, {Name: "largest share of its bound", Kind: report.Number},
		{Name: "beyond", Kind: report.Number},
	}}
	for i := range d.Fields {
		f := &d.Fields[i]
		t.Rows = append(t.Rows, report.Cells(f.Name, cmp.Or(f.Bound, "exact"), report.Count(f.Compared),
			report.Digits(f.MaxError), report.Digits(f.Closest), report.Count(f.Beyond)))
	}
	return t
}
