package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// Cycles shown and dumped around the first differing one.
const windowBefore, windowAfter = 4, 3

// attempt is a recording played on model and device.
type attempt struct {
	out    device.Outcome
	cycles uint64
}

// explain describes the failure in the result's mismatch, hands the result out, and looks for a short list of events
// that still fails. The error is that of a failure that does not repeat; all else that goes wrong is a note.
func (e *engine) explain(ctx context.Context, res *report.Result, f *failure, took time.Duration) error {
	m := res.FirstMismatch
	e.cfg.say("mismatch in %s at cycle %d, repeating it", f.name, f.at)
	rec, err := e.record(ctx, f)
	if err != nil {
		m.AddNote("the mismatch is not explained further: " + err.Error())
		rec = nil
	}
	if err := e.describe(m, &f.out, f.at, rec); err != nil {
		m.AddNote("the event is not known: " + err.Error())
	}
	e.cfg.found(ctx, res, took)
	if rec == nil {
		return nil
	}
	err = e.shortened(ctx, m, f, rec)
	if err != nil && !errors.Is(err, ErrNotRepeated) {
		m.AddNote("the mismatch is not explained further: " + err.Error())
		err = nil
	}
	return err
}

// shortened repeats a failure, dumps its waves and looks for a short list of events that still fails.
func (e *engine) shortened(ctx context.Context, m *report.Mismatch, f *failure, rec *play.Recording) error {
	seed := modelSeed(e.cfg.Seed, f.name)
	first, err := e.try(ctx, rec, seed, 0)
	if err != nil {
		return err
	}
	if !first.out.Failed() || first.out.FailedAt() != f.at {
		return fmt.Errorf("episode %s differed at cycle %d and does not when it is repeated: %w", f.name, f.at,
			ErrNotRepeated)
	}
	if e.cfg.WaveDir != "" {
		if m.Wave, err = e.wave(ctx, rec, seed, f.at); err != nil {
			return err
		}
	}
	if e.cfg.NoShrink {
		return nil
	}
	legal, err := schema.NewLegal(e.kind.Schema, e.params)
	if err != nil {
		return err
	}
	why := e.reasonOf(&first.out)
	short, err := shorten(ctx, &e.cfg, e.kind.Schema, legal, rec, first.cycles,
		func(ctx context.Context, r *play.Recording) (bool, uint64, error) {
			// A case that takes longer than the whole is of no use.
			a, err := e.try(ctx, r, seed, 2*first.cycles+10_000)
			if err != nil || !a.out.Failed() {
				return false, a.cycles, err
			}
			now := e.reasonOf(&a.out)
			return why.same(&now), a.cycles, nil
		})
	e.cfg.shrunk(m, short, rec, err, e.words)
	return e.cfg.saveCase(m, e.kind.Schema, e.params, &short.Recording, e.words)
}

// shrunk fills in what a search for a short case has found. A replayed case is the result of an earlier search.
func (c *Config) shrunk(m *report.Mismatch, short *shortest, whole *play.Recording, err error, words func(*stim.Item) string) {
	found := short.Plainer(whole) || len(whole.Items) == 1 || c.Replay != ""
	m.AddNote(shortNote(found, short.ended, err))
	if !found {
		return
	}
	m.ShrunkTo = len(short.Items)
	for i := range short.Items {
		m.Shrunk = append(m.Shrunk, words(&short.Items[i]))
	}
}

// found calls Found, if it is set, with a copy of the result as it is now.
func (c *Config) found(ctx context.Context, res *report.Result, took time.Duration) {
	if c.Found == nil {
		return
	}
	now, m := *res, *res.FirstMismatch
	now.FirstMismatch = &m
	_ = closed(ctx, &now, took, nil)
	c.Found(&now)
}

// reproduce returns the command that repeats the failing episode alone.
func (e *engine) reproduce(f *failure) string { return e.cfg.repeat(f.name) }

// repeat returns the command that runs one episode alone.
func (c Config) repeat(episode string) string {
	if c.Replay != "" {
		return c.command()
	}
	if c.Expect != "" {
		c.Episode = episode
		return c.command()
	}
	if name, ok := strings.CutPrefix(episode, "directed/"); ok {
		c.Case, c.Episode = name, ""
	} else if episode != c.Source {
		c.Episode = episode
	}
	return c.command()
}

// record plays the failing episode on the model alone and keeps every item that the driver had taken from it
// by the failing cycle. Items that still wait then, on one stream or after others of another stream, decide what
// that cycle and those before it show, so none may be left out.
func (e *engine) record(ctx context.Context, f *failure) (*play.Recording, error) {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return nil, err
	}
	defer src.Close()
	ep, err := episodeAt(src, f.name, f.index)
	if err != nil {
		return nil, err
	}
	return e.recordUntil(ctx, ep, f.at)
}

// episodeAt returns the episode of a source with that number, from 0; the error, when the source is shorter, says its
// name.
func episodeAt(src stim.Source, name string, index int) (*stim.Episode, error) {
	for ; ; index-- {
		ep, ok := src.Next()
		if !ok {
			return nil, errors.Join(fmt.Errorf("episode %s: the source ended before it", name), src.Err())
		}
		if index == 0 {
			return ep, nil
		}
	}
}

// recordUntil plays an episode on a fresh model through cycle at and returns the items taken by then.
func (e *engine) recordUntil(ctx context.Context, ep *stim.Episode, at uint64) (*play.Recording, error) {
	rec := play.NewRecording(ep)
	p, err := e.playerOf(ep)
	if err != nil {
		return nil, err
	}
	return rec, p.Until(ctx, at+1, nil)
}

// playerOf returns a player on a fresh model at the start of an episode.
func (e *engine) playerOf(ep *stim.Episode, obs ...play.Observer) (*play.Player, error) {
	twin, err := play.NewModel(e.kind, e.params)
	if err != nil {
		return nil, err
	}
	p := play.New(e.kind.Schema, e.judge.Layout(), twin, obs...)
	p.Begin(ep)
	return p, nil
}

// try plays a recording on model and device, for at most this many cycles; 0 for all.
func (e *engine) try(ctx context.Context, rec *play.Recording, seed uint32, most uint64) (attempt, error) {
	if err := e.dev.Restart(seed); err != nil {
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
	if err == nil && !out.Failed() {
		err = broken
	}
	return attempt{out, p.Cycles}, err
}

// handshake labels the difference of a cycle as a break of the handshake, and reports whether it is one.
func (e *engine) handshake(m *report.Mismatch, before, now elastic.Cycle) bool {
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

// handshakeOnly reports whether valid and ready bits are all that differ.
func (e *engine) handshakeOnly(fields []report.Field) bool {
	return !slices.ContainsFunc(fields, func(f report.Field) bool { return e.judge.Layout().Out.Control(f.Name) == 0 })
}

// describe fills in the fields that differ at the failing cycle and the cycles around it.
func (e *engine) describe(m *report.Mismatch, out *device.Outcome, at uint64, rec *play.Recording) (err error) {
	defer play.Guard(&err) // of the model, played once more
	if rec != nil {
		m.Event = e.eventAt(rec, at, out)
	}
	broke := false
	defer func() {
		if !broke && e.handshakeOnly(m.Fields) {
			m.Event = "" // it belongs to no response
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
			for _, d := range diff {
				m.Fields = append(m.Fields, fieldOf(&d))
			}
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

// wave repeats a recording on a build that can dump waves and returns the file.
func (e *engine) wave(ctx context.Context, rec *play.Recording, seed uint32, at uint64) (string, error) {
	return waveOf(ctx, &e.cfg, e.params, rec.Name, at, func(dev *device.Device, file string, from, cycles uint64) error {
		return e.traced(ctx, dev, rec, seed, file, from, cycles)
	})
}

// traced plays a recording on a device and dumps a window of it.
func (e *engine) traced(ctx context.Context, dev *device.Device, rec *play.Recording, seed uint32, file string, from,
	cycles uint64) error {
	if err := dev.Restart(seed); err != nil {
		return err
	}
	if err := dev.Session.Trace(file, from, cycles); err != nil {
		return err
	}
	p, err := e.playerOf(rec.Episode(e.cfg.Block))
	if err != nil {
		return err
	}
	if err := p.Stream(ctx, dev); err != nil {
		return err
	}
	if _, err := dev.Finish(); err != nil {
		return err
	}
	return dev.Session.Trace("", 0, 0)
}

// waveOf starts a device that can dump waves, lets dump play on it with the window around cycle at, and
// returns the file, relative to the working directory as WaveDir is.
func waveOf(ctx context.Context, cfg *Config, params map[string]int, episode string, at uint64,
	dump func(dev *device.Device, file string, from, cycles uint64) error) (string, error) {
	spec := cfg.device(params)
	spec.Trace = true
	dev, err := device.Start(ctx, spec)
	if err != nil {
		return "", fmt.Errorf("waveform: %w", err)
	}
	defer dev.Close()
	name := strings.NewReplacer("/", "-", ":", "-").Replace(fmt.Sprintf("%s-%s-seed%d.fst", cfg.Block, episode, cfg.Seed))
	path := filepath.Join(cfg.WaveDir, name)
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("waveform: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		return "", fmt.Errorf("waveform: %w", err)
	}
	const before, after = 200, 40
	from := at - min(at, before)
	return path, dump(dev, abs, from, at+after-from)
}
