package intmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/golden/telemetry"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Block is the block that is measured.
const Block = port.BlockName

// Spec says what to measure.
type Spec struct {
	Source string
	Seed   uint64
	Events int            // 0: as many as the source has
	Params map[string]int // of the block; missing ones have their default
	Table  *formats.Table // nil: the contract's
	Reader telemetry.Spec // the zero Spec: telemetry.DefaultSpec
	Modes  []diff.Mode
	Flips  int // flips listed in each mode, at most

	contract *formats.Table                // nil: the contract's
	bounds   *formats.Table                // nil: of Table
	model    func(event.Model) event.Model // put around the cycle-true model; nil: nothing
}

// interval is how many cycles are played between two looks at the context.
const interval = 1 << 12

// Run plays a source on the cycle-true model and measures what is read from its packets. It returns diff.ErrNothing
// when no ACK was compared. The result is nil beside an error, unless a difference was found by then.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	res, err := run(ctx, &spec)
	if err != nil && (res == nil || !res.Failed()) {
		return nil, err
	}
	return res, err
}

func (spec *Spec) fill() error {
	spec.contract = cmp.Or(spec.contract, port.Formats())
	spec.Table = cmp.Or(spec.Table, spec.contract)
	spec.bounds = cmp.Or(spec.bounds, spec.Table)
	spec.Reader = cmp.Or(spec.Reader, telemetry.DefaultSpec())
	if len(spec.Modes) == 0 {
		return fmt.Errorf("%w: no mode is given; give %s, %s or both", diff.ErrNothing, diff.Step, diff.Free)
	}
	for i, mode := range spec.Modes {
		if mode != diff.Step && mode != diff.Free || i > 0 && mode == spec.Modes[0] {
			return fmt.Errorf("mode %q: give %s, %s or both", mode, diff.Step, diff.Free)
		}
	}
	if err := spec.Reader.Validate(); err != nil {
		return err
	}
	return errors.Join(Changeable(spec.Table), Changeable(spec.bounds))
}

func run(ctx context.Context, spec *Spec) (*Result, error) {
	if err := spec.fill(); err != nil {
		return nil, err
	}
	o, err := stim.Options{Seed: spec.Seed, Events: spec.Events, Params: spec.Params}.Filled(port.Schema())
	if err != nil {
		return nil, err
	}
	w, err := newWire(spec.Table)
	stated, errStated := newWire(spec.bounds)
	if err := cmp.Or(err, errStated); err != nil {
		return nil, err
	}
	res := &Result{Block: port.BlockName, Source: spec.Source, Seed: spec.Seed, RTT: spec.Reader.RTT,
		Changed: diff.Changes(spec.Table, spec.contract), Modes: []Measure{}}
	ports := o.Params["NumPorts"]
	m := newMeasurement(w, newBounds(stated), spec, ports, res)
	m.beside = len(res.Changed) == 0
	b, err := block.Lookup(port.BlockName)
	if err != nil {
		return nil, err
	}
	dut, err := b.NewModel(o.Params)
	if err != nil {
		return nil, err
	}
	if spec.model != nil {
		dut = spec.model(dut)
	}
	src, err := b.Stimulus.Open(spec.Source, o)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	f := newFollower(newLedger(w, ports, m.wrote), ports, m.read)
	err = play(ctx, src, dut, f, m)
	res.Events, res.Packets, res.Empty = f.events, f.number, f.empty
	if f.parted != "" {
		m.part("%s: %s", m.episode, f.parted)
	}
	m.finish()
	if err != nil {
		return res, err
	}
	return res, res.nothing()
}

func play(ctx context.Context, src stim.Source, dut event.Model, f *follower, m *measurement) error {
	d := drive.NewDriver(event.NewLayout(port.Schema()))
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	for n := 0; ; {
		ep, ok := src.Next()
		if !ok {
			return src.Err()
		}
		m.episode = ep.Name
		f.reset()
		m.reset()
		for d.Begin(ep); d.Drive(in[:]); d.Observe(out[:]) {
			dut.Cycle(in[:], out[:])
			if in[0]&port.InRstN == 0 {
				m.reset()
			}
			f.cycle(in[:], out[:])
			if f.parted != "" || m.res.Parted != "" {
				return nil
			}
			if n++; n%interval == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if d.Stalled() {
				return fmt.Errorf("%s: the model stalls: %s", ep.Name, d)
			}
		}
		if len(f.packets) > 0 && f.packets[0].whole {
			f.part("%d packets never left", len(f.packets))
			return nil
		}
	}
}

func (m *measurement) finish() {
	res := m.res
	for i := range m.fields {
		res.Signals = append(res.Signals, m.fields[i].result(m.w.use[i]))
	}
	res.Signals = append(res.Signals, m.txRate.result(fixed.Counts{}), m.share.result(fixed.Counts{}))
	for i := range m.results {
		x := &m.results[i]
		out := Measure{Mode: x.mode, Compared: x.compared, Decisions: x.decisions, Flips: x.flips, Lost: x.lost}
		for _, k := range telemetry.Kinds {
			out.Signals = append(out.Signals, x.u[k].result(fixed.Counts{}), x.window[k].result(fixed.Counts{}))
		}
		res.Modes = append(res.Modes, out)
	}
}

func (res *Result) nothing() error {
	if res.Failed() {
		return nil
	}
	for i := range res.Modes {
		x := &res.Modes[i]
		if x.Compared == 0 {
			return fmt.Errorf("%w: of the %d packets of source %s no two that follow each other on a path have an entry that "+
				"a sender can read; give another source or more events", diff.ErrNothing, res.Packets, res.Source)
		}
		for _, s := range x.Signals {
			if s.Bounded == 0 && (x.Mode == diff.Step || strings.HasSuffix(s.Name, " U")) {
				return fmt.Errorf("%w: %s was never held against a bound", diff.ErrNothing, s.Name)
			}
		}
	}
	return nil
}
