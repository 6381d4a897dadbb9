package loop

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// incast returns 32 senders of a small flow each, with what a NIC meets in
// service: slow receivers, lost packets and several connections to a context.
func incast(t *testing.T, control string, bytes int64) settings.Spec {
	t.Helper()
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	s := p.Spec
	s.CC, s.FlowBytes, s.PDCsPerCCC, s.LossProb, s.SlowHosts = control, bytes, 2, 1e-4, 0.125
	s.ServiceJitter = units.Microsecond
	return s
}

func run(t *testing.T, cfg Config, spec settings.Spec) *result.Result {
	t.Helper()
	cfg.Root = "../../.."
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	res, _, err := Run(ctx, cfg, spec, nil)
	require.NoError(t, err)
	require.NoError(t, res.Verify(), "every byte once")
	return res
}

// faulty returns a run on a copy of the RTL with a fault that the plusarg selects, so that all share one build.
func faulty(t *testing.T, plus string) Config {
	t.Helper()
	flag := func(name string) string {
		return "  logic " + name + ";\n  initial " + name + " = $test$plusargs(\"" + name + "\") != 0;\n"
	}
	dir := launchtest.RTL(t, "../../..", "ccc.sv",
		".valid_i     (ev_valid_i),", ".valid_i     (ev_valid_i & ~hold),",
		".ready_o     (ev_ready_o),", ".ready_o     (ready),",
		".valid_o(rsp_valid_o)", ".valid_o(valid)", "endmodule", flag("late")+flag("silent")+
			"  logic hold, ready, valid;\n  assign hold = late & vld_q[3];\n  assign ev_ready_o = ready & ~hold;\n"+
			"  assign rsp_valid_o = valid & ~silent;\nendmodule")
	in := func(name string) string { return filepath.Join(dir, "ccc", name) }
	launchtest.Edit(t, in("ccc_decrease.sv"), "cwnd_s16_q - loss_s16_q[63:32]", // cuts half as much
		"cwnd_s16_q - (halves ? {1'b0, loss_s16_q[63:33]} : loss_s16_q[63:32])", "endmodule", flag("halves")+"endmodule")
	launchtest.Edit(t, in("ccc_credit.sv"), "speculating_s3_q & ~stop_s3;", "speculating_s3_q & (endless | ~stop_s3);",
		"endmodule", flag("endless")+"endmodule")
	return Config{Root: "../../..", RTLDir: dir, plus: []string{plus}}
}

// same requires that two runs went the same way, packet by packet.
func same(t *testing.T, want, got *result.Result) {
	t.Helper()
	require.Equal(t, len(want.Flows), len(got.Flows))
	for i := range want.Flows {
		require.Equal(t, want.Flows[i].Acked, got.Flows[i].Acked, "%v", &want.Flows[i])
	}
	require.Equal(t, want.Digest, got.Digest)
	require.Equal(t, want.Counters, got.Counters)
}

// TestIncastFixedAndRTL runs every flow of an incast on the model and on the RTL.
func TestIncastFixedAndRTL(t *testing.T) {
	model := run(t, Config{}, incast(t, Fixed, 1_000_000))
	require.Positive(t, model.Counters.Trims)
	require.Positive(t, model.Counters.Retransmits)
	same(t, model, run(t, Config{}, incast(t, RTL, 1_000_000)))
	float := run(t, Config{}, incast(t, "", 1_000_000))
	require.NotEqual(t, model.Digest, float.Digest, "arithmetic on ticks shows")
	require.InEpsilon(t, float.FCT().Mean, model.FCT().Mean, 0.05)
}

// TestFewRows runs 32 contexts on RTL with too few rows for them, so that states are read out and loaded.
func TestFewRows(t *testing.T) {
	same(t, run(t, Config{}, incast(t, Fixed, 40_000)), run(t, Config{Resident: 5}, incast(t, RTL, 40_000)))
}

// A fault of READ is found although the network does not show it: a window that is one byte too great changes nothing
// in so short a run.
func TestFaultOfReadIsFound(t *testing.T) {
	launchtest.Long(t, "for READ nothing; TestFaultInThePipelineIsFound and TestDesignLeavesTheModel")
	dir := launchtest.RTL(t, "../../..", "ccc.sv", "(measure_word_s2 | control_word_s2)",
		"(measure_word_s2 | control_word_s2) + {63'b0, 8'(ev_s2_q.addr) == 8'd1}")
	spec := incast(t, RTL, 40_000)
	got, played, err := Run(t.Context(), Config{Root: "../../..", RTLDir: dir, Resident: 5}, spec, nil)
	require.NoError(t, err)
	require.NotNil(t, played.Left)
	require.Equal(t, "READ", played.Left.Kind)
	require.True(t, played.Step)
	same(t, run(t, Config{}, incast(t, Fixed, 40_000)), got)
}

// A design that differs from the model only while events follow each other closely, here by the cycles that an event
// waits for one close before it, is found. Step mode, in which the pipeline holds one event, shows no difference.
func TestFaultInThePipelineIsFound(t *testing.T) {
	cfg := faulty(t, "+late")
	require.NoError(t, cfg.Build(t.Context()))
	got, played, err := Run(t.Context(), cfg, incast(t, RTL, 40_000), nil)
	require.NoError(t, err)
	require.NotNil(t, played.Left)
	require.True(t, played.Step)
	require.Empty(t, played.Left.RTL)
	same(t, run(t, Config{}, incast(t, Fixed, 40_000)), got)
}

// TestMixedContexts runs one host and one single context on the RTL and the rest in float64. Each flow has a separate
// base RTT, and so separate registers.
func TestMixedContexts(t *testing.T) {
	spec := incast(t, "", 40_000)
	spec.PerFlowRTT = true
	on := func(cc string) settings.Spec {
		s := spec
		s.CCHosts, s.CCContexts = map[int32]string{}, map[int32]string{7: cc}
		for h := range int32(64) {
			s.CCHosts[h] = cc
		}
		return s
	}
	same(t, run(t, Config{}, on(Fixed)), run(t, Config{Resident: 3}, on(RTL)))
}

// TestProbes runs an incast whose senders probe: model and RTL treat the samples alike, while states are read out and
// loaded.
func TestProbes(t *testing.T) {
	spec := incast(t, Fixed, 40_000)
	spec.Recovery = settings.RecoverSLEEK
	model := run(t, Config{}, spec)
	require.Positive(t, model.Counters.Probes)
	spec.CC = RTL
	same(t, model, run(t, Config{Resident: 5}, spec))
}

// TestPlantedFault runs the incast on RTL that never answers.
func TestPlantedFault(t *testing.T) {
	_, _, err := Run(t.Context(), faulty(t, "+silent"), incast(t, RTL, 40_000), nil)
	require.ErrorContains(t, err, "nscc-rtl: host")
	require.ErrorContains(t, err, "did not answer")
}

func TestErrors(t *testing.T) {
	_, _, err := Run(t.Context(), Config{Root: "../../..", Resident: 257}, incast(t, RTL, 40_000), nil)
	require.ErrorIs(t, err, errRows)
	_, _, err = Run(t.Context(), Config{Root: t.TempDir()}, incast(t, RTL, 40_000), nil)
	require.ErrorContains(t, err, "ccc")
	s := incast(t, Fixed, 40_000)
	s.LinkGbps = 0
	_, _, err = Run(t.Context(), Config{}, s, nil)
	require.ErrorContains(t, err, "link.gbps")
	_, _, err = Run(t.Context(), Config{TickNs: 3}, incast(t, Fixed, 40_000), nil)
	require.ErrorContains(t, err, "tick is 3000 ps")
}

// TestBuildComesBefore: once the RTL is built, a run needs neither the repository nor Verilator, so its time is that of
// the simulation alone.
func TestBuildComesBefore(t *testing.T) {
	cfg := Config{Root: "../../.."}
	require.NoError(t, cfg.Build(t.Context()))
	cfg.Root = t.TempDir()
	_, _, err := Run(t.Context(), cfg, incast(t, RTL, 9_000), nil)
	require.NoError(t, err)
	gone := Config{Root: t.TempDir()}
	require.ErrorContains(t, gone.Build(t.Context()), "ccc")
}

func TestRunSeeds(t *testing.T) {
	spec := incast(t, Fixed, 40_000)
	res, _, err := RunSeeds(t.Context(), Config{}, spec, []uint64{3, 1}, nil)
	require.NoError(t, err)
	require.EqualValues(t, 3, res[0].Spec.Seed)
	require.EqualValues(t, 1, res[1].Spec.Seed)
	require.NotEqual(t, res[0].Digest, res[1].Digest)
	spec.Seed = 3
	same(t, run(t, Config{}, spec), res[0])
}

// TestDeviceDies kills the device while a run is played event by event: the run must end with that error.
func TestDeviceDies(t *testing.T) {
	cfg := Config{Root: "../../..", Step: true}
	require.NoError(t, cfg.Build(t.Context()))
	steps := 0
	c := closed{Config: cfg, ctx: t.Context(), tickNs: 1, cancel: func() {}}
	defer c.close()
	control := fabric.WithControl(cc.Row{Name: RTL, New: c.factory(RTL)})
	_, err := fabric.Run(t.Context(), incast(t, RTL, 40_000), control, fabric.WithTap(func(*cc.Event) bool {
		if steps++; steps == 500 {
			p, err := os.FindProcess(c.table.hw.(*stepper).session.PID())
			require.NoError(t, err)
			require.NoError(t, p.Kill())
		}
		return c.err == nil
	}))
	require.NoError(t, err)
	require.Error(t, c.err)
	require.Contains(t, c.err.Error(), "nscc-rtl: host")
	require.Less(t, steps, 600)
}
