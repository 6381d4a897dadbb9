package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover/schema"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/cosim/watch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
)

// elasticEngine is one run that compares answers instead of cycles.
type elasticEngine struct {
	cfg    Config
	block  *event.Block
	judge  *score.Judge
	spec   elastic.Spec
	params map[string]int
	open   func(name string) (stim.Source, error)
	expect elastic.Expect
	peer   *elastic.Peer // the same, where it is a second design; nil for none
	dev    *device.Device
	other  *device.Device                        // of Config.Against; nil for none
	ref    *device.Device                        // a second design that must agree cycle by cycle; nil for none
	cycles func(in, want []uint64) (bool, error) // of a file per cycle, the episode opened last; nil for none
	cover  *twinFollow                           // of the model; nil where what is owed comes from elsewhere

	limits *format.Header // of the file of Config.Expect; nil for none
	after  error          // ended the run after a mismatch

	own *schema.Coverage // coverage of a block that has only a schema; nil for others

	cases    *watch.Cases
	res      report.Result
	digest   uint64
	failures []elasticFailure
}

// elasticFailure is an episode with a finding.
type elasticFailure struct {
	index int
	name  string
	find  *elastic.Finding
}

// runElastic plays the source on a bound design against the block's model.
func runElastic(ctx context.Context, cfg Config) (*report.Result, error) {
	kind, err := block.Lookup(cfg.Block)
	if err != nil {
		return nil, err
	}
	cfg.FloatOff = true // the float comparison is of the model, which the exact runs do
	base := &engine{cfg: cfg, kind: kind, judge: score.NewJudge(kind.Schema)}
	if base.params, err = kind.Schema.Values(cfg.sized()); err != nil {
		return nil, err
	}
	if err := within(ctx, &cfg, base.open); err != nil {
		return nil, err
	}
	watched, err := base.watchers()
	if err != nil {
		return nil, err
	}
	twin, err := play.NewModel(kind, base.params)
	if err != nil {
		return nil, err
	}
	model := elastic.NewTwin(kind.Schema, twin)
	e := &elasticEngine{cfg: cfg, block: kind.Schema, judge: base.judge, spec: device.Elastic(cfg.Bind), params: base.params,
		open: base.open, expect: model, cases: watch.NewCases()}
	e.cover = e.newTwinFollow(watched.Cover)
	model.Observe = e.cover.observe
	return e.run(ctx)
}

// run plays everything and explains the first failure.
func (e *elasticEngine) run(ctx context.Context) (*report.Result, error) {
	e.res = e.cfg.Planned()
	e.limited(&e.res)
	src, err := e.open(e.cfg.source()) // so that an unknown source is refused before the build
	if err != nil {
		return nil, err
	}
	src.Close()
	if e.dev, err = device.Start(ctx, e.cfg.device(e.params)); err != nil {
		return nil, err
	}
	defer e.dev.Close()
	if err := e.notItself(); err != nil {
		return nil, err
	}
	if err := e.dev.ProbeReset(e.cfg.Bind); err != nil {
		return nil, err
	}
	if err := e.ownCoverage(); err != nil {
		return nil, err
	}
	begin := time.Now()
	runErr := e.all(ctx)
	e.spec.Took, e.spec.Gave = nil, nil // the search for an explanation must not count as coverage
	took := time.Since(begin)
	res := e.result(runErr == nil)
	if len(e.failures) > 0 {
		return e.failed(ctx, res, took, runErr)
	}
	if !e.judged(res) && runErr == nil {
		runErr = e.check()
	}
	return res, closed(ctx, res, took, runErr)
}

// check returns the error of a run that found no difference and still does not pass.
func (e *elasticEngine) check() error {
	var covered error
	if e.cover != nil {
		covered = e.cover.Check()
	}
	return errors.Join(covered, cmp.Or(e.checkOwn(), e.allMasked()))
}

// failed returns the result of a run that found a mismatch; what breaks beside it ends in a note. RunErr is what
// ended the run after the mismatch, or nil.
func (e *elasticEngine) failed(ctx context.Context, res *report.Result, took time.Duration,
	runErr error) (*report.Result, error) {
	f := &e.failures[0]
	m := &report.Mismatch{Episode: f.name, Seed: e.cfg.Seed, Cycle: f.find.Cycle, Reproduce: e.cfg.repeat(f.name)}
	m.Expected, _ = e.cfg.referenceName()
	beside := []error{runErr, e.checkOwn()}
	if e.cover != nil {
		if g := e.cover.Finding(); g != nil {
			beside = append(beside, errors.New(g.Text))
		}
		beside = append(beside, e.cover.Check())
		e.expect.(*elastic.Twin).Observe = nil // the search for an explanation must not count as coverage
	}
	for _, err := range beside {
		if err != nil {
			m.AddNote("beside the mismatch: " + err.Error())
		}
	}
	res.FirstMismatch = m
	return res, closed(ctx, res, took, errors.Join(runErr, e.explain(ctx, res, f, took)))
}

// all plays the whole source: random and fabric sources to the first failing episode, directed cases all.
func (e *elasticEngine) all(ctx context.Context) error {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return err
	}
	defer src.Close()
	probe, err := e.newProbe()
	if err != nil {
		return err
	}
	defer probe.close()
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			return e.ended(src.Err())
		}
		if _, err := probe.next(ctx); err != nil {
			return e.ended(referenceFault(e.cfg.Against.File, e.cfg.Against, err))
		}
		e.cases.Begin(0, ep)
		if e.cover != nil {
			e.cover.Begin(0, ep)
		}
		e.res.Episodes++
		out, err := e.play(ctx, ep)
		e.res.Events += out.Events
		e.res.Cycles += out.Cycles
		e.res.Responses += out.Responses
		e.maskedBits(out.Masked)
		e.res.Compared.Add(report.Compared{Responses: out.Responses, Fields: out.Fields})
		e.cases.Count(out.Cycles, out.Events)
		if err != nil {
			return e.ended(e.at(ep.Name, &out, err))
		}
		if e.cfg.Progress != nil {
			e.cfg.Progress(e.res.Events, e.cfg.Events)
		}
		e.digest = bits.RotateLeft64(e.digest, 7) ^ out.Digest
		if out.Finding == nil {
			continue
		}
		if err := e.bound(out.Finding); err != nil {
			return e.ended(e.at(ep.Name, &out, err))
		}
		e.res.Compared.Add(report.Compared(out.Differing))
		e.res.Responses += out.Differing.Responses
		e.failures = append(e.failures, elasticFailure{index, ep.Name, out.Finding})
		if e.cfg.Source != "directed" || e.cfg.StopFirst {
			return nil
		}
	}
}

// at adds to an error where it happened: the episode, and the event that is refused or was accepted last.
func (e *elasticEngine) at(episode string, out *elastic.Outcome, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	what := "before any event was accepted"
	switch f := out.Finding; {
	case f != nil && f.Kind == elastic.Stuck:
		what = fmt.Sprintf("event %d, %s", out.Events, e.judge.Event(f.Lane, f.Event))
	case out.Last != nil:
		what = fmt.Sprintf("event %d, %s", max(out.Events, 1)-1, e.judge.Event(out.LastLane, out.Last))
		if e.ref != nil || e.cycles != nil {
			what = fmt.Sprintf("up to %d cycles after ", elastic.Chunk) + what
		}
	}
	return fmt.Errorf("episode %s, %s: %w", episode, what, err)
}

// play plays an episode on a simulation object of its own.
func (e *elasticEngine) play(ctx context.Context, ep *stim.Episode) (elastic.Outcome, error) {
	if err := e.restart(e.dev, ep.Name); err != nil {
		return elastic.Outcome{}, err
	}
	return e.playOn(ctx, e.dev, ep)
}

// bound returns an error for a finding which shows that the binding, or the design as a whole, does not work.
func (e *elasticEngine) bound(f *elastic.Finding) error {
	switch {
	case f.Kind == elastic.RTL:
		return e.dev.Settles(f.Text)
	case f.Kind == elastic.Stuck && f.Never && e.res.Events == 0:
		return e.spec.Refused(f)
	case f.Kind == elastic.Extra && f.Early && e.res.Responses == 0:
		return e.spec.Early(f.Stream, fmt.Sprintf("in cycle %d, before any event was accepted", f.Cycle))
	case f.Kind == elastic.Missing && e.res.Responses == 0:
		return e.spec.Silent(e.res.Events)
	}
	return nil
}

func (e *elasticEngine) result(complete bool) *report.Result {
	res := &e.res
	h := e.dev.Session.Hello()
	res.Simulator = report.Simulator{Name: "Verilator", Version: h.Simulator, Flags: h.Flags}
	res.Mismatches, res.Cases = uint64(len(e.failures)), e.cases.Table()
	if res.Cycles > 0 {
		res.EventsPerCycle = float64(res.Events) / float64(res.Cycles)
	}
	if len(e.failures) == 0 && complete {
		res.Digest = fmt.Sprintf("%016x", e.digest)
	}
	for _, f := range e.failures {
		e.cases.Fail(f.name, func() string {
			return fmt.Sprintf("episode %s: %s at cycle %d; repeat it with: %s", f.name, kindWords(f.find.Kind), f.find.Cycle,
				e.cfg.repeat(f.name))
		})
	}
	if e.cover != nil {
		res.Coverage = e.cover.Coverage()
	}
	if e.own != nil {
		r, unreachable, corners := e.own.Report()
		res.Coverage = watch.CoverageOf(r, unreachable)
		res.Coverage.Corners = corners
	}
	return res
}

// kindWords describes a finding on a case's line.
func kindWords(k elastic.Kind) string {
	switch k {
	case elastic.RTL:
		return "an assertion failed"
	case elastic.Stuck:
		return "an event refused for too long"
	case elastic.Differs:
		return "the outputs differ"
	case elastic.Unstable:
		return "a broken handshake"
	}
	return string(k) + " response"
}
