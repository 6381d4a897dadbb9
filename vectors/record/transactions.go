package record

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors/stim"
)

// perTransaction plays an episode with open ports and writes its transfers without time. Where the episode
// has a reset in mid-stream, the block first answers everything: which events a reset loses depends on the latency of
// the block, and these records must hold for any latency.
func (p *player) perTransaction(ep *stim.Episode) error {
	resets := slices.Clone(ep.Drive.Resets)
	given, dry := 0, false
	for !dry {
		part := stim.Episode{Name: ep.Name, Block: ep.Block, Seed: ep.Seed}
		for len(resets) > 0 && resets[0].After <= given {
			part.Drive.Resets = []stim.Reset{{Low: max(resets[0].Low, 1)}}
			resets = resets[1:]
		}
		part.Items = func(it *stim.Item) bool {
			if len(resets) > 0 && given >= resets[0].After {
				return false
			}
			if !ep.NextItem(it) {
				dry = true
				return false
			}
			given++
			return true
		}
		p.begin(&part)
		var err error
		if p.answers {
			err = p.answered()
		} else {
			err = p.ordered()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answered writes one record per event, with its response.
func (p *player) answered() error {
	var open queue
	reset := false
	ev, rsp := &p.takes[0], &p.gives[0]
	for {
		more, err := p.cycle()
		if !more && err == nil && open.len() > 0 {
			err = fmt.Errorf("%w: %d events are without one", ErrUnpaired, open.len())
		}
		if !more || err != nil {
			return err
		}
		if p.in[0]&p.rstN == 0 {
			reset = true
			continue
		}
		if rsp.Offered(p.out) && open.len() == 0 {
			return fmt.Errorf("%w: response ahead of event %d", ErrUnpaired, p.accepted)
		}
		if rsp.Moves(p.out, p.in) {
			if err := p.w.Write(open.pop(), p.out); err != nil {
				return err
			}
		}
		if ev.Moves(p.in, p.out) {
			in := open.push(p.in)
			if reset {
				in[0] &^= p.rstN
				reset = false
			}
			p.accepted++
		}
	}
}

// ordered writes one record per cycle in which anything is transferred.
func (p *player) ordered() error {
	reset := false
	for {
		more, err := p.cycle()
		if !more || err != nil {
			return err
		}
		if p.in[0]&p.rstN == 0 {
			reset = true
			continue
		}
		moved := false
		for i := range p.takes {
			t := &p.takes[i]
			if t.Moves(p.in, p.out) {
				moved = true
				p.accepted++
			} else {
				p.in[0] &^= t.Valid
			}
		}
		for i := range p.gives {
			t := &p.gives[i]
			if t.Moves(p.out, p.in) {
				moved = true
			} else {
				p.out[0] &^= t.Valid
			}
		}
		if !moved {
			continue
		}
		if reset {
			p.in[0] &^= p.rstN
			reset = false
		}
		if err := p.w.Write(p.in, p.out); err != nil {
			return err
		}
	}
}

// queue is a queue of records that reuses its memory: it holds as many as a block has in flight.
type queue struct {
	records    [][]uint64 // length a power of two
	head, tail int
}

// push appends a copy of a record and returns it.
func (q *queue) push(record []uint64) []uint64 {
	if n := len(q.records); q.tail-q.head == n {
		grown := make([][]uint64, max(64, 2*n))
		for i := range n {
			grown[i] = q.records[(q.head+i)&(n-1)]
		}
		q.records, q.head, q.tail = grown, 0, n
	}
	at := &q.records[q.tail&(len(q.records)-1)]
	*at = append((*at)[:0], record...)
	q.tail++
	return *at
}

func (q *queue) len() int { return q.tail - q.head }

// pop returns the oldest record; it is valid until the next push.
func (q *queue) pop() []uint64 {
	if q.len() == 0 {
		panic("gen: a response without an event")
	}
	r := q.records[q.head&(len(q.records)-1)]
	q.head++
	return r
}
