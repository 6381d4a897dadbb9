package ci

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/launchtest"
)

// lookedAt looks at every file that other processes may read, once. go test reuses a cached result unless a file that
// the test itself has looked at has changed.
var lookedAt = sync.OnceValue(func() error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" || path == filepath.Join("..", "build") {
			return fs.SkipDir
		}
		_, err = os.Stat(path)
		return err
	})
})

// lookAtTree is called in the tests that start other processes.
func lookAtTree(t *testing.T) {
	t.Helper()
	require.NoError(t, lookedAt())
}

// tool runs a command at the root of the tree and returns what it printed.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	lookAtTree(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute) // of a busy machine
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), out)
	return string(out)
}

// built runs make build once, and returns what it printed. An older build/goldwire may be there if it fails.
var built = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("make", "build")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	return string(out), err
})

// build makes build/goldwire, which the commands of the READMEs run, for a test.
func build(t *testing.T) {
	t.Helper()
	lookAtTree(t)
	out, err := built()
	require.NoError(t, err, out)
}

// benchSources returns the files of a bench and the options that locate its modules in the folder rtl. It includes the
// types and constants of every block, because a block may contain others.
func benchSources(t *testing.T, top, rtl string) (out []string) {
	t.Helper()
	for _, kind := range []string{"types", "pkg"} {
		paths, err := filepath.Glob("../hdl/gen/*_" + kind + ".sv")
		require.NoError(t, err)
		for _, path := range paths {
			out = append(out, strings.TrimPrefix(path, "../"))
		}
	}
	read, err := launch.ReadRTL(rtl)
	require.NoError(t, err)
	for _, folder := range read.Folders {
		out = append(out, "-y", strings.TrimPrefix(filepath.Join(rtl, folder), "../"))
	}
	return append(out, "hdl/tb/bench_pkg.sv", "hdl/tb/"+top+".sv", "-y", "hdl/tb")
}

// Every bench of hdl/tb passes in both simulators: Icarus shows real X where Verilator shows 0, and the assertions run
// in Verilator.
func TestBenches(t *testing.T) {
	benches, err := filepath.Glob("../hdl/tb/tb_*.sv")
	require.NoError(t, err)
	require.NotEmpty(t, benches)
	for _, path := range benches {
		top := strings.TrimSuffix(filepath.Base(path), ".sv")
		block := strings.TrimPrefix(top, "tb_")
		sources := benchSources(t, top, "../hdl/rtl")
		t.Run(block+"/icarus", func(t *testing.T) {
			t.Parallel()
			vvp := filepath.Join(t.TempDir(), top+".vvp")
			tool(t, "iverilog", append([]string{"-g2012", "-s", top, "-o", vvp, "-Y", ".sv"}, sources...)...)
			require.Contains(t, tool(t, "vvp", "-N", vvp), "PASS")
		})
		t.Run(block+"/verilator", func(t *testing.T) {
			if block == "ccc" || block == "switchport" { // each takes longer than all others
				launchtest.Long(t, "the bench in Icarus, and here those of the parts: ccc_credit, egress, trimmer, intmd")
			}
			t.Parallel()
			dir := t.TempDir()
			args := append(launchtest.Verilate(), "--assert", "+define+GW_ASSERT", "-Wno-lint", "--Mdir", dir,
				"--top-module", top)
			tool(t, "verilator", append(args, sources...)...)
			require.Contains(t, tool(t, filepath.Join(dir, "V"+top)), "PASS")
		})
	}
}

// The checks of a bench, of values and of the ports in every cycle, fail on broken RTL.
func TestBenchesSeeBrokenRTL(t *testing.T) {
	for _, c := range []struct{ file, find, put, want string }{
		{"gw_ip_rewrite.sv", "+ {3'b0, class_word} +", "+ {3'b0, class_word} + 19'd1 +",
			"checksum: got 18213, want 18214"},
		{"gw_rsp_fifo.sv", "data_o  = mem_q[rptr_q]", "data_o  = mem_q[rptr_q] ^ {{(Width-PtrW){1'b0}}, wptr_q}",
			"changed before it was taken (cycle 128)"},
		{"gw_rsp_fifo.sv", "valid_o = rst_ni & held", "valid_o = ~rst_ni | held",
			"tb_trimmer.tx_out.falls: valid in reset"},
		{"gw_in_fifo.sv", "= rst_ni & enable_i & ~two_q", "= ~rst_ni | (enable_i & ~two_q)",
			"tb_trimmer.rx_in.falls: ready in reset"},
		{"gw_in_fifo.sv", "= rst_ni & enable_i & ~two_q", "= 1'b0", "timeout in cycle"},
		{"gw_in_fifo.sv", "two_q <= 1'b0", "two_q <= two_q", "ready is unknown"},
		{"gw_counters.sv", "count_q[k] <= '0", "count_q[k] <= count_q[k]", "unknown bits"},
		{"gw_counters.sv", "count_q[k] <= '0", "count_q[k] <= count_q[k]", "frames: got X, want 6"},
	} {
		t.Run(c.file+" "+c.want, func(t *testing.T) {
			dir := launchtest.RTL(t, "..", c.file, c.find, c.put)
			vvp := filepath.Join(dir, "tb.vvp")
			tool(t, "iverilog", append([]string{"-g2012", "-s", "tb_trimmer", "-o", vvp, "-Y", ".sv"},
				benchSources(t, "tb_trimmer", dir)...)...)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, "vvp", "-N", vvp).CombinedOutput()
			require.Error(t, err, "%s", out)
			require.NoError(t, ctx.Err(), "it does not end")
			require.NotContains(t, string(out), "PASS")
			require.Contains(t, string(out), c.want)
		})
	}
}

// Icarus compiles every block's top.
func TestIcarusReadsEveryBlock(t *testing.T) { tool(t, "make", "icarus") }

// Yosys reads every block's top and finds memories.
func TestYosysReadsEveryBlock(t *testing.T) {
	launchtest.Long(t, "make synth-txstate, in TestMakeSeesEveryFolder")
	out := tool(t, "make", "synth")
	schemas, err := filepath.Glob("../vectors/event/*/schema.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, schemas)
	for _, f := range schemas {
		require.Regexp(t, `(?m)^`+filepath.Base(filepath.Dir(f))+`: [1-9]\d* cells, [1-9]\d* memories of [1-9]\d* bits`, out)
	}
}
