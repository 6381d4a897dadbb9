package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/event"
)

const ownExamples = "../../../hdl/examples/"

// Flags that name the reference are checked before anything is built.
func TestReferenceFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.gwv")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	const dut = ownExamples + "old_new/new.yaml"
	for _, c := range []struct {
		want string
		args []string
	}{
		{"need your own design", []string{"--golden", "unix:/tmp/x"}},
		{"--replay: the file has its own events and seed; leave out --seed",
			[]string{"--dut", dut, "--against", dut, "--replay", file, "--seed", "2"}},
		{"--replay: " + file + "x: no such file", []string{"--dut", dut, "--against", dut, "--replay", file + "x"}},
		{"--replay " + file + ": not a saved case", []string{"--dut", dut, "--against", dut, "--replay", file}},
		{"--replay: it is empty", []string{"--replay", ""}},
		{"--save-case: file /nonexistent/c.json: folder /nonexistent does not exist",
			[]string{"--dut", dut, "--against", dut, "--save-case", "/nonexistent/c.json"}},
		{"--save-case: needs one source and one seed",
			[]string{"--dut", dut, "--against", dut, "--save-case", file, "--seeds", "1..2"}},
		{"--golden: it is empty", []string{"--dut", dut, "--golden", ""}},
		{"are the same design", []string{"--dut", dut, "--against", dut}},
		{"--self: needs --against", []string{"--dut", dut, "--golden", "unix:/tmp/x", "--self"}},
		{"leave out --source", []string{"--dut", dut, "--expect", file, "--source", "random"}},
		{"--expect: " + file + "x: no such file", []string{"--dut", dut, "--expect", file + "x"}},
		{`unknown source "directed": block ewma has its own schema`,
			[]string{"--dut", dut, "--against", dut, "--source", "directed"}},
		{"binding " + dut + "x: no such file", []string{"--dut", dut, "--against", dut + "x"}},
		{"--block ccc: " + dut + " binds a design to the block ewma",
			[]string{"--dut", dut, "--against", dut, "--block", "ccc"}},
	} {
		o := call(t, newFake(), append([]string{"cosim"}, c.args...)...)
		requireBroken(t, o, c.want)
	}
	f := newFake()
	o := call(t, f, "cosim", "--dut", dut, "--against", ownExamples+"old_new/old.yaml", "--seeds", "1..2")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Len(t, f.configs, 2)
	require.Equal(t, "ewma", f.configs[0].Block)
	require.Equal(t, ownExamples+"old_new/old.yaml", f.configs[0].Against.File)
	require.Equal(t, "random", f.configs[1].Source)
	o = call(t, f, "cosim", "--dut", dut, "--expect", file)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Equal(t, "file", f.configs[2].Source)
	require.Equal(t, file, f.configs[2].Expect)
}

// A case of another block is refused with the names of both, not because of a parameter that only one of them has.
func TestReplayOnAnotherBlock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"goldwire_case": 1, "block": "txstate", "schema_hash": "x",
		"params": {"NumPdcs": 4, "Depth": 8},
 "seed": 3, "drive": {"Resets": [{"Low": 2}]}, "items": [{"lane": 0, "words": [0]}]}`), 0o644))
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--replay " + file + ": the case is of block txstate, but the run is of block ccc; give --block txstate", nil},
		{"the case is of block txstate, but the run is of block ccc", []string{"--block", "ccc"}},
		{"the case is of block txstate, but the run is of block ccc", []string{"--block", "ccc", "--param", "NumPdcs=4"}},
		{"the case is of block txstate, but " + ownExamples +
			"old_new/new.yaml binds a design to block ewma; give a design of block txstate",
			[]string{"--dut", ownExamples + "old_new/new.yaml", "--against", ownExamples + "old_new/old.yaml"}},
	} {
		f := newFake()
		requireBroken(t, call(t, f, append([]string{"cosim", "--replay", file}, c.args...)...), c.want)
		require.Empty(t, f.configs)
	}
	f := newFake()
	o := call(t, f, "cosim", "--replay", file, "--block", "txstate")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Equal(t, map[string]int{"NumPdcs": 4, "Depth": 8}, f.configs[0].Params)
	require.NoError(t, os.WriteFile(file, []byte(`{"goldwire_case": 1, "items": [{}]}`), 0o644))
	requireBroken(t, call(t, newFake(), "cosim", "--replay", file), "it names no block")
}

// A mistake in a user-defined schema gives one line with file and place.
func TestOwnSchemaMistakes(t *testing.T) {
	text, err := os.ReadFile(ownExamples + "old_new/schema.yaml")
	require.NoError(t, err)
	dut, err := os.ReadFile(ownExamples + "old_new/old.yaml")
	require.NoError(t, err)
	for add, want := range map[string]string{
		"      constraints: [gain <]\n":             "41:27: constraint \"gain <\": an operand is missing",
		"      constraints: [gain < speed]\n":       `"speed" is not a field of stream ev`,
		"      constraint: [gain < 3]\n":            `unknown key "constraint" of a stream of the stimulus`,
		"      constraints: [gain > 500]\n":         `constraint "gain > 500": no event satisfies it`,
		"      constraints: [gain > 9, gain < 5]\n": `constraint "gain < 5": no event satisfies them together`,
		"        - {name: gian, range: [0, 3]}":     `"gian" is not a field of the stream`,
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "schema.yaml"), []byte(string(text)+add), 0o644))
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

// A vector file of a user-defined block carries its schema: every command reads it, and the exported bench runs in
// Icarus once its wrapper names the design.
func TestOwnVectors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ewma.gwv")
	o := call(t, newFake(), "vectors", "gen", "--dut", ownExamples+"old_new/old.yaml", "--events", "2000", "--seed", "5",
		"-o", file)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "2000 transactions")
	o = call(t, newFake(), "vectors", "info", file)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout,
		"goldwire vectors gen --dut old.yaml --source random --seed 5 --events 2000 --per transaction\n")
	o = call(t, newFake(), "vectors", "show", file)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "rsp.y")
	requireBroken(t, call(t, newFake(), "vectors", "diff", file, file), "nothing would be compared; give two")
	o = call(t, newFake(), "vectors", "verify", file)
	requireBroken(t, o, "block ewma is user-defined and has no model here", "cosim --dut FILE --expect "+file)

	bench := filepath.Join(dir, "bench")
	o = call(t, newFake(), "vectors", "export", "--to", "sv", file, "-o", bench)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not on PATH: the bench was not run")
	}
	wrapper := filepath.Join(bench, "ewma_vec_dut.sv")
	text, err := os.ReadFile(wrapper)
	require.NoError(t, err)
	for module, want := range map[string]string{"ewma_old": "PASS", "ewma_new": "FAIL", "ewma_new_fixed": "PASS"} {
		require.NoError(t, os.WriteFile(wrapper, bytes.Replace(text, []byte("ewma_top"), []byte(module), 2), 0o644))
		rtl, err := filepath.Abs(ownExamples + "old_new/" + module + ".sv")
		require.NoError(t, err)
		c := exec.Command("iverilog", "-g2012", "-s", "ewma_vec_tb", "-o", "bench.vvp", rtl, "ewma_vec_pkg.sv",
			"ewma_vec_dut.sv", "ewma_vec_tb.sv")
		c.Dir = bench
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", module, out)
		c = exec.Command("vvp", "-N", "bench.vvp")
		c.Dir = bench
		out, _ = c.CombinedOutput()
		require.Contains(t, string(out), want, module)
	}
}

// Who answers for a user-defined block is checked before anything is built.
func TestOwnVectorsFlags(t *testing.T) {
	const dut, schema = ownExamples + "old_new/old.yaml", ownExamples + "old_new/schema.yaml"
	for _, c := range []struct {
		want string
		args []string
	}{
		{"the block has no model here", []string{"--schema", schema}},
		{"already names the block", []string{"--schema", schema, "--golden", "unix:/x", "--dut", dut}},
		{"leave --block out", []string{"--dut", dut, "--block", "ccc"}},
		{`unknown source "directed"`, []string{"--dut", dut, "--source", "directed"}},
		{"latency: elastic", []string{"--dut", dut, "--per", "cycle"}},
		{`--per "beat"`, []string{"--dut", dut, "--per", "beat"}},
		{"golden program at unix:/nowhere", []string{"--schema", schema, "--golden", "unix:/nowhere"}},
		{"--golden: it is empty", []string{"--golden", ""}},
	} {
		out := filepath.Join(t.TempDir(), "x.gwv")
		requireBroken(t, call(t, newFake(), append([]string{"vectors", "gen", "-o", out}, c.args...)...), c.want)
		require.NoFileExists(t, out)
	}
}

// Wrong or incomplete files are reported as such, and nothing is left behind.
func TestOwnFilesRefused(t *testing.T) {
	dir := t.TempDir()
	const dut, schema = ownExamples + "old_new/old.yaml", ownExamples + "old_new/schema.yaml"
	empty := filepath.Join(dir, "empty.yaml")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	requireBroken(t, call(t, newFake(), "schema", "show", empty), "empty.yaml: schema: the file is empty")
	requireBroken(t, call(t, newFake(), "cosim", "--dut", schema, "--against", dut), schema+": this is a block's schema",
		"goldwire dut init TOP.sv --schema")
	requireBroken(t, call(t, newFake(), "dut", "init", "x.sv", "--schema", schema, "--block", "ccc"), "keep one")
	requireBroken(t, call(t, newFake(), "cosim", "--dut", dut, "--against", dut, "--self", "--param", "N=1"),
		"block ewma has no parameters")

	file := filepath.Join(dir, "f.gwv")
	o := call(t, newFake(), "vectors", "gen", "--dut", dut, "--events", "300", "-o", file)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	cut := filepath.Join(dir, "cut.gwv")
	requireBroken(t, call(t, newFake(), "vectors", "cut", "--to", "300", file, "-o", cut), "--to 300: ",
		"has 300 records, 0 to 299")
	require.NoFileExists(t, cut)
	o = call(t, newFake(), "vectors", "cut", "--to", "299", file, "-o", cut)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text[len(text)-200] ^= 1
	require.NoError(t, os.WriteFile(file, text, 0o644))
	bench := filepath.Join(dir, "bench")
	requireBroken(t, call(t, newFake(), "vectors", "export", "--to", "sv", file, "-o", bench), file)
	require.NoDirExists(t, bench)
}

// Each problem of a dut.yaml is printed on its own line, by cosim as by dut check.
func TestProblemsLineByLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dut.yaml")
	require.NoError(t, os.WriteFile(file, []byte("block: ccc\ntop: x\nsources: [gone.sv]\nlatency: soon\n"), 0o644))
	o := call(t, newFake(), "cosim", "--dut", file)
	require.Equal(t, cli.ExitBroken, o.code)
	lines := strings.Split(strings.TrimSpace(o.stderr), "\n")
	require.Greater(t, len(lines), 3)
	for _, l := range lines {
		require.Regexp(t, `^goldwire: .*dut\.yaml:(\d+:)? `, l)
		require.NotContains(t, l, "; "+file)
	}
}
