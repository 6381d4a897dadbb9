package schema

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// What the source draws is legal. A value outside a range, an enum or a constraint is not.
func TestLegal(t *testing.T) {
	b := parsed(t, ownSchema+ownStimulus)
	o := stim.Options{Seed: 3, Events: 500, Params: map[string]int{"Depth": 4}}
	g, err := NewLegal(b, o.Params)
	require.NoError(t, err)
	in := &event.NewLayout(b).In
	src, err := Open(b, "random", o)
	require.NoError(t, err)
	it, last := stim.Item{Words: make([]uint64, in.Words)}, stim.Item{}
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		for ep.NextItem(&it) {
			require.True(t, g.Item(&it), "%x", it.Words)
			if it.Lane == 0 && in.Slot("ev", "op").Get(it.Words) == 0 {
				last = it.Clone()
			}
		}
	}
	for _, c := range []struct {
		field string
		value uint64
	}{{"op", 1}, {"len", 9217}, {"addr", 3}, {"delta", 2047}} {
		bad := last.Clone()
		in.Slot("ev", c.field).Set(bad.Words, c.value)
		require.False(t, g.Item(&bad), c.field)
		require.True(t, g.Item(&last))
	}
	require.Equal(t, []uint64{0, 0, 2, 3}, g.Plain(0, in.Slot("ev", "op")))
}
