package bind

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Every problem of a file is told at once, each with its line.
func TestCheckTellsEverything(t *testing.T) {
	ctx := simulator(t)
	for file, want := range map[string][]string{
		"keys.yaml": {
			`keys.yaml:3: unknown key "source"; did you mean sources?`,
			`keys.yaml:4: gone.sv: no such file`,
			`keys.yaml:6: active "hihg": give high or low; did you mean high?`,
			`keys.yaml:7: latency "elastik"`,
			`keys.yaml:8: soon is not a number`,
			"keys.yaml:9: order context needs the key `key`",
			`keys.yaml:10: "quiet": each begins with +`,
			`keys.yaml:11: block txstate has no parameter NumPdc; it has NumPdcs, Depth`,
			`keys.yaml:12: ev_ready is not mapped`,
			`keys.yaml:12: rsp.refused (1 bit) is not mapped`,
			`keys.yaml:14: ev.knid: block txstate has no such port; did you mean ev.kind?`,
			`keys.yaml:15: YAML reserves braces`,
			`keys.yaml:16: rsp_valid: "out_valid[": "[" is not a slice`,
		},
		"ports.yaml": {
			`ports.yaml:5: reset: module mute has no port reset; did you mean rst?`,
			`ports.yaml:9: ev_ready is an output of the block, and port in_data (testdata/broken/mute.sv:6) ` +
				`an input of the design`,
			`ports.yaml:10: ev.kind is 3 wide and in_data[121:120] 2`,
			`ports.yaml:11: ev.pdc: in_data[130:115] is not within in_data[122:0]`,
			`ports.yaml:12: ev.psn: module mute has no port in_dta; did you mean in_data?`,
			`ports.yaml:25: rsp.found is 1 wide and out_data 139; out_data[0:0] takes the lower 1`,
			`ports.yaml:34: ev_valid and tie both drive bit 0 of in_valid`,
			`ports.yaml:34: tie: module mute has no port nothing`,
			`ports.yaml:34: tie: 2 does not fit into in_data[0], which is 1 wide`,
			`ports.yaml:34: bits 122:72 of input in_data (testdata/broken/mute.sv:6) are driven by nothing`,
			`ports.yaml:35: module mute has no parameter DEPTH`,
		},
		"syntax.yaml": {`testdata/broken/syntax.sv:7: syntax error`},
	} {
		t.Run(file, func(t *testing.T) {
			_, _, err := CheckFile(ctx, filepath.Join("testdata", "broken", file), lookup)
			var ps Problems
			require.ErrorAs(t, err, &ps)
			for _, w := range want {
				require.ErrorContains(t, err, w)
			}
			for i := 1; i < len(ps); i++ {
				require.LessOrEqual(t, ps[i-1].Line, ps[i].Line)
			}
		})
	}
}

// Text that is no dut.yaml at all gets one problem with its line.
func TestLoadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "the file is empty",
		"block: [":                        "dut.yaml:1:",
		"block: nothing\n":                "dut.yaml:1: file does not exist",
		"block: ccc\nschema: x.yaml\n":    "dut.yaml:2: block and schema are both given",
		"top: x\n":                        "the key block is missing",
		"block: ccc\nmap: {ev.m: {a: b}}": "dut.yaml:2: YAML reserves braces",
		"block: ccc\nmap: {a: b, a: c}":   "dut.yaml:2: ",
		"block: ccc\nlatency: exact\nmap: {rsp_ready: none, rsp.cwnd: none}": "dut.yaml:3: rsp.cwnd: none leaves it " +
			"uncompared",
		"block: ccc\nlatency: exact\nreset: none\n": "dut.yaml:3: reset none: the contract of block " +
			"ccc has a reset",
		"block: ccc\nreset: {prot: x}\n": `dut.yaml:2: unknown key "prot"; did you mean port?`,
		"block: ccc\nclock: {a: b}\n":    "dut.yaml:2: ",
		"block: ccc\nmap: {rsp_valid: after ev 3, rsp_ready: r}": "rsp_valid: after ev 3 gives a response without a " +
			"handshake; map rsp_ready to none",
		"block: ccc\nmap: {rsp_valid: after rsp, rsp_ready: none}": "rsp_valid: after rsp: block ccc has no input " +
			"stream rsp",
		"block: ccc\nmap: {rsp_valid: after ev 4097, rsp_ready: none}": "4097 cycles is not in 0..4096",
		"block: ccc\nmap: {rsp.cwnd: on change}": "rsp.cwnd: on change is for the valid of an " +
			"output stream",
		"block: ccc\nmap: {ev_valid: none}": "ev_valid cannot be none; give a port or a constant. Of a design without valid",
		"block: ccc\nmap: {rsp_valid: none}": "rsp_valid cannot be none; give a port, a constant, `after STREAM CYCLES` " +
			"or `on change`",
		"block: egress\nlatency: elastic\n": "dut.yaml:2: block egress has several input streams",
		"block: ccc\nsources: [.]\n":        "dut.yaml:2: .: it is a folder; list its files, such as ./*.sv",
		"block: x\nstreams: []\n":           "this is a block's schema, but a dut.yaml is expected",
		"schema: gone.yaml\n":               "dut.yaml:1: schema: open",
	} {
		path := filepath.Join(t.TempDir(), "dut.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := Load(path, lookup)
		require.ErrorContains(t, err, want, text)
	}
}

func TestExpr(t *testing.T) {
	for text, want := range map[string][]Piece{
		"a":       {{Port: "a"}},
		"~a[7:4]": {{Port: "a", Slice: true, From: 7, To: 4, Invert: true}},
		"{a.b.c, ~{d[3]}}": {{Port: "a", Members: []string{"b", "c"}},
			{Port: "d", Slice: true, From: 3, To: 3, Invert: true}},
	} {
		e, err := ParseExpr(text)
		require.NoError(t, err, text)
		require.Equal(t, want, e.Pieces, text)
	}
	for text, value := range map[string]int64{"0": 0, "1": 1, "8'hff": 255, "4'b1010": 10, "~4'b1010": 5, "~0": 1,
		"0x1F": 31, "0b1_01": 5, "0o17": 15} {
		e, err := ParseExpr(text)
		require.NoError(t, err, text)
		v, ok := e.Constant(1)
		require.True(t, ok, text)
		require.Equal(t, value, v.Int64(), text)
	}
	for text, value := range map[string]int64{"~0": 0xffff, "~1": 0xfffe, "!0": 0xffff, "~~3": 3, "~4'd5": 10} {
		e, err := ParseExpr(text)
		require.NoError(t, err, text)
		v, ok := e.Constant(16)
		require.True(t, ok, text)
		require.Equal(t, value, v.Int64(), "%s inverts all bits that it stands for", text)
	}
	for text, want := range map[string]string{
		"": "nothing is given", "a b": "left over", "{a, b": "} is missing", "{a; b}": "neither , nor }",
		"a[": "not a slice", "a.": "member's name",
		"{a, 0}": "needs its width", "3'd9": "does not fit into 3 bits", "8'b12": "not a number of base 2",
		"0b12": "0b12 is not a number", "+": "not a port", "~": "ends where",
	} {
		_, err := ParseExpr(text)
		require.ErrorContains(t, err, want, text)
	}
}

// The JSON form of the tree, which newer Verilators write, gives the same module as the XML form.
func TestTreeForms(t *testing.T) {
	tree := `{"type":"NETLIST","name":"$root","modulesp":[
	 {"type":"MODULE","name":"top__N6","loc":"d,2:8,2:11","origName":"top","stmtsp":[
	  {"type":"VAR","name":"N","loc":"d,2:20,2:21","dtypep":"(I)","origName":"N","direction":"NONE",
   "varType":"GPARAM","isGParam":true,"isParam":true},
	  {"type":"VAR","name":"clk","loc":"d,3:15,3:18","dtypep":"(L)","origName":"clk","direction":"INPUT",
   "varType":"PORT","isGParam":false},
	  {"type":"VAR","name":"s","loc":"d,4:15,4:18","dtypep":"(R)","origName":"s","direction":"INPUT"},
	  {"type":"VAR","name":"q","loc":"d,5:22,5:23","dtypep":"(V)","origName":"q","direction":"OUTPUT"},
	  {"type":"VAR","name":"tmp","loc":"d,6:22,6:23","dtypep":"(V)","origName":"tmp","direction":"NONE"},
	  {"type":"ALWAYS","name":"","sensesp":[{"type":"SENTREE","sensesp":[{"type":"SENITEM","edgeType":"NEG",
   "sensp":[{"type":"VARREF","name":"rst_n"}]}]}]}
	 ]}],
	 "miscsp":[{"type":"TYPETABLE","typesp":[
	  {"type":"BASICDTYPE","name":"int","addr":"(I)","keyword":"int","range":"31:0"},
	  {"type":"BASICDTYPE","name":"logic","addr":"(L)","keyword":"logic","generic":true},
	  {"type":"BASICDTYPE","name":"logic","addr":"(V)","keyword":"logic","range":"0:3"},
	  {"type":"REFDTYPE","name":"s_t","addr":"(R)","dtypep":"(S)","refDTypep":"(S)"},
	  {"type":"STRUCTDTYPE","name":"s_t","addr":"(S)","membersp":[
	   {"type":"MEMBERDTYPE","name":"k","addr":"(M)","dtypep":"(V)","name":"k__05Fcoded"},
	   {"type":"MEMBERDTYPE","name":"arr","addr":"(N)","dtypep":"(P)"}]},
	  {"type":"PACKARRAYDTYPE","name":"","addr":"(P)","declRange":"[1:0]","dtypep":"(P)","refDTypep":"(V)"}]}]}`
	n, err := readJSON([]byte(tree), []byte(`{"files":{"a":{"filename":"<built-in>"},"d":{"filename":"top.sv"}}}`))
	require.NoError(t, err)
	m, err := n.module("top")
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, &Module{Name: "top", Params: []string{"N"}, Files: []string{filepath.Join(wd, "top.sv")},
		Edges: []Edge{{"rst_n", true}}, Ports: []Port{
			{Name: "clk", Dir: "in", Width: 1, Line: "top.sv:3", Type: "logic"},
			{Name: "s", Dir: "in", Width: 12, Left: 11, Line: "top.sv:4", Type: "struct s_t",
				Members: []Member{{"k", 8, 4, nil}, {"arr", 0, 8, nil}}},
			{Name: "q", Dir: "out", Width: 4, Left: 0, Right: 3, Line: "top.sv:5", Type: "logic [0:3]"},
		}}, m)
	for _, bad := range []string{"", "{", "[]"} {
		if n, err := readJSON([]byte(bad), []byte("{}")); err == nil {
			_, err = n.module("top")
			require.ErrorIs(t, err, ErrTree)
		}
	}
	_, err = readXML([]byte("<verilator_xml><netlist>"))
	require.ErrorIs(t, err, ErrTree)
}

// What init writes can be checked: our own flat top is bound whole, a design of other names as far as the
// guesses go.
func TestInit(t *testing.T) {
	ctx := simulator(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "dut.yaml")
	gen := filepath.Join("..", "..", "..", "hdl", "gen")
	blocks := []*event.Block{ccc.Schema(), txstate.Schema()}
	text, err := Init(ctx, InitSpec{File: filepath.Join(gen, "txstate_top.sv"),
		Sources: []string{filepath.Join(gen, "txstate_types.sv"), filepath.Join(gen, "txstate_pkg.sv")},
		Include: []string{filepath.Join(gen, "..", "rtl", "common"), filepath.Join(gen, "..", "rtl", "txstate")},
		Blocks:  blocks, Out: out})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, text, 0o644))
	b, _, err := CheckFile(ctx, out, lookup)
	require.NoError(t, err, "%s", text)
	require.Equal(t, "txstate", b.Block.Name)
	require.Equal(t, Reset{Port: "rst_ni", Cycles: DefaultResetCycles}, b.Reset)
	require.Equal(t, "NumPdcs", b.Parameters["NumPdcs"])

	text, err = Init(ctx, InitSpec{File: filepath.Join("testdata", "broken", "mute.sv"), Blocks: blocks[1:], Out: out})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, text, 0o644))
	_, _, err = CheckFile(ctx, out, lookup)
	var ps Problems
	require.ErrorAs(t, err, &ps, "%s", text)
	for _, p := range ps {
		require.Regexp(t, `is not mapped|driven by nothing`, p.Text, "%s", text)
	}

	// A design that matches none of the blocks is bound to none, and to one's own by its schema.
	ewma := filepath.Join("..", "..", "..", "hdl", "examples", "old_new")
	_, err = Init(ctx, InitSpec{File: filepath.Join(ewma, "ewma_new.sv"), Blocks: blocks})
	require.ErrorContains(t, err, "module ewma_new matches none of the blocks")
	require.ErrorContains(t, err, "--schema FILE.yaml")
	schema := filepath.Join(ewma, "schema.yaml")
	own, err := event.Load(schema)
	require.NoError(t, err)
	text, err = Init(ctx, InitSpec{File: filepath.Join(ewma, "ewma_new.sv"), Blocks: []*event.Block{own},
		Schema: schema, Out: out})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, text, 0o644))
	b, _, err = CheckFile(ctx, out, lookup)
	require.NoError(t, err, "%s", text)
	require.Equal(t, "ewma", b.Block.Name)
	require.Len(t, b.Map, 10)
	require.NoError(t, os.WriteFile(out, append(text, "block_parameters: {A: 1}\n"...), 0o644))
	_, err = Load(out, lookup)
	require.ErrorContains(t, err, "block ewma has no parameters; leave A out")

	// One letter for a control, a schema without words, ports that nothing is like.
	bare, err := event.Parse([]byte("block: bare\ntitle: t\nparams: [{name: Depth, default: 4, min: 1, max: 8}]\n" +
		"streams:\n  - {name: cmd, dir: in, fields: [{name: n, width: 8}, {name: one, width: 1}]}\n  - {name: ans, dir: " +
		"out, fields: [{name: n, width: 8}]}\n"))
	require.NoError(t, err)
	top := filepath.Join(dir, "bare.sv")
	require.NoError(t, os.WriteFile(top, []byte("module bare(input clk, input rst, input cmd_v, output cmd_r, input "+
		"[7:0] cmd_n, input odd,\n"+
		"  output ans_v, input ans_r, output [7:0] ans_n);\n  assign {cmd_r, ans_v, ans_n} = '0;\nendmodule\n"), 0o644))
	text, err = Init(ctx, InitSpec{File: top, Blocks: []*event.Block{bare}, Schema: schema, Out: out})
	require.NoError(t, err)
	for _, line := range []string{"  cmd_valid: cmd_v  # a guess by likeness\n", "  cmd_ready: cmd_r  # a guess by " +
		"likeness\n", "  ans_ready: ans_r  # a guess by likeness\n",
		"  # cmd.one: ?  # 1 bit; none leaves it out\n", "  Depth: 4\n", "\"odd\": 0  # 1 bit, logic\n"} {
		require.Contains(t, string(text), line)
	}

	_, err = Init(ctx, InitSpec{File: filepath.Join("testdata", "broken", "syntax.sv"), Blocks: blocks})
	require.ErrorContains(t, err, "syntax.sv:7: syntax error")
}

// A path that the build cannot take is told before it fails, with the folder that is at fault and once for it.
func TestCheckPaths(t *testing.T) {
	for _, name := range []string{"my rtl", "it's", "a$b"} {
		dir := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Mkdir(dir, 0o755))
		for _, f := range []string{"a.sv", "b.sv"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, f), nil, 0o644))
		}
		path := filepath.Join(dir, "dut.yaml")
		require.NoError(t, os.WriteFile(path, []byte("block: ccc\nsources: [a.sv, b.sv]\n"), 0o644))
		_, err := Load(path, lookup)
		var ps Problems
		require.ErrorAs(t, err, &ps)
		require.Equal(t, 1, strings.Count(err.Error(), "the build cannot take spaces"))
		require.ErrorContains(t, err, "dut.yaml:2: ")
		require.ErrorContains(t, err, name+`"`)
	}
}

// A wrong name of the top is answered with the names that are there.
func TestCheckTop(t *testing.T) {
	ctx := simulator(t)
	text, err := os.ReadFile(filepath.Join("testdata", "broken", "mute.yaml"))
	require.NoError(t, err)
	sv, err := filepath.Abs(filepath.Join("testdata", "broken", "mute.sv"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "dut.yaml")
	text = []byte(strings.NewReplacer("top: mute", "top: mut", "mute.sv", sv).Replace(string(text)))
	require.NoError(t, os.WriteFile(path, text, 0o644))
	_, _, err = CheckFile(ctx, path, lookup)
	require.ErrorContains(t, err, "dut.yaml:2: module mut is in none of the sources; they have mute; did you mean mute?")
}

// A key that appears twice is one problem: the values it leaves out are not further ones.
func TestDuplicateKey(t *testing.T) {
	text, err := os.ReadFile("testdata/flat/exact.yaml")
	require.NoError(t, err)
	for _, again := range []string{"top: other\n", "reset: {port: x}\n", "map: {ev_valid: x}\n"} {
		file := filepath.Join(t.TempDir(), "dut.yaml")
		require.NoError(t, os.WriteFile(file, append(slices.Clone(text), again...), 0o644))
		_, _, err = CheckFile(t.Context(), file, lookup)
		var ps Problems
		require.ErrorAs(t, err, &ps)
		require.Len(t, ps, 1)
		key, _, _ := strings.Cut(again, ":")
		require.Contains(t, ps[0].Text, fmt.Sprintf("%q already defined at line", key))
		require.Equal(t, strings.Count(string(text), "\n")+1, ps[0].Line)
	}
}

// The fields that identify responses must exist, and exact has no order.
func TestOrderThatCannotBe(t *testing.T) {
	for file, edits := range map[string][]string{
		"context.yaml": {"rsp.pdc: rsp_pdc_o", "rsp.pdc: none", "key pdc: it is mapped to none"},
		"exact.yaml": {"latency: exact", "latency: exact\norder: stream",
			"order stream: latency exact compares every cycle"},
	} {
		text, err := os.ReadFile("testdata/flat/" + file)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), edits[0]), file)
		path := filepath.Join(t.TempDir(), file)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), edits[0], edits[1], 1)), 0o644))
		_, err = Load(path, lookup)
		require.ErrorContains(t, err, edits[2])
	}
}
