package wordlen

import (
	"slices"

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

// product is a multiplication or division of the rules, by the values whose bits its parts have.
type product struct {
	name  string
	a, b  []string // the operands: each has the bits of all its values; of a division, a is the divisor
	fixed int      // further bits of a
	y     string   // the result; "": it is kept whole
	rows  string   // of a division: the value with as many bits as quotient bits are computed
}

// of returns the values whose bits the product costs.
func (p *product) of() []string {
	out := slices.Concat(p.a, p.b)
	if p.y != "" {
		out = append(out, p.y)
	}
	return out
}

// products are those of contract.md, in the order of the rules. Shifts by a register and by constants are free.
var products = []product{
	{name: "pend * delta", fixed: 7, b: []string{"delta"}, y: "penalty"},
	{name: "EWMA_GAIN * (sample - avg_delay)", a: []string{"EWMA_GAIN"}, b: []string{"avg_delay"}, y: "avg_step"},
	{name: "MWND_RATE * base_rtt", a: []string{"MWND_RATE"}, b: []string{"base_rtt"}, y: "rate_wnd"},
	{name: "FI * delta", a: []string{"FI"}, b: []string{"delta"}, y: "fair_inc"},
	{name: "ALPHA * delta", a: []string{"ALPHA"}, b: []string{"delta"}},
	{name: "(ALPHA * delta) * (TARGET_QDELAY - delay)", a: []string{"ALPHA", "delta"}, b: []string{"TARGET_QDELAY"},
		y: "prop_inc"},
	{name: "FI_SCALE * delta", a: []string{"FI_SCALE"}, b: []string{"delta"}, y: "fast_inc"},
	{name: "(avg_delay - TARGET_QDELAY) / avg_delay", a: []string{"avg_delay"}, y: "ratio", rows: "ratio"},
	{name: "GAMMA * ratio", a: []string{"GAMMA"}, b: []string{"ratio"}, y: "factor"},
	{name: "cwnd * factor", a: []string{"cwnd"}, b: []string{"factor"}, y: "decreased"},
	{name: "inc_bytes / cwnd", a: []string{"cwnd"}, y: "quotient", rows: "inc_bytes"},
	{name: "want * share", fixed: 16, b: []string{"want"}, y: "want"},
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
	for i := range products {
		p := &products[i]
		c.Multipliers += p.fixed
		for _, name := range p.of() {
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
