package trace

import (
	"context"
	"errors"
	"slices"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/explain/wave"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// first keeps the first event of an episode, unless another is given.
type first struct {
	play.Idle
	item *stim.Item
}

func (f *first) Accept(_ uint64, s int, in []uint64, _ bool) {
	if f.item == nil {
		f.item = &stim.Item{Lane: s, Words: slices.Clone(in)}
	}
}

// Lockstep plays the episode that the player has begun, on its model and on the design, which has just been restarted.
// In the window it goes cycle by cycle. If an error of its own stops the design, the model goes on. The wave shows the
// state of the context of one event, concern; nil stands for the first event of the episode.
func Lockstep(ctx context.Context, dev *client.Session, p *play.Player, l *event.Layout, b *event.Block, w Window,
	concern *stim.Item, to *wave.Wave) (err error) {
	defer play.Guard(&err)
	if err := dev.Trace(w.Dump, w.From, w.Cycles); err != nil {
		return err
	}
	x := &stepped{dev: dev, p: p, to: to, about: &first{item: concern}, words: make([]uint64, len(b.Words)),
		controls: l.Out.ControlMask()}
	x.all = x.outputs(func(*play.Port) bool { return true })
	p.Watch(x.about)
	if err := x.up(ctx, w.From); err != nil {
		return err
	}
	in, want := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	for n := p.Cycles; w.in(n) && p.More(in); n = p.Cycles {
		p.Cycle(in, want)
		if err := x.show(ctx, n, in, want); err != nil {
			return err
		}
	}
	if err := x.edge(dev.End()); err != nil {
		return err
	}
	x.release()
	if err := p.Broken(); err != nil {
		return err
	}
	return dev.Trace("", 0, 0)
}

// stepped is a design that is stepped beside the model.
type stepped struct {
	dev      *client.Session
	p        *play.Player
	to       *wave.Wave
	about    *first
	controls uint64   // the bits of every output that are controls
	all      []uint64 // the bits of every output
	words    []uint64 // state words
	stopped  bool     // by an error of the RTL
	// held is the last cycle. It is added with the next one, because an error of the RTL at the clock edge that ends it
	// is known only then.
	held *wave.Cycle
}

// up plays the cycles before the window.
func (x *stepped) up(ctx context.Context, from uint64) error {
	const chunk = 1024
	var in []uint64
	rec, want := make([]uint64, x.p.InWords), make([]uint64, x.p.OutWords)
	for x.p.Cycles < from && x.p.More(rec) {
		x.p.Cycle(rec, want)
		in = append(in, rec...)
		if len(in) < chunk*x.p.InWords && x.p.Cycles < from {
			continue
		}
		if _, err := x.step(ctx, in); err != nil {
			return err
		}
		in = in[:0]
	}
	return nil
}

// step steps the design and returns its outputs, nil once it has stopped.
func (x *stepped) step(ctx context.Context, in []uint64) ([]uint64, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if x.stopped {
		return nil, nil
	}
	out := make([]uint64, len(in)/x.p.InWords*x.p.OutWords)
	err := x.edge(x.dev.Step(in, out))
	if x.stopped {
		return nil, err
	}
	return out, err
}

// edge notes that the RTL stopped at the clock edge that ended the held cycle, and returns any other error.
func (x *stepped) edge(err error) error {
	var rtl *client.RTLError
	if !errors.As(err, &rtl) {
		return err
	}
	x.stopped = true
	if x.held != nil {
		x.to.Failed(x.held.N, rtl.Text)
	}
	return nil
}

// show steps the design through a cycle and adds it to the wave.
func (x *stepped) show(ctx context.Context, n uint64, in, want []uint64) error {
	c := &wave.Cycle{N: n, In: slices.Clone(in), Want: slices.Clone(want), Known: x.all}
	var err error
	if c.Got, err = x.step(ctx, in); err != nil {
		return err
	}
	if c.Got != nil {
		// The device compares every control, and the fields under a valid that is wanted. That holds for a bound design
		// too: a design compared cycle by cycle may leave no field out. A constant of its map is compared too, although it
		// does not count as a compared field.
		c.Compared = x.outputs(func(o *play.Port) bool { return o.Offered(want) })
	}
	if m, ok := x.p.Model.(event.Stateful); ok && x.about.item != nil {
		if name := m.StateOf(x.about.item.Lane, x.about.item.Words, x.words); name != "" {
			c.State, x.to.Concern = slices.Clone(x.words), name
		}
	}
	x.release()
	x.held = c
	return nil
}

func (x *stepped) release() {
	if x.held != nil {
		x.to.Cycle(x.held)
	}
}

// outputs returns the bits of every control, and of the fields of some outputs.
func (x *stepped) outputs(some func(*play.Port) bool) []uint64 {
	mask := make([]uint64, x.p.OutWords)
	mask[0] = x.controls
	for i := range x.p.Outs {
		if o := &x.p.Outs[i]; some(o) {
			for k, m := range o.Mask {
				mask[k] |= m
			}
		}
	}
	return mask
}

// Window is the part of an episode that a wave shows.
type Window struct {
	Dump         string // file for the signals of the design
	From, Cycles uint64
}

// Cycles of a wave before and after a failing one, and in the wave of an episode that the user asked for.
const (
	before, after = 200, 40
	whole         = 2000
)

// Around is the window around a cycle.
func Around(at uint64) Window {
	from := at - min(at, before)
	return Window{From: from, Cycles: at + after - from}
}

// Beginning is the window at the start of an episode.
func Beginning() Window { return Window{Cycles: whole} }

// in reports whether the window has a cycle.
func (w *Window) in(n uint64) bool { return n >= w.From && n < w.From+w.Cycles }
