package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// exactly copies ewma_old with a text replaced and binds it cycle by cycle.
func exactly(t *testing.T, old, new string) string {
	t.Helper()
	const from = examples + "/old_new"
	dir := edited(t, from, old, new, "ewma_old.sv", "schema.yaml")
	text, err := os.ReadFile(filepath.Join(from, "old.yaml"))
	require.NoError(t, err)
	file := filepath.Join(dir, "exact.yaml")
	text = []byte(strings.NewReplacer("latency: elastic", "latency: exact", "order: stream\n", "").Replace(string(text)))
	require.NoError(t, os.WriteFile(file, text, 0o644))
	return file
}

// Cycles are recorded only of a design that keeps a contract's time.
func TestRecordCycles(t *testing.T) {
	t.Parallel()
	const same = "// Throughput:  one sample per cycle."
	_, cfg := bound(t, exactly(t, same, same))
	file, err := recordTo(t, cfg, record.Spec{Per: format.PerCycle})
	require.NoError(t, err)
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Greater(t, res.Responses, uint64(2500))
	_, late := bound(t, exactly(t, "rst_ni && (!valid_q || rsp_ready_i)", "rst_ni && !valid_q"))
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
	_, cfg := bound(t, exactly(t, "valid_q <= ev_valid_i;", "valid_q <= ev_valid_i && !ev_init_i;"))
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
		require.NoError(t, os.WriteFile(dut, append(text, "\nflush: 1000\npatience: 5000\n"...), 0o644))
		return dut
	}
	_, cfg := bound(t, impatient(exactly(t, "valid_q <= ev_valid_i;", "valid_q <= 1'b0;")))
	_, err := recordTo(t, cfg, record.Spec{Pairing: format.PairOrder})
	require.ErrorContains(t, err, "never answered")
	_, cfg = bound(t, impatient(exactly(t, "rst_ni && (!valid_q || rsp_ready_i)", "1'b0")))
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
	const round = "prod + 29'd128"
	for _, latency := range []string{"exact", "elastic"} {
		dut := exactly(t, round, "prod + {21'd0, rom[0]}")
		text, err := os.ReadFile(dut)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(dut, []byte(strings.ReplaceAll(string(text), "latency: exact", "latency: "+latency)),
			0o644))
		source := filepath.Join(filepath.Dir(dut), "ewma_old.sv")
		text, err = os.ReadFile(source)
		require.NoError(t, err)
		text = []byte(strings.ReplaceAll(string(text), "endmodule",
			"  logic [7:0] rom [4];\n  initial $readmemh(\"data/rom.hex\", rom);\nendmodule"))
		require.NoError(t, os.WriteFile(source, text, 0o644))

		ctx, cfg := bound(t, dut)
		cfg.Against = other(t, examples, "old_new/old.yaml")
		_, err = Run(ctx, cfg)
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
