package schemagen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// oddCore is a module behind the generated top of odd: wires only.
const oddCore = `module odd (input logic clk_i, input logic rst_ni,
  input logic ev_valid_i, output logic ev_ready_o, input odd_ev_t ev_i,
  input logic aux_valid_i, output logic aux_ready_o, input odd_aux_t aux_i,
  output logic rsp_valid_o, input logic rsp_ready_i, output odd_rsp_t rsp_o,
  output logic log_valid_o, input logic log_ready_i, output odd_log_t log_o);
  assign ev_ready_o = rsp_ready_i;
  assign aux_ready_o = log_ready_i;
  assign rsp_valid_o = ev_valid_i && ev_i.f == odd_pkg::FLAG_SET;
  assign log_valid_o = aux_valid_i && clk_i && rst_ni;
  assign rsp_o = {ev_i, 26'd0};
  assign log_o = aux_i[6:0];
  logic unused;
  assign unused = ^aux_i;
endmodule
`

// oddMain drives records with a bit set here and there through the Verilated odd and checks what
// comes out of it against the layout: rsp is a concatenation of the fields of ev.
const oddMain = `#include <cstdio>
#include <cstring>
#include "odd_ports.h"
using namespace gw::port;
int main() {
  Model m;
  std::uint64_t in[kInWords], out[kOutWords], seed = 1;
  for (int k = 0; k < 2000; k++) {
    for (auto& w : in) { seed = seed * 6364136223846793005u + 1442695040888963407u; w = seed ^ seed >> 31; }
    std::memset(out, 0xff, sizeof out);
    drive(m, in);
    m.clk_i = 0;
    m.eval();
    sample(m, out);
    // ev = {a[4:0], wide[128:0], f}; rsp = {ev, 26'd0} = {x[60:0], y[99:0]}
    const std::uint64_t a = in[0] >> 5 & 31, f = in[4] & 1, hi = in[3] & 1;
    const std::uint64_t x = a << 56 | hi << 55 | in[2] >> 9;
    const std::uint64_t y0 = f << 26 | in[1] << 27, y1 = (in[1] >> 37 | in[2] << 27) & 0xfffffffffull;
    const std::uint64_t valid = (in[0] >> 1 & 1) & f;
    const std::uint64_t control = (in[0] >> 3 & 1) | (in[0] >> 4 & 1) << 1 | valid << 2;
    if (out[0] != control || out[1] != x || out[2] != y0 || out[3] != y1 || out[4] != (in[6] & 127)) {
      std::printf("cycle %d: %llx %llx %llx %llx\n", k, (unsigned long long)out[0], (unsigned long long)out[1],
                  (unsigned long long)out[2], (unsigned long long)out[3]);
      return 1;
    }
    std::uint64_t bad[kOutWords];
    std::memcpy(bad, out, sizeof out);
    bad[3] ^= 1;
    if (!equal(out, out) || equal(out, bad) != (valid == 0)) return 2;
  }
  return 0;
}
`

// Every simulator and the synthesis reader must take the SystemVerilog of unusual shapes; a machine
// without one of them skips it by name.
func TestSystemVerilogOfUnusualShapes(t *testing.T) {
	b, err := event.Parse([]byte(odd))
	require.NoError(t, err)
	files, err := Generate(b)
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = Write(dir, files)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "odd.sv"), []byte(oddCore), 0o600))
	src := []string{"hdl/gen/odd_types.sv", "hdl/gen/odd_pkg.sv", "hdl/gen/odd_top.sv", "odd.sv"}
	for _, tool := range [][]string{
		append([]string{"verilator", "--lint-only", "-Wall", "--top-module", "odd_top"}, src...),
		append([]string{"iverilog", "-g2012", "-Wall", "-s", "odd_top", "-o", filepath.Join(dir, "odd.vvp")}, src...),
		{"yosys", "-q", "-p", "read_verilog -sv " + strings.Join(src, " ") + "; hierarchy -check -top odd_top; proc"},
	} {
		t.Run(tool[0], func(t *testing.T) {
			if _, err := exec.LookPath(tool[0]); err != nil {
				t.Skipf("%s is not installed: make tools installs it", tool[0])
			}
			if tool[0] == "yosys" { // versions differ in where they read a struct
				version, err := exec.Command("yosys", "-V").Output()
				require.NoError(t, err)
				if strings.HasPrefix(string(version), "Yosys 0.52 ") {
					tool[3] = strings.Replace(tool[3], "-sv", "-sv -DGW_STRUCTS_IN_PACKAGE", 1)
				}
			}
			cmd := exec.Command(tool[0], tool[1:]...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

// The C++ port table of unusual shapes, built and run: wide ports cross word boundaries both ways.
func TestPortTableOfUnusualShapes(t *testing.T) {
	for _, tool := range []string{"verilator", "c++", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: make tools installs it", tool)
		}
	}
	b, err := event.Parse([]byte(odd))
	require.NoError(t, err)
	files, err := Generate(b)
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = Write(dir, files)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "odd.sv"), []byte(oddCore), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.cpp"), []byte(oddMain), 0o600))
	cmd := exec.Command("verilator", "--cc", "--exe", "--build", "-Wall", "-O0", "--Mdir", "obj",
		"--top-module", "odd_top",
		"-CFLAGS", "-std=c++17 -O0 -Wall -Wextra -Werror -I"+filepath.Join(dir, "hdl/gen"),
		"hdl/gen/odd_types.sv", "hdl/gen/odd_pkg.sv", "hdl/gen/odd_top.sv", "odd.sv", "main.cpp")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(filepath.Join(dir, "obj/Vodd_top")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
