package elastic

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// quiet is for how many cycles a model without a pending input must be silent before it owes nothing more; it is
// more than any block needs from an input to an output. modelPatience is for how many cycles a model may refuse an
// event: the longest sweep after a reset, and a margin.
const quiet, modelPatience = 160, 200_000

// Model is an Expect made of a block's cycle-true model, which runs at its own pace with open outputs.
type Model struct {
	model     event.Model
	ins, outs []port
	rstN      uint64
	in, out   []uint64
	waiting   []transfer // accepted by the device and not by the model, oldest first
	answers   queues
	counted   bool // one response per event: what is owed is known without waiting
	open      int  // events without a response, where counted
	turns     bool // a stream goes on when what came on the others is answered
	turn      int  // the stream that goes on
	still     int  // cycles since something moved
	Observe   func(in, out []uint64)
}

// transfer waits for its turn: the model takes them one at a time, in the order in which the device did.
type transfer struct {
	stream int
	pair   bool // accepted in the cycle of the one before
	words  []uint64
}

// NewModel returns the Expect of a model.
func NewModel(b *event.Block, model event.Model) *Model {
	l := event.NewLayout(b)
	t := &Model{model: model, rstN: l.Reset(), in: make([]uint64, l.In.Words), out: make([]uint64, l.Out.Words)}
	t.ins, t.outs = portsOf(l)
	t.counted = len(t.ins) == 1 && len(t.outs) == 1 && t.outs[0].Last == nil
	t.turns = b.Turns && len(t.ins) > 1
	t.answers = make(queues, len(t.outs))
	return t
}

// Reset resets the model as its reset input does.
func (t *Model) Reset() error {
	t.waiting, t.open = nil, 0
	clear(t.answers)
	clear(t.in)
	t.step()
	return nil
}

func (t *Model) step() {
	t.model.Cycle(t.in, t.out)
	if t.Observe != nil {
		t.Observe(t.in, t.out)
	}
}

// Accept queues a transfer.
func (t *Model) Accept(stream int, pair bool, words []uint64) error {
	t.waiting = append(t.waiting, transfer{stream, pair, slices.Clone(words)})
	t.open++
	return nil
}

// Next runs the model until a response shows on a stream or nothing more can come.
func (t *Model) Next(stream int) ([]uint64, bool, error) {
	refused, silent := 0, 0
	for len(t.answers[stream]) == 0 {
		if t.counted && t.open == 0 || len(t.waiting) == 0 && silent > quiet {
			return nil, false, nil
		}
		accepted, answered := t.cycle()
		refused++
		silent++
		if accepted {
			refused = 0
		}
		if accepted || answered {
			silent = 0
		}
		if len(t.waiting) > 0 && refused > modelPatience {
			return nil, false, fmt.Errorf("the model refused %s for %d cycles: an event that the device took",
				t.ins[t.waiting[0].stream].Name, refused)
		}
	}
	return t.answers.take(stream)
}

// cycle offers what waits longest and takes what comes.
func (t *Model) cycle() (accepted, answered bool) {
	clear(t.in)
	word := t.rstN | readies(t.outs)
	var s *port
	if t.still++; len(t.waiting) > 0 && (!t.turns || t.waiting[0].stream == t.turn || t.still > quiet) {
		t.turn = t.waiting[0].stream
		s = &t.ins[t.waiting[0].stream]
		word |= s.Valid
		for w, m := range s.mask {
			t.in[w] = t.waiting[0].words[w] & m
		}
	}
	t.in[0] |= word
	t.step()
	if s != nil && s.Taken(t.out) {
		t.waiting = t.waiting[1:]
		accepted = true
	}
	for i := range t.outs {
		s := &t.outs[i]
		if !s.Offered(t.out) {
			continue
		}
		t.answers[i] = append(t.answers[i], s.fields(t.out))
		t.open--
		answered = true
	}
	if accepted || answered {
		t.still = 0
	}
	return accepted, answered
}
