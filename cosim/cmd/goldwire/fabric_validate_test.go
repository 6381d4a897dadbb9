package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/experimentreport"
)

func TestFabricValidate(t *testing.T) {
	dir := t.TempDir()
	doc, page, md := filepath.Join(dir, "v.json"), filepath.Join(dir, "v.html"), filepath.Join(dir, "v.md")
	o := call(t, newFake(), "fabric", "validate", "000/fairness", "--seeds", "1", "--json", doc, "--html", page,
		"--markdown", md)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "PASS: 25 checks pass")
	require.Contains(t, o.stdout, "jain N=128")
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	var d experimentreport.Document
	require.NoError(t, json.Unmarshal(text, &d))
	require.Equal(t, experimentreport.Pass, d.Verdict)
	require.Len(t, d.Experiments[0].Checks, 25)
	text, err = os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), "<svg")
	table := read(t, md)
	require.Regexp(t, "^Measured by `goldwire fabric validate 000/fairness --seeds 1 .*`, revision \\S+, on .+go1", table)
	require.Contains(t, table, "\nPASS: 25 checks pass")
	require.Contains(t, table, "| jain N=128 | ")
	require.NotContains(t, table, "COMPLETE")
}

func TestFabricValidateUsage(t *testing.T) {
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"000/fair"}, "000/fairness"},
		{[]string{"--jobs", "0"}, "--jobs 0"},
		{[]string{"--seeds", "5..1"}, "--seeds"},
		{[]string{"--list", "--full"}, "--full: has no effect with --list"},
		{[]string{"--json", "x", "--html", "x"}, "--html"},
	} {
		o := call(t, newFake(), append([]string{"fabric", "validate"}, x.args...)...)
		require.Equal(t, cli.ExitBroken, o.code)
		require.Contains(t, o.stderr, x.want)
		require.Empty(t, o.stdout)
	}
	o := call(t, newFake(), "fabric", "validate", "--list")
	require.Equal(t, cli.ExitPass, o.code)
	require.Contains(t, o.stdout, "000/fairness")
}
