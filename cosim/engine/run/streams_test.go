package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// toys are designs with two input streams, in testdata/streams. Those of one schema share a top, and so a build: +toy
// selects one by its place here.
var toys = map[string][]string{"two_one": {"arbiter", "hungry", "join_two", "merge"}, "two_two": {"fork_two", "router"}}

// toy binds a design of testdata/streams, with one of the faults that it has by number, or 0, and returns its dut.yaml.
func toy(t *testing.T, name, latency string, bug int) string {
	t.Helper()
	from, err := filepath.Abs("testdata/streams")
	require.NoError(t, err)
	dir, top, kind, number := t.TempDir(), name, "one_one", 0
	sources := []string{filepath.Join(from, name+".sv")}
	for several, all := range toys {
		if i := slices.Index(all, name); i >= 0 {
			top, kind, number = several, several, i
			sources = []string{filepath.Join(from, top+".sv")}
			for _, part := range all {
				sources = append(sources, filepath.Join(from, part+".sv"))
			}
		}
	}
	schema := filepath.Join(from, "schema_"+kind+".yaml")
	b, err := event.Load(schema)
	require.NoError(t, err)
	var y strings.Builder
	fmt.Fprintf(&y, "schema: %s\ntop: %s\nsources: [%s]\nplusargs: [+toy=%d, +bug=%d]\nclock: clk_i\n"+
		"reset: {port: rst_ni, active: low, kind: async}\nlatency: %s\nflush: 64\npatience: 20000\nmap:\n",
		schema, top, strings.Join(sources, ", "), number, bug, latency)
	for _, s := range b.Streams {
		in, out := "_i", "_o"
		if s.Dir == event.Out {
			in, out = out, in
		}
		fmt.Fprintf(&y, "  %s_valid: %s_valid%s\n  %s_ready: %s_ready%s\n", s.Name, s.Name, in, s.Name, s.Name, out)
		for _, f := range s.Fields {
			fmt.Fprintf(&y, "  %s.%s: %s_%s%s\n", s.Name, f.Name, s.Name, f.Name, in)
		}
	}
	path := filepath.Join(dir, "dut.yaml")
	require.NoError(t, os.WriteFile(path, []byte(y.String()), 0o644))
	return path
}

// A design with several input streams agrees with itself, cycle by cycle and by its answers alone: each stream proceeds
// independently, and the two designs decide alike wherever a decision depends on when events come.
func TestSeveralStreamsAgreeWithThemselves(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(toys["two_one"], toys["two_two"]) {
		for _, latency := range []string{"exact", "elastic"} {
			t.Run(name+"/"+latency, func(t *testing.T) {
				if latency == "exact" && name != "merge" {
					launchtest.Long(t, "merge, and the others by their answers")
				}
				ctx, cfg := bound(t, toy(t, name, latency, 0))
				cfg.Against = other(t, toy(t, name, latency, 0))
				cfg.Self = true
				res, err := Run(ctx, cfg)
				require.NoError(t, err)
				require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
				require.GreaterOrEqual(t, res.Events, cfg.Events)
				least := 1000
				if name == "hungry" {
					least = 10
				}
				require.Greater(t, res.Responses, uint64(least))
				requireCompared(t, res)
			})
		}
	}
}

// Faults in a design with several input streams are found, in the output where they show.
func TestSeveralStreamsFaults(t *testing.T) {
	t.Parallel()
	for name, field := range map[string]string{"arbiter": "y_v", "join_two": "y_v", "merge": "y_", "router": "z_src"} {
		t.Run(name, func(t *testing.T) {
			ctx, cfg := bound(t, toy(t, name, "elastic", 1))
			cfg.Against = other(t, toy(t, name, "elastic", 0))
			cfg.NoShrink = name == "merge" || name == "router" // the others are shrunk in no time
			res, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.NotZero(t, res.Mismatches)
			m := res.FirstMismatch
			require.Contains(t, m.Fields[0].Name, field)
			require.Equal(t, cfg.NoShrink, len(m.Shrunk) == 0)
		})
	}
}

// Two designs of different timing agree in their answers if the order in which events are accepted decides.
func TestSeveralStreamsOfOtherTiming(t *testing.T) {
	t.Parallel()
	of := func(latency string) *report.Result {
		ctx, cfg := bound(t, toy(t, "merge", latency, 2)) // refuses sooner
		cfg.Against = other(t, toy(t, "merge", latency, 0))
		cfg.NoShrink = true
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		return res
	}
	res := of("exact")
	require.NotZero(t, res.Mismatches, "the timing is the same")
	require.Regexp(t, "^[ab]_ready", res.FirstMismatch.Fields[0].Name)
	res = of("elastic")
	require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
	require.Greater(t, res.Responses, uint64(2000))
}

// Which event an arbiter takes first is timing, not an answer: only a comparison of cycles finds an unfair one.
func TestUnfairArbiter(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, toy(t, "arbiter", "exact", 2))
	cfg.Against = other(t, toy(t, "arbiter", "exact", 0))
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.NotZero(t, res.Mismatches)
	require.Regexp(t, "^[ab]_ready", res.FirstMismatch.Fields[0].Name)
	require.Empty(t, res.FirstMismatch.Note, "every trial of a shorter list ends by itself")
}

// The cycles of a design with several input streams are kept in a file and replayed.
func TestSeveralStreamsRecorded(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, toy(t, "join_two", "exact", 0))
	file, err := recordTo(t, cfg, record.Spec{Per: format.PerCycle})
	require.NoError(t, err)
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.GreaterOrEqual(t, res.Events, uint64(3000))
	_, bad := bound(t, toy(t, "join_two", "exact", 1))
	bad.Source, bad.Expect = "file", file
	res, err = Run(t.Context(), bad)
	require.NoError(t, err)
	require.NotZero(t, res.Mismatches)
}
