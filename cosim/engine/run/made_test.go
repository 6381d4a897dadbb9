package run

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// runMaking runs an engine whose models come from a test; n counts them from 1.
func runMaking(t *testing.T, ctx context.Context, cfg Config,
	make func(n int, params map[string]int, good *block.Block) (event.Model, error)) (*report.Result, error) {
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
	good, n := e.kind, 0
	bad := *good
	bad.NewModel = func(p map[string]int) (event.Model, error) {
		n++
		return make(n, p, good)
	}
	e.kind = &bad
	return e.run(ctx)
}

// A model that cannot be created ends the run with one line, whether its constructor errors, panics or returns none.
func TestModelThatCannotBeMade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func() (event.Model, error)
		want string
	}{
		"error":   {func() (event.Model, error) { return nil, errors.New("NumPdcs = 0: must be 1 or more") }, "NumPdcs = 0"},
		"panic":   {func() (event.Model, error) { panic("rows: makeslice: len out of range") }, "panicked at made_test.go:"},
		"nothing": {func() (event.Model, error) { return nil, nil }, "made no model"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Block: "txstate", Source: "random", Events: 2000, Seed: 3, ModelOnly: true}
			res, err := runMaking(t, t.Context(), cfg,
				func(int, map[string]int, *block.Block) (event.Model, error) { return c.make() })
			require.Nil(t, res, "nothing was started")
			require.ErrorContains(t, err, "model of block txstate: ")
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// Observers that cannot be created end the run like a model: here, the coverage of a block that has none.
func TestObserversThatCannotBeMade(t *testing.T) {
	t.Parallel()
	e, err := newEngine(t.Context(), Config{Root: "../../..", Block: "txstate", Source: "random", Events: 2000, Seed: 3,
		ModelOnly: true})
	require.NoError(t, err)
	unknown, schema := *e.kind, *e.kind.Schema
	schema.Name = "txstates"
	unknown.Schema, e.kind = &schema, &unknown
	res, err := e.run(t.Context())
	require.Nil(t, res)
	require.ErrorContains(t, err, `unknown block "txstates"`)
	require.NotContains(t, err.Error(), "\n")
}

// A mismatch stays one if the model that counts it, or the one that explains it, cannot be created again.
func TestMismatchWhoseModelCannotBeMadeAgain(t *testing.T) {
	t.Parallel()
	for from := 2; from <= 4; from++ {
		made := 0
		cfg := Config{Block: "txstate", Source: "random", Events: 20_000, Seed: 3, NoShrink: true}
		res, err := runMaking(t, t.Context(), cfg, func(n int, p map[string]int, good *block.Block) (event.Model, error) {
			made = n
			switch {
			case n == from:
				panic("out of memory")
			case n > from:
				return nil, errors.New("no memory")
			}
			model, err := good.NewModel(p)
			return &tampered{Model: model, cycle: func(n int, model event.Model, in, out []uint64) {
				model.Cycle(in, out)
				if n > 3000 {
					out[0] ^= 2 // rsp_valid
				}
			}}, err
		})
		require.NoError(t, err)
		require.GreaterOrEqual(t, made, from)
		require.Equal(t, report.Mismatched, res.Verdict())
		require.NotEmpty(t, res.FirstMismatch.Fields)
		require.Contains(t, res.FirstMismatch.Note, "model of block txstate: ")
		require.NotContains(t, res.FirstMismatch.Note, "\n")
	}
}
