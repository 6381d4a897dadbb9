package schema

import (
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Legal decides which events a block's schema allows: codes of an enum and, if the schema has a stimulus, values in
// ranges with a weight above 0 that satisfy its constraints.
type Legal struct {
	streams []*stream // by lane
	memory  *memory   // of the stimulus; nil for none
}

// NewLegal returns the Legal for the schema of a block with these parameters.
func NewLegal(b *event.Block, params map[string]int) (*Legal, error) {
	l := event.NewLayout(b)
	memory, err := newMemory(b, &l.In, params)
	if err != nil {
		return nil, err
	}
	g := &Legal{memory: memory}
	for _, in := range b.StreamsOf(event.In) {
		s, err := newStream(b, &l.In, in, params, memory)
		if err != nil {
			return nil, err
		}
		g.streams = append(g.streams, s)
	}
	return g, nil
}

// Sequence reports whether the stimulus could draw these items in this order, in an episode with these resets. Without
// states any item may follow any other.
func (g *Legal) Sequence(resets []stim.Reset, items []stim.Item) bool {
	return g.memory == nil || g.Check(resets, items) == nil
}

// Item reports whether the schema allows the item after some sequence of others. Whether a set has a value depends on
// earlier events.
func (g *Legal) Item(it *stim.Item) bool {
	return g.streams[it.Lane].fixed(it.Words, g.memory.free) == nil
}

// Plain returns simple values of a field, the simplest first: 0, then the lowest value of each of its ranges.
func (g *Legal) Plain(lane int, slot *event.Slot) []uint64 {
	out := []uint64{0}
	for _, f := range g.streams[lane].fields {
		if f.slot.Field.Name != slot.Field.Name {
			continue
		}
		for i := range f.spans {
			x := f.spans[i].Lo.Uint64()
			if f.spans[i].Lo.Sign() < 0 {
				x = uint64(f.spans[i].Lo.Int64())
			}
			out = append(out, x)
		}
	}
	return out
}
