package run

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/vectors/gen"
)

// episodesPerModel is how many episodes run on one model object of the device. Each object starts with
// other random register and memory contents, so that nothing can depend on them unseen.
const episodesPerModel = 64

// engine is one run.
type engine struct {
	cfg    Config
	kind   *dut.Kind
	params map[string]int
	judge  *score.Judge
	dev    *device // nil in a model-only run

	play  *player
	watch *watchers
	batch *client.Batch

	starts   []epStart // episodes on the present model object
	episodes int       // begun
	digest   uint64    // over the model objects finished
	failures []failure
}

// epStart is where an episode begins in the stream of one model object.
type epStart struct {
	index int    // of the source
	name  string // of the episode
	cycle uint64 // first cycle
}

// failure is an episode whose outputs differ.
type failure struct {
	epStart
	at  uint64 // failing cycle of the episode
	out outcome
}

// Run plays the source through the twin and the device and returns what came of it. A mismatch is data in
// the result. The error is that of a harness that broke or was interrupted; what was finished by then is in
// the result, which is nil only when nothing was started.
func Run(ctx context.Context, cfg Config) (*report.Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e, err := newEngine(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer e.close()
	begin := time.Now()
	runErr := e.all(ctx)
	took := time.Since(begin)
	if runErr == nil && len(e.failures) > 0 {
		// The twin ran ahead of the failure by an amount that depends on the machine. A second pass
		// without the device makes every count the same each time.
		runErr = e.recount(ctx)
	}
	res := e.result()
	if runErr == nil {
		runErr = e.watch.cover.check()
	}
	if runErr == nil && len(e.failures) > 0 {
		res.FirstMismatch, runErr = e.explain(ctx, &e.failures[0])
	}
	res.Seconds = took.Seconds()
	res.EventsPerS = float64(res.Events) / took.Seconds()
	res.CyclesPerS = float64(res.Cycles) / took.Seconds()
	if ctx.Err() != nil {
		res.Interrupted = true
		runErr = fmt.Errorf("run interrupted after %d events: %w", res.Events, context.Cause(ctx))
	}
	return res, runErr
}

func newEngine(ctx context.Context, cfg Config) (*engine, error) {
	kind, err := dut.Lookup(cfg.Block)
	if err != nil {
		return nil, err
	}
	e := &engine{cfg: cfg, kind: kind, judge: score.NewJudge(kind.Schema)}
	if e.params, err = kind.Params(cfg.sized()); err != nil {
		return nil, err
	}
	// Opened first: an unknown source must not cost a build.
	src, err := e.open(cfg.source())
	if err != nil {
		return nil, err
	}
	src.Close()
	if !cfg.ModelOnly {
		if e.dev, err = startDevice(ctx, &cfg, e.params, false); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// open opens a source with the options of this run.
func (e *engine) open(name string) (gen.Source, error) {
	return gen.Open(e.cfg.Block, name, gen.Options{
		Seed: e.cfg.Seed, Events: int(e.cfg.Events), Params: e.params, TickNs: int(e.cfg.tickPs() / 1000),
	})
}

func (e *engine) close() {
	if e.dev != nil {
		e.dev.close()
	}
}

// fresh makes a twin and its observers.
func (e *engine) fresh() error {
	twin, err := e.kind.NewTwin(e.params)
	if err != nil {
		return err
	}
	if e.watch, err = newWatchers(e); err != nil {
		return err
	}
	e.play = newPlayer(e.kind.Schema, e.judge.Layout(), twin, e.watch.observers()...)
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
	e.starts = nil
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			break
		}
		if index < skip {
			continue
		}
		if (index-skip)%episodesPerModel == 0 {
			if f, err := e.nextModel(ctx, index); f != nil || err != nil {
				return f, err
			}
		}
		if f, err := e.episode(ctx, ep, index); f != nil || err != nil {
			return f, err
		}
	}
	if err := src.Err(); err != nil {
		return nil, err
	}
	return e.endModel(ctx)
}

// nextModel ends the run on one model object of the device and begins that on the next.
func (e *engine) nextModel(ctx context.Context, index int) (*failure, error) {
	if e.dev == nil {
		return nil, ctx.Err()
	}
	if f, err := e.endModel(ctx); f != nil || err != nil {
		return f, err
	}
	e.starts = e.starts[:0]
	return nil, e.dev.restart(modelSeed(e.cfg.Seed, index))
}

// modelSeed spreads run seed and episode number over the 32 bits of the simulator's seed, never 0.
func modelSeed(seed uint64, index int) uint32 {
	x := (seed+1)*0x9e3779b97f4a7c15 ^ uint64(index+1)*0xbf58476d1ce4e5b9
	return uint32(x>>33) | 1
}

// endModel waits for what is under way and adds its digest.
func (e *engine) endModel(ctx context.Context) (*failure, error) {
	if e.dev == nil || len(e.starts) == 0 {
		return nil, ctx.Err()
	}
	if e.batch != nil {
		if err := e.submit(); err != nil {
			return nil, err
		}
	}
	out, err := e.dev.finish()
	if err != nil {
		return nil, err
	}
	if out.failed() {
		return e.locate(out), nil
	}
	e.digest = bits.RotateLeft64(e.digest, 7) ^ uint64(out.Digest)
	return nil, nil
}

// locate names the episode of a failing cycle.
func (e *engine) locate(out outcome) *failure {
	at, cycle := e.starts[0], out.failedAt()
	for _, s := range e.starts {
		if s.cycle <= cycle {
			at = s
		}
	}
	return &failure{epStart: at, at: cycle - at.cycle, out: out}
}

// episode plays one episode. What it returns is the failure of this or an earlier one.
func (e *engine) episode(ctx context.Context, ep *gen.Episode, index int) (*failure, error) {
	var first uint64
	if n := len(e.starts); n > 0 {
		first = e.starts[n-1].cycle + e.play.driver.Cycles()
	}
	e.starts = append(e.starts, epStart{index, ep.Name, first})
	e.episodes++
	e.play.begin(ep)
	if e.dev == nil {
		return nil, e.alone(ctx)
	}
	for e.play.more() {
		if e.batch == nil {
			var err error
			switch e.batch, err = e.dev.get(ctx); err {
			case nil:
			case errStreamFailed:
				return e.endModel(ctx)
			default:
				return nil, err
			}
		}
		e.play.cycle(e.batch.Next())
		if e.batch.Full() {
			if err := e.submit(); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// alone plays the rest of an episode without a device.
func (e *engine) alone(ctx context.Context) error {
	in, out := make([]uint64, e.play.inWords), make([]uint64, e.play.outWords)
	for n := 1; e.play.more(); n++ {
		if n&0xFFFF == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			e.progress()
		}
		e.play.cycle(in, out)
	}
	return nil
}

func (e *engine) progress() {
	if e.cfg.Progress != nil {
		e.cfg.Progress(e.play.events, e.cfg.Events)
	}
}

// submit sends the batch being filled.
func (e *engine) submit() error {
	b := e.batch
	e.batch = nil
	e.progress()
	return e.dev.submit(b)
}

// recount plays the source again without the device up to the end of the first failing episode, or to its
// end for directed cases.
func (e *engine) recount(ctx context.Context) error {
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
	defer func() { e.dev = dev }()
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			return src.Err()
		}
		if _, err := e.episode(ctx, ep, index); err != nil {
			return err
		}
		if (e.cfg.Source != "directed" || e.cfg.StopFirst) && index == e.failures[0].index {
			return nil
		}
	}
}
