package bind

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

const adapted = `block: adapted
title: t
doc: d
streams:
  - {name: ev, dir: in, doc: numbers, fields: [{name: x, width: 8, doc: number}]}
  - {name: rsp, dir: out, doc: answers, fields: [{name: y, width: 8, doc: answer}, {name: z, width: 70, doc: wide}]}
  - {name: log, dir: out, doc: lines, fields: [{name: l, width: 8, doc: line}]}
`

// adaptedDesign returns a binding with the given reset and edits of its map, and a module that it fits.
func adaptedDesign(t *testing.T, reset, edits string) (*Binding, *Module) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "schema.yaml"), []byte(adapted), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d.sv"), nil, 0o644))
	path := filepath.Join(dir, "dut.yaml")
	require.NoError(t, os.WriteFile(path, []byte("schema: schema.yaml\ntop: d\nsources: [d.sv]\nclock: clk\nreset: "+
		"{port: rst, "+reset+"}\nlatency: elastic\n"+
		"map:\n  ev_valid: v\n  ev_ready: r\n  ev.x: x\n  rsp_valid: ov\n  log_valid: lv\n  log.l: l\n"+edits), 0o644))
	b, err := Load(path, lookup)
	require.NoError(t, err)
	m := &Module{}
	for _, p := range []Port{{Name: "clk", Dir: "in", Width: 1}, {Name: "rst", Dir: "in", Width: 1},
		{Name: "v", Dir: "in", Width: 1}, {Name: "r", Dir: "out", Width: 1},
		{Name: "x", Dir: "in", Width: 8, Left: 7}, {Name: "ov", Dir: "out", Width: 1}, {Name: "ordy", Dir: "in", Width: 1},
		{Name: "y", Dir: "out", Width: 16, Left: 15},
		{Name: "lv", Dir: "out", Width: 1}, {Name: "lrdy", Dir: "in", Width: 1}, {Name: "l", Dir: "out", Width: 8, Left: 7}} {
		m.Ports = append(m.Ports, p)
	}
	return b, m
}

// The adapter's text for resets of both polarities and kinds, inverted slices, and what is not there.
func TestAdapter(t *testing.T) {
	const edits = "  rsp_ready: ordy\n  log_ready: lrdy\n  rsp.y: \"{~y[15:12], y[3:0]}\"\n  rsp.z: none\n"
	const silent = " & {1{rst_ni}};"
	for _, c := range []struct {
		reset, assign, mask string
	}{
		{"active: low, kind: async", "rst_ni", ";"},
		{"active: high, kind: async", "~rst_ni", ";"},
		{"active: low, kind: sync", "rst_ni", silent},
		{"active: high, kind: sync", "~rst_ni", silent},
	} {
		b, m := adaptedDesign(t, c.reset, edits)
		w, ps := b.wire(m)
		require.NoError(t, ps.err())
		text := adapter{b}.text(w)
		for _, line := range []string{
			"assign p_clk = clk_i;", "assign p_rst = " + c.assign + ";",
			"assign ev_ready_o = {p_r}" + c.mask, "assign rsp_valid_o = {p_ov}" + c.mask, "assign log_valid_o = {p_lv}" + c.mask,
			"assign rsp_y_o = {~p_y[15:12], p_y[3:0]};", "assign rsp_z_o = 70'd0;", "assign log_l_o = {p_l[7:0]};",
			"assign p_ordy = rsp_ready_i;", ".ordy(p_ordy)",
		} {
			require.Contains(t, text, line, c.reset)
		}
	}
}

// Bits of an input that a design has no place for go nowhere, and the others to their own.
func TestAdapterDropsBits(t *testing.T) {
	for text, want := range map[string][]string{
		"{4'd0, x[3:0]}":              {"assign p_x[3:0] = ev_x_i[3:0];"},
		"{x[3:0], 4'd0}":              {"assign p_x[3:0] = ev_x_i[7:4];"},
		"{x[1:0], 4'd0, ~x[3], 1'd0}": {"assign p_x[1:0] = ev_x_i[7:6];", "assign p_x[3:3] = ~ev_x_i[1:1];"},
	} {
		b, m := adaptedDesign(t, "active: low, kind: async", "  rsp_ready: ordy\n  log_ready: lrdy\n  rsp.y: y[7:0]\n  "+
			"rsp.z: none\n")
		var err error
		b.Map["ev.x"], err = ParseExpr(text)
		require.NoError(t, err)
		w, _ := b.wire(m) // that some bits of x are driven by nothing is another matter
		for _, line := range want {
			require.Contains(t, adapter{b}.text(w), line, text)
		}
	}
}

// What a design has no port for is not compared, and nothing besides; an output without ready is not stalled,
// and the others are.
func TestUncomparedAndNoStall(t *testing.T) {
	const all = "  rsp_ready: ordy\n  log_ready: lrdy\n  rsp.y: y[7:0]\n"
	b, _ := adaptedDesign(t, "active: low, kind: async", all+"  rsp.z: 70'd0\n")
	require.Nil(t, b.Uncompared())
	require.Nil(t, b.NoStall())
	for _, name := range []string{"y", "z"} {
		b, _ = adaptedDesign(t, "active: low, kind: async", all+"  rsp.z: 70'd0\n")
		b.Map["rsp."+name] = Expr{None: true}
		l := event.NewLayout(b.Block)
		// As the packed record itself tells: all ones in that field alone.
		want := make([]uint64, l.Out.Words)
		s := l.Out.Slot("rsp", name)
		for bit := range s.Field.Width {
			at := s.Bit + bit
			want[s.Word+at/64] |= 1 << (at % 64)
		}
		require.Equal(t, want, b.Uncompared(), name)
		require.NotZero(t, l.Out.Slot("rsp", "y").Bit)
	}
	for open, want := range map[string][]bool{"rsp": {true, false}, "log": {false, true}} {
		b, _ = adaptedDesign(t, "active: low, kind: async", all+"  rsp.z: 70'd0\n")
		b.Map[open+"_ready"] = Expr{None: true}
		require.Equal(t, want, b.NoStall())
	}
}
