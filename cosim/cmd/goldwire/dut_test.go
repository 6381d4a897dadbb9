package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// dutFake is a fake whose txstate is the real block: a dut.yaml maps all its ports.
func dutFake(t *testing.T) *fakeSchema {
	t.Helper()
	if _, err := launch.FindVerilator(t.Context()); err != nil {
		t.Skipf("no Verilator: %v", err)
	}
	return &fakeSchema{newFake()}
}

type fakeSchema struct{ *fake }

func (f *fakeSchema) call(t *testing.T, args ...string) outcome {
	t.Helper()
	var out, errs strings.Builder
	b := f.backend()
	b.Schema = func(string) *event.Block { return txstate.Schema() }
	code := execute(t.Context(), &cli.App{Backend: b, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Program: "goldwire"}, args)
	return outcome{code, out.String(), errs.String()}
}

func TestDutCheck(t *testing.T) {
	f := dutFake(t)
	const broken = "../../device/bind/testdata/broken/"
	o := f.call(t, "dut", "check", broken+"mute.yaml")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout,
		"module mute is bound to the block txstate: 6 ports, 25 of the block's 26 mapped, latency elastic\n")
	require.NotContains(t, o.stdout, "not compared")

	text, err := os.ReadFile(broken + "mute.yaml")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(broken)))
	less := strings.NewReplacer(`rsp.tx_time: "out_data[86:39]"`, "rsp.tx_time: none",
		`rsp.kind: "out_data[138:136]"`, "rsp.kind: none").Replace(string(text))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "less.yaml"), []byte(less), 0o644))
	o = f.call(t, "dut", "check", filepath.Join(dir, "less.yaml"))
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "23 of the block's 26 mapped")
	require.Contains(t, o.stdout, "\nnot compared (the map has none): rsp.kind, rsp.tx_time\n",
		"a pass says nothing of these")

	// Connections that test nothing of the design are listed, and a map with nothing else is not bound.
	less = strings.NewReplacer(`rsp.found: "out_data[87]"`, "rsp.found: 1",
		"latency: elastic", "latency: elastic\nrelax: [valid_drops]").Replace(string(text))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "less.yaml"), []byte(less), 0o644))
	o = f.call(t, "dut", "check", filepath.Join(dir, "less.yaml"))
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "\nconstants in the map, which test nothing of the design: rsp.found\n")
	require.Contains(t, o.stdout, "\nrelaxed handshake rules: rsp.valid_drops\n")
	none := regexp.MustCompile(`(?m)^  (rsp\.\w+):.*$`).ReplaceAllString(string(text), "  $1: none")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "none.yaml"), []byte(none), 0o644))
	o = f.call(t, "dut", "check", filepath.Join(dir, "none.yaml"))
	requireBroken(t, o, "none.yaml: not bound; problems listed: 1")
	require.Contains(t, o.stdout, "none.yaml:7: no field that the design puts out would be compared")
	require.NotContains(t, o.stdout, "is bound")
	requireBroken(t, f.call(t, "cosim", "--dut", filepath.Join(dir, "none.yaml")),
		"no field that the design puts out would be compared")

	o = f.call(t, "dut", "check", broken+"ports.yaml")
	requireBroken(t, o, "ports.yaml: not bound; problems listed: 11")
	require.Equal(t, 11, strings.Count(o.stdout, "\n"), o.stdout)
	require.Contains(t, o.stdout, "ports.yaml:12: ev.psn: module mute has no port in_dta; did you mean in_data?\n")

	o = f.call(t, "dut", "check", broken+"syntax.yaml")
	requireBroken(t, o, "not bound")
	require.Contains(t, o.stdout, "syntax.sv:7: syntax error")
}

func TestDutInit(t *testing.T) {
	f := dutFake(t)
	out := filepath.Join(t.TempDir(), "dut.yaml")
	o := f.call(t, "dut", "init", "../../device/bind/testdata/broken/mute.sv", "--block", "txstate", "-o", out)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "next: goldwire dut check "+out)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(text), "ev_valid: in_valid\n")
	require.Contains(t, string(text), "out_data (139 bits)")
	_, err = bind.Load(out, func(string) (*event.Block, error) { return txstate.Schema(), nil })
	require.ErrorContains(t, err, "ev.psn (32 bits) is not mapped")
	requireBroken(t, f.call(t, "dut", "init", "../../device/bind/testdata/broken/syntax.sv"), "syntax.sv:7: syntax error")

	odd := filepath.Join(t.TempDir(), "odd.sv")
	module := "module odd (input logic [3:0] a [2], output logic y);\n  assign y = a[0][0];\nendmodule\n"
	require.NoError(t, os.WriteFile(odd, []byte(module), 0o644))
	o = f.call(t, "dut", "init", odd)
	require.Equal(t, cli.ExitBroken, o.code)
	require.Contains(t, o.stderr, "port a ("+odd)
	require.Contains(t, o.stdout, "module odd_wrap (\n  input  logic [7:0] a,\n", "the wrapper to copy")
}

// The design of --dut reaches the run, with its block and the transport that suits it.
func TestCosimDut(t *testing.T) {
	f := dutFake(t)
	o := f.call(t, "cosim", "--dut", "../../device/bind/testdata/broken/mute.yaml", "--source", "random")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Len(t, f.configs, 1)
	require.Equal(t, "txstate", f.configs[0].Block)
	require.Equal(t, "mute", f.configs[0].Bind.Top)
	require.Empty(t, f.configs[0].Transport)
	o = f.call(t, "cosim", "--dut", "../../device/bind/testdata/broken/mute.yaml", "--block", "ccc")
	requireBroken(t, o, "binds a design to the block txstate", "leave --block out")
}

// Both check and a run print Verilator's warnings without failing for them. A flag in the dut.yaml silences a warning.
func TestDutWarnings(t *testing.T) {
	f := dutFake(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../device/bind/testdata/broken")))
	text, err := os.ReadFile(filepath.Join(dir, "mute.sv"))
	require.NoError(t, err)
	wide := strings.Replace(string(text), "endmodule", "  logic [3:0] narrow;\n  assign narrow = in_data;\nendmodule", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mute.sv"), []byte(wide), 0o644))
	o := f.call(t, "dut", "check", filepath.Join(dir, "mute.yaml"))
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Regexp(t, `(?m)^warning: \S*mute\.sv:\d+: Operator ASSIGNW expects 4 bits .* \[WIDTH\w*\]$`, o.stdout)
	o = f.call(t, "cosim", "--dut", filepath.Join(dir, "mute.yaml"), "--source", "random")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Regexp(t, `warning: \S*mute\.sv:\d+: Operator ASSIGNW`, o.stderr)
	yaml, err := os.ReadFile(filepath.Join(dir, "mute.yaml"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mute.yaml"), append(yaml, "verilator: [-Wno-WIDTH]\n"...), 0o644))
	o = f.call(t, "dut", "check", filepath.Join(dir, "mute.yaml"))
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.NotContains(t, o.stdout, "warning")
}
