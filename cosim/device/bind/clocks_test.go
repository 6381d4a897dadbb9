package bind

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/launchtest"
)

const twoClocks = "../../../hdl/examples/two_clocks"

// What a dut.yaml may not say about several clocks: each with its line, its cause and what to do.
func TestClockMistakes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(twoClocks, "dut.yaml"))
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	const s = "s_clk: {period: 10, streams: [rx]}"
	for _, c := range []struct{ old, new, want string }{
		{s, "s_clk: {period: 1, streams: [rx]}", "dut.yaml:7: clock s_clk: period 1 is not in 2..1000 steps"},
		{s, "s_clk: {streams: [rx]}", "dut.yaml:7: clock s_clk: period 0 is not in 2..1000 steps"},
		{s, "s_clk: {period: 10, phase: 10, streams: [rx]}", "clock s_clk: phase 10 is not in 0..9; without the key it is " +
			"drawn"},
		{s, "s_clk: {period: 10, streams: [rx, tx]}", "clock s_clk: stream tx is on clock m_clk, too; keep one"},
		{s, "s_clk: {period: 10, streams: [rx, ty]}", "clock s_clk: block flip has no stream ty"},
		{s, "s_clk: {period: 10}", "dut.yaml:6: clocks: no clock has rx among its streams"},
		{s, "t_clk: {period: 10, streams: [rx]}", "dut.yaml:7: clock: module flip_fifo has no port t_clk; did you mean " +
			"s_clk?"},
		{s, "s_clk: {periods: 10, streams: [rx]}", `dut.yaml:7: unknown key "periods"; did you mean period?`},
		{s, "s_clk: {period: 2.5, streams: [rx]}", "dut.yaml:7: 2.5 is not a"},
		{"clocks:\n", "clock: s_clk\nclocks:\n", "clock and clocks are both given"},
		{"latency: elastic", "latency: exact", "dut.yaml:6: clocks: latency exact compares every cycle, and several clocks " +
			"have no cycle in common; give latency: elastic"},
		{"tx_valid: m_axis_tvalid", "tx_valid: on change", "tx_valid: on change: with several clocks an output has a valid"},
	} {
		require.Equal(t, 1, strings.Count(string(text), c.old), c.old)
		file := filepath.Join(t.TempDir(), "dut.yaml")
		out := strings.NewReplacer(c.old, c.new, "../stream", absolute(here, twoClocks+"/../stream"),
			"[cdc_sync.sv", "["+absolute(here, twoClocks+"/cdc_sync.sv"),
			" async_fifo.sv", " "+absolute(here, twoClocks+"/async_fifo.sv"),
			" flip_fifo.sv", " "+absolute(here, twoClocks+"/flip_fifo.sv")).Replace(string(text))
		require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
		_, _, err := CheckFile(simulator(t), file, lookup)
		require.ErrorContains(t, err, c.want, c.new)
	}
}

// Each stream moves at the edges of its clock, and what may take a cycle may take one of the slowest.
func TestClocksOfTheDesign(t *testing.T) {
	b, _, err := CheckFile(simulator(t), filepath.Join(twoClocks, "dut.yaml"), lookup)
	require.NoError(t, err)
	require.Equal(t, []Domain{{"m_clk", 3, -1, []string{"tx"}}, {"s_clk", 10, -1, []string{"rx"}}}, b.Domains)
	require.Equal(t, 10, Steps(b))
	f, err := b.Foreign(simulator(t))
	require.NoError(t, err)
	for _, line := range []string{"goldwire_clock #(.PERIOD(3), .PHASE(-1), .NUMBER(0))", "assign p_s_clk = g_clock1;",
		"assign e_rx_ready = k_rx_ready & g_rise1;", "assign e_tx_valid = k_tx_valid & g_rise0;",
		"assign p_s_axis_tvalid = k_rx_valid;", "goldwire_steady #(.K(45)"} {
		require.Contains(t, f.Adapter, line)
	}
	for rule, line := range map[string]string{ValidDrops: ".DROPS(1), .CHANGES(0)",
		DataChanges: ".DROPS(0), .CHANGES(1)"} {
		b.Relax = []string{"tx." + rule}
		f, err := b.Foreign(simulator(t))
		require.NoError(t, err)
		require.Contains(t, f.Adapter, line)
	}
}

// A clock has its period, is high for half of it, and begins after its phase; one that is drawn depends on the seed and
// on its number.
func TestClockModule(t *testing.T) {
	ctx := simulator(t)
	dir := t.TempDir()
	const bench = `module bench;
  logic clk_i = 0;
  logic [2:0] rise, clk;
  goldwire_clock #(.PERIOD(9), .PHASE(4)) u_fixed (.clk_i, .rise_o(rise[0]), .clk_o(clk[0]));
  goldwire_clock #(.PERIOD(16), .NUMBER(1)) u_a (.clk_i, .rise_o(rise[1]), .clk_o(clk[1]));
  goldwire_clock #(.PERIOD(16), .NUMBER(2)) u_b (.clk_i, .rise_o(rise[2]), .clk_o(clk[2]));
  int ups[3], highs[3], first[3];
  for (genvar i = 0; i < 3; i++) always @(posedge clk[i]) ups[i]++;
  initial begin
    for (int n = 0; n < 144; n++) begin
      #1 clk_i = 0;
      #1;
      for (int i = 0; i < 3; i++) begin
        if (rise[i] && ups[i] == 0) first[i] = n;
        highs[i] += int'(clk[i]);
      end
      clk_i = 1;
    end
    #1 $display("RESULT %0d %0d %0d %0d %0d %0d %0d %0d", ups[0], highs[0], first[0], ups[1], highs[1], first[1],
      first[2], ups[2]);
    $finish;
  end
endmodule
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bench.sv"), []byte(bench+edgeModule("goldwire_clock")), 0o644))
	v, err := launch.FindVerilator(ctx)
	require.NoError(t, err)
	out, err := launch.Command(ctx, dir, v.Path, append(launchtest.Verilate(), "-Wno-fatal", "-Wno-lint", "--top-module",
		"bench", "bench.sv")...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	firsts, pairs := map[string]bool{}, map[string]bool{}
	for seed := 1; seed <= 20; seed++ {
		out, err := launch.Command(ctx, dir, filepath.Join(dir, "obj_dir", "Vbench"),
			fmt.Sprint("+verilator+seed+", seed)).CombinedOutput()
		require.NoError(t, err, "%s", out)
		_, line, _ := strings.Cut(string(out), "RESULT ")
		f := strings.Fields(line)
		require.Equal(t, []string{"16", "64", "4", "9"}, f[:4], "%s", out)
		require.Equal(t, "9", f[7])
		firsts[f[5]], pairs[f[5]+" "+f[6]] = true, true
	}
	require.Greater(t, len(firsts), 6, "phases")
	require.Greater(t, len(pairs), 12, "pairs of phases")
}
