package reference

import (
	"context"
	"errors"
	"time"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Choice is what the user gives: one of the first three, or none of them for our model.
type Choice struct {
	Expect  string        // file of vectors, which has its own events
	Against *bind.Binding // another design
	Golden  string        // address of a program that speaks the bridge protocol
	Self    bool          // Against may be the design itself: that checks the harness
}

// errSeveral refuses more than one reference.
var errSeveral = errors.New("--expect, --against, --golden: more than one reference is given; keep one")

// Check returns an error when more than one reference is given.
func (c Choice) Check() error {
	given := 0
	for _, g := range []bool{c.Expect != "", c.Against != nil, c.Golden != ""} {
		if g {
			given++
		}
	}
	if given > 1 {
		return errSeveral
	}
	return nil
}

// Of returns the reference that is given.
func Of(c Choice) Given {
	switch {
	case c.Expect != "":
		return File{c.Expect}
	case c.Against != nil:
		return Design{c.Against, c.Self}
	case c.Golden != "":
		return Program{c.Golden}
	}
	return Model{}
}

// Given is a reference before it is started.
type Given interface {
	// Kind returns what a report calls this kind of reference; "" for our model.
	Kind() string
	// Title returns its name in a report; "" for our model.
	Title() string
	// Args returns the arguments of a command that select it; none for our model.
	Args() []string
	// Check returns why a design cannot be compared with it, or nil. Only our model takes a design of ours, nil.
	Check(bound *bind.Binding) error
	// Ours reports whether it is our model, whose packets, coverage and contexts can be followed.
	Ours() bool
	// Lockstep reports whether it is our model and runs ahead of a design, nil for ours, cycle by cycle.
	Lockstep(bound *bind.Binding) bool
	// OwnEvents reports whether it brings the events, too, so that no source draws any.
	OwnEvents() bool
	// Limits returns what limits a comparison with it, as a result lists it: rules that are relaxed, and fields that are
	// not compared.
	Limits() (relaxed, uncompared []string)
	// Start starts it.
	Start(ctx context.Context, s *Setup) (Reference, error)
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

// plain holds the defaults of a Reference, which are those of our model.
type plain struct{}

// Adapt changes nothing.
func (plain) Adapt(*elastic.Spec) {}

// Differs returns nil.
func (plain) Differs(*device.Device) error { return nil }

// Limits returns none.
func (plain) Limits() (relaxed, uncompared []string) { return nil, nil }

// Open returns an error: it brings no events.
func (plain) Open(name string) (stim.Source, error) {
	return nil, errors.New("source " + name + ": the reference brings no events")
}

// Probe does nothing.
func (plain) Probe(context.Context) error { return nil }

// Restart does nothing: the reset that each episode begins with is enough.
func (plain) Restart(uint32) error { return nil }

// Ahead returns 0: what is owed is asked for once an answer has come.
func (plain) Ahead() int { return 0 }

// Cuts returns true.
func (plain) Cuts() bool { return true }

// Together returns true.
func (plain) Together() bool { return true }

// Close does nothing.
func (plain) Close() {}

// answers is the common part of started references that are compared answer by answer.
type answers struct {
	plain
	expect elastic.Expect
}

// Play compares answer by answer.
func (a *answers) Play(ctx context.Context, dev elastic.Device, ep *stim.Episode, spec elastic.Spec,
	_ func() error) (elastic.Outcome, error) {
	return elastic.Play(ctx, dev, a.expect, ep, spec)
}

// either returns the bits that are in either of two masks; nil stands for none.
func either(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	out := append([]uint64(nil), a...)
	for i := range b {
		out[i] |= b[i]
	}
	return out
}
