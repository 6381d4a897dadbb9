package run

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// tampered is a model with a planted fault.
type tampered struct {
	event.Model
	cycles int
	cycle  func(n int, model event.Model, in, out []uint64)
}

func (m *tampered) Cycle(in, out []uint64) {
	m.cycles++
	m.cycle(m.cycles, m.Model, in, out)
}

// runTampered runs the RTL of a block against a model of it that a test has tampered with.
func runTampered(t *testing.T, ctx context.Context, cfg Config, cycle func(n int, model event.Model, in,
	out []uint64)) (*report.Result, error) {
	t.Helper()
	if !cfg.ModelOnly {
		if _, err := launch.FindVerilator(ctx); err != nil {
			t.Skipf("no Verilator: %v", err)
		}
	}
	cfg.Root = "../../.."
	e, err := newEngine(ctx, cfg)
	require.NoError(t, err)
	defer e.close()
	good := *e.kind
	bad := good
	bad.NewModel = func(p map[string]int) (event.Model, error) {
		model, err := good.NewModel(p)
		return &tampered{Model: model, cycle: cycle}, err
	}
	e.kind = &bad
	return e.run(ctx)
}

// A model that panics or stalls ends the run with one line that names the place.
func TestModelThatBreaks(t *testing.T) {
	t.Parallel()
	for _, alone := range []bool{true, false} {
		cfg := Config{Block: "txstate", Source: "random", Events: 2000, Seed: 3, ModelOnly: alone}
		_, err := runTampered(t, t.Context(), cfg, func(n int, model event.Model, in, out []uint64) {
			if n == 700 {
				panic("row 9 of 8")
			}
			model.Cycle(in, out)
		})
		require.ErrorContains(t, err, "panicked at found_test.go:")
		require.ErrorContains(t, err, "row 9 of 8")
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := runTampered(t, t.Context(), Config{Block: "txstate", Source: "random", Events: 2000, Seed: 3,
		ModelOnly: true},
		func(n int, model event.Model, in, out []uint64) {
			if model.Cycle(in, out); n > 700 {
				clear(out)
			}
		})
	require.ErrorContains(t, err, "the model stalls in cycle ")
	require.ErrorContains(t, err, "events taken")
	require.NotContains(t, err.Error(), "\n")
}

// Findings of the model's observers are added to a mismatch, and so is the error of a model that breaks after the
// device has differed. Neither revokes the mismatch.
func TestMismatchStandsBesideOtherErrors(t *testing.T) {
	t.Parallel()
	kind, err := block.Lookup("txstate")
	require.NoError(t, err)
	l := event.NewLayout(kind.Schema)
	cfg := Config{Block: "txstate", Source: "random", Events: 20_000, Seed: 3, NoShrink: true}
	lie := func(model event.Model, in, out []uint64) {
		model.Cycle(in, out)
		for i := range l.Out.Slots { // read-backs differ from the state that coverage follows
			if s := &l.Out.Slots[i]; s.Field.Width <= 64 && out[0]&l.Out.Control(s.Stream+"_valid") != 0 {
				s.Set(out, s.Get(out)^1)
			}
		}
	}
	res, err := runTampered(t, t.Context(), cfg, func(_ int, model event.Model, in, out []uint64) { lie(model, in, out) })
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	require.NotEmpty(t, res.FirstMismatch.Fields)
	require.Contains(t, res.FirstMismatch.Note, "beside the mismatch: coverage: ")
	require.Equal(t, report.Mismatched, res.Verdict())
}

// The finding is handed out before it is repeated and shrunk, without its shortest case. An interrupt or the time limit
// of the search leaves it unchanged.
func TestFoundBeforeShrinking(t *testing.T) {
	t.Parallel()
	bad := toy(t, "join_two", "elastic", 1)
	good := toy(t, "join_two", "elastic", 0)
	begin := func() (context.Context, Config, *[]report.Result) {
		ctx, cfg := bound(t, bad)
		cfg.Against = other(t, good)
		var found []report.Result
		cfg.Found = func(r *report.Result) { found = append(found, *r) }
		return ctx, cfg, &found
	}
	ctx, cfg, found := begin()
	cfg.Say = func(what string) {
		if strings.Contains(what, "shrinking") {
			require.Len(t, *found, 1)
		}
	}
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Len(t, *found, 1)
	early := (*found)[0]
	require.Equal(t, report.Mismatched, early.Verdict())
	require.Empty(t, early.FirstMismatch.Shrunk)
	require.Equal(t, res.FirstMismatch.Fields, early.FirstMismatch.Fields)
	require.Equal(t, res.FirstMismatch.Reproduce, early.FirstMismatch.Reproduce)
	require.Len(t, res.FirstMismatch.Shrunk, 2, "one of each input")

	ctx, cfg, found = begin()
	ctx, cancel := context.WithCancel(ctx)
	trials := 0
	cfg.Say = func(what string) {
		if strings.Contains(what, "shrinking") {
			if trials++; trials == 4 {
				cancel()
			}
		}
	}
	res, err = Run(ctx, cfg)
	require.NoError(t, err, "an interrupt ends the search and not the finding")
	require.Equal(t, 4, trials)
	require.Equal(t, report.Mismatched, res.Verdict())
	require.False(t, res.Interrupted)
	require.Equal(t, (*found)[0].FirstMismatch.Fields, res.FirstMismatch.Fields)
	require.Contains(t, res.FirstMismatch.Note, "the search for the shortest events that fail ended early: interrupted")

	ctx, cfg, _ = begin()
	cfg.ShrinkTime = time.Nanosecond
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.Contains(t, res.FirstMismatch.Note, "no shorter case was found that the schema allows")
	require.Contains(t, res.FirstMismatch.Note, "ended early, after 1ns")
	require.Empty(t, res.FirstMismatch.Shrunk)
}

// A search keeps to the schema's ranges, constraints and packets, and stops copying long lists when it reaches its
// limits.
func TestShortenKeepsToTheSchema(t *testing.T) {
	t.Parallel()
	b, err := event.Parse([]byte(`block: framed
title: packets
streams:
  - {name: ev, dir: in, fields: [{name: kind, width: 4, enum: kind}, {name: len, width: 12}, {name: data, width: 8},
	{name: last, width: 1}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 8}]}
enums:
  - {name: kind, width: 4, values: [{name: DATA, value: 3}, {name: ACK, value: 5}]}
stimulus:
  streams:
    - name: ev
      fields: [{name: len, range: [64, 2000]}]
      constraints: [len >= data + 40]
`))
	require.NoError(t, err)
	in := &event.NewLayout(b).In
	item := func(kind, n, data, last uint64) stim.Item {
		it := stim.Item{Words: make([]uint64, in.Words)}
		for name, v := range map[string]uint64{"kind": kind, "len": n, "data": data, "last": last} {
			in.Slot("ev", name).Set(it.Words, v)
		}
		return it
	}
	rec := &play.Recording{Name: "random/1"}
	for i := range uint64(40) {
		rec.Items = append(rec.Items, item(5, 1500, i, 0), item(5, 900, i, 0), item(5, 700, 100+i, 1))
	}
	legal, err := schema.NewLegal(b, nil)
	require.NoError(t, err)
	short, err := shorten(t.Context(), &Config{}, b, legal, rec, 0, func(_ context.Context, r *play.Recording) (bool,
		uint64,
		error) {
		for i := range r.Items { // it fails because of the data of a middle beat
			if in.Slot("ev", "data").Get(r.Items[i].Words) == 17 {
				return true, 1, nil
			}
		}
		return false, 1, nil
	})
	require.NoError(t, err)
	require.Empty(t, short.ended)
	require.Len(t, short.Items, 2, "a packet keeps its end")
	get := func(i int, name string) uint64 { return in.Slot("ev", name).Get(short.Items[i].Words) }
	require.Equal(t, []uint64{0, 1}, []uint64{get(0, "last"), get(1, "last")})
	require.Equal(t, []uint64{17, 0}, []uint64{get(0, "data"), get(1, "data")})
	for i := range short.Items {
		require.True(t, legal.Item(&short.Items[i]))
		require.EqualValues(t, 3, get(i, "kind"), "0 is no code; the least is 3")
		require.EqualValues(t, 64, get(i, "len"))
	}

	long := &play.Recording{Name: "random/2"}
	for range 20_000 {
		long.Items = append(long.Items, item(5, 1500, 7, 1))
	}
	trials := 0
	short, err = shorten(t.Context(), &Config{}, b, legal, long, shrinkCycles-10,
		func(context.Context, *play.Recording) (bool, uint64, error) {
			trials++
			return false, 5, nil
		})
	require.NoError(t, err)
	require.Equal(t, 3, trials)
	require.Contains(t, short.ended, "after 3 trials")
	require.False(t, short.Plainer(long))
}
