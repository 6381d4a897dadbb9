package effect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// ErrSeeds is wrapped by the error of a run whose seeds give no differences to compare.
var ErrSeeds = errors.New("seeds")

// Spec says what to simulate.
type Spec struct {
	Name     string            // of the preset or file
	Fabric   settings.Spec     // with other senders its congestion control is left aside
	Messages []traffic.Message // in place of the workload; nil: none
	Seeds    []uint64
	TickNs   int            // of senders in fixed point; 0: 1
	Table    *formats.Table // of the senders or pacers besides; nil or the contract's: none, or those of RunPacers
}

// Names of the senders.
const (
	Float    = "float64"
	Contract = "fixed"
	Other    = "fixed, other formats"
)

// check returns the error of a spec that cannot be measured.
func (s *Spec) check() error {
	if len(s.Seeds) < 2 {
		return fmt.Errorf("%w: %d given; a difference needs at least 2, such as --seeds 1..5", ErrSeeds, len(s.Seeds))
	}
	named := len(s.Fabric.CCHosts) + len(s.Fabric.CCContexts)
	for i := range s.Messages {
		if s.Messages[i].CC != "" {
			named++
		}
	}
	if named > 0 {
		return fmt.Errorf("%s: flows name a congestion control of their own, which would not be replaced; "+
			"leave cc.hosts, cc.contexts and cc of flows out", s.Name)
	}
	return nil
}

// arm is one kind of sender or pacer: what makes a run with it.
type arm struct {
	name string
	one  func(ctx context.Context, seed uint64) (*result.Result, error)
}

// Run simulates the spec with each kind of sender and each seed. It returns ErrSeeds for fewer than two seeds and for a
// network that does not depend on the seed, and an error when a run breaks or loses a byte.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	spec.TickNs = cmp.Or(spec.TickNs, 1)
	res := &Result{Preset: spec.Name, Seeds: spec.Seeds, TickNs: spec.TickNs, Kinds: "senders", figures: ofSenders}
	with := func(name string, t *formats.Table) arm {
		return arm{name, func(ctx context.Context, seed uint64) (*result.Result, error) { return one(ctx, &spec, t, seed) }}
	}
	contract := ccc.Formats()
	arms := []arm{with(Float, nil), with(Contract, contract)}
	if spec.Table != nil {
		if res.Changed = diff.Changes(spec.Table, contract); len(res.Changed) > 0 {
			arms = append(arms, with(Other, spec.Table))
		}
	}
	if err := res.run(ctx, &spec, arms); err != nil {
		return nil, err
	}
	for i := range res.Arms {
		for k := range i {
			res.Pairs = append(res.Pairs, res.compare(&res.Arms[k], &res.Arms[i]))
		}
	}
	return res, nil
}

// run fills in the arms.
func (res *Result) run(ctx context.Context, spec *Spec, arms []arm) error {
	if err := spec.check(); err != nil {
		return err
	}
	for i, a := range arms {
		runs, err := transport.EachSeed(ctx, spec.Seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
			r, err := a.one(ctx, seed)
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", a.name, seed, err)
			}
			return r, nil
		})
		if err != nil {
			return err
		}
		out := Arm{Name: a.name}
		for k, r := range runs {
			run, err := res.measure(r)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", a.name, spec.Seeds[k], err)
			}
			out.Runs = append(out.Runs, run)
		}
		res.Arms = append(res.Arms, out)
		if i == 0 {
			if err := res.drawn(); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawn returns an error when two seeds gave the same run: they would count as two observations and be one.
func (res *Result) drawn() error {
	seen := map[uint64]uint64{}
	for i, r := range res.Arms[0].Runs {
		if old, ok := seen[r.digest]; ok {
			return fmt.Errorf("%w: %s runs the same way with seeds %d and %d, packet by packet, so that more seeds show "+
				"nothing more; give a workload that draws", ErrSeeds, res.Preset, old, res.Seeds[i])
		}
		seen[r.digest] = res.Seeds[i]
	}
	return nil
}

// one simulates one seed; a table of nil stands for float64.
func one(ctx context.Context, spec *Spec, t *formats.Table, seed uint64) (*result.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := &senders{table: t, tickNs: spec.TickNs, cancel: cancel}
	s := spec.Fabric
	s.Seed = seed
	row, err := cc.Find(cc.Default, cc.Rows())
	if err != nil {
		return nil, err
	}
	used := *row
	used.Name, s.CC = "nscc-of-diff", "nscc-of-diff"
	made := 0
	used.New = func(cfg cc.Config) (cc.Control, error) {
		made++
		if t != nil {
			return all.create(cfg)
		}
		return row.New(cfg)
	}
	opts := []fabric.Option{fabric.WithControl(used)}
	if spec.Messages != nil {
		opts = append(opts, fabric.WithMessages(spec.Messages))
	}
	r, err := fabric.Run(ctx, s, opts...)
	switch {
	case all.err != nil:
		return nil, all.err
	case err == nil && made == 0:
		err = fmt.Errorf("%w: no flow has a sender of its own", diff.ErrNothing)
	}
	return r, err
}

// measure returns the figures of a run. A flow that did not finish is one of them; lost books are an error.
func (res *Result) measure(r *result.Result) (Outcome, error) {
	run := Outcome{Seed: r.Spec.Seed, Flows: len(r.Flows), Unfinished: len(r.Unfinished()), digest: r.Digest}
	if run.Unfinished == 0 {
		if err := r.Verify(); err != nil {
			return run, err
		}
	}
	if r.FCT().Flows == 0 {
		return run, fmt.Errorf("%w: no flow finished", diff.ErrNothing)
	}
	for _, f := range res.figures {
		run.Values = append(run.Values, f.of(r))
	}
	return run, nil
}

// compare returns the differences b - a, seed by seed.
func (res *Result) compare(a, b *Arm) Pair {
	p := Pair{Of: b.Name, Against: a.Name}
	for i := range a.Runs {
		p.Unfinished += a.Runs[i].Unfinished + b.Runs[i].Unfinished
		if a.Runs[i].digest == b.Runs[i].digest {
			p.Equal++
		}
	}
	n := float64(len(a.Runs))
	for k, f := range res.figures {
		d := make([]float64, len(a.Runs))
		x := Difference{Name: f.name, Unit: f.unit}
		for i := range d {
			d[i] = b.Runs[i].Values[k] - a.Runs[i].Values[k]
			x.Base += a.Runs[i].Values[k] / n
			x.Largest = max(x.Largest, math.Abs(d[i]))
		}
		s := paired(d)
		x.Mean, x.Lo, x.Hi, x.Smallest = s.mean, s.lo, s.hi, s.smallest
		x.Seen = x.Lo > 0 || x.Hi < 0
		p.Differences = append(p.Differences, x)
	}
	return p
}
