package conform

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/bridge/wire"
)

// ask sends events and returns the responses.
func (p *probe) ask(events []uint64) ([]uint64, error) {
	n := len(events) / p.s.layout.In.Words
	if err := p.send(wire.TypeAsk, wire.Ask{Events: n}, events...); err != nil {
		return nil, err
	}
	f, err := p.expect(wire.TypeAnswer)
	if err != nil {
		return nil, err
	}
	var a wire.Answer
	if err := f.Decode(&a); err != nil {
		return nil, err
	}
	ow := p.s.layout.Out.Words
	if a.Responses < 0 || len(f.Bulk) != a.Responses*ow {
		return nil, fmt.Errorf("an answer of %d responses carries %d words", a.Responses, len(f.Bulk))
	}
	for i := 0; i < len(f.Bulk); i += ow {
		rec := f.Bulk[i : i+ow]
		if err := p.s.oneResponse(rec); err != nil {
			return nil, fmt.Errorf("response %d: %w", i/ow, err)
		}
	}
	return slices.Clone(f.Bulk), nil
}

// oneResponse checks that a record holds one valid bit and the fields of that stream alone.
func (s *suite) oneResponse(rec []uint64) error {
	c := rec[0] & s.layout.Out.ControlMask()
	for _, x := range s.outs() {
		if c == x.valid {
			if want := only(rec, x); !slices.Equal(rec, want) {
				return fmt.Errorf("%x has bits beside the stream it is of", rec)
			}
			return nil
		}
	}
	return fmt.Errorf("control bits %#x (%d of them) are not one valid bit", c, bits.OnesCount64(c))
}

// asked is a check that needs the recording's events.
func asked(name, expect string, run func(s *suite, p *probe, r *reference) error) check {
	return recorded("ask/"+name, "step,ask", expect, func(s *suite, p *probe, r *reference) error {
		if len(r.events) == 0 {
			return skip("no event was taken in the recording")
		}
		return run(s, p, r)
	})
}

// drawn is a check of events drawn at random, which needs no step: run gets the answer of a new model to one ask of
// them, and a connection with another new model.
func drawn(name, expect string, run func(s *suite, p *probe, events, want []uint64) error) check {
	return check{name: "ask/" + name, needs: "ask", expect: expect, run: func(s *suite) error {
		rng := rand.New(rand.NewPCG(7, 8))
		var events, want []uint64
		for range 20 {
			for _, x := range s.ins() {
				rec := make([]uint64, s.layout.In.Words)
				s.draw(rng, rec, x)
				events = append(events, only(rec, x)...)
			}
		}
		err := with(s.ready, func(p *probe) (err error) {
			want, err = p.ask(events)
			return err
		})
		if err != nil {
			return err
		}
		return with(s.ready, func(p *probe) error { return run(s, p, events, want) })
	}}
}

// asks splits events over several asks, of the sizes in turn, and returns all responses.
func (p *probe) asks(events []uint64, sizes ...int) (got []uint64, err error) {
	for k := 0; len(events) > 0; k++ {
		n := min(len(events), sizes[k%len(sizes)]*p.s.layout.In.Words)
		a, err := p.ask(events[:n])
		if err != nil {
			return nil, err
		}
		got, events = append(got, a...), events[n:]
	}
	return got, nil
}

// one reports whether the block has one input and one output stream, so that what comes out does not depend
// on when events go in.
func (s *suite) one() bool { return len(s.ins()) == 1 && len(s.outs()) == 1 }

var askChecks = []check{
	asked("responses", "ask gives the responses that steps gave to the same events, in order, the first ask of a model "+
		"included", func(s *suite, p *probe, r *reference) error {
		got, err := p.ask(r.events)
		if err != nil {
			return err
		}
		if !s.one() {
			return skip("with several streams responses depend on the cycles of the events; their form is right")
		}
		return s.equal(r.responses, got)
	}),
	drawn("repeated", "the same events to a new model get the same responses",
		func(s *suite, p *probe, events, want []uint64) error {
			got, err := p.ask(events)
			if err != nil {
				return err
			}
			return s.equal(want, got)
		}),
	drawn("one-by-one", "events asked one by one get the responses of one ask",
		func(s *suite, p *probe, events, want []uint64) error {
			if !s.one() {
				return skip("with several streams responses depend on the cycles of the events")
			}
			got, err := p.asks(events, 1)
			if err != nil {
				return err
			}
			return s.equal(want, got)
		}),
	drawn("sizes", "events split over asks of several sizes get the responses of one ask",
		func(s *suite, p *probe, events, want []uint64) error {
			if !s.one() {
				return skip("with several streams responses depend on the cycles of the events")
			}
			got, err := p.asks(events, 3, 1, 7, 2)
			if err != nil {
				return err
			}
			return s.equal(want, got)
		}),
	drawn("new-model", "configure makes a new model of one that was asked, whatever it had seen",
		func(s *suite, p *probe, events, want []uint64) error {
			if _, err := p.ask(events[:len(events)/s.layout.In.Words/2*s.layout.In.Words]); err != nil {
				return err
			}
			if err := p.configure(); err != nil {
				return err
			}
			got, err := p.ask(events)
			if err != nil {
				return err
			}
			return s.equal(want, got)
		}),
	drawn("separate", "two clients that ask in turns do not share a model",
		func(s *suite, p *probe, events, want []uint64) error {
			if !s.one() {
				return skip("with several streams responses depend on the cycles of the events")
			}
			return with(s.ready, func(q *probe) error {
				var got, other []uint64
				iw := s.layout.In.Words
				for i := 0; i < len(events); i += iw {
					for _, c := range []struct {
						p   *probe
						got *[]uint64
					}{{p, &got}, {q, &other}} {
						a, err := c.p.ask(events[i : i+iw])
						if err != nil {
							return err
						}
						*c.got = append(*c.got, a...)
					}
				}
				if err := s.equal(want, other); err != nil {
					return fmt.Errorf("the second client: %w", err)
				}
				return s.equal(want, got)
			})
		}),
	drawn("controls", "control bits of an event other than valid are ignored",
		func(s *suite, p *probe, events, want []uint64) error {
			var valid uint64
			for _, x := range s.ins() {
				valid |= x.valid
			}
			for i := 0; i < len(events); i += s.layout.In.Words {
				events[i] |= s.layout.In.ControlMask() &^ valid
			}
			got, err := p.ask(events)
			if err != nil {
				return err
			}
			return s.equal(want, got)
		}),
	{name: "describe/layout", needs: "describe", expect: "described lists every control bit and field of the schema, " +
		"in its order", run: func(s *suite) error {
		return with(s.greeted, func(p *probe) error {
			if err := p.send(wire.TypeDescribe, nil); err != nil {
				return err
			}
			f, err := p.expect(wire.TypeDescribed)
			if err != nil {
				return err
			}
			var m wire.Described
			if err := f.Decode(&m); err != nil {
				return err
			}
			if m.In != wire.RecordText(&s.layout.In) || m.Out != wire.RecordText(&s.layout.Out) {
				return fmt.Errorf("the lines are not those of the schema: in %.200q, out %.200q", m.In, m.Out)
			}
			return nil
		})
	}},
}

// equal compares responses to the bit.
func (s *suite) equal(want, got []uint64) error {
	n := s.layout.Out.Words
	if len(want) != len(got) {
		return fmt.Errorf("%d responses, not %d", len(got)/n, len(want)/n)
	}
	for i := 0; i < len(want); i += n {
		if !slices.Equal(want[i:i+n], got[i:i+n]) {
			return fmt.Errorf("response %d is %x, not %x", i/n, got[i:i+n], want[i:i+n])
		}
	}
	return nil
}

var clientChecks = []check{
	recorded("clients/separate", "step", "two clients at once do not share a model",
		func(s *suite, p *probe, r *reference) error {
			return s.beside(p, r, func() error {
				return with(s.ready, func(q *probe) error {
					got, err := q.step(wire.Step{Cycles: r.cycles}, r.in)
					if err != nil {
						return fmt.Errorf("the second client: %w", err)
					}
					return s.same(r.out, got)
				})
			})
		}),
	recorded("clients/undisturbed", "step", "a client that breaks the protocol, or leaves, disturbs no other",
		func(s *suite, p *probe, r *reference) error {
			return s.beside(p, r, func() error {
				return with(s.connect, func(q *probe) error {
					if err := q.raw([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
						return err
					}
					_, err := q.failed("magic")
					return err
				})
			})
		}),
	{name: "clients/next", expect: "a client that left without a word makes room for the next", run: func(s *suite) error {
		for range 3 {
			p, err := s.ready()
			if err != nil {
				return err
			}
			p.close()
		}
		return with(s.ready, func(*probe) error { return nil })
	}},
}

// beside runs part of the recording, then meanwhile, then the rest.
func (s *suite) beside(p *probe, r *reference, meanwhile func() error) error {
	iw, ow := s.layout.In.Words, s.layout.Out.Words
	h := r.half()
	got, err := p.step(wire.Step{Cycles: h}, r.in[:h*iw])
	if err != nil {
		return err
	}
	if err := meanwhile(); err != nil {
		return err
	}
	rest, err := p.step(wire.Step{Cycles: r.cycles - h}, r.in[h*iw:])
	if err != nil {
		return err
	}
	if err := s.same(r.out, append(got, rest...)); err != nil {
		return fmt.Errorf("%w, with another client in between (from cycle %d on)", err, len(got)/ow)
	}
	return nil
}
