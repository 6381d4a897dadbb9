package fault

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

// designOf returns a design of one module with a few constants and one struct type.
func designOf(t *testing.T, body string) *Design {
	t.Helper()
	m, err := sv.Parse("demo.sv", "module demo (\n  input logic clk_i,\n  input logic rst_ni,\n"+
		"  input logic [3:0] a_i,\n  input demo_ev_t ev_i\n);\n"+body+"endmodule\n")
	require.NoError(t, err)
	return &Design{Block: "demo", Modules: []*sv.Module{m},
		consts: map[string]constant{
			"demo_pkg::KIND_A": {"KIND_A", "KIND", 2, 0}, "demo_pkg::KIND_B": {"KIND_B", "KIND", 2, 1},
			"demo_pkg::KIND_C": {"KIND_C", "KIND", 3, 1}, "demo_pkg::W_LSB": {"W_LSB", "W", 0, 4},
		},
		members: map[string]map[string]int{"demo_ev_t": {"kind": 2, "pdc": 2, "size": 8}},
	}
}

// TestOperators lists every fault of each statement.
func TestOperators(t *testing.T) {
	const decl = "  logic [3:0] x_q;\n  logic [3:0] y;\n  logic [1:0] k;\n  logic z;\n"
	for _, c := range []struct {
		body string
		want []string // OPERATOR: the replacement
	}{
		{"  assign z = a_i < x_q;", []string{
			"stuck: assign z = 1'b1;", "stuck: assign z = 1'b0;", "relation: assign z = a_i <= x_q;",
			"signal: assign z = x_q < x_q;", "signal: assign z = a_i < a_i;"}},
		{"  assign z = (k == demo_pkg::KIND_A) | ~rst_ni;", []string{
			"stuck: assign z = 1'b1;", "stuck: assign z = 1'b0;",
			"bitwise: assign z = (k == demo_pkg::KIND_A) & ~rst_ni;", "relation: assign z = (k != demo_pkg::KIND_A) | ~rst_ni;",
			"code: assign z = (k == demo_pkg::KIND_B) | ~rst_ni;", "bitwise: assign z = (k == demo_pkg::KIND_A) | rst_ni;"}},
		{"  always_ff @(posedge clk_i) x_q <= z ? 4'd15 : '0;", []string{
			"hold: always_ff @(posedge clk_i) ;",
			"stuck: always_ff @(posedge clk_i) x_q <= (z ? 4'd15 : '0) & 4'he;",
			"stuck: always_ff @(posedge clk_i) x_q <= (z ? 4'd15 : '0) | 4'h1;",
			"stuck: always_ff @(posedge clk_i) x_q <= (z ? 4'd15 : '0) & 4'hb;",
			"stuck: always_ff @(posedge clk_i) x_q <= (z ? 4'd15 : '0) | 4'h4;",
			"stuck: always_ff @(posedge clk_i) x_q <= (z ? 4'd15 : '0) & 4'h7;",
			"stuck: always_ff @(posedge clk_i) x_q <= (z ? 4'd15 : '0) | 4'h8;",
			"arms: always_ff @(posedge clk_i) x_q <= z ? '0 : 4'd15;",
			"constant: always_ff @(posedge clk_i) x_q <= z ? 4'd0 : '0;",
			"constant: always_ff @(posedge clk_i) x_q <= z ? 4'd14 : '0;",
			"constant: always_ff @(posedge clk_i) x_q <= z ? 4'd15 : '1;"}},
		{"  assign k = {1'b0, x_q[2]};", []string{ // the upper bit is 0 already
			"stuck: assign k = ({1'b0, x_q[2]}) & 2'h2;", "stuck: assign k = ({1'b0, x_q[2]}) | 2'h1;",
			"stuck: assign k = ({1'b0, x_q[2]}) | 2'h2;",
			"constant: assign k = {1'b1, x_q[2]};", "select: assign k = {1'b0, x_q[1]};", "select: assign k = {1'b0, x_q[3]};",
			"signal: assign k = {1'b0, a_i[2]};"}},
		{"  assign z = ^x_q[2:1];", []string{
			"stuck: assign z = 1'b1;", "stuck: assign z = 1'b0;", "reduction: assign z = |x_q[2:1];",
			"select: assign z = ^x_q[1:0];", "select: assign z = ^x_q[3:2];", "signal: assign z = ^a_i[2:1];"}},
		{"  assign z = ev_i.size[demo_pkg::W_LSB +: 1];", []string{
			"stuck: assign z = 1'b1;", "stuck: assign z = 1'b0;",
			"select: assign z = ev_i.size[demo_pkg::W_LSB - 1 +: 1];",
			"select: assign z = ev_i.size[demo_pkg::W_LSB + 1 +: 1];"}},
		{"  sub u_sub (.clk_i(clk_i), .k_i(ev_i.pdc), .z_o(z));", []string{
			"stuck: u_sub.k_i((ev_i.pdc) & 2'h2)", "stuck: u_sub.k_i((ev_i.pdc) | 2'h1)", "stuck: u_sub.k_i((ev_i.pdc) & 2'h1)",
			"stuck: u_sub.k_i((ev_i.pdc) | 2'h2)", "signal: u_sub.k_i(ev_i.kind)"}},
		{"  assign unused_z = z;", nil},
		{"  assign unused = z;", nil},
	} {
		d := designOf(t, decl+c.body+"\n")
		var got []string
		for _, f := range d.All() {
			require.NotEqual(t, f.Before, f.After)
			got = append(got, f.Operator+": "+f.After)
		}
		require.Equal(t, c.want, got, c.body)
	}
}

func TestConditions(t *testing.T) {
	d := designOf(t, `  logic z_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) z_q <= 1'b0;
    else if (z_q && (a_i != 4'h3)) z_q <= 1'b1;
  end
`)
	var got []string
	for _, f := range d.All() {
		if f.site.Kind == sv.Cond {
			got = append(got, f.Operator+": "+f.After)
		}
	}
	require.Equal(t, []string{
		"logic: if (rst_ni) z_q <= 1'b0;",
		"negate: else if (!(z_q && (a_i != 4'h3))) z_q <= 1'b1;",
		"logic: else if (z_q || (a_i != 4'h3)) z_q <= 1'b1;",
		"relation: else if (z_q && (a_i == 4'h3)) z_q <= 1'b1;",
		"constant: else if (z_q && (a_i != 4'd4)) z_q <= 1'b1;",
		"constant: else if (z_q && (a_i != 4'd2)) z_q <= 1'b1;",
	}, got)
}

// TestNoLoops checks that outside a clocked process no wire replaces another: it might depend on the value that it
// drives.
func TestNoLoops(t *testing.T) {
	d := designOf(t, "  logic [3:0] p;\n  logic [3:0] q;\n  logic [3:0] r_q;\n  assign p = q;\n")
	for _, f := range d.All() {
		if f.Operator == opSignal {
			require.Contains(t, []string{"assign p = a_i;", "assign p = r_q;"}, f.After)
		}
	}
}

func TestDraw(t *testing.T) {
	d, err := Load("../../..", "txstate")
	require.NoError(t, err)
	a, b, c := d.Draw(1), d.Draw(1), d.Draw(2)
	require.Len(t, a, len(d.All()), "every fault is drawn once")
	seen := map[key]map[int]bool{}
	differ := 0
	for i := range a {
		require.Equal(t, a[i].String(), b[i].String())
		require.Equal(t, i+1, a[i].Number)
		if a[i].String() != c[i].String() {
			differ++
		}
		if seen[a[i].key()] == nil {
			seen[a[i].key()] = map[int]bool{}
		}
		require.False(t, seen[a[i].key()][a[i].start], "%s is drawn twice", a[i])
		seen[a[i].key()][a[i].start] = true
	}
	require.Greater(t, differ, len(a)/2)
	operators := map[string]bool{}
	for _, f := range a[:200] {
		operators[f.Operator] = true
	}
	require.Greater(t, len(operators), 10, "a draw of 200 has nearly every operator")
}
