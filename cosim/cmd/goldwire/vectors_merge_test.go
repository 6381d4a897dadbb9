package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// A file merged from several seeds has no seed of its own, and every output that shows the seed says so.
func TestVectorsMergedSeeds(t *testing.T) {
	dir := t.TempDir()
	three, four := made(t, dir, "3.gwv", "--seed", "3"), made(t, dir, "4.gwv", "--seed", "4")
	same, both, part := filepath.Join(dir, "same.gwv"), filepath.Join(dir, "both.gwv"), filepath.Join(dir, "part.gwv")
	must(t, "vectors", "merge", three, three, "-o", same)
	must(t, "vectors", "merge", three, four, "-o", both)
	must(t, "vectors", "cut", "--from", "10", both, "-o", part)
	for file, want := range map[string]string{three: "3", same: "3", both: "several", part: "several"} {
		require.Regexp(t, `(?m)^seed +`+want+`$`, goldwire(t, "vectors", "info", file).stdout)
	}
	require.Contains(t, goldwire(t, "vectors", "diff", three, both).stdout, "seed: 3 | several\n")
	must(t, "vectors", "export", "--to", "sv", both, "-o", filepath.Join(dir, "sv"))
	for _, name := range []string{"README.md", "layout.md", "txstate_vec_tb.sv"} {
		text, err := os.ReadFile(filepath.Join(dir, "sv", name))
		require.NoError(t, err)
		require.Contains(t, string(text), "seed several", name)
	}
}

// A file that does not begin with a reset, or was made for another size, cannot follow another file.
func TestVectorsMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	f, out := made(t, dir, "f.gwv"), filepath.Join(dir, "out.gwv")
	headless := rewritten(t, f, filepath.Join(dir, "headless.gwv"),
		func(l *event.Layout, rec *gwv.Record) bool { return rec.In[0]&l.In.Control("rst_n") != 0 })
	requireBroken(t, goldwire(t, "vectors", "merge", f, headless, "-o", out),
		"headless.gwv: it does not begin with a reset")
	larger := filepath.Join(dir, "larger.gwv")
	must(t, "vectors", "gen", "--block", "txstate", "--param", "NumPdcs=8", "--param", "Depth=16", "--events", "100",
		"-o", larger)
	requireBroken(t, goldwire(t, "vectors", "merge", f, larger, "-o", out),
		"larger.gwv: parameters map[Depth:16 NumPdcs:8], but ")
	require.NoFileExists(t, out)
}
