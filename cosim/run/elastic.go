package run

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/gen"
)

// elasticEngine is one run that compares answers in place of cycles.
type elasticEngine struct {
	cfg    Config
	block  *event.Block
	judge  *score.Judge
	spec   elastic.Spec
	params map[string]int
	open   func(name string) (gen.Source, error)
	expect elastic.Expect
	peer   *elastic.Peer // the same, where it is a second design; nil for none
	dev    *device
	other  *device                               // of Config.Against; nil for none
	ref    *device                               // a second design that must agree cycle by cycle; nil for none
	cycles func(in, want []uint64) (bool, error) // of a file per cycle, the episode opened last; nil for none
	cover  *coverWatch                           // of the model; nil where what is owed comes from elsewhere

	limits *format.Header // of the file of Config.Expect; nil for none
	after  error          // ended the run after a mismatch

	own *cover.Own // coverage of a schema of one's own; nil for others

	cases    *caseBook
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

// elasticSpec returns how a bound design is played.
func elasticSpec(b *bind.Binding) elastic.Spec {
	s := elastic.DefaultSpec(b.Block)
	s.Order, s.Key = elastic.Order(b.Order), b.Key
	s.Params, s.NoReset = b.BlockParams, b.Reset.None
	s.Flush, s.Patience, s.ResetCycles = b.Flush, b.Patience, b.Reset.Cycles
	s.Skip, s.Uncounted, s.NoStall, s.Port = b.Uncompared(), b.Uncounted(), b.NoStall(), b.Port
	s.MayDrop, s.MayChange = b.Relaxes(bind.ValidDrops), b.Relaxes(bind.DataChanges)
	return s
}

// calmSource gives the episodes of a source as a bound design can be driven.
type calmSource struct {
	gen.Source
	spec elastic.Spec
}

// calmed returns the source as the design of a binding, nil for none, can be driven: without back-pressure where it has
// no ready, and without resets where it has none.
func calmed(src gen.Source, b *bind.Binding) gen.Source {
	if b == nil {
		return src
	}
	return &calmSource{src, elasticSpec(b)}
}

// Next returns the next episode.
func (s *calmSource) Next() (*gen.Episode, bool) {
	ep, ok := s.Source.Next()
	if ok {
		ep = s.spec.Calm(ep)
	}
	return ep, ok
}

// runElastic plays the source on a bound design against the block's twin.
func runElastic(ctx context.Context, cfg Config) (*report.Result, error) {
	kind, err := dut.Lookup(cfg.Block)
	if err != nil {
		return nil, err
	}
	cfg.FloatOff = true // the float comparison is of the model, which the exact runs do
	base := &engine{cfg: cfg, kind: kind, judge: score.NewJudge(kind.Schema)}
	if base.params, err = kind.Params(cfg.sized()); err != nil {
		return nil, err
	}
	if err := within(ctx, &cfg, base.open); err != nil {
		return nil, err
	}
	watch, err := newWatchers(base)
	if err != nil {
		return nil, err
	}
	twin, err := kind.NewTwin(base.params)
	if err != nil {
		return nil, err
	}
	model := elastic.NewTwin(kind.Schema, twin)
	e := &elasticEngine{cfg: cfg, block: kind.Schema, judge: base.judge, spec: elasticSpec(cfg.Bind), params: base.params,
		open: base.open, expect: model, cover: watch.cover, cases: newCaseBook()}
	model.Observe = func(in, out []uint64) { watch.cover.cycle(0, in, out) }
	return e.run(ctx)
}

// run plays everything and explains the first failure.
func (e *elasticEngine) run(ctx context.Context) (*report.Result, error) {
	e.res = e.cfg.Planned()
	e.limited(&e.res)
	src, err := e.open(e.cfg.source()) // an unknown source must not cost a build
	if err != nil {
		return nil, err
	}
	src.Close()
	if e.dev, err = startDevice(ctx, &e.cfg, e.params, false); err != nil {
		return nil, err
	}
	defer e.dev.close()
	if err := e.notItself(); err != nil {
		return nil, err
	}
	if err := e.dev.probeReset(e.cfg.Bind); err != nil {
		return nil, err
	}
	if err := e.ownCoverage(); err != nil {
		return nil, err
	}
	begin := time.Now()
	runErr := e.all(ctx)
	e.spec.Took, e.spec.Gave = nil, nil // what explains a failure is no coverage
	took := time.Since(begin)
	res := e.result(runErr == nil)
	var covered error
	if runErr == nil && e.cover != nil {
		covered = e.cover.check()
	}
	if runErr == nil {
		runErr = e.checkOwn()
	}
	if runErr == nil && len(e.failures) == 0 {
		runErr = e.allMasked()
	}
	if runErr != nil || len(e.failures) == 0 {
		return res, closed(ctx, res, took, errors.Join(runErr, covered))
	}
	f := &e.failures[0]
	m := &report.Mismatch{Episode: f.name, Seed: e.cfg.Seed, Cycle: f.find.Cycle, Reproduce: e.cfg.repeat(f.name)}
	m.Expected, _ = e.cfg.referenceName()
	if covered != nil {
		m.AddNote("beside the mismatch: " + covered.Error())
	}
	if e.cover != nil {
		e.expect.(*elastic.Twin).Observe = nil // what explains a failure is no coverage
	}
	res.FirstMismatch = m
	return res, closed(ctx, res, took, e.explain(ctx, res, f, took))
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
		e.cases.begin(ep)
		e.res.Episodes++
		out, err := e.play(ctx, ep)
		e.res.Events += out.Events
		e.res.Cycles += out.Cycles
		e.res.Responses += out.Responses
		e.maskedBits(out.Masked)
		e.res.Compared.Add(report.Compared{Responses: out.Responses, Fields: out.Fields})
		e.cases.at.Events += out.Events
		e.cases.at.Cycles += out.Cycles
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
		e.failures = append(e.failures, elasticFailure{index, ep.Name, out.Finding})
		if e.cfg.Source != "directed" || e.cfg.StopFirst {
			return nil
		}
	}
}

// at puts before an error where it happened: the episode, and the event that is refused or was accepted last.
func (e *elasticEngine) at(episode string, out *elastic.Outcome, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	what := "before any event was accepted"
	switch f := out.Finding; {
	case f != nil && f.Kind == elastic.Stuck:
		what = fmt.Sprintf("event %d, %s", out.Events, itemWords(e.block, e.judge, f.Lane, f.Event))
	case out.Last != nil:
		what = fmt.Sprintf("event %d, %s", max(out.Events, 1)-1, itemWords(e.block, e.judge, out.LastLane, out.Last))
		if e.ref != nil || e.cycles != nil {
			what = fmt.Sprintf("up to %d cycles after ", elastic.Chunk) + what
		}
	}
	return fmt.Errorf("episode %s, %s: %w", episode, what, err)
}

// play plays an episode on a model object of its own.
func (e *elasticEngine) play(ctx context.Context, ep *gen.Episode) (elastic.Outcome, error) {
	if err := e.restart(e.dev, ep.Name); err != nil {
		return elastic.Outcome{}, err
	}
	return e.playOn(ctx, e.dev, ep)
}

// bound returns the error of a finding that says that the binding, or the design as a whole, does not work.
func (e *elasticEngine) bound(f *elastic.Finding) error {
	switch {
	case f.Kind == elastic.RTL:
		return e.dev.settles(f.Text)
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
	h := e.dev.session.Hello()
	res.Simulator = report.Simulator{Name: "Verilator", Version: h.Simulator, Flags: h.Flags}
	res.Mismatches, res.Cases = uint64(len(e.failures)), e.cases.table()
	if res.Cycles > 0 {
		res.EventsPerCycle = float64(res.Events) / float64(res.Cycles)
	}
	if len(e.failures) == 0 && complete {
		res.Digest = fmt.Sprintf("%016x", e.digest)
	}
	for _, f := range e.failures {
		if row := &res.Cases[e.cases.byRow[rowOf(f.name)]]; !row.Failed {
			row.Failed = true
			row.Message = fmt.Sprintf("episode %s: %s at cycle %d; repeat it with: %s", f.name, kindWords(f.find.Kind), f.find.Cycle, e.cfg.repeat(f.name))
		}
	}
	if e.cover != nil {
		res.Coverage = e.cover.coverage()
	}
	if e.own != nil {
		r, unreachable, corners := e.own.Report()
		res.Coverage = coverageOf(r, unreachable)
		res.Coverage.Corners = corners
	}
	return res
}

// kindWords says on a case's line what is wrong.
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
