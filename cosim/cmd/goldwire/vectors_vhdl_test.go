package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/vectors/export/exporttest"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// exportVHDL generates vectors of a block, per cycle, and exports their VHDL bench.
func exportVHDL(t *testing.T, block, source, events string) *exporttest.VHDL {
	t.Helper()
	exporttest.Need(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "v.gwv")
	args := []string{"vectors", "gen", "--block", block, "--per", gwv.PerCycle, "--source", source, "--seed", "3",
		"--events", events, "-o", file}
	for _, p := range benches[block].params {
		args = append(args, "--param", p)
	}
	must(t, args...)
	must(t, "vectors", "export", "--to", "vhdl", file, "-o", dir)
	return exporttest.New(t, dir, block)
}

// The VHDL bench of every block passes on a design that answers as recorded, and fails, naming the field, when one bit
// of any field of the expected outputs differs.
func TestVHDLBenches(t *testing.T) {
	exporttest.Need(t)
	for block := range benches {
		t.Run(block, func(t *testing.T) {
			b := exportVHDL(t, block, "random", "150")
			b.Compile()
			b.Passes()
			out := b.Lines("out.hex")
			for i, f := range b.Out {
				if testing.Short() && i%4 != 0 {
					continue
				}
				at := slices.IndexFunc(out, func(l string) bool {
					return f.Valid == "" || exporttest.Bit(l, exporttest.Of(b.Out, f.Valid).LSB)
				})
				if at < 0 {
					continue // its stream carries nothing in these vectors
				}
				broken := slices.Clone(out)
				broken[at] = exporttest.Flip(out[at], f.LSB+f.Width-1)
				b.Put("broken.hex", broken)
				b.Fails("  "+f.Name+": want ", "-gOUT_FILE=broken.hex")
			}
		})
	}
}

// The VHDL bench of txstate passes on a design in VHDL, which knows the contract alone, and fails on faults in it.
func TestVHDLDesign(t *testing.T) {
	exporttest.Need(t)
	const design = "../../../hdl/examples/vhdl_bench/txstate_top.vhd"
	text, err := os.ReadFile(design)
	require.NoError(t, err)
	path, err := filepath.Abs(design)
	require.NoError(t, err)
	sources := []string{"random"}
	if launchtest.Longer() { // make soak sets it: minutes for all directed cases
		sources = append(sources, "directed")
	}
	for _, source := range sources {
		b := exportVHDL(t, "txstate", source, "3000")
		b.Compile(path)
		b.Passes()
	}
	b := exportVHDL(t, "txstate", "random", "3000")
	broken := filepath.Join(t.TempDir(), "txstate_top.vhd")
	for _, fault := range [][2]string{
		{"x.psn = e.psn", "x.psn(3 downto 0) = e.psn(3 downto 0)"},
		{"raw /= 0 and raw(47 downto 31) = 0", "raw(47 downto 31) = 0"},
		{"e.service_time /= 16#FFFF#", "true"},
		{"e.kind = ACK then\n                    table", "true then\n                    table"},
		{`"10" when x.rtx_count >= 1 else "01"`, `"10" when x.rtx_count >= 2 else "01"`},
		{"constant STALL : positive := 4", "constant STALL : positive := 3"},
		{"constant LATENCY : positive := 4", "constant LATENCY : positive := 5"},
		{"swept = NumPdcs * Depth and", "swept >= NumPdcs * Depth - 1 and"},
		{"r.no_pdc := '1'", "r.no_pdc := '0'"},
		{"r.found := '1' when hit else '0'", "r.found := 'X' when hit else '0'"},
	} {
		require.Equal(t, 1, strings.Count(string(text), fault[0]), fault[0])
		require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(text), fault[0], fault[1], 1)), 0o644))
		b.Compile(broken)
		out, err := b.Run()
		require.Error(t, err, "%s passes\n%s", fault[1], out)
		require.NotContains(t, out, "PASS", fault[1])
		require.Contains(t, out, ": want ", fault[1])
	}
}
