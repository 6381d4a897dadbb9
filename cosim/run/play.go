package run

import (
	"context"

	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/gen"
)

// ports holds the control bits of a block with one event and one response stream.
type ports struct {
	inWords, outWords int
	rstN, evValid     uint64 // of input records
	rspReady          uint64
	evReady, rspValid uint64 // of output records
}

func portsOf(l *event.Layout) ports {
	return ports{
		inWords: l.In.Words, outWords: l.Out.Words,
		rstN: l.In.Control("rst_n"), evValid: l.In.Control("ev_valid"), rspReady: l.In.Control("rsp_ready"),
		evReady: l.Out.Control("ev_ready"), rspValid: l.Out.Control("rsp_valid"),
	}
}

// observer is told what happens at the ports. The records are valid during the call only.
type observer interface {
	// begin is the start of an episode.
	begin(ep *gen.Episode)
	// cycle is one clock cycle, after the handshakes in it were reported.
	cycle(n uint64, in, out []uint64)
	// accept is an event taken in cycle n; respond is a response taken. Responses come in the order of
	// acceptance; what a reset swallowed gives none.
	accept(n uint64, ev []uint64)
	respond(n uint64, ev []uint64, accepted uint64, rsp []uint64)
	// reset is a cycle with rst_n low.
	reset(n uint64)
}

// inFlight is an event between acceptance and response.
type inFlight struct {
	ev       []uint64
	accepted uint64
}

// player plays episodes through the twin and reports what happens at its ports.
type player struct {
	ports
	twin   dut.Twin
	driver *gen.Driver
	obs    []observer

	ring       []inFlight // power of two, more than a block can hold
	head, tail uint64     // taken and accepted since the last reset

	in []uint64 // input record of the cycle being played

	cycles, events, responses uint64 // totals
}

// ringSize is more than the input FIFO and the credits of any block.
const ringSize = 1 << 12

func newPlayer(l *event.Layout, twin dut.Twin, obs ...observer) *player {
	p := &player{ports: portsOf(l), twin: twin, driver: gen.NewDriver(l.In.Words), obs: obs}
	p.in = make([]uint64, l.In.Words)
	p.ring = make([]inFlight, ringSize)
	words := make([]uint64, ringSize*l.In.Words)
	for i := range p.ring {
		p.ring[i].ev = words[i*l.In.Words : (i+1)*l.In.Words]
	}
	return p
}

// begin starts an episode.
func (p *player) begin(ep *gen.Episode) {
	p.driver.Begin(ep)
	p.head, p.tail = 0, 0
	for _, o := range p.obs {
		o.begin(ep)
	}
}

// more decides the inputs of the next cycle; it returns false when the episode is over.
func (p *player) more() bool { return p.driver.Drive(p.in) }

// cycle plays the cycle that more decided, into the two records.
func (p *player) cycle(in, out []uint64) {
	copy(in, p.in)
	p.twin.Cycle(in, out)
	p.driver.Observe(out)
	p.observe(in, out)
	p.cycles++
}

func (p *player) observe(in, out []uint64) {
	n := p.cycles
	if in[0]&p.rstN == 0 {
		p.head, p.tail = 0, 0
		for _, o := range p.obs {
			o.reset(n)
		}
	} else {
		if in[0]&p.rspReady != 0 && out[0]&p.rspValid != 0 {
			f := &p.ring[p.head%ringSize]
			p.head++
			p.responses++
			for _, o := range p.obs {
				o.respond(n, f.ev, f.accepted, out)
			}
		}
		if in[0]&p.evValid != 0 && out[0]&p.evReady != 0 {
			f := &p.ring[p.tail%ringSize]
			copy(f.ev, in)
			f.ev[0] &^= p.rstN | p.evValid | p.rspReady
			f.accepted = n
			p.tail++
			p.events++
			for _, o := range p.obs {
				o.accept(n, f.ev)
			}
		}
	}
	for _, o := range p.obs {
		o.cycle(n, in, out)
	}
}

// stream plays the episode begun to its end, or until the device has found a difference.
func (p *player) stream(ctx context.Context, dev *device) error {
	b, err := dev.get(ctx)
	for err == nil && p.more() {
		p.cycle(b.Next())
		if b.Full() {
			if err = dev.submit(b); err == nil {
				b, err = dev.get(ctx)
			}
		}
	}
	switch err {
	case nil:
		return dev.submit(b)
	case errStreamFailed:
		return nil
	}
	return err
}
