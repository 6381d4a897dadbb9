package ci

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/vectors/event"
)

// simulate compiles a bench with Icarus, which shows real X where Verilator shows 0, and returns its output.
func simulate(t *testing.T, top string, sources ...string) string {
	t.Helper()
	vvp := filepath.Join(t.TempDir(), top+".vvp")
	tool(t, "iverilog", append([]string{"-g2012", "-s", top, "-o", vvp, "-Y", ".sv"}, sources...)...)
	return tool(t, "vvp", "-N", vvp)
}

// The foreign engine of hdl/examples is lint clean, and its bench passes.
func TestForeignEngine(t *testing.T) {
	const dir = "hdl/examples/ccc_foreign"
	sources := []string{dir + "/acme_cc_types.sv", dir + "/acme_cc_pkg.sv", "-y", dir}
	tool(t, "verilator", append([]string{"--lint-only", "-Wall", "--top-module", "acme_cc_engine"},
		append(sources, dir+"/acme_cc_engine.sv")...)...)
	require.Contains(t, simulate(t, "tb_acme_cc", append(sources, "-I", dir+"/tb", dir+"/tb/tb_acme_cc.sv")...), "PASS")
}

// Under the flat ports of ccc the foreign engine answers stored transactions as the model does. It was written from the
// contract, without the model.
func TestForeignEngineReplaysVectors(t *testing.T) {
	launchtest.Long(t, "the exported benches of our RTL; the narrow engine, of the same sources, in cosim/engine/run")
	build(t)
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	engine := root + "/hdl/examples/ccc_foreign"
	tool(t, "build/goldwire", "vectors", "gen", "--source", "random", "--events", "2000", "--param", "NumContexts=16",
		"-o", dir+"/a.gwv")
	tool(t, "build/goldwire", "vectors", "export", "--to", "sv", dir+"/a.gwv", "-o", dir+"/sv")
	tool(t, "iverilog", "-g2012", "-s", "ccc_vec_tb", "-o", dir+"/sv/bench.vvp", "-y", engine, "-Y", ".sv",
		engine+"/acme_cc_types.sv", engine+"/acme_cc_pkg.sv", engine+"/flat/ccc_top.sv",
		dir+"/sv/ccc_vec_pkg.sv", dir+"/sv/ccc_vec_dut.sv", dir+"/sv/ccc_vec_tb.sv")
	require.Contains(t, tool(t, "vvp", "-N", dir+"/sv/bench.vvp", "+in="+dir+"/sv/in.hex", "+out="+dir+"/sv/out.hex"),
		"PASS ccc_vec_tb: 2000 transactions")
}

// With other word lengths the foreign engine is lint clean, passes with the tolerances of its dut.yaml and fails
// without them. Bit for bit, it answers like fixed point at the formats of its own table; the fixed-point code knows
// nothing of the RTL. The same holds with a shorter ratio.
func TestNarrowEngine(t *testing.T) {
	const dir, engine = "hdl/examples/ccc_narrow", "hdl/examples/ccc_foreign"
	tool(t, "verilator", "--lint-only", "-Wall", "--top-module", "acme_cc_narrow", engine+"/acme_cc_types.sv",
		engine+"/acme_cc_pkg.sv", "-y", engine, dir+"/acme_cc_narrow.sv")
	launchtest.Long(t, "the engine within its tolerances in cosim/engine/run")
	build(t)
	out, code := readmeCommands(t, dir, "build/goldwire cosim --dut "+dir+"/dut.yaml")
	require.Zero(t, code, out)
	require.Contains(t, out, "responses compared within tolerances, 0 mismatches")
	out, code = readmeCommands(t, dir, "build/goldwire vectors gen --dut")
	require.Zero(t, code, out)
	require.Contains(t, out, "build/narrow.gwv: 20000 transactions")
	require.Contains(t, out, "NO DIFFERENCE: 30 identical")

	root, err := filepath.Abs("..")
	require.NoError(t, err)
	temp := t.TempDir()
	copied := func(name string, pairs ...string) string {
		text, err := os.ReadFile("../" + dir + "/" + name)
		require.NoError(t, err)
		for i := 0; i < len(pairs); i += 2 {
			require.Contains(t, string(text), pairs[i])
		}
		to := filepath.Join(temp, name)
		require.NoError(t, os.WriteFile(to, []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o644))
		return to
	}
	differs := func(args ...string) string { // a command that ends with exit code 1
		cmd := exec.CommandContext(t.Context(), "build/goldwire", args...)
		cmd.Dir = ".."
		text, err := cmd.Output()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode())
		return string(text)
	}
	gen := func(source, events, dut string) string {
		file := filepath.Join(temp, strings.NewReplacer(":", "-", "/", "-").Replace(source)+".gwv")
		tool(t, "build/goldwire", "vectors", "gen", "--dut", dut, "--source", source, "--events", events, "-o", file)
		return file
	}
	same := func(file, table string) {
		require.Contains(t, tool(t, "build/goldwire", "diff", "compare", file, table), "NO DIFFERENCE: 30 identical")
	}
	exact := copied("dut.yaml", "..", root+"/hdl/examples", "acme_cc_narrow.sv", root+"/"+dir+"/acme_cc_narrow.sv")
	text, err := os.ReadFile(exact)
	require.NoError(t, err)
	rest, _, found := strings.Cut(string(text), "resync: state\n")
	require.True(t, found)
	require.NoError(t, os.WriteFile(exact, []byte(rest), 0o644))
	require.Regexp(t, `rsp_avg_delay +\d+ +\d+ +-\d`, differs("cosim", "--dut", exact, "--source", "random"))
	for _, source := range []string{"directed", "fabric:turnover"} {
		same(gen(source, "3k", dir+"/dut.yaml"), dir+"/formats.yaml")
	}
	shorter := gen("random", "10k", copied("dut.yaml", "..", root+"/hdl/examples", "acme_cc_narrow.sv",
		root+"/"+dir+"/acme_cc_narrow.sv", "PROFILES: NumProfiles", "PROFILES: NumProfiles, RATIO_FRAC: 12"))
	same(shorter, copied("formats.yaml", "{name: factor, format: UQ1.28,",
		"{name: ratio, format: UQ1.12}\n  - {name: factor, format: UQ1.24,"))
	require.Regexp(t, `(?m)^cwnd +output +beyond bound`, differs("diff", "compare", shorter, dir+"/formats.yaml"))
}

// Both versions of the old-and-new example are lint clean and differ only where the example's README says.
func TestOldAndNew(t *testing.T) {
	const dir = "hdl/examples/old_new"
	for _, top := range []string{"ewma_old", "ewma_new", "ewma_new_fixed"} {
		tool(t, "verilator", "--lint-only", "-Wall", "--top-module", top, dir+"/"+top+".sv")
	}
	block, err := event.Load("../" + dir + "/schema.yaml")
	require.NoError(t, err)
	require.Equal(t, "ewma", block.Name)
	require.Contains(t, simulate(t, "tb_ewma", "-y", dir, dir+"/tb/tb_ewma.sv"), "PASS: ewma_new differed in ")
}

// The public block is unmodified; with a handshake around it, it gives the answers of its golden program.
func TestPublicBlock(t *testing.T) {
	const dir = "hdl/examples/public"
	text, err := os.ReadFile("../" + dir + "/secret_impl.v")
	require.NoError(t, err)
	readme, err := os.ReadFile("../" + dir + "/README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), fmt.Sprintf("%x", sha256.Sum256(text)), "secret_impl.v is kept unmodified")
	block, err := event.Load("../" + dir + "/schema.yaml")
	require.NoError(t, err)
	require.Equal(t, "secret", block.Name)

	sources := []string{dir + "/secret_impl.v", dir + "/secret_stream.sv"}
	warned := tool(t, "verilator", append([]string{"--lint-only", "-Wall", "-Wno-fatal", "--top-module", "secret_stream"},
		sources...)...)
	require.NotContains(t, warned, "secret_stream.sv:", "what newer versions dislike in the public block stays")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	var transfers strings.Builder
	for line := range strings.Lines(simulate(t, "tb_secret", append(sources, dir+"/tb/tb_secret.sv")...)) {
		if len(strings.Fields(line)) == 3 && !strings.Contains(line, ":") {
			transfers.WriteString(line)
		}
	}
	cmd := exec.CommandContext(t.Context(), python, "golden.py")
	cmd.Dir = "../" + dir
	cmd.Stdin = strings.NewReader(transfers.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "2000 transfers equal\n", string(out))
}

// readmeCommands runs the indented commands in an example's README, from the line that starts with from to the end of
// the paragraph, and returns their output and exit code.
func readmeCommands(t *testing.T, dir, from string) (string, int) {
	t.Helper()
	text, err := os.ReadFile("../" + dir + "/README.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "    "+from)
	require.True(t, ok, from)
	script, _, _ := strings.Cut("    "+from+rest, "\n\n")
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", script)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	require.NoError(t, err, "%s", out)
	return string(out), 0
}

// The README of the VHDL example has commands that end in a PASS.
func TestVHDLCommands(t *testing.T) {
	if _, err := exec.LookPath("ghdl"); err != nil {
		t.Skip("ghdl is not installed: apt-get install ghdl")
	}
	build(t)
	out, code := readmeCommands(t, "hdl/examples/vhdl_bench", "rm -rf build/vhdl")
	require.Zero(t, code, out)
	require.Regexp(t, `PASS txstate_vec_tb: \d+ cycles; fields compared in cycles: rsp [1-9]`, out)
}

// The commands in the examples' READMEs have the results that the READMEs state.
func TestExampleCommands(t *testing.T) {
	launchtest.Long(t, "the README's commands; the same designs in cosim/engine/run")
	build(t)
	const oldNew = "hdl/examples/old_new"
	out, code := readmeCommands(t, oldNew, "build/goldwire cosim --dut "+oldNew+"/new.yaml")
	require.Equal(t, 1, code, out)
	require.Regexp(t, `rsp_y +\d+ +\d+ +-1`, out)
	require.Contains(t, out, "shrunk to 2 events that still fail:")
	require.Contains(t, out, "--dut "+oldNew+"/new.yaml --against "+oldNew+"/old.yaml --source random --seed 1")
	out, code = readmeCommands(t, oldNew, "build/goldwire cosim --dut "+oldNew+"/new_fixed.yaml")
	require.Zero(t, code, out)
	require.Contains(t, out, "PASS  ewma random seed 1: 20,000 events")

	out, code = readmeCommands(t, "hdl/examples", "rm -rf build/mine")
	require.Equal(t, 1, code, out)
	require.Regexp(t, `rsp_action +MD +NOOP`, out)
	require.Contains(t, out, "shrunk to 3 events that still fail")
	tool(t, "build/goldwire", "dut", "check", "hdl/examples/ccc_narrow/dut.yaml") // TestNarrowEngine runs it

	const kite = "hdl/examples/trimmer_256"
	out, code = readmeCommands(t, kite, "build/goldwire dut check")
	require.Zero(t, code, out)
	require.Contains(t, out, "module kite_trim is bound to the block trimmer")
	require.Contains(t, out, "PASS  trimmer random seed 1: 10,000 events")
	out, code = readmeCommands(t, kite, "rm -rf build/kite")
	require.Equal(t, 1, code, out)
	require.Regexp(t, `tx_data in wire order: byte \d+ of the packet \(UDP checksum\)`, out)

	const clocks = "hdl/examples/two_clocks"
	out, code = readmeCommands(t, clocks, "build/goldwire cosim")
	require.Zero(t, code, out)
	require.Contains(t, out, "PASS  flip random seed 1: ")
	out, code = readmeCommands(t, clocks, "rm -rf build/clocks")
	require.Equal(t, 1, code, out)
	require.Contains(t, out, "MISMATCH  flip random seed 1: ")

	out, code = readmeCommands(t, "hdl/examples", "build/goldwire schema show")
	require.Zero(t, code, out)
	require.Contains(t, out, "new.yaml: module ewma_new is bound to the block ewma")
	out, code = readmeCommands(t, "hdl/examples", "build/goldwire vectors gen --dut")
	require.Zero(t, code, out)
	require.Contains(t, out, "build/ewma.gwv: 20000 transactions")
	require.Contains(t, out, "PASS  ewma file seed 1: 20,000 events")
	require.Regexp(t, `(?m)^PASS:? `, out)
	text, err := os.ReadFile("../hdl/examples/README.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "    block: fifo")
	schema, _, _ := strings.Cut("block: fifo"+rest, "\n\n")
	_, err = event.Parse([]byte(strings.ReplaceAll(schema, "\n    ", "\n")))
	require.NoError(t, err, "the schema that the page shows")

	t.Run("vhdl", func(t *testing.T) {
		if _, err := exec.LookPath("ghdl"); err != nil {
			t.Skip("ghdl is not installed: apt-get install ghdl")
		}
		out, code := readmeCommands(t, "hdl/examples/vhdl", "build/goldwire cosim")
		require.Zero(t, code, out)
		require.Contains(t, out, "PASS  trimmer random seed 1: 3,000 events")
		out, code = readmeCommands(t, "hdl/examples/vhdl", "rm -rf build/vhdl")
		require.Equal(t, 1, code, out)
		require.Regexp(t, `tx_data in wire order: byte \d+ of the packet \(UDP checksum\)`, out)
	})
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	out, code = readmeCommands(t, "hdl/examples/public", "mkdir -p build && rm -f build/golden.sock")
	require.Zero(t, code, out)
	require.Contains(t, out, " 0 failed, ")
	require.Contains(t, out, "PASS  secret random seed 1: 20,000 events")
}
