package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// long reports whether the long tests run too.
func long() bool { return launchtest.Longer() }

// exampleDesigns returns the dut.yaml of every example, below examples.
func exampleDesigns(t *testing.T) (out []string) {
	t.Helper()
	files, err := filepath.Glob(examples + "/*/*.yaml")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if rel, err := filepath.Rel(examples, f); strings.Contains(string(text), "\ntop: ") {
			require.NoError(t, err)
			out = append(out, rel)
		}
	}
	require.GreaterOrEqual(t, len(out), 7)
	return out
}

// ourBinding returns the path of a dut.yaml for the RTL of one of our blocks, as dut init writes it, with pairs of
// texts replaced. If file is not empty, the RTL is a copy with old replaced by new in that file.
func ourBinding(t *testing.T, name, file, old, new string, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	rtl := "../../../hdl/rtl"
	if file != "" {
		rtl = launchtest.RTL(t, "../../..", file, old, new)
	}
	folders, err := filepath.Glob(rtl + "/*")
	require.NoError(t, err)
	k, err := block.Lookup(name)
	require.NoError(t, err)
	out := filepath.Join(dir, name+".yaml")
	gen := "../../../hdl/gen/"
	text, err := bind.Init(t.Context(), bind.InitSpec{File: gen + name + "_top.sv", Sources: []string{gen +
		"*_types.sv", gen + "*_pkg.sv"},
		Include: folders, Blocks: []*event.Block{k.Schema}, Out: out})
	require.NoError(t, err)
	for i := 0; i+1 < len(pairs); i += 2 {
		require.Contains(t, string(text), pairs[i])
		text = []byte(strings.Replace(string(text), pairs[i], pairs[i+1], 1))
	}
	require.NoError(t, os.WriteFile(out, text, 0o644))
	return out
}

// likeItself runs a design against a reference of the same latency, bit for bit, and returns the result.
func likeItself(ctx context.Context, t *testing.T, cfg Config, ref *bind.Binding, latency bind.Latency) *report.Result {
	t.Helper()
	design, reference := *cfg.Bind, *ref
	design.Latency, reference.Latency = latency, latency
	design.Judging, reference.Judging = bind.Judging{}, bind.Judging{}
	cfg.Bind, cfg.Against, cfg.Self = &design, &reference, true
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	return res
}

// requireCompared requires that every response was compared, and a field of each on average.
func requireCompared(t *testing.T, res *report.Result) {
	t.Helper()
	require.NotZero(t, res.Responses)
	require.Equal(t, res.Responses, res.Compared.Responses)
	require.GreaterOrEqual(t, res.Compared.Fields, res.Responses)
}

// requireSame requires a pass that compared every field of about as many responses as there were events.
func requireSame(t *testing.T, cfg *Config, res *report.Result) {
	t.Helper()
	require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
	require.Equal(t, report.Pass, res.Verdict(), res.Broken)
	require.NotEmpty(t, res.Digest)
	requireCompared(t, res)
	require.Greater(t, res.Events, cfg.Events/2) // for packets, an event is a whole packet
	require.Greater(t, res.Responses, cfg.Events/4)
	// Each response has fields that are compared whatever the others hold.
	always := 1 << 10
	for _, s := range cfg.Bind.Block.StreamsOf(event.Out) {
		n := 0
		for _, f := range s.Fields {
			if f.Mask == "" && f.When == "" {
				n++
			}
		}
		always = min(always, n)
	}
	require.GreaterOrEqual(t, res.Compared.Fields, res.Responses*uint64(max(always, 1)))
}

// stimulus drives a comparison of a design with itself.
type stimulus struct {
	source string
	seed   uint64
	events uint64
}

// stimuli returns the stimuli for a user-defined block, or for one of ours.
func stimuli(own bool) []stimulus {
	if !long() {
		return []stimulus{{"random", 5, 3000}}
	}
	out := []stimulus{{"random", 1, 20_000}, {"random", 2, 20_000}, {"random", 3, 20_000}}
	if !own {
		out = append(out, stimulus{"directed", 1, 3000}, stimulus{"fabric:permutation", 1, 20_000},
			stimulus{"fabric:incast32", 1, 20_000})
	}
	return out
}

var latencies = []bind.Latency{bind.Exact, bind.Elastic}

// Every example agrees with itself, cycle by cycle and by its answers alone.
func TestExamplesAgreeWithThemselves(t *testing.T) {
	t.Parallel()
	launchtest.Long(t, "the toys against themselves, and the tests of each example")
	for _, file := range exampleDesigns(t) {
		for _, latency := range latencies {
			x := other(t, examples, file)
			if latency == bind.Exact && (x.Beats > 0 || x.Domains != nil) {
				continue
			}
			own := x.SchemaFile != ""
			for _, s := range stimuli(own) {
				t.Run(fmt.Sprint(file, " ", latency, " ", s.source, " ", s.seed), func(t *testing.T) {
					ctx, cfg := bound(t, examples, file)
					cfg.Source, cfg.Seed, cfg.Events = s.source, s.seed, s.events
					requireSame(t, &cfg, likeItself(ctx, t, cfg, other(t, examples, file), latency))
				})
			}
		}
	}
}

// An example differs from a copy with a fault, in both ways of comparing.
func TestExamplesDifferFromAFaultyCopy(t *testing.T) {
	t.Parallel()
	const reset = "sum_q <= s_axis_tlast ? 8'd0 : sum_d;"
	faults := map[string]struct{ source, old, new, field string }{
		"old_new/old.yaml":       {"ewma_old.sv", "prod + 29'd128", "prod + 29'd127", "rsp_y"},
		"old_new/new.yaml":       {"ewma_new.sv", "{21'd0, half, 7'd0}", "29'd127", "rsp_y"},
		"old_new/new_fixed.yaml": {"ewma_new_fixed.sv", "prod_s2 + 29'd128", "prod_s2 + 29'd127", "rsp_y"},
		"public/dut.yaml":        {"secret_stream.sv", "kept_x_q <= x;", "kept_x_q <= x ^ 32'd1;", "rsp_x"},
		"vhdl/dut.yaml":          {"trim64.vhd", "plen < 10", "plen < 9", "tx_cause"},
		"two_clocks/dut.yaml":    {"async_fifo.sv", "gray[i] ^ sum[i+1]", "gray[i]", "tx_data"},
		// only after a stall
		"stream/old.yaml": {"flip_old.sv", reset, "sum_q <= sum_d;", "tx_sum"},
		"stream/new.yaml": {"flip_new.sv", reset, "sum_q <= sum_d;", "tx_sum"},
		"ccc_foreign/dut.yaml": {"acme_cc_seq.sv", "if (rq.ecn && qd >= csr.target)", "if (rq.ecn && qd > csr.target)",
			"rsp_action"},
		"ccc_narrow/dut.yaml":  {"acme_cc_narrow.sv", "AVG_FRAC   = 8,", "AVG_FRAC   = 9,", "rsp_avg_delay"},
		"trimmer_256/dut.yaml": {"kite_trim.sv", "new_class[1:0] = 2'b11;", "new_class[1:0] = 2'b10;", "tx_data"},
	}
	for _, file := range exampleDesigns(t) {
		require.Contains(t, faults, file, "no fault for it")
	}
	launchtest.Long(t, "TestAgainstCycleByCycle, TestAgainstOldRTL and the tests of each example with a fault")
	for _, file := range exampleDesigns(t) {
		f := faults[file]
		for _, latency := range latencies {
			if x := other(t, examples, file); latency == bind.Exact && (x.Beats > 0 || x.Domains != nil) {
				continue // its cycles are its own
			}
			t.Run(file+"/"+string(latency), func(t *testing.T) {
				all := t.TempDir() // an example may use the files of another
				require.NoError(t, os.CopyFS(all, os.DirFS(examples)))
				dir := filepath.Join(all, filepath.Dir(file))
				source := filepath.Join(dir, f.source)
				launchtest.Edit(t, source, f.old, f.new)
				ctx, cfg := bound(t, dir, filepath.Base(file))
				cfg.Events, cfg.NoShrink = 20_000, true
				res := likeItself(ctx, t, cfg, other(t, examples, file), latency)
				requireFound(t, res, f.field)
			})
		}
	}
}

// requireFound requires a mismatch in a field.
func requireFound(t *testing.T, res *report.Result, field string) {
	t.Helper()
	require.NotZero(t, res.Mismatches)
	require.Equal(t, report.Mismatched, res.Verdict())
	names := make([]string, len(res.FirstMismatch.Fields))
	for i, f := range res.FirstMismatch.Fields {
		names[i] = f.Name
	}
	require.True(t, slices.Contains(names, field), "%s is not among %v", field, names)
}

// Each of our blocks agrees with itself under a binding written by dut init. A block with several input streams that
// cannot take turns has no elastic form, and its binding is refused.
func TestOurBlocksAgreeWithThemselves(t *testing.T) {
	t.Parallel()
	for _, name := range block.Blocks() {
		k, err := block.Lookup(name)
		require.NoError(t, err)
		several := len(k.Schema.StreamsOf(event.In)) > 1
		for _, latency := range latencies {
			if several && latency == bind.Elastic && !k.Schema.Turns {
				_, err := bind.Load(ourBinding(t, name, "", "", "", "latency: exact", "latency: elastic"), lookedUp)
				require.ErrorContains(t, err, fmt.Sprintf("block %s has several input streams", name))
				continue
			}
			for _, s := range stimuli(false) {
				t.Run(fmt.Sprint(name, " ", latency, " ", s.source, " ", s.seed), func(t *testing.T) {
					launchtest.Long(t, "the toys against themselves, and TestBoundDesignPasses")
					ctx, cfg := bound(t, ourBinding(t, name, "", "", ""))
					cfg.Source, cfg.Seed, cfg.Events = s.source, s.seed, s.events
					requireSame(t, &cfg, likeItself(ctx, t, cfg, other(t, ourBinding(t, name, "", "", "")), latency))
				})
			}
		}
	}
}

// lookedUp returns the schema of one of our blocks.
func lookedUp(name string) (*event.Block, error) {
	k, err := block.Lookup(name)
	if err != nil {
		return nil, err
	}
	return k.Schema, nil
}

// One of our blocks differs from a copy with another parameter value or with a fault.
func TestOurBlocksDifferFromAFaultyCopy(t *testing.T) {
	t.Parallel()
	faults := map[string]struct {
		file, old, new string
		pairs          []string
	}{
		"ccc": {pairs: []string{"NumContexts: NumContexts", "NumContexts: 128"}},
		"txstate": {file: "txstate.sv", old: "(old_rtx == 2'd0) ? 2'd1 : 2'd2;",
			new: "(old_rtx == 2'd0) ? 2'd1 : 2'd3;"},
		"ackgen":     {pairs: []string{"Pdcs: Pdcs", "Pdcs: 8"}},
		"ackparse":   {file: "ackparse_rule.sv", old: "(cc_type > 4'd1)", new: "(cc_type > 4'd2)"},
		"credit":     {pairs: []string{"Senders: Senders", "Senders: 16"}},
		"egress":     {pairs: []string{"Depth: Depth", "Depth: 32"}},
		"intmd":      {pairs: []string{"NumPorts: NumPorts", "NumPorts: 2"}},
		"switchport": {pairs: []string{"Slots: Slots", "Slots: 16"}},
		"nic":        {pairs: []string{"Contexts: Contexts", "Contexts: 2"}},
		"txpdc":      {pairs: []string{"Contexts: Contexts", "Contexts: 2"}},
		"trimmer":    {file: "trimmer.sv", old: "counted & trimmed & ~last_hop;", new: "counted & trimmed;"},
	}
	for _, name := range block.Blocks() {
		require.Contains(t, faults, name, "no fault for it")
	}
	launchtest.Long(t, "TestAgainstCycleByCycle and TestTurns")
	for _, name := range block.Blocks() {
		f := faults[name]
		for _, latency := range latencies {
			k, err := block.Lookup(name)
			require.NoError(t, err)
			if latency == bind.Elastic && len(k.Schema.StreamsOf(event.In)) > 1 {
				continue
			}
			t.Run(name+"/"+string(latency), func(t *testing.T) {
				ctx, cfg := bound(t, ourBinding(t, name, f.file, f.old, f.new, f.pairs...))
				cfg.Source, cfg.NoShrink = "directed", true
				res := likeItself(ctx, t, cfg, other(t, ourBinding(t, name, "", "", "")), latency)
				require.NotZero(t, res.Mismatches)
				require.Equal(t, report.Mismatched, res.Verdict())
			})
		}
	}
}
