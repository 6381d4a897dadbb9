package run

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// bound returns a run of a dut.yaml of the bind package's test data, or of the examples.
func bound(t *testing.T, path ...string) (context.Context, Config) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	t.Cleanup(cancel)
	if _, err := launch.FindVerilator(ctx); err != nil {
		t.Skipf("no Verilator: %v", err)
	}
	b, err := bind.Load(filepath.Join(path...), func(name string) (*event.Block, error) {
		k, err := block.Lookup(name)
		if err != nil {
			return nil, err
		}
		return k.Schema, nil
	})
	require.NoError(t, err)
	inVHDL := func(f string) bool { return strings.HasPrefix(filepath.Ext(f), ".vhd") }
	if _, err := exec.LookPath("ghdl"); err != nil && slices.ContainsFunc(b.Sources, inVHDL) {
		t.Skip("ghdl is not on PATH: a design in VHDL was not run")
	}
	return ctx, Config{Root: "../../..", Block: b.Block.Name, Source: "random", Events: 3000, Seed: 5, Bind: b}
}

const bindData = "../../device/bind/testdata"

// Designs that cannot be run are errors that name the port or the place, within seconds of the build.
func TestBoundDesignThatCannotRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"never ready": {"broken/never_ready.yaml", []string{"never became ready", "ev_ready (in_ready)",
			"20000 cycles"}},
		"never answers": {"broken/mute.yaml", []string{"never answered", "rsp_valid (out_valid)",
			"accepted events", "polarity"}},
		"combinational loop": {"broken/loop.yaml", []string{"combinational loop", "loop.sv:11: u_dut.", "register"}},
		"reset polarity": {"flat/polarity.yaml",
			[]string{"flat/polarity.yaml: the reset does not hold the design", "rsp_valid (rsp_valid_o)", "reset.active"}},
		"reset polarity, cycle exact": {"flat/polarity_exact.yaml",
			[]string{"flat/polarity_exact.yaml: the reset does not hold the design", "rsp_valid (rsp_valid_o)", "reset.active"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cfg := bound(t, bindData, c.file)
			res, err := Run(ctx, cfg)
			for _, w := range c.want {
				require.ErrorContains(t, err, w)
			}
			if res != nil {
				require.NotEmpty(t, res.Broken, "a result that came along is no pass")
			}
		})
	}
}

// Our own RTL under other names and with a wrapper's packing passes, cycle by cycle and elastically.
func TestBoundDesignPasses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"renamed/dut.yaml", "flat/exact.yaml", "flat/context.yaml", "flat/valid_only.yaml"} {
		t.Run(file, func(t *testing.T) {
			if file == "renamed/dut.yaml" {
				launchtest.Long(t, "flat/exact.yaml cycle by cycle; packed fields, by answers, of the narrow engine")
			}
			ctx, cfg := bound(t, bindData, file)
			res, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.Zero(t, res.Mismatches)
			require.NotEmpty(t, res.Digest)
			require.GreaterOrEqual(t, res.Events, uint64(3000))
			requireCompared(t, res)
			require.Equal(t, cfg.Bind.File, res.RTL)
			require.Contains(t, res.Reproduce, "--dut "+cfg.Bind.File)
			again, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.Equal(t, []any{res.Digest, res.Events, res.Cycles}, []any{again.Digest, again.Events, again.Cycles})
		})
	}
}

const foreign = "../../../hdl/examples/ccc_foreign"

// engines returns a folder with copies of the foreign engine and the narrow one, which decide on the other side of a
// threshold with the plusarg +fault.
func engines(t *testing.T) string {
	t.Helper()
	all := t.TempDir()
	for _, dir := range []string{foreign, narrow} {
		require.NoError(t, os.CopyFS(filepath.Join(all, filepath.Base(dir)), os.DirFS(dir)))
	}
	launchtest.Edit(t, filepath.Join(all, "ccc_foreign", "acme_cc_seq.sv"),
		"  logic [5:0]  st;", "  logic fault;\n  initial fault = $test$plusargs(\"fault\") != 0;\n  logic [5:0]  st;",
		"if (rq.ecn && qd >= csr.target)", "if (rq.ecn && (fault ? qd > csr.target : qd >= csr.target))")
	return all
}

// The foreign engine agrees with the model in every directed case and in random events.
func TestForeignEngineAgrees(t *testing.T) {
	t.Parallel()
	launchtest.Long(t, "the engine with other word lengths, and txstate bound by answers")
	ctx, cfg := bound(t, engines(t), "ccc_foreign", "dut.yaml")
	for _, source := range []string{"random", "directed"} {
		cfg.Source = source
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
		require.NotEmpty(t, res.Digest)
	}
}

// A fault in the foreign engine is found, reduced to a few events, dumped and repeated by the command in the report.
func TestForeignEngineFault(t *testing.T) {
	t.Parallel()
	launchtest.Long(t, "TestAgainstOldRTL, and the engine with other word lengths")
	ctx, cfg := bound(t, engines(t), "ccc_foreign", "dut.yaml")
	cfg.Bind.PlusArgs = []string{"+fault"}
	cfg.Events, cfg.Seed, cfg.WaveDir = 20_000, 1, t.TempDir()
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.Contains(t, m.Event, "ACK")
	require.Contains(t, m.Fields, report.Field{Name: "rsp_action", Want: "MD", Got: "NOOP"})
	require.LessOrEqual(t, m.ShrunkTo, 5)
	waveOfAnswer(t, m, "rsp_action")
	require.Contains(t, m.Reproduce, "--dut "+cfg.Bind.File)
	require.Contains(t, m.Reproduce, "--episode "+m.Episode)
	last := m.Window[len(m.Window)-1]
	require.True(t, last.Differ)
	require.Equal(t, m.Cycle, last.Cycle)

	cfg.Episode, cfg.WaveDir, cfg.NoShrink = m.Episode, "", true
	again, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Equal(t, m.Cycle, again.FirstMismatch.Cycle)
	require.Equal(t, m.Fields, again.FirstMismatch.Fields)
}

// waveOfAnswer checks the wave of a design that is compared answer by answer: most cycles are not compared, the answers
// are, and the wrong answer is shown.
func waveOfAnswer(t *testing.T, m *report.Mismatch, field string) {
	t.Helper()
	all := Track(t, m.Wave, "goldwire.difference.any", "goldwire.expected."+field, "goldwire.design."+field,
		"TOP."+field+"_o", "goldwire.difference.text")
	count, at := map[string]int{}, uint64(0)
	for n, v := range all {
		count[v[0]]++
		if v[0] == "1" {
			at = n
		}
		require.Equal(t, v[0] == "x", v[1] == "bx", "expected is known where an answer was compared, cycle %d", n)
		if v[2] != "bx" {
			require.True(t, Same(v[2], v[3]), "the dump is beside the cycle that it is of, cycle %d: %v", n, v)
		}
	}
	require.Equal(t, 1, count["1"])
	require.Positive(t, count["0"])
	require.Positive(t, count["x"])
	require.Equal(t, m.Cycle, at)
	require.Contains(t, all[at][4], fmt.Sprintf("%s:want=%s,got=%s", field, m.Fields[0].Want, m.Fields[0].Got))
}

// A constant in the map of an exact design does not count as a compared field, but it is compared: if it is wrong, the
// wave shows the difference. A field that is not compared at all is refused.
func TestWaveShowsAWrongConstant(t *testing.T) {
	t.Parallel()
	constant, none := exactly(t, sound), exactTxstate(t)
	launchtest.Edit(t, constant, "rsp.chan: rsp_chan_o", "rsp.chan: 0")
	ctx, cfg := bound(t, constant)
	cfg.Against = other(t, exactly(t, sound))
	cfg.WaveDir, cfg.NoShrink = t.TempDir(), true
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.Equal(t, "rsp_chan", m.Fields[0].Name)
	require.Contains(t, res.Uncompared, "rsp.chan (a constant of the map)")
	require.Empty(t, m.Note)
	all := Track(t, m.Wave, "goldwire.difference.rsp_chan", "goldwire.difference.rsp_y")
	require.Equal(t, []string{"1", "0"}, all[m.Cycle])

	launchtest.Edit(t, none, "rsp.evicted: rsp_evicted_o", "rsp.evicted: none")
	_, err = bind.Load(none, lookedUp)
	require.ErrorContains(t, err, "latency exact compares all")
}
