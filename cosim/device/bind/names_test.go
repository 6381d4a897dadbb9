package bind

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/vectors/event"
)

func TestNames(t *testing.T) {
	for name, c := range map[string]struct{ sv, encoded string }{
		"clk":      {"clk", "clk"},
		"a_b$1":    {"a_b$1", "a_b__0241"},
		"rst__n":   {"rst__n", "rst___05Fn"},
		"a___b_":   {"a___b_", "a___05F_b_"},
		"a__02e":   {"a__02e", "a___05F02e"},
		"in.valid": {`\in.valid `, "in__02evalid"},
		"d[0]":     {`\d[0] `, "d__05b0__05d"},
		"1":        {`\1 `, "__031"},
		"input":    {`\input `, "input"},
		"_x":       {"_x", "_x"},
	} {
		require.Equal(t, c.sv, sv(name))
		require.Equal(t, c.encoded, encoded(name))
		require.Equal(t, name, decoded(c.encoded))
	}
}

// Names that are not identifiers stand in expressions as they are; a longer one comes first, and the backslash selects
// one of them in any case.
func TestExpressionsOverOddNames(t *testing.T) {
	m := &Module{}
	for _, name := range []string{"a", "d[0]", "d[0].x", "{y}", "8'd1", "3v3", "~n", "s"} {
		m.Ports = append(m.Ports, Port{Name: name})
	}
	m.Ports[7].Members = []Member{{Name: "m/n"}}
	names := m.oddNames()
	require.NotContains(t, names, "8'd1", "a constant stays one")
	for text, want := range map[string][]Piece{
		"d[0]":            {{Port: "d[0]"}},
		"d[0][3:1]":       {{Port: "d[0]", Slice: true, From: 3, To: 1}},
		"d[0].x":          {{Port: "d[0].x"}},
		"d[0].y":          {{Port: "d[0]", Members: []string{"y"}}},
		"d[1]":            {{Port: "d", Slice: true, From: 1, To: 1}},
		"{3v3, a}":        {{Port: "3v3"}, {Port: "a"}},
		"~s.m/n[0]":       {{Port: "s", Members: []string{"m/n"}, Slice: true, Invert: true}},
		`\8'd1 `:          {{Port: "8'd1"}},
		`{\~n [2:1], ~a}`: {{Port: "~n", Slice: true, From: 2, To: 1}, {Port: "a", Invert: true}},
		`\{y} .q`:         {{Port: "{y}", Members: []string{"q"}}},
	} {
		e, err := parseExpr(text, names)
		require.NoError(t, err, text)
		require.Equal(t, want, e.Pieces, text)
	}
	for _, p := range m.Ports { // what dut init writes is read as the port
		e, err := parseExpr(m.expr(p.Name), names)
		require.NoError(t, err)
		require.Equal(t, []Piece{{Port: p.Name}}, e.Pieces)
	}
	require.Equal(t, "s.m/n", m.expr("s", "m/n"))
	_, err := ParseExpr("3v3")
	require.ErrorContains(t, err, `"v3" is left over`, "without the names it is not an expression")
}

// A design whose module, parameters, ports and members are escaped identifiers is read, checked and built around; a
// wrong name is an error that lists the right one.
func TestEscapedDesign(t *testing.T) {
	ctx := simulator(t)
	const file = "testdata/escaped/dut.yaml"
	b, m, err := CheckFile(ctx, file, lookup)
	require.NoError(t, err)
	require.Equal(t, "flip.net/1", m.Name)
	require.Equal(t, []string{"MASK-A", "Lane__wrong"}, m.Params)
	f, err := b.Foreign(ctx)
	require.NoError(t, err)
	for _, line := range []string{`logic [36:0] \p_in.beat{0} ;`, `assign \p_clk.core  = clk_i;`,
		`assign \p_in.beat{0} [4:1] = rx_keep_i[3:0];`, `\flip.net/1  #(`, `.\MASK-A (0)`, `.\in.valid (\p_in.valid )`,
		".rst__n(p_rst__n)", `.\output (p_output)`} {
		require.Contains(t, f.Adapter, line)
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{"tx_valid: output", "tx_valid: out.put", "module flip.net/1 has no port out"},
		{"rx_valid: in.valid", "rx_valid: in.vali", "module flip.net/1 has no port in"},
		{"beat{0}.__last", "beat{0}.last", "has no member last; it has data[31:0], keep/strb, __last"},
		{"top: flip.net/1", "top: flip.net", "module flip.net is in none of the sources; they have flip.net/1; did you mean"},
		{"MASK-A: 0", "MASK-B: 0", "module flip.net/1 has no parameter MASK-B; did you mean MASK-A?"},
		{"{q[0][31:8], q[0][7:0]}", "{q[0][31:8], q[0][7:0]", "a } is missing"},
		{"clock: clk.core", "clock: clk.cor", "module flip.net/1 has no port clk.cor; did you mean clk.core?"},
		{`"\\1 ": 0`, "", "input 1 (testdata/escaped/flip.sv:18, 1 bit) is driven by nothing"},
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), c.old), c.old)
		dir := t.TempDir()
		out := strings.NewReplacer(c.old, c.new, "../../../../..", absolute(here, "../../.."),
			"[flip.sv]", "["+absolute(here, "testdata/escaped/flip.sv")+"]").Replace(string(text))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dut.yaml"), []byte(out), 0o644))
		_, _, err = CheckFile(ctx, filepath.Join(dir, "dut.yaml"), lookup)
		require.ErrorContains(t, err, c.want)
	}
}

// dut init binds escaped ports by name, and the wrapper that it prints for others compiles.
func TestInitOfEscapedNames(t *testing.T) {
	ctx := simulator(t)
	schema := filepath.Join("..", "..", "..", "hdl", "examples", "stream", "schema.yaml")
	stream, err := event.Load(schema)
	require.NoError(t, err)
	block := []*event.Block{stream}
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	file := write("net.sv", `module \net.top (input logic \a.clk , input logic rst__n, input logic \s_axis.tvalid ,
  output logic \s_axis.tready , input logic [31:0] \s_axis.tdata , input logic [3:0] \s_axis.tkeep ,
  input logic \s_axis.tlast , output logic \m[0]_tvalid , input logic \m[0]_tready , output logic [31:0] \m[0]_tdata ,
  output logic [3:0] \m[0]_tkeep , output logic \m[0]_tlast , output logic [7:0] \m[0]_tuser , input logic \1 );
  assign \s_axis.tready = \m[0]_tready , \m[0]_tvalid = \s_axis.tvalid , \m[0]_tdata = ~\s_axis.tdata ;
  assign {\m[0]_tkeep , \m[0]_tlast } = {\s_axis.tkeep , \s_axis.tlast };
  assign \m[0]_tuser = {8{\1 & \a.clk & rst__n}};
endmodule
`)
	out := filepath.Join(dir, "dut.yaml")
	text, err := Init(ctx, InitSpec{File: file, Top: "net.top", Blocks: block, Schema: schema, Out: out})
	require.NoError(t, err)
	text = []byte(strings.Replace(strings.Replace(string(text), "# tie:", "tie:", 1), "#   ", "  ", 1))
	require.NoError(t, os.WriteFile(out, text, 0o644))
	_, _, err = CheckFile(ctx, out, lookup)
	require.NoError(t, err, "%s", text)

	file = write("wrap.sv", `module \wrap.1 #(parameter int \P. = 1) (input logic \in.a [2], inout wire \pad[0] ,
  output logic \y.y , input real \r.r );
  assign \y.y = \in.a [0] & \pad[0] & \in.a [1] & \r.r > 0.0;
endmodule
`)
	_, err = Init(ctx, InitSpec{File: file, Top: "wrap.1", Blocks: block, Schema: schema, Out: out})
	var unfit *Unfit
	require.ErrorAs(t, err, &unfit)
	v, err := launch.FindVerilator(ctx)
	require.NoError(t, err)
	got, err := launch.Command(ctx, dir, v.Path, "--lint-only", "-Wno-fatal", "--top-module", "wrap.1_wrap", file,
		write("wrapped.sv", unfit.Wrapper)).CombinedOutput()
	require.NoError(t, err, "%s\n%s", got, unfit.Wrapper)
}
