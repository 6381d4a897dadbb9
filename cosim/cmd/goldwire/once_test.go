package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// Every command refuses a flag given twice before it does anything: of two blocks, one would not be run. Flags that
// collect values accept several.
func TestFlagsGivenTwiceAreRefused(t *testing.T) {
	values := map[string]string{"count": "5", "uint64": "5", "uint": "5", "int": "5", "duration": "5s", "string": "x",
		"float64": "0.5", "int64": "5", "uint16": "5"}
	refused, collecting := 0, []string{}
	everyCommand(func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, ok := f.Value.(pflag.SliceValue); ok {
				collecting = append(collecting, f.Name)
				return
			}
			if f.Value.Type() == "bool" {
				return
			}
			value, ok := values[f.Value.Type()]
			require.True(t, ok, "%v --%s is a %s", path, f.Name, f.Value.Type())
			flag := "--" + f.Name + "=" + value
			o := call(t, newFake(), append(append([]string{}, path...), flag, flag)...)
			requireBroken(t, o, "--"+f.Name, "it is given twice, ")
			require.Empty(t, o.stdout, "%v --%s", path, f.Name)
			refused++
		})
	})
	require.Greater(t, refused, 80)
	require.Subset(t, collecting, []string{"param", "source", "set"})
	f := newFake()
	requireBroken(t, call(t, f, "cosim", "--source", "random,directed", "--source", "random"), "random is given twice")
	requireBroken(t, call(t, f, "cosim", "--seeds", "1..3,2"), "seed 2 is given twice")
	require.Empty(t, f.configs)
}

// oldReports writes the reports of a run that passes and returns their flags.
func oldReports(t *testing.T, dir string) []string {
	t.Helper()
	var flags []string
	for _, form := range []string{"json", "junit", "html"} {
		flags = append(flags, "--"+form, filepath.Join(dir, form))
	}
	o := call(t, newFake(), append([]string{"cosim"}, flags...)...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	return flags
}

// A command that ends because of a wrong argument leaves no earlier report of a pass. A file that is not a report is
// left alone, whatever names it.
func TestWrongArgumentsWithdrawOldReports(t *testing.T) {
	for name, wrong := range map[string][]string{
		"unknown flag":   {"--sede", "3"},
		"empty":          {"--case", ""},
		"given twice":    {"--seed", "1", "--seed", "2"},
		"no number":      {"--events", "many"},
		"word too many":  {"directed"},
		"no value":       {"--seed"},
		"another report": {"--json", "again.json"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			flags := oldReports(t, dir)
			f := newFake()
			requireBroken(t, call(t, f, append(append([]string{"cosim"}, flags...), wrong...)...))
			require.Empty(t, f.configs)
			for form, pass := range map[string]string{"json": `"verdict": "pass"`, "junit": `errors="0"`,
				"html": "<b>PASS</b>"} {
				text, err := os.ReadFile(filepath.Join(dir, form))
				require.NoError(t, err)
				require.NotContains(t, string(text), pass, form)
			}
		})
	}
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	require.NoError(t, os.WriteFile(mine, []byte("precious"), 0o644))
	requireBroken(t, call(t, newFake(), "cosim", "--json", mine, "--sede", "3"))
	requireBroken(t, call(t, newFake(), "cosim", "--sede", "3", "--json="+filepath.Join(dir, "none")))
	text, err := os.ReadFile(mine)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
	require.NoFileExists(t, filepath.Join(dir, "none"))
}

// Whatever command writes results, one that ends because of a wrong argument leaves none of an earlier run.
func TestEveryCommandWithdrawsOldResults(t *testing.T) {
	dir, withdrawn := t.TempDir(), []string{}
	everyCommand(func(c *cobra.Command) {
		for _, flag := range []string{"json", "junit", "html", "csv", "markdown", "annotations"} {
			f := c.Flags().Lookup(flag)
			if f == nil || f.Value.Type() != "string" || c.CommandPath() == "goldwire cosim" {
				continue
			}
			old := filepath.Join(dir, "old")
			require.NoError(t, os.WriteFile(old, []byte(`{"verdict": "passed"}`), 0o644))
			requireBroken(t, call(t, newFake(), append(strings.Fields(c.CommandPath())[1:], "--"+flag, old, "--bogus")...))
			require.NoFileExists(t, old, "%s --%s", c.CommandPath(), flag)
			require.FileExists(t, old+".earlier")
			withdrawn = append(withdrawn, c.CommandPath())
		}
	})
	require.Subset(t, withdrawn, []string{"goldwire ci run", "goldwire ci merge", "goldwire golden step",
		"goldwire diff compare", "goldwire fabric run", "goldwire fabric validate",
		"goldwire fabric cost"})
}

// A report does not replace a file that the command also reads or writes, whatever the path.
func TestReportsOverOtherFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	design, link := filepath.Join(dir, "dut.yaml"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(design, []byte("precious"), 0o644))
	require.NoError(t, os.Symlink(design, link))
	for _, flag := range []string{"dut", "against", "expect", "replay", "save-case", "pcap"} {
		for _, path := range []string{design, filepath.Join(dir, "x", "..", "dut.yaml"), link} {
			f := newFake()
			o := call(t, f, "cosim", "--"+flag, design, "--junit", path)
			requireBroken(t, o, "--"+flag+" and --junit: both name")
			require.Empty(t, f.configs)
			text, err := os.ReadFile(design)
			require.NoError(t, err)
			require.Equal(t, "precious", string(text))
		}
	}
}
