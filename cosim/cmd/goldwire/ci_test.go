package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// The project's own plan is whole: every rule of every contract and every bin of every block stands in it.
func TestOwnPlanIsWhole(t *testing.T) {
	require.Contains(t, must(t, "ci", "plan", "check"), "0 faults found")
}

// Each way of leaving something out of it is found.
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
		{`tests: ["*"]`, "tests: [ccc/all]", "test faults-ccc: no stage runs it"},
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
