package reference

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Given is a reference before it is started, as the user gives it: one of the first three, or none of them for our
// cycle-true model of the block.
type Given struct {
	Expect  string        // file of vectors, which has its own events
	Against *bind.Binding // another design of the same block
	Golden  string        // address of a program that speaks the bridge protocol and is asked event by event
	Self    bool          // Against may be the design itself: that checks the harness
}

// errSeveral refuses more than one reference.
var errSeveral = errors.New("--expect, --against, --golden: more than one reference is given; keep one")

// One returns an error when more than one reference is given.
func (g Given) One() error {
	given := slices.DeleteFunc([]bool{g.Expect != "", g.Against != nil, g.Golden != ""}, func(is bool) bool { return !is })
	if len(given) > 1 {
		return errSeveral
	}
	return nil
}

// Kind returns what a report calls this kind of reference; "" for our model.
func (g Given) Kind() string {
	switch {
	case g.Expect != "":
		return "file"
	case g.Against != nil:
		return "against"
	case g.Golden != "":
		return "golden"
	}
	return ""
}

// Title returns its name in a report; "" for our model.
func (g Given) Title() string {
	switch {
	case g.Against == nil:
		return cmp.Or(g.Expect, g.Golden)
	case g.Self:
		return g.Against.File + " (--self: it may be the design itself, and this checks the harness only)"
	}
	return g.Against.File
}

// Args returns the arguments of a command that select it; none for our model.
func (g Given) Args() []string {
	switch {
	case g.Expect != "":
		return []string{"--expect", g.Expect}
	case g.Golden != "":
		return []string{"--golden", g.Golden}
	case g.Against == nil:
		return nil
	case g.Self:
		return []string{"--against", g.Against.File, "--self"}
	}
	return []string{"--against", g.Against.File}
}

// Ours reports whether it is our model, whose packets, coverage and contexts can be followed.
func (g Given) Ours() bool { return g.Kind() == "" }

// Lockstep reports whether it is our model and runs ahead of a design, nil for ours, cycle by cycle: the design keeps
// the contract's time.
func (g Given) Lockstep(bound *bind.Binding) bool {
	return g.Ours() && (bound == nil || bound.Latency != bind.Elastic)
}

// OwnEvents reports whether it brings the events, too, so that no source draws any.
func (g Given) OwnEvents() bool { return g.Expect != "" }

// Check returns why a design cannot be compared with it, or nil. Only our model takes a design of ours, nil.
func (g Given) Check(bound *bind.Binding) error {
	switch {
	case g.Expect != "" && bound != nil && bound.Judging.Resync:
		return fmt.Errorf("%s: resync: state inserts events whose answers --expect %s does not have; leave one of them out",
			bound.File, g.Expect)
	case g.Against != nil:
		return g.comparable(bound)
	case g.Ours() && bound.SchemaOnly():
		return fmt.Errorf("block %s: it has your own schema %s and has no model here; give a reference: --expect FILE.gwv, "+
			"--against OTHER.yaml or --golden ADDRESS", bound.Block.Name, bound.SchemaFile)
	}
	return nil
}

// Limits returns what limits a comparison with it, as a result lists it: rules that are relaxed, and fields that are
// not compared. Those of a file are known once it is open.
func (g Given) Limits() (relaxed, uncompared []string) {
	if g.Against == nil {
		return nil, nil
	}
	return limits(g.Against.Relaxed(), g.Against.Constants())
}

// Start starts it.
func (g Given) Start(ctx context.Context, s *Setup) (Reference, error) {
	switch {
	case g.Expect != "":
		return open(g.Expect, s)
	case g.Against != nil:
		return g.build(ctx, s)
	case g.Golden != "":
		d, err := Dial(ctx, g.Golden, s)
		if err != nil {
			return nil, err
		}
		return d, nil
	}
	model, err := play.NewModel(s.Block, s.Params)
	if err != nil {
		return nil, err
	}
	t := elastic.NewModel(s.Block.Schema, model) // it runs at its own pace
	t.Observe = s.Observe
	return &answers{expect: t}, nil
}

// Setup is what a reference gets from the run.
type Setup struct {
	Block   *block.Block
	Params  map[string]int
	Device  device.Spec                       // of the design under test; its Bind is not nil
	Source  string                            // name of all of the run's source
	Events  string                            // name of what is played of it
	Open    func(string) (stim.Source, error) // a source by its name, where the reference brings no events
	Seed    func(episode string) uint32       // of the simulator
	Timeout time.Duration                     // longest silence of a program, 0 for the client's default
	Observe func(in, out []uint64)            // gets the cycles of our model; nil for none
}

// Reference is a reference that was started.
type Reference interface {
	// Adapt completes how the design is played: what the reference lacks or answers out of order applies to both.
	Adapt(spec *elastic.Spec)
	// Differs returns an error when the design is the reference itself, so that nothing would be compared.
	Differs(dev *device.Device) error
	// Limits returns what limits a comparison with it, as Given.Limits does, as far as only the start showed it.
	Limits() (relaxed, uncompared []string)
	// Open returns the source of the events that the reference brings; it is called only where Given.OwnEvents is set.
	Open(name string) (stim.Source, error)
	// Probe plays more of its events on the reference alone, to see whether it keeps the handshake. Restart must follow.
	Probe(ctx context.Context) error
	// Restart starts it again from power-on, for an episode.
	Restart(seed uint32) error
	// Play plays an episode on a design and compares what it answers. Design and reference have just been restarted;
	// restart restarts both. The error is that of a side that broke.
	Play(ctx context.Context, dev elastic.Device, ep *stim.Episode, spec elastic.Spec,
		restart func() error) (elastic.Outcome, error)
	// Ahead returns how many cycles the design may have run after the last event that is known when it breaks.
	Ahead() int
	// Cuts reports whether some events of an episode can be played without the others.
	Cuts() bool
	// Together reports whether it gets the events that the design took in one cycle as those of one cycle.
	Together() bool
	// Close ends it.
	Close()
}

// plain holds the defaults of a Reference, which are those of our model. The reset that each episode begins with is
// enough to restart it, and what is owed is asked for once an answer has come.
type plain struct{}

func (plain) Adapt(*elastic.Spec)                    {}
func (plain) Differs(*device.Device) error           { return nil }
func (plain) Limits() (relaxed, uncompared []string) { return nil, nil }
func (plain) Probe(context.Context) error            { return nil }
func (plain) Restart(uint32) error                   { return nil }
func (plain) Ahead() int                             { return 0 }
func (plain) Cuts() bool                             { return true }
func (plain) Together() bool                         { return true }
func (plain) Close()                                 {}

func (plain) Open(name string) (stim.Source, error) {
	return nil, errors.New("source " + name + ": the reference brings no events")
}

// answers is the common part of started references that are compared answer by answer.
type answers struct {
	plain
	expect elastic.Expect
}

func (a *answers) Play(ctx context.Context, dev elastic.Device, ep *stim.Episode, spec elastic.Spec,
	_ func() error) (elastic.Outcome, error) {
	return elastic.Play(ctx, dev, a.expect, ep, spec)
}

// either returns the bits that are in either of two masks; nil stands for none.
func either(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	out := slices.Clone(a)
	for i := range b {
		out[i] |= b[i]
	}
	return out
}
