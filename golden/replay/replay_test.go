package replay

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
)

var update = flag.Bool("update", false, "rewrite testdata")

var recorded = Config{Profile: ProfileHtsim, LinkGbps: 100, NetworkRTTPs: 14022720, TargetPs: 10517040,
	MTU: 4150, MSS: 4086}

const (
	ownTrace = "testdata/every_action_100g.csv"
	ownRows  = 320
)

func ownText(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(ownTrace)
	require.NoError(t, err)
	return string(b)
}

func run(t *testing.T, r io.Reader, cfg Config) *Report {
	t.Helper()
	rep, err := Replay(context.Background(), r, cfg)
	require.NoError(t, err)
	return rep
}

func requireExact(t *testing.T, rep *Report) {
	t.Helper()
	require.Nil(t, rep.Integer.First)
	require.Zero(t, rep.Integer.ActionMismatches)
	require.Zero(t, rep.Integer.ValuesDiffer)
	for _, c := range rep.Integer.Columns {
		require.Zero(t, c.Differ, c.Name)
		require.Zero(t, c.MaxRelErr, c.Name)
	}
}

// The recorded traces of the reference simulator replay without any difference.
func TestRecordedTraces(t *testing.T) {
	for _, c := range []struct {
		file        string
		rows, flows int
	}{{"one_100g_default.csv", 14, 1}, {"perm128_100g_4os.csv.gz", 10223, 24}} {
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join("..", "..", "..", "shared", "data", "htsim", c.file)
			f, err := os.Open(path)
			if err != nil {
				t.Skipf("no recorded trace at %s", path)
			}
			defer f.Close()
			rep := run(t, f, recorded)
			require.Equal(t, c.rows, rep.Rows)
			require.Equal(t, c.flows, rep.Flows)
			requireExact(t, rep)
			require.Zero(t, rep.Real.ActionMismatches)
			require.LessOrEqual(t, rep.Real.Columns[cwndAfter].MaxRelErr, 2e-4)
			require.True(t, rep.Pass)
		})
	}
}

// A trace of our own, written by the integer rules, holds every action and
// kind, so that a change of any rule shows without the recorded ones.
func TestOwnTrace(t *testing.T) {
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(ownTrace, []byte(generate(t, recorded, 2, ownRows)), 0o644))
	}
	text := ownText(t)
	require.Equal(t, generate(t, recorded, 2, ownRows), text, "the rules changed; if that is right, run with -update")
	rep := run(t, strings.NewReader(text), recorded)
	requireExact(t, rep)
	require.Equal(t, ownRows, rep.Rows)
	require.Equal(t, 3, rep.Flows)
	seen := map[string]bool{}
	for _, a := range rep.Actions {
		seen[a.Action] = true
	}
	for _, a := range htsim.Actions {
		require.True(t, seen[a], "no %v in the trace", a)
	}
	require.Zero(t, rep.Real.ActionMismatches)
	require.True(t, rep.Pass)
}

func TestCompressedTracesAreTheSame(t *testing.T) {
	text := ownText(t)
	want := run(t, strings.NewReader(text), recorded)
	for name, wrap := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gz":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"xz":  func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
		"zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w, err := wrap(&b)
			require.NoError(t, err)
			_, err = io.WriteString(w, text)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			whole := b.Bytes()
			require.Equal(t, want, run(t, bytes.NewReader(whole), recorded))

			_, err = Replay(context.Background(), bytes.NewReader(whole[:len(whole)/2]), recorded)
			require.ErrorIs(t, err, ErrTrace, "cut in half")
			_, err = Replay(context.Background(), bytes.NewReader(whole[:7]), recorded)
			require.ErrorIs(t, err, ErrTrace, "cut in the header")
		})
	}
}

// edit returns the trace with one cell of one data row (from 1) replaced.
func edit(text string, row int, column, value string) string {
	lines := strings.Split(text, "\n")
	cells := strings.Split(lines[row], ",")
	for i, h := range header {
		if h == column {
			cells[i] = value
		}
	}
	lines[row] = strings.Join(cells, ",")
	return strings.Join(lines, "\n")
}

func cell(text string, row int, column string) string {
	for i, h := range header {
		if h == column {
			return strings.Split(strings.Split(text, "\n")[row], ",")[i]
		}
	}
	return ""
}

// Every checked column, damaged by one, is reported as exactly that cell.
func TestDamagedValueIsReported(t *testing.T) {
	text := ownText(t)
	for i, col := range checked {
		row := 37 + i
		old, err := strconv.ParseInt(cell(text, row, header[col]), 10, 64)
		require.NoError(t, err)
		rep := run(t, strings.NewReader(edit(text, row, header[col], strconv.FormatInt(old+1, 10))), recorded)
		require.False(t, rep.Pass)
		require.Equal(t, 1, rep.Integer.ValuesDiffer)
		require.Equal(t, 1, rep.Integer.Columns[i].Differ)
		require.Zero(t, rep.Integer.ActionMismatches)
		f := rep.Integer.First
		require.Equal(t, []any{row, row + 1, header[col], strconv.FormatInt(old+1, 10), strconv.FormatInt(old, 10)},
			[]any{f.Row, f.Line, f.Column, f.Want, f.Got})
	}
}

func TestDamagedActionAndInputAreReported(t *testing.T) {
	text := ownText(t)
	require.NotEqual(t, "MD", cell(text, 200, "action"))
	rep := run(t, strings.NewReader(edit(text, 200, "action", "MD")), recorded)
	require.Equal(t, 1, rep.Integer.ActionMismatches)
	require.Equal(t, 1, rep.Real.ActionMismatches)
	require.Equal(t, "action", rep.Integer.First.Column)
	require.False(t, rep.Pass)

	rep = run(t, strings.NewReader(edit(text, 50, "newly_bytes", "99999")), recorded)
	require.NotZero(t, rep.Integer.ValuesDiffer)
	require.Equal(t, 50, rep.Integer.First.Row)
}

func TestWrongKnobsShow(t *testing.T) {
	text := ownText(t)
	for name, change := range map[string]func(*Config){
		"link":   func(c *Config) { c.LinkGbps = 101 },
		"rtt":    func(c *Config) { c.NetworkRTTPs++ },
		"target": func(c *Config) { c.TargetPs++ },
		"mtu":    func(c *Config) { c.MTU -= 60 },
		"mss":    func(c *Config) { c.MSS-- },
	} {
		c := recorded
		change(&c)
		require.False(t, run(t, strings.NewReader(text), c).Pass, name)
	}
}

func TestConfigRefuses(t *testing.T) {
	for want, change := range map[string]func(*Config){
		`profile "spec"`:     func(c *Config) { c.Profile = "spec" },
		"mtu 0":              func(c *Config) { c.MTU = 0 },
		"real tolerance 1":   func(c *Config) { c.RealTolerance = 1 },
		"real tolerance -1":  func(c *Config) { c.RealTolerance = -1 },
		"network rtt -14 ps": func(c *Config) { c.NetworkRTTPs = -14 },
	} {
		c := recorded
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
		_, err := Replay(context.Background(), strings.NewReader(""), c)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, recorded.Validate())
}

func TestBadTracesAreNamed(t *testing.T) {
	text := ownText(t)
	head := strings.SplitAfter(text, "\n")[0]
	for want, bad := range map[string]string{
		"no header":                  "",
		"header: 3 columns, want 58": "a,b,c\n",
		`header: column 2 is "flaw"`: strings.Replace(text, ",flow,", ",flaw,", 1),
		"a header but no rows":       head,
		"line 3: 57 columns, want 58": strings.Replace(text, "\n"+strings.Split(text, "\n")[2]+"\n",
			"\n"+strings.Split(text, "\n")[2][2:]+"\n", 1),
		`line 11: column kind: "FOO"`:        edit(text, 10, "kind", "FOO"),
		`line 11: column action: "FOO"`:      edit(text, 10, "action", "FOO"),
		`line 11: column time_ps: "1e6"`:     edit(text, 10, "time_ps", "1e6"),
		"line 11: column ecn: 2 is outside":  edit(text, 10, "ecn", "2"),
		"line 11: column rtt_valid: 3 is":    edit(text, 10, "rtt_valid", "3"),
		"line 11: column newly_bytes: -1 is": edit(text, 10, "newly_bytes", "-1"),
		`line 11: column cwnd_after: ""`:     edit(text, 10, "cwnd_after", ""),
		"rows must be in order of time":      edit(text, ownRows, "time_ps", "5"),
		"line 2: longer than 65536 bytes":    head + strings.Repeat("9", 1<<17),
	} {
		_, err := Replay(context.Background(), strings.NewReader(bad), recorded)
		require.ErrorIs(t, err, ErrTrace, want)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
	rep := run(t, strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")+"\r\n\r\n"), recorded)
	require.True(t, rep.Pass, "line ends of another system and blank lines are no matter")
}

// A mismatch stays in the report when a later row cannot be read; without one there is no report.
func TestMismatchBeforeADamagedRow(t *testing.T) {
	damaged := edit(ownText(t), 10, "kind", "FOO")
	rep, err := Replay(context.Background(), strings.NewReader(damaged), recorded)
	require.ErrorIs(t, err, ErrTrace)
	require.Nil(t, rep)
	rep, err = Replay(context.Background(), strings.NewReader(edit(damaged, 9, "cwnd_after", "1")), recorded)
	require.ErrorIs(t, err, ErrTrace)
	require.NotNil(t, rep)
	require.False(t, rep.Pass)
	require.Equal(t, 9, rep.Rows)
}

func TestCancelledReplayStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Replay(ctx, strings.NewReader(ownText(t)), recorded)
	require.ErrorIs(t, err, context.Canceled)
}

// At 800 Gb/s the recorder's 32-bit accumulator wraps: integer arithmetic follows
// it, real arithmetic shows the loss.
func TestWrappedAccumulator(t *testing.T) {
	fast := recorded
	fast.LinkGbps = 800
	rep := run(t, strings.NewReader(generate(t, fast, 11, 400)), fast)
	requireExact(t, rep)
	require.Greater(t, rep.Real.Columns[cwndAfter].MaxRelErr, 2e-4)
	require.False(t, rep.Pass)
}

func TestReportForms(t *testing.T) {
	text := ownText(t)
	a, err := json.Marshal(run(t, strings.NewReader(text), recorded))
	require.NoError(t, err)
	b, err := json.Marshal(run(t, strings.NewReader(text), recorded))
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))
	var m map[string]any
	require.NoError(t, json.Unmarshal(a, &m))
	for _, k := range []string{"config", "rows", "flows", "actions", "pass", "integer", "real"} {
		require.Contains(t, m, k)
	}
	in := m["integer"].(map[string]any)
	for _, k := range []string{"action_mismatches", "values_differ", "columns", "first_mismatch"} {
		require.Contains(t, in, k)
	}
	require.Len(t, in["columns"], numChecked)

	var out bytes.Buffer
	require.NoError(t, run(t, strings.NewReader(edit(text, 9, "cwnd_after", "1")), recorded).WriteText(&out))
	require.Contains(t, out.String(), "MISMATCH")
	require.Contains(t, out.String(), "row 9 (line 10)")
	require.Contains(t, out.String(), "cwnd_after: want 1, got "+cell(text, 9, "cwnd_after"))
	require.Contains(t, out.String(), "integer        0 action mismatches, 1 of 12480 values differ")
}

func FuzzReplay(f *testing.F) {
	f.Add([]byte("a,b\n"))
	f.Add([]byte(strings.Join(header[:], ",") + "\n" + strings.Repeat("0,", len(header)-1) + "0\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if rep, err := Replay(context.Background(), bytes.NewReader(b), recorded); err == nil && rep.Rows == 0 {
			t.Fatal("a report without rows")
		}
	})
}
