package run

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// port is one stream: its valid and ready in word 0, one of them in the input and the other in the output
// record. A stream with a field last carries packets; its transfers count as events only where last is set.
type port struct {
	name         string
	valid, ready uint64
	last         *event.Slot
	lastWord     int    // of a record
	lastMask     uint64 // in that word; 0 without the field
	fields       uint64 // of an output stream: those that a transfer is compared by
}

func portOf(name string, valid, ready uint64, last *event.Slot) port {
	p := port{name: name, valid: valid, ready: ready, last: last}
	if last != nil {
		p.lastWord, p.lastMask = last.Word, 1<<last.Bit
	}
	return p
}

// ends reports whether a transfer ends an event.
func (p *port) ends(rec []uint64) bool { return p.lastMask == 0 || rec[p.lastWord]&p.lastMask != 0 }

// ports holds the streams of a block in the order of its schema, inputs before outputs. The bits of their valids and
// readies in word 0 are in that order, too: those of an input record from bit 1 on, after rst_n, those of an output
// record from bit 0 on. So one AND finds all transfers of a cycle.
type ports struct {
	inWords, outWords int
	rstN              uint64
	ins, outs         []port
	inSet, outSet     uint64 // the bits of the streams in an output record
}

func portsOf(b *event.Block, l *event.Layout) ports {
	p := ports{inWords: l.In.Words, outWords: l.Out.Words, rstN: l.In.Control("rst_n")}
	for _, s := range b.StreamsOf(event.In) {
		p.ins = append(p.ins, portOf(s.Name, l.In.Control(s.Name+"_valid"), l.Out.Control(s.Name+"_ready"),
			l.In.Slot(s.Name, "last")))
		p.inSet |= l.Out.Control(s.Name + "_ready")
	}
	for _, s := range b.StreamsOf(event.Out) {
		p.outs = append(p.outs, portOf(s.Name, l.Out.Control(s.Name+"_valid"), l.In.Control(s.Name+"_ready"),
			l.Out.Slot(s.Name, "last")))
		p.outs[len(p.outs)-1].fields = elastic.CountFields(&l.Out, s.Name, nil)
		p.outSet |= l.Out.Control(s.Name + "_valid")
	}
	return p
}

// observer is called with what happens at the ports. The records are valid only during the call.
type observer interface {
	// begin is the start of an episode.
	begin(ep *stim.Episode)
	// reset is a cycle with rst_n low.
	reset(n uint64)
}

// clocked is an observer that is also called in every cycle.
type clocked interface {
	// cycle is one clock cycle, after the handshakes in it were reported.
	cycle(n uint64, in, out []uint64)
}

// listener is an observer that is also called for every transfer.
type listener interface {
	// accept is a transfer on input stream s in cycle n, respond one on output stream s; ends says that it
	// completes an event or a response. What a reset swallowed gives no response.
	accept(n uint64, s int, in []uint64, ends bool)
	respond(n uint64, s int, out []uint64, ends bool)
}

// player plays episodes through the model and reports what happens at its ports.
type player struct {
	ports
	twin   event.Model
	driver *drive.Driver
	obs    []observer
	clock  []clocked  // those of obs that are clocked
	listen []listener // and those that listen

	cycles, events, responses uint64          // totals
	given                     report.Compared // by the model, for the device to agree with; since begin

	most   uint64 // cycles of the episode at most; 0: any number
	broken error  // the model stalls

	rule  *wire.Rule
	first uint64      // cycles before the episode
	sum   wire.Digest // of its outputs so far, taken the way the device takes that of its own; stream only
}

func newPlayer(b *event.Block, l *event.Layout, twin event.Model, obs ...observer) *player {
	p := &player{ports: portsOf(b, l), twin: twin, driver: drive.NewDriver(l), rule: wire.NewRule(b, l)}
	for _, o := range obs {
		p.watch(o)
	}
	return p
}

// watch adds an observer.
func (p *player) watch(o observer) {
	p.obs = append(p.obs, o)
	if x, ok := o.(clocked); ok {
		p.clock = append(p.clock, x)
	}
	if x, ok := o.(listener); ok {
		p.listen = append(p.listen, x)
	}
}

// begin starts an episode.
func (p *player) begin(ep *stim.Episode) {
	p.driver.Begin(ep)
	p.first, p.sum, p.broken, p.given = p.cycles, 0, nil, report.Compared{}
	for _, o := range p.obs {
		o.begin(ep)
	}
}

// more decides the inputs of the next cycle; it returns false when the episode is over, or the model stalls.
func (p *player) more(in []uint64) bool {
	if p.most > 0 && p.cycles-p.first >= p.most {
		return false
	}
	if p.driver.Stalled() {
		p.broken = &errModel{fmt.Sprintf("the model stalls in cycle %d: %s", p.cycles-p.first, p.driver)}
		return false
	}
	return p.driver.Drive(in)
}

// cycle plays the cycle that more decided.
func (p *player) cycle(in, out []uint64) {
	p.twin.Cycle(in, out)
	p.driver.Observe(out)
	p.observe(in, out)
	p.cycles++
}

func (p *player) observe(in, out []uint64) {
	n := p.cycles
	if in[0]&p.rstN == 0 {
		for _, o := range p.obs {
			o.reset(n)
		}
	} else {
		moved := in[0] >> 1 & out[0]
		for set := moved & p.outSet; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set) - len(p.ins)
			ends := p.outs[i].ends(out)
			p.given.Fields += p.outs[i].fields
			if ends {
				p.responses++
				p.given.Responses++
			}
			for _, o := range p.listen {
				o.respond(n, i, out, ends)
			}
		}
		for set := moved & p.inSet; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			ends := p.ins[i].ends(in)
			if ends {
				p.events++
			}
			for _, o := range p.listen {
				o.accept(n, i, in, ends)
			}
		}
	}
	for _, o := range p.clock {
		o.cycle(n, in, out)
	}
}

// look is how many cycles pass between two looks at the context: few, as a simulated network may need long for the
// events of each.
const look = 1 << 10

// stream plays the episode begun to its end, or until the device has found a difference, in batches that submit
// hands over. It also returns nil where it stopped because of a difference: the device's outcome holds it.
func (p *player) stream(ctx context.Context, dev *device, submit func(*client.Batch) error) (err error) {
	defer guard(&err)
	for {
		b, err := dev.get(ctx)
		if err == errStreamFailed {
			return nil
		}
		if err != nil {
			return err
		}
		for !b.Full() {
			in, out := b.Next()
			if !p.more(in) {
				b.Undo()
				return cmp.Or(submit(b), p.broken)
			}
			p.cycle(in, out)
			p.sum = p.rule.Digest(p.sum, out)
			if p.cycles%look == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if err := submit(b); err != nil {
			return err
		}
	}
}
