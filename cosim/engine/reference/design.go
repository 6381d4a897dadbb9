package reference

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// comparable returns an error when a design and the other one are the same, or would not be compared in full.
func (g Given) comparable(bound *bind.Binding) error {
	a := g.Against
	if !g.Self && report.SameFile(bound.File, a.File) {
		return device.ErrItself(bound.File, a.File)
	}
	if a.Block.Name != bound.Block.Name || a.Block.Hash() != bound.Block.Hash() {
		return fmt.Errorf("%s is of block %s, schema hash %s, and %s of block %s, schema hash %s; give both the same schema",
			bound.File, bound.Block.Name, bound.Block.Hash(), a.File, a.Block.Name, a.Block.Hash())
	}
	if err := event.SameComparison(bound.File, bound.Block, a.File, a.Block); err != nil {
		return err
	}
	if with, without := bound, a; (bound.Beats > 0) != (a.Beats > 0) {
		if a.Beats > 0 {
			with, without = a, bound
		}
		return fmt.Errorf("%s has the key beats, so that packets are compared, and %s has not; give it its own there, "+
			"beats: {width: BITS}", with.File, without.File)
	}
	has := bound.Missing()
	lost := slices.DeleteFunc(a.Missing(), func(name string) bool { return slices.Contains(has, name) })
	if len(lost) > 0 {
		return fmt.Errorf("%s leaves out %s with none, and %s has it, so that nothing would be compared there; "+
			"map it in the reference, or leave it out of both", a.File, strings.Join(lost, ", "), bound.File)
	}
	if !maps.Equal(bound.BlockParams, a.BlockParams) {
		return fmt.Errorf("%s has the block_parameters %v and %s %v; give both the same", bound.File, bound.BlockParams,
			a.File, a.BlockParams)
	}
	return nil
}

// limits returns what limits a reference, as a result lists it: the rules that it breaks on purpose, and the fields
// that its map holds constant.
func limits(rules, constants []string) (relaxed, uncompared []string) {
	for _, rule := range rules {
		relaxed = append(relaxed, rule+" (of the reference)")
	}
	for _, name := range constants {
		uncompared = append(uncompared, name+" (a constant of the reference's map)")
	}
	return relaxed, uncompared
}

// build builds and starts the other design, and checks its reset.
func (g Given) build(ctx context.Context, s *Setup) (Reference, error) {
	spec := s.Device
	spec.Bind, spec.Binary = g.Against, nil
	dev, err := device.Start(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("reference %s: %w", g.Against.File, err)
	}
	x := newDesign(ctx, g, s.Device.Bind, dev)
	if err := dev.ProbeReset(g.Against); err != nil {
		x.Close()
		return nil, fmt.Errorf("reference %w", err)
	}
	if x.peer != nil {
		if x.probe, err = newProbe(dev, g.Against, s); err != nil {
			x.Close()
			return nil, err
		}
	}
	return x, nil
}

// design is another design that was started.
type design struct {
	plain
	given Given
	bound *bind.Binding // of the design under test
	dev   *device.Device
	spec  elastic.Spec  // of the reference
	peer  *elastic.Peer // nil where the two are compared cycle by cycle
	named *side         // the same, under its name
	probe *probe        // nil where the reference is stalled as the design is
}

// newDesign returns the reference that a device is: cycle by cycle when both keep the contract's time.
func newDesign(ctx context.Context, g Given, bound *bind.Binding, dev *device.Device) *design {
	x := &design{given: g, bound: bound, dev: dev, spec: device.Elastic(g.Against)}
	if bound.Latency != bind.Exact || g.Against.Latency != bind.Exact {
		x.peer = elastic.NewPeer(ctx, dev.Session, x.spec)
		x.named = &side{elastic.Noted{Expect: x.peer, Note: x.fault}, x.peer}
	}
	return x
}

// fault returns an error of the reference under its name.
func (x *design) fault(err error) error { return fault(x.given.Against.File, x.given.Against, err) }

// exact reports whether the two are compared cycle by cycle.
func (x *design) exact() bool { return x.peer == nil }

// Adapt applies to both what one of the two lacks or answers out of order.
func (x *design) Adapt(spec *elastic.Spec) {
	a := x.spec
	if x.exact() {
		spec.RefPort, spec.Flush = a.Port, max(spec.Flush, a.Flush)
		if a.NoStall != nil {
			open := slices.Clone(a.NoStall)
			for i := range spec.NoStall {
				open[i] = open[i] || spec.NoStall[i]
			}
			spec.NoStall = open
		}
	}
	spec.ResetCycles = max(spec.ResetCycles, a.ResetCycles) // both are held in reset for as long
	spec.Skip, spec.Uncounted = either(spec.Skip, a.Skip), either(spec.Uncounted, a.Uncounted)
	if spec.Order == elastic.Stream {
		spec.Order, spec.Key = a.Order, a.Key
	}
	spec.NoReset = spec.NoReset || a.NoReset
}

func (x *design) Differs(dev *device.Device) error {
	if x.given.Self {
		return nil
	}
	same, err := device.Same(dev, x.dev)
	same = same && slices.Equal(x.bound.PlusArgs, x.given.Against.PlusArgs)
	if err != nil || !same {
		return err
	}
	return device.ErrItself(x.bound.File, x.given.Against.File)
}

func (x *design) Probe(ctx context.Context) error {
	if x.probe == nil {
		return nil
	}
	_, err := x.probe.next(ctx)
	return x.fault(err)
}

func (x *design) Restart(seed uint32) error {
	if x.exact() {
		return x.dev.Restart(seed)
	}
	return x.named.Restart(seed)
}

func (x *design) Play(ctx context.Context, dev elastic.Device, ep *stim.Episode, spec elastic.Spec,
	restart func() error) (elastic.Outcome, error) {
	if !x.exact() {
		return elastic.PlayAgainst(ctx, dev, x.peer, x.named, ep, spec, restart)
	}
	out, err := elastic.PlayExact(ctx, dev, x.dev.Session, ep, spec)
	var whose *elastic.ReferenceError
	if errors.As(err, &whose) && !errors.Is(err, context.Canceled) {
		err = x.fault(err)
	}
	return out, err
}

func (x *design) Ahead() int {
	if x.exact() {
		return elastic.Chunk
	}
	return 0
}

func (x *design) Close() {
	x.probe.close()
	x.dev.Close()
}
