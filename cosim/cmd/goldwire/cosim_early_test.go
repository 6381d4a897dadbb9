package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
)

// A mismatch is printed, once, and is in the reports while its shortest case is still searched for. An interrupt that
// ends the search leaves exit code 1.
func TestCosimFoundEarly(t *testing.T) {
	f := newFake()
	path := filepath.Join(t.TempDir(), "r.json")
	ctx, interrupt := context.WithCancel(t.Context())
	b := f.backend()
	b.Run = func(ctx context.Context, c run.Config) (*report.Result, error) {
		f.mismatch = func(run.Config) bool { return true }
		res, err := f.run(ctx, c)
		require.NoError(t, err)
		res.FirstMismatch.Note = "as found"
		early := *res
		m := *res.FirstMismatch
		early.FirstMismatch = &m
		c.Found(&early)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, json.Valid(data))
		require.Contains(t, string(data), `"verdict": "mismatch"`)
		interrupt()
		res.FirstMismatch.Shrunk, res.FirstMismatch.ShrunkTo = []string{"kind=SEND"}, 1
		res.FirstMismatch.AddNote("the search ended early")
		return res, nil
	}
	var stdout, stderr strings.Builder
	a := &cli.App{Backend: b, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Program: "goldwire"}
	require.Equal(t, cli.ExitMismatch, execute(ctx, a, []string{"cosim", "--seed", "1", "--json", path}), stderr.String())
	require.Equal(t, 1, strings.Count(stdout.String(), "MISMATCH"))
	require.Equal(t, 1, strings.Count(stdout.String(), "as found"))
	at := strings.Index(stdout.String(), "reproduce")
	require.Positive(t, at)
	require.Contains(t, stdout.String()[at:], "shrunk to 1 event that still fails:")
	require.Contains(t, stdout.String()[at:], "the search ended early")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(data), "kind=SEND")
}
