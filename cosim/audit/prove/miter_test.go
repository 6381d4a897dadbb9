package prove

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `// one register with a reset, one without
module gw_sample #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] x_i,
  output logic             valid_o,
  output logic [Width-1:0] y_o
);
  logic             vld_q;
  logic [Width-1:0] x_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_q <= 1'b0;
    else         vld_q <= (x_i != '0);
  end
  always_ff @(posedge clk_i) x_q <= x_i;
  assign valid_o = vld_q;
  assign y_o     = vld_q ? x_q : '0;
endmodule
`

// verdict plays a row of engine same on gw_sample with a change.
func verdict(t *testing.T, r Row, find, put string) Verdict {
	t.Helper()
	tools(t)
	base := t.TempDir()
	for _, kind := range []string{"gen/a_types", "gen/a_pkg", "rtl/common/gw_sample"} {
		path := filepath.Join(base, "hdl", kind+".sv")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o644))
	}
	path := filepath.Join(base, "hdl", "rtl", "common", "gw_sample.sv")
	require.NoError(t, os.WriteFile(path, []byte(sample), 0o644))
	p := Pair{Module: "gw_sample"}
	r.Name, r.Group, r.Claim, r.Top, r.Engine, r.pair = "sample", survivorGroup, "c", "gw_sample", Same, true
	p.Row = r
	plant := func(find, put string) func(string) (string, error) {
		return func(dir string) (string, error) {
			require.Contains(t, sample, find)
			return p.plantedModule(dir, strings.Replace(sample, find, put, 1))
		}
	}
	r.common, r.planted = &common{}, plant(find, put)
	r.twin = func(dir string, w Twin) (string, error) { return plant(w.Find, w.Put)(dir) }
	if r.Twins == nil {
		r.Twins = []Twin{{Find: "(x_i != '0)", Put: "1'b1"}}
	}
	require.NoError(t, r.check())
	return run(t, base, []Row{r})[0]
}

// noted are conditions for gw_sample.
var noted = map[string]string{"gw_sample": `
  wire gw_counts = vld_q;
  wire gw_never = 1'b0;
  wire [1:0] gw_wide = {vld_q, vld_q};
  wire gw_full = !vld_q || x_q != '0;
  wire gw_small = !vld_q || x_q < 8'd8;
  wire gw_low = x_q == '0 || rst_ni;
`}

// Two copies count as the same only when nothing that can be seen differs in any cycle.
func TestMiter(t *testing.T) {
	for _, c := range []struct {
		what      string
		row       Row
		find, put string
		failed    string // empty: proven
	}{
		{"nothing changes", Row{}, "vld_q ? x_q : '0", "!vld_q ? '0 : x_q", ""},
		{"an output", Row{}, "vld_q ? x_q : '0", "x_q", "counterexample"},
		{"a register", Row{}, "x_q <= x_i", "x_q <= ~x_i", "counterexample"},
		{"a register by its effect", Row{Keep: []string{"x_q"}}, "x_q <= x_i;", "x_q <= ~x_i;", "counterexample"},
		{"one that has none", Row{Keep: []string{"x_q"}, State: []string{"vld_q"}}, "x_q <= x_i;",
			"if (x_i != '0) x_q <= x_i;", ""},
		{"the last bit of a word", Row{Params: map[string]int{"Width": 3}}, "x_q <= x_i", "x_q <= x_i & 3'h3",
			"counterexample"},
		{"after the reset", Row{}, "vld_q <= 1'b0", "vld_q <= 1'b1", "counterexample"},
		{"what is not compared without valid", Row{Care: map[string]string{"y_o": "valid_o"}}, "vld_q ? x_q : '0", "x_q", ""},
		{"and with it", Row{Care: map[string]string{"y_o": "valid_o"}}, "vld_q ? x_q : '0", "~x_q", "counterexample"},
		{"a condition that is no output", Row{Care: map[string]string{"y_o": "vld_q"}}, "x_q", "x_q", "not an output"},
		{"a register while it counts", Row{Notes: noted, When: map[string]string{"x_q": "gw_counts"}}, "x_q <= x_i;",
			"x_q <= (x_i != '0) ? x_i : 8'd9;", ""},
		{"and one that differs then", Row{Notes: noted, When: map[string]string{"x_q": "gw_counts"}}, "x_q <= x_i;",
			"x_q <= (x_i == 8'd5) ? 8'd9 : x_i;", "counterexample"},
		{"under a condition that holds never", Row{Notes: noted, When: map[string]string{"x_q": "gw_never"}}, "x_q <= x_i;",
			"x_q <= ~x_i;", "counterexample"},
		{"that is no wire", Row{Notes: noted, When: map[string]string{"x_q": "gw_none"}}, "x_q", "x_q", "yosys"},
		{"that is wide", Row{Notes: noted, When: map[string]string{"x_q": "gw_wide"}}, "x_q", "x_q", "not a wire of one bit"},
		{"under when and under keep", Row{Notes: noted, When: map[string]string{"x_q": "gw_counts"}, Keep: []string{"x_q"}},
			"x_q", "x_q", "under when and under keep"},
		{"a lemma", Row{Notes: noted, Lemma: []string{"gw_full"}}, "vld_q ? x_q : '0",
			"vld_q ? ((x_q == '0) ? 8'd1 : x_q) : '0", ""},
		{"without it", Row{}, "vld_q ? x_q : '0", "vld_q ? ((x_q == '0) ? 8'd1 : x_q) : '0", "counterexample"},
		{"one that fails in the next cycle", Row{Notes: noted, Lemma: []string{"gw_small"}}, "vld_q ? x_q : '0",
			"(x_q < 8'd8) ? (vld_q ? x_q : '0) : '0", "counterexample"},
		{"one that fails at first", Row{Notes: noted, Lemma: []string{"gw_low"}}, "x_q <= x_i;", "x_q <= x_i;",
			"counterexample"},
		{"an assumption that holds", Row{Assume: []string{"x_i != '1"}, Cover: []string{"x_i == 8'd7"}}, "x_q <= x_i",
			"x_q <= (x_i == '1) ? '0 : x_i", ""},
		{"one that nothing meets", Row{Assume: []string{"x_i != x_i"}, Cover: []string{"x_i == 8'd7"}}, "x_q <= x_i",
			"x_q <= '0", "0 of 1 REACH are reached"},
		{"a twin that changes nothing", Row{Twins: []Twin{{Find: "vld_q ? x_q : '0", Put: "!vld_q ? '0 : x_q"}}},
			"vld_q ? x_q : '0", "!vld_q ? '0 : x_q", "twin 1 does not fail"},
		{"an instance that is not there", Row{Cut: []string{"u_none"}}, "x_q", "x_q", "yosys"},
		{"a parameter that is not there", Row{Params: map[string]int{"Depth": 3}}, "x_q", "x_q", "no parameter Depth"},
	} {
		t.Run(c.what, func(t *testing.T) {
			v := verdict(t, c.row, c.find, c.put)
			if c.failed == "" {
				require.True(t, v.Proved(), "%s", &v)
				require.Greater(t, v.Asserts, 3)
				require.Positive(t, v.Twins)
				return
			}
			require.Contains(t, v.Failed, c.failed)
			require.False(t, v.Disproved, "the RTL is not wrong when a survivor is not proven")
			require.Equal(t, 2, Sum([]Verdict{v}).Code())
		})
	}
}

// A survivor does not count when a row that it stands on is open, and it must name rows that are played.
func TestGiven(t *testing.T) {
	rows := []Row{{Name: "a"}, {Name: "b", Given: []string{"a"}}}
	all := []Verdict{{Name: "a", Failed: "no answer"}, {Name: "b", Group: survivorGroup}}
	require.NoError(t, Rest(rows, all))
	require.Contains(t, all[1].Failed, "stands on a")
	rows[1].Given[0] = "c"
	require.ErrorContains(t, Rest(rows, all), "not played")
	rows[1].Given[0] = "b"
	require.ErrorContains(t, Rest(rows, all), "not played", "a survivor stands on no survivor")
	r := Row{Name: "x", Group: "g", Claim: "c", Top: "m", Engine: Same, pair: true, Assume: []string{"a"},
		Twins: []Twin{{Find: "a", Put: "b"}}}
	require.ErrorContains(t, r.check(), "vacuous")
	r.pair = false
	require.ErrorContains(t, r.check(), "same belongs to survivors")
}

// A circuit that ends early, has a gate out of order or an output of its own is an error.
func TestBrokenCircuits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.aag")
	get := func(text string) (*circuit, error) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return readCircuit(path)
	}
	good := "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\ni0 x\ni1 y\no0 z\nc\nby hand\n"
	a, err := get(good)
	require.NoError(t, err)
	require.Equal(t, []string{"x"}, a.inputs[0])
	for _, bad := range []string{"", "aig 3 2 0 1 1\n", good[:20], strings.Replace(good, "6 4 2", "6 4 9", 1)} {
		_, err := get(bad)
		require.ErrorIs(t, err, ErrProof)
	}
	b, err := get(strings.Replace(good, "o0 z", "o0 w", 1))
	require.NoError(t, err)
	w := &weave{network: newNetwork(), row: &Row{}}
	require.ErrorContains(t, w.join(a, b), "in one circuit alone")
	b, err = get(strings.Replace(good, "6 4 2", "6 6 2", 1))
	require.NoError(t, err)
	w = &weave{network: newNetwork(), row: &Row{}}
	require.ErrorContains(t, w.join(a, b), "out of order")
}

// Only the same miter has the same answer without being asked again.
func TestAskOnce(t *testing.T) {
	tools(t)
	build := func(inverse literal) *model {
		n := newNetwork()
		l := n.register(zero)
		n.next[l] = n.and(l, n.input())
		n.bads = append(n.bads, l^inverse)
		m := &model{dir: t.TempDir(), file: "model.aig"}
		require.NoError(t, n.write(filepath.Join(m.dir, m.file)))
		return m
	}
	c, r := &common{}, &Row{Engine: Same, Timeout: 60}
	for range 2 {
		for inverse, want := range []answer{holds, fails} {
			got, err := c.ask(t.Context(), build(literal(inverse)), r)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	require.Len(t, c.answers, 2)
	_, err := c.ask(t.Context(), &model{dir: t.TempDir(), file: "none"}, r)
	require.ErrorIs(t, err, ErrProof)
}

// A register that selects the input of another has a name of that one, by autoname, which does not stand for it.
func TestOwnNames(t *testing.T) {
	require.Equal(t, []string{"trim_q"}, own([]string{"sum_q_$dff_Q_D_$mux_Y_S", "trim_q"}))
	require.Equal(t, []string{"vld_q_$adff_Q"}, own([]string{"vld_q_$adff_Q"}))
}
