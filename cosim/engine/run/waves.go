package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/explain"
	"github.com/goldwire/goldwire/cosim/explain/trace"
	"github.com/goldwire/goldwire/cosim/explain/wave"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// wave repeats a failure on a build that dumps its signals, with the window around cycle at, and notes the file. The
// path is relative to the working directory, as WaveDir is.
func (e *engine) wave(ctx context.Context, m *report.Mismatch, f *failure, rec *play.Recording, at uint64) error {
	if e.cfg.WaveDir == "" {
		return nil
	}
	e.cfg.say("mismatch in %s at cycle %d, writing its waves", f.name, f.at)
	to := wave.New(e.kind.Schema)
	to.Title = fmt.Sprintf("%s, episode %s, seed %d: mismatch in cycle %d", e.cfg.Block, f.name, e.cfg.Seed, at)
	show := func(ep *stim.Episode) error {
		files, err := e.waves(ctx, ep, trace.Around(at), f.concern(), at, to, "")
		if err == nil {
			m.Wave = files.Wave
			if m.Explanation != nil && m.Explanation.Issued > 0 {
				err = explain.Probe(m.Explanation, files.Wave)
			}
			if err == nil && !slices.Contains(to.Differs(), at) {
				err = fmt.Errorf("it does not show the difference in cycle %d, which was there before", at)
			}
		}
		return err
	}
	var err error
	if rec != nil {
		err = show(rec.Episode(e.cfg.Block))
	} else {
		err = e.inEpisode(f.name, -1, show)
	}
	if err != nil {
		return fmt.Errorf("waveform: %w", err)
	}
	return nil
}

// wavesOf writes the waves of the requested episode, whether it passed or not, and notes the file. It errors if the
// waves show anything other than what the run found.
func (e *engine) wavesOf(ctx context.Context, res *report.Result) error {
	if e.cfg.WavesOf == "" {
		return nil
	}
	fails := slices.ContainsFunc(e.failures, func(f failure) bool { return f.name == e.cfg.WavesOf })
	err := e.inEpisode(e.cfg.WavesOf, -1, func(ep *stim.Episode) error {
		to := wave.New(e.kind.Schema)
		to.Title = fmt.Sprintf("%s, episode %s, seed %d", e.cfg.Block, ep.Name, e.cfg.Seed)
		w, cursor := trace.Beginning(), uint64(0)
		if e.cfg.WavesAt > 0 {
			w, cursor = trace.Around(e.cfg.WavesAt), e.cfg.WavesAt
		}
		files, err := e.waves(ctx, ep, w, nil, cursor, to, "-of")
		if err != nil {
			return err
		}
		res.Wave = files.Wave
		switch {
		case len(to.Differs()) > 0 && !fails:
			return fmt.Errorf("the design agreed in the run and differs in cycle %d of the waves: %w", to.Differs()[0],
				ErrNotRepeated)
		case to.Compared() == 0:
			return fmt.Errorf("nothing was compared in cycles %d to %d; give a cycle in which something is", w.From,
				w.From+w.Cycles-1)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("waves of %s: %w", e.cfg.WavesOf, err)
	}
	return nil
}

// waves plays an episode on a build that dumps its signals and writes the files of its waves.
func (e *engine) waves(ctx context.Context, ep *stim.Episode, w trace.Window, concern *stim.Item, cursor uint64,
	to *wave.Wave, suffix string) (*wave.Files, error) {
	spec := e.cfg.device(e.params)
	spec.Trace = true
	dev, err := device.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	if err := os.MkdirAll(e.cfg.WaveDir, 0o755); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "goldwire-wave-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	w.Dump = filepath.Join(tmp, "design.vcd")
	if err := e.way.dump(ctx, dev, ep, w, concern, to); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%s-seed%d%s.vcd", e.cfg.Block, ep.Name, e.cfg.Seed, suffix)
	name = strings.NewReplacer("/", "-", ":", "-").Replace(name)
	return to.Write(filepath.Join(e.cfg.WaveDir, name), w.Dump, cursor)
}

// each calls f with the episodes of the source until it returns false or an error.
func (e *engine) each(f func(index int, ep *stim.Episode) (more bool, err error)) error {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return err
	}
	defer src.Close()
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			return src.Err()
		}
		if more, err := f(index, ep); !more || err != nil {
			return err
		}
	}
}

// inEpisode calls f with an episode of the source: that of an index, or of a name where it is negative.
func (e *engine) inEpisode(name string, index int, f func(*stim.Episode) error) error {
	found := false
	err := e.each(func(n int, ep *stim.Episode) (bool, error) {
		if found = n == index || index < 0 && ep.Name == name; !found {
			return true, nil
		}
		return false, f(ep)
	})
	if !found {
		err = errors.Join(fmt.Errorf("episode %s: the source ended before it", name), err)
	}
	return err
}

// dump plays an episode on the model and on a device that dumps a window of it, and adds the window to a wave.
func (e *lockstep) dump(ctx context.Context, dev *device.Device, ep *stim.Episode, w trace.Window, concern *stim.Item,
	to *wave.Wave) error {
	if err := dev.Restart(e.seed(ep.Name)); err != nil {
		return err
	}
	p, err := e.playerOf(ep)
	if err != nil {
		return err
	}
	return trace.Lockstep(ctx, dev.Session, p, e.judge.Layout(), e.kind.Schema, w, concern, to)
}

// dump plays an episode with the reference on a device that dumps a window of it, and adds the window to a wave.
func (e *answers) dump(ctx context.Context, dev *device.Device, ep *stim.Episode, w trace.Window, _ *stim.Item,
	to *wave.Wave) (err error) {
	defer play.Guard(&err)
	spec := e.spec
	return trace.Answers(dev.Session, e.judge.Layout(), w, func() error { return e.restart(dev, ep.Name) },
		func(d elastic.Device, judged func(elastic.Verdict), restart func() error) (elastic.Outcome, error) {
			spec.Judged = judged
			return e.ref.Play(ctx, d, ep, spec, restart)
		}, kindWords, to)
}

// concern returns the event that a failure concerns, or nil if it is unknown.
func (f *failure) concern() *stim.Item {
	switch {
	case f.reply != nil:
		return &f.reply.Item
	case f.find != nil && f.find.Event != nil:
		return &stim.Item{Lane: f.find.Lane, Words: f.find.Event}
	}
	return nil
}

// signals plays the replayed case again, on a build that can dump every signal, and writes all signals to cfg.Signals.
// The file covers the whole case, whether the design agrees or not.
func (e *engine) signals(ctx context.Context) error {
	if e.cfg.Signals == "" {
		return nil
	}
	err := e.inEpisode("of the case", 0, func(ep *stim.Episode) error { return e.dumpAll(ctx, ep) })
	if err != nil {
		return fmt.Errorf("signals: %w", err)
	}
	return nil
}

func (e *engine) dumpAll(ctx context.Context, ep *stim.Episode) error {
	path, err := filepath.Abs(e.cfg.Signals)
	if err != nil {
		return err
	}
	spec := e.cfg.device(e.params)
	spec.Trace, spec.Ones = true, true
	dev, err := device.Start(ctx, spec)
	if err != nil {
		return err
	}
	defer dev.Close()
	p, err := (&lockstep{engine: e}).playerOf(ep)
	if err != nil {
		return err
	}
	const whole = 1 << 40 // cycles
	if err := errors.Join(dev.Restart(e.seed(ep.Name)), dev.Session.Trace(path, 0, whole)); err != nil {
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
