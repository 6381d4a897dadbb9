package diff

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Recording is the events of a source, kept so that many tables can be measured on them.
type Recording struct {
	Source string
	Seed   uint64
	Size   Size

	options stim.Options
	times   []moment // of the events, in picoseconds
	// Digest depends on every event and reset: two recordings with the same one are the same stimulus.
	Digest string

	events []ccc.Event
	resets map[int]bool // before the event of that index
}

// Record plays a source once and keeps its events. The table and the modes of the spec are not used. It errors when the
// source is unknown, breaks, or has no event.
func Record(ctx context.Context, spec Spec) (*Recording, error) {
	schema := ccc.Schema()
	o, err := stim.Options{Seed: spec.Seed, Events: spec.Events, Params: spec.Params, TickNs: spec.TickNs}.Filled(schema)
	if err != nil {
		return nil, err
	}
	src, err := block.Open(schema.Name, spec.Source, o)
	if err != nil {
		return nil, err
	}
	r := &Recording{Source: spec.Source, Seed: spec.Seed, Size: SizeOf(o.Params), options: o, resets: map[int]bool{}}
	played := NewEventHash()
	reset := func() {
		r.resets[len(r.events)] = true
		played.Reset()
	}
	_, err = playTimed(src, uint64(o.Events), reset, func(ev *ccc.Event, ep *stim.Episode) error {
		if len(r.events)%interval == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		played.Event(ev)
		var at moment
		at.now, at.tx, at.known = ep.Picos()
		r.events, r.times = append(r.events, *ev), append(r.times, at)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(r.events) == 0 {
		return nil, fmt.Errorf("%w: source %s has no events", ErrNothing, spec.Source)
	}
	r.Digest = string(played.h.Sum(nil))
	return r, nil
}

// Len returns the number of events.
func (r *Recording) Len() int { return len(r.events) }

// Each hands out the events in their order, with a call of reset before each that a reset comes before. An event is not
// to be changed. It returns the first error of event, and ends with ctx.
func (r *Recording) Each(ctx context.Context, reset func(), event func(i int, ev *ccc.Event) error) error {
	for i := range r.events {
		if i%interval == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.resets[i] {
			reset()
		}
		if err := event(i, &r.events[i]); err != nil {
			return fmt.Errorf("source %s seed %d: event %d: %w", r.Source, r.Seed, i, err)
		}
	}
	return nil
}

// moment is the times of an event in picoseconds.
type moment struct {
	now, tx int64
	known   bool
}

// Replay measures the recorded events as Run does those of the source that the spec names, in its modes, but for the
// cycle-true model. It returns ErrNothing when the rules decided no event.
func (r *Recording) Replay(ctx context.Context, spec Spec) ([]Measure, error) {
	spec.Source, spec.Seed = r.Source, r.Seed
	if err := spec.check(); err != nil {
		return nil, err
	}
	var out []Measure
	for _, mode := range spec.Modes {
		t, err := spec.trio(mode, r.options)
		if err != nil {
			return nil, err
		}
		var at moment
		ep := stim.Episode{Times: func() (int64, int64, bool) { return at.now, at.tx, at.known }}
		if err := r.Each(ctx, t.reset, func(i int, ev *ccc.Event) error {
			at = r.times[i]
			return t.timedEvent(ev, &ep)
		}); err != nil {
			return nil, err
		}
		if t.measure.Compared == 0 {
			return nil, fmt.Errorf("%w: none of the %d events of source %s is one that the rules decide", ErrNothing, r.Len(),
				r.Source)
		}
		out = append(out, t.result())
	}
	return out, nil
}

// Measure measures a table on the events in one mode, as Run does. wrong is the number of events that fixed point
// decided otherwise than exact numbers. It returns ErrNothing when the rules decided no event.
func (r *Recording) Measure(ctx context.Context, mode Mode, table *formats.Table) (m Measure, wrong uint64, err error) {
	t, err := newTrio(mode, table, r.Size, 0)
	if err != nil {
		return m, 0, err
	}
	err = r.Each(ctx, t.reset, func(_ int, ev *ccc.Event) error { return t.event(ev) })
	if err == nil && t.measure.Compared == 0 {
		err = fmt.Errorf("%w: none of the %d events of source %s is one that the rules decide; "+
			"give another source or more events", ErrNothing, r.Len(), r.Source)
	}
	if err != nil {
		return m, 0, err
	}
	return t.result(), t.wrong, nil
}

// Alike reports whether two responses show the same decisions.
func Alike(a, b *ccc.Response) bool { return decisionsOf(a) == decisionsOf(b) }
