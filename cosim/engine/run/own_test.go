package run

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/conform"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim"
)

const examples = "../../../hdl/examples"

// other returns a second design.
func other(t *testing.T, path ...string) *bind.Binding {
	t.Helper()
	_, cfg := bound(t, path...)
	return cfg.Bind
}

// edited copies files of a folder into a new one, which it returns, and replaces a text that must occur once.
func edited(t *testing.T, from, old, new string, files ...string) string {
	t.Helper()
	dir, hits := t.TempDir(), 0
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(from, f))
		require.NoError(t, err)
		hits += strings.Count(string(text), old)
		require.NoError(t, os.WriteFile(filepath.Join(dir, f), []byte(strings.ReplaceAll(string(text), old, new)), 0o644))
	}
	require.Equal(t, 1, hits, old)
	return dir
}

// The planted difference of one LSB between old and new RTL is found and reduced to two samples. The fixed RTL, with
// the same latency, agrees.
func TestAgainstOldRTL(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, examples, "old_new/new.yaml")
	cfg.Against, cfg.Events, cfg.WaveDir = other(t, examples, "old_new/old.yaml"), 20000, t.TempDir()
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	m := res.FirstMismatch
	require.Len(t, m.Fields, 1)
	require.Equal(t, "rsp_y", m.Fields[0].Name)
	require.Equal(t, "-1", m.Fields[0].DiffLSB)
	require.LessOrEqual(t, m.ShrunkTo, 3, m.Shrunk)
	require.Regexp(t, `^chan=\d.* gain=`, m.Shrunk[m.ShrunkTo-1])
	require.Contains(t, m.Reproduce,
		"cosim --dut "+cfg.Bind.File+" --against "+cfg.Against.File+" --source random --seed 5 --events 20000 --episode "+m.Episode)
	waveOfAnswer(t, m, "rsp_y")
	last := m.Window[len(m.Window)-1]
	require.True(t, last.Differ)
	require.Equal(t, m.Cycle, last.Cycle)
	cfg.Episode, cfg.WaveDir = m.Episode, ""
	again, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Equal(t, m.Cycle, again.FirstMismatch.Cycle, "the command repeats it")
	require.Equal(t, m.Shrunk, again.FirstMismatch.Shrunk)

	// The same design without the wrong field passes, and the result names the fields that were not compared.
	ctx, cfg = bound(t, examples, "old_new/new.yaml")
	cfg.Against, cfg.Events = other(t, examples, "old_new/old.yaml"), 20000
	cfg.Bind.Map["rsp.y"] = bind.Expr{None: true}
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Equal(t, []string{"rsp.y"}, res.Uncompared)
	require.Greater(t, res.OutputFields, 1)
	require.Contains(t, res.Reason(), fmt.Sprintf("(%d of %d output fields of the block)", res.OutputFields-1,
		res.OutputFields))

	ctx, cfg = bound(t, examples, "old_new/new_fixed.yaml")
	cfg.Against, cfg.Events = other(t, examples, "old_new/old.yaml"), 20000
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Empty(t, res.Uncompared)
	require.EqualValues(t, 20000, res.Events)
	require.NotEmpty(t, res.Digest)
	require.Greater(t, res.Responses, uint64(19000))
}

// Two designs that both keep the contract's time are compared cycle by cycle: a late ready is a difference, and so is a
// wrong answer.
func TestAgainstCycleByCycle(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, exactly(t, sound))
	cfg.Against, cfg.Self = cfg.Bind, true
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.GreaterOrEqual(t, res.Responses, uint64(2500))

	for fault, field := range map[int]string{roundsDown: "rsp_y", readyLate: "ev_ready"} {
		ctx, cfg := bound(t, exactly(t, fault))
		cfg.Against = other(t, exactly(t, sound))
		res, err := Run(ctx, cfg)
		require.NoError(t, err, field)
		require.EqualValues(t, 1, res.Mismatches, field)
		require.Len(t, res.FirstMismatch.Fields, 1, field)
		require.Equal(t, field, res.FirstMismatch.Fields[0].Name)
		require.LessOrEqual(t, res.FirstMismatch.ShrunkTo, 3, field)
		require.NotEmpty(t, res.FirstMismatch.Window, field)
		require.True(t, res.FirstMismatch.Window[len(res.FirstMismatch.Window)-1].Differ, field)
	}
}

// A lost answer shows as a wrong one, because the next takes its place, and is reduced to the event that was not
// answered.
func TestLostAnswerIsReduced(t *testing.T) {
	t.Parallel()
	dir := edited(t, examples+"/old_new", "valid_q <= ev_valid_i;",
		"valid_q <= ev_valid_i && !(ev_init_i && ev_chan_i == 2'd3);", "ewma_old.sv", "schema.yaml", "old.yaml")
	ctx, cfg := bound(t, dir, "old.yaml")
	cfg.Against = other(t, examples, "old_new/old.yaml")
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	m := res.FirstMismatch
	require.NotNil(t, m)
	require.NotEqual(t, "rsp_valid", m.Fields[0].Name, "it is the answer after the lost one that differs")
	require.Equal(t, []string{"chan=3 init=1"}, m.Shrunk)
}

// A design with its own schema needs a reference: the error names the flags. One of another schema is refused.
func TestReferenceRefused(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, examples, "old_new/new.yaml")
	_, err := Run(ctx, cfg)
	require.ErrorContains(t, err, "has no model here; give a reference: --expect FILE.gwv, --against OTHER.yaml or "+
		"--golden ADDRESS")
	cfg.Against = other(t, examples, "public/dut.yaml")
	_, err = Run(ctx, cfg)
	require.ErrorContains(t, err, "is of block ewma, schema hash "+cfg.Bind.Block.Hash())
	require.ErrorContains(t, err, "of block secret, schema hash "+cfg.Against.Block.Hash())
	cfg.Golden = "unix:/nowhere"
	_, err = Run(ctx, cfg)
	require.ErrorContains(t, err, "more than one reference is given")
	cfg.Against = nil
	cfg.Golden = "unix:" + filepath.Join(t.TempDir(), "none")
	_, err = Run(ctx, cfg)
	require.ErrorContains(t, err, "golden program at "+cfg.Golden)
	require.ErrorContains(t, err, "no server listens at")
	cfg.Source = "directed"
	cfg.Golden, cfg.Against = "", other(t, examples, "old_new/old.yaml")
	_, err = Run(ctx, cfg)
	require.ErrorContains(t, err, "random and random/N")
}

// golden starts a golden program, a copy of the example's with one text replaced, and returns its address.
func golden(t *testing.T, old, new string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	dir := edited(t, examples+"/public", old, new, "golden.py")
	module, err := filepath.Abs("../../../bridge/py")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, python, filepath.Join(dir, "golden.py"), "--listen", "tcp:127.0.0.1:0")
	cmd.Env = append(os.Environ(), "PYTHONPATH="+module, "PYTHONDONTWRITEBYTECODE=1")
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cancel(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, log.String())
	said := strings.Fields(line)
	require.GreaterOrEqual(t, len(said), 6, line)
	require.Equal(t, "listening", said[0], line)
	require.Contains(t, line, " block secret")
	if len(said) == 8 { // unless an earlier program of the test has set it
		require.Equal(t, "token", said[6], line)
		t.Setenv(launch.TokenEnv, said[7])
	}
	return said[1]
}

// The public block agrees with its golden program, and differs from a changed one.
func TestGoldenProgram(t *testing.T) {
	const rule = "(a + b + 9) & MASK"
	ctx, cfg := bound(t, examples, "public/dut.yaml")
	cfg.Golden = golden(t, rule, rule)
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.EqualValues(t, 3000, res.Responses)

	checks, err := conform.Run(ctx, conform.Target{Block: cfg.Bind.Block,
		Open: func(ctx context.Context) (net.Conn, string, error) {
			c, err := client.Connect(ctx, cfg.Golden, time.Minute)
			return c, os.Getenv(launch.TokenEnv), err
		}})
	require.NoError(t, err)
	require.NotEmpty(t, checks)
	for _, c := range checks {
		require.NotEqual(t, conform.Fail, c.Verdict, "%s: %s: %s", c.Name, c.Expect, c.Got)
	}

	cfg.Golden = golden(t, "self.total > 10", "self.total > 11")
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	require.Equal(t, "rsp_x", res.FirstMismatch.Fields[0].Name)
	require.LessOrEqual(t, res.FirstMismatch.ShrunkTo, 6)
	require.GreaterOrEqual(t, res.FirstMismatch.ShrunkTo, 2)
	require.Contains(t, res.FirstMismatch.Reproduce, "--golden "+cfg.Golden)
}

// A golden program that ends during the search for a shorter case does not revoke the mismatch.
func TestGoldenProgramEndsWhileShrinking(t *testing.T) {
	ctx, cfg := bound(t, examples, "public/dut.yaml")
	cfg.Golden = golden(t, "self.total = 0", "self.total = 1 << 31; Secret.made = getattr(Secret, 'made', 0) + 1; "+
		"Secret.made > 6 and os._exit(1)")
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	require.Equal(t, report.Mismatched, res.Verdict())
	require.Contains(t, res.FirstMismatch.Note, "golden program at "+cfg.Golden)
	require.NotContains(t, res.FirstMismatch.Note, "DUT")
}

// A golden program that breaks is an error that names it, within a limited time.
func TestGoldenProgramBreaks(t *testing.T) {
	const rule, answer = "self.total > 10", `return [("rsp", {"x": self.step(fields["a"], fields["b"])})]`
	for name, c := range map[string]struct {
		old, new string
		want     []string
		atEvent  bool
	}{
		"raises": {rule, "self.total > 10 and [][self.total]", []string{"IndexError: list index out of range"}, true},
		"dies":   {rule, "self.total > 10 and os._exit(1)", []string{"closed the connection"}, true},
		"hangs": {rule, "self.total > 10 and __import__('time').sleep(600)", []string{"no sign of life", "--timeout"},
			true},
		"field too wide": {"else (a + b + 9) & MASK", "else a + b + 0xfffffff9",
			[]string{"rsp.x = ", "does not fit its 32 bits"}, true},
		"no such field":  {answer, `return [("rsp", {"y": 1})]`, []string{"stream rsp: the field x is missing"}, true},
		"no such stream": {answer, `return [("rps", {"x": 1})]`, []string{"'rps' is no output stream; there is rsp"}, true},
		"no list":        {answer, `return None`, []string{"returned None", "[(STREAM, {FIELD: VALUE})]"}, true},
		"no number":      {answer, `return [("rsp", {"x": "1"})]`, []string{"rsp.x = '1' is no integer"}, true},
		"no pair":        {answer, `return [{"x": 1}]`, []string{"returned [{'x': 1}]"}, true},
		"another schema": {`"secret", "`, `"secret", "0`, []string{"schema hash"}, false},
		"another layout": {`[("a", 32), ("b", 32)]`, `[("a", 32), ("b", 3)]`, []string{"layout"}, false},
		"another block":  {`gwserve.Block("secret"`, `gwserve.Block("secrets"`, []string{"block"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cfg := bound(t, examples, "public/dut.yaml")
			cfg.Golden, cfg.Timeout = golden(t, c.old, c.new), time.Minute
			if name == "hangs" {
				cfg.Timeout = 5 * time.Second
			}
			_, err := Run(ctx, cfg)
			require.Error(t, err)
			for _, w := range append(c.want, "golden program at "+cfg.Golden) {
				require.ErrorContains(t, err, w)
			}
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "DUT")
			if c.atEvent {
				require.Regexp(t, `^episode random/0, event \d+, a=`, err)
			}
		})
	}
}

// A listener at the address that is not a golden program is reported as such, within a limited time.
func TestNoGoldenProgram(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serve func(c net.Conn)
		want  string
	}{
		"closes":  {func(c net.Conn) { c.Close() }, "it closed the connection"},
		"junk":    {func(c net.Conn) { fmt.Fprint(c, strings.Repeat("I am something else\n", 40)) }, "not a bridge frame"},
		"silence": {func(net.Conn) {}, "the golden program did not answer: no hello"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cfg := bound(t, examples, "public/dut.yaml")
			l, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			peer := make(chan net.Conn, 1)
			go func() {
				defer close(peer)
				if conn, err := l.Accept(); err == nil {
					c.serve(conn)
					peer <- conn
				}
			}()
			t.Cleanup(func() {
				l.Close()
				if conn, ok := <-peer; ok {
					conn.Close()
				}
			})
			cfg.Golden, cfg.Timeout = "tcp:"+l.Addr().String(), time.Minute
			if name == "silence" {
				cfg.Timeout = time.Second
			}
			_, err = Run(ctx, cfg)
			require.ErrorContains(t, err, "golden program at "+cfg.Golden)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "DUT process")
		})
	}
	ctx, cfg := bound(t, examples, "public/dut.yaml")
	cfg.Golden = "localhost:99"
	_, err := Run(ctx, cfg)
	require.ErrorContains(t, err, "give unix:PATH or tcp:127.0.0.1:PORT")
}

// vectorFile writes a file of a block's model and returns its path.
func vectorFile(t *testing.T, cfg *Config, per string) string {
	t.Helper()
	k, err := block.Lookup(cfg.Block)
	require.NoError(t, err)
	params, err := k.Schema.Values(cfg.Bind.BlockParams)
	require.NoError(t, err)
	model, err := k.NewModel(params)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "v.gwv")
	f, err := os.Create(path)
	require.NoError(t, err)
	options := stim.Options{Seed: 2, Events: 3000, Params: params}
	_, err = record.Write(t.Context(), f, &record.Spec{Block: k.Schema, Model: model, Source: "random", Per: per,
		Options: options,
		Open:    func() (stim.Source, error) { return k.Stimulus.Open("random", options) }})
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return path
}

// changed rewrites a file with one flipped bit in a response field, of record at or the first later one with a
// response.
func changed(t *testing.T, path, field string, at uint64) string {
	t.Helper()
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	r, err := format.NewReader(in)
	require.NoError(t, err)
	out, err := os.Create(path + ".changed")
	require.NoError(t, err)
	w, err := format.NewWriter(out, *r.Header())
	require.NoError(t, err)
	l, done := event.NewLayout(r.Block()), false
	slot := l.Out.Slot("rsp", field)
	for rec, err := range r.All() {
		require.NoError(t, err)
		if rec.Mark != nil {
			w.Mark(rec.Mark.Name, rec.Mark.Seed)
		}
		if !done && rec.Number >= at && rec.Out[0]&l.Out.Control("rsp_valid") != 0 {
			slot.Set(rec.Out, slot.Get(rec.Out)^1)
			done = true
		}
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	require.True(t, done)
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, out.Close())
	return path + ".changed"
}

// episodesOf returns the number of episodes in a file, and the number of records of each.
func episodesOf(t *testing.T, path string) (marks int, records map[string]uint64) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r, err := format.NewReader(f)
	require.NoError(t, err)
	records = map[string]uint64{}
	name := ""
	for rec, err := range r.All() {
		require.NoError(t, err)
		if rec.Mark != nil {
			name = rec.Mark.Name
			marks++
		}
		records[name]++
	}
	return marks, records
}

// A design is compared with a vector file, per transaction and cycle by cycle. One wrong bit in the file is found.
func TestExpectVectors(t *testing.T) {
	t.Parallel()
	for _, per := range []string{format.PerTransaction, format.PerCycle} {
		for _, design := range []string{"flat/exact.yaml", "flat/context.yaml"} {
			t.Run(per+"/"+design, func(t *testing.T) {
				ctx, cfg := bound(t, bindData, design)
				cfg.Source, cfg.Expect = "file", vectorFile(t, &cfg, per)
				res, err := Run(ctx, cfg)
				if cfg.Bind.Latency == bind.Elastic && per == format.PerCycle {
					require.ErrorContains(t, err, "make the file with --per transaction")
					return
				}
				require.NoError(t, err)
				require.Zero(t, res.Mismatches)
				require.EqualValues(t, 3000, res.Events)

				good := cfg.Expect
				marks, records := episodesOf(t, good)
				require.GreaterOrEqual(t, marks, 3)
				if per == format.PerCycle {
					require.Equal(t, marks, res.Episodes, "each with a model of its own")
				}
				cfg.Episode = "random/1"
				res, err = Run(ctx, cfg)
				require.NoError(t, err)
				require.Equal(t, 1, res.Episodes)
				if per == format.PerCycle {
					require.Equal(t, records["random/1"], res.Cycles, "its own cycles and no others")
				}
				cfg.Episode = ""
				cfg.Expect = changed(t, good, "rtx_count", 1500)
				res, err = Run(ctx, cfg)
				require.NoError(t, err)
				require.EqualValues(t, 1, res.Mismatches)
				require.Equal(t, "rsp_rtx_count", res.FirstMismatch.Fields[0].Name)
				require.NotEmpty(t, res.FirstMismatch.Event)
				require.Contains(t, res.FirstMismatch.Reproduce, fmt.Sprintf("--expect %s --episode %s", cfg.Expect,
					res.FirstMismatch.Episode))
				cfg.Episode = res.FirstMismatch.Episode
				again, err := Run(ctx, cfg)
				require.NoError(t, err)
				require.EqualValues(t, 1, again.Mismatches)
				require.Equal(t, res.FirstMismatch.Cycle, again.FirstMismatch.Cycle)

				cfg.Episode = "random/999"
				_, err = Run(ctx, cfg)
				require.ErrorContains(t, err, "random/999")

				text, err := os.ReadFile(good)
				require.NoError(t, err)
				cfg.Episode, cfg.Expect = "", good+".cut"
				require.NoError(t, os.WriteFile(cfg.Expect, text[:len(text)/2], 0o644))
				_, err = Run(ctx, cfg)
				require.ErrorContains(t, err, cfg.Expect)
				require.ErrorIs(t, err, format.ErrTruncated)
			})
		}
	}
	ctx, cfg := bound(t, bindData, "flat/exact.yaml")
	cfg.Source, cfg.Expect = "file", vectorFile(t, &cfg, format.PerTransaction)
	cfg.Bind.BlockParams = map[string]int{"NumPdcs": 8, "Depth": 16}
	_, err := Run(ctx, cfg)
	require.ErrorContains(t, err, "it was made with NumPdcs=4, the design has 8")
}
