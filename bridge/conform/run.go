package conform

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/bridge/wire"
)

// outcome is the result of one run.
type outcome struct {
	results  []int // cycles of each batch
	mismatch []wire.Mismatch
	bulk     []uint64 // of the first mismatch
	finished wire.Finished
}

// play sends in and want in batches of the sizes, the rest in one, and a finish, then reads the answers.
func (p *probe) play(in, want []uint64, sizes ...int) (o outcome, err error) {
	iw, ow := p.s.layout.In.Words, p.s.layout.Out.Words
	sent := 0
	for len(in) > 0 {
		n := len(in) / iw
		if sent < len(sizes) {
			n = min(n, sizes[sent])
		}
		if err := p.send(wire.TypeBatch, wire.Batch{Cycles: n}, append(slices.Clone(in[:n*iw]),
			want[:n*ow]...)...); err != nil {
			return o, err
		}
		in, want = in[n*iw:], want[n*ow:]
		sent++
	}
	if err := p.send(wire.TypeFinish, nil); err != nil {
		return o, err
	}
	for {
		f, err := p.next()
		if err != nil {
			return o, err
		}
		switch f.Type {
		case wire.TypeResult:
			var m wire.Result
			if err := f.Decode(&m); err != nil {
				return o, err
			}
			o.results = append(o.results, m.Cycles)
		case wire.TypeMismatch:
			var m wire.Mismatch
			if err := f.Decode(&m); err != nil {
				return o, err
			}
			if len(o.mismatch) == 0 {
				o.bulk = slices.Clone(f.Bulk)
			}
			o.mismatch = append(o.mismatch, m)
		case wire.TypeFinished:
			if len(o.results) != sent {
				return o, fmt.Errorf("%d results for %d batches before finished", len(o.results), sent)
			}
			return o, f.Decode(&o.finished)
		case wire.TypeError:
			var m wire.Failure
			_ = f.Decode(&m)
			return o, fmt.Errorf("error %s (%s) in a run", m.Kind, m.Text)
		default:
			return o, fmt.Errorf("a frame of type %s in a run", f.Type)
		}
	}
}

// clean checks the outcome of a run whose outputs were all as expected.
func (s *suite) clean(o outcome, out []uint64) error {
	cycles := len(out) / s.layout.Out.Words
	f, sum := o.finished, 0
	for _, n := range o.results {
		sum += n
	}
	switch d := s.digest(out); {
	case len(o.mismatch) > 0 || f.Mismatch:
		return fmt.Errorf("a mismatch is reported in a run without one: %+v, finished %+v", o.mismatch, f)
	case f.Cycles != uint64(cycles):
		return fmt.Errorf("finished says %d cycles, not %d", f.Cycles, cycles)
	case sum != cycles:
		return fmt.Errorf("the results say %d cycles together, not %d", sum, cycles)
	case f.Digest != uint64(d):
		return fmt.Errorf("the digest is %016x, not %016x", f.Digest, uint64(d))
	}
	return nil
}

// recorded gives a check the recording and a connection with a new model.
func recorded(name, needs, expect string, run func(s *suite, p *probe, r *reference) error) check {
	return check{name: name, needs: needs, expect: expect, run: func(s *suite) error {
		r, err := s.reference()
		if err != nil {
			return err
		}
		return with(s.ready, func(p *probe) error { return run(s, p, r) })
	}}
}

var runChecks = []check{
	recorded("step/records", "step", "a step of many records gives the outputs of as many steps of one",
		func(s *suite, p *probe, r *reference) error {
			got, err := p.step(wire.Step{Cycles: r.cycles}, r.in)
			if err != nil {
				return err
			}
			return s.same(r.out, got)
		}),
	recorded("step/until", "step", "until stops after the first cycle that shows a bit of it, records left or not",
		func(s *suite, p *probe, r *reference) error {
			n := r.ready + 1
			got, err := p.step(wire.Step{Cycles: r.cycles, Until: r.until(s), Max: r.cycles}, r.in)
			if err != nil {
				return err
			}
			return s.same(r.out[:n*s.layout.Out.Words], got)
		}),
	recorded("step/repeat", "step", "until goes on with the last record when they are used up",
		func(s *suite, p *probe, r *reference) error {
			n := r.ready + 1
			if n == resetCycles+1 {
				return skip("the block is ready at once, so that nothing is repeated")
			}
			got, err := p.step(wire.Step{Cycles: resetCycles + 1, Until: r.until(s), Max: n + 7},
				r.in[:(resetCycles+1)*s.layout.In.Words])
			if err != nil {
				return err
			}
			return s.same(r.out[:n*s.layout.Out.Words], got)
		}),
	recorded("step/max", "step", "max ends a step whose until does not show",
		func(s *suite, p *probe, r *reference) error {
			if r.out[0]&r.until(s) != 0 {
				return skip("an input stream is ready in reset")
			}
			got, err := p.step(wire.Step{Cycles: 1, Until: r.until(s), Max: 17}, r.in[:s.layout.In.Words])
			if err == nil && len(got) != 17*s.layout.Out.Words {
				err = fmt.Errorf("%d cycles were run, not 17", len(got)/s.layout.Out.Words)
			}
			return err
		}),
	recorded("configure/new-model", "step", "configure makes a new model, whatever the old one had seen: the same seed "+
		"gives the same model", func(s *suite, p *probe, r *reference) error {
		// Without the cycles of reset, which would clear the state of the old model in either case.
		in := r.in[resetCycles*s.layout.In.Words:]
		m := wire.Step{Cycles: r.cycles - resetCycles}
		fresh, err := p.step(m, in)
		if err != nil {
			return err
		}
		return with(s.ready, func(p *probe) error {
			if _, err := p.step(wire.Step{Cycles: r.half()}, r.in[:r.half()*s.layout.In.Words]); err != nil {
				return err
			}
			if err := p.configure(); err != nil {
				return err
			}
			got, err := p.step(m, in)
			if err != nil {
				return err
			}
			return s.same(fresh, got)
		})
	}),
	recorded("batch/equal", "step,batch", "batches that expect what steps gave: a result for each, finished with all "+
		"cycles and their digest", func(s *suite, p *probe, r *reference) error {
		o, err := p.play(r.in, r.out)
		if err != nil {
			return err
		}
		return s.clean(o, r.out)
	}),
	recorded("batch/sizes", "step,batch", "the outcome of a run does not depend on the sizes of its batches; several "+
		"may be under way", func(s *suite, p *probe, r *reference) error {
		o, err := p.play(r.in, r.out, 1, 2, 31, 32, 33, 100)
		if err != nil {
			return err
		}
		return s.clean(o, r.out)
	}),
	recorded("batch/runs", "step,batch", "finish ends a run and counts anew; the model goes on",
		func(s *suite, p *probe, r *reference) error {
			i, o := r.half()*s.layout.In.Words, r.half()*s.layout.Out.Words
			for _, part := range [][2][]uint64{{r.in[:i], r.out[:o]}, {r.in[i:], r.out[o:]}} {
				got, err := p.play(part[0], part[1])
				if err == nil {
					err = s.clean(got, part[1])
				}
				if err != nil {
					return err
				}
			}
			return nil
		}),
	recorded("batch/rule-fields", "step,batch", "fields of a stream that is expected not to be valid are not compared",
		func(s *suite, p *probe, r *reference) error {
			want := slices.Clone(r.out)
			for i := 0; i < len(want); i += s.layout.Out.Words {
				for _, x := range s.outs() {
					if want[i]&x.valid != 0 {
						continue
					}
					for w, m := range x.mask {
						want[i+w] ^= m
					}
				}
			}
			o, err := p.play(r.in, want)
			if err != nil {
				return err
			}
			return s.clean(o, r.out)
		}),
	recorded("batch/rule-valid", "step,batch", "fields of a stream that is expected to be valid are compared",
		func(s *suite, p *probe, r *reference) error {
			ow := s.layout.Out.Words
			for at := r.cycles - 1; at > r.ready; at-- {
				for _, x := range s.outs() {
					if r.out[at*ow]&x.valid == 0 {
						continue
					}
					want := slices.Clone(r.out)
					slot := x.slots[len(x.slots)-1]
					slot.Set(want[at*ow:(at+1)*ow], ^slot.Get(want[at*ow:(at+1)*ow]))
					return s.differs(p, r, want, at)
				}
			}
			return skip("no response came in the recording")
		}),
	mismatch("middle", "in the middle of a run", func(r *reference) int { return r.half() }),
	mismatch("start", "in the first cycle", func(*reference) int { return 0 }),
	mismatch("end", "in the last cycle: it comes with finish", func(r *reference) int { return r.cycles - 1 }),
	mismatch("sized", "next to the border of batches", func(r *reference) int { return r.half() }, 0),
	recorded("mismatch/once", "step,batch",
		"only the first difference of a run is reported, and the next run is a new one",
		func(s *suite, p *probe, r *reference) error {
			at := r.half()
			want := slices.Clone(r.out)
			for i := at; i < r.cycles; i++ {
				want[i*s.layout.Out.Words] ^= 1
			}
			if err := s.differs(p, r, want, at); err != nil {
				return err
			}
			o, err := p.play(nil, nil)
			if err != nil {
				return err
			}
			return s.clean(o, nil)
		}),
	recorded("configure/ends-run", "step,batch", "configure ends a run without an answer, a difference in it included",
		func(s *suite, p *probe, r *reference) error {
			want := slices.Clone(r.out)
			want[(r.cycles-1)*s.layout.Out.Words] ^= 1
			if err := p.send(wire.TypeBatch, wire.Batch{Cycles: r.cycles}, append(slices.Clone(r.in), want...)...); err != nil {
				return err
			}
			if _, err := p.expect(wire.TypeResult); err != nil {
				return err
			}
			if err := p.configure(); err != nil {
				return err
			}
			o, err := p.play(r.in, r.out)
			if err != nil {
				return err
			}
			return s.clean(o, r.out)
		}),
	{name: "finish/empty", needs: "finish", expect: "a run without batches: finished with 0 cycles, digest 0, no mismatch",
		run: func(s *suite) error {
			return with(s.ready, func(p *probe) error {
				o, err := p.play(nil, nil)
				if err != nil {
					return err
				}
				return s.clean(o, nil)
			})
		}},
}

func (r *reference) half() int { return r.ready + (r.cycles-r.ready)/4 }

// until is the ready bits of the input streams.
func (r *reference) until(s *suite) (m uint64) {
	for _, x := range s.ins() {
		m |= x.ready
	}
	return m
}

// mismatch checks what a difference at one cycle gives; with a size, two batches meet next to it.
func mismatch(name, where string, at func(*reference) int, sizes ...int) check {
	expect := "a difference " + where + ": mismatch with its cycle, up to 32 before and 8 after, inputs, expected and " +
		"actual outputs; finished counts the cycles before it"
	return recorded("mismatch/"+name, "step,batch", expect, func(s *suite, p *probe, r *reference) error {
		want := slices.Clone(r.out)
		want[at(r)*s.layout.Out.Words] ^= 1
		if len(sizes) > 0 {
			return s.differs(p, r, want, at(r), at(r)-5, 6, 3)
		}
		return s.differs(p, r, want, at(r))
	})
}

// differs plays the recording with other expected outputs and checks the report of the first difference.
func (s *suite) differs(p *probe, r *reference, want []uint64, at int, sizes ...int) error {
	o, err := p.play(r.in, want, sizes...)
	if err != nil {
		return err
	}
	if len(o.mismatch) != 1 || !o.finished.Mismatch {
		return fmt.Errorf("%d mismatches are reported, finished says %t; one is there", len(o.mismatch), o.finished.Mismatch)
	}
	iw, ow := s.layout.In.Words, s.layout.Out.Words
	from, to := max(0, at-32), min(r.cycles, at+9)
	m, n := o.mismatch[0], to-from
	if m.Cycle != uint64(at) || m.From != uint64(from) || m.Count != n {
		return fmt.Errorf("the mismatch is at cycle %d, %d records from %d on; at cycle %d, %d from %d on, it should be",
			m.Cycle, m.Count, m.From, at, n, from)
	}
	if len(o.bulk) != n*(iw+2*ow) {
		return fmt.Errorf("the mismatch carries %d words, not %d", len(o.bulk), n*(iw+2*ow))
	}
	if !slices.Equal(o.bulk[:n*iw], r.in[from*iw:to*iw]) {
		return fmt.Errorf("the input records of the mismatch are not those sent")
	}
	if !slices.Equal(o.bulk[n*iw:n*(iw+ow)], want[from*ow:to*ow]) {
		return fmt.Errorf("the expected records of the mismatch are not those sent")
	}
	if err := s.same(r.out[from*ow:to*ow], o.bulk[n*(iw+ow):]); err != nil {
		return fmt.Errorf("actual outputs of the mismatch: %w", err)
	}
	if d := s.digest(r.out[:at*ow]); o.finished.Cycles != uint64(at) || o.finished.Digest != uint64(d) {
		return fmt.Errorf("finished says %d cycles and digest %016x, not %d and %016x", o.finished.Cycles,
			o.finished.Digest, at, uint64(d))
	}
	return nil
}
