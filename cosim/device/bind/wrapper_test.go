package bind

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

const oddDesign = `package odd_pkg;
  typedef struct packed { logic [3:0] a; logic b; } pair_t;
endpackage
interface bus_if #(parameter int W = 8) (input logic clk);
  logic [W-1:0] data;
  logic valid, ready;
  odd_pkg::pair_t p;
  modport sink (input data, valid, p, output ready);
endinterface
module odd #(parameter type T = logic [6:0], parameter int N = 3) (
  input logic clk, input logic rst_n,
  bus_if.sink in,
  bus_if other,  // without a modport
  input T t_i,
  input logic [3:0] arr [4], output logic [1:0][2:0] y [2:1][3],
  inout wire [3:0] pad, input real r, output real q
);
  assign in.ready = in.valid;
  assign q = r;
  assign pad = arr[1];
  for (genvar i = 0; i < 3; i++) begin : g
    assign y[1][i] = in.data[5:0];
    assign y[2][i] = 6'd0;
  end
endmodule
`

// What no map can name is told by name, with a wrapper whose ports are all packed and which can be bound.
func TestUnfitPorts(t *testing.T) {
	ctx := simulator(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "odd.sv")
	require.NoError(t, os.WriteFile(file, []byte(oddDesign), 0o644))
	schema := []*event.Block{{Name: "odd", Streams: []event.Stream{{Name: "ev", Dir: event.In},
		{Name: "rsp", Dir: event.Out}}}}
	_, err := Init(ctx, InitSpec{File: file, Blocks: schema})
	var u *Unfit
	require.ErrorAs(t, err, &u)
	place := shorten(file)
	for _, want := range []string{"port arr (" + place + ":15) is of type unpacked array", "port y (" + place +
		":15) is of type unpacked array",
		"port pad (" + place + ":16) is inout", "port r (" + place + ":16) is of type real",
		"port in is an interface bus_if.sink",
		"port other is an interface bus_if", "save the wrapper that dut init prints as odd_wrap.sv"} {
		require.ErrorContains(t, err, want)
	}
	require.Len(t, u.Ports, 7)
	require.NotContains(t, err.Error(), "\n")
	wrap := filepath.Join(dir, "odd_wrap.sv")
	require.NoError(t, os.WriteFile(wrap, []byte(u.Wrapper), 0o644))
	b := &Binding{File: "dut.yaml", Top: "odd_wrap", Sources: []string{file, wrap}, Block: &event.Block{}}
	m, err := b.Elaborate(ctx)
	require.NoError(t, err, u.Wrapper)
	ports := map[string]int{}
	for _, p := range m.Ports {
		require.Empty(t, p.odd())
		ports[p.Dir+" "+p.Name] = p.Width
	}
	require.Equal(t, map[string]int{"in clk": 1, "in rst_n": 1, "in t_i": 7, "in arr": 16, "out y": 36, "in pad_in": 4,
		"in pad_en": 1, "out pad_out": 4,
		"in r": 64, "out q": 64, "in in_data": 8, "in in_valid": 1, "out in_ready": 1, "in in_p": 5}, ports)
	require.Contains(t, u.Wrapper, "assign arr_u[1] = arr[7:4];")
	require.Contains(t, u.Wrapper, "assign y[11:6] = y_u[1][1];", "the lowest index lies in the lowest bits")
	require.Contains(t, u.Wrapper, "logic [5:0] y_u [2:1][0:2];")
	require.Contains(t, u.Wrapper, "// signal other.data, logic [7:0]: connect it by hand")

	// A parameter that is a type is named where it is given a value.
	b.Top, b.Sources = "odd", []string{file}
	require.Equal(t, []string{"T"}, b.typeParams())
	require.NoError(t, os.WriteFile(file, []byte("module odd #(parameter type T = logic [6:0]) (input logic clk, input "+
		"T t_i, output T t_o);\n  assign t_o = t_i;\nendmodule\n"), 0o644))
	b.Parameters = map[string]string{"T": "8"}
	m, err = b.Elaborate(ctx)
	require.NoError(t, err)
	_, ps := b.wire(m)
	require.ErrorContains(t, ps.err(), "parameter T of module odd is a type, which a dut.yaml cannot give; wrap the "+
		"design in a module that holds odd #(.T(TYPE))")
	text, err := Init(ctx, InitSpec{File: file, Blocks: schema})
	require.NoError(t, err)
	require.Contains(t, string(text), "# Parameter T is a type and keeps its default")
}

// Packages are found in the folders around a design, in compile order, and asked for where there are none.
func TestPackagesAreFound(t *testing.T) {
	ctx := simulator(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rtl/top.sv": "module top import two::*; (input logic clk, input logic [B-1:0] x, output logic y);\n  assign " +
			"y = x[0];\nendmodule\n",
		"pkg/two.sv":     "package two;\n  import one::*;\n  localparam int B = A;\nendpackage\n",
		"pkg/sub/one.sv": "package one;\n  localparam int A = 3;\nendpackage\n",
		"pkg/three.sv":   "// package one;\npackage three; endpackage\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	schema := []*event.Block{{Name: "odd", Streams: []event.Stream{{Name: "ev", Dir: event.In},
		{Name: "rsp", Dir: event.Out}}}}
	spec := InitSpec{File: filepath.Join(dir, "rtl/top.sv"), Blocks: schema, Out: filepath.Join(dir, "dut.yaml")}
	text, err := Init(ctx, spec)
	require.NoError(t, err)
	require.Contains(t, string(text), `sources: ["pkg/sub/one.sv", "pkg/two.sv", "rtl/top.sv"]`)
	require.Contains(t, string(text), `# Packages of sources that were found by name: "pkg/sub/one.sv", "pkg/two.sv"`)
	require.NoError(t, os.Remove(filepath.Join(dir, "pkg/sub/one.sv")))
	_, err = Init(ctx, spec)
	require.ErrorContains(t, err, "two.sv:2: package one is in no file around the design; give its file with --source")
	require.NotContains(t, err.Error(), "\n")
	b := &Binding{File: "dut.yaml", Top: "top", Sources: []string{spec.File}, Block: &event.Block{}}
	_, err = b.Elaborate(ctx)
	require.ErrorContains(t, err, "add the file of package two to sources, ahead of this one")
	var ps Problems
	require.True(t, errors.As(err, &ps))
}

// The names of AXI-Stream are mapped as the standard has them, side by side and by the stream's own name.
func TestAxisNames(t *testing.T) {
	b, err := event.Load("../../../hdl/examples/stream/schema.yaml")
	require.NoError(t, err)
	port := func(dir, name string, w int) Port { return Port{Name: name, Dir: dir, Width: w, Left: w - 1} }
	side := func(in, prefix string) []Port {
		back := map[string]string{"in": "out", "out": "in"}[in]
		return []Port{port(in, prefix+"tdata", 32), port(in, prefix+"tkeep", 4), port(in, prefix+"tstrb", 4),
			port(in, prefix+"tlast", 1),
			port(in, prefix+"tuser", 8), port(in, prefix+"tvalid", 1), port(back, prefix+"tready", 1)}
	}
	for _, names := range [][2]string{{"s_axis_", "m_axis_"}, {"S_AXIS_RX_", "M_AXIS_TX_"}, {"slv_", "mst_"}} {
		m := &Module{Name: "m", Ports: append([]Port{port("in", "aclk", 1), port("in", "aresetn", 1)},
			append(side("out", names[1]), side("in", names[0])...)...)}
		g := guessMap(b, m, 0)
		require.Equal(t, g.all, g.found, g.lines)
		require.Equal(t, []string{
			"rx_valid: " + names[0] + "tvalid", "rx_ready: " + names[0] + "tready", "rx.data: " + names[0] + "tdata",
			"rx.keep: " + names[0] + "tkeep",
			"rx.last: " + names[0] + "tlast", "tx_valid: " + names[1] + "tvalid", "tx_ready: " + names[1] + "tready",
			"tx.data: " + names[1] + "tdata",
			"tx.keep: " + names[1] + "tkeep", "tx.last: " + names[1] + "tlast", "tx.sum: " + names[1] +
				"tuser  # a guess by likeness",
		}, g.lines)
	}
	// With two of a direction, a stream takes the one that has its name.
	two := &event.Block{Streams: []event.Stream{{Name: "cmd", Dir: event.In,
		Fields: []event.Field{{Name: "data", Width: 32}}},
		{Name: "pkt", Dir: event.In, Fields: []event.Field{{Name: "data", Width: 32}}},
		{Name: "rsp", Dir: event.Out, Fields: []event.Field{{Name: "data", Width: 32}}}}}
	m := &Module{Name: "m", Ports: append(side("in", "s_axis_pkt_"),
		append(side("in", "s_axis_aux_"), side("out", "m_axis_")...)...)}
	g := guessMap(two, m, 0)
	require.Contains(t, g.lines, "pkt.data: s_axis_pkt_tdata")
	require.Contains(t, g.lines, "cmd.data: s_axis_aux_tdata")
	require.Contains(t, g.lines, "rsp.data: m_axis_tdata")
}
