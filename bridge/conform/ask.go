package conform

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/bridge/wire"
)

func (p *probe) ask(events []uint64) []uint64 {
	p.send(wire.TypeAsk, wire.Ask{Events: len(events) / p.s.layout.In.Words}, events...)
	f := p.expect(wire.TypeAnswer)
	a := decoded[wire.Answer](f)
	ow := p.s.layout.Out.Words
	if a.Responses < 0 || len(f.Bulk) != a.Responses*ow {
		fail("an answer of %d responses carries %d words", a.Responses, len(f.Bulk))
	}
	for i := 0; i < len(f.Bulk); i += ow {
		within(func() { p.s.oneResponse(f.Bulk[i : i+ow]) }, "response %d: %w", i/ow)
	}
	return slices.Clone(f.Bulk)
}

// oneResponse checks that a record holds one valid bit and the fields of that stream alone.
func (s *suite) oneResponse(rec []uint64) {
	c := rec[0] & s.layout.Out.ControlMask()
	for _, x := range s.outs() {
		if c == x.Valid {
			if want := only(rec, x); !slices.Equal(rec, want) {
				fail("%x has bits beside the stream it is of", rec)
			}
			return
		}
	}
	fail("control bits %#x (%d of them) are not one valid bit", c, bits.OnesCount64(c))
}

// asked is a check that needs the recording's events.
func asked(name, expect string, run func(s *suite, p *probe, r *reference)) check {
	return recorded("ask/"+name, "step,ask", expect, func(s *suite, p *probe, r *reference) {
		if len(r.events) == 0 {
			skip("no event was taken in the recording")
		}
		run(s, p, r)
	})
}

// drawn is a check of events drawn at random, which needs no step: run gets the answer of a new model to one ask of
// them, and a connection with another new model. With one it needs a block whose responses do not depend on when events
// go in.
func drawn(name, expect string, one bool, run func(s *suite, p *probe, events, want []uint64)) check {
	return check{name: "ask/" + name, needs: "ask", expect: expect, run: func(s *suite, _ *probe) {
		rng := rand.New(rand.NewPCG(7, 8))
		var events, want []uint64
		for range 20 {
			for _, x := range s.ins() {
				rec := make([]uint64, s.layout.In.Words)
				s.draw(rng, rec, x)
				events = append(events, only(rec, x)...)
			}
		}
		s.with((*suite).ready, func(p *probe) { want = p.ask(events) })
		s.with((*suite).ready, func(p *probe) {
			if one && !s.one() {
				skip("with several streams responses depend on the cycles of the events")
			}
			run(s, p, events, want)
		})
	}}
}

// asks splits events over several asks, of the sizes in turn, and returns all responses.
func (p *probe) asks(events []uint64, sizes ...int) (got []uint64) {
	for k := 0; len(events) > 0; k++ {
		n := min(len(events), sizes[k%len(sizes)]*p.s.layout.In.Words)
		got, events = append(got, p.ask(events[:n])...), events[n:]
	}
	return got
}

// one reports whether the block has one input and one output stream, so that what comes out does not depend
// on when events go in.
func (s *suite) one() bool { return len(s.ins()) == 1 && len(s.outs()) == 1 }

var askChecks = []check{
	asked("responses", "ask gives the responses that steps gave to the same events, in order, the first ask of a model "+
		"included", func(s *suite, p *probe, r *reference) {
		got := p.ask(r.events)
		if !s.one() {
			skip("with several streams responses depend on the cycles of the events; their form is right")
		}
		s.equal(r.responses, got)
	}),
	drawn("repeated", "the same events to a new model get the same responses", false,
		func(s *suite, p *probe, events, want []uint64) { s.equal(want, p.ask(events)) }),
	drawn("one-by-one", "events asked one by one get the responses of one ask", true,
		func(s *suite, p *probe, events, want []uint64) { s.equal(want, p.asks(events, 1)) }),
	drawn("sizes", "events split over asks of several sizes get the responses of one ask", true,
		func(s *suite, p *probe, events, want []uint64) { s.equal(want, p.asks(events, 3, 1, 7, 2)) }),
	drawn("new-model", "configure makes a new model of one that was asked, whatever it had seen", false,
		func(s *suite, p *probe, events, want []uint64) {
			p.ask(events[:len(events)/s.layout.In.Words/2*s.layout.In.Words])
			p.configure()
			s.equal(want, p.ask(events))
		}),
	drawn("separate", "two clients that ask in turns do not share a model", true,
		func(s *suite, p *probe, events, want []uint64) {
			s.with((*suite).ready, func(q *probe) {
				var got, other []uint64
				iw := s.layout.In.Words
				for i := 0; i < len(events); i += iw {
					got = append(got, p.ask(events[i:i+iw])...)
					other = append(other, q.ask(events[i:i+iw])...)
				}
				within(func() { s.equal(want, other) }, "the second client: %w")
				s.equal(want, got)
			})
		}),
	drawn("controls", "control bits of an event other than valid are ignored", false,
		func(s *suite, p *probe, events, want []uint64) {
			var valid uint64
			for _, x := range s.ins() {
				valid |= x.Valid
			}
			for i := 0; i < len(events); i += s.layout.In.Words {
				events[i] |= s.layout.In.ControlMask() &^ valid
			}
			s.equal(want, p.ask(events))
		}),
	{name: "describe/layout", needs: "describe", expect: "described lists every control bit and field of the schema, " +
		"in its order", on: (*suite).greeted, run: func(s *suite, p *probe) {
		p.send(wire.TypeDescribe, nil)
		m := decoded[wire.Described](p.expect(wire.TypeDescribed))
		if m.In != wire.RecordText(&s.layout.In) || m.Out != wire.RecordText(&s.layout.Out) {
			fail("the lines are not those of the schema: in %.200q, out %.200q", m.In, m.Out)
		}
	}},
}

// equal compares responses to the bit.
func (s *suite) equal(want, got []uint64) {
	n := s.layout.Out.Words
	if len(want) != len(got) {
		fail("%d responses, not %d", len(got)/n, len(want)/n)
	}
	for i := 0; i < len(want); i += n {
		if !slices.Equal(want[i:i+n], got[i:i+n]) {
			fail("response %d is %x, not %x", i/n, got[i:i+n], want[i:i+n])
		}
	}
}

var clientChecks = []check{
	recorded("clients/separate", "step", "two clients at once do not share a model",
		func(s *suite, p *probe, r *reference) {
			s.beside(p, r, func() {
				s.with((*suite).ready, func(q *probe) {
					var got []uint64
					within(func() { got = q.step(wire.Step{Cycles: r.cycles}, r.in) }, "the second client: %w")
					s.same(r.out, got)
				})
			})
		}),
	recorded("clients/undisturbed", "step", "a client that breaks the protocol, or leaves, disturbs no other",
		func(s *suite, p *probe, r *reference) {
			s.beside(p, r, func() {
				s.with((*suite).connect, func(q *probe) {
					q.raw([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
					q.failed("magic")
				})
			})
		}),
	{name: "clients/next", expect: "a client that left without a word makes room for the next",
		run: func(s *suite, _ *probe) {
			for range 4 {
				s.with((*suite).ready, func(*probe) {})
			}
		}},
}

// beside runs part of the recording, then meanwhile, then the rest.
func (s *suite) beside(p *probe, r *reference, meanwhile func()) {
	iw, h := s.layout.In.Words, r.half()
	got := p.step(wire.Step{Cycles: h}, r.in[:h*iw])
	meanwhile()
	rest := p.step(wire.Step{Cycles: r.cycles - h}, r.in[h*iw:])
	within(func() { s.same(r.out, append(got, rest...)) },
		"%[2]w, with another client in between (from cycle %[1]d on)", len(got)/s.layout.Out.Words)
}
