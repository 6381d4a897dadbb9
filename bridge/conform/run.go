package conform

import (
	"slices"

	"github.com/goldwire/goldwire/bridge/wire"
)

type outcome struct {
	results  []int // cycles of each batch
	mismatch []wire.Mismatch
	bulk     []uint64 // of the first mismatch
	finished wire.Finished
}

// play sends in and want in batches of the sizes, the rest in one, and a finish, then reads the answers.
func (p *probe) play(in, want []uint64, sizes ...int) (o outcome) {
	iw, ow := p.s.layout.In.Words, p.s.layout.Out.Words
	sent := 0
	for len(in) > 0 {
		n := len(in) / iw
		if sent < len(sizes) {
			n = min(n, sizes[sent])
		}
		p.send(wire.TypeBatch, wire.Batch{Cycles: n}, slices.Concat(in[:n*iw], want[:n*ow])...)
		in, want = in[n*iw:], want[n*ow:]
		sent++
	}
	p.send(wire.TypeFinish, nil)
	for {
		switch f := p.next(); f.Type {
		case wire.TypeResult:
			o.results = append(o.results, decoded[wire.Result](f).Cycles)
		case wire.TypeMismatch:
			m := decoded[wire.Mismatch](f)
			if len(o.mismatch) == 0 {
				o.bulk = slices.Clone(f.Bulk)
			}
			o.mismatch = append(o.mismatch, m)
		case wire.TypeFinished:
			if len(o.results) != sent {
				fail("%d results for %d batches before finished", len(o.results), sent)
			}
			o.finished = decoded[wire.Finished](f)
			return o
		case wire.TypeError:
			var m wire.Failure
			_ = f.Decode(&m)
			fail("error %s (%s) in a run", m.Kind, m.Text)
		default:
			fail("a frame of type %s in a run", f.Type)
		}
	}
}

// clean plays in batches of the sizes and checks the outcome of a run whose outputs are all as expected: those of want,
// of which out is what the server gives.
func (s *suite) clean(p *probe, in, want, out []uint64, sizes ...int) {
	o := p.play(in, want, sizes...)
	cycles := len(out) / s.layout.Out.Words
	f, sum := o.finished, 0
	for _, n := range o.results {
		sum += n
	}
	switch d := s.digest(out); {
	case len(o.mismatch) > 0 || f.Mismatch:
		fail("a mismatch is reported in a run without one: %+v, finished %+v", o.mismatch, f)
	case f.Cycles != uint64(cycles):
		fail("finished says %d cycles, not %d", f.Cycles, cycles)
	case sum != cycles:
		fail("the results say %d cycles together, not %d", sum, cycles)
	case f.Digest != uint64(d):
		fail("the digest is %016x, not %016x", f.Digest, uint64(d))
	}
}

// recorded gives a check the recording and a connection with a new model.
func recorded(name, needs, expect string, run func(s *suite, p *probe, r *reference)) check {
	return check{name: name, needs: needs, expect: expect, run: func(s *suite, _ *probe) {
		r := s.reference()
		s.with((*suite).ready, func(p *probe) { run(s, p, r) })
	}}
}

var runChecks = []check{
	recorded("step/records", "step", "a step of many records gives the outputs of as many steps of one",
		func(s *suite, p *probe, r *reference) { s.same(r.out, p.step(wire.Step{Cycles: r.cycles}, r.in)) }),
	recorded("step/until", "step", "until stops after the first cycle that shows a bit of it, records left or not",
		func(s *suite, p *probe, r *reference) {
			got := p.step(wire.Step{Cycles: r.cycles, Until: s.until(), Max: r.cycles}, r.in)
			s.same(r.out[:(r.ready+1)*s.layout.Out.Words], got)
		}),
	recorded("step/repeat", "step", "until goes on with the last record when they are used up",
		func(s *suite, p *probe, r *reference) {
			n := r.ready + 1
			if n == resetCycles+1 {
				skip("the block is ready at once, so that nothing is repeated")
			}
			got := p.step(wire.Step{Cycles: resetCycles + 1, Until: s.until(), Max: n + 7},
				r.in[:(resetCycles+1)*s.layout.In.Words])
			s.same(r.out[:n*s.layout.Out.Words], got)
		}),
	recorded("step/max", "step", "max ends a step whose until does not show",
		func(s *suite, p *probe, r *reference) {
			if r.out[0]&s.until() != 0 {
				skip("an input stream is ready in reset")
			}
			got := p.step(wire.Step{Cycles: 1, Until: s.until(), Max: 17}, r.in[:s.layout.In.Words])
			if len(got) != 17*s.layout.Out.Words {
				fail("%d cycles were run, not 17", len(got)/s.layout.Out.Words)
			}
		}),
	recorded("configure/new-model", "step", "configure makes a new model, whatever the old one had seen: the same seed "+
		"gives the same model", func(s *suite, p *probe, r *reference) {
		// Without the cycles of reset, which would clear the state of the old model in either case.
		in := r.in[resetCycles*s.layout.In.Words:]
		m := wire.Step{Cycles: r.cycles - resetCycles}
		fresh := p.step(m, in)
		s.with((*suite).ready, func(p *probe) {
			p.step(wire.Step{Cycles: r.half()}, r.in[:r.half()*s.layout.In.Words])
			p.configure()
			s.same(fresh, p.step(m, in))
		})
	}),
	recorded("batch/equal", "step,batch", "batches that expect what steps gave: a result for each, finished with all "+
		"cycles and their digest", func(s *suite, p *probe, r *reference) { s.clean(p, r.in, r.out, r.out) }),
	recorded("batch/sizes", "step,batch", "the outcome of a run does not depend on the sizes of its batches; several "+
		"may be under way", func(s *suite, p *probe, r *reference) {
		s.clean(p, r.in, r.out, r.out, 1, 2, 31, 32, 33, 100)
	}),
	recorded("batch/runs", "step,batch", "finish ends a run and counts anew; the model goes on",
		func(s *suite, p *probe, r *reference) {
			i, o := r.half()*s.layout.In.Words, r.half()*s.layout.Out.Words
			s.clean(p, r.in[:i], r.out[:o], r.out[:o])
			s.clean(p, r.in[i:], r.out[o:], r.out[o:])
		}),
	recorded("batch/rule-fields", "step,batch", "fields of a stream that is expected not to be valid are not compared",
		func(s *suite, p *probe, r *reference) {
			want := slices.Clone(r.out)
			for i := 0; i < len(want); i += s.layout.Out.Words {
				for _, x := range s.outs() {
					if want[i]&x.Valid != 0 {
						continue
					}
					for w, m := range x.Mask {
						want[i+w] ^= m
					}
				}
			}
			s.clean(p, r.in, want, r.out)
		}),
	recorded("batch/rule-valid", "step,batch", "fields of a stream that is expected to be valid are compared",
		func(s *suite, p *probe, r *reference) {
			ow := s.layout.Out.Words
			for at := r.cycles - 1; at > r.ready; at-- {
				for _, x := range s.outs() {
					if r.out[at*ow]&x.Valid == 0 {
						continue
					}
					want := slices.Clone(r.out)
					slot := x.Slots[len(x.Slots)-1]
					slot.Set(want[at*ow:(at+1)*ow], ^slot.Get(want[at*ow:(at+1)*ow]))
					s.differs(p, r, want, at)
					return
				}
			}
			skip("no response came in the recording")
		}),
	mismatch("middle", "in the middle of a run", func(r *reference) int { return r.half() }),
	mismatch("start", "in the first cycle", func(*reference) int { return 0 }),
	mismatch("end", "in the last cycle: it comes with finish", func(r *reference) int { return r.cycles - 1 }),
	mismatch("sized", "next to the border of batches", func(r *reference) int { return r.half() }, 0),
	recorded("mismatch/once", "step,batch",
		"only the first difference of a run is reported, and the next run is a new one",
		func(s *suite, p *probe, r *reference) {
			at := r.half()
			want := slices.Clone(r.out)
			for i := at; i < r.cycles; i++ {
				want[i*s.layout.Out.Words] ^= 1
			}
			s.differs(p, r, want, at)
			s.clean(p, nil, nil, nil)
		}),
	recorded("configure/ends-run", "step,batch", "configure ends a run without an answer, a difference in it included",
		func(s *suite, p *probe, r *reference) {
			want := slices.Clone(r.out)
			want[(r.cycles-1)*s.layout.Out.Words] ^= 1
			p.send(wire.TypeBatch, wire.Batch{Cycles: r.cycles}, slices.Concat(r.in, want)...)
			p.expect(wire.TypeResult)
			p.configure()
			s.clean(p, r.in, r.out, r.out)
		}),
	{name: "finish/empty", needs: "finish", expect: "a run without batches: finished with 0 cycles, digest 0, no mismatch",
		on: (*suite).ready, run: func(s *suite, p *probe) { s.clean(p, nil, nil, nil) }},
}

func (r *reference) half() int { return r.ready + (r.cycles-r.ready)/4 }

// until is the ready bits of the input streams.
func (s *suite) until() (m uint64) {
	for _, x := range s.ins() {
		m |= x.Ready
	}
	return m
}

// mismatch checks what a difference at one cycle gives; with a size, two batches meet next to it.
func mismatch(name, where string, at func(*reference) int, sizes ...int) check {
	expect := "a difference " + where + ": mismatch with its cycle, up to 32 before and 8 after, inputs, expected and " +
		"actual outputs; finished counts the cycles before it"
	return recorded("mismatch/"+name, "step,batch", expect, func(s *suite, p *probe, r *reference) {
		want := slices.Clone(r.out)
		want[at(r)*s.layout.Out.Words] ^= 1
		if len(sizes) > 0 {
			sizes = []int{at(r) - 5, 6, 3}
		}
		s.differs(p, r, want, at(r), sizes...)
	})
}

// differs plays the recording with other expected outputs and checks the report of the first difference.
func (s *suite) differs(p *probe, r *reference, want []uint64, at int, sizes ...int) {
	o := p.play(r.in, want, sizes...)
	if len(o.mismatch) != 1 || !o.finished.Mismatch {
		fail("%d mismatches are reported, finished says %t; one is there", len(o.mismatch), o.finished.Mismatch)
	}
	iw, ow := s.layout.In.Words, s.layout.Out.Words
	from, to := max(0, at-32), min(r.cycles, at+9)
	m, n := o.mismatch[0], to-from
	if m.Cycle != uint64(at) || m.From != uint64(from) || m.Count != n {
		fail("the mismatch is at cycle %d, %d records from %d on; at cycle %d, %d from %d on, it should be",
			m.Cycle, m.Count, m.From, at, n, from)
	}
	if len(o.bulk) != n*(iw+2*ow) {
		fail("the mismatch carries %d words, not %d", len(o.bulk), n*(iw+2*ow))
	}
	if !slices.Equal(o.bulk[:n*iw], r.in[from*iw:to*iw]) {
		fail("the input records of the mismatch are not those sent")
	}
	if !slices.Equal(o.bulk[n*iw:n*(iw+ow)], want[from*ow:to*ow]) {
		fail("the expected records of the mismatch are not those sent")
	}
	within(func() { s.same(r.out[from*ow:to*ow], o.bulk[n*(iw+ow):]) }, "actual outputs of the mismatch: %w")
	if d := s.digest(r.out[:at*ow]); o.finished.Cycles != uint64(at) || o.finished.Digest != uint64(d) {
		fail("finished says %d cycles and digest %016x, not %d and %016x", o.finished.Cycles, o.finished.Digest, at,
			uint64(d))
	}
}
