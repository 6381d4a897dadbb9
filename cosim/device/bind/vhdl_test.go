package bind

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

const inVHDL = "../../../hdl/examples/vhdl"

// What a design in VHDL cannot have or does not compile: each with its place, its cause and what to do.
func TestVHDLMistakes(t *testing.T) {
	ctx := simulator(t)
	_, absent := exec.LookPath("ghdl")
	binding, err := os.ReadFile(filepath.Join(inVHDL, "dut.yaml"))
	require.NoError(t, err)
	design, err := os.ReadFile(filepath.Join(inVHDL, "trim64.vhd"))
	require.NoError(t, err)
	check := func(pairs ...string) error {
		dir := t.TempDir()
		edit := func(text []byte) []byte { return []byte(strings.NewReplacer(pairs...).Replace(string(text))) }
		require.NoError(t, os.WriteFile(filepath.Join(dir, "trim64.vhd"), edit(design), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b.v"), nil, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dut.yaml"), edit(binding), 0o644))
		_, _, err := CheckFile(ctx, filepath.Join(dir, "dut.yaml"), packetBlocks)
		return err
	}
	require.ErrorContains(t, check("[trim64.vhd]", "[trim64.vhd, b.v]"),
		"dut.yaml:4: b.v: a design is in VHDL or in Verilog")
	require.ErrorContains(t, check("clock: clk", "defines: [A]\nclock: clk"), "defines: VHDL has none; give generics")
	require.ErrorContains(t, check("clock: clk", "include: [.]\nclock: clk"), "include: VHDL has none; list all files")
	if absent != nil {
		require.ErrorContains(t, check(), "dut.yaml:4: sources are in VHDL, and GHDL, which reads it, is not installed; "+
			"run: apt-get install ghdl")
		t.Skip("ghdl is not on PATH: no VHDL was read")
	}
	require.ErrorContains(t, check("top: trim64", "top: TRIM64", "rx.len: in_len", "rx.len: In_Len"),
		"dut.yaml:20: rx.len: module trim64 has no port In_Len; did you mean in_len?")
	for _, c := range [][3]string{
		{"end function;", "end functio;", "trim64.vhd:"},
		{"top: trim64", "top: trim65", "dut.yaml:3: entity trim65 is in none of the sources"},
		{"{BUG: 0}", "{BUX: 0}", "dut.yaml:5: entity trim64 has no generic bux"},
		{"rst       : in", "rst, scan : in", "/trim64.vhd, 1 bit) is driven by nothing"},
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
	b, _, err := CheckFile(ctx, filepath.Join(inVHDL, "dut.yaml"), packetBlocks)
	require.NoError(t, err)
	f, err := b.Foreign(ctx)
	require.NoError(t, err)
	require.NotContains(t, strings.Join(f.Args, " "), ".vhd")
	require.Equal(t, []string{absolute(b.dir(), "trim64.vhd")}, f.Files)
	require.Contains(t, f.Adapter, "  trim64 u_dut (")
	require.Contains(t, f.Adapter, "\nmodule trim64\n")
	require.NotContains(t, f.Adapter, `"0`, "a constant is not a string")
	text, err := Init(ctx, InitSpec{File: filepath.Join(inVHDL, "trim64.vhd"), Blocks: []*event.Block{trimmer.Schema()}})
	require.NoError(t, err)
	require.Contains(t, string(text), "  rx.last: in_last\n")
	require.Contains(t, string(text), "reset: {port: rst, active: high, kind: sync}")
	require.NotContains(t, string(text), "include")
}
