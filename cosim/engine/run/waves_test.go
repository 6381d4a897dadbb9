package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
)

// The wave of a failure shows the difference in the cycle of the mismatch and not before. The design's outputs in it
// equal those in the dump of the design's own ports.
func TestWaveOfMismatch(t *testing.T) {
	t.Parallel()
	cfg := config("txstate", "random", 50_000)
	plantWrongCount(t, &cfg)
	cfg.WaveDir, cfg.NoShrink = t.TempDir(), true
	m := mustRun(t, cfg).FirstMismatch
	require.Empty(t, m.Note)
	all := run.Track(t, m.Wave, "goldwire.difference.any", "goldwire.difference.rsp_rtx_count",
		"goldwire.expected.rsp_rtx_count", "goldwire.design.rsp_rtx_count", "TOP.rsp_rtx_count_o", "goldwire.difference.text")
	require.Equal(t, []string{"1", "1", "b10", "b11", "b11", "srsp_rtx_count:want=2,got=3,+1LSB"}, all[m.Cycle])
	require.Greater(t, len(all), 200)
	for n, v := range all {
		if n < m.Cycle {
			require.Equal(t, "0", v[0], "every cycle is compared, cycle %d", n)
		}
		if n <= m.Cycle+30 {
			require.True(t, run.Same(v[3], v[4]), "the dump is beside the cycle that it is of, cycle %d: %v", n, v)
		}
	}
	x := m.Explanation
	require.NotNil(t, x)
	require.Equal(t, "contract", x.Rules[0].Name)
	require.Equal(t, "entry.valid", x.Steps[0].Name)
	save, err := os.ReadFile(strings.TrimSuffix(m.Wave, ".vcd") + ".gtkw")
	require.NoError(t, err)
	require.Contains(t, string(save), "goldwire.difference.rsp_rtx_count")
}

// roundsUp returns a copy of the RTL of ccc whose windows after a decrease are rounded up.
func roundsUp(t *testing.T) string {
	t.Helper()
	return launchtest.RTL(t, root, "ccc_decrease.sv", fault(t, "md-rounds-up", "find"),
		fault(t, "md-rounds-up", "replace"))
}

// If the model has state words, the wave shows those of the context concerned, after each cycle. To save a build, the
// design is the faulty one of TestExplainedMismatch: it passes because the case meets no decrease.
func TestWaveOfState(t *testing.T) {
	t.Parallel()
	cfg := config("ccc", "directed", 0)
	cfg.RTLDir, cfg.Case, cfg.WaveDir, cfg.WavesOf = roundsUp(t), "fast/continues", t.TempDir(), "directed/fast/continues"
	res := mustRun(t, cfg)
	require.Zero(t, res.Mismatches, "the case meets a decrease, in which this design is faulty: choose another case")
	all := run.Track(t, res.Wave, "goldwire.difference.any", "goldwire.state.of", "goldwire.state.cwnd")
	of, changes := map[string]bool{}, map[string]bool{}
	for _, v := range all {
		require.Equal(t, "0", v[0])
		of[v[1]], changes[v[2]] = true, true
	}
	require.NotEmpty(t, of)
	require.Contains(t, of, "sctx=0")
	require.Greater(t, len(changes), 1, "the window of context 0 changes in the case")
}

// The wave of an episode that passes shows that its cycles were compared. An unknown episode, and a cycle after the end
// of one, are errors and not a pass.
func TestWavesOfPassing(t *testing.T) {
	t.Parallel()
	cfg := config("txstate", "random", 2000)
	cfg.RTLDir = planted(t)
	cfg.WaveDir, cfg.WavesOf, cfg.WavesAt = t.TempDir(), "random/0", 500
	res := mustRun(t, cfg)
	require.Zero(t, res.Mismatches)
	require.Equal(t, "txstate-random-0-seed1-of.vcd", filepath.Base(res.Wave))
	all := run.Track(t, res.Wave, "goldwire.difference.any")
	require.Len(t, all, 240+1) // and the end of the last
	for n, v := range all {
		require.Equal(t, []string{"0"}, v, n)
		require.GreaterOrEqual(t, n, uint64(300))
	}
	cfg.WavesOf = "random/4711"
	_, err := run.Run(t.Context(), cfg)
	require.ErrorContains(t, err, "random/4711")
	cfg.WavesOf, cfg.WavesAt = "random/0", 1<<40
	_, err = run.Run(t.Context(), cfg)
	require.ErrorContains(t, err, "no cycle")
	cfg.WaveDir = ""
	_, err = run.Run(t.Context(), cfg)
	require.ErrorIs(t, err, run.ErrConfig)
}

// The design's own assertion stops it: the cycle is marked, and later cycles do not count as compared.
func TestWaveOfAssertion(t *testing.T) {
	t.Parallel()
	cfg := config("txstate", "random", 20_000)
	cfg.RTLDir, cfg.PlusArgs = planted(t), []string{"+two"}
	cfg.WaveDir, cfg.NoShrink = t.TempDir(), true
	res := mustRun(t, cfg)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.Empty(t, m.Note)
	all := run.Track(t, m.Wave, "goldwire.difference.any", "goldwire.difference.text")
	require.Equal(t, "1", all[m.Cycle][0])
	require.Contains(t, all[m.Cycle][1], "two")
	for n, v := range all {
		switch {
		case n < m.Cycle:
			require.Equal(t, "0", v[0], n)
		case n > m.Cycle:
			require.Equal(t, "x", v[0], n)
		}
	}
}

// A fault in the decrease of ccc: the report shows the rule and the values that led to the window. Values before the
// fault agree with the design's own signals, and the model's derivation ends in the expected value.
func TestExplainedMismatch(t *testing.T) {
	t.Parallel()
	cfg := config("ccc", "directed", 0)
	cfg.RTLDir = roundsUp(t)
	cfg.Case, cfg.WaveDir, cfg.NoShrink = "md/applies", t.TempDir(), true
	m := mustRun(t, cfg).FirstMismatch
	require.NotNil(t, m)
	require.Empty(t, m.Note)
	x := m.Explanation
	require.NotNil(t, x)
	require.Empty(t, x.Note)
	require.Equal(t, "rsp_cwnd", m.Fields[0].Name)
	require.True(t, x.Rules[0].By)
	require.Equal(t, "ack/13", x.Rules[0].Name)
	require.Contains(t, x.Rules[0].Text, "Quadrant")
	cwnd, probes := "", map[string]bool{}
	for _, s := range x.Steps {
		if s.State && s.Name == "cwnd" {
			cwnd = s.Model
		}
		if s.Probe != "" {
			probes[s.Name] = true
			require.False(t, s.Differs, "%s: %s in the model, %s in %s", s.Name, s.Model, s.Design, s.Probe)
		}
	}
	require.Equal(t, m.Fields[0].Want, cwnd)
	for _, name := range []string{"delta", "raw", "delay", "ratio"} {
		require.True(t, probes[name], name)
	}
	require.Equal(t, "ctx=0", x.Concern)
	require.NotEmpty(t, x.State)

	var page, text strings.Builder
	res := report.Report{Results: []report.Result{{FirstMismatch: m}}}
	require.NoError(t, report.WriteHTML(&page, &res))
	require.Contains(t, page.String(), "Why the model expects it")
	require.NoError(t, report.WriteResult(&text, &res.Results[0]))
	require.Contains(t, text.String(), "rsp_cwnd comes from ack/13, vectors/event/ccc/contract.md:")
	require.Contains(t, text.String(), "u_decrease.ratio_s14")
}

// fault returns a part of a hand-written fault of ccc.
func fault(t *testing.T, name, part string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "cosim", "audit", "fault", "catalog", "ccc.yaml"))
	require.NoError(t, err)
	var all []map[string]string
	require.NoError(t, yaml.Unmarshal(text, &all))
	for _, f := range all {
		if f["name"] == name {
			return f[part]
		}
	}
	t.Fatalf("no fault %s", name)
	return ""
}
