package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// The project's own plan is complete: it contains every rule of every contract and every bin of every block.
func TestOwnPlanIsWhole(t *testing.T) {
	require.Contains(t, must(t, "ci", "plan", "check"), "0 faults found")
}

// Each omission from the plan is found.
func TestHolesOfThePlan(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	whole, err := os.ReadFile(filepath.Join(root, "ci", "plan", "goldwire.yaml"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(whole), "include: ")
	_, rest, _ = strings.Cut(rest, "\n")
	text, ofBlocks := "testpoints:\n", ""
	for _, b := range block.Blocks() {
		points, err := os.ReadFile(filepath.Join(root, "vectors", "event", b, "testpoints.yaml"))
		require.NoError(t, err)
		_, list, _ := strings.Cut(string(points), "testpoints:\n")
		list, tests, _ := strings.Cut(list, "tests:\n")
		text, ofBlocks = text+list, ofBlocks+tests
	}
	own, stages, _ := strings.Cut(rest, "stages:\n")
	text += own + ofBlocks + "stages:\n" + stages
	for _, x := range []struct{ old, new, want string }{
		{"rules: [loss]", "rules: [nack]", "rule loss of ccc: no testpoint has it"},
		{"bins: [avg_delay/*]", "bins: [avg_dely/*]", "no bin of ccc is named avg_dely/*"},
		{`tests: ["*"]`, "tests: [ccc/all]", "test new-faults-ccc: no stage runs it"},
		{"{name: pull,", "{name: smoke,", "stage smoke: there are two of that name"},
		{"shows: [txstate/*]", "shows: [txstate/rows]", "testpoint txstate/sample: no test shows it"},
	} {
		require.Contains(t, text, x.old)
		file := filepath.Join(t.TempDir(), "plan.yaml")
		require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(text, x.old, x.new)), 0o666))
		o := goldwire(t, "ci", "plan", "check", file)
		require.Equal(t, cli.ExitMismatch, o.code, o.stdout)
		require.Contains(t, o.stdout, x.want)
		requireBroken(t, goldwire(t, "ci", "run", file, "--stage", "smoke", "--dir", t.TempDir()),
			"see goldwire ci plan check") // a plan with holes is not run
	}
}

func TestCampaignsCalledWrongly(t *testing.T) {
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"ci", "run", "--stage", "noon"}, `no stage "noon"; give one of smoke`},
		{[]string{"ci", "rnu"}, `unknown command "rnu"; did you mean "run"?`},
		{[]string{"ci", "run", "--slots", "-1"}, "give a number above 0"},
		{[]string{"ci", "run", "gone.yaml"}, "gone.yaml: no such file"},
		{[]string{"ci", "shard", "3/2"}, "give one from 1/2 to 2/2"},
		{[]string{"ci", "shard", "half"}, "give I/N, such as 1/4"},
		{[]string{"ci", "merge", t.TempDir()}, "--dir: no folder given"},
		{[]string{"ci", "merge", t.TempDir(), "--dir", t.TempDir()}, "holds no campaign"},
		{[]string{"ci", "plan", "rules", "cc"}, `unknown block "cc"`},
	} {
		requireBroken(t, goldwire(t, x.args...), x.want)
	}
}

// A command that holds others never passes on its own: a misspelt subcommand must not look as if it had run.
func TestGroupsOfCommandsDoNotPass(t *testing.T) {
	groups := 0
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		if !c.HasSubCommands() || c.Name() == "help" {
			return
		}
		groups++
		for _, more := range [][]string{nil, {"nosuch"}} {
			if own := c.Name() == "faults" || c.Name() == "list"; !own || more != nil { // these run on their own
				o := goldwire(t, slices.Concat(path, more)...)
				require.Equal(t, cli.ExitBroken, o.code, "%v %v", path, more)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub, append(slices.Clone(path), sub.Name()))
		}
	}
	walk(newRoot(&app{App: &cli.App{Backend: cli.NewBackend()}}), nil)
	require.Greater(t, groups, 5)
}

// merge writes every report in agreement with its exit code, and leaves no earlier one if it ends early.
func TestReportsOfACampaign(t *testing.T) {
	for outcome, code := range map[campaign.Outcome]int{campaign.Passed: cli.ExitPass, campaign.Failed: cli.ExitMismatch,
		campaign.Error: cli.ExitBroken} {
		out := t.TempDir()
		args := []string{"--dir", filepath.Join(out, "all")}
		files := map[string]string{"--junit": "<?xml ", "--html": "<!doctype html>", "--markdown": "### goldwire ",
			"--annotations": ""}
		for flag := range files {
			args = append(args, flag, filepath.Join(out, flag))
		}
		o := goldwire(t, append([]string{"ci", "merge", campaignFolder(t, outcome, 3)}, args...)...)
		require.Equal(t, code, o.code, o.stderr)
		for flag, begin := range files {
			text, err := os.ReadFile(filepath.Join(out, flag))
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(text), begin), string(text))
			if flag == "--annotations" {
				require.Equal(t, code != cli.ExitPass, len(text) > 0)
			} else {
				require.Equal(t, outcome == campaign.Passed, strings.Contains(string(text), "= 1 passed") ||
					flag == "--junit" && !strings.Contains(string(text), "<failure") && !strings.Contains(string(text), "<error"))
			}
		}
		requireBroken(t, goldwire(t, append([]string{"ci", "merge", t.TempDir()}, args...)...), "holds no campaign")
		for flag := range files {
			require.NoFileExists(t, filepath.Join(out, flag))
		}
	}
	// A summary that is not of the planned campaign, or whose reports could not be written, is not a pass.
	folder, other := campaignFolder(t, campaign.Passed, 3), filepath.Join(t.TempDir(), "other")
	doc := filepath.Join(t.TempDir(), "summary.json")
	requireBroken(t, goldwire(t, "ci", "merge", folder, "--dir", other, "--campaign", "0123", "--json", doc),
		"--campaign 0123: the campaign is passed")
	require.NoFileExists(t, doc)
	require.NoDirExists(t, other)
	o := goldwire(t, "ci", "merge", folder, "--dir", other, "--junit", "/dev/full", "--json", doc)
	require.Equal(t, cli.ExitBroken, o.code, o.stderr)
	require.NotContains(t, o.stdout, "PASSED")
	text, err := os.ReadFile(doc)
	require.NoError(t, err)
	require.Contains(t, string(text), `"verdict": "error"`)

	one := filepath.Join(t.TempDir(), "one")
	requireBroken(t, goldwire(t, "ci", "merge", t.TempDir(), "--dir", t.TempDir(), "--junit", one, "--html", one),
		"both name")
	requireBroken(t, goldwire(t, "ci", "run", "--markdown", "-"), "only --json can go to stdout")
}
