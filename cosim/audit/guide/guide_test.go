package guide

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

func spec(name string) Spec { return Spec{Block: name, Seed: 3, Events: 10_000, Keep: 1000} }

func text1(t *testing.T, c *corpus.Corpus) string {
	t.Helper()
	kind, err := block.Lookup(c.Block)
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, c.Write(&out, kind.Schema))
	return out.String()
}

// Every block has a corpus within its bounds. It is read as it was written, and the cases that were read reach what
// those that were found do.
func TestEveryBlock(t *testing.T) {
	for _, b := range block.All() {
		found, err := Search(t.Context(), spec(b.Name()))
		require.NoError(t, err)
		require.NotEmpty(t, found.Cases)
		require.LessOrEqual(t, found.Events(), 1000)
		dir := filepath.Join(t.TempDir(), "new", "folder")
		require.NoError(t, Save(dir, found))
		again, err := corpus.Read(dir, b.Schema)
		require.NoError(t, err)
		require.Equal(t, text1(t, found), text1(t, again))
		one, err := newStage(b, found.Params)
		require.NoError(t, err)
		two, err := newStage(b, found.Params)
		require.NoError(t, err)
		for i := range found.Cases {
			want := reached(t, one, &found.Cases[i])
			require.Equal(t, want, reached(t, two, &again.Cases[i]), "%s %s", b.Name(), found.Cases[i].Name)
			require.NotEmpty(t, want)
		}
	}
}

func reached(t *testing.T, s *stage, c *corpus.Case) []bin {
	t.Helper()
	seen, cycles, err := s.play(t.Context(), c.Episode(s.kind.Name()))
	require.NoError(t, err)
	require.NotZero(t, cycles)
	out := slices.Clone(seen)
	slices.Sort(out)
	return out
}

// Equal seeds give equal corpora, others give others.
func TestSearchIsDeterministic(t *testing.T) {
	for _, name := range []string{"ccc", "switchport"} {
		one, err := Search(t.Context(), spec(name))
		require.NoError(t, err)
		two, err := Search(t.Context(), spec(name))
		require.NoError(t, err)
		require.Equal(t, text1(t, one), text1(t, two))
		other := spec(name)
		other.Seed++
		three, err := Search(t.Context(), other)
		require.NoError(t, err)
		require.NotEqual(t, text1(t, one), text1(t, three))
	}
}

// Each case that is kept adds to those kept before it, and a case that adds nothing is dropped.
func TestChooseDropsWhatAddsNothing(t *testing.T) {
	pool := []tried{
		{bins: []bin{1, 2}, events: 10},
		{bins: []bin{1, 2, 3}, events: 10},
		{bins: []bin{9}, events: 100},
		{bins: []bin{4}, events: 1},
	}
	require.Equal(t, []int{3, 1, 0}, choose(pool, 30), "the case of 100 events does not fit")
	require.Equal(t, []int{3, 1, 0, 2}, choose(pool, 121))
	for range depth {
		pool = append(pool, tried{bins: []bin{1, 2, 3}, events: 10})
	}
	require.Equal(t, []int{3, 1, 4, 5, 2}, choose(pool, 1000), "a bin counts in %d cases", depth)
	require.Empty(t, choose(nil, 10))
	require.Empty(t, choose([]tried{{bins: nil, events: 1}}, 10))
}

// The search reaches more in the same events than random events do.
func TestGuidedReachesMore(t *testing.T) {
	for _, name := range []string{"txstate", "egress"} {
		found, err := Search(t.Context(), Spec{Block: name, Seed: 1, Events: 60_000, Keep: 2000})
		require.NoError(t, err)
		b, err := block.Lookup(name)
		require.NoError(t, err)
		s, err := newStage(b, found.Params)
		require.NoError(t, err)
		all, random := map[bin]bool{}, map[bin]bool{}
		for i := range found.Cases {
			for _, x := range reached(t, s, &found.Cases[i]) {
				all[x] = true
			}
		}
		src, err := b.Stimulus.Open("random", stim.Options{Seed: 1, Events: found.Events(), Params: found.Params})
		require.NoError(t, err)
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			seen, _, err := s.play(t.Context(), ep)
			require.NoError(t, err)
			for _, x := range seen {
				random[x] = true
			}
		}
		require.Greater(t, len(all), len(random), "%s: %d events", name, found.Events())
	}
}

// A search that could find nothing is refused with the cause, and so is a block without what it needs.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Events = 0 }, "0 events to play"},
		{func(s *Spec) { s.Keep = 0 }, "would compare nothing"},
		{func(s *Spec) { s.Keep = -1 }, "would compare nothing"},
		{func(s *Spec) { s.Block = "none" }, "unknown block"},
		{func(s *Spec) { s.Params = map[string]int{"Depth": 3} }, "Depth"},
		{func(s *Spec) { s.Events = 1; s.Keep = 1 }, "no case of block txstate has at most 1 events"},
	} {
		s := spec("txstate")
		c.change(&s)
		_, err := Search(t.Context(), s)
		require.ErrorContains(t, err, c.want)
	}
	whole, err := block.Lookup("txstate")
	require.NoError(t, err)
	require.NoError(t, hooks(whole))
	for want, change := range map[string]func(*block.Block){
		"lacks a model":       func(b *block.Block) { b.NewModel = nil },
		"lacks coverage":      func(b *block.Block) { b.Coverage = cover.Block{} },
		"lacks random events": func(b *block.Block) { b.Stimulus = &stim.Suite{Schema: b.Schema} },
	} {
		b := *whole
		change(&b)
		require.ErrorIs(t, hooks(&b), ErrGuide)
		require.ErrorContains(t, hooks(&b), want)
	}
}

// A folder that cannot be made is an error.
func TestSaveErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	found, err := Search(t.Context(), spec("txstate"))
	require.NoError(t, err)
	require.ErrorIs(t, Save(filepath.Join(file, "in"), found), ErrGuide)
	found.Cases[0].Drive.ByLane = true
	require.ErrorContains(t, Save(t.TempDir(), found), "no form as text")
}
