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

// Design is another design of the same block.
type Design struct {
	Bind *bind.Binding
	Self bool // it may be the design itself
}

// Kind returns "against".
func (Design) Kind() string { return "against" }

// Title returns the name of its dut.yaml.
func (d Design) Title() string {
	if d.Self {
		return d.Bind.File + " (--self: it may be the design itself, and this checks the harness only)"
	}
	return d.Bind.File
}

// Args returns --against and, where it is set, --self.
func (d Design) Args() []string {
	if d.Self {
		return []string{"--against", d.Bind.File, "--self"}
	}
	return []string{"--against", d.Bind.File}
}

// Ours returns false.
func (Design) Ours() bool { return false }

// Lockstep returns false.
func (Design) Lockstep(*bind.Binding) bool { return false }

// OwnEvents returns false.
func (Design) OwnEvents() bool { return false }

// Check returns an error when the two are the same, or would not be compared in full.
func (d Design) Check(bound *bind.Binding) error {
	a := d.Bind
	if !d.Self && report.SameFile(bound.File, a.File) {
		return device.ErrItself(bound.File, a.File)
	}
	if a.Block.Name != bound.Block.Name || a.Block.Hash() != bound.Block.Hash() {
		return fmt.Errorf("%s is of block %s, schema hash %s, and %s of block %s, schema hash %s; give both the same schema",
			bound.File, bound.Block.Name, bound.Block.Hash(), a.File, a.Block.Name, a.Block.Hash())
	}
	if err := event.SameComparison(bound.File, bound.Block, a.File, a.Block); err != nil {
		return err
	}
	if lost := without(a.Missing(), bound.Missing()); len(lost) > 0 {
		return fmt.Errorf("%s leaves out %s with none, and %s has it, so that nothing would be compared there; "+
			"map it in the reference, or leave it out of both", a.File, strings.Join(lost, ", "), bound.File)
	}
	if !maps.Equal(bound.BlockParams, a.BlockParams) {
		return fmt.Errorf("%s has the block_parameters %v and %s %v; give both the same", bound.File, bound.BlockParams,
			a.File, a.BlockParams)
	}
	return nil
}

// without returns the names that are not among the others.
func without(names, others []string) (out []string) {
	for _, n := range names {
		if !slices.Contains(others, n) {
			out = append(out, n)
		}
	}
	return out
}

// Limits returns the rules that it breaks on purpose, and the fields that its map holds constant.
func (d Design) Limits() (relaxed, uncompared []string) {
	return limits(d.Bind.Relaxed(), d.Bind.Constants())
}

// limits returns what limits a reference, as a result lists it.
func limits(rules, constants []string) (relaxed, uncompared []string) {
	for _, rule := range rules {
		relaxed = append(relaxed, rule+" (of the reference)")
	}
	for _, name := range constants {
		uncompared = append(uncompared, name+" (a constant of the reference's map)")
	}
	return relaxed, uncompared
}

// Start builds and starts it, and checks its reset.
func (d Design) Start(ctx context.Context, s *Setup) (Reference, error) {
	spec := s.Device
	spec.Bind, spec.Binary = d.Bind, nil
	dev, err := device.Start(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("reference %s: %w", d.Bind.File, err)
	}
	x := newDesign(ctx, d, s.Device.Bind, dev)
	if err := dev.ProbeReset(d.Bind); err != nil {
		x.Close()
		return nil, fmt.Errorf("reference %w", err)
	}
	if x.peer != nil {
		if x.probe, err = newProbe(dev, d.Bind, s); err != nil {
			x.Close()
			return nil, err
		}
	}
	return x, nil
}

// design is a Design that was started.
type design struct {
	plain
	given Design
	bound *bind.Binding // of the design under test
	dev   *device.Device
	spec  elastic.Spec  // of the reference
	peer  *elastic.Peer // nil where the two are compared cycle by cycle
	named *side         // the same, under its name
	probe *probe        // nil where the reference is stalled as the design is
}

// newDesign returns the reference that a device is: cycle by cycle when both keep the contract's time.
func newDesign(ctx context.Context, d Design, bound *bind.Binding, dev *device.Device) *design {
	x := &design{given: d, bound: bound, dev: dev, spec: device.Elastic(d.Bind)}
	if bound.Latency != bind.Exact || d.Bind.Latency != bind.Exact {
		x.peer = elastic.NewPeer(ctx, dev.Session, x.spec)
		x.named = &side{x.peer, x.fault}
	}
	return x
}

// fault returns an error of the reference under its name.
func (x *design) fault(err error) error { return fault(x.given.Bind.File, x.given.Bind, err) }

// exact reports whether the two are compared cycle by cycle.
func (x *design) exact() bool { return x.peer == nil }

// Adapt applies to both what one of the two lacks or answers out of order.
func (x *design) Adapt(spec *elastic.Spec) {
	a := x.spec
	if x.exact() {
		spec.RefPort, spec.Flush = a.Port, max(spec.Flush, a.Flush)
		if a.NoStall != nil {
			open := append([]bool(nil), a.NoStall...)
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

// Differs returns an error when both run the same design.
func (x *design) Differs(dev *device.Device) error {
	if x.given.Self {
		return nil
	}
	same, err := device.Same(dev, x.dev)
	same = same && slices.Equal(x.bound.PlusArgs, x.given.Bind.PlusArgs)
	if err != nil || !same {
		return err
	}
	return device.ErrItself(x.bound.File, x.given.Bind.File)
}

// Probe plays the next episode of the probe.
func (x *design) Probe(ctx context.Context) error {
	if x.probe == nil {
		return nil
	}
	_, err := x.probe.next(ctx)
	return x.fault(err)
}

// Restart starts it again.
func (x *design) Restart(seed uint32) error {
	if x.exact() {
		return x.dev.Restart(seed)
	}
	return x.named.Restart(seed)
}

// Play compares cycle by cycle, or answer by answer.
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

// Ahead returns the cycles that the design runs in one piece after the reference.
func (x *design) Ahead() int {
	if x.exact() {
		return elastic.Chunk
	}
	return 0
}

// Close ends it.
func (x *design) Close() {
	x.probe.close()
	x.dev.Close()
}
