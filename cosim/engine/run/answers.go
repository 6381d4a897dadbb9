package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover/schema"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// answers is a run that compares the answers of a bound design with those of a reference.
type answers struct {
	*engine
	ref    reference.Reference
	spec   elastic.Spec
	cases  *watch.Cases
	cover  *modelFollow     // of our model; nil if expected answers come from elsewhere
	schema *schema.Coverage // coverage of a block that has only a schema; nil for others

	events, cycles, responses uint64
	masked                    []report.Masked
	after                     error // the error that ended the run after a mismatch
}

func (e *answers) start(ctx context.Context) error {
	e.cases = watch.NewCases()
	s := reference.Setup{Block: e.kind, Params: e.params, Device: e.cfg.device(e.params), Source: e.cfg.Source,
		Events: e.cfg.source(), Open: e.open, Seed: e.seed, Timeout: e.cfg.Timeout}
	if e.given.Ours() {
		c, err := block.NewCollector(e.cfg.Block, e.params)
		if err != nil {
			return err
		}
		e.cover = e.newModelFollow(watch.NewCover(c))
		s.Observe = e.cover.observe
	}
	var err error
	if e.ref, err = e.given.Start(ctx, &s); err != nil {
		return err
	}
	e.spec = device.Elastic(e.cfg.Bind)
	if b := e.cfg.Bind; b.Judging.Any() {
		e.spec.Judge, e.spec.Resync = tolerance.NewJudge(b.Block, b.Judging.Rules), b.Judging.Resync
	}
	e.ref.Adapt(&e.spec)
	if e.given.OwnEvents() {
		e.open = e.ref.Open
		src, err := e.open(e.cfg.source()) // first, to refuse an unknown episode before the build
		if err != nil {
			return err
		}
		src.Close()
	}
	if e.dev, err = device.Start(ctx, e.cfg.device(e.params)); err != nil {
		return err
	}
	if err := e.ref.Differs(e.dev); err != nil {
		return err
	}
	if err := e.dev.ProbeReset(e.cfg.Bind); err != nil {
		return err
	}
	return e.schemaCoverage()
}

func (e *answers) close() {
	if e.ref != nil {
		e.ref.Close()
	}
}

func (e *answers) begun() bool { return true }

// check returns the error of a run that found no difference but must not pass.
func (e *answers) check() error {
	var covered error
	if e.cover != nil {
		covered = e.cover.Check()
	}
	return errors.Join(covered, cmp.Or(e.checkSchema(), e.allMasked()))
}

// settle collects other findings besides the mismatch.
func (e *answers) settle(context.Context, *failure) (b besides) {
	b.beside = []error{e.checkSchema()}
	if e.cover != nil {
		if g := e.cover.Finding(); g != nil {
			b.beside = append(b.beside, errors.New(g.Text))
		}
		b.beside = append(b.beside, e.cover.Check())
	}
	return b
}

// all plays the source: random and fabric sources up to the first failing episode, directed cases to the end.
func (e *answers) all(ctx context.Context) error {
	defer e.covered()
	return e.ended(e.each(func(index int, ep *stim.Episode) (bool, error) {
		if err := e.ref.Probe(ctx); err != nil {
			return false, err
		}
		e.cases.Begin(0, ep)
		if e.cover != nil {
			e.cover.Begin(0, ep)
		}
		e.episodes++
		out, err := e.play(ctx, ep)
		e.events += out.Events
		e.cycles += out.Cycles
		e.responses += out.Responses
		e.maskedBits(out.Masked)
		e.compared.Add(report.Compared{Responses: out.Responses, Fields: out.Fields})
		e.cases.Count(out.Cycles, out.Events)
		if err != nil {
			return false, e.at(ep.Name, &out, err)
		}
		if e.cfg.Progress != nil {
			e.cfg.Progress(e.events, e.cfg.Events)
		}
		e.digest = bits.RotateLeft64(e.digest, 7) ^ out.Digest
		if out.Finding == nil {
			return true, nil
		}
		if err := e.bound(out.Finding); err != nil {
			return false, e.at(ep.Name, &out, err)
		}
		e.compared.Add(report.Compared(out.Differing))
		e.responses += out.Differing.Responses
		e.failures = append(e.failures, failure{index: index, name: ep.Name, at: out.Finding.Cycle, find: out.Finding})
		return e.more(), nil
	}))
}

// ended handles the error that ends a run. After a mismatch, the error becomes a note and the mismatch stays.
func (e *answers) ended(err error) error {
	if err == nil || len(e.failures) == 0 || errors.Is(err, context.Canceled) {
		return err
	}
	e.after = err
	return nil
}

// covered stops coverage, so that the search for an explanation does not count.
func (e *answers) covered() {
	e.spec.Took, e.spec.Gave = nil, nil
	if e.spec.Judge != nil {
		e.spec.Judge.Quiet()
	}
	if e.cover != nil {
		e.cover.over = true
	}
}

// at adds the place to an error: the episode, and the event that was refused or last accepted.
func (e *answers) at(episode string, out *elastic.Outcome, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	what := "before any event was accepted"
	switch f := out.Finding; {
	case f != nil && f.Kind == elastic.Stuck:
		what = fmt.Sprintf("event %d, %s", out.Events, e.judge.Event(f.Lane, f.Event))
	case out.Last != nil:
		what = fmt.Sprintf("event %d, %s", max(out.Events, 1)-1, e.judge.Event(out.LastLane, out.Last))
		if n := e.ref.Ahead(); n > 0 {
			what = fmt.Sprintf("up to %d cycles after ", n) + what
		}
	}
	return fmt.Errorf("episode %s, %s: %w", episode, what, err)
}

// restart starts an episode on a device and on the reference.
func (e *answers) restart(dev *device.Device, episode string) error {
	seed := e.seed(episode)
	if err := dev.Restart(seed); err != nil {
		return err
	}
	return e.ref.Restart(seed)
}

// play plays an episode on its own simulation object.
func (e *answers) play(ctx context.Context, ep *stim.Episode) (elastic.Outcome, error) {
	return e.playFor(ctx, ep, 0)
}

// playFor plays an episode in which no event may wait for more than most cycles; 0 for as many as in the run.
func (e *answers) playFor(ctx context.Context, ep *stim.Episode, most uint64) (out elastic.Outcome, err error) {
	if err := e.restart(e.dev, ep.Name); err != nil {
		return elastic.Outcome{}, err
	}
	spec := e.spec
	if most > 0 {
		spec.Patience = int(min(uint64(spec.Patience), most))
	}
	defer play.Guard(&err) // of the model
	return e.ref.Play(ctx, e.dev.Session, ep, spec, func() error { return e.restart(e.dev, ep.Name) })
}

// bound returns an error for a finding that shows that the binding, or the whole design, does not work.
func (e *answers) bound(f *elastic.Finding) error {
	switch {
	case f.Kind == elastic.RTL:
		return e.dev.Settles(f.Text)
	case f.Kind == elastic.Stuck && f.Never && e.events == 0:
		return e.spec.Refused(f)
	case f.Kind == elastic.Extra && f.Early && e.responses == 0:
		return e.spec.Early(f.Stream, fmt.Sprintf("in cycle %d, before any event was accepted", f.Cycle))
	case f.Kind == elastic.Missing && e.responses == 0:
		return e.spec.Silent(e.events)
	}
	return nil
}

func (e *answers) count(res *report.Result) {
	relaxed, uncompared := e.ref.Limits()
	res.Relaxed, res.Uncompared = append(res.Relaxed, relaxed...), append(res.Uncompared, uncompared...)
	res.Events, res.Cycles, res.Responses, res.Masked = e.events, e.cycles, e.responses, e.masked
	if e.spec.Judge != nil {
		res.Sections = append(res.Sections, e.spec.Judge.Section(e.spec.Resync, func(ev []uint64) string {
			return e.judge.Event(0, ev)
		}))
	}
	res.Cases = e.cases.Table()
	e.fail(e.cases)
	if e.cover != nil {
		res.Coverage = e.cover.Coverage()
	}
	if e.schema != nil {
		r, unreachable, corners := e.schema.Report()
		res.Coverage = watch.CoverageOf(r, unreachable)
		res.Coverage.Corners = corners
	}
}

func (e *answers) message(f *failure) string { return ": " + kindWords(f.find.Kind) }

// kindWords describes a finding for the line of a case.
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
