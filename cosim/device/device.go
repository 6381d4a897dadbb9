package device

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Spec is what is built and started.
type Spec struct {
	Root      string // repository root
	Block     string
	RTLDir    string         // RTL in place of hdl/rtl; empty for ours
	Params    map[string]int // elaboration parameters, all of them
	Bind      *bind.Binding  // the user's design in place of ours; nil for ours
	Transport client.Transport
	Timeout   time.Duration  // longest silence of the device, 0 for the client's default
	Assert    bool           // build the RTL with its assertions
	Trace     bool           // a build that can dump every signal
	Ones      bool           // registers start with ones, in place of drawn values
	Toggles   bool           // a build that samples toggles
	Lines     bool           // a build that counts lines and branches, too
	Coverage  string         // file for the coverage of such a build, written by Close; "" for none
	PlusArgs  []string       // for the RTL's $value$plusargs, each with its +, after those of the binding
	Binary    *launch.Binary // the RTL built before; nil builds it, and so does Trace
}

// Device is the Verilated design at the other end of the bridge.
type Device struct {
	*client.Session
	Bin *launch.Binary

	foreign *launch.Foreign // of a bound design that was built here
}

// Start builds the RTL, or finds it built, and starts it.
func Start(ctx context.Context, s Spec) (*Device, error) {
	bin := s.Binary
	var foreign *launch.Foreign
	if bin == nil || s.Trace {
		var err error
		spec := launch.BuildSpec{Root: s.Root, Block: s.Block, RTLDir: s.RTLDir, Params: s.Params, Trace: s.Trace,
			Assert: s.Assert, Lines: s.Lines, Toggles: s.Toggles}
		if s.Bind != nil {
			b := *s.Bind
			b.BlockParams = s.Params
			if foreign, err = b.Foreign(ctx); err != nil {
				return nil, err
			}
			spec.Foreign = foreign
			spec.Schema = b.Block
		}
		if bin, err = launch.Build(ctx, spec); err != nil {
			return nil, err
		}
	}
	opt := client.DefaultOptions()
	opt.Transport = s.Transport
	opt.PlusArgs, opt.Coverage = s.PlusArgs, s.Coverage
	if s.Ones {
		opt.Reset = 1 // drawn values would be others in each build, and 0 would hide a reset that is missing
	}
	if s.Bind != nil {
		opt.PlusArgs = append(slices.Clone(s.Bind.PlusArgs), s.PlusArgs...)
	}
	if s.Timeout > 0 {
		opt.HangTimeout = s.Timeout
	}
	session, err := client.Start(ctx, bin, opt)
	if err != nil {
		return nil, err
	}
	return &Device{session, bin, foreign}, nil
}

// Get returns an empty batch, or client.ErrStopped once the device has found a difference.
func (d *Device) Get(ctx context.Context) (*client.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.Session.Get()
}

// Outcome is how a stream ended. The RTL may have stopped it with an error of its own.
type Outcome struct {
	client.Result
	RTL *client.RTLError
}

// FailedAt returns the first failing cycle of a stream that failed.
func (o *Outcome) FailedAt() uint64 {
	if o.RTL != nil {
		return o.RTL.Cycle
	}
	return o.Mismatch.Cycle
}

// Failed reports whether the stream differed or was stopped by the RTL.
func (o *Outcome) Failed() bool { return o.RTL != nil || o.Mismatch != nil }

// Finish waits for everything submitted and ends the stream.
func (d *Device) Finish() (Outcome, error) {
	res, err := d.Session.Finish()
	o := Outcome{Result: res}
	if errors.As(err, &o.RTL) {
		err = nil
	}
	return o, err
}

// Settles returns an error when the RTL reported a combinational loop that does not settle, a data file that is missing
// or cannot be read, or a $finish: such a design cannot be run, and has not given a wrong answer.
func (d *Device) Settles(text string) error {
	if strings.Contains(text, "$readmem") {
		return &wire.Error{Kind: wire.ErrRTL, What: text, Mend: "a design reads its files from the folder of its dut.yaml, " +
			"or by absolute path"}
	}
	if strings.HasPrefix(text, "$finish") {
		return &wire.Error{Kind: wire.ErrRTL, What: text + " ends the simulation",
			Mend: "remove it: a design under test must not end the simulation"}
	}
	if !strings.Contains(text, "did not converge") {
		return nil
	}
	where := text
	if len(d.Bin.Loops) > 0 {
		where = strings.Join(d.Bin.Loops, ", ")
	}
	return &wire.Error{Kind: wire.ErrRTL, What: "the design has a combinational loop that does not settle: " + where,
		Mend: "break the loop with a register"}
}

// Probe checks that a bound design takes events at all, before it is compared cycle by cycle.
func (d *Device) Probe(b *bind.Binding) error {
	if err := d.ProbeReset(b); err != nil {
		return err
	}
	spec := Elastic(b)
	if err := d.Restart(1); err != nil {
		return err
	}
	err := elastic.Probe(d.Session, spec)
	var rtl *client.RTLError
	if errors.As(err, &rtl) {
		if loop := d.Settles(rtl.Text); loop != nil {
			return loop
		}
	}
	if errors.Is(err, elastic.ErrNeverReady) || errors.Is(err, wire.ErrDUTHung) || errors.Is(err, wire.ErrDUTExited) {
		judge := score.NewJudge(b.Block)
		zeros := make([]uint64, judge.Layout().In.Words)
		return fmt.Errorf("before the first episode, the event of zeros %s: %w", judge.Event(0, zeros), err)
	}
	return err
}

// ProbeReset checks that the reset of a bound design is as its binding describes it. A failing assertion of the
// design during the probe is not an error.
func (d *Device) ProbeReset(b *bind.Binding) error {
	err := elastic.ProbeReset(d.Session, Elastic(b), b.Latency == bind.Exact)
	var rtl *client.RTLError
	if errors.As(err, &rtl) {
		return d.Settles(rtl.Text)
	}
	if errors.Is(err, wire.ErrDUTHung) || errors.Is(err, wire.ErrDUTExited) {
		return fmt.Errorf("before the first episode, while the reset was tried: %w", err)
	}
	if errors.Is(err, elastic.ErrReset) {
		return fmt.Errorf("%s: %w", b.File, err)
	}
	return err
}

// Close ends the process.
func (d *Device) Close() { _ = d.Session.Close() }

// Elastic returns how a bound design is played.
func Elastic(b *bind.Binding) elastic.Spec {
	s := elastic.DefaultSpec(b.Block)
	s.Order, s.Key = elastic.Order(b.Order), b.Key
	s.Params, s.NoReset = b.BlockParams, b.Reset.None
	n := bind.Steps(b)
	s.Flush, s.Patience, s.ResetCycles = n*b.Flush, n*b.Patience, n*b.Reset.Cycles
	s.Skip, s.Uncounted, s.NoStall, s.Port = b.Uncompared(), b.Uncounted(), b.NoStall(), b.Port
	s.Packets = b.Beats > 0
	s.MayDrop, s.MayChange = b.Relaxes(bind.ValidDrops), b.Relaxes(bind.DataChanges)
	return s
}

// calmSource returns the episodes of a source as a bound design can be driven.
type calmSource struct {
	stim.Source
	spec elastic.Spec
}

// Calmed returns the source as the design of a binding, nil for none, can be driven: without back-pressure where it has
// no ready, and without resets where it has none.
func Calmed(src stim.Source, b *bind.Binding) stim.Source {
	if b == nil {
		return src
	}
	return &calmSource{src, Elastic(b)}
}

func (s *calmSource) Next() (*stim.Episode, bool) {
	ep, ok := s.Source.Next()
	if ok {
		ep = s.spec.Calm(ep)
	}
	return ep, ok
}

// Seed returns the simulator's seed for an episode of a run with the given seed: never 0, and different for every
// episode and every run.
func Seed(run uint64, episode string) uint32 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", run, episode)
	return uint32(h.Sum64()>>32) | 1
}
