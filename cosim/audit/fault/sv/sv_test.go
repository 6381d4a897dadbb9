package sv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `// not a site: a <= b;
module demo #(
  parameter int Width = 8   // nor this
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] x_i,
  input  demo_ev_t         ev_i,
  output logic [7:0]       y_o
);
  localparam int Last = Width - 1;
  logic [7:0] a_q, b_q;
  (* mem2reg *)
  logic [7:0] mem_q [0:3];
  logic       eq;

  assign eq = (a_q == b_q) & ~x_i[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) a_q <= '0;
    else begin
      a_q <= x_i <= 8'd3 ? {4'b0, x_i[3:0]} : a_q + 1'b1;
      for (int i = 0; i < 4; i++) mem_q[i] <= {8{eq}};
    end
  end

  always_comb begin
    y_o = a_q;
    unique case (ev_i.kind)
      demo_pkg::KIND_A, demo_pkg::KIND_B: y_o = b_q;
      default: y_o[0] = 1'b1;
    endcase
  end

  if (Width > 4) begin : gen_wide
    demo_sub #(.Depth(3)) u_sub (.clk_i(clk_i), .d_i(eq ? a_q : b_q), .open_o(), .q_o(b_q));
  end

` + "`ifdef GW_ASSERT\n  a_never: assert property (@(posedge clk_i) a_q |-> b_q);\n`endif\n" + `endmodule
`

func TestSites(t *testing.T) {
	m, err := Parse("demo.sv", sample)
	require.NoError(t, err)
	require.Equal(t, "demo", m.Name)
	require.Equal(t, []string{"demo_sub"}, m.Instances)
	var got []string
	for _, s := range m.Sites {
		got = append(got, s.Kind.String()+" "+m.Text[s.Start:s.End])
	}
	require.Equal(t, []string{
		"assign assign eq = (a_q == b_q) & ~x_i[0];",
		"if !rst_ni",
		"always_ff a_q <= '0;",
		"always_ff a_q <= x_i <= 8'd3 ? {4'b0, x_i[3:0]} : a_q + 1'b1;",
		"always_ff mem_q[i] <= {8{eq}};",
		"always_comb y_o = a_q;",
		"case demo_pkg::KIND_A",
		"case demo_pkg::KIND_B",
		"always_comb y_o = b_q;",
		"always_comb y_o[0] = 1'b1;",
		"port clk_i",
		"port eq ? a_q : b_q",
	}, got)
	require.False(t, m.Sites[5].Default, "the first assignment is the default itself")
	require.True(t, m.Sites[8].Default)
	require.True(t, m.Sites[9].Default, "a bit of a variable that has a value")
	require.True(t, m.Sites[1].Clocked)
	require.Equal(t, 17, m.Sites[0].Line)
	require.Equal(t, &Signal{Name: "y_o", Type: "logic", Dims: "[7:0]", Hi: 7, Width: 8}, m.Signals["y_o"])
	require.True(t, m.Signals["mem_q"].Unpacked)
	require.Equal(t, "demo_ev_t", m.Signals["ev_i"].Type)
	require.Zero(t, m.Signals["x_i"].Width, "its range is a parameter")
	require.Equal(t, "[Width-1:0]", m.Signals["x_i"].Dims)
}

// TestTree checks how operators bind by printing an expression with every implied pair of brackets.
func TestTree(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a | b & c ^ d", "(a|((b&c)^d))"},
		{"a == b & c", "((a==b)&c)"},
		{"a << 1 + b < c", "((a<<(1+b))<c)"},
		{"!a && b || |c", "(((!a)&&b)||(|c))"},
		{"a ? b : c ? d : e", "(a?b:(c?d:e))"},
		{"a - b - c", "((a-b)-c)"},
		{"{2'b01, {3{x[4]}}, y[7:0]}", "{2'b01,{3{x[4]}},y[7:0]}"},
		{"p::A[3:0] + v.w[p::L +: 8]", "(p::A[3:0]+v.w[p::L+:8])"},
		{"$signed(a) * -b", "($signed(a)*(-b))"},
	} {
		m, err := Parse("x.sv", "module x (input logic clk_i);\n  assign y = "+c.in+";\nendmodule\n")
		require.NoError(t, err, c.in)
		require.Equal(t, c.want, show(m.Sites[0].Expr), c.in)
		require.Equal(t, c.in, m.Of(m.Sites[0].Expr))
	}
}

func show(n *Node) string {
	kids := make([]string, len(n.Kids))
	for i, k := range n.Kids {
		kids[i] = show(k)
	}
	switch n.Kind {
	case Unary:
		return "(" + n.Op + kids[0] + ")"
	case Binary:
		return "(" + kids[0] + n.Op + kids[1] + ")"
	case Ternary:
		return "(" + kids[0] + "?" + kids[1] + ":" + kids[2] + ")"
	case Concat:
		return "{" + strings.Join(kids, ",") + "}"
	case Repeat:
		return kids[0] + kids[1] // inside a Concat
	case Index:
		return kids[0] + "[" + kids[1] + "]"
	case Part:
		return kids[0] + "[" + kids[1] + n.Op + kids[2] + "]"
	case Call:
		return n.Text + "(" + strings.Join(kids, ",") + ")"
	case Paren:
		return kids[0]
	}
	return n.Text
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"module x (input logic a);\n  assign y = a +;\nendmodule", `x.sv:2: found ";", want an operand`},
		{"module x (input logic a);\n  initial y = a;\nendmodule", `x.sv:2:`},
		{"module x (input logic a);\n", "x.sv:2: module x has no end"},
		{"module x (logic a);\nendmodule", "x.sv:1: port without a direction"},
		{"module x (input logic a);\n/* endmodule", "x.sv:2: comment without an end"},
		{"module x (input logic a);\n`ifdef Y\nendmodule", "`ifdef without `endif"},
		{"module x (input logic a);\nendmodule\nmodule y (input logic a);\nendmodule", "x.sv:3: more than one module"},
		{"module x (input logic a);\n  assign y = \x01;\nendmodule", "x.sv:2: unexpected character"},
	} {
		_, err := Parse("x.sv", c.in)
		require.ErrorContains(t, err, c.want, c.in)
	}
}

// TestReadsAllRTL reads every module of hdl/rtl. No site may overlap another, because each gets a guard.
func TestReadsAllRTL(t *testing.T) {
	files, err := filepath.Glob("../../../../hdl/rtl/*/*.sv")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		m, err := Parse(filepath.Base(f), string(text))
		require.NoError(t, err)
		require.NotEmpty(t, m.Sites, f)
		for _, a := range m.Sites {
			for _, b := range m.Sites {
				require.False(t, a != b && a.Start < b.End && b.Start < a.End, "%s:%d and :%d overlap", f, a.Line, b.Line)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := Parse("x.sv", text); err == nil {
			for _, s := range m.Sites {
				require.True(t, 0 <= s.Start && s.Start < s.End && s.End <= len(text))
			}
		}
	})
}
