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
	Fabric   settings.Spec     // its congestion control is left aside
	Messages []traffic.Message // in place of the workload; nil: none
	Seeds    []uint64
	TickNs   int            // of fixed point; 0: 1
	Table    *formats.Table // of the third senders; nil or the contract's: there are none
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
		return fmt.Errorf("%s: flows name a congestion control of their own, which the senders would not replace; "+
			"leave cc.hosts, cc.contexts and cc of flows out", s.Name)
	}
	return nil
}

// Run simulates the spec with each kind of sender and each seed. It returns ErrSeeds for fewer than two seeds and for a
// network that does not depend on the seed, and an error when a run breaks or loses a byte.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	spec.TickNs = cmp.Or(spec.TickNs, 1)
	contract := ccc.Formats()
	res := &Result{Preset: spec.Name, Seeds: spec.Seeds, TickNs: spec.TickNs}
	names, tables := []string{Float, Contract}, []*formats.Table{nil, contract}
	if spec.Table != nil {
		if res.Changed = diff.Changes(spec.Table, contract); len(res.Changed) > 0 {
			names, tables = append(names, Other), append(tables, spec.Table)
		}
	}
	for i, name := range names {
		runs, err := transport.EachSeed(ctx, spec.Seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
			r, err := one(ctx, &spec, tables[i], seed)
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", name, seed, err)
			}
			return r, nil
		})
		if err != nil {
			return nil, err
		}
		arm := Arm{Name: name}
		for k, r := range runs {
			run, err := measure(r)
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", name, spec.Seeds[k], err)
			}
			arm.Runs = append(arm.Runs, run)
		}
		res.Arms = append(res.Arms, arm)
		if i == 0 {
			if err := res.drawn(); err != nil {
				return nil, err
			}
		}
	}
	for i := range res.Arms {
		for k := range i {
			res.Pairs = append(res.Pairs, compare(&res.Arms[k], &res.Arms[i]))
		}
	}
	return res, nil
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
func measure(r *result.Result) (Outcome, error) {
	f := r.FCT()
	run := Outcome{Seed: r.Spec.Seed, Flows: len(r.Flows), Unfinished: len(r.Unfinished()), digest: r.Digest}
	if run.Unfinished == 0 {
		if err := r.Verify(); err != nil {
			return run, err
		}
	}
	if f.Flows == 0 {
		return run, fmt.Errorf("%w: no flow finished", diff.ErrNothing)
	}
	queue := int64(0)
	for _, q := range r.Queues {
		queue = max(queue, q.Peak)
	}
	run.Values = [NumFigures]float64{f.Mean, f.P50, f.P99, float64(queue), float64(r.Counters.Retransmits)}
	return run, nil
}

// compare returns the differences b - a, seed by seed.
func compare(a, b *Arm) Pair {
	p := Pair{Of: b.Name, Against: a.Name}
	for i := range a.Runs {
		p.Unfinished += a.Runs[i].Unfinished + b.Runs[i].Unfinished
		if a.Runs[i].digest == b.Runs[i].digest {
			p.Equal++
		}
	}
	n := float64(len(a.Runs))
	for k := range NumFigures {
		d := make([]float64, len(a.Runs))
		x := Difference{Name: figures[k].name, Unit: figures[k].unit}
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
