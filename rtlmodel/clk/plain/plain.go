// Package plain implements the timing of a stream block literally: it keeps the whole history since the last reset in
// lists and answers every question by searching them, in the wording of vectors/event/timing.md. It exists to be
// obviously right and to be compared with clk.Stream in tests. It gets slower with each cycle.
package plain

import "github.com/goldwire/goldwire/rtlmodel/clk"

// Block is a stream block with events E and responses R.
type Block[E, R any] struct {
	Timing  clk.Timing
	Order   func(E) (key uint32, class clk.Class)
	Apply   func(E) R // called at issue, in the order of issue
	OnReset func()    // called in every cycle with rst_n low

	t        int // cycles with rst_n high since the last reset
	accepted []E
	issued   []issue[R]
	taken    int
}

type issue[R any] struct {
	at    int
	key   uint32
	class clk.Class
	rsp   R
}

// In holds the inputs of the block in a cycle.
type In[E any] struct {
	RstN, EvValid, RspReady bool
	Ev                      E
}

// Out holds the outputs of the block; Rsp is meaningful only when RspValid.
type Out[R any] struct {
	EvReady, RspValid bool
	Rsp               R
}

// Cycle executes one clock cycle.
func (b *Block[E, R]) Cycle(in In[E]) (out Out[R]) {
	if !in.RstN {
		b.t, b.accepted, b.issued, b.taken = 0, nil, nil, 0
		b.OnReset()
		return out
	}
	q := len(b.accepted) - len(b.issued)
	o := len(b.issued) - b.taken

	out.EvReady = b.t >= b.Timing.Sweep && q < b.Timing.InDepth
	if b.taken < len(b.issued) {
		if next := b.issued[b.taken]; b.t >= next.at+int(b.Timing.Latency) {
			out.RspValid, out.Rsp = true, next.rsp
		}
	}
	if q > 0 && o < b.Timing.Credits && !b.blocked() {
		ev := b.accepted[len(b.issued)]
		key, class := b.Order(ev)
		b.issued = append(b.issued, issue[R]{b.t, key, class, b.Apply(ev)})
	}
	if in.EvValid && out.EvReady {
		b.accepted = append(b.accepted, in.Ev)
	}
	if out.RspValid && in.RspReady {
		b.taken++
	}
	b.t++
	return out
}

// blocked searches every issue since reset for one that blocks the event at the head.
func (b *Block[E, R]) blocked() bool {
	key, class := b.Order(b.accepted[len(b.issued)])
	for _, old := range b.issued {
		if old.at < b.t-int(b.Timing.Stall)+1 {
			continue
		}
		switch class {
		case clk.Exclusive:
			return true
		case clk.Keyed:
			if old.class == clk.Keyed && old.key == key {
				return true
			}
		}
	}
	return false
}
