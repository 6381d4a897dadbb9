package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// describe fills in the differences and the event, as far as the model can be played up to them.
func (e *lockstep) describe(ctx context.Context, m *report.Mismatch, f *failure) bool {
	e.cfg.say("mismatch in %s at cycle %d, repeating it", f.name, f.at)
	var err error
	if f.rec, err = e.recorded(ctx, f); err != nil {
		m.AddNote("the mismatch is not explained further: " + err.Error())
		f.rec = nil
	}
	if f.rec != nil {
		if all := e.eventsAt(f.rec, f.at, &f.out); len(all) > 0 {
			f.reply = &all[0]
		}
	}
	if err := e.show(m, &f.out, f.at, f.rec); err != nil {
		m.AddNote("the event is not known: " + err.Error())
	}
	var p *play.Player
	if f.rec != nil {
		if p, err = e.playerOf(f.rec.Episode(e.cfg.Block)); err != nil {
			p = nil // show reports the error
		}
	}
	e.why(ctx, m, f, p)
	return f.rec != nil
}

// record returns the recording that describe made.
func (e *lockstep) record(_ context.Context, f *failure) (*play.Recording, error) { return f.rec, nil }

// recorded plays the failing episode on the model alone and keeps every item that the driver had taken from it by the
// failing cycle. Items that still wait then, on one stream or after those of another, decide what that and earlier
// cycles show, so none may be left out.
func (e *lockstep) recorded(ctx context.Context, f *failure) (rec *play.Recording, err error) {
	err = e.inEpisode(f.name, f.index, func(ep *stim.Episode) error {
		rec, err = e.recordUntil(ctx, ep, f.at)
		return err
	})
	return rec, err
}

// recordUntil plays an episode on a fresh model through cycle at and returns the items taken by then.
func (e *lockstep) recordUntil(ctx context.Context, ep *stim.Episode, at uint64) (*play.Recording, error) {
	rec := play.NewRecording(ep)
	p, err := e.playerOf(ep)
	if err != nil {
		return nil, err
	}
	return rec, p.Until(ctx, at+1, nil)
}

// playerOf returns a player on a fresh model at the start of an episode.
func (e *lockstep) playerOf(ep *stim.Episode, obs ...play.Observer) (*play.Player, error) {
	model, err := play.NewModel(e.kind, e.params)
	if err != nil {
		return nil, err
	}
	p := play.New(e.kind.Schema, e.judge.Layout(), model, obs...)
	p.Begin(ep)
	return p, nil
}

// handshake labels the difference of a cycle as a handshake violation, and reports whether it is one.
func (e *lockstep) handshake(m *report.Mismatch, before, now elastic.Cycle) bool {
	stream, how := elastic.Broke(e.kind.Schema, before, now)
	if stream < 0 {
		return false
	}
	spec := elastic.DefaultSpec(e.kind.Schema)
	if e.cfg.Bind != nil {
		spec = device.Elastic(e.cfg.Bind)
	}
	name := e.kind.Schema.StreamsOf(event.Out)[stream].Name
	var changed []score.Difference
	for _, d := range e.judge.Diff(before.Out, now.Out) {
		if how == elastic.Altered && d.Stream == name || how == elastic.Withdrawn && d.Name == name+"_valid" {
			changed = append(changed, d)
		}
	}
	broken(m, &spec, name, how, changed, nil)
	return true
}

// handshakeOnly reports whether only valid and ready bits differ.
func (e *lockstep) handshakeOnly(fields []report.Field) bool {
	return !slices.ContainsFunc(fields, func(f report.Field) bool { return e.judge.Layout().Out.Control(f.Name) == 0 })
}

// try plays a recording on model and device.
func (e *lockstep) try(ctx context.Context, rec *play.Recording, most uint64) (attempt, error) {
	if err := e.dev.Restart(e.seed(rec.Name)); err != nil {
		return attempt{}, err
	}
	p, err := e.playerOf(rec.Episode(e.cfg.Block))
	if err != nil {
		return attempt{}, err
	}
	p.Most = most
	broken := p.Stream(ctx, e.dev)
	var model *play.ModelError
	if broken != nil && !errors.As(broken, &model) {
		return attempt{cycles: p.Cycles}, broken
	}
	out, err := e.dev.Finish()
	a := attempt{failed: err == nil && out.Failed(), cycles: p.Cycles}
	if a.failed {
		a.at, a.why = out.FailedAt(), e.reasonOf(&out)
	} else if err == nil {
		err = broken
	}
	return a, err
}

// again requires a failure in the same cycle.
func (e *lockstep) again(f *failure, a *attempt) error {
	if a.failed && a.at == f.at {
		return nil
	}
	return fmt.Errorf("episode %s differed at cycle %d, but not when repeated: %w", f.name, f.at, ErrNotRepeated)
}

func (e *lockstep) harmless(error) bool { return false }

// show fills in the fields that differ at the failing cycle and the cycles around it.
func (e *lockstep) show(m *report.Mismatch, out *device.Outcome, at uint64, rec *play.Recording) (err error) {
	defer play.Guard(&err) // of the model, which is played again
	if rec != nil {
		m.Event = e.eventAt(rec, at, out)
	}
	broke := false
	defer func() {
		if !broke && e.handshakeOnly(m.Fields) {
			m.Event = "" // the difference belongs to no response
		}
	}()
	if out.RTL != nil {
		m.Fields = []report.Field{{Name: "assertion", Want: "holds", Got: out.RTL.Text}}
		return nil
	}
	l := e.judge.Layout()
	w := out.Mismatch
	n := len(w.In) / l.In.Words
	for i := range n {
		cycle := w.From + uint64(i)
		in := w.In[i*l.In.Words : (i+1)*l.In.Words]
		want := w.Want[i*l.Out.Words : (i+1)*l.Out.Words]
		got := w.Got[i*l.Out.Words : (i+1)*l.Out.Words]
		diff := e.judge.Diff(want, got)
		if cycle == w.Cycle {
			m.Fields = fieldsOf(diff)
			if rec != nil {
				e.locate(m, rec, at, diff, want)
			}
			if i > 0 {
				before := elastic.Cycle{In: w.In[(i-1)*l.In.Words : i*l.In.Words], Out: w.Got[(i-1)*l.Out.Words : i*l.Out.Words]}
				broke = e.handshake(m, before, elastic.Cycle{In: in, Out: got})
			}
		}
		if cycle+windowBefore < w.Cycle || cycle > w.Cycle+windowAfter {
			continue
		}
		m.Window = append(m.Window, report.Row{
			Cycle: cycle - w.Cycle + at, Inputs: named(e.judge.Inputs(in)),
			Want: named(e.judge.Outputs(want)), Got: named(e.judge.Outputs(got)), Differ: len(diff) > 0,
		})
	}
	return nil
}

// at adds the episode's name to an error and, for a device that hangs or exits, the event at which it does.
func (e *lockstep) at(ctx context.Context, episode string, index int, err error) error {
	switch {
	case err == nil || ctx.Err() != nil || e.dev == nil:
		return err
	case stopped(err):
		if where := e.stopsAt(ctx, episode, index); where != "" {
			return fmt.Errorf("episode %s, %s: %w", episode, where, err)
		}
	}
	return fmt.Errorf("episode %s: %w", episode, err)
}

// stopped reports whether an error means that the device hung, exited or was stopped by its RTL.
func stopped(err error) bool {
	var rtl *client.RTLError
	return errors.Is(err, wire.ErrDUTHung) || errors.Is(err, wire.ErrDUTExited) || errors.Is(err, wire.ErrRTL) ||
		errors.As(err, &rtl)
}

// stopsAt plays an episode again on a new device, cycle by cycle, until the device hangs or exits. It returns the last
// event offered before the clock edge at which that happens, and the cycle that this edge ends; "" if the device does
// neither this time. A device answers ahead of the edge, so only the next step notices.
func (e *lockstep) stopsAt(ctx context.Context, episode string, index int) (where string) {
	defer func() {
		if recover() != nil { // the model broke too
			where = ""
		}
	}()
	_ = e.inEpisode(episode, index, func(ep *stim.Episode) error { // without the place there is still the error
		where = stopsIn(ctx, e, ep)
		return nil
	})
	return where
}

func stopsIn(ctx context.Context, e *lockstep, ep *stim.Episode) string {
	p, err := e.playerOf(ep)
	if err != nil {
		return ""
	}
	dev, err := device.Start(ctx, e.cfg.device(e.params))
	if err != nil {
		return ""
	}
	defer dev.Close()
	if dev.Restart(e.seed(ep.Name)) != nil {
		return ""
	}
	in, want, got := make([]uint64, p.InWords), make([]uint64, p.OutWords), make([]uint64, p.OutWords)
	what := "before any event was offered"
	for p.More(in) {
		was, number := what, p.Events
		p.Cycle(in, want)
		for i := range p.Ins {
			if in[0]&p.RstN != 0 && in[0]&p.Ins[i].Valid != 0 {
				what = fmt.Sprintf("event %d, %s", number, e.words(&stim.Item{Lane: i, Words: in}))
			}
		}
		if err := dev.Session.Step(in, got); stopped(err) {
			return fmt.Sprintf("%s, cycle %d", was, max(p.Cycles, 2)-2)
		} else if err != nil {
			return ""
		}
	}
	if stopped(dev.Session.End()) {
		return fmt.Sprintf("%s, cycle %d", what, p.Cycles-1)
	}
	return ""
}
