package conform

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

const (
	resetCycles   = 4
	trafficCycles = 300
	idleCycles    = 200     // at the end, so that what is under way comes out
	sweepCycles   = 1 << 18 // at most from reset to the first ready
)

func (s *suite) ins() []event.Port  { return s.layout.Inputs() }
func (s *suite) outs() []event.Port { return s.layout.Outputs() }

// reference is a recording of a new model, cycle by cycle: reset, idle until it is ready, traffic, idle.
type reference struct {
	in, out   []uint64
	cycles    int
	ready     int // the cycle in which an input stream was ready first
	events    []uint64
	responses []uint64 // that were taken, in order
}

// reference makes the recording once, with steps of one cycle: what to offer next depends on ready.
func (s *suite) reference() *reference {
	if s.ref == nil && s.refErr == nil {
		s.refErr = try(func() {
			s.needs("step")
			within(func() { s.with((*suite).ready, s.record) }, "recording with steps: %w")
		})
	}
	must(s.refErr)
	return s.ref
}

func (s *suite) record(p *probe) {
	r := &reference{}
	in, out := s.layout.In.Words, s.layout.Out.Words
	rstN, readyMask := s.layout.Reset(), s.until()
	ins, outs := s.ins(), s.outs()
	keep := func(rec, got []uint64) {
		for i := range len(got) / out {
			r.in = append(r.in, rec...)
			r.out = append(r.out, got[i*out:(i+1)*out]...)
			r.cycles++
		}
	}
	rec := make([]uint64, in)
	// one steps a cycle, keeps it and returns its outputs.
	one := func() []uint64 {
		got := p.step(wire.Step{Cycles: 1}, rec)
		if len(got) != out {
			fail("a step of 1 cycle gives %d output words, not %d", len(got), out)
		}
		keep(rec, got)
		return got
	}
	for range resetCycles {
		one()
	}
	rec[0] = rstN | s.layout.Readies()
	got := p.step(wire.Step{Cycles: 1, Until: readyMask, Max: sweepCycles}, rec)
	if len(got) < out || got[len(got)-out]&readyMask == 0 {
		fail("no input stream is ready within %d cycles after reset", len(got)/out)
	}
	keep(rec, got)
	r.ready = r.cycles - 1
	rng := rand.New(rand.NewPCG(5, 6))
	var held uint64 // valid bits that wait for ready
	for n := range trafficCycles + idleCycles {
		rec[0] = rec[0]&^s.layout.In.ControlMask() | rstN
		for _, x := range ins {
			if held&x.Valid == 0 && n < trafficCycles && rng.IntN(2) == 0 {
				s.draw(rng, rec, x)
				held |= x.Valid
			}
		}
		rec[0] |= held
		for _, x := range outs {
			if n >= trafficCycles || rng.IntN(4) != 0 {
				rec[0] |= x.Ready
			}
		}
		got := one()
		for _, x := range ins {
			if held&x.Valid != 0 && x.Taken(got) {
				held &^= x.Valid
				r.events = append(r.events, only(rec, x)...)
			}
		}
		for _, x := range outs {
			if x.Moves(got, rec) {
				r.responses = append(r.responses, only(got, x)...)
			}
		}
	}
	s.ref = r
}

// only returns a record with nothing but one stream's fields and its valid bit.
func only(rec []uint64, x event.Port) []uint64 {
	out := make([]uint64, len(rec))
	for i, m := range x.Mask {
		out[i] = rec[i] & m
	}
	out[0] |= x.Valid
	return out
}

// draw fills a stream's fields: an enum with one of its first two codes, others mostly with small numbers.
func (s *suite) draw(rng *rand.Rand, rec []uint64, x event.Port) {
	for _, slot := range x.Slots {
		v := rng.Uint64() >> rng.IntN(64)
		if e := s.t.Block.Enum(slot.Field.Enum); e != nil && len(e.Values) > 0 {
			v = e.Values[rng.IntN(min(2, len(e.Values)))].Value
		}
		slot.Set(rec, v)
	}
}

func (s *suite) rule() *wire.Rule { return wire.NewRule(s.t.Block, s.layout) }

// same compares output records under the rule.
func (s *suite) same(want, got []uint64) {
	n := s.layout.Out.Words
	if len(want) != len(got) {
		fail("%d output records came, not %d", len(got)/n, len(want)/n)
	}
	rule := s.rule()
	for i := 0; i < len(want); i += n {
		if !rule.Equal(want[i:i+n], got[i:i+n]) {
			fail("the output record of cycle %d is %x, not %x as before", i/n, got[i:i+n], want[i:i+n])
		}
	}
}

func (s *suite) digest(out []uint64) (d wire.Digest) {
	n, rule := s.layout.Out.Words, s.rule()
	for i := 0; i < len(out); i += n {
		d = rule.Digest(d, out[i:i+n])
	}
	return d
}
