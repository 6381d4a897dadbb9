package wordlen

import (
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Cost is what a table costs in bits. State is the numbers of one context, last_rcvd once for each slot; Registers
// those of one profile. Multipliers adds, for each product and each division of the rules, the bits of both operands
// (of a division: of the quotient and the divisor) and of the result that is kept.
type Cost struct {
	State       int `json:"state_bits"`
	Registers   int `json:"register_bits"`
	Multipliers int `json:"multiplier_bits"`
}

// Total is the sum.
func (c Cost) Total() int { return c.State + c.Registers + c.Multipliers }

// product is a multiplication or division of the rules: the values whose bits it has, and further bits of its operands.
type product struct {
	of    []string
	fixed int
}

// products are those of contract.md, in the order of the rules. Shifts by a register and by constants are free.
var products = []product{
	{of: []string{"delta", "penalty"}, fixed: 7},                  // pend * delta
	{of: []string{"EWMA_GAIN", "avg_delay", "avg_step"}},          // EWMA_GAIN * (sample - avg_delay)
	{of: []string{"MWND_RATE", "base_rtt", "rate_wnd"}},           // MWND_RATE * base_rtt
	{of: []string{"FI", "delta", "fair_inc"}},                     // FI * delta
	{of: []string{"ALPHA", "delta"}},                              // ALPHA * delta, kept whole by the next
	{of: []string{"ALPHA", "delta", "TARGET_QDELAY", "prop_inc"}}, // ... * (TARGET_QDELAY - delay)
	{of: []string{"FI_SCALE", "delta", "fast_inc"}},               // delta * FI_SCALE
	{of: []string{"avg_delay", "ratio"}},                          // (avg_delay - TARGET_QDELAY) / avg_delay
	{of: []string{"GAMMA", "ratio", "factor"}},                    // GAMMA * ratio
	{of: []string{"cwnd", "factor", "decreased"}},                 // cwnd * f
	{of: []string{"cwnd", "quotient"}},                            // inc_bytes / cwnd
}

// costOf returns the cost of a table for a block with a number of slots.
func costOf(t *formats.Table, slots int) (c Cost) {
	width := map[string]int{}
	for i := range t.Values {
		v := &t.Values[i]
		n := v.Format.Bits()
		width[v.Name] = n
		switch {
		case v.Name == "last_rcvd":
			c.State += slots * n
		case v.Kind == formats.State:
			c.State += n
		case v.Kind == formats.Register:
			c.Registers += n
		}
	}
	for _, p := range products {
		c.Multipliers += p.fixed
		for _, name := range p.of {
			c.Multipliers += width[name]
		}
	}
	return c
}

// weightOf returns what one bit of a value costs.
func weightOf(t *formats.Table, name string, slots int) int {
	n := t.Clone()
	v, ok := n.Lookup(name)
	if !ok {
		return 0
	}
	v.Format.Int++
	return costOf(n, slots).Total() - costOf(t, slots).Total()
}
