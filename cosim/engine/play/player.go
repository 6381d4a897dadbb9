package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Player plays episodes through the model and reports what happens at its ports.
type Player struct {
	Ports
	Model event.Model

	Cycles, Events, Responses uint64          // totals
	Given                     report.Compared // given by the model for the device to agree with; since Begin
	First                     uint64          // cycles before the episode
	Sum                       wire.Digest     // of the episode's outputs so far, computed as the device does; Stream only
	Most                      uint64          // most cycles of the episode; 0: no limit

	driver *drive.Driver
	obs    []Observer
	clock  []Clocked  // those of obs that are Clocked
	listen []Listener // those of obs that are Listeners
	enders []Ender    // those of obs that are Enders
	over   bool       // the episode was played to its end
	broken error      // set if the model stalls
	rule   *wire.Rule
}

// New returns a player on a model.
func New(b *event.Block, l *event.Layout, model event.Model, obs ...Observer) *Player {
	p := &Player{Ports: PortsOf(l), Model: model, driver: drive.NewDriver(l), rule: wire.NewRule(b, l)}
	for _, o := range obs {
		p.Watch(o)
	}
	return p
}

// Watch adds an observer.
func (p *Player) Watch(o Observer) {
	p.obs = append(p.obs, o)
	if x, ok := o.(Clocked); ok {
		p.clock = append(p.clock, x)
	}
	if x, ok := o.(Listener); ok {
		p.listen = append(p.listen, x)
	}
	if x, ok := o.(Ender); ok {
		p.enders = append(p.enders, x)
	}
}

// Begin starts an episode.
func (p *Player) Begin(ep *stim.Episode) {
	p.driver.Begin(ep)
	p.First, p.Sum, p.broken, p.over, p.Given = p.Cycles, 0, nil, false, report.Compared{}
	for _, o := range p.obs {
		o.Begin(p.First, ep)
	}
}

// Played returns how many cycles of the episode were played.
func (p *Player) Played() uint64 { return p.Cycles - p.First }

// Broken returns why the model gave no more cycles, or nil if the episode ended.
func (p *Player) Broken() error { return p.broken }

// More decides the inputs of the next cycle. It returns false when the episode is over or the model stalls.
func (p *Player) More(in []uint64) bool {
	if p.Most > 0 && p.Cycles-p.First >= p.Most {
		return false
	}
	if p.driver.Stalled() {
		p.broken = &ModelError{fmt.Sprintf("the model stalls in cycle %d: %s", p.Cycles-p.First, p.driver)}
		return false
	}
	if p.driver.Drive(in) {
		return true
	}
	if !p.over {
		p.over = true
		for _, o := range p.enders {
			o.End()
		}
	}
	return false
}

// Cycle plays the cycle that More decided.
func (p *Player) Cycle(in, out []uint64) {
	p.Model.Cycle(in, out)
	p.driver.Observe(out)
	p.observe(in, out)
	p.Cycles++
}

func (p *Player) observe(in, out []uint64) {
	n := p.Cycles
	if in[0]&p.RstN == 0 {
		for _, o := range p.obs {
			o.Reset(n)
		}
	} else {
		moved := in[0] >> 1 & out[0]
		for set := moved & p.outSet; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set) - len(p.Ins)
			ends := p.Outs[i].Ends(out)
			p.Given.Fields += p.Outs[i].Fields
			if ends {
				p.Responses++
				p.Given.Responses++
			}
			for _, o := range p.listen {
				o.Respond(n, i, out, ends)
			}
		}
		for set := moved & p.inSet; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			ends := p.Ins[i].Ends(in)
			if ends {
				p.Events++
			}
			for _, o := range p.listen {
				o.Accept(n, i, in, ends)
			}
		}
	}
	for _, o := range p.clock {
		o.Cycle(n, in, out)
	}
}

// Digest adds the outputs of a cycle to Sum.
func (p *Player) Digest(out []uint64) { p.Sum = p.rule.Digest(p.Sum, out) }

// Look is how many cycles pass between two checks of the context. It is small because a simulated network may take long
// to produce the events.
const Look = 1 << 10

// Sink takes the played cycles in batches. A device is a Sink.
type Sink interface {
	// Get returns an empty batch, or client.ErrStopped once the other end has found a difference.
	Get(ctx context.Context) (*client.Batch, error)
	// Submit hands a batch over.
	Submit(b *client.Batch) error
}

// Stream plays the rest of the episode, or until the other end finds a difference. In that case it returns nil too,
// because the device's outcome holds the difference.
func (p *Player) Stream(ctx context.Context, to Sink) (err error) {
	defer Guard(&err)
	for {
		b, err := to.Get(ctx)
		if errors.Is(err, client.ErrStopped) {
			return nil
		}
		if err != nil {
			return err
		}
		for !b.Full() {
			in, out := b.Next()
			if !p.More(in) {
				b.Undo()
				return cmp.Or(to.Submit(b), p.broken)
			}
			p.Cycle(in, out)
			p.Sum = p.rule.Digest(p.Sum, out)
			if p.Cycles%Look == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if err := to.Submit(b); err != nil {
			return err
		}
	}
}

// Until plays the episode up to cycle at or to its end. It calls each, which may be nil, with the records of each
// cycle.
func (p *Player) Until(ctx context.Context, at uint64, each func(in, out []uint64)) (err error) {
	defer Guard(&err)
	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	for p.Cycles < at && p.More(in) {
		if p.Cycles&0xFFFF == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.Cycle(in, out)
		if each != nil {
			each(in, out)
		}
	}
	return p.broken
}

// Observer is called with what happens at the ports. Records are valid only during the call.
type Observer interface {
	// Begin is called at the start of an episode, before cycle n.
	Begin(n uint64, ep *stim.Episode)
	// Reset is called for a cycle with rst_n low.
	Reset(n uint64)
}

// Clocked is an Observer that is also called in every cycle.
type Clocked interface {
	// Cycle is called for each clock cycle, after its handshakes were reported.
	Cycle(n uint64, in, out []uint64)
}

// Listener is an Observer that is also called for every transfer.
type Listener interface {
	// Accept is called for a transfer on input stream s in cycle n, Respond for one on output stream s. ends is set if the
	// transfer completes an event or a response. An event lost by a reset gets no response.
	Accept(n uint64, s int, in []uint64, ends bool)
	Respond(n uint64, s int, out []uint64, ends bool)
}

// Ender is an Observer that is also called when an episode was played to its end, but not when it breaks off.
type Ender interface {
	// End is called once, after the last cycle.
	End()
}

// Still is an Observer that ignores everything; others embed it and override what they need.
type Still struct{}

// Begin does nothing.
func (Still) Begin(uint64, *stim.Episode) {}

// Reset does nothing.
func (Still) Reset(uint64) {}

// Idle also ignores transfers.
type Idle struct{ Still }

// Accept does nothing.
func (Idle) Accept(uint64, int, []uint64, bool) {}

// Respond does nothing.
func (Idle) Respond(uint64, int, []uint64, bool) {}
