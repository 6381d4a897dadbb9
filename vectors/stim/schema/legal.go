package schema

import (
	"fmt"
	"math/big"
	"slices"

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

// Check returns an error for the first item that the stimulus does not allow after the items before it, in an episode
// with these resets, or nil. A shortened list of events is worthless if the stimulus could not have drawn it.
func (g *Legal) Check(resets []stim.Reset, items []stim.Item) error {
	g.memory.begin()
	for i := range items {
		if slices.ContainsFunc(resets, func(r stim.Reset) bool { return r.After == i }) {
			g.memory.begin()
		}
		it := &items[i]
		if err := g.streams[it.Lane].allows(it.Words); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		if err := g.memory.take(it.Lane, it.Words); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	return nil
}

// allows returns why the stream could not draw an event now, or nil.
func (o *stream) allows(words []uint64) error {
	if err := o.fixed(words, o.memory.show); err != nil {
		return err
	}
	for _, d := range o.draws {
		if o.rules[d.none].Narrow() {
			continue // the field is free
		}
		if !o.memory.holds(d.set, func(member *big.Int) bool {
			single(o.memory.member[d.set], member)
			return o.rules[d.some].Narrow()
		}) {
			return fmt.Errorf("stimulus of %s: %s: the field is not in the set", o.name, named([]*rule{&o.rules[d.some]}))
		}
	}
	return nil
}

// fixed returns why an event breaks a range or a constraint, with the states as set leaves them, or nil.
func (o *stream) fixed(words []uint64, set func()) error {
	for i := range o.fields {
		f := &o.fields[i]
		if f.spans == nil { // too wide for any constraint
			continue
		}
		x := number(f.slot, words)
		if !slices.ContainsFunc(f.spans, func(s event.Span) bool { return s.Lo.Cmp(x) <= 0 && x.Cmp(&s.Hi) <= 0 }) {
			return fmt.Errorf("field %s.%s: %s is not a value that the stimulus draws", o.name, f.slot.Field.Name, x)
		}
		single(f.v, x)
	}
	for i := range o.rules {
		r := &o.rules[i]
		if set(); !r.drawn && !r.Narrow() {
			return fmt.Errorf("stimulus of %s: %s: it does not hold%s", o.name, named([]*rule{r}), o.memory.words())
		}
	}
	set()
	return nil
}

// number returns the value of a field in a record.
func number(s *event.Slot, words []uint64) *big.Int {
	raw := s.Get(words)
	if s.Field.Signed {
		return big.NewInt(s.Field.Signed64(raw))
	}
	return new(big.Int).SetUint64(raw)
}

// holds reports whether a set has a member for which kind returns true.
func (m *memory) holds(set string, kind func(*big.Int) bool) bool {
	for i := range m.states {
		if m.states[i].Name == set {
			return slices.ContainsFunc(m.states[i].members, kind)
		}
	}
	return false
}
