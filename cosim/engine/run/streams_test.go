package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
)

// toys are designs with two input streams, in testdata/streams.
var toys = []string{"arbiter", "fork_two", "hungry", "join_two", "merge", "router"}

// toy binds a design of testdata/streams, with a text replaced if old is not empty, and returns its dut.yaml.
func toy(t *testing.T, name, latency, old, new string) string {
	t.Helper()
	from, err := filepath.Abs("testdata/streams")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(from, name+".sv"))
	require.NoError(t, err)
	dir := t.TempDir()
	source := filepath.Join(from, name+".sv")
	if old != "" {
		require.Equal(t, 1, strings.Count(string(text), old), old)
		source = filepath.Join(dir, name+".sv")
		require.NoError(t, os.WriteFile(source, []byte(strings.Replace(string(text), old, new, 1)), 0o644))
	}
	schema := filepath.Join(from, "schema_two_one.yaml")
	switch {
	case strings.Contains(string(text), "z_valid_o"):
		schema = filepath.Join(from, "schema_two_two.yaml")
	case !strings.Contains(string(text), "b_valid_i"):
		schema = filepath.Join(from, "schema_one_one.yaml")
	}
	b, err := event.Load(schema)
	require.NoError(t, err)
	var y strings.Builder
	fmt.Fprintf(&y, "schema: %s\ntop: %s\nsources: [%s]\nclock: clk_i\nreset: {port: rst_ni, active: low, kind: "+
		"async}\nlatency: %s\nflush: 64\npatience: 20000\nmap:\n",
		schema, name, source, latency)
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
	for _, name := range toys {
		for _, latency := range []string{"exact", "elastic"} {
			t.Run(name+"/"+latency, func(t *testing.T) {
				ctx, cfg := bound(t, toy(t, name, latency, "", ""))
				cfg.Against = other(t, toy(t, name, latency, "", ""))
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
			})
		}
	}
}

// Faults in a design with several input streams are found, in the output where they show.
func TestSeveralStreamsFaults(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ name, old, new, field string }{
		{"arbiter", "{1'b0, b_x_i} : {1'b0, a_x_i}", "{1'b0, b_x_i} : {a_x_i == 8'd255, a_x_i}", "y_v"},
		{"join_two", "{1'b0, a_x_i} + {1'b0, b_x_i}", "{1'b0, a_x_i + b_x_i}", "y_v"}, // no carry
		{"merge", "assign b_ready_o = rst_ni && used < 4'd8", "assign b_ready_o = rst_ni && used < 4'd15", "y_"},
		{"router", "assign b_ready_o = rst_ni && (b_y", "assign b_ready_o = rst_ni && b_x_i != 8'd3 && (b_y", "z_src"},
	} {
		t.Run(fmt.Sprint(c.name, i), func(t *testing.T) {
			ctx, cfg := bound(t, toy(t, c.name, "elastic", c.old, c.new))
			cfg.Against = other(t, toy(t, c.name, "elastic", "", ""))
			res, err := Run(ctx, cfg)
			require.NoError(t, err)
			require.NotZero(t, res.Mismatches)
			m := res.FirstMismatch
			require.Contains(t, m.Fields[0].Name, c.field)
			require.NotEmpty(t, m.Shrunk)
		})
	}
}

// Two designs of different timing agree if the order in which events are accepted decides.
func TestSeveralStreamsOfOtherTiming(t *testing.T) {
	t.Parallel()
	const refuse, sooner = "used < 4'd8;\n  assign b_ready_o = rst_ni && used < 4'd8",
		"used < 4'd3;\n  assign b_ready_o = rst_ni && used < 4'd2"
	ctx, cfg := bound(t, toy(t, "merge", "elastic", refuse, sooner))
	cfg.Against = other(t, toy(t, "merge", "elastic", "", ""))
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches, "%+v", res.FirstMismatch)
	require.Greater(t, res.Responses, uint64(2000))
}

// Which event an arbiter takes first is timing, not an answer: only a comparison of cycles finds an unfair one.
func TestUnfairArbiter(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, toy(t, "arbiter", "exact", "(!a_valid_i || !last_q)", "!a_valid_i"))
	cfg.Against = other(t, toy(t, "arbiter", "exact", "", ""))
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.NotZero(t, res.Mismatches)
	require.Regexp(t, "^[ab]_ready", res.FirstMismatch.Fields[0].Name)
	require.Empty(t, res.FirstMismatch.Note, "every trial of a shorter list ends by itself")
}

// The cycles of a design with several input streams are kept in a file and replayed.
func TestSeveralStreamsRecorded(t *testing.T) {
	t.Parallel()
	_, cfg := bound(t, toy(t, "join_two", "exact", "", ""))
	file, err := recordTo(t, cfg, record.Spec{Per: format.PerCycle})
	require.NoError(t, err)
	cfg.Source, cfg.Expect = "file", file
	res, err := Run(t.Context(), cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.GreaterOrEqual(t, res.Events, uint64(3000))
	_, bad := bound(t, toy(t, "join_two", "exact", "{1'b0, a_x_i} + {1'b0, b_x_i}", "{1'b0, a_x_i + b_x_i}"))
	bad.Source, bad.Expect = "file", file
	res, err = Run(t.Context(), bad)
	require.NoError(t, err)
	require.NotZero(t, res.Mismatches)
}
