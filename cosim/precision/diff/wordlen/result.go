package wordlen

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// errHeldOut is wrapped by the error of a run in which no table is confirmed, errWidest by that of one in which the
// widest table that may be tried does not keep the bounds.
var (
	errHeldOut = errors.New("no table found keeps the bounds")
	errWidest  = errors.New("the widest table to try does not keep the bounds")
)

// Result is what a search found.
type Result struct {
	Block        string      `json:"block"`
	Sources      []string    `json:"sources"`
	Seeds        []uint64    `json:"seeds"`
	HeldOutSeeds []uint64    `json:"held_out_seeds"`
	Same         []string    `json:"same_events,omitempty"` // recordings left out, because others have the same events
	Modes        []diff.Mode `json:"modes"`
	Bounds       []Bound     `json:"bounds"`
	FlipsBound   float64     `json:"flips_per_10k_bound"`

	Values   []*Value `json:"values"`
	Contract Point    `json:"contract"`
	Winner   Point    `json:"winner"`
	// HeldOut is what the winner gave with the held-out seeds, Rejected the cheaper tables that failed there.
	HeldOut  Figures    `json:"held_out"`
	Rejected []Rejected `json:"rejected,omitempty"`
	Front    []Point    `json:"front"` // by cost

	Compared        uint64  `json:"compared"` // events of one evaluation
	ComparedHeldOut uint64  `json:"compared_held_out"`
	Search          int     `json:"search_evaluations"` // the search's own; the front takes some more
	Evaluations     int     `json:"evaluations"`
	Grid            float64 `json:"grid"` // what an exhaustive search would take

	Yosys string `json:"yosys,omitempty"` // version of the Yosys that counted cells
	Units []Unit `json:"units,omitempty"`

	Table *formats.Table `json:"-"` // of the winner

	all []Point // all that were evaluated, by cost
}

// Value is one value of the search.
type Value struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Contract string `json:"contract"`
	Format   string `json:"format"` // of the winner
	Lo       int    `json:"least_fraction_bits_tried"`
	Hi       int    `json:"most_fraction_bits_tried"`
	Seen     int    `json:"observed_integer_bits"`
	Proven   *int   `json:"proven_integer_bits,omitempty"`
	Integers Origin `json:"integer_bits_from"`
	Weight   int    `json:"cost_of_a_bit"`
	Alone    int    `json:"fraction_bits_alone"` // the least with all others at their most
	Kept     string `json:"kept,omitempty"`      // why it was not searched and has the contract's format

	integer uint8
}

// keep leaves the value out of the search.
func (v *Value) keep(why string) {
	v.Kept, v.Integers, v.Alone = why, Contract, v.Hi
}

// Point is one table: its formats in the order of the values that were searched.
type Point struct {
	Formats []string `json:"formats,omitempty"`
	Cost    Cost     `json:"cost"`
	Cells   int      `json:"cells,omitempty"` // of all products, where they are counted
	Figures Figures  `json:"figures"`
	Keeps   bool     `json:"keeps_bounds"`

	table *formats.Table
}

// Rejected is a table that kept the bounds in the search and not with the held-out seeds.
type Rejected struct {
	Point
	Why []string `json:"why"`
}

// WriteYAML writes the winner's formats as `goldwire diff run --formats` takes them.
func (res *Result) WriteYAML(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Word lengths of %s found by `goldwire diff wordlen` on %s.\n", res.Block,
		strings.Join(res.Sources, ", "))
	fmt.Fprintf(&b, "# Bounds: %s. Cost: %d bits, the contract's formats %d.\n", res.boundsText(),
		res.Winner.Cost.Total(), res.Contract.Cost.Total())
	fmt.Fprintf(&b, "block: %s\nvalues:\n", res.Block)
	for _, x := range res.Values {
		if x.Kept != "" {
			continue
		}
		v, ok := res.Table.Lookup(x.Name)
		if !ok {
			return fmt.Errorf("value %s: not in the winner's table", x.Name)
		}
		fmt.Fprintf(&b, "  - {name: %s, format: %v, round: %v, over: %v}\n", v.Name, v.Format, v.Round, v.Over)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
