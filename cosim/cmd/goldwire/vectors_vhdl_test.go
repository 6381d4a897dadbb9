package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export/exporttest"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// exportVHDL generates vectors of a block and exports their VHDL bench.
func exportVHDL(t *testing.T, name, per, source, events string) *exporttest.VHDL {
	t.Helper()
	exporttest.Need(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "v.gwv")
	args := []string{"vectors", "gen", "--block", name, "--per", per, "--source", source, "--seed", "3",
		"--events", events, "-o", file}
	for _, p := range benches[name].params {
		args = append(args, "--param", p)
	}
	must(t, args...)
	must(t, "vectors", "export", "--to", "vhdl", file, "-o", dir)
	return exporttest.New(t, dir, name)
}

// pers returns the kinds of record that a block has.
func pers(t *testing.T, name string) []string {
	t.Helper()
	k, err := block.Lookup(name)
	require.NoError(t, err)
	if len(k.Schema.StreamsOf(event.In)) == 1 {
		return []string{gwv.PerCycle, gwv.PerTransaction}
	}
	return []string{gwv.PerCycle}
}

// The VHDL bench of every block passes on a design that answers as recorded. It fails, and names every field and
// control, when one bit of each differs; that it compares each for itself is tested in vectors/export.
func TestVHDLBenches(t *testing.T) {
	exporttest.Need(t)
	for _, name := range block.Blocks() {
		for _, per := range pers(t, name) {
			t.Run(name+"/"+per, func(t *testing.T) {
				if name != "txstate" && name != "trimmer" {
					launchtest.Long(t, "a block of events and one of packets")
				}
				b := exportVHDL(t, name, per, "random", "150")
				b.Compile()
				b.Passes()
				groups := map[string][]exporttest.Field{} // the controls, and the fields of each stream
				for _, f := range b.Out {
					if f.Valid != "" || per == gwv.PerCycle {
						groups[f.Valid] = append(groups[f.Valid], f)
					}
				}
				for valid, fields := range groups {
					out := b.Lines("out.hex")
					at := slices.IndexFunc(out, func(l string) bool {
						return valid == "" || exporttest.Bit(l, exporttest.Of(b.Out, valid).LSB)
					})
					require.GreaterOrEqual(t, at, 0, "%s is low in all records", valid)
					for _, f := range fields {
						out[at] = exporttest.Flip(out[at], f.LSB+f.Width-1)
					}
					b.Put("broken.hex", out)
					said := b.Fails("", "-gOUT_FILE=broken.hex")
					for _, f := range fields {
						require.Contains(t, said, "  "+f.Name+": want ")
					}
				}
			})
		}
	}
}

// The VHDL benches of txstate pass on a design in VHDL, which knows the contract alone, and fail on faults in it. Those
// of its timing are none for the bench of transactions.
func TestVHDLDesign(t *testing.T) {
	exporttest.Need(t)
	design, err := filepath.Abs("../../../hdl/examples/vhdl_bench/txstate_top.vhd")
	require.NoError(t, err)
	for _, per := range pers(t, "txstate") {
		b := exportVHDL(t, "txstate", per, "random", "1000")
		b.Compile(design)
		b.Passes()
		if launchtest.Longer() { // make soak sets it: minutes for all directed cases
			long := exportVHDL(t, "txstate", per, "directed", "3000")
			long.Compile(design)
			long.Passes()
		}
		b = exportVHDL(t, "txstate", per, "random", "1000")
		for i, fault := range []struct {
			old, new string
			timing   bool
		}{
			{"x.psn = e.psn", "x.psn(3 downto 0) = e.psn(3 downto 0)", false},
			{"raw /= 0 and raw(47 downto 31) = 0", "raw(47 downto 31) = 0", false},
			{"e.service_time /= 16#FFFF#", "true", false},
			{"e.kind = ACK then\n                    table", "true then\n                    table", false},
			{`"10" when x.rtx_count >= 1 else "01"`, `"10" when x.rtx_count >= 2 else "01"`, false},
			{"constant STALL : positive := 4", "constant STALL : positive := 3", true},
			{"constant LATENCY : positive := 4", "constant LATENCY : positive := 5", true},
			{"swept = NumPdcs * Depth and", "swept >= NumPdcs * Depth - 1 and", true},
			{"r.no_pdc := '1'", "r.no_pdc := '0'", false},
			{"r.found := '1' when hit else '0'", "r.found := 'X' when hit else '0'", false},
		} {
			if !fault.timing && (per == gwv.PerTransaction) != (i%2 == 0) && !launchtest.Longer() {
				continue
			}
			b.Plant(design, fault.old, fault.new)
			if fault.timing && per == gwv.PerTransaction {
				b.Passes()
			} else {
				b.Fails(": want ")
			}
		}
	}
}
