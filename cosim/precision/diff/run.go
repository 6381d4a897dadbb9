package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Mode is where each event starts.
type Mode string

// The modes. Step starts all parties from the state in fixed point, Free each from its own.
const (
	Step Mode = "step"
	Free Mode = "free"
)

// Reference is what fixed point is held against.
type Reference string

// The references.
const (
	Exact   Reference = "exact"   // exact numbers, beside float64
	Float64 Reference = "float64" // float64 alone: faster, and its own rounding is part of the error
)

// Modes are all modes.
var Modes = []Mode{Step, Free}

// ErrNothing is returned when the rules decided no event of the source, so that nothing was compared.
var ErrNothing = errors.New("nothing was compared")

// Spec selects what to measure.
type Spec struct {
	Source string
	Seed   uint64
	Events int            // 0: as many as the source has
	Params map[string]int // of the block; missing ones have their default
	TickNs int            // 1, also when 0, or 128
	Table  *formats.Table // of fixed point; nil: the contract's
	Modes  []Mode
	Flips  int // flips listed in each mode, at most
	// Against is what fixed point is held against; "" for Exact. Against Float64 no flip is judged and no error split.
	Against Reference
	// Shrink looks for few events that cost as much as the worst one of one-step mode.
	Shrink bool
	// NoCauses leaves the split of errors by cause out, which takes most of the time in one-step mode.
	NoCauses bool

	model func(params map[string]int) *cycleModel // nil: the cycle-true model
}

// Run plays a source on the parties, once for each mode. It returns ErrNothing when a mode compared nothing, and an
// error when numbers left the 128 bits of fixed point. The result is nil beside an error, unless fixed point had parted
// from the model by then.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	contract := ccc.Formats()
	o, err := stim.Options{Seed: spec.Seed, Events: spec.Events, Params: spec.Params,
		TickNs: spec.TickNs}.Filled(ccc.Schema())
	if err != nil {
		return nil, err
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	res := &Result{Block: ccc.Schema().Name, Source: spec.Source, Seed: spec.Seed, Against: spec.Against,
		Changed: Changes(spec.Table, contract), Modes: []Measure{}}
	if spec.model == nil {
		spec.model = newCycleModel
	}
	for _, mode := range spec.Modes {
		err := res.measure(ctx, mode, &spec, o)
		switch {
		case err != nil && res.Parted == "":
			return nil, err
		case err != nil:
			return res, err
		}
	}
	return res, nil
}

// check fills in what has a default and returns the error of a spec that cannot be measured.
func (spec *Spec) check() error {
	if len(spec.Modes) == 0 {
		return fmt.Errorf("%w: no mode is given; give %s, %s or both", ErrNothing, Step, Free)
	}
	spec.Table = cmp.Or(spec.Table, ccc.Formats())
	spec.Against = cmp.Or(spec.Against, Exact)
	if spec.Against != Exact && spec.Against != Float64 {
		return fmt.Errorf("reference %q: give %s or %s", spec.Against, Exact, Float64)
	}
	return Changeable(spec.Table)
}

// interval is how many events are played between two looks at the context.
const interval = 1024

// trio returns the parties of one mode, with all that the spec asks of them.
func (spec *Spec) trio(mode Mode, o stim.Options) (*trio, error) {
	if mode != Step && mode != Free {
		return nil, fmt.Errorf("mode %q: give %s or %s", mode, Step, Free)
	}
	t, err := newTrio(mode, spec.Table, SizeOf(o.Params), spec.Flips)
	if err != nil {
		return nil, err
	}
	if spec.Against == Float64 {
		t.withoutExact()
		return t, nil
	}
	t.judgeFlips()
	if mode == Step && !spec.NoCauses {
		if err := t.splitCauses(spec.Source, &o); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// play plays a source on the parties and, where it is given, on the cycle-true model beside fixed point, up to the
// first difference between the two: then parted is set. It returns the number of events; played gets them if not nil.
func (t *trio) play(ctx context.Context, src stim.Source, limit uint64, beside *cycleModel, played *EventHash,
	parted *string) (uint64, error) {
	return playTimed(src, limit, func() {
		played.Reset()
		t.reset()
		if beside != nil {
			beside.reset()
		}
	}, func(ev *ccc.Event, ep *stim.Episode) error {
		if t.seen%interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		played.Event(ev)
		if err := t.timedEvent(ev, ep); err != nil {
			return fmt.Errorf("event %d: %w", t.seen-1, err)
		}
		if beside != nil && *parted == "" {
			if what := beside.event(ev, t.fixed); what != "" {
				*parted = fmt.Sprintf("event %d, %v of context %d: %s", t.seen-1, ev.Kind, ev.Ctx, what)
			}
			beside.compared++
		}
		return nil
	})
}

func (res *Result) measure(ctx context.Context, mode Mode, spec *Spec, o stim.Options) error {
	t, err := spec.trio(mode, o)
	if err != nil {
		return err
	}
	var beside *cycleModel
	if len(res.Changed) == 0 {
		beside = spec.model(o.Params)
	}
	src, err := block.Open(res.Block, spec.Source, o)
	if err != nil {
		return err
	}
	n, err := t.play(ctx, src, uint64(o.Events), beside, nil, &res.Parted)
	if beside != nil {
		res.Model += beside.compared
	}
	if err != nil {
		return err
	}
	res.Events = n
	if t.measure.Compared == 0 {
		return fmt.Errorf("%w: none of the %d events of source %s is one that the rules decide; "+
			"give another source or more events", ErrNothing, n, spec.Source)
	}
	m := t.result()
	if m.Worst != nil {
		m.Worst.Command = spec.command(res, &o, m.Worst.Event+1)
		if spec.Shrink {
			if err := t.worst.shrink(ctx, spec, o); err != nil {
				return err
			}
			m.Worst.Shrunk, m.Worst.Of = t.worst.Shrunk, t.worst.Of
		}
	}
	res.Modes = append(res.Modes, m)
	return nil
}
