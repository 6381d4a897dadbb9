package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

func TestGuideUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, c := range []struct {
		args string
		want []string
	}{
		{"guide", []string{"give -o DIR"}},
		{"guide --block cccc -o x", []string{`unknown block "cccc"`, `did you mean "ccc"?`}},
		{"guide --events 0 -o x", []string{"0 events to play", "give 1 or more"}},
		{"guide --keep 0 -o x", []string{"would compare nothing", "keep 1 or more"}},
		{"guide --keep 1G -o x", []string{"--keep 1000000000", "at most 10000000"}},
		{"guide --param NumContexts -o x", []string{"give Name=number"}},
		{"guide --param NumContexts=1 -o x", []string{"NumContexts: 1 is not in 2..65536"}},
		{"guide --block txstate --events 500 -o " + file, []string{"-o " + file, "not a directory"}},
		{"guide extra", []string{`unexpected argument "extra"`}},
		{"cosim --waves-of random/0 --waves=", []string{"--waves: it is empty"}},
		{"cosim --episode=", []string{"--episode: it is empty"}},
		{"cosim --source guided --corpus=", []string{"--corpus: it is empty"}},
		{"cosim --json=", []string{"--json: it is empty"}},
		{"cosim --source random --waves x --waves-of directed/a", []string{"source random has no such episode"}},
		{"cosim --corpus x", []string{"only the source guided plays a corpus"}},
	} {
		f := newFake()
		o := call(t, f, strings.Fields(c.args)...)
		requireBroken(t, o, c.want...)
		require.Empty(t, o.stdout)
		require.Empty(t, f.configs)
	}
}

// The corpus is written, is the same for equal flags, and its line leads to the run that plays it.
func TestGuideWritesACorpus(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "a", "one"), filepath.Join(dir, "two")
	var texts []string
	for _, to := range []string{one, two} {
		o := call(t, newFake(), "guide", "--block", "txstate", "--seed", "4", "--events", "5k", "--keep", "300", "--param",
			"Depth=8", "-o", to)
		require.Equal(t, cli.ExitPass, o.code, o.stderr)
		require.Regexp(t, `^corpus of txstate: \d+ cases of \d+ events in `+to, o.stdout)
		require.Contains(t, o.stdout, "cosim --block txstate --source guided --corpus "+to+" --param Depth=8\n")
		text, err := os.ReadFile(filepath.Join(to, "corpus.txt"))
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	require.Equal(t, texts[0], texts[1])
	require.Contains(t, texts[0], "\ncase guided/")
	f := newFake()
	o := call(t, f, "cosim", "--block", "txstate", "--source", "guided", "--corpus", one)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Equal(t, "guided", f.configs[0].Source)
	require.Equal(t, one, f.configs[0].Corpus)
}

// A search that fails leaves no corpus of an earlier search.
func TestGuideThatFailsLeavesNoCorpus(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "corpus.txt")
	require.NoError(t, os.WriteFile(path, []byte("of an earlier search\n"), 0o644))
	o := call(t, newFake(), "guide", "--block", "txstate", "--events", "1", "--keep", "1", "-o", dir)
	requireBroken(t, o, "no case of block txstate has at most 1 events")
	require.NoFileExists(t, path)
}
