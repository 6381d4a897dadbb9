package run

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// The shortest failing events are saved, fail again in the same way when they are replayed, and pass on the fixed
// design. A file that is not a case, or is of another block, is refused.
func TestSavedCaseReplays(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "case.json")
	ctx, cfg := bound(t, examples, "old_new/new.yaml")
	cfg.Against, cfg.Events, cfg.SaveCase = other(t, examples, "old_new/old.yaml"), 20000, file
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.Contains(t, m.Note,
		"repeat them with: goldwire cosim --dut "+cfg.Bind.File+" --against "+cfg.Against.File+" --replay "+file)
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
	require.NotEmpty(t, m.ShrunkFields)
	require.Equal(t, m.ShrunkFields, res.FirstMismatch.ShrunkFields)
	require.Equal(t, m.ShrunkFields[0], res.FirstMismatch.Fields[0].Name)
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
		change := map[string]string{`"goldwire_case": 1`: `"goldwire_case": 2`, `"block": "ewma"`: `"block": "other"`,
			`"lane": 0`: `"lane": 7`, `"items": [`: `"items": [,`}[old]
		require.NoError(t, os.WriteFile(bad, []byte(strings.Replace(string(text), old, change, 1)), 0o644))
		_, err = replay("old_new/new.yaml", bad)
		require.ErrorContains(t, err, want)
	}
}

// A saved case keeps everything of an item and of the drive: a missing part would change how it is played.
func TestSavedCaseKeepsAll(t *testing.T) {
	t.Parallel()
	it := stim.Item{Lane: 1, Wait: 2, Pair: true, Gap: 3, More: true, Late: true, Words: []uint64{1 << 63, 5}}
	v := reflect.ValueOf(it)
	for i := range v.NumField() {
		require.False(t, v.Field(i).IsZero(), "give %s a value here", v.Type().Field(i).Name)
	}
	rec := &play.Recording{Name: "random/3", Seed: 9, Items: []stim.Item{it},
		Drive: stim.DriveSpec{Idle: stim.Gate{Close: 1, Open: 2},
			Stall: stim.Gate{Close: 3, Open: 4}, Resets: []stim.Reset{{After: 1, Delay: 2, Low: 3}}, Gaps: []uint16{7},
			IdleMore:  []stim.Gate{{Close: 1}},
			StallMore: []stim.Gate{{Open: 1}}, ByLane: true, Yield: 5, Ahead: 6, Relief: []stim.Item{it}}}
	v = reflect.ValueOf(rec.Drive)
	for i := range v.NumField() {
		require.False(t, v.Field(i).IsZero(), "give %s a value here", v.Type().Field(i).Name)
	}
	cfg := Config{Block: "txstate", SaveCase: filepath.Join(t.TempDir(), "case.json")}
	k, err := cfg.kind()
	require.NoError(t, err)
	require.NoError(t, cfg.saveCase(&report.Mismatch{}, k.Schema, nil, rec, func(*stim.Item) string { return "" }))
	c, err := ReadCase(cfg.SaveCase)
	require.NoError(t, err)
	require.Equal(t, rec.Drive, c.Drive)
	require.Len(t, c.Items, 1)
	require.Equal(t, it, c.Items[0].item())
}
