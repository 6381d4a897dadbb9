package ci

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// flipTop puts a version of the stream example under the ports of the exported bench. A block must be silent in reset.
const flipTop = `module flip_top (
  input logic clk_i, input logic rst_ni,
  input logic rx_valid_i, output logic rx_ready_o, input logic [31:0] rx_data_i, input logic [3:0] rx_keep_i,
  input logic rx_last_i,
  output logic tx_valid_o, input logic tx_ready_i, output logic [31:0] tx_data_o, output logic [3:0] tx_keep_o,
  output logic tx_last_o, output logic [7:0] tx_sum_o
);
  logic ready, valid;
  assign rx_ready_o = ready && rst_ni;
  assign tx_valid_o = valid && rst_ni;
  flip_new u (
    .aclk(clk_i), .aresetn(rst_ni), .s_axis_tvalid(rx_valid_i), .s_axis_tready(ready), .s_axis_tdata(rx_data_i),
    .s_axis_tkeep(rx_keep_i), .s_axis_tlast(rx_last_i), .m_axis_tvalid(valid), .m_axis_tready(tx_ready_i),
    .m_axis_tdata(tx_data_o), .m_axis_tkeep(tx_keep_o), .m_axis_tlast(tx_last_o), .m_axis_tuser(tx_sum_o)
  );
endmodule
`

// Both versions of the stream example are lint clean. The bench exported from the answers of the old version ignores
// exactly what the schema masks, record by record and cycle by cycle.
func TestStreamExample(t *testing.T) {
	const example = "hdl/examples/stream"
	for _, top := range []string{"flip_old", "flip_new"} {
		tool(t, "verilator", "--lint-only", "-Wall", "--top-module", top, example+"/"+top+".sv")
	}
	build(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(dir+"/flip_top.sv", []byte(flipTop), 0o644))
	exact, err := os.ReadFile("../" + example + "/old.yaml")
	require.NoError(t, err)
	root, err := filepath.Abs("../" + example)
	require.NoError(t, err)
	text := strings.NewReplacer("schema.yaml", root+"/schema.yaml", "flip_old.sv", root+"/flip_old.sv", "elastic",
		"exact").Replace(string(exact))
	require.NoError(t, os.WriteFile(dir+"/exact.yaml", []byte(text), 0o644))
	for per, dut := range map[string]string{"transaction": example + "/old.yaml", "cycle": dir + "/exact.yaml"} {
		sv := dir + "/" + per
		tool(t, "build/goldwire", "vectors", "gen", "--dut", dut, "--events", "300", "--per", per, "-o", sv+".gwv")
		tool(t, "build/goldwire", "vectors", "export", "--to", "sv", sv+".gwv", "-o", sv)
		bench := func(design string) string {
			t.Helper()
			vvp := filepath.Join(t.TempDir(), "bench.vvp")
			tool(t, "iverilog", "-g2012", "-s", "flip_vec_tb", "-o", vvp, design, dir+"/flip_top.sv",
				sv+"/flip_vec_pkg.sv", sv+"/flip_vec_dut.sv", sv+"/flip_vec_tb.sv")
			return outcomeOf(t, "vvp", "-N", vvp, "+in="+sv+"/in.hex", "+out="+sv+"/out.hex", "+mask="+sv+"/mask.hex")
		}
		require.Contains(t, bench(root+"/flip_new.sv"), "PASS flip_vec_tb", per)

		design, err := os.ReadFile(root + "/flip_new.sv")
		require.NoError(t, err)
		for _, broken := range [][2]string{{"m_axis_tdata <= ~s_axis_tdata;",
			"m_axis_tdata <= s_axis_tlast ? ~s_axis_tdata ^ 32'd2 : ~s_axis_tdata;"},
			{"m_axis_tuser <= sum_d;", "m_axis_tuser <= sum_q;"}} {
			require.Equal(t, 1, strings.Count(string(design), broken[0]))
			require.NoError(t, os.WriteFile(dir+"/flip_new.sv",
				[]byte(strings.Replace(string(design), broken[0], broken[1], 1)), 0o644))
			require.Regexp(t, `FAIL flip_vec_tb: (transaction|cycle) \d+`, bench(dir+"/flip_new.sv"), per)
		}
		mask, err := os.ReadFile(sv + "/mask.hex")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(sv+"/mask.hex", regexp.MustCompile("[0-9a-f]").ReplaceAll(mask, []byte("f")), 0o644))
		require.Contains(t, bench(root+"/flip_new.sv"), "FAIL flip_vec_tb", "without the mask they differ, "+per)
	}
}

// outcomeOf returns the output of a command for any exit code.
func outcomeOf(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return string(out)
}
