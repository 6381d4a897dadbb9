package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim/txstate"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

func newModel(p map[string]int) (event.Model, error) {
	return model.New(model.Spec{NumPdcs: p["NumPdcs"], Depth: p["Depth"]})
}

// random returns what to generate with a model.
func random(newModel func(map[string]int) (event.Model, error)) func(uint64) (*record.Spec, error) {
	return func(events uint64) (*record.Spec, error) {
		o := suite.Order{Block: suite.Block{Stimulus: &txstate.Suite, NewModel: newModel}, Source: "random",
			Per: format.PerTransaction, Events: events, Seed: 1, TickNs: 1}
		return o.Spec()
	}
}

func silent(string, ...any) {}

func TestFiguresOfEveryStep(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	said := 0
	figures, err := Run(t.Context(), Spec{New: random(newModel), Events: 1000, Rounds: 3, Heap: LeastHeap,
		Say: func(string, ...any) { said++ }})
	require.NoError(t, err)
	require.Equal(t, 4, said)
	got := map[string]Figure{}
	for _, f := range figures {
		require.NotContains(t, got, f.Name)
		require.NotEmpty(t, f.What)
		require.NotEmpty(t, f.Values, f.Name)
		require.Positive(t, slices.Min(f.Values), f.Name)
		got[f.Name] = f
	}
	forms := prefixed("export_", export.Kinds)
	for _, name := range append([]string{"gen", "read", "verify"}, forms...) {
		require.Contains(t, got, "vectors_"+name+"_tps")
		require.Contains(t, got, "vectors_"+name+"_mbs")
	}
	require.Contains(t, got, "vectors_bytes")
	require.Contains(t, got, "vectors_heap_100000_mb")
	if ForgetPeak() {
		require.Greater(t, got["vectors_rss_100000_mb"].Values[0], got["vectors_heap_100000_mb"].Values[0])
	}
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left, "files that were not deleted")
}

func prefixed(prefix string, names []string) (out []string) {
	for _, n := range names {
		out = append(out, prefix+n)
	}
	return out
}

// moody answers otherwise after a reset, as a model that a file is verified against must not.
type moody struct {
	event.Model
	layout *event.Layout
	resets int
}

func (m *moody) Reset() { m.resets++; m.Model.Reset() }

func (m *moody) Cycle(in, out []uint64) {
	m.Model.Cycle(in, out)
	s := m.layout.Outputs()[0].Slots[0]
	s.Set(out, s.Get(out)^uint64(m.resets&1))
}

// A model that does not answer again what it has answered is an error, and no figure.
func TestDifferencesAreErrors(t *testing.T) {
	f, err := Run(t.Context(), Spec{Events: 1000, Rounds: 1, Say: silent,
		New: random(func(p map[string]int) (event.Model, error) {
			m, err := newModel(p)
			return &moody{Model: m, layout: event.NewLayout(txstate.Suite.Schema)}, err
		})})
	require.ErrorContains(t, err, "verify: ")
	require.Empty(t, f)
}

func TestNothingToMeasureIsAnError(t *testing.T) {
	for _, s := range []Spec{{Rounds: 1}, {Events: 1000}} {
		s.New, s.Say = random(newModel), silent
		f, err := Run(t.Context(), s)
		require.Error(t, err)
		require.Empty(t, f)
	}
	broken := errors.New("no such block")
	_, err := Run(t.Context(), Spec{Events: 1, Rounds: 1, Say: silent,
		New: func(uint64) (*record.Spec, error) { return nil, broken }})
	require.ErrorIs(t, err, broken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Run(ctx, Spec{Events: 10_000, Rounds: 1, Say: silent, New: random(newModel)})
	require.ErrorIs(t, err, context.Canceled)
}

// A file without records is no measurement of verify.
func TestVerifiedNeedsRecords(t *testing.T) {
	spec, err := random(newModel)(1)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "f.gwv")
	_, err = generate(t.Context(), path, spec)
	require.NoError(t, err)
	var h format.Header
	check := func(r *format.Reader) error { h = *r.Header(); return verified(t.Context(), r, spec.Model) }
	require.NoError(t, reading(path, check))
	f, err := os.Create(path)
	require.NoError(t, err)
	w, err := format.NewWriter(f, h)
	require.NoError(t, err)
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.ErrorContains(t, reading(path, check), "no records")
}
