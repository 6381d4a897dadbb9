package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/explain/trace"
	"github.com/goldwire/goldwire/cosim/explain/wave"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/cache"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// engine is one run. It holds what all ways of comparing share.
type engine struct {
	cfg    Config
	given  reference.Given
	kind   *block.Block
	judge  *score.Judge
	params map[string]int
	open   func(name string) (stim.Source, error)
	dev    *device.Device // nil in a model-only run
	way    way

	counting *device.Counting // the design in two builds, one of which is dev; nil without code coverage
	codeDir  string           // folder in which the device leaves its code coverage; "" for none

	owed     uint64        // events that the corpus must yield
	kept     *cache.Source // the source as played; nil if the cache does not keep its kind
	episodes int           // begun
	digest   uint64        // over the finished episodes
	compared report.Compared
	failures []failure
	complete bool // the whole source was played
}

// failure is an episode with a difference.
type failure struct {
	index int    // of the episode in the source
	name  string // of the episode
	at    uint64 // failing cycle of the episode

	out  device.Outcome   // in lockstep
	find *elastic.Finding // when answers are compared

	reply  *replied        // the differing one in lockstep, once known
	rec    *play.Recording // the episode up to the failing cycle, once known
	beside error           // of the model, which broke in the same episode
}

// way is how a run compares: in lockstep with our model, or by the answers of another reference.
type way interface {
	// start starts the design and the reference.
	start(ctx context.Context) error
	// all plays the whole source and keeps the failures.
	all(ctx context.Context) error
	// begun reports whether anything was started.
	begun() bool
	// settle ends the counting of a run that found a mismatch.
	settle(ctx context.Context, f *failure) besides
	// count adds the totals and the coverage to a result.
	count(res *report.Result)
	// message describes a failure on the line of its case.
	message(f *failure) string
	// judged turns the result of a run without a failure into a mismatch if an observer found one. compared is set if the
	// design agreed to the end.
	judged(ctx context.Context, res *report.Result, compared bool) bool
	// check returns the error of a run that found no difference but must not pass.
	check() error

	// describe fills in the differences and the cycles around them. It reports whether the failure can be repeated.
	describe(ctx context.Context, m *report.Mismatch, f *failure) bool
	// record returns the items of a failing episode taken before it fails; nil if only all of them can be played.
	record(ctx context.Context, f *failure) (*play.Recording, error)
	// try plays a recording for at most this many cycles; 0 for all.
	try(ctx context.Context, rec *play.Recording, most uint64) (attempt, error)
	// again returns an error if a repeated failure is not the same.
	again(f *failure, a *attempt) error
	// harmless reports whether an error of try only means that the recording shows nothing.
	harmless(err error) bool
	// dump plays an episode on a device that dumps a window of it, and adds the cycles of the window to a wave. concern is
	// the event whose context the wave shows; nil for the first of the episode.
	dump(ctx context.Context, dev *device.Device, ep *stim.Episode, w trace.Window, concern *stim.Item,
		to *wave.Wave) error
	close()
}

// besides holds other findings of a run that found a mismatch.
type besides struct {
	lost   error    // an error that a second pass cannot find again
	notes  []string // about the counts
	beside []error  // other findings
}

// Run plays the source on the design and its reference and returns the result. A mismatch is data in the result. An
// error means that the harness broke or was interrupted; the result then holds everything finished, and is nil only if
// nothing was started.
func Run(ctx context.Context, cfg Config) (*report.Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e, err := newEngine(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.run(ctx)
}

func newEngine(ctx context.Context, cfg Config) (e *engine, err error) {
	kind, err := cfg.kind()
	if err != nil {
		return nil, err
	}
	e = &engine{cfg: cfg, given: cfg.reference(), kind: kind, judge: score.NewJudge(kind.Schema)}
	if e.params, err = cfg.Values(); err != nil {
		return nil, err
	}
	if e.open = e.source; !e.given.OwnEvents() {
		// Open the source first, so that an unknown one is refused before the build.
		src, err := e.open(cfg.source())
		if err != nil {
			return nil, err
		}
		src.Close()
		if err := within(ctx, &cfg, e.open); err != nil {
			return nil, err
		}
	}
	if cfg.ModelOnly || e.given.Lockstep(cfg.Bind) {
		e.way = &lockstep{engine: e}
	} else {
		e.way = &answers{engine: e}
	}
	if err := e.way.start(ctx); err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

// source opens a source with the options of this run.
func (e *engine) source(name string) (src stim.Source, err error) {
	opt := stim.Options{Seed: e.cfg.Seed, Events: int(e.cfg.Events), Params: e.params, TickNs: int(e.cfg.tickPs() / 1000)}
	switch {
	case e.cfg.Replay != "":
		src, err = e.cfg.replay(e.kind.Schema, e.params)
	case e.cfg.Source == GuidedSource:
		src, e.owed, err = e.cfg.guided(e.kind.Schema, name, e.params)
	case e.cfg.Bind.SchemaOnly():
		src, err = schema.Open(e.kind.Schema, name, opt)
	default:
		src, err = e.made(name, opt)
	}
	if err == nil && e.given.Ours() {
		src = device.Calmed(src, e.cfg.Bind)
	}
	return src, err
}

// made opens a source of our blocks, through the cache.
func (e *engine) made(name string, o stim.Options) (stim.Source, error) {
	src, err := e.cfg.Stimulus.Open(e.kind.Stimulus, name, o)
	if err != nil {
		return nil, err
	}
	if src.Looked() && (e.kept == nil || !e.kept.Begun()) {
		e.kept = src // only the first pass counts: later ones read what it has written
	}
	return src, nil
}

func (e *engine) close() {
	if e.way != nil {
		e.way.close()
	}
	if e.counting != nil {
		e.counting.Close()
	} else if e.dev != nil {
		e.dev.Close()
	}
	if e.codeDir != "" {
		os.RemoveAll(e.codeDir)
	}
}

// seed returns the seed of the simulator for an episode.
func (e *engine) seed(episode string) uint32 { return device.Seed(e.cfg.Seed, episode) }

// run plays the source and explains the first finding. The result is nil if nothing was started.
func (e *engine) run(ctx context.Context) (*report.Result, error) {
	begin := time.Now()
	runErr := e.way.all(ctx)
	if !e.way.begun() {
		return nil, runErr
	}
	e.complete = runErr == nil
	if len(e.failures) > 0 {
		return e.failed(ctx, begin, runErr)
	}
	took := time.Since(begin) // covers only what is counted
	res := e.result()
	if !e.way.judged(ctx, res, runErr == nil) && runErr == nil {
		runErr = e.way.check()
	}
	if runErr == nil && res.FirstMismatch == nil {
		runErr = errors.Join(e.reached(res), e.covered(res))
	}
	if runErr == nil {
		runErr = e.signals(ctx)
	}
	if runErr == nil {
		runErr = e.wavesOf(ctx, res)
	}
	return res, closed(ctx, res, took, runErr)
}

// failed returns the result of a run that found a mismatch. From here on nothing revokes the mismatch: an error or an
// interrupt becomes a note. runErr is the error that ended the run after the mismatch, or nil.
func (e *engine) failed(ctx context.Context, begin time.Time, runErr error) (*report.Result, error) {
	f := &e.failures[0]
	also := e.way.settle(ctx, f)
	took := time.Since(begin)
	res := e.result()
	m := &report.Mismatch{Episode: f.name, Seed: e.cfg.Seed, Cycle: f.at, Reproduce: e.cfg.repeat(f.name),
		Expected: e.given.Kind()}
	for _, note := range also.notes {
		m.AddNote(note)
	}
	for _, err := range append([]error{runErr, f.beside}, also.beside...) {
		if err != nil {
			m.AddNote("beside the mismatch: " + err.Error())
		}
	}
	res.FirstMismatch = m
	return res, closed(ctx, res, took, errors.Join(runErr, also.lost, e.explain(ctx, res, f, took), e.signals(ctx),
		e.wavesOf(ctx, res)))
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

// more reports whether a run continues after a failing episode: every directed case gets its verdict.
func (e *engine) more() bool { return e.cfg.Source == "directed" && !e.cfg.StopFirst }
