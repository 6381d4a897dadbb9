package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	gwv "github.com/goldwire/goldwire/vectors/format"
)

// planted is a fault that a number on the simulator's command line switches on: in file, find stands once
// and is an expression, of which wrong takes the place.
type planted struct{ file, find, wrong string }

// seeded faults of each block, ten each: limits, signs, widths, missing terms, wrong constants.
var seeded = map[string][]planted{
	"txstate": {
		{"txstate.sv", "old_valid & (old_psn == ev_s2_q.psn)", "old_valid"},
		{"txstate.sv", "({7'b0, ev_s2_q.service_time} << shift_q)", "({7'b0, ev_s2_q.service_time} << 3'd7)"},
		{"txstate.sv", "(ev_s2_q.service_time != 16'hffff)", "1'b1"},
		{"txstate.sv", "(raw[47:31] == 17'b0)", "(raw[47:32] == 16'b0)"},
		{"txstate.sv", "(raw[30:0] != 31'b0)", "1'b1"},
		{"txstate.sv", "(old_rtx == 2'd0) ? 2'd1 : 2'd2", "2'd1"},
		{"txstate.sv", "(ev_s2_q.load_rtx_count == 2'd3) ? 2'd2 : ev_s2_q.load_rtx_count", "ev_s2_q.load_rtx_count"},
		{"txstate.sv", "~hit & old_valid", "old_valid"},
		{"txstate.sv", "({1'b0, ev_s1_q.pdc} < PdcLimit)", "({1'b0, ev_s1_q.pdc} <= PdcLimit)"},
		{"txstate.sv", "is_ack & hit", "hit"},
	},
	"ccc": {
		{"ccc_dispatch.sv", "({1'b0, ctx_s1_i} < Limit)", "({1'b0, ctx_s1_i} <= Limit)"},
		{"ccc_dispatch.sv", "(kind_s1_i <= ccc_pkg::KIND_CFG_READ)", "(kind_s1_i <= 4'd11)"},
		{"ccc_rtt.sv", "(raw_s2_q[47:31] == 17'b0)", "(raw_s2_q[47:32] == 16'b0)"},
		{"ccc_rtt.sv", "((rtx_count_s1_i == 2'd1) & retx_s1_i)", "(rtx_count_s1_i == 2'd1)"},
		{"ccc_rtt.sv", "(capped_s4 > floor_wnd) ? capped_s4 : floor_wnd", "capped_s4"},
		{"gw_updown.sv", "(step_i > x_i)", "(step_i >= x_i)"},
		{"gw_updown.sv", "up[Width] ? '1 : up[Width-1:0]", "up[Width-1:0]"},
		{"ccc_counts.sv", "(send_s3_i & ~is_rtx_s3_i)", "(send_s3_i)"},
		{"ccc_ewma.sv", "(delay_s3_i > cfg_target_i)", "(delay_s3_i >= (cfg_target_i >> 1))"},
		{"ccc_control.sv", "{to_ignore_s2, ignored_bytes_s2}", "{ignored_bytes_s2, to_ignore_s2}"},
	},
}

// plant writes a copy of the RTL in which the macro SEEDED says which fault is in force, from 1; 0 for none.
func plant(t *testing.T, rtl, dir string, faults []planted) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(rtl, "*.sv"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		texts[filepath.Base(f)] = string(text)
	}
	for i, f := range faults {
		require.Equal(t, 1, strings.Count(texts[f.file], f.find), "%s: the RTL has changed; bring this fault up to date: %s", f.file, f.find)
		texts[f.file] = strings.Replace(texts[f.file], f.find, fmt.Sprintf("((`SEEDED == %d) ? (%s) : (%s))", i+1, f.wrong, f.find), 1)
	}
	for name, text := range texts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "seeded_pkg.sv"), []byte(seededPkg), 0o644))
}

// seededPkg lets one Verilated build hold all faults. Icarus 11 assigns no variable of a package, so there
// each fault has its own compilation, which is fast.
const seededPkg = `package seeded_pkg;
  int fault = 0;
endpackage
module seeded_pick;
  initial if (!$value$plusargs("seeded=%d", seeded_pkg::fault)) seeded_pkg::fault = 0;
endmodule
`

// Benches exported for both blocks, per cycle and per transaction, pass on our RTL in Icarus and Verilator
// and fail, naming a field, on each of ten faults.
func TestExportedBenches(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles each block four times")
	}
	for _, tool := range []string{"iverilog", "verilator"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed; make tools installs it", tool)
		}
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	for block, faults := range seeded {
		require.Len(t, faults, 10)
		rtl := t.TempDir()
		plant(t, filepath.Join(root, "hdl", "rtl"), rtl, faults)
		for _, per := range []string{gwv.PerCycle, gwv.PerTransaction} {
			for _, tool := range []string{"iverilog", "verilator"} {
				t.Run(block+"/"+per+"/"+tool, func(t *testing.T) {
					run := benchOf(t, root, rtl, block, per, tool)
					out, err := run(0)
					require.NoError(t, err, out)
					require.Contains(t, out, "PASS "+block+"_vec_tb: ")
					require.NotContains(t, out, "FAIL")
					if per == gwv.PerTransaction && tool == "verilator" {
						out, err = run(0, "+idle=30", "+stall=50")
						require.NoError(t, err, out)
						require.Contains(t, out, "PASS "+block+"_vec_tb: ")
					}
					for i, f := range faults {
						// Icarus takes seconds for each; without GOLDWIRE_LONG (make soak) it gets a fifth of them.
						if tool == "iverilog" && os.Getenv("GOLDWIRE_LONG") == "" && i%5 != len(per)%5 {
							continue
						}
						out, err := run(i + 1)
						require.Error(t, err, "fault %d passes: %s: %s -> %s\n%s", i+1, f.file, f.find, f.wrong, out)
						require.Contains(t, out, "FAIL "+block+"_vec_tb: ")
						require.Contains(t, out, "  rsp.", "the field is named")
						require.NotContains(t, out, "PASS")
					}
				})
			}
		}
	}
}

// benchOf generates vectors, exports their bench, compiles it, and returns a function that runs it with a
// fault in force.
func benchOf(t *testing.T, root, rtl, block, per, tool string) func(fault int, args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "f.gwv")
	if block == "ccc" {
		must(t, "vectors", "gen", "--block", block, "--per", per, "--param", "NumContexts=8", "--seed", "3", "--events", "6000", "-o", file)
	} else {
		var parts []string
		for _, source := range []string{"directed", "random"} {
			part := filepath.Join(dir, source)
			must(t, "vectors", "gen", "--block", block, "--per", per, "--param", "NumPdcs=4", "--param", "Depth=8", "--source", source, "--events", "4000", "-o", part)
			parts = append(parts, part)
		}
		must(t, append([]string{"vectors", "merge", "-o", file}, parts...)...)
	}
	must(t, "vectors", "export", "--to", "sv", file, "-o", dir)
	hdl := filepath.Join(root, "hdl", "gen", block)
	tb := block + "_vec_tb"
	sources := []string{"-y", rtl, hdl + "_types.sv", hdl + "_pkg.sv", hdl + "_top.sv", block + "_vec_pkg.sv", block + "_vec_dut.sv", tb + ".sv"}
	command := func(name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if tool == "iverilog" {
		return func(fault int, args ...string) (string, error) {
			out, err := command(tool, append([]string{"-g2012", fmt.Sprintf("-DSEEDED=%d", fault), "-s", tb, "-o", "bench.vvp", "-Y", ".sv"}, sources...)...)
			require.NoError(t, err, out)
			return command("vvp", append([]string{"bench.vvp"}, args...)...)
		}
	}
	// Verilator takes one top, so the bench holds the module that reads the number.
	text, err := os.ReadFile(filepath.Join(dir, tb+".sv"))
	require.NoError(t, err)
	held := strings.Replace(string(text), "endmodule", "  seeded_pick u_pick ();\nendmodule", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, tb+".sv"), []byte(held), 0o644))
	out, err := command(tool, append([]string{"--binary", "--timing", "--top-module", tb, "-Wno-fatal", "-DSEEDED=seeded_pkg::fault", "--Mdir", "obj", "-o", "bench",
		filepath.Join(rtl, "seeded_pkg.sv")}, sources...)...)
	require.NoError(t, err, out)
	return func(fault int, args ...string) (string, error) {
		return command(filepath.Join(dir, "obj", "bench"), append([]string{fmt.Sprintf("+seeded=%d", fault)}, args...)...)
	}
}
