package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

const oldEnd = "endmodule"

// wavering returns a copy of the old averages that breaks a rule of the handshake, which a plusarg selects.
func wavering(t *testing.T, rule string) string {
	t.Helper()
	dir := edited(t, examples+"/old_new", oldEnd, oldEnd, "ewma_old.sv", "old.yaml", "schema.yaml")
	const more = "  always_ff @(posedge clk_i or negedge rst_ni)\n" +
		"    waited_q <= !rst_ni ? 1'b0 : rsp_valid_o && !rsp_ready_i;\n"
	launchtest.Edit(t, filepath.Join(dir, "ewma_old.sv"),
		"  logic [79:0] avg_q;", "  logic drops, waited_q;  // a response waited in the last cycle\n"+
			"  initial drops = $test$plusargs(\""+bind.ValidDrops+"\") != 0;\n  logic [79:0] avg_q;",
		"assign rsp_valid_o = rst_ni && valid_q;", "assign rsp_valid_o = rst_ni && valid_q && !(drops && waited_q);",
		"assign rsp_y_o     = y_q;", "assign rsp_y_o     = y_q ^ {19'd0, !drops && waited_q};",
		oldEnd, more+oldEnd)
	launchtest.Edit(t, filepath.Join(dir, "old.yaml"), "latency: elastic", "latency: elastic\nplusargs: [+"+rule+"]")
	return dir
}

// A reference that breaks the handshake is at fault, and not the design: the run is neither a pass nor a mismatch of
// the design. This is found by answers, where its outputs are open in the comparison, and cycle by cycle even if the
// design breaks the handshake in the same way. Vectors cannot be recorded from such a design.
func TestReferenceThatBreaksTheHandshake(t *testing.T) {
	t.Parallel()
	for rule, how := range map[string]string{bind.ValidDrops: "withdrawn before it was taken",
		bind.DataChanges: "changed before it was taken"} {
		dir := wavering(t, rule)
		ctx, cfg := bound(t, examples, "old_new/new_fixed.yaml")
		cfg.Against = other(t, dir, "old.yaml")
		wants := func(err error, relax bool) {
			t.Helper()
			require.ErrorContains(t, err, "reference "+cfg.Against.File+": ")
			require.ErrorContains(t, err, "it breaks the handshake: in cycle ")
			require.ErrorContains(t, err,
				"a response of rsp_valid (rsp_valid_o) that waited for rsp_ready (rsp_ready_i) was "+how)
			require.ErrorContains(t, err, "so it cannot judge a design; fix it, or give another reference")
			require.Equal(t, relax, strings.Contains(err.Error(), "relax: [rsp."+rule+"] in its dut.yaml"))
			require.NotContains(t, err.Error(), "\n")
		}
		res, err := Run(ctx, cfg)
		wants(err, true)
		require.Nil(t, res.FirstMismatch)
		require.Zero(t, res.Mismatches)
		require.Equal(t, report.Errored, res.Verdict())

		for _, relaxed := range []string{bind.ValidDrops, bind.DataChanges} { // all with one build
			cfg.Against.Relax = []string{"rsp." + relaxed}
			res, err = Run(ctx, cfg)
			if relaxed != rule {
				wants(err, true)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, report.Pass, res.Verdict(), res.Reason())
			require.Equal(t, []string{"rsp." + rule + " (of the reference)"}, res.Relaxed)
		}

		// The same with exact latency of both; the design is the same.
		cfg.Bind, cfg.Against, cfg.Self = other(t, dir, "old.yaml"), other(t, dir, "old.yaml"), true
		cfg.Bind.Latency, cfg.Against.Latency = bind.Exact, bind.Exact
		res, err = Run(ctx, cfg)
		wants(err, false)
		require.Equal(t, report.Errored, res.Verdict())

		for _, per := range []string{format.PerTransaction, format.PerCycle} {
			f, err := os.Create(filepath.Join(t.TempDir(), "f.gwv"))
			require.NoError(t, err)
			_, err = Record(ctx, cfg, record.Spec{Per: per}, f)
			require.NoError(t, f.Close())
			require.ErrorContains(t, err, cfg.Bind.File+": episode random/0: it breaks the handshake: in cycle ")
			require.ErrorContains(t, err, "so its answers are no reference for others")
		}
	}
}

// A later failure does not revoke a mismatch.
func TestMismatchBeforeABrokenReference(t *testing.T) {
	t.Parallel()
	broken := errors.New("the reference broke")
	e := &answers{engine: &engine{}}
	require.ErrorIs(t, e.ended(broken), broken)
	require.NoError(t, e.after)
	e.failures = []failure{{name: "directed/first"}}
	require.ErrorIs(t, e.ended(context.Canceled), context.Canceled)
	require.NoError(t, e.ended(nil))
	require.NoError(t, e.after)
	require.NoError(t, e.ended(broken))
	require.Equal(t, broken, e.after)
}
