package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

const root = "../../.."

func config(block, source string, events uint64) run.Config {
	return run.Config{Root: root, Block: block, Source: source, Events: events, Seed: 1, Transport: "shm"}
}

func mustRun(t *testing.T, cfg run.Config) *report.Result {
	t.Helper()
	res, err := run.Run(t.Context(), cfg)
	require.NoError(t, err)
	return res
}

// How txstate counts retransmissions, and a fault in it: it answers 3 for a second one; 2 is right.
const rightCount, faultyCount = "(old_rtx == 2'd0) ? 2'd1 : 2'd2;", "(old_rtx == 2'd0) ? 2'd1 : 2'd3;"

// planted returns a copy of the RTL of txstate in which the plusarg +wrong selects that fault, and +two an assertion.
func planted(t *testing.T) string {
	t.Helper()
	return launchtest.RTL(t, root, "txstate.sv", rightCount, "(old_rtx == 2'd0) ? 2'd1 : wrong ? 2'd3 : 2'd2;",
		"endmodule", `
  logic wrong, two;
  initial wrong = $test$plusargs("wrong") != 0;
  initial two = $test$plusargs("two") != 0;
  always_ff @(posedge clk_i)
    if (two && rst_ni && rsp_valid_o && rsp_ready_i && rsp_o.rtx_count == 2'd2) $error("two");
endmodule`)
}

// plantWrongCount plants the fault.
func plantWrongCount(t *testing.T, cfg *run.Config) {
	t.Helper()
	cfg.RTLDir, cfg.PlusArgs = planted(t), []string{"+wrong"}
}

// The RTL is found in a copy with its folders, in a flat copy and in a mixed one, and gives the same answers in each.
func TestRTLInFoldersAndFlat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole, flat, mixed := filepath.Join(dir, "whole"), filepath.Join(dir, "flat"), filepath.Join(dir, "mixed")
	require.NoError(t, os.CopyFS(whole, os.DirFS(filepath.Join(root, "hdl", "rtl"))))
	rtl, err := launch.ReadRTL(whole)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(flat, 0o755))
	for _, f := range rtl.Files {
		text, err := os.ReadFile(filepath.Join(whole, f))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(flat, filepath.Base(f)), text, 0o644))
	}
	require.NoError(t, os.CopyFS(mixed, os.DirFS(whole)))
	require.NoError(t, os.Rename(filepath.Join(mixed, "txstate", "txstate.sv"), filepath.Join(mixed, "txstate.sv")))
	cfg := config("txstate", "random", 2000)
	want := mustRun(t, cfg)
	require.NotEmpty(t, want.Digest)
	for copied, top := range map[string]string{whole: "txstate/txstate.sv", flat: "txstate.sv", mixed: "txstate.sv"} {
		cfg.RTLDir = copied
		got := mustRun(t, cfg)
		require.Zero(t, got.Mismatches)
		require.Equal(t, want.Digest, got.Digest, copied)
		// The copy was compared.
		text, err := os.ReadFile(filepath.Join(copied, top))
		require.NoError(t, err)
		launchtest.Edit(t, filepath.Join(copied, top), rightCount, faultyCount)
		require.NotNil(t, mustRun(t, cfg).FirstMismatch, copied)
		// A second module of that name is refused, whichever would be found first.
		require.NoError(t, os.MkdirAll(filepath.Join(copied, "a"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(copied, "a", "txstate.sv"), text, 0o644))
		_, err = run.Run(t.Context(), cfg)
		require.ErrorIs(t, err, run.ErrConfig)
		require.ErrorContains(t, err, "txstate is there twice")
	}
}

// Every directed case by name.
func TestDirectedCases(t *testing.T) {
	t.Parallel()
	for _, block := range []string{"ccc", "txpdc", "txstate"} {
		t.Run(block, func(t *testing.T) {
			res := mustRun(t, config(block, "directed", 0))
			require.NotEmpty(t, res.Cases)
			for _, c := range res.Cases {
				t.Run(c.Name, func(t *testing.T) {
					require.False(t, c.Failed, c.Message)
					require.NotZero(t, c.Events)
				})
			}
		})
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		block, source, transport string
		tickPs                   int64
	}{
		{"ccc", "random", "unix", 1000},
		{"ccc", "random", "shm", 1000},
		{"ccc", "fabric:permutation", "tcp", 1000},
		{"ccc", "fabric:permutation", "shm", 128000},
		{"ccc", "fabric:incast32", "unix", 1000},
		{"ccc", "fabric:incast32", "shm", 128000},
		{"ccc", "fabric:turnover", "shm", 128000},
		{"txstate", "random", "unix", 1000},
		{"txstate", "fabric:permutation", "shm", 1000},
		{"txstate", "fabric:incast32", "tcp", 128000},
	} {
		cfg := config(tc.block, tc.source, 10_000)
		cfg.Transport, cfg.TickPs = tc.transport, tc.tickPs
		t.Run(tc.block+"/"+tc.source+"/"+tc.transport, func(t *testing.T) {
			res := mustRun(t, cfg)
			require.Equal(t, report.Pass, res.Verdict())
			require.Zero(t, res.Mismatches)
			require.EqualValues(t, 10_000, res.Events)
			require.NotEmpty(t, res.Digest)
			if tc.source == "fabric:turnover" { // all but the writes of the registers
				state := res.Section(precision.StateKey).Data.(*precision.StateDiff)
				require.EqualValues(t, 10_000-ccc.NumRegs, state.Events, "BIND and SAMPLE are judged, too")
			}
			var due []string
			if tc.block == ccc.BlockName {
				due = append(due, precision.StateKey)
				if strings.HasPrefix(tc.source, "fabric:") {
					due = append(due, precision.FloatKey)
				}
			}
			require.Equal(t, due, res.Due)
			for _, key := range due {
				o, why := res.Section(key).Outcome()
				require.Equal(t, report.InBounds, o, why)
			}
		})
	}
}

// Other parameters are other hardware: the smallest and the largest of each block, except for memories that would only
// cost time.
func TestParams(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		block  string
		events uint64
		params map[string]int
		always bool // the others play with GOLDWIRE_LONG: each is a build
	}{
		{"ccc", 20_000, map[string]int{"NumContexts": 64}, false},
		{"ccc", 20_000, map[string]int{"NumPdcs": 1, "NumProfiles": 1}, false},
		{"ccc", 20_000, map[string]int{"NumPdcs": 16, "NumProfiles": 16}, false},
		{"txstate", 20_000, map[string]int{"NumPdcs": 3, "Depth": 8}, true},
		{"egress", 3000, map[string]int{"NumPorts": 1, "Depth": 2}, true},
		{"egress", 3000, map[string]int{"NumPorts": 64}, false},
		{"intmd", 3000, map[string]int{"NumPorts": 1}, false},
		{"intmd", 3000, map[string]int{"NumPorts": 64}, false},
		{"switchport", 1500, map[string]int{"NumPorts": 1, "Slots": 2}, true},
		{"switchport", 3000, map[string]int{"NumPorts": 64}, false},
	} {
		t.Run(fmt.Sprint(tc.block, "/", tc.params), func(t *testing.T) {
			if !tc.always {
				launchtest.Long(t, "the smallest sizes of three blocks")
			}
			cfg := config(tc.block, "random", tc.events)
			cfg.Params = tc.params
			res := mustRun(t, cfg)
			require.Equal(t, report.Pass, res.Verdict())
			require.GreaterOrEqual(t, res.Events, tc.events)
			for name, v := range tc.params {
				require.Equal(t, v, res.Params[name])
			}
		})
	}
}

func jsonOf(t *testing.T, res *report.Result) string {
	res.Seconds, res.EventsPerS, res.CyclesPerS = 0, 0, 0
	var b bytes.Buffer
	require.NoError(t, report.WriteJSON(&b, &report.Report{Results: []report.Result{*res}}))
	return b.String()
}

func TestTwoRunsAgreeAndAnotherSeedDiffers(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"random", "fabric:permutation"} {
		cfg := config("ccc", source, 20_000)
		first := jsonOf(t, mustRun(t, cfg))
		require.Equal(t, first, jsonOf(t, mustRun(t, cfg)))
		cfg.Seed = 2
		second := mustRun(t, cfg)
		require.NotEqual(t, first, jsonOf(t, second))
	}
}

// The digest covers the outputs, which do not depend on the transport.
func TestTransportsGiveOneDigest(t *testing.T) {
	t.Parallel()
	digests := map[string]bool{}
	for _, transport := range []string{"unix", "tcp", "shm"} {
		cfg := config("ccc", "random", 20_000)
		cfg.Transport = transport
		digests[mustRun(t, cfg).Digest] = true
	}
	require.Len(t, digests, 1)
}

func TestPlantedFaultIsReported(t *testing.T) {
	t.Parallel()
	cfg := config("txstate", "random", 50_000)
	plantWrongCount(t, &cfg)
	cfg.WaveDir = t.TempDir()
	res := mustRun(t, cfg)
	require.Equal(t, report.Mismatched, res.Verdict())
	m := res.FirstMismatch
	require.Equal(t, []report.Field{{Name: "rsp_rtx_count", Want: "2", Got: "3", DiffLSB: "+1"}}, m.Fields)
	require.Contains(t, m.Event, "SEND")
	require.Equal(t, 2, m.ShrunkTo, m.Shrunk)
	require.FileExists(t, m.Wave)
	require.Contains(t, m.Reproduce, "--episode "+m.Episode)
	var text strings.Builder
	require.NoError(t, report.WriteText(&text, &report.Report{Results: []report.Result{*res}}))
	require.Regexp(t, `(?m)^ +rsp_rtx_count may come from contract, [^\n]*\n(.*\n){1,20} +\| SEND, hit \|`, text.String(),
		"the row of the contract that decides")
	require.Empty(t, res.Digest)

	// The reproduce command repeats it, to the cycle.
	again := cfg
	again.Episode, again.WaveDir, again.NoShrink = m.Episode, "", true
	repeat := mustRun(t, again)
	require.NotNil(t, repeat.FirstMismatch)
	require.Equal(t, m.Cycle, repeat.FirstMismatch.Cycle)
	require.Equal(t, m.Fields, repeat.FirstMismatch.Fields)

	// A failing run is as repeatable as a passing one.
	cfg.WaveDir = ""
	require.Equal(t, jsonOf(t, mustRun(t, cfg)), jsonOf(t, mustRun(t, cfg)))
}

// A block with several input streams: at the failing cycle one of them waits, and the waiting items are part of what is
// repeated and shrunk.
func TestPlantedFaultBesideAWaitingStream(t *testing.T) {
	t.Parallel()
	cfg := config("egress", "random", 20_000)
	cfg.Seed = 2 // draws such a queue within its first events; seed 1 does not
	cfg.RTLDir = launchtest.RTL(t, root, "egress_ecn.sv", "(draw_s3_q & (level < chance))",
		"(draw_s3_q & (level <= chance | level > chance))")
	m := mustRun(t, cfg).FirstMismatch
	require.NotNil(t, m)
	require.Len(t, m.Fields, 1)
	require.Equal(t, "deqr_ce", m.Fields[0].Name)
	require.Contains(t, m.Event, "deq: port=")
	require.LessOrEqual(t, m.ShrunkTo, 60, m.Shrunk)
	lanes := strings.Join(m.Shrunk, "\n")
	require.Contains(t, lanes, "enq: ")
	require.Contains(t, lanes, "deq: ")
}

func TestEveryDirectedCaseHasItsVerdict(t *testing.T) {
	t.Parallel()
	cfg := config("txstate", "directed", 0)
	cfg.NoShrink = true
	plantWrongCount(t, &cfg)
	bad := mustRun(t, cfg)
	good := mustRun(t, config("txstate", "directed", 0))
	require.Equal(t, len(good.Cases), len(bad.Cases), "cases after the failing one ran too")
	failed := 0
	for _, c := range bad.Cases {
		if c.Failed {
			failed++
			require.Contains(t, c.Message, "--case "+c.Name)
		}
	}
	require.Positive(t, failed)
	require.Less(t, failed, len(bad.Cases)/2)
	require.EqualValues(t, failed, bad.Mismatches)
}

func TestRTLThatDoesNotCompile(t *testing.T) {
	t.Parallel()
	cfg := config("txstate", "random", 1000)
	cfg.RTLDir = launchtest.RTL(t, root, "txstate.sv", rightCount,
		"(old_rtx == 2'd0) ? 2'd1 : no_such_signal;")
	_, err := run.Run(t.Context(), cfg)
	require.ErrorContains(t, err, "txstate.sv:")
	require.ErrorContains(t, err, "no_such_signal")
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		edit func(*run.Config)
		want string
	}{
		"block":  {func(c *run.Config) { c.Block = "cccc" }, `unknown block "cccc"`},
		"source": {func(c *run.Config) { c.Source = "fabric:ring" }, "fabric:permutation"},
		"parameter": {func(c *run.Config) { c.Params = map[string]int{"NumContexts": 1} },
			"NumContexts: 1 is not in 2..65536"},
		"no such": {func(c *run.Config) { c.Params = map[string]int{"Contexts": 1} }, "NumContexts"},
		"none": {func(c *run.Config) { c.Block, c.Params = "trimmer", map[string]int{"A": 1} },
			"block trimmer has no parameters"},
		"episode": {func(c *run.Config) { c.Episode = "random/99999" },
			"random/99999 is beyond the last of 1000 events with seed 1, random/1"},
		"tick":       {func(c *run.Config) { c.TickPs = 5 }, "1ns or 128ns"},
		"transport":  {func(c *run.Config) { c.Transport = "pipe" }, "unix, tcp or shm"},
		"case":       {func(c *run.Config) { c.Case = "qa/fires-by-delay" }, "only the source directed"},
		"rtl folder": {func(c *run.Config) { c.RTLDir = "/nowhere" }, "/nowhere does not exist"},
		"rtl block":  {func(c *run.Config) { c.RTLDir = "../../../hdl/rtl/common" }, "must hold ccc.sv"},
		"rtl twice":  {func(c *run.Config) { c.RTLDir = "../../../hdl" }, "is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config("ccc", "random", 1000)
			tc.edit(&cfg)
			_, err := run.Run(t.Context(), cfg)
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestInterruptKeepsWhatWasDone(t *testing.T) {
	t.Parallel()
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg := config("ccc", "random", 50_000_000)
	cfg.Progress = func(done, _ uint64) {
		if done > 10_000 {
			cancel(stop)
		}
	}
	res, err := run.Run(ctx, cfg)
	require.ErrorIs(t, err, stop)
	require.Less(t, res.Events, cfg.Events/10, "it ends at once")
	require.True(t, res.Interrupted)
	require.Equal(t, report.Interrupted, res.Verdict())
	require.Greater(t, res.Events, uint64(10_000))
	require.False(t, strings.Contains(err.Error(), "\n"))
}

// A run stopped while a mismatch is shrunk still reports what it knows of it.
func TestInterruptedShrinkingKeepsTheMismatch(t *testing.T) {
	t.Parallel()
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg := config("txstate", "random", 50_000)
	plantWrongCount(t, &cfg)
	trials := 0
	cfg.Say = func(what string) {
		if strings.Contains(what, "shrinking") {
			if trials++; trials == 6 {
				cancel(stop)
			}
		}
	}
	res, err := run.Run(ctx, cfg)
	require.NoError(t, err, "an interrupt ends the search, not the finding")
	require.False(t, res.Interrupted)
	require.Contains(t, res.FirstMismatch.Note, "ended early: interrupted")
	require.Equal(t, 6, trials)
	require.Equal(t, report.Mismatched, res.Verdict())
	require.Equal(t, "rsp_rtx_count", res.FirstMismatch.Fields[0].Name)
	require.NotEmpty(t, res.FirstMismatch.Reproduce)
	require.Greater(t, res.FirstMismatch.ShrunkTo, 2, "not shrunk to the end")
}

// A run against the model also saves its shortest events, and they fail again.
func TestSavedCaseOfTheModel(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "case.json")
	cfg := config("txstate", "random", 3000)
	cfg.SaveCase = file
	plantWrongCount(t, &cfg)
	res, err := run.Run(t.Context(), cfg)
	require.NoError(t, err)
	require.NotNil(t, res.FirstMismatch)
	require.Contains(t, res.FirstMismatch.Note, "--block txstate --replay "+file+" --rtl "+cfg.RTLDir,
		"another design would be compared")
	c, err := run.ReadCase(file)
	require.NoError(t, err)
	require.Len(t, c.Items, res.FirstMismatch.ShrunkTo)
	cfg.SaveCase, cfg.Replay, cfg.Source, cfg.Seed, cfg.Params = "", file, run.ReplaySource, c.Seed, c.Params
	again, err := run.Run(t.Context(), cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, again.Mismatches)
	require.Equal(t, res.FirstMismatch.Fields[0].Name, again.FirstMismatch.Fields[0].Name)
	require.EqualValues(t, res.FirstMismatch.ShrunkTo, again.Events)
}
