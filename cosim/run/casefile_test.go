package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The shortest events that fail are saved, fail again in the same way when they are replayed, and pass on the design
// that is mended. A file that is none, or of another block, is refused.
func TestSavedCaseReplays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.json")
	ctx, cfg := bound(t, examples, "old_new/new.yaml")
	cfg.Against, cfg.Events, cfg.SaveCase = other(t, examples, "old_new/old.yaml"), 20000, file
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.Contains(t, m.Note, "repeat them with: goldwire cosim --dut "+cfg.Bind.File+" --against "+cfg.Against.File+" --replay "+file)
	c, err := ReadCase(file)
	require.NoError(t, err)
	require.Len(t, c.Items, m.ShrunkTo)
	require.Equal(t, m.Shrunk[0], c.Items[0].Text)

	replay := func(name, path string) (*Config, error) {
		_, again := bound(t, examples, name)
		again.Against, again.Source, again.Replay, again.Seed = cfg.Against, ReplaySource, path, c.Seed
		res, err = Run(ctx, again)
		return &again, err
	}
	_, err = replay("old_new/new.yaml", file)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	require.EqualValues(t, m.ShrunkTo, res.Events)
	require.Equal(t, m.Shrunk, res.FirstMismatch.Shrunk)
	require.Equal(t, m.Fields[0].Name, res.FirstMismatch.Fields[0].Name)
	require.Contains(t, res.FirstMismatch.Reproduce, "--replay "+file)
	_, err = replay("old_new/new_fixed.yaml", file)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.EqualValues(t, m.ShrunkTo, res.Events)

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for old, want := range map[string]string{
		`"goldwire_case": 1`: "not a saved case of form 1",
		`"block": "ewma"`:    "the case is of block other",
		`"lane": 0`:          "event 0 of the case fits no input stream",
		`"items": [`:         "not a saved case",
	} {
		require.Contains(t, string(text), old)
		bad := filepath.Join(t.TempDir(), "bad.json")
		change := map[string]string{`"goldwire_case": 1`: `"goldwire_case": 2`, `"block": "ewma"`: `"block": "other"`, `"lane": 0`: `"lane": 7`, `"items": [`: `"items": [,`}[old]
		require.NoError(t, os.WriteFile(bad, []byte(strings.Replace(string(text), old, change, 1)), 0o644))
		_, err = replay("old_new/new.yaml", bad)
		require.ErrorContains(t, err, want)
	}
}
