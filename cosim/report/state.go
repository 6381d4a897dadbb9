package report

import "fmt"

// StateDiff is the one-step comparison of every state word and decision of the fixed-point model with the float
// reference, from the same state, on any source.
type StateDiff struct {
	Events uint64 `json:"events"` // compared
	// Near counts events that were decided differently where a value that fixed point rounds lay within its bound of
	// the threshold; their state is not compared.
	Near   uint64 `json:"near"`
	Beyond uint64 `json:"beyond"` // values beyond their bound
	// First names the first of them: event, field, both values, bound.
	First  string       `json:"first,omitempty"`
	Fields []StateField `json:"fields"`
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
// 100,000 on every source; more than this means that an error hides behind the rule.
const maxNear = 1e-3

// Within reports whether the model kept the bounds of the float reference; why is what exceeded them.
func (d *StateDiff) Within() (ok bool, why string) {
	switch {
	case d.Beyond > 0:
		return false, fmt.Sprintf("%d values beyond their bounds, the first: %s", d.Beyond, d.First)
	case float64(d.Near) > maxNear*float64(d.Events)+3:
		return false, fmt.Sprintf("%d of %d events decided differently near a threshold: at most %g of them may be",
			d.Near, d.Events, maxNear)
	}
	return true, ""
}

// summary returns one line for the terminal.
func (d *StateDiff) summary() string {
	if ok, why := d.Within(); !ok {
		return "BOUND EXCEEDED: " + why
	}
	s := fmt.Sprintf("every state word and decision of %s within its bound", plural(d.Events, "event"))
	if d.Near > 0 {
		s += fmt.Sprintf("; %d decided within a bound of a threshold", d.Near)
	}
	return s
}
