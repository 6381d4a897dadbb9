package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// A baseline is saved, compared, and a difference accepted.
func TestDiffBaseline(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "gitconfig"))
	user := "[user]\nname = Some One\nemail = so@example.org\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gitconfig"), []byte(user), 0o644))
	t.Chdir(dir)
	base, narrow, js := filepath.Join(dir, "base.json"), filepath.Join(dir, "narrow.yaml"), filepath.Join(dir, "out.json")
	require.NoError(t, os.WriteFile(narrow, []byte("block: ccc\nvalues:\n  - {name: avg_delay, format: UQ32.4}\n"), 0o644))
	do := func(args ...string) outcome { return call(t, newFake(), append([]string{"diff"}, args...)...) }

	o := do("save", "-o", base, "--source", "random", "--events", "3k", "--bound", "cwnd=4/12")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	first, err := os.ReadFile(base)
	require.NoError(t, err)
	o = do("compare", base, "contract", "--json", js)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "NO DIFFERENCE: ")
	require.FileExists(t, js)

	csv, md, junit := filepath.Join(dir, "o.csv"), filepath.Join(dir, "o.md"), filepath.Join(dir, "o.xml")
	o = do("compare", base, narrow, "--csv", csv, "--markdown", md, "--junit", junit)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, "avg_delay")
	for _, f := range []string{csv, md, junit} {
		require.FileExists(t, f)
	}
	o = do("compare", base, narrow, "--csv", "/dev/full")
	require.Equal(t, cli.ExitMismatch, o.code, "a difference stays one whatever breaks: %s", o.stderr)

	requireBroken(t, do("accept", base, "--reason", "none"), "no difference")
	o = do("accept", base, "--reason", "a coarser average", "--with", narrow)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	o = do("compare", base, narrow)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "by Some One <so@example.org> on 20")
	require.Contains(t, o.stdout, "a coarser average")
	o = do("compare", base, "contract")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)

	o = do("save", "-o", base, "--source", "random", "--events", "3k")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "2 bounds kept")
	again, err := os.ReadFile(base)
	require.NoError(t, err)
	require.Equal(t, string(first), string(again))

	// A run that breaks leaves no report of an earlier one.
	requireBroken(t, do("compare", base, "contract", "--seed", "2", "--json", js),
		"--seed: a baseline or vector file brings its stimulus")
	require.NoFileExists(t, js)
}

func TestDiffBaselineRefuses(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte(`{"goldwire_baseline": 1`), 0o644))
	other := filepath.Join(dir, "other.json")
	text, err := os.ReadFile("../../precision/diff/testdata/ccc.json")
	require.NoError(t, err)
	old := strings.Replace(string(text), ccc.Schema().Hash(), "0123456789abcdef", 1)
	require.NotEqual(t, string(text), old)
	require.NoError(t, os.WriteFile(other, []byte(old), 0o644))
	table := filepath.Join(dir, "table.yaml")
	require.NoError(t, os.WriteFile(table, []byte("block: ccc\nvalues:\n  - {name: avg_delay, format: UQ32.4}\n"), 0o644))
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GIT_CONFIG_SYSTEM", "/dev/null")
	t.Chdir(dir)
	for args, want := range map[string]string{
		"save":                                      "-o: no file given",
		"save -o x.txt":                             "ends in .json",
		"save -o " + broken:                         "cut short",
		"save -o x.json --source nowhere":           "known sources",
		"save -o x.json --events 0":                 "--events",
		"save -o x.json --source random --events 1": "nothing was compared",
		"save -o x.json --bound cwnd":               "give NAME=STEP/FREE",
		"save -o x.json --bound cwnd=NaN":           "give NAME=STEP/FREE",
		"save -o x.json --events 1k --source random --bound cwnd=1e30":    "more than half of the values",
		"save -o x.json --bound cwnd=1 --bound cwnd=2":                    "given twice",
		"save -o x.json --events 1k --source random --bound cnd=1":        `bound "cnd"`,
		"save -o x.json --format last_rcvd=UQ20.0":                        "cannot be changed",
		"run --format last_rcvd=UQ20.0":                                   "cannot be changed",
		"compare contract":                                                "give two",
		"compare contract x":                                              `side "x"`,
		"compare contract " + broken:                                      "cut short",
		"compare " + other + " contract":                                  "the schema (was 0123456789abcdef",
		"compare contract " + table + " --bound cnd=1 --events 2k":        `bound "cnd"`,
		"compare contract contract":                                       "nothing would be compared",
		"compare " + other + " " + other:                                  "nothing would be compared",
		"compare contract contract --bound cwnd=1 --bound cwnd=2":         "given twice",
		"compare contract contract --bound cwnd=2/-1":                     "numbers of 0 or more",
		"compare contract contract --json " + broken + " --csv " + broken: "both name",
		"compare " + broken + " contract --json " + broken:                "both name",
		"accept " + broken:                                                "--reason",
		"accept x.yaml --reason a":                                        "give a baseline",
		"accept " + broken + " --reason a":                                "user.name is not set",
	} {
		o := call(t, newFake(), append([]string{"diff"}, strings.Fields(args)...)...)
		requireBroken(t, o, want)
		require.Empty(t, o.stdout, args)
	}
	require.NoFileExists(t, "x.json")
}

// A difference between fixed point and the model is exit code 1.
func TestDiffBaselineParted(t *testing.T) {
	var out strings.Builder
	a := &app{App: &cli.App{Stdout: &out}}
	require.Equal(t, cli.ErrMismatch, a.parted(diff.ErrParted))
	require.Contains(t, out.String(), "FIXED POINT IS NOT THE MODEL\n")
}
