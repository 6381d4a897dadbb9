package run

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/cosim/watch"
	"github.com/goldwire/goldwire/vectors/stim"
)

// engine is one run.
type engine struct {
	cfg    Config
	kind   *block.Block
	params map[string]int
	judge  *score.Judge
	dev    *device.Device // nil in a model-only run

	play  *play.Player
	watch *watch.All

	episodes int    // begun
	played   uint64 // cycles of the passes before this one
	digest   uint64 // over the episodes finished
	compared report.Compared
	failures []failure
	complete bool // the whole source was played
}

// failure is an episode whose outputs differ.
type failure struct {
	index int    // of the episode in the source
	name  string // of the episode
	at    uint64 // failing cycle of the episode
	out   device.Outcome

	beside error // of the model, which broke in the same episode
}

// Run plays the source through the model and the device and returns the result. A mismatch is data in the
// result. The error is that of a harness that broke or was interrupted; the result holds what was finished by
// then, and is nil only when nothing was started.
func Run(ctx context.Context, cfg Config) (*report.Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.referred() {
		return runReferred(ctx, cfg)
	}
	if cfg.elastic() && !cfg.ModelOnly {
		return runElastic(ctx, cfg)
	}
	e, err := newEngine(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if e.dev != nil && cfg.Bind != nil {
		if err := e.dev.Probe(cfg.Bind); err != nil {
			return nil, err
		}
	}
	return e.run(ctx)
}

// run plays the source and explains what was found first. The result is nil when nothing was started.
func (e *engine) run(ctx context.Context) (*report.Result, error) {
	begin := time.Now()
	runErr := e.all(ctx)
	if e.play == nil {
		return nil, runErr
	}
	e.complete = runErr == nil
	if len(e.failures) > 0 {
		return e.failed(ctx, begin, runErr)
	}
	took := time.Since(begin) // what is counted in it
	res := e.result()
	if !e.judged(ctx, res, runErr == nil) && runErr == nil {
		runErr = e.watch.Check()
	}
	return res, closed(ctx, res, took, runErr)
}

// failed returns the result of a run that found a mismatch. From here on nothing takes it back: what breaks, and an
// interrupt, ends in a note. RunErr is what ended the run after the mismatch, or nil.
func (e *engine) failed(ctx context.Context, begin time.Time, runErr error) (*report.Result, error) {
	f := &e.failures[0]
	e.cfg.say("mismatch in %s at cycle %d, counting the events up to it", f.name, f.at)
	lost := e.watch.Packets.Check() // frames that could not be given out, which no second pass finds
	// The model ran ahead of the failure by an amount that depends on the machine. A second pass
	// without the device makes every count the same each time.
	counted := e.recount(ctx)
	took := time.Since(begin)
	for i := range e.failures {
		e.compared.Add(e.differing(&e.failures[i]))
	}
	res := e.result()
	m := &report.Mismatch{Episode: f.name, Seed: e.cfg.Seed, Cycle: f.at, Reproduce: e.reproduce(f)}
	if counted != nil {
		m.AddNote("counts are of a part of the run only: " + counted.Error())
	}
	for _, err := range append([]error{runErr, f.beside}, e.watch.Beside()...) {
		if err != nil {
			m.AddNote("beside the mismatch: " + err.Error())
		}
	}
	res.FirstMismatch = m
	return res, closed(ctx, res, took, errors.Join(runErr, lost, e.explain(ctx, res, f, took)))
}

// closed completes a result with its speed and with how the run ended, and returns the run's error.
func closed(ctx context.Context, res *report.Result, took time.Duration, runErr error) error {
	res.Seconds = took.Seconds()
	res.EventsPerS = float64(res.Events) / took.Seconds()
	res.CyclesPerS = float64(res.Cycles) / took.Seconds()
	if ctx.Err() != nil && res.FirstMismatch == nil {
		res.Interrupted = true
		runErr = fmt.Errorf("run interrupted after %d events: %w", res.Events, context.Cause(ctx))
	} else if runErr != nil {
		res.Broken = runErr.Error()
	}
	return runErr
}

func newEngine(ctx context.Context, cfg Config) (*engine, error) {
	kind, err := block.Lookup(cfg.Block)
	if err != nil {
		return nil, err
	}
	e := &engine{cfg: cfg, kind: kind, judge: score.NewJudge(kind.Schema)}
	if e.params, err = kind.Schema.Values(cfg.sized()); err != nil {
		return nil, err
	}
	// Opened first, so that an unknown source is refused before the build.
	src, err := e.open(cfg.source())
	if err != nil {
		return nil, err
	}
	src.Close()
	if err := within(ctx, &cfg, e.open); err != nil {
		return nil, err
	}
	if !cfg.ModelOnly {
		if e.dev, err = device.Start(ctx, cfg.device(e.params)); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// open opens a source with the options of this run.
func (e *engine) open(name string) (stim.Source, error) {
	if e.cfg.Replay != "" {
		src, err := e.cfg.replay(e.kind.Schema, e.params)
		if err != nil {
			return nil, err
		}
		return device.Calmed(src, e.cfg.Bind), nil
	}
	src, err := block.Open(e.cfg.Block, name, stim.Options{
		Seed: e.cfg.Seed, Events: int(e.cfg.Events), Params: e.params, TickNs: int(e.cfg.tickPs() / 1000),
	})
	if err != nil {
		return nil, err
	}
	return device.Calmed(src, e.cfg.Bind), nil
}

func (e *engine) close() {
	if e.dev != nil {
		e.dev.Close()
	}
}

// fresh makes a model and its observers. Where it fails, those before stay, with what they counted.
func (e *engine) fresh() error {
	twin, err := play.NewModel(e.kind, e.params)
	if err != nil {
		return err
	}
	before := e.played
	if e.play != nil {
		e.played += e.play.Cycles
	}
	watched, err := e.watchers()
	if err != nil {
		e.played = before
		return err
	}
	e.watch = watched
	e.play = play.New(e.kind.Schema, e.judge.Layout(), twin)
	e.watch.Watch(e.play)
	if b := e.cfg.Bind; b != nil {
		e.play.Uncount(e.judge.Layout(), b.Uncounted())
	}
	return nil
}

// all plays the whole source. Random and fabric sources end at the first failing episode, directed cases
// all run, so that every one has its verdict.
func (e *engine) all(ctx context.Context) error {
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
		if e.cfg.Source != "directed" || e.cfg.StopFirst {
			return nil
		}
		skip = failed.index + 1
	}
}

// from plays the source from its episode number skip on, and returns the first failure.
func (e *engine) from(ctx context.Context, skip int) (*failure, error) {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return nil, err
	}
	defer src.Close()
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			return nil, src.Err()
		}
		if index < skip {
			continue
		}
		if f, err := e.episode(ctx, ep, index); f != nil || err != nil {
			return f, e.at(ctx, ep.Name, index, err)
		}
	}
}

// episode plays one episode on a simulation object of its own. Each starts with other random register and
// memory contents, drawn from the run's seed and the episode's name, so that a dependence on them shows and
// the episode alone repeats to the bit.
func (e *engine) episode(ctx context.Context, ep *stim.Episode, index int) (*failure, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // also before a short episode: it may be the only one
	}
	e.episodes++
	e.play.Begin(ep)
	if e.dev == nil {
		return nil, e.alone(ctx)
	}
	if err := e.dev.Restart(modelSeed(e.cfg.Seed, ep.Name)); err != nil {
		return nil, err
	}
	if err := e.play.Stream(ctx, progress{e.dev, e}); err != nil {
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

// beside returns the failure that the device had before the model, which runs ahead of it, broke; or the model's error.
func (e *engine) beside(episode string, index int, err error) (*failure, error) {
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

// endEpisode waits for what is under way and adds its digest. A device that reports agreement must
// have compared every cycle and seen the outputs that the model gave.
func (e *engine) endEpisode(name string, index int) (*failure, error) {
	out, err := e.dev.Finish()
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
	e.compared.Add(e.play.Given) // it has looked at all of these outputs, as their number and digest show
	return nil, nil
}

// modelSeed is the simulator's seed for an episode: never 0, and different for every episode and every run.
func modelSeed(seed uint64, episode string) uint32 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", seed, episode)
	return uint32(h.Sum64()>>32) | 1
}

// alone plays the rest of an episode without a device.
func (e *engine) alone(ctx context.Context) (err error) {
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

func (e *engine) progress() {
	if e.cfg.Progress != nil {
		e.cfg.Progress(e.play.Events, e.cfg.Events)
	}
}

// progress is a device that reports the run's progress with each batch.
type progress struct {
	*device.Device
	e *engine
}

// Submit sends a batch.
func (p progress) Submit(b *client.Batch) error {
	p.e.progress()
	return p.Device.Submit(b)
}

// watchers returns the observers of one pass over the source.
func (e *engine) watchers() (*watch.All, error) {
	return watch.New(watch.Spec{Block: e.kind.Schema, Layout: e.judge.Layout(), Params: e.params, Source: e.cfg.Source,
		Seed: e.cfg.Seed, TickPs: e.cfg.tickPs(), Float: !e.cfg.FloatOff, Frames: e.cfg.Frames, Played: e.played})
}

// recount plays the source again without the device, up to the end of the first failing episode; directed cases
// to the end of the source.
func (e *engine) recount(ctx context.Context) error {
	e.cfg.Frames = nil // they were given out in the first pass
	if err := e.fresh(); err != nil {
		return err
	}
	src, err := e.open(e.cfg.source())
	if err != nil {
		return err
	}
	defer src.Close()
	dev := e.dev
	e.dev, e.episodes = nil, 0
	agreed := &tally{of: e.play}
	e.play.Watch(agreed)
	defer func() {
		e.dev = dev
		e.compared.Add(agreed.given)
	}()
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			return src.Err()
		}
		at := slices.IndexFunc(e.failures, func(f failure) bool { return f.index == index })
		if agreed.on = at >= 0; agreed.on {
			agreed.until = e.failures[at].at
		}
		if _, err := e.episode(ctx, ep, index); err != nil {
			return err
		}
		if (e.cfg.Source != "directed" || e.cfg.StopFirst) && index == e.failures[0].index {
			return nil
		}
	}
}
