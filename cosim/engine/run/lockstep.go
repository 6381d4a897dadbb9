package run

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// lockstep is a run whose model runs ahead of the design, cycle by cycle.
type lockstep struct {
	*engine
	play   *play.Player
	watch  *watch.All
	played uint64 // cycles of earlier passes
}

func (e *lockstep) start(ctx context.Context) (err error) {
	if e.cfg.ModelOnly {
		return nil
	}
	if err := e.startDevice(ctx); err != nil || e.cfg.Bind == nil {
		return err
	}
	return e.dev.Probe(e.cfg.Bind)
}

func (e *lockstep) begun() bool { return e.play != nil }

// settle counts again: the model ran ahead of the failure by an amount that depends on the machine. A second pass
// without the device makes every count reproducible.
func (e *lockstep) settle(ctx context.Context, f *failure) (b besides) {
	e.cfg.say("mismatch in %s at cycle %d, counting the events up to it", f.name, f.at)
	b.lost = e.watch.Packets.Check() // frames that could not be written
	if err := e.recount(ctx); err != nil {
		b.notes = append(b.notes, "counts are of a part of the run only: "+err.Error())
	}
	for i := range e.failures {
		e.compared.Add(e.differing(&e.failures[i]))
	}
	b.beside = e.watch.Beside()
	return b
}

func (e *lockstep) count(res *report.Result) {
	res.Events, res.Cycles, res.Responses = e.play.Events, e.play.Cycles, e.play.Responses
	res.Cases = e.watch.Cases.Table()
	e.fail(e.watch.Cases)
	e.watch.Fill(res)
}

func (e *lockstep) message(*failure) string { return " differs" }

func (e *lockstep) check() error { return e.watch.Check() }

func (e *lockstep) close() {}

// fresh creates a model and its observers. If it fails, the previous ones stay, with their counts.
func (e *lockstep) fresh() error {
	model, err := play.NewModel(e.kind, e.params)
	if err != nil {
		return err
	}
	before := e.played
	if e.play != nil {
		e.played += e.play.Cycles
	}
	watched, err := watch.New(watch.Spec{Block: e.kind.Schema, Layout: e.judge.Layout(), Params: e.params,
		Source: e.cfg.Source, Seed: e.cfg.Seed, TickPs: e.cfg.tickPs(), Float: !e.cfg.FloatOff, Frames: e.cfg.Frames,
		Played: e.played})
	if err != nil {
		e.played = before
		return err
	}
	e.watch = watched
	e.play = play.New(e.kind.Schema, e.judge.Layout(), model)
	e.watch.Watch(e.play)
	if b := e.cfg.Bind; b != nil {
		e.play.Uncount(e.judge.Layout(), b.Uncounted())
	}
	return nil
}

// all plays the whole source. Random and fabric sources end at the first failing episode. Directed cases all run, so
// that each gets its verdict.
func (e *lockstep) all(ctx context.Context) error {
	skip := 0
	for {
		if err := e.fresh(); err != nil {
			return err
		}
		failed, err := e.from(ctx, skip)
		if err != nil || failed == nil {
			return err
		}
		e.failures = append(e.failures, *failed)
		if !e.more() {
			return nil
		}
		skip = failed.index + 1
	}
}

// from plays the source starting at episode number skip, and returns the first failure.
func (e *lockstep) from(ctx context.Context, skip int) (f *failure, err error) {
	err = e.each(func(index int, ep *stim.Episode) (bool, error) {
		if index < skip {
			return true, nil
		}
		f, err = e.episode(ctx, ep, index)
		return f == nil, e.at(ctx, ep.Name, index, err)
	})
	return f, err
}

// episode plays one episode on its own simulation object. Each starts with other random register and memory contents,
// drawn from the run's seed and the episode's name, so that a dependence on them is noticed and the episode alone
// repeats exactly.
func (e *lockstep) episode(ctx context.Context, ep *stim.Episode, index int) (*failure, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // also before a short episode: it may be the only one
	}
	e.episodes++
	e.play.Begin(ep)
	if e.dev == nil {
		return nil, e.alone(ctx)
	}
	if err := e.side().Restart(e.seed(ep.Name)); err != nil {
		return nil, err
	}
	if err := e.play.Stream(ctx, progress{e.side(), e}); err != nil {
		return e.beside(ep.Name, index, err)
	}
	f, err := e.endEpisode(ep.Name, index)
	if w := e.watch.Packets; w != nil && err == nil {
		if f != nil {
			w.Confirm(e.play.First + f.at)
		} else {
			w.Confirm(e.play.Cycles)
		}
	}
	return f, err
}

// beside returns the failure that the device had before the model, which runs ahead of it, broke; or else the model's
// error.
func (e *lockstep) beside(episode string, index int, err error) (*failure, error) {
	var model *play.ModelError
	if !errors.As(err, &model) {
		return nil, err
	}
	f, _ := e.endEpisode(episode, index)
	if f == nil {
		return nil, err
	}
	f.beside = err
	return f, nil
}

// endEpisode waits for the cycles in flight and adds their digest. A device that reports agreement must have compared
// every cycle and seen the outputs that the model gave.
func (e *lockstep) endEpisode(name string, index int) (*failure, error) {
	out, err := e.side().Finish()
	switch {
	case err != nil:
		return nil, err
	case out.RTL != nil && e.cfg.Bind != nil && e.dev.Settles(out.RTL.Text) != nil:
		return nil, e.dev.Settles(out.RTL.Text)
	case out.Failed():
		return &failure{index: index, name: name, at: out.FailedAt(), out: out}, nil
	case out.Cycles != e.play.Played():
		return nil, fmt.Errorf("episode %s: %d cycles were sent and the device compared %d: the bridge lost cycles", name,
			e.play.Played(), out.Cycles)
	case out.Digest != e.play.Sum:
		return nil, fmt.Errorf("episode %s: the device found no difference, but its outputs have the digest %016x and the "+
			"model's %016x: its compare is broken",
			name, uint64(out.Digest), uint64(e.play.Sum))
	}
	e.digest = bits.RotateLeft64(e.digest, 7) ^ uint64(out.Digest)
	e.compared.Add(e.play.Given) // it has compared all of these outputs, as their number and digest show
	return nil, nil
}

// alone plays the rest of an episode without a device.
func (e *lockstep) alone(ctx context.Context) (err error) {
	defer play.Guard(&err)
	in, out := make([]uint64, e.play.InWords), make([]uint64, e.play.OutWords)
	for n := 1; e.play.More(in); n++ {
		if n%play.Look == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n&0xFFFF == 0 {
			e.progress()
		}
		e.play.Cycle(in, out)
	}
	return e.play.Broken()
}

func (e *lockstep) progress() {
	if e.cfg.Progress != nil {
		e.cfg.Progress(e.play.Events, e.cfg.Events)
	}
}

// progress is a device that reports the run's progress with each batch.
type progress struct {
	device.Side
	e *lockstep
}

func (p progress) Submit(b *client.Batch) error {
	p.e.progress()
	return p.Side.Submit(b)
}

// recount plays the source again without the device, up to the end of the first failing episode or, for directed cases,
// to the end of the source.
func (e *lockstep) recount(ctx context.Context) error {
	e.cfg.Frames = nil // they were written in the first pass
	if err := e.fresh(); err != nil {
		return err
	}
	dev := e.dev
	e.dev, e.episodes = nil, 0
	agreed := &tally{of: e.play}
	e.play.Watch(agreed)
	defer func() {
		e.dev = dev
		e.compared.Add(agreed.given)
	}()
	return e.each(func(index int, ep *stim.Episode) (bool, error) {
		at := slices.IndexFunc(e.failures, func(f failure) bool { return f.index == index })
		if agreed.on = at >= 0; agreed.on {
			agreed.until = e.failures[at].at
		}
		_, err := e.episode(ctx, ep, index)
		return e.more() || index != e.failures[0].index, err
	})
}

// tally counts the comparisons that agreed in failing episodes: the transfers before the differing cycle.
type tally struct {
	play.Still
	of    *play.Player
	until uint64 // differing cycle of the episode
	on    bool   // in a failing episode
	given report.Compared
}

func (t *tally) Cycle(n uint64, in, out []uint64) {
	if !t.on || n-t.of.First >= t.until || in[0]&t.of.RstN == 0 {
		return
	}
	for i := range t.of.Outs {
		if o := &t.of.Outs[i]; out[0]&o.Valid != 0 && in[0]&o.Ready != 0 {
			t.given.Add(o.Compared(out))
		}
	}
}

// differing returns the number of comparisons in the differing cycle: everything that either side shows there, taken or
// not. A response that the model does not give has no fields to compare with.
func (e *lockstep) differing(f *failure) (c report.Compared) {
	if f.out.RTL != nil || f.out.Mismatch == nil {
		return c // an assertion stopped the design
	}
	want, got := outputs(f.out.Mismatch, e.play.OutWords)
	for i := range e.play.Outs {
		switch o := &e.play.Outs[i]; {
		case want[0]&o.Valid != 0:
			c.Add(o.Compared(want))
		case got[0]&o.Valid != 0 && o.Ends(got):
			c.Responses++
		}
	}
	return c
}
