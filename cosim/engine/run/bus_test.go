package run

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
)

// onBus returns a binding of a design with the parameter W on a bus of that width.
func onBus(b *bind.Binding, width int) *bind.Binding {
	b.Beats, b.Parameters["W"] = width, fmt.Sprint(width)
	return b
}

// Packets of every length agree on buses that are narrower, as wide, and wider than the block's, whatever else their
// beats have: garbage in bytes that do not count (bug 11), or an end without bytes (bug 10). Each other bug is found,
// with nothing passed over on the way. All stalls and idle cycles are the harness's.
func TestPacketsOnOtherBuses(t *testing.T) {
	t.Parallel()
	const schema, design = "schema.yaml", "echo.sv"
	dir := edited(t, bindData+"/bus", "parameters: {W: 64}", "parameters: {W: 256}", "dut.yaml", schema, design)
	reference := onBus(other(t, dir, "dut.yaml"), 256)
	play := func(width, bug int) *report.Result {
		ctx, cfg := bound(t, bindData, "bus/dut.yaml")
		cfg.Against, cfg.Events, cfg.NoShrink = reference, 6000, true
		onBus(cfg.Bind, width).PlusArgs = []string{fmt.Sprint("+bug=", bug)}
		res, err := Run(ctx, cfg)
		require.NoError(t, err, "width %d, bug %d", width, bug)
		return res
	}
	for _, width := range []int{64, 128, 512, 1024} {
		for _, same := range []int{0, 10, 11} {
			if same > 0 && width != 64 && (width != 1024 || !long()) || !long() && (width == 128 || width == 512) {
				continue
			}
			res := play(width, same)
			require.Zero(t, res.Mismatches, "width %d, bug %d: %v", width, same, res.FirstMismatch)
			require.Greater(t, res.Responses, uint64(2000))
			require.LessOrEqual(t, res.Coverage.Bins-res.Coverage.Hit, 2, "every length of a last beat, after every number")
		}
	}
	const steady = "assertion"
	for bug, fields := range map[int][2]string{ // the first field that differs on 64 and on 1,024 bits
		1: {steady, steady}, 2: {steady, steady}, 3: {"tx_keep", "tx_keep"}, 4: {"tx_keep", "tx_keep"},
		5: {"tx_data", "tx_data"}, 6: {"tx_last", "tx_last"}, 7: {steady, "tx_id"}, 8: {"tx_keep", "tx_keep"},
		9: {"tx_sum", "tx_sum"},
	} {
		for i, width := range []int{64, 1024} {
			if i == 1 && fields[0] == fields[1] && !long() {
				continue
			}
			res := play(width, bug)
			require.NotZero(t, res.Mismatches, "width %d, bug %d", width, bug)
			require.Contains(t, fieldNames(res.FirstMismatch), fields[i], "width %d, bug %d", width, bug)
		}
	}
}

// A block may answer a packet several times: each answer must come, also the last ones of an episode.
func TestEveryAnswerOfAPacketMustCome(t *testing.T) {
	t.Parallel()
	for bug := range 2 { // 0 is none
		ctx, cfg := bound(t, bindData, "thrice/dut.yaml")
		cfg.Against, cfg.Events, cfg.NoShrink, cfg.Self = other(t, bindData, "thrice/dut.yaml"), 400, true, true
		cfg.Bind.PlusArgs = []string{fmt.Sprint("+bug=", bug)}
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, bug == 1, res.Mismatches > 0, "bug %d: %v", bug, res.FirstMismatch)
	}
}

func fieldNames(m *report.Mismatch) (out []string) {
	for _, f := range m.Fields {
		out = append(out, f.Name)
	}
	return out
}

const kite = "trimmer_256/dut.yaml"

// A trimmer from another house, on buses of 64, 256 and 1,024 bits in place of the block's 512, answers as the model:
// random packets, with registers written and counters read between them, and frames that end anywhere.
func TestTrimmerOnOtherBuses(t *testing.T) {
	t.Parallel()
	for _, width := range []int{64, 256, 1024} {
		for _, source := range []string{"random", "directed"} {
			if !long() && width != 256 {
				continue // TestPacketsOnOtherBuses plays them
			}
			ctx, cfg := bound(t, examples, kite)
			onBus(cfg.Bind, width)
			if cfg.Source = source; source == "directed" && !long() {
				cfg.Case = "cut/ipv4"
			}
			res, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.Zero(t, res.Mismatches, "width %d, %s: %v", width, source, res.FirstMismatch)
			require.Greater(t, res.Responses, uint64(250))
			require.Empty(t, res.Uncompared)
		}
	}
}

// Each fault that the trimmer's parameter plants is found, and the last in words that say where.
func TestTrimmerOnOtherBusFaults(t *testing.T) {
	t.Parallel()
	for bug, field := range map[int]string{1: "tx_data", 2: "tx_keep", 3: "assertion"} {
		if bug != 3 && !long() {
			continue // TestPacketsOnOtherBuses finds such
		}
		ctx, cfg := bound(t, examples, kite)
		cfg.Bind.Parameters["BUG"], cfg.Events, cfg.NoShrink = fmt.Sprint(bug), 20_000, true
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.NotZero(t, res.Mismatches)
		require.Contains(t, fieldNames(res.FirstMismatch), field)
		if bug == 3 {
			require.Contains(t, res.FirstMismatch.Fields[0].Got,
				"tx (trimmed, marked, cause, tag): the beats of a packet disagree")
		}
	}
}

// With answers alone compared, a design on the block's own bus whose input streams take turns needs no key for it.
func TestTurns(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, ourBinding(t, "trimmer", "trimmer.sv", "counted & trimmed & ~last_hop;",
		"counted & trimmed & (~last_hop | $test$plusargs(\"wrong\") != 0);", "latency: exact", "latency: elastic"))
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches, "%v", res.FirstMismatch)

	// A counter that counts too late for the next read is found.
	cfg.Bind.PlusArgs = []string{"+wrong"}
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.NotZero(t, res.Mismatches)
	require.Equal(t, []string{"cfgr_data"}, fieldNames(res.FirstMismatch))
}
