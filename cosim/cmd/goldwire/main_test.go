package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// childEnv makes the test binary act as goldwire with a fake runner, for tests that need a separate process.
const childEnv = "GOLDWIRE_TEST_CHILD"

func TestMain(m *testing.M) {
	os.Setenv(cache.Env, cache.Off) // tests leave nothing in the user's folder
	if os.Getenv(childEnv) != "" {
		f := newFake()
		f.slow = func(c run.Config) bool { return c.Seed == 2 }
		f.started = func() { fmt.Fprintln(os.Stdout, "second run started") }
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop)
		os.Exit(execute(ctx, &cli.App{Backend: f.backend(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr},
			os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fake is a backend whose runs pass, unless a test asks for something else.
type fake struct {
	configs  []run.Config
	mismatch func(run.Config) bool
	fail     func(run.Config) error
	slow     func(run.Config) bool // runs until it is cancelled
	empty    bool
	lost     string // key of a section that the results lack
	started  func() // called when a slow run has started
}

func newFake() *fake { return &fake{} }

func (f *fake) run(ctx context.Context, c run.Config) (*report.Result, error) {
	f.configs = append(f.configs, c)
	r := &report.Result{Block: c.Block, Source: c.Source, Seed: c.Seed, Tick: fmt.Sprintf("%dns", c.TickPs/1000),
		Params:    c.Params,
		Transport: c.Transport, RTL: "hdl/rtl", Events: c.Events, Cycles: c.Events + 36, Responses: c.Events, Episodes: 1,
		Compared: report.Compared{Responses: c.Events, Fields: 2 * c.Events},
		Reproduce: fmt.Sprintf("goldwire cosim --block %s --source %s --events %d --seed %d", c.Block, c.Source, c.Events,
			c.Seed)}
	for _, key := range c.Planned().Due {
		if key != f.lost {
			r.Sections = append(r.Sections, report.Section{Key: key, Metrics: []report.Metric{
				{Name: "error", Samples: c.Events, Bound: report.AtMost(1)}}})
		}
	}
	c.Progress(c.Events, c.Events)
	if f.fail != nil {
		if err := f.fail(c); err != nil {
			return nil, err
		}
	}
	if f.slow != nil && f.slow(c) {
		if f.started != nil {
			f.started()
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
		}
		r.Interrupted = true
		r.Events /= 2
		return r, fmt.Errorf("run: %w", context.Cause(ctx))
	}
	if f.empty {
		r.Events = 0
	}
	if f.mismatch != nil && f.mismatch(c) {
		r.Mismatches = 1
		r.FirstMismatch = &report.Mismatch{Episode: "random/3", Seed: c.Seed, Cycle: 99,
			Fields:    []report.Field{{Name: "rsp_cwnd", Want: "5", Got: "4", DiffLSB: "-1"}},
			Reproduce: r.Reproduce + " --episode random/3"}
	}
	return r, nil
}

func (f *fake) backend() cli.Backend {
	b := cli.NewBackend()
	b.Run = f.run
	b.Blocks = func() []string { return []string{"ccc", "txstate"} }
	b.Sources = func(block string) []string {
		if block == "txstate" {
			return []string{"directed", "random", "directed/wrap/psn"}
		}
		return []string{"directed", "random", "fabric:permutation", "fabric:incast32", "directed/quadrant/md",
			"directed/quadrant/fair", "directed/qa/fire"}
	}
	b.Schema = func(block string) *event.Block {
		return &event.Block{Name: block, Title: "the " + block + " block",
			Params: []event.Param{{Name: "NumContexts", Default: 256, Min: 2, Max: 65536},
				{Name: "Rows", Default: 8, Min: 2, Max: 16, Pow2: true}},
			Streams: []event.Stream{{Name: "rsp", Dir: event.Out, Doc: "responses",
				Fields: []event.Field{{Name: "avg_delay", Width: 48, Q: "UQ32.16", Unit: "ticks", Doc: "average"}}}},
			Registers: []event.Register{{Name: "MTU", Width: 16, Reset: 4096, Unit: "bytes", Doc: "largest packet"}}}
	}
	return b
}

type outcome struct {
	code           int
	stdout, stderr string
}

func call(t *testing.T, f *fake, args ...string) outcome {
	t.Helper()
	return callCtx(t, context.Background(), f, args...)
}

func callCtx(t *testing.T, ctx context.Context, f *fake, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	code := execute(ctx, &cli.App{Backend: f.backend(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, args)
	return outcome{code, out.String(), errs.String()}
}

// requireBroken checks exit code 2 with one line on stderr that contains all the words.
func requireBroken(t *testing.T, o outcome, words ...string) {
	t.Helper()
	require.Equal(t, cli.ExitBroken, o.code, o.stderr)
	require.True(t, strings.HasPrefix(o.stderr, "goldwire: "), o.stderr)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), "one line: %q", o.stderr)
	for _, w := range words {
		require.Contains(t, o.stderr, w)
	}
}

func TestUsageErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	noDut := "../../device/bind/testdata/broken/mute.yaml"
	for _, c := range []struct {
		args string
		want []string
	}{
		{"cosin", []string{`unknown command "cosin"`, `did you mean "cosim"?`}},
		{"golden repaly", []string{`did you mean "replay"?`}},
		{"help nothing", []string{`unknown command "nothing"`}},
		{"cosim extra", []string{`unexpected argument "extra"`}},
		{"cosim --sorce random", []string{"unknown flag --sorce", "did you mean --source?"}},
		{"cosim --zzzzzz", []string{"unknown flag --zzzzzz", "goldwire cosim --help"}},
		{"cosim -z", []string{"unknown flag -z"}},
		{"cosim --seed", []string{"--seed"}},
		{"cosim --seed -1", []string{"--seed"}},
		{"cosim --block cccc", []string{`unknown block "cccc"`, `did you mean "ccc"?`}},
		{"cosim --block egress", []string{`unknown block "egress"`, "known: ccc, txstate"}},
		{"cosim --source fabric:incast", []string{`did you mean "fabric:incast32"?`}},
		{"cosim --source incast32", []string{`did you mean "fabric:incast32"?`}},
		{"cosim --source random,lab", []string{`unknown source "lab"`,
			"known: directed, random, fabric:permutation, fabric:incast32"}},
		{"cosim --source=", []string{"--source"}},
		{"cosim --case quadrant/dm", []string{`did you mean "quadrant/md"?`}},
		{"cosim --source directed/qa/fier", []string{`did you mean "qa/fire"?`}},
		{"cosim --source random --case qa/fire", []string{"only the source directed has cases"}},
		{"cosim --events 0", []string{"compares nothing"}},
		{"cosim --events many", []string{"--events", "give a whole number of events"}},
		{"cosim --events 1.5", []string{"give a whole number of events"}},
		{"cosim --seed 1 --seeds 1..3", []string{"both given"}},
		{"cosim --seeds 3..1", []string{"the range is empty"}},
		{"cosim --seeds 1..x", []string{`"x" is not a seed`}},
		{"cosim --seeds 1..99999999999", []string{"more than 100000 seeds"}},
		{"cosim --tick 2ns", []string{"give 1ns or 128ns"}},
		{"cosim --transport udp", []string{"give unix, tcp or shm"}},
		{"cosim --param NumContexts", []string{"give Name=number"}},
		{"cosim --param NumContexts=1", []string{"NumContexts: 1 is not in 2..65536"}},
		{"cosim --param Contexts=64", []string{`parameter "Contexts"`, "NumContexts"}},
		{"cosim --param NumContexts=64 --param NumContexts=32", []string{"given twice"}},
		{"cosim --rtl /nonexistent/rtl", []string{"rtl folder /nonexistent/rtl"}},
		{"cosim --timeout -1s", []string{"--timeout"}},
		{"cosim --timeout soon", []string{"--timeout"}},
		{"cosim --source random,directed --episode random/3", []string{"one source and one seed"}},
		{"cosim --waves " + file, []string{"--waves", "cannot be created"}},
		{"cosim --json /nonexistent/r.json", []string{"folder /nonexistent does not exist; make it first"}},
		{"cosim --junit " + file + "/r.xml", []string{"--junit", "not a directory"}},
		{"cosim --html /", []string{"--html", "it is a folder"}},
		{"cosim --html -", []string{"only --json can go to stdout"}},
		{"cosim --json " + file + " --html " + file, []string{"--json and --html", "both name"}},
		{"cosim --dut /nonexistent.yaml", []string{"/nonexistent.yaml: no such file"}},
		{"cosim --dut " + noDut + " --rtl x", []string{"--dut and --rtl", "keep one"}},
		{"dut check", []string{"missing FILE"}},
		{"dut init", []string{"missing TOP.sv"}},
		{"dut init x.sv --block cc", []string{`did you mean "ccc"?`}},
		{"dut init x.sv -o " + file, []string{"already exists"}},
		{"cosim --root /nonexistent", []string{"--root /nonexistent", "give the root of a Goldwire repository"}},
		{"list things", []string{`unknown list "things"`}},
		{"list --block no", []string{`unknown block "no"`}},
		{"schema show", []string{"missing BLOCK"}},
		{"schema show ccc txstate", []string{`unexpected argument "txstate"`}},
		{"schema show cc", []string{`did you mean "ccc"?`}},
		{"completion tcsh", []string{`unknown command "tcsh"`, "bash, fish, zsh"}},
		{"golden replay --mtu many t.csv", []string{`--mtu "many": give a whole number (see`}},
		{"golden replay --mtu 99999999999999999999 t.csv", []string{"give a whole number; this one is too large (see"}},
		{"cosim --seed -1", []string{`--seed "-1": give a whole number, 0 or above (see`}},
		{"serve --block ccc", []string{"missing --listen (see"}},
		{"serve --listen unix:x", []string{"missing --block (see"}},
		{"golden replay", []string{"missing TRACE"}},
		{"golden step", []string{"missing EVENTS.jsonl"}},
		{"golden step --cc swift --set w x.jsonl", []string{`--set w: want P=V`}},
		{"golden replay t.csv --mtu 4150", []string{"missing --link-gbps, --network-rtt-ps, --target-ps, --mss"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			f := newFake()
			o := call(t, f, strings.Fields(c.args)...)
			requireBroken(t, o, c.want...)
			require.Empty(t, o.stdout)
			require.Empty(t, f.configs, "nothing may run after a usage error")
		})
	}
}

func TestGroupsAloneShowHelpAndFail(t *testing.T) {
	for _, args := range [][]string{nil, {"golden"}, {"dut"}, {"schema"}, {"completion"}, {"fabric"}} {
		o := call(t, newFake(), args...)
		require.Equal(t, cli.ExitBroken, o.code)
		require.Empty(t, o.stdout)
		require.Contains(t, o.stderr, "Usage:")
		require.Contains(t, o.stderr, "goldwire: no command given")
	}
}

func TestHelpTeaches(t *testing.T) {
	for _, c := range []string{"", "cosim", "guide", "dut", "dut init", "dut check", "diff", "diff run", "diff wordlen",
		"diff bench", "fabric", "fabric list", "fabric run", "fabric validate", "fabric cost", "bench",
		"golden", "golden replay", "golden step", "list", "schema", "schema show", "serve", "bridge", "bridge conform",
		"version", "completion", "completion bash", "help"} {
		t.Run("goldwire "+c, func(t *testing.T) {
			o := call(t, newFake(), append(strings.Fields(c), "--help")...)
			require.Equal(t, cli.ExitPass, o.code)
			require.Empty(t, o.stderr)
			require.Contains(t, o.stdout, "Examples:\n  ")
			require.NotRegexp(t, `(?m)^ +(-., )?--[a-z-]+ (string|u?int|float|duration)`, o.stdout,
				"a flag names what it takes, not its type")
			same := call(t, newFake(), append([]string{"help"}, strings.Fields(c)...)...)
			if c != "help" {
				require.Equal(t, o.stdout, same.stdout)
			}
			path := filepath.Join("testdata", "help", strings.ReplaceAll(strings.TrimSpace("goldwire "+c), " ", "_")+".txt")
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(o.stdout), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err, "run go test with -update to write it")
			require.Equal(t, string(want), o.stdout)
		})
	}
}
