package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// withHeader copies a vector file with another header.
func withHeader(t *testing.T, path, to string, edit func(h *gwv.Header)) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := gwv.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	h := *r.Header()
	edit(&h)
	var buf bytes.Buffer
	w, err := gwv.NewWriter(&buf, h)
	require.NoError(t, err)
	for rec, err := range r.All() {
		require.NoError(t, err)
		if rec.Mark != nil {
			w.Mark(rec.Mark.Name, rec.Mark.Seed)
		}
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, buf.Bytes(), 0o644))
	return to
}

// Files made with another mask, relaxed rule or constant are neither merged nor verified, and both values are named.
// The interface and its hash are the same.
func TestVectorsOfOtherComparisons(t *testing.T) {
	dir := t.TempDir()
	plain, out := made(t, dir, "plain.gwv"), filepath.Join(dir, "out.gwv")
	mask := func(name, when string) string {
		return withHeader(t, plain, filepath.Join(dir, name), func(h *gwv.Header) {
			const field = "{name: rtt, width: "
			require.Equal(t, 1, strings.Count(h.Schema, field))
			h.Schema, h.CompareHash = strings.Replace(h.Schema, field, "{name: rtt, when: "+when+", width: ", 1), ""
			b, err := event.Parse([]byte(h.Schema))
			require.NoError(t, err)
			require.Equal(t, h.SchemaHash, b.Hash())
		})
	}
	valid, found := mask("valid.gwv", "rtt_valid == 1"), mask("found.gwv", "found == 1")
	hash := func(path string) string {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		r, err := gwv.NewReader(f)
		require.NoError(t, err)
		return r.Header().CompareHash
	}
	requireBroken(t, goldwire(t, "vectors", "verify", valid), "compare hash "+hash(valid), "none (every bit)",
		"rsp.rtt is compared when rtt_valid == 1, and always")
	requireBroken(t, goldwire(t, "vectors", "merge", plain, valid, "-o", out), "compare hash "+hash(valid),
		"none (every bit)")
	requireBroken(t, goldwire(t, "vectors", "merge", valid, found, "-o", out), hash(valid), hash(found),
		"only files that compare the same")
	must(t, "vectors", "merge", valid, valid, "-o", out)
	require.Equal(t, hash(valid), hash(out))
	require.Contains(t, must(t, "vectors", "info", out), hash(valid))
	require.Contains(t, must(t, "vectors", "diff", plain, valid), "compare hash: none (every bit) | "+hash(valid)+"\n")

	relaxed := withHeader(t, plain, filepath.Join(dir, "relaxed.gwv"),
		func(h *gwv.Header) { h.Relaxed = []string{"rsp.data_changes"} })
	constant := withHeader(t, plain, filepath.Join(dir, "constant.gwv"),
		func(h *gwv.Header) { h.Constants = []string{"rsp.rtt"} })
	require.NoError(t, os.Remove(out))
	requireBroken(t, goldwire(t, "vectors", "merge", plain, relaxed, "-o", out),
		"relaxed handshake rules: rsp.data_changes, and ", "none")
	requireBroken(t, goldwire(t, "vectors", "merge", constant, plain, "-o", out), "in fields: none, and ",
		"constant.gwv: rsp.rtt")
	require.NoFileExists(t, out)
	require.Contains(t, must(t, "vectors", "info", relaxed), "rsp.data_changes (handshake rules that")
	require.Contains(t, must(t, "vectors", "info", constant), "rsp.rtt (of the dut.yaml")
	must(t, "vectors", "cut", "--to", "100", relaxed, "-o", out)
	requireBroken(t, goldwire(t, "vectors", "merge", plain, out, "-o", filepath.Join(dir, "x.gwv")),
		"relaxed handshake rules")
	require.Contains(t, must(t, "vectors", "verify", relaxed), "agree with today's model",
		"the model is compared in every bit")
}
