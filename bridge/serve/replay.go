package serve

import (
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// Cycles that a mismatch report shows before and after the one that differs.
const (
	before = 32
	after  = 8
)

// replay compares the cycles of a run.
type replay struct {
	rule     *wire.Rule
	in, out  int      // words of a record
	got      []uint64 // of this cycle
	digest   wire.Digest
	cycle    uint64
	busy     time.Duration
	differed bool
	drain    bool // reported; the rest of the run is not simulated
	at       uint64
	left     int // cycles still wanted after the difference
	// The neighbourhood: the last cycles of the run, from cycle from on.
	from                uint64
	nearIn, nearW, near []uint64
}

func newReplay(b *event.Block, l *event.Layout) *replay {
	return &replay{rule: wire.NewRule(b, l), in: l.In.Words, out: l.Out.Words,
		got: make([]uint64, l.Out.Words)}
}

func (r *replay) clear() {
	r.digest, r.cycle, r.busy, r.differed, r.drain, r.from = 0, 0, 0, false, false, 0
	r.nearIn, r.nearW, r.near = r.nearIn[:0], r.nearW[:0], r.near[:0]
}

// batch runs n cycles and answers with a result, after the mismatch when it is complete.
func (r *replay) batch(k *conn, in, want []uint64, n int) error {
	start, done := time.Now(), 0
	for ; done < n && !r.drain; done++ {
		i, w := in[done*r.in:(done+1)*r.in], want[done*r.out:(done+1)*r.out]
		k.model.Cycle(i, r.got)
		r.note(i, w)
		switch {
		case r.differed:
			if r.left--; r.left == 0 {
				if err := r.report(k); err != nil {
					return err
				}
			}
		case !r.rule.Equal(w, r.got):
			r.differed, r.at, r.left = true, r.cycle, after
		default:
			r.digest = r.rule.Digest(r.digest, r.got)
			r.cycle++
		}
		if err := k.alive(uint64(done + 1)); err != nil {
			return err
		}
	}
	busy := time.Since(start)
	r.busy += busy
	return k.w.Write(wire.TypeResult, &wire.Result{Cycles: done, BusyNs: int64(busy)})
}

// note adds a cycle to the neighbourhood. Before a difference only the last cycles are kept; they are cut
// down rarely, so that a cycle costs an append.
func (r *replay) note(in, want []uint64) {
	const keep = before + 1
	if have := len(r.nearIn) / r.in; !r.differed && have >= 16*keep {
		drop := have - before
		r.nearIn = append(r.nearIn[:0], r.nearIn[drop*r.in:]...)
		r.nearW = append(r.nearW[:0], r.nearW[drop*r.out:]...)
		r.near = append(r.near[:0], r.near[drop*r.out:]...)
		r.from += uint64(drop)
	}
	r.nearIn = append(r.nearIn, in...)
	r.nearW = append(r.nearW, want...)
	r.near = append(r.near, r.got...)
}

func (r *replay) report(k *conn) error {
	r.drain = true
	if skip := int(r.at-r.from) - before; skip > 0 {
		r.from += uint64(skip)
		r.nearIn, r.nearW, r.near = r.nearIn[skip*r.in:], r.nearW[skip*r.out:], r.near[skip*r.out:]
	}
	m := &wire.Mismatch{Cycle: r.at, From: r.from, Count: len(r.nearIn) / r.in}
	return k.w.Write(wire.TypeMismatch, m, r.nearIn, r.nearW, r.near)
}

func (r *replay) finish(k *conn) error {
	if r.differed && !r.drain {
		if err := r.report(k); err != nil {
			return err
		}
	}
	err := k.w.Write(wire.TypeFinished, &wire.Finished{Cycles: r.cycle, Digest: uint64(r.digest),
		Mismatch: r.differed, BusyNs: int64(r.busy)})
	r.clear()
	return err
}
