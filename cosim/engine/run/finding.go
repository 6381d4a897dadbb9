package run

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// judged turns a result into a mismatch if an observer found one. compared is set if the design agreed with the model
// to the end.
func (e *lockstep) judged(ctx context.Context, res *report.Result, compared bool) bool {
	all := e.watch.Findings()
	if len(all) == 0 {
		return false
	}
	f := all[0]
	m := &report.Mismatch{Seed: e.cfg.Seed, Reproduce: e.cfg.repeat(f.Episode)}
	if err := e.pin(ctx, f); err != nil {
		m.AddNote("the event is not known: " + err.Error())
	}
	f.Fill(m)
	m.FoundIn = "model"
	if compared && e.dev != nil {
		m.FoundIn = "model and rtl"
	}
	for i, g := range all[1:] {
		if i < watch.MostBeside {
			m.AddNote("beside it: " + g.Text)
		} else if i == watch.MostBeside {
			m.AddNote(fmt.Sprintf("and %d more", len(all)-1-i))
		}
		if g.By == watch.ByOutcomes {
			e.watch.Cases.Fail(g.Episode, func() string {
				return fmt.Sprintf("episode %s: %s; repeat it with: %s", g.Episode, g.Text, e.cfg.repeat(g.Episode))
			})
		}
	}
	if err := e.watch.Check(); err != nil {
		m.AddNote("beside it: " + err.Error())
	}
	f.Settle(res, e.watch.Cases, m)
	return true
}

// pin finds the event of a finding by playing the episode on another model and, for a coverage follower, also the cycle
// and the outputs.
func (e *lockstep) pin(ctx context.Context, f *watch.Finding) (err error) {
	defer play.Guard(&err)
	if f.By == watch.ByCoverage {
		if err := e.inEpisode(f.Episode, -1, func(ep *stim.Episode) error { return e.pinCover(ctx, ep, f) }); err != nil {
			return err
		}
	}
	return e.inEpisode(f.Episode, -1, func(ep *stim.Episode) error { return e.pinEvent(ctx, ep, f) })
}

func (e *lockstep) pinEvent(ctx context.Context, ep *stim.Episode, f *watch.Finding) error {
	if f.Input < 0 {
		rec, err := e.recordUntil(ctx, ep, f.At)
		if err == nil {
			f.Event = e.eventAt(rec, f.At, nil)
		}
		return err
	}
	p, err := e.playerOf(ep)
	if err != nil {
		return err
	}
	follow := following(p)
	if err := p.Until(ctx, f.At+1, nil); err != nil {
		return err
	}
	for i, words := range follow.events[f.Input] {
		if f.Pick(words) {
			f.Event = fmt.Sprintf("packet %d of %s", i, e.words(&stim.Item{Lane: f.Input, Words: words}))
		}
	}
	return nil
}

// pinCover plays an episode until a new coverage follower finds a difference.
func (e *lockstep) pinCover(ctx context.Context, ep *stim.Episode, f *watch.Finding) error {
	c, err := block.NewCollector(e.cfg.Block, e.params)
	if err != nil {
		return err
	}
	p, err := e.playerOf(ep)
	if err != nil {
		return err
	}
	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
	for p.More(in) {
		if p.Cycles%play.Look == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.Cycle(in, out)
		if c.Cycle(in, out); c.Differences() > 0 {
			f.At, f.Place = p.Cycles-1, ""
			f.Show(e.judge.Layout(), in, out, c.Difference(), e.outputs)
			return nil
		}
	}
	return fmt.Errorf("episode %s alone shows no difference", f.Episode)
}

func (e *lockstep) outputs(stream string, out []uint64) string {
	return e.judge.Describe(&e.judge.Layout().Out, stream, out)
}
