package diff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/engine/shrink"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// judged is the value by which the worst event is chosen: what the block controls.
const judged = nscc.ValCwnd

// Worst is the event that costs cwnd the most in one step.
type Worst struct {
	Event   uint64  `json:"event"`
	Context int     `json:"context"`
	Fields  string  `json:"fields"`
	Error   float64 `json:"error"` // of fixed point, in bytes
	Fixed   float64 `json:"fixed"`
	Exact   float64 `json:"exact"`
	Command string  `json:"command"` // that repeats it as its last event
	// Shrunk are events after a reset that cost as much, the last of them this one: some of those of the context and of
	// registers, of which there were Of, or loads of the state that they lead to. None where the event was not shrunk.
	Shrunk []string `json:"shrunk,omitempty"`
	Of     int      `json:"shrunk_from,omitempty"`
}

// worst is a Worst with its event.
type worst struct {
	Worst
	ev ccc.Event
}

// words describe events, which layout packs.
var (
	words  = score.NewJudge(ccc.Schema())
	layout = event.NewLayout(ccc.Schema())
)

func describe(ev *ccc.Event) string {
	var w [ccc.InWords]uint64
	ccc.PackEvent(ev, w[:])
	return words.Describe(&layout.In, "ev", w[:])
}

func (t *trio) worse(err, fixed, exact float64) {
	if w := &t.worst; math.Abs(err) > math.Abs(w.Error) {
		*w = worst{Worst{Event: t.seen - 1, Context: int(t.ev.Ctx), Error: err, Fixed: fixed, Exact: exact}, t.ev}
	}
}

// command returns what repeats the first events of a run.
func (spec *Spec) command(res *Result, o *stim.Options, events uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goldwire diff run --source %s --seed %d --events %d --mode step", spec.Source, spec.Seed, events)
	if o.TickNs != 1 {
		fmt.Fprintf(&b, " --tick %dns", o.TickNs)
	}
	for _, p := range ccc.Schema().Params {
		if n := o.Params[p.Name]; n != p.Default {
			fmt.Fprintf(&b, " --param %s=%d", p.Name, n)
		}
	}
	for _, c := range res.Changed {
		fmt.Fprintf(&b, " --format %s=%s", c.Name, strings.ReplaceAll(c.Format, ",none", ""))
	}
	return b.String()
}

var errFound = errors.New("found")

// shrink finds few events after a reset of which the last one costs as much as the worst event of a run does.
func (w *worst) shrink(ctx context.Context, spec *Spec, o stim.Options) error {
	src, err := block.Open(ccc.Schema().Name, spec.Source, o)
	if err != nil {
		return err
	}
	var all []ccc.Event
	n := uint64(0)
	_, err = Play(src, uint64(o.Events), func() { all = all[:0] }, func(ev *ccc.Event) error {
		if ev.Kind == ccc.KindCfgWrite || int(ev.Ctx) == w.Context && ev.Kind != ccc.KindCfgRead {
			all = append(all, *ev)
		}
		if n++; n <= w.Event {
			return nil
		}
		return errFound
	})
	switch {
	case err != nil && !errors.Is(err, errFound):
		return err
	case len(all) == 0 || all[len(all)-1] != w.ev:
		return fmt.Errorf("event %d: another one when played again", w.Event)
	}
	last := len(all) - 1
	costs := func(before []ccc.Event) (bool, error) {
		t, err := newTrio(Step, spec.Table, SizeOf(o.Params), 0)
		if err != nil {
			return false, err
		}
		t.judges = false
		for i := range before {
			if err := t.event(&before[i]); err != nil {
				return false, nil //nolint:nilerr // other events may leave the range of numbers: they do not repeat it
			}
		}
		t.worst, t.judges = worst{}, true
		if t.event(&w.ev) != nil {
			return false, nil
		}
		return math.Abs(t.worst.Error) >= math.Abs(w.Error), nil
	}
	if ok, err := costs(all[:last]); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("event %d: it costs less when played again", w.Event))
	}
	before := all[:last]
	loaded, err := w.loaded(spec, o, before)
	if err != nil {
		return err
	}
	if ok, err := costs(loaded); err != nil {
		return err
	} else if ok {
		before = loaded
	}
	short, err := shrink.Minimize(ctx, before, 2000, costs)
	if err != nil {
		return err
	}
	w.Of = len(all)
	for _, ev := range append(slices.Clone(short), w.ev) {
		w.Shrunk = append(w.Shrunk, describe(&ev))
	}
	return nil
}

// loaded returns events that bring a block after reset to where others bring it, as far as words and registers show it:
// what they wrote to registers, then an OPEN and a LOAD of each word.
func (w *worst) loaded(spec *Spec, o stim.Options, events []ccc.Event) (out []ccc.Event, err error) {
	t, err := newTrio(Step, spec.Table, SizeOf(o.Params), 0)
	if err != nil {
		return nil, err
	}
	for i := range events {
		if err := t.event(&events[i]); err != nil {
			return nil, err
		}
		if ev := &events[i]; ev.Kind == ccc.KindCfgWrite {
			out = append(out, ccc.Event{Kind: ev.Kind, Profile: ev.Profile, Addr: ev.Addr, Data: ev.Data})
		}
	}
	c := t.fixed.Context(w.ev.Ctx)
	if c == nil || !c.Valid {
		return out, nil
	}
	out = append(out, ccc.Event{Kind: ccc.KindOpen, Ctx: w.ev.Ctx, Profile: c.Profile})
	state := t.fixed.Words(c, w.ev.PDC)
	for addr := range ccc.NumWords {
		out = append(out, ccc.Event{Kind: ccc.KindLoad, Ctx: w.ev.Ctx, PDC: w.ev.PDC, Addr: uint8(addr),
			Data: state.Word(addr)})
	}
	return out, nil
}

func (w *Worst) sheet() report.Sheet {
	s := report.Sheet{Title: "The event that costs cwnd most in one step",
		Note: fmt.Sprintf("event %s: cwnd is %s in fixed point, %s in exact numbers", report.Count(w.Event),
			report.Short(w.Fixed), report.Short(w.Exact)),
		List: []string{w.Fields, "repeat: " + w.Command}}
	if len(w.Shrunk) > 0 {
		s.List = append(s.List, fmt.Sprintf("%d events after a reset cost as much, in place of %d:",
			len(w.Shrunk), w.Of))
		s.List = append(s.List, w.Shrunk...)
	}
	return s
}
