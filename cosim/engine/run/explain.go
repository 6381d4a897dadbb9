package run

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/explain"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/contract"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// Cycles shown and dumped around the first differing cycle.
const windowBefore, windowAfter = 4, 3

// attempt is the outcome of playing a recording.
type attempt struct {
	failed bool
	at     uint64 // the first failing cycle
	cycles uint64 // played
	why    reason
	kind   elastic.Kind // when answers are compared
}

// why explains the differing outputs by the rules of the contract. If a player has begun the episode on a model, why
// also shows how the model came to its response. A user-defined block has no contract.
func (e *engine) why(ctx context.Context, m *report.Mismatch, f *failure, p *play.Player) {
	if e.cfg.Bind.SchemaOnly() || !e.given.Ours() {
		return
	}
	x := &explain.Failure{Dir: filepath.Join(e.cfg.Root, "vectors", "event", e.cfg.Block), Block: e.kind.Schema,
		Player: p, Cycle: f.at}
	if e.kind.Formats != nil {
		x.Formats = e.kind.Formats()
	}
	names := contract.Outputs(e.kind.Schema)
	for i := range m.Fields {
		if slices.Contains(names, m.Fields[i].Name) {
			x.Outputs = append(x.Outputs, m.Fields[i].Name)
		}
	}
	if len(x.Outputs) == 0 {
		return
	}
	if f.reply != nil {
		x.Stream, x.Number = f.reply.out.Name, f.reply.transfer
	}
	if ev := f.concern(); ev != nil {
		if s := e.judge.Layout().Inputs()[ev.Lane].Slots[0]; s.Field.Enum != "" {
			x.Kind = e.kind.Schema.Format(&s.Field, s.Get(ev.Words))
		}
	}
	var err error
	if m.Explanation, err = explain.Of(ctx, x); err != nil {
		m.AddNote("the rules are not known: " + err.Error())
	}
}

// explain describes the failure in the result's mismatch, hands out the result, and looks for a short list of events
// that still fails. It returns an error for a failure that does not repeat; anything else that goes wrong becomes a
// note.
func (e *engine) explain(ctx context.Context, res *report.Result, f *failure, took time.Duration) error {
	m := res.FirstMismatch
	repeats := e.way.describe(ctx, m, f)
	e.cfg.found(ctx, res, took)
	if !repeats {
		return nil
	}
	err := e.shortened(ctx, m, f)
	if err != nil && !errors.Is(err, ErrNotRepeated) {
		m.AddNote("the mismatch is not explained further: " + err.Error())
		err = nil
	}
	return err
}

// shortened repeats a failure, dumps its waves and looks for a short list of events that still fails.
func (e *engine) shortened(ctx context.Context, m *report.Mismatch, f *failure) error {
	rec, err := e.way.record(ctx, f)
	if err != nil {
		return err
	}
	if rec == nil { // its events can only be played all together
		return e.wave(ctx, m, f, nil, f.at)
	}
	first, err := e.way.try(ctx, rec, 0)
	if err == nil {
		err = e.way.again(f, &first)
	}
	if err == nil {
		err = e.wave(ctx, m, f, rec, first.at)
	}
	if err != nil || e.cfg.NoShrink {
		return err
	}
	legal, err := schema.NewLegal(e.kind.Schema, e.params)
	if err != nil {
		return err
	}
	last := first.why // of the shortest list so far: every failing list replaces it
	short, err := shorten(ctx, &e.cfg, e.kind.Schema, legal, rec, first.cycles,
		func(ctx context.Context, r *play.Recording) (bool, uint64, error) {
			// A case that takes longer than the whole episode is useless.
			a, err := e.way.try(ctx, r, 2*first.cycles+10_000)
			failed, cycles, err := e.fails(&first.why, &a, err)
			if failed && err == nil {
				last = a.why
			}
			return failed, cycles, err
		})
	m.ShrunkFields = last.names()
	e.cfg.shrunk(m, short, rec, err, e.words)
	return e.cfg.saveCase(m, e.kind.Schema, e.params, &short.Recording, e.words)
}

// fails reports whether fewer events fail for the same reason as all of them, and how many cycles they took.
func (e *engine) fails(why *reason, a *attempt, err error) (bool, uint64, error) {
	switch {
	case err != nil && e.way.harmless(err):
		return false, a.cycles, nil
	case err != nil || !a.failed:
		return false, a.cycles, err
	}
	return why.same(&a.why), a.cycles, nil
}

// words describes an item, and names its stream if there are several.
func (e *engine) words(it *stim.Item) string { return e.judge.Event(it.Lane, it.Words) }

// shrunk fills in the outcome of a search for a short case. A replayed case is the result of an earlier search.
func (c *Config) shrunk(m *report.Mismatch, short *shortest, whole *play.Recording, err error,
	words func(*stim.Item) string) {
	found := short.Plainer(whole) || len(whole.Items) == 1 || c.Replay != ""
	m.AddNote(shortNote(found, short.ended, err))
	if !found {
		return
	}
	m.ShrunkTo = len(short.Items)
	for i := range short.Items {
		m.Shrunk = append(m.Shrunk, words(&short.Items[i]))
	}
}

// found calls Found, if it is set, with a copy of the current result.
func (c *Config) found(ctx context.Context, res *report.Result, took time.Duration) {
	if c.Found == nil {
		return
	}
	now, m := *res, *res.FirstMismatch
	now.FirstMismatch = &m
	_ = closed(ctx, &now, took, nil)
	c.Found(&now)
}

// repeat returns the command that runs one episode alone.
func (c Config) repeat(episode string) string {
	if c.Replay != "" {
		return c.command()
	}
	if c.reference().OwnEvents() {
		c.Episode = episode
		return c.command()
	}
	if name, ok := strings.CutPrefix(episode, "directed/"); ok {
		c.Case, c.Episode = name, ""
	} else if episode != c.Source {
		c.Episode = episode
	}
	return c.command()
}
