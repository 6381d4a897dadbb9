package conform

import "github.com/goldwire/goldwire/bridge/wire"

var requestChecks = []check{
	refused("configure/missing", "a request for the model before configure", "protocol", (*suite).greeted,
		func(p *probe) { p.raw(p.request()) }),
	bad("configure/reset-mode", "a reset mode that is not 0, 1 or 2", wire.TypeConfigure, "",
		map[string]int{"reset": 3}, 0),
	bad("configure/seed", "a seed beyond 32 bits", wire.TypeConfigure, "", map[string]int{"seed": 1 << 32}, 0),
	bad("step/none", "a step of no cycles", wire.TypeStep, "step", wire.Step{}, 0),
	bad("step/short", "a step with fewer records than it says", wire.TypeStep, "step", wire.Step{Cycles: 2}, 1),
	bad("step/long", "a step with more records than it says", wire.TypeStep, "step", wire.Step{Cycles: 1}, 2),
	bad("step/until-alone", "a step with until and no max", wire.TypeStep, "step", wire.Step{Cycles: 1, Until: 1}, 1),
	bad("step/max-alone", "a step with max and no until", wire.TypeStep, "step", wire.Step{Cycles: 1, Max: 5}, 1),
	bad("step/huge", "a step of more than 1,048,576 cycles", wire.TypeStep, "step",
		wire.Step{Cycles: 1, Until: 1, Max: 1<<20 + 1}, 1),
	bad("batch/none", "a batch of no cycles", wire.TypeBatch, "batch", wire.Batch{}, 0),
	bad("batch/short", "a batch with fewer records than it says", wire.TypeBatch, "batch", wire.Batch{Cycles: 5}, 0),
	bad("ask/none", "an ask of no events", wire.TypeAsk, "ask", wire.Ask{}, 0),
	bad("ask/short", "an ask with fewer records than it says", wire.TypeAsk, "ask", wire.Ask{Events: 2}, 1),
	bad("ask/no-valid", "an event without a valid bit", wire.TypeAsk, "ask", wire.Ask{Events: 1}, 1),
	unserved("step", wire.TypeStep, wire.Step{Cycles: 1}),
	unserved("batch", wire.TypeBatch, wire.Batch{Cycles: 1}),
	unserved("bench", wire.TypeBench, wire.Bench{File: "x", Reps: 1}),
	unserved("trace", wire.TypeTrace, wire.Trace{File: "x", Cycles: 1}),
	unserved("ask", wire.TypeAsk, wire.Ask{Events: 1}),
	unserved("describe", wire.TypeDescribe, nil),
	unserved("shm", wire.TypeConfigure, wire.Configure{Shm: "x", ShmLen: 4096}),
	refused("doorbell/none", "a doorbell without a mailbox", "protocol", (*suite).ready,
		func(p *probe) { p.send(wire.TypeDoorbell, nil) }),
	{name: "bye/answered", expect: "bye is answered by bye, then the stream ends", on: (*suite).ready,
		run: func(_ *suite, p *probe) {
			p.send(wire.TypeBye, nil)
			p.expect(wire.TypeBye)
			p.ended()
		}},
	{name: "bye/unsaid", expect: "a client that ends the stream between frames has said goodbye: the stream ends, " +
		"without an error", on: (*suite).ready, run: func(_ *suite, p *probe) {
		p.half()
		p.ended()
	}},
}

// bad checks that a request with wrong contents is refused. Its records are all 0.
func bad(name, what string, t wire.Type, needs string, ctrl any, records int) check {
	c := refused(name, what, "protocol", (*suite).ready, func(p *probe) {
		p.send(t, ctrl, make([]uint64, records*p.s.layout.In.Words)...)
	})
	c.needs = needs
	return c
}

// unserved checks a request that the server does not announce. A peer that is older than a request type does not know
// the type.
func unserved(name string, t wire.Type, ctrl any) check {
	return check{name: "unserved/" + name, expect: "a request that the hello does not announce: error unsupported, and " +
		"the conversation goes on; error protocol and the end where the type is unknown", run: func(s *suite, _ *probe) {
		if s.hello.Serves(name) {
			skip("the server serves %s", name)
		}
		s.with((*suite).ready, func(p *probe) {
			words := 0
			switch t {
			case wire.TypeAsk, wire.TypeStep:
				words = s.layout.In.Words
			case wire.TypeBatch:
				words = s.layout.In.Words + s.layout.Out.Words
			}
			p.send(t, ctrl, make([]uint64, words)...)
			switch m := p.failed("unsupported", "protocol"); {
			case m.Kind != "protocol":
				p.configure()
			case t <= wire.TypeBye:
				fail("error unsupported expected, not protocol (%s)", m.Text)
			default:
				p.ended()
			}
		})
	}}
}
