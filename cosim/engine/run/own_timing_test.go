package run

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

const sumSchema = `block: adder
title: a sum without a handshake
streams:
  - {name: ev, dir: in, fields: [{name: a, width: 8}, {name: b, width: 8}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 9}]}
`

// Two adders without valid and ready. One is combinational and has neither clock nor reset; the other is a pipeline of
// three registers on two clocks that are the same, without a reset.
const combAdder = `module comb (input logic [7:0] a, input logic [7:0] b, output logic [8:0] y);
  assign y = a + b;
endmodule
`
const pipeAdder = `module pipe (input logic clk_a, input logic clk_b, input logic [7:0] a, input logic [7:0] b, output logic [8:0] y);
  logic [8:0] s, t;
  always_ff @(posedge clk_a) s <= a + b;
  always_ff @(posedge clk_b) t <= s;
  always_ff @(posedge clk_a) y <= t;
endmodule
`
const combBinding = `schema: schema.yaml
top: comb
sources: [comb.sv]
clock: none
reset: none
latency: LATENCY
map: {ev_valid: none, ev_ready: 1, ev.a: a, ev.b: b, rsp_valid: after ev, rsp_ready: none, rsp.y: y}
`
const pipeBinding = `schema: schema.yaml
top: pipe
sources: [pipe.sv]
clock: [clk_a, clk_b]
reset: none
latency: LATENCY
map: {ev_valid: none, ev_ready: 1, ev.a: a, ev.b: b, rsp_valid: after ev 3, rsp_ready: none, rsp.y: y}
`

// ownFiles writes files into a folder and returns a function that binds the design of one of its dut.yamls.
func ownFiles(t *testing.T, files map[string]string) func(name string) (context.Context, Config) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return func(name string) (context.Context, Config) { return bound(t, dir, name) }
}

// A design without valid, ready, clock or reset is bound by the latency of an answer, and its answers count.
func TestFixedLatency(t *testing.T) {
	t.Parallel()
	elastic := func(text string) string { return strings.ReplaceAll(text, "LATENCY", "elastic") }
	exact := func(text string) string { return strings.ReplaceAll(text, "LATENCY", "exact") }
	files := map[string]string{"schema.yaml": sumSchema, "comb.sv": combAdder, "pipe.sv": pipeAdder,
		"comb.yaml": elastic(combBinding), "pipe.yaml": elastic(pipeBinding), "exact.yaml": exact(pipeBinding),
		"late.yaml":  strings.Replace(elastic(pipeBinding), "after ev 3", "after ev 2", 1),
		"early.yaml": strings.Replace(exact(pipeBinding), "after ev 3", "after ev 4", 1)}
	open := ownFiles(t, files)
	run := func(dut, against string) (uint64, []string) {
		t.Helper()
		ctx, cfg := open(dut)
		_, ref := open(against)
		cfg.Against, cfg.Events, cfg.Self = ref.Bind, 500, dut == against
		res, err := Run(ctx, cfg)
		require.NoError(t, err, dut)
		if res.Mismatches == 0 {
			require.EqualValues(t, 500, res.Events)
			require.EqualValues(t, 500, res.Responses)
			return 0, nil
		}
		require.NotNil(t, res.FirstMismatch)
		return res.Mismatches, []string{res.FirstMismatch.Fields[0].Name}
	}
	n, _ := run("pipe.yaml", "comb.yaml")
	require.Zero(t, n)
	n, _ = run("exact.yaml", "exact.yaml")
	require.Zero(t, n, "cycle by cycle, without a ready of the output")
	n, fields := run("late.yaml", "comb.yaml")
	require.EqualValues(t, 1, n, "the answer of another event")
	require.Equal(t, []string{"rsp_y"}, fields)
	n, fields = run("early.yaml", "exact.yaml")
	require.EqualValues(t, 1, n, "the same answers in other cycles")
	require.Equal(t, []string{"rsp_valid"}, fields)

	// A recording has every answer too: an output without ready cannot be stalled.
	ctx, cfg := open("pipe.yaml")
	cfg.Events = 500
	totals, err := Record(ctx, cfg, record.Spec{Per: format.PerTransaction}, io.Discard)
	require.NoError(t, err)
	require.EqualValues(t, 500, totals.Transfers["rsp"])
}

const levelSchema = `block: level
title: a level without a handshake
streams:
  - {name: ev, dir: in, fields: [{name: x, width: 4}]}
  - {name: mode, dir: out, fields: [{name: m, width: 4}]}
`

// levelDesign keeps the last event. The second form takes one more cycle and shows a wrong value in between.
const levelDesign = `module level (input logic clk, input logic rst_n, input logic v, input logic [3:0] x, output logic [3:0] m);
  always_ff @(posedge clk or negedge rst_n) if (!rst_n) m <= 4'd5; else if (v) m <= x;
endmodule
module glitch (input logic clk, input logic rst_n, input logic v, input logic [3:0] x, output logic r,
	output logic [3:0] m);
  logic busy;
  logic [3:0] q;
  assign r = !busy;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin m <= 4'd5; busy <= 1'b0; q <= 4'd0; end
    else if (busy) begin m <= q; busy <= 1'b0; end
    else if (v) begin m <= 4'd9; busy <= 1'b1; q <= x; end
endmodule
`
const levelBinding = `schema: schema.yaml
top: level
sources: [level.sv]
clock: clk
reset: {port: rst_n, active: low, kind: async}
latency: elastic
map: {ev_valid: v, ev_ready: 1, ev.x: x, mode_valid: on change, mode_ready: none, mode.m: m}
`

// A level counts as a response when it changes or, if it may show wrong values in between, when it has stayed.
func TestLevelOutputs(t *testing.T) {
	t.Parallel()
	glitch := strings.NewReplacer("top: level", "top: glitch", "ev_ready: 1", "ev_ready: r").Replace(levelBinding)
	slow := func(text string) string { return strings.Replace(text, "on change", "on change 3", 1) }
	schema := levelSchema + "stimulus: {streams: [{name: ev, fields: [{name: x, range: [0, 8]}]}]}\n"
	open := ownFiles(t, map[string]string{"schema.yaml": schema, "level.sv": levelDesign, "level.yaml": levelBinding,
		"glitch.yaml": glitch, "settled.yaml": slow(glitch)})
	for dut, mismatches := range map[string]uint64{"level.yaml": 0, "glitch.yaml": 1, "settled.yaml": 0} {
		ctx, cfg := open(dut)
		_, ref := open("level.yaml")
		cfg.Against, cfg.Events, cfg.Self = ref.Bind, 500, dut == "level.yaml"
		res, err := Run(ctx, cfg)
		require.NoError(t, err, dut)
		require.Equal(t, mismatches, res.Mismatches, "%s: %+v", dut, res.FirstMismatch)
		if mismatches == 0 {
			require.Greater(t, res.Responses, uint64(300))
			require.Less(t, res.Responses, res.Events, "an event that changes nothing has no response")
		}
	}
}

// Our own block, held to its contract cycle by cycle, needs no ready of its outputs.
func TestExactWithoutReady(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(bindData + "/flat/exact.yaml")
	require.NoError(t, err)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	edited := strings.NewReplacer("rsp_ready: rsp_ready_i", "rsp_ready: none", "../../../../../",
		root+"/").Replace(string(text)) + "tie: {rsp_ready_i: 1}\n"
	ctx, cfg := ownFiles(t, map[string]string{"dut.yaml": edited})("dut.yaml")
	require.Equal(t, bind.Exact, cfg.Bind.Latency)
	cfg.Events = 3000
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.GreaterOrEqual(t, res.Responses, uint64(2000))
}
