package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

const ownExamples = "../../../hdl/examples/"

// Flags that say what is expected are checked before anything is built.
func TestReferenceFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.gwv")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	const dut = ownExamples + "old_new/new.yaml"
	for _, c := range []struct {
		want string
		args []string
	}{
		{"they are for a design of your own", []string{"--golden", "unix:/tmp/x"}},
		{"--golden: it is empty", []string{"--dut", dut, "--golden", ""}},
		{"leave --source", []string{"--dut", dut, "--expect", file, "--source", "random"}},
		{"--expect: stat ", []string{"--dut", dut, "--expect", file + "x"}},
		{`unknown source "directed": block ewma has a schema of your own`, []string{"--dut", dut, "--against", dut, "--source", "directed"}},
		{"dut.yaml: open ", []string{"--dut", dut, "--against", dut + "x"}},
		{"--block ccc: " + dut + " binds a design to the block ewma", []string{"--dut", dut, "--against", dut, "--block", "ccc"}},
	} {
		o := call(t, newFake(), append([]string{"cosim"}, c.args...)...)
		requireBroken(t, o, c.want)
	}
	f := newFake()
	o := call(t, f, "cosim", "--dut", dut, "--against", ownExamples+"old_new/old.yaml", "--seeds", "1..2")
	require.Equal(t, exitPass, o.code, o.stderr)
	require.Len(t, f.configs, 2)
	require.Equal(t, "ewma", f.configs[0].Block)
	require.Equal(t, ownExamples+"old_new/old.yaml", f.configs[0].Against.File)
	require.Equal(t, "random", f.configs[1].Source)
	o = call(t, f, "cosim", "--dut", dut, "--expect", file)
	require.Equal(t, exitPass, o.code, o.stderr)
	require.Equal(t, vectorFile, f.configs[2].Source)
	require.Equal(t, file, f.configs[2].Expect)
}

// A mistake in a schema of one's own is one line with file and place.
func TestOwnSchemaMistakes(t *testing.T) {
	text, err := os.ReadFile(ownExamples + "old_new/schema.yaml")
	require.NoError(t, err)
	dut, err := os.ReadFile(ownExamples + "old_new/old.yaml")
	require.NoError(t, err)
	for add, want := range map[string]string{
		"      constraints: [gain <]\n":             "41:27: constraint \"gain <\": an operand is missing",
		"      constraints: [gain < speed]\n":       `"speed" is no field of stream ev`,
		"      constraint: [gain < 3]\n":            `unknown key "constraint" of a stream of the stimulus`,
		"      constraints: [gain > 500]\n":         `constraint "gain > 500": no event satisfies it`,
		"      constraints: [gain > 9, gain < 5]\n": `constraint "gain < 5": no event satisfies them together`,
		"        - {name: gian, range: [0, 3]}":     `"gian" is no field of the stream`,
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "schema.yaml"), append(append([]byte(nil), text...), add...), 0o644))
		file := filepath.Join(dir, "old.yaml")
		require.NoError(t, os.WriteFile(file, append(dut, '\n'), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ewma_old.sv"), nil, 0o644))
		o := call(t, newFake(), "cosim", "--dut", file, "--against", file)
		requireBroken(t, o, want)
		o = call(t, newFake(), "schema", "show", filepath.Join(dir, "schema.yaml"))
		requireBroken(t, o, want)
	}
	b, err := event.Load(ownExamples + "old_new/schema.yaml")
	require.NoError(t, err)
	o := call(t, newFake(), "schema", "show", "--hash", ownExamples+"old_new/schema.yaml")
	require.Equal(t, b.Hash()+"\n", o.stdout)
}

// What is wrong with a dut.yaml stands on a line each, under cosim as under dut check.
func TestProblemsLineByLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dut.yaml")
	require.NoError(t, os.WriteFile(file, []byte("block: ccc\ntop: x\nsources: [gone.sv]\nlatency: soon\n"), 0o644))
	o := call(t, newFake(), "cosim", "--dut", file)
	require.Equal(t, exitBroken, o.code)
	lines := strings.Split(strings.TrimSpace(o.stderr), "\n")
	require.Greater(t, len(lines), 3)
	for _, l := range lines {
		require.Regexp(t, `^goldwire: .*dut\.yaml:(\d+:)? `, l)
		require.NotContains(t, l, "; "+file)
	}
}
