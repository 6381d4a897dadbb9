package run

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// recordTo records into a file and returns its path.
func recordTo(t *testing.T, cfg Config, spec record.Spec) (string, error) {
	t.Helper()
	if spec.Per == "" {
		spec.Per = RecordPer(&cfg)
	}
	var b bytes.Buffer
	if _, err := Record(t.Context(), cfg, spec, &b); err != nil {
		return "", err
	}
	path := filepath.Join(t.TempDir(), "recorded.gwv")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	return path, nil
}

// The answers of the old RTL are the standard for the new RTL: the planted difference is found, the fixed RTL passes.
func TestRecordDesign(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, examples, "old_new/old.yaml")
	file, err := recordTo(t, cfg, record.Spec{})
	require.NoError(t, err)
	again, err := recordTo(t, cfg, record.Spec{})
	require.NoError(t, err)
	one, _ := os.ReadFile(file)
	two, _ := os.ReadFile(again)
	require.True(t, bytes.Equal(one, two), "equal commands give equal bytes")

	ctx, cfg := bound(t, examples, "old_new/new.yaml")
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	require.Equal(t, "-1", res.FirstMismatch.Fields[0].DiffLSB)
	require.Equal(t, "rsp_y", res.FirstMismatch.Fields[0].Name)

	ctx, cfg = bound(t, examples, "old_new/new_fixed.yaml")
	cfg.Source, cfg.Expect = "file", file
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.EqualValues(t, 3000, res.Responses)
}

// A design that needs several clock edges of reset gets as many as its binding states, whatever the stimulus draws.
func TestRecordHoldsReset(t *testing.T) {
	t.Parallel()
	const head = "  always_ff @(posedge clk_i or negedge rst_ni) begin\n    if (!rst_ni) begin\n      valid_q"
	dir := edited(t, examples+"/old_new", head, "  logic [2:0] low_q;\n  always_ff @(posedge clk_i) low_q <= rst_ni ? "+
		"3'd0 : {low_q[1:0], 1'b1};\n"+
		"  always_ff @(posedge clk_i) begin\n    if (!rst_ni && low_q[2]) begin\n      valid_q", "ewma_old.sv", "schema.yaml",
		"old.yaml")
	_, cfg := bound(t, dir, "old.yaml")
	slow, err := recordTo(t, cfg, record.Spec{})
	require.NoError(t, err)
	_, cfg = bound(t, examples, "old_new/old.yaml")
	quick, err := recordTo(t, cfg, record.Spec{})
	require.NoError(t, err)
	one, _ := os.ReadFile(slow)
	two, _ := os.ReadFile(quick)
	require.True(t, bytes.Equal(one, two), "the same answers from a reset that takes effect")
	cfg.Bind = other(t, dir, "old.yaml")
	cfg.Bind.Reset.Cycles = 1
	_, err = recordTo(t, cfg, record.Spec{})
	require.Error(t, err, "it answers what nobody asked")
}

// Faults of exactly, which one build holds.
const (
	sound = iota
	roundsDown
	readyLate
	dropsInit // an event with init is not answered
	mute      // never answers
	deaf      // never accepts
)

// exactly copies ewma_old with its faults, selects one and binds it cycle by cycle.
func exactly(t *testing.T, fault int) string {
	t.Helper()
	dir := edited(t, examples+"/old_new", "endmodule", "endmodule", "ewma_old.sv", "old.yaml", "schema.yaml")
	launchtest.Edit(t, filepath.Join(dir, "ewma_old.sv"),
		"  logic [79:0] avg_q;",
		"  int fault;\n  initial if (!$value$plusargs(\"fault=%d\", fault)) fault = 0;\n  logic [79:0] avg_q;",
		"29'd128", fmt.Sprintf("(fault == %d ? 29'd127 : 29'd128)", roundsDown),
		"(!valid_q || rsp_ready_i)",
		fmt.Sprintf("fault != %d && (!valid_q || rsp_ready_i && fault != %d)", deaf, readyLate),
		"<= ev_valid_i;",
		fmt.Sprintf("<= ev_valid_i && fault != %d && !(ev_init_i && fault == %d);", mute, dropsInit))
	file := filepath.Join(dir, "old.yaml")
	launchtest.Edit(t, file,
		"latency: elastic\norder: stream", fmt.Sprintf("latency: exact\nplusargs: [+fault=%d]", fault))
	return file
}

// Cycles are recorded only of a design that keeps a contract's time.
func TestRecordCycles(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, exactly(t, sound))
	file, err := recordTo(t, cfg, record.Spec{Per: format.PerCycle})
	require.NoError(t, err)
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Greater(t, res.Responses, uint64(2500))
	_, late := bound(t, exactly(t, readyLate))
	late.Source, late.Expect = "file", file
	res, err = Run(t.Context(), late)
	require.NoError(t, err)
	require.Equal(t, "ev_ready", res.FirstMismatch.Fields[0].Name)

	_, cfg = bound(t, examples, "old_new/old.yaml")
	_, err = recordTo(t, cfg, record.Spec{Per: format.PerCycle})
	require.ErrorContains(t, err, "latency: elastic")
}

// If some events have no answer, pairs are refused and only the order is kept.
func TestRecordWithoutPairs(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, exactly(t, dropsInit))
	_, err := recordTo(t, cfg, record.Spec{})
	require.ErrorIs(t, err, record.ErrUnpaired)
	file, err := recordTo(t, cfg, record.Spec{Pairing: format.PairOrder})
	require.NoError(t, err)
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Less(t, res.Responses, res.Events)
}

// A design that accepts nothing, or answers nothing, is an error and leaves no file. The wait is shorter than by
// default.
func TestRecordMuteDesign(t *testing.T) {
	t.Parallel()
	impatient := func(dut string) string {
		text, err := os.ReadFile(dut)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(dut, append(text, "\nflush: 100\npatience: 500\n"...), 0o644))
		return dut
	}
	_, cfg := bound(t, impatient(exactly(t, mute)))
	_, err := recordTo(t, cfg, record.Spec{Pairing: format.PairOrder})
	require.ErrorContains(t, err, "never answered")
	_, cfg = bound(t, impatient(exactly(t, deaf)))
	_, err = recordTo(t, cfg, record.Spec{})
	require.ErrorContains(t, err, "never became ready")
}

// The answers of a golden program are the standard for the design; the design differs from a changed program.
func TestRecordGolden(t *testing.T) {
	const rule = "(a + b + 9) & MASK"
	ctx, cfg := bound(t, examples, "public/dut.yaml")
	recorded := cfg
	recorded.Golden = golden(t, rule, rule)
	file, err := recordTo(t, recorded, record.Spec{})
	require.NoError(t, err)
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.EqualValues(t, 3000, res.Responses)

	recorded.Golden = golden(t, "self.total > 10", "self.total > 11")
	cfg.Expect, err = recordTo(t, recorded, record.Spec{})
	require.NoError(t, err)
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	_, err = recordTo(t, recorded, record.Spec{Per: format.PerCycle})
	require.ErrorContains(t, err, "gets events, not cycles")
}

// A design reads its data files from the folder of its dut.yaml, wherever the command is called. A missing data file,
// and one that is not numbers, is an error that names it.
func TestDataFiles(t *testing.T) {
	t.Parallel()
	for _, latency := range []string{"exact", "elastic"} {
		if latency == "exact" && !long() {
			continue // files are read before the first cycle, as in the elastic run; recording is not played so
		}
		dut := exactly(t, sound)
		if latency == "elastic" {
			launchtest.Edit(t, dut, "latency: exact", "latency: elastic")
		}
		launchtest.Edit(t, filepath.Join(filepath.Dir(dut), "ewma_old.sv"), ": 29'd128)", ": {21'd0, rom[0]})",
			"endmodule", "  logic [7:0] rom [4];\n  initial $readmemh(\"data/rom.hex\", rom);\nendmodule")

		ctx, cfg := bound(t, dut)
		cfg.Against = other(t, examples, "old_new/old.yaml")
		_, err := Run(ctx, cfg)
		require.ErrorContains(t, err, "$readmem file not found: data/rom.hex")
		require.ErrorContains(t, err, "the folder of its dut.yaml")
		_, err = recordTo(t, cfg, record.Spec{})
		require.ErrorContains(t, err, "$readmem file not found: data/rom.hex")

		data := filepath.Join(filepath.Dir(dut), "data", "rom.hex")
		require.NoError(t, os.Mkdir(filepath.Dir(data), 0o755))
		require.NoError(t, os.WriteFile(data, []byte("80 0 0 0\n"), 0o644))
		cfg.WaveDir = t.TempDir()
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Zero(t, res.Mismatches)
		require.NoError(t, os.WriteFile(data, []byte("7f 0 0 0\n"), 0o644))
		res, err = Run(ctx, cfg)
		require.NoError(t, err)
		require.EqualValues(t, 1, res.Mismatches)
		require.FileExists(t, res.FirstMismatch.Wave)
		require.NoError(t, os.WriteFile(data, []byte("no numbers\n"), 0o644))
		_, err = Run(ctx, cfg)
		require.ErrorContains(t, err, "$readmem")
		require.ErrorContains(t, err, "rom.hex")
	}
}
