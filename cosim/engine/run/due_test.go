package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// A source of a simulated network that ends without an error before it has delivered every event is not a pass. The run
// names both numbers.
func TestFewerEventsThanAskedAreAnError(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"trimmer", "txstate"} {
		e, err := newEngine(t.Context(), Config{Root: "../../..", Block: name, Source: "fabric:permutation", Events: 200,
			Seed: 1, ModelOnly: true})
		require.NoError(t, err)
		defer e.close()
		e.open = func(source string) (stim.Source, error) {
			return block.Open(name, source, stim.Options{Seed: 1, Events: 120, Params: e.params})
		}
		res, err := e.run(t.Context())
		require.ErrorContains(t, err, "source fabric:permutation: only 120 of 200 events were played")
		require.NotEmpty(t, res.Broken)

		e.open = e.source
		res, err = e.run(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 200, res.Events)
	}
}

// CorpusOf writes a corpus of the first random episodes of a block, cut short, and returns its folder.
func CorpusOf(t *testing.T, name string, params map[string]int) (string, *corpus.Corpus) {
	t.Helper()
	b, err := block.Lookup(name)
	require.NoError(t, err)
	full, err := b.Schema.Values(params)
	require.NoError(t, err)
	src, err := b.Stimulus.Open("random", stim.Options{Seed: 2, Events: 900, Params: full})
	require.NoError(t, err)
	c := &corpus.Corpus{Block: name, Schema: b.Schema.Hash(), Params: full}
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		one := corpus.Case{Name: "guided/" + strings.TrimPrefix(ep.Name, "random/"), Seed: ep.Seed, Drive: ep.Drive}
		one.Drive.Resets = append([]stim.Reset(nil), ep.Drive.Resets...)
		it := stim.Item{Words: make([]uint64, 16)}
		for ep.NextItem(&it) {
			one.Items = append(one.Items, it.Clone())
		}
		c.Cases = append(c.Cases, one)
	}
	dir := t.TempDir()
	var text strings.Builder
	require.NoError(t, c.Write(&text, b.Schema))
	require.NoError(t, os.WriteFile(filepath.Join(dir, corpus.File), []byte(text.String()), 0o644))
	return dir, c
}

// A run that plays fewer events than its corpus holds is not a pass.
func TestGuidedPlaysTheWholeCorpus(t *testing.T) {
	t.Parallel()
	dir, c := CorpusOf(t, "txstate", nil)
	e, err := newEngine(t.Context(), Config{Root: "../../..", Block: "txstate", Source: GuidedSource, Corpus: dir, Seed: 1,
		ModelOnly: true})
	require.NoError(t, err)
	defer e.close()
	e.open = func(name string) (stim.Source, error) {
		src, err := e.source(name)
		if err == nil {
			src.Next()
		}
		return src, err
	}
	_, err = e.run(t.Context())
	require.ErrorContains(t, err, fmt.Sprintf("of %d events were played", c.Completed()))

	e.open = e.source
	res, err := e.run(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, c.Completed(), res.Events)
}
