package schema

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Check returns an error for the first item that the stimulus of a block's schema does not allow after the items before
// it, in an episode with these resets, or nil. A shortened list of events is worthless if the stimulus could not have
// drawn it.
func Check(b *event.Block, params map[string]int, resets []stim.Reset, items []stim.Item) error {
	l := event.NewLayout(b)
	memory, err := newMemory(b, &l.In, params)
	if err != nil {
		return err
	}
	var streams []*stream
	for _, in := range b.StreamsOf(event.In) {
		o, err := newStream(b, &l.In, in, params, memory)
		if err != nil {
			return err
		}
		streams = append(streams, o)
	}
	return follow(memory, streams, resets, items)
}

// follow is Check for streams that share a memory, which may be nil.
func follow(memory *memory, streams []*stream, resets []stim.Reset, items []stim.Item) error {
	memory.begin()
	for i := range items {
		if slices.ContainsFunc(resets, func(r stim.Reset) bool { return r.After == i }) {
			memory.begin()
		}
		it := &items[i]
		if err := streams[it.Lane].allows(it.Words); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		if err := memory.take(it.Lane, it.Words); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	return nil
}

// allows returns why the stream could not draw an event now, or nil.
func (o *stream) allows(words []uint64) error {
	for i := range o.fields {
		f := &o.fields[i]
		if f.spans == nil {
			continue
		}
		raw := f.slot.Get(words)
		x := new(big.Int).SetUint64(raw)
		if f.slot.Field.Signed {
			x.SetInt64(f.slot.Field.Signed64(raw))
		}
		if !slices.ContainsFunc(f.spans, func(s event.Span) bool { return s.Lo.Cmp(x) <= 0 && x.Cmp(&s.Hi) <= 0 }) {
			return fmt.Errorf("field %s.%s: %s is not a value that the stimulus draws", o.name,
				f.slot.Field.Name, x)
		}
		single(f.v, x)
	}
	o.memory.show()
	for i := range o.rules {
		if r := &o.rules[i]; !r.drawn && !r.Narrow() {
			return fmt.Errorf("stimulus of %s: %s: it does not hold%s", o.name, named([]*rule{r}), o.memory.words())
		}
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

// holds reports whether a set has a member for which kind returns true.
func (m *memory) holds(set string, kind func(*big.Int) bool) bool {
	for i := range m.states {
		if m.states[i].Name == set {
			return slices.ContainsFunc(m.states[i].members, kind)
		}
	}
	return false
}
