package lb

import (
	"math/rand/v2"
	"slices"
)

// rotation visits the numbers 0 to paths-1 in turn, xored with a mask that is
// drawn anew at each wrap and with the connection's label.
type rotation struct {
	paths, turn, mask, label uint16
	rand                     *rand.PCG
}

func (r *rotation) next() uint16 {
	if r.turn&(r.paths-1) == 0 {
		r.turn = 0
		r.mask = uint16(r.rand.Uint64()) & (r.paths - 1)
	}
	e := r.turn ^ r.mask ^ r.label
	r.turn++
	return e
}

// draw returns a random entropy with the connection's upper bits.
func (r *rotation) draw() uint16 {
	m := r.paths - 1
	return uint16(r.rand.Uint64())&m | r.label&^m
}

// Probe implements Balancer.
func (r *rotation) Probe() uint16 { return r.draw() }

// Next implements Balancer for what takes all paths in turn.
func (r *rotation) Next(int64) uint16 { return r.next() }

// Feedback implements Balancer for what ignores it.
func (r *rotation) Feedback(uint16, Feedback, int64) {}

// fixed is one entropy for ever.
type fixed uint16

func (f fixed) Next(int64) uint16                { return uint16(f) }
func (f fixed) Probe() uint16                    { return uint16(f) }
func (f fixed) Feedback(uint16, Feedback, int64) {}

// random draws every entropy.
type random struct{ rotation }

func (r *random) Next(int64) uint16 { return r.draw() }

// maxPenalty is what a path's penalty is capped at, and what a timeout adds.
const maxPenalty = 15

var penalties = [...]uint8{Good: 0, ECN: 1, Nack: 4, Timeout: maxPenalty}

// bitmap passes over paths with a penalty, each of which loses one when it is passed over.
type bitmap struct {
	rotation
	penalty []uint8
}

func (b *bitmap) Next(int64) uint16 {
	// Every visit lowers a penalty, so the walk ends.
	for {
		e := b.next()
		p := &b.penalty[e&(b.paths-1)]
		if *p == 0 {
			return e
		}
		*p--
	}
}

func (b *bitmap) Feedback(e uint16, f Feedback, _ int64) {
	p := &b.penalty[e&(b.paths-1)]
	*p = min(*p+penalties[f], maxPenalty)
}

// ringSize is the number of entropies that REPS keeps.
const ringSize = 8

// reps keeps the entropies of the last clean ACKs and uses each once more, the oldest first; without one it draws.
// While frozen by a timeout it goes round the ring instead, whether its entries have been used or not; a place that is
// empty, or repeats another, draws all the same, so that a ring of few entropies does not put the whole flow on their
// paths.
type reps struct {
	rotation
	ring        [ringSize]uint16
	stored      int // entries ever stored, up to ringSize
	head, valid int // next place to store; entries not used yet
	at          int // next entry while frozen
	freeze      int64
	until       int64
}

func (r *reps) Next(now int64) uint16 {
	switch {
	case r.valid > 0:
		e := r.ring[(r.head-r.valid+ringSize)%ringSize]
		r.valid--
		return e
	case now < r.until:
		r.at = (r.at + 1) % ringSize
		if r.at < r.stored && !slices.Contains(r.ring[:r.at], r.ring[r.at]) {
			return r.ring[r.at]
		}
	}
	return r.draw()
}

func (r *reps) Feedback(e uint16, f Feedback, now int64) {
	switch f {
	case Good:
		r.ring[r.head] = e
		r.head = (r.head + 1) % ringSize
		r.valid = min(r.valid+1, ringSize)
		r.stored = min(r.stored+1, ringSize)
	case Timeout:
		r.until = now + r.freeze
	}
}

// mixedSize bounds the recycled entropies of mixed. The reference simulator has
// no bound; beyond this many a clean ACK's entropy is not kept.
const mixedSize = 64

// mixed recycles the entropies of clean ACKs, first in first out, and falls back to the bitmap.
type mixed struct {
	bitmap
	ring       [mixedSize]uint16
	head, used int
}

func (m *mixed) Next(now int64) uint16 {
	if m.used > 0 {
		e := m.ring[m.head]
		m.head = (m.head + 1) % mixedSize
		m.used--
		return e
	}
	return m.bitmap.Next(now)
}

func (m *mixed) Feedback(e uint16, f Feedback, now int64) {
	m.bitmap.Feedback(e, f, now)
	if f == Good && m.used < mixedSize {
		m.ring[(m.head+m.used)%mixedSize] = e
		m.used++
	}
}
