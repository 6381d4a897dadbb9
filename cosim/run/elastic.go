package run

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"github.com/goldwire/goldwire/cosim/bind"
	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/cosim/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
	"github.com/goldwire/goldwire/vectors/event"
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
	dev    *device
	cover  *coverWatch // of the model; nil where what is owed comes from elsewhere

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
	s.Flush, s.Patience, s.ResetCycles = b.Flush, b.Patience, b.Reset.Cycles
	s.Skip, s.NoStall, s.Port = b.Uncompared(), b.NoStall(), b.Port
	return s
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
	src, err := e.open(e.cfg.source()) // an unknown source must not cost a build
	if err != nil {
		return nil, err
	}
	src.Close()
	if e.dev, err = startDevice(ctx, &e.cfg, e.params, false); err != nil {
		return nil, err
	}
	defer e.dev.close()
	begin := time.Now()
	runErr := e.all(ctx)
	took := time.Since(begin)
	res := e.result(runErr == nil)
	if runErr == nil && e.cover != nil {
		runErr = e.cover.check()
	}
	if runErr == nil && len(e.failures) > 0 {
		if e.cover != nil {
			e.expect.(*elastic.Twin).Observe = nil // what explains a failure is no coverage
		}
		res.FirstMismatch, runErr = e.explain(ctx, &e.failures[0])
	}
	res.Seconds = took.Seconds()
	res.EventsPerS = float64(res.Events) / took.Seconds()
	res.CyclesPerS = float64(res.Cycles) / took.Seconds()
	if ctx.Err() != nil {
		res.Interrupted = true
		runErr = fmt.Errorf("run interrupted after %d events: %w", res.Events, context.Cause(ctx))
	} else if runErr != nil {
		res.Broken = runErr.Error()
	}
	return res, runErr
}

// all plays the whole source: random and fabric sources to the first failing episode, directed cases all.
func (e *elasticEngine) all(ctx context.Context) error {
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
		e.cases.begin(ep)
		e.res.Episodes++
		out, err := e.play(ctx, ep)
		e.res.Events += out.Events
		e.res.Cycles += out.Cycles
		e.res.Responses += out.Responses
		e.cases.at.Events += out.Events
		e.cases.at.Cycles += out.Cycles
		if err != nil {
			return err
		}
		if e.cfg.Progress != nil {
			e.cfg.Progress(e.res.Events, e.cfg.Events)
		}
		e.digest = bits.RotateLeft64(e.digest, 7) ^ out.Digest
		if out.Finding == nil {
			continue
		}
		if err := e.bound(out.Finding); err != nil {
			return err
		}
		e.failures = append(e.failures, elasticFailure{index, ep.Name, out.Finding})
		if e.cfg.Source != "directed" || e.cfg.StopFirst {
			return nil
		}
	}
}

// play plays an episode on a model object of its own.
func (e *elasticEngine) play(ctx context.Context, ep *gen.Episode) (elastic.Outcome, error) {
	if err := e.dev.restart(modelSeed(e.cfg.Seed, ep.Name)); err != nil {
		return elastic.Outcome{}, err
	}
	return elastic.Play(ctx, e.dev.session, e.expect, ep, e.spec)
}

// bound returns the error of a finding that says that the binding, or the design as a whole, does not work.
func (e *elasticEngine) bound(f *elastic.Finding) error {
	switch {
	case f.Kind == elastic.RTL:
		return e.dev.settles(f.Text)
	case f.Kind == elastic.Stuck && f.Never && e.res.Events == 0:
		return e.spec.Refused(f)
	case f.Kind == elastic.Missing && e.res.Responses == 0:
		return e.spec.Silent(e.res.Events)
	}
	return nil
}

func (e *elasticEngine) result(complete bool) *report.Result {
	res := &e.res
	h := e.dev.session.Hello()
	res.Block, res.Source, res.Seed, res.Params, res.Tick = e.cfg.Block, e.cfg.Source, e.cfg.Seed, e.params, e.cfg.tickName()
	res.Transport, res.RTL, res.SchemaHash, res.Reproduce = e.cfg.transport(), e.cfg.design(), e.block.Hash(), e.cfg.command()
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
			row.Message = fmt.Sprintf("episode %s: %s response at cycle %d; repeat it with: %s", f.name, f.find.Kind, f.find.Cycle, e.cfg.repeat(f.name))
		}
	}
	if e.cover != nil {
		res.Coverage = e.cover.coverage()
	}
	return res
}

// explain turns a failure into a report: it repeats the episode alone, looks for a short list of events that
// still fails, and shows what differs.
func (e *elasticEngine) explain(ctx context.Context, f *elasticFailure) (*report.Mismatch, error) {
	m := &report.Mismatch{Episode: f.name, Seed: e.cfg.Seed, Cycle: f.find.Cycle, Reproduce: e.cfg.repeat(f.name)}
	e.describe(m, f.find)
	rec, err := e.record(ctx, f)
	if err != nil {
		return m, err
	}
	first, err := e.play(ctx, rec.episode(e.cfg.Block))
	if err != nil {
		return m, err
	}
	if first.Finding == nil || first.Finding.Kind != f.find.Kind {
		return m, fmt.Errorf("episode %s failed at cycle %d and does not when it is repeated: %w", f.name, f.find.Cycle, ErrNotRepeated)
	}
	if e.cfg.WaveDir != "" {
		m.Wave, err = waveOf(ctx, &e.cfg, e.params, f.name, first.Finding.Cycle, func(dev *device, file string, from, cycles uint64) error {
			if err := dev.restart(modelSeed(e.cfg.Seed, f.name)); err != nil {
				return err
			}
			if err := dev.session.Trace(file, from, cycles); err != nil {
				return err
			}
			if _, err := elastic.Play(ctx, dev.session, e.expect, rec.episode(e.cfg.Block), e.spec); err != nil {
				return err
			}
			return dev.session.Trace("", 0, 0)
		})
		if err != nil {
			return m, err
		}
	}
	if e.cfg.NoShrink {
		return m, nil
	}
	short, err := shorten(ctx, e.block, rec, first.Cycles, func(r *recording) (bool, uint64, error) {
		out, err := e.play(ctx, r.episode(e.cfg.Block))
		return out.Finding != nil && out.Finding.Kind == f.find.Kind, out.Cycles, err
	})
	if err != nil {
		return m, err
	}
	m.ShrunkTo = len(short.items)
	for i := range short.items {
		m.Shrunk = append(m.Shrunk, itemWords(e.block, e.judge, short.items[i].Lane, short.items[i].Words))
	}
	return m, nil
}

// record plays the failing episode again and keeps the items that were accepted, and the next one.
func (e *elasticEngine) record(ctx context.Context, f *elasticFailure) (*recording, error) {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return nil, err
	}
	defer src.Close()
	for index := 0; ; index++ {
		ep, ok := src.Next()
		if !ok {
			return nil, errors.Join(fmt.Errorf("episode %s: the source ended before it", f.name), src.Err())
		}
		if index < f.index {
			continue
		}
		rec := newRecording(ep)
		out, err := e.play(ctx, ep)
		if err != nil {
			return nil, err
		}
		if out.Finding == nil || out.Finding.Kind != f.find.Kind || out.Finding.Cycle != f.find.Cycle {
			return nil, fmt.Errorf("episode %s failed at cycle %d and does not when it is repeated: %w", f.name, f.find.Cycle, ErrNotRepeated)
		}
		// One item more of each stream: without what waits at the ports the driver would be done earlier.
		keep := map[int]int{}
		for i, n := range out.Taken {
			keep[i] = n + 1
		}
		rec.keep(keep)
		return rec, nil
	}
}

// describe fills in what differs and the cycles up to it.
func (e *elasticEngine) describe(m *report.Mismatch, f *elastic.Finding) {
	l := e.judge.Layout()
	if f.Event != nil {
		m.Event = itemWords(e.block, e.judge, f.Lane, f.Event)
	}
	ins, outs := e.block.StreamsOf(event.In), e.block.StreamsOf(event.Out)
	record := func(words []uint64) []uint64 {
		r := make([]uint64, l.Out.Words)
		copy(r, words)
		r[0] |= l.Out.Control(outs[f.Stream].Name + "_valid")
		return r
	}
	var want []uint64 // output record of the failing cycle as it should be
	switch f.Kind {
	case elastic.Wrong:
		want = record(f.Want)
		for w := range e.spec.Skip { // what the design does not have is no difference
			want[w] = want[w]&^e.spec.Skip[w] | f.Got[w]&e.spec.Skip[w]
		}
		for _, d := range e.judge.Diff(want, record(f.Got)) {
			m.Fields = append(m.Fields, report.Field{Name: d.Name, Want: d.Want, Got: d.Got, DiffLSB: d.DiffLSB()})
		}
	case elastic.Extra:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "0, nothing is owed", Got: "1"}}
	case elastic.Missing:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "1", Got: fmt.Sprintf("0 for %d cycles", e.spec.Flush)}}
	case elastic.Stuck:
		m.Fields = []report.Field{{Name: ins[f.Stream].Name + "_ready", Want: "1", Got: fmt.Sprintf("0 for %d cycles", e.spec.Patience)}}
	case elastic.RTL:
		m.Fields = []report.Field{{Name: "assertion", Want: "holds", Got: f.Text}}
	}
	for _, c := range f.Window {
		if c.N > f.Cycle || c.N+windowBefore < f.Cycle {
			continue
		}
		row := report.Row{Cycle: c.N, Inputs: named(e.judge.Inputs(c.In)), Want: named(e.judge.Outputs(c.Out)), Got: named(e.judge.Outputs(c.Out))}
		if c.N == f.Cycle && want != nil {
			w := append([]uint64(nil), c.Out...)
			for k, mask := range l.Out.StreamMask(outs[f.Stream].Name) {
				w[k] = w[k]&^mask | want[k]&mask
			}
			row.Want, row.Differ = named(e.judge.Outputs(w)), true
		}
		m.Window = append(m.Window, row)
	}
}
