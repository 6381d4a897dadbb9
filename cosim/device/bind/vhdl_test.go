package bind

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

const inVHDL = "../../../hdl/examples/vhdl"

// What a design in VHDL cannot have or does not compile: each with its place, its cause and what to do.
func TestVHDLMistakes(t *testing.T) {
	ctx := simulator(t)
	_, absent := exec.LookPath("ghdl")
	here, err := os.Getwd()
	require.NoError(t, err)
	binding, err := os.ReadFile(filepath.Join(inVHDL, "dut.yaml"))
	require.NoError(t, err)
	design, err := os.ReadFile(filepath.Join(inVHDL, "ewma.vhd"))
	require.NoError(t, err)
	check := func(pairs ...string) error {
		dir := t.TempDir()
		edit := func(text []byte) []byte {
			out := strings.ReplaceAll(string(text), "../old_new", absolute(here, inVHDL+"/../old_new"))
			return []byte(strings.NewReplacer(pairs...).Replace(out))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ewma.vhd"), edit(design), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b.v"), nil, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dut.yaml"), edit(binding), 0o644))
		_, _, err := CheckFile(ctx, filepath.Join(dir, "dut.yaml"), lookup)
		return err
	}
	require.ErrorContains(t, check("[ewma.vhd]", "[ewma.vhd, b.v]"), "dut.yaml:4: b.v: a design is in VHDL or in Verilog")
	require.ErrorContains(t, check("clock: clk", "defines: [A]\nclock: clk"), "defines: VHDL has none; give generics")
	require.ErrorContains(t, check("clock: clk", "include: [.]\nclock: clk"), "include: VHDL has none; list all files")
	if absent != nil {
		require.ErrorContains(t, check(), "dut.yaml:4: sources are in VHDL, and GHDL, which reads it, is not installed; "+
			"run: apt-get install ghdl")
		t.Skip("ghdl is not on PATH: no VHDL was read")
	}
	require.NoError(t, check())
	require.NoError(t, check("top: ewma", "top: EWMA"))
	for _, c := range [][3]string{
		{"end process;", "end proces;", "ewma.vhd:"},
		{"top: ewma", "top: ewmas", "dut.yaml:3: entity ewmas is in none of the sources"},
		{"{BUG: 0}", "{BUX: 0}", "dut.yaml:5: entity ewma has no generic bux"},
		{"ev.gain: in_gain", "ev.gain: In_Gain", "dut.yaml:14: ev.gain: module ewma has no port In_Gain; did you mean " +
			"in_gain?"},
		{"rst       : in", "rst, scan : in", "/ewma.vhd, 1 bit) is driven by nothing"},
	} {
		err := check(c[0], c[1])
		require.ErrorContains(t, err, c[2], c[1])
	}
}

// The build gets GHDL's Verilog and the adapter, without parameters. dut init reads VHDL, too.
func TestVHDLBinds(t *testing.T) {
	ctx := simulator(t)
	if _, err := exec.LookPath("ghdl"); err != nil {
		t.Skip("ghdl is not on PATH")
	}
	b, _, err := CheckFile(ctx, filepath.Join(inVHDL, "dut.yaml"), lookup)
	require.NoError(t, err)
	f, err := b.Foreign(ctx)
	require.NoError(t, err)
	require.NotContains(t, strings.Join(f.Args, " "), ".vhd")
	require.Equal(t, []string{absolute(b.dir(), "ewma.vhd")}, f.Files)
	require.Contains(t, f.Adapter, "  ewma u_dut (")
	require.Contains(t, f.Adapter, "\nmodule ewma\n")
	block, err := event.Load(filepath.Join(inVHDL, "../old_new/schema.yaml"))
	require.NoError(t, err)
	text, err := Init(ctx, InitSpec{File: filepath.Join(inVHDL, "ewma.vhd"), Blocks: []*event.Block{block}})
	require.NoError(t, err)
	require.Contains(t, string(text), "  ev.gain: in_gain\n")
	require.Contains(t, string(text), "reset: {port: rst, active: high, kind: sync}")
	require.NotContains(t, string(text), "include")
}
