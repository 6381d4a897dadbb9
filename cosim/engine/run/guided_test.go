package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// firstHalf returns the first half of a text's lines.
func firstHalf(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:len(lines)/2], "")
}

// A run with a missing, empty or truncated corpus is an error, never a pass.
func TestGuidedWithoutACorpusIsNoPass(t *testing.T) {
	t.Parallel()
	dir, _ := run.CorpusOf(t, "txstate", nil)
	path := filepath.Join(dir, corpus.File)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	cfg := run.Config{Root: "../../..", Block: "txstate", Source: run.GuidedSource, Corpus: dir, ModelOnly: true}
	_, err = run.Run(t.Context(), cfg)
	require.NoError(t, err)
	for text, want := range map[string]string{
		"":                             "its first line does not begin with",
		string(whole[:len(whole)-1]):   "its last line has no newline: the file was cut",
		firstHalf(string(whole)):       "first line promises",
		string(whole) + "NONSENSE\n":   "NONSENSE",
		"# goldwire corpus: cases=0\n": "it is of block",
		strings.Replace(string(whole), "block=txstate", "block=ccc", 1): "it is of block ccc",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		res, err := run.Run(t.Context(), cfg)
		require.ErrorIs(t, err, run.ErrConfig, want)
		require.ErrorContains(t, err, want)
		require.Nil(t, res)
	}
	require.NoError(t, os.Remove(path))
	_, err = run.Run(t.Context(), cfg)
	require.ErrorContains(t, err, "no file "+path)
	cfg.Corpus = ""
	_, err = run.Run(t.Context(), cfg)
	require.ErrorContains(t, err, "vectors/stim/txstate/guided")
}

// Settings that do not fit a corpus are refused.
func TestGuidedRefuses(t *testing.T) {
	t.Parallel()
	dir, _ := run.CorpusOf(t, "txstate", map[string]int{"Depth": 8})
	base := run.Config{Root: "../../..", Block: "txstate", Source: run.GuidedSource, Corpus: dir, ModelOnly: true}
	for want, change := range map[string]func(*run.Config){
		"made for Depth=8, the design has 64": func(*run.Config) {},
		"only the source guided plays a corpus": func(c *run.Config) {
			c.Source, c.Events = "random", 100
		},
		"no case 99": func(c *run.Config) { c.Params, c.Episode = map[string]int{"Depth": 8}, "guided/99" },
		"other":      func(c *run.Config) { c.Episode = "other/1" },
	} {
		cfg := base
		change(&cfg)
		_, err := run.Run(t.Context(), cfg)
		require.ErrorIs(t, err, run.ErrConfig)
		require.ErrorContains(t, err, want)
	}
}

// A corpus is played whole on the design, and every event of it is compared. A fault in the design is found, and the
// command that repeats its case finds it again.
func TestGuidedOnTheDesign(t *testing.T) {
	t.Parallel()
	dir, c := run.CorpusOf(t, "txstate", nil)
	cfg := run.Config{Root: "../../..", Block: "txstate", Source: run.GuidedSource, Corpus: dir, Seed: 1, NoShrink: true}
	res, err := run.Run(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.EqualValues(t, c.Events(), res.Events)
	require.NotZero(t, res.Compared.Responses)

	plantWrongCount(t, &cfg)
	res, err = run.Run(t.Context(), cfg)
	require.NoError(t, err)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.Contains(t, m.Reproduce, "--source guided --seed 1 --corpus "+dir)
	require.Contains(t, m.Reproduce, "--episode "+m.Episode)
	cfg.Episode = m.Episode
	again, err := run.Run(t.Context(), cfg)
	require.NoError(t, err)
	require.NotNil(t, again.FirstMismatch)
	require.Equal(t, m.Cycle, again.FirstMismatch.Cycle)
}
