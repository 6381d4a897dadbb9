package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// serving runs goldwire serve with the arguments until the test ends, which must give exit code 0. It returns the line
// that the command prints.
func serving(t *testing.T, args ...string) (line string, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	var errs bytes.Buffer
	done := make(chan int, 1)
	go func() {
		a := &cli.App{Backend: cli.NewBackend(), Stdin: strings.NewReader(""), Stdout: w, Stderr: &errs}
		done <- execute(ctx, a, append([]string{"serve"}, args...))
		w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		cancel()
		<-done
		require.NoError(t, err, errs.String())
	}
	ended := false
	end = func() {
		if !ended {
			ended = true
			cancel()
			require.Equal(t, cli.ExitPass, <-done, errs.String())
		}
	}
	t.Cleanup(end)
	return strings.TrimSuffix(line, "\n"), end
}

func TestServeAndConform(t *testing.T) {
	for _, block := range block.Blocks() {
		t.Run(block, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			line, end := serving(t, "--block", block, "--listen", "unix:"+path)
			require.True(t, strings.HasPrefix(line, "listening unix:"+path+" block "+block+" params "), line)
			require.NotContains(t, line, "token")
			o := called(t, "bridge", "conform", "unix:"+path, "--json")
			require.Equal(t, cli.ExitPass, o.code, o.stdout+o.stderr)
			var report struct {
				Block          string
				Passed, Failed int
				Checks         []struct{ Name, Expect, Verdict string }
			}
			require.NoError(t, json.Unmarshal([]byte(o.stdout), &report))
			require.Equal(t, block, report.Block)
			require.Zero(t, report.Failed)
			require.Greater(t, report.Passed, 70)
			end()
			require.NoFileExists(t, path)
		})
	}
}

// called runs one command line with the real blocks.
func called(t *testing.T, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	code := execute(t.Context(), &cli.App{Backend: cli.NewBackend(), Stdin: strings.NewReader(""), Stdout: &out,
		Stderr: &errs},
		args)
	return outcome{code, out.String(), errs.String()}
}

func TestServeTCP(t *testing.T) {
	line, _ := serving(t, "--block", "ccc", "--param", "NumContexts=4", "--listen", "tcp:127.0.0.1:0")
	f := strings.Fields(line)
	require.Len(t, f, 8, line)
	require.Equal(t, []string{"listening", "block", "ccc", "params", "NumContexts=4,NumPdcs=4,NumProfiles=8", "token"},
		append(f[:1:1], f[2:7]...))
	opt := client.DefaultOptions()
	opt.Token = f[7]
	s, err := client.Dial(t.Context(), f[1], ccc.Schema(), map[string]int{"NumContexts": 4, "NumPdcs": 4,
		"NumProfiles": 8}, opt)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	o := called(t, "bridge", "conform", f[1], "--param", "NumContexts=4", "--token", f[7])
	require.Equal(t, cli.ExitPass, o.code, o.stdout)
	require.Contains(t, o.stdout, "PASS  hello/token\n")
	require.Contains(t, o.stdout, "(block ccc): ")
	o = called(t, "bridge", "conform", f[1], "--param", "NumContexts=5", "--token", f[7])
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "FAIL  hello/first\n      asked  ")
	require.Contains(t, o.stdout, "got    params is NumContexts=4,NumPdcs=4,NumProfiles=8, not "+
		"NumContexts=5,NumPdcs=4,NumProfiles=8\n")
	o = called(t, "bridge", "conform", f[1], "--token", "guess")
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "FAIL  hello/accepted")
}

func TestServeRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o600))
	for args, text := range map[string]string{
		"serve":                                                             "missing --block, --listen",
		"serve --block ccd --listen unix:/tmp/x":                            `did you mean "ccc"?`,
		"serve --block ccc --listen /tmp/x":                                 "give unix:PATH or tcp:127.0.0.1:PORT",
		"serve --block ccc --listen tcp:0.0.0.0:0":                          "127.0.0.1 only",
		"serve --block ccc --listen unix:" + file:                           "is not a socket",
		"serve --block ccc --listen unix:/tmp/x --param Num=3":              `parameter "Num": block ccc has NumContexts`,
		"serve --block ccc --listen unix:/tmp/x --param NumContexts=1":      "NumContexts: 1 is not in 2..65536",
		"serve --block ccc --listen unix:/tmp/x --clients 0":                "give 1 to 4096",
		"bridge conform":                                                    "missing ADDRESS",
		"bridge conform unix:" + file + "x":                                 "no server listens at unix:",
		"bridge conform /tmp/x":                                             "give unix:PATH",
		"bridge conform --launch":                                           "missing --block",
		"bridge conform --launch --block nothing":                           "unknown block",
		"bridge conform unix:" + file + "x --block ccc --schema " + file:    "schema",
		"bridge conform unix:" + file + "x --block txstate --timeout -1s":   "give a time above 0",
		"bridge conform unix:" + file + "x --block txstate --param Depth=3": "Depth: 3 is not a power of two",
		"bridge conform unix:" + file + "x --block txstate --rtl x":         "--rtl: needs --launch",
	} {
		o := called(t, strings.Fields(args)...)
		require.Equal(t, cli.ExitBroken, o.code, args)
		require.Contains(t, o.stderr, text, args)
		require.Equal(t, 1, strings.Count(o.stderr, "\n"), o.stderr)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))

	// A server that sends something other than a hello, and one that sends nothing.
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("220 mail.example ESMTP ready, what can I do for you?\r\n"))
			t.Cleanup(func() { c.Close() })
		}
	}()
	o := called(t, "bridge", "conform", "unix:"+path)
	require.Equal(t, cli.ExitBroken, o.code)
	require.Contains(t, o.stderr, "not a bridge frame")
	o = called(t, "bridge", "conform", "unix:"+path, "--block", "ccc")
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "FAIL  hello/first")
	require.Contains(t, o.stdout, "0 passed, 1 failed, 0 skipped")
}

// A process that is told to end exits with 0 and leaves no socket.
func TestServeEndsOnSignal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	exe, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(exe, "serve", "--block", "txstate", "--listen", "unix:"+path)
	c.Env = append(os.Environ(), childEnv+"=1")
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	defer c.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "listening unix:"+path)
	conn, err := net.Dial("unix", path)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, c.Process.Signal(os.Interrupt))
	require.NoError(t, c.Wait())
	require.NoFileExists(t, path)
}

// The commands in bridge/README.md that compile and run a client in C work as written.
func TestReadmeCClient(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler is installed")
	}
	text, err := os.ReadFile("../../../bridge/README.md")
	require.NoError(t, err)
	_, script, ok := strings.Cut(string(text), "without another library:\n```\n")
	require.True(t, ok)
	script, _, _ = strings.Cut(script, "```")
	const socket = "unix:/tmp/gold.sock"
	require.Contains(t, script, socket)
	path := filepath.Join(t.TempDir(), "s")
	serving(t, "--block", "ccc", "--param", "NumContexts=8", "--listen", "unix:"+path)
	run := func(script string) (string, int) {
		c := exec.Command("bash", "-euc", strings.ReplaceAll(script, socket, "unix:"+path))
		c.Dir = "../../.."
		out, err := c.CombinedOutput()
		if err != nil {
			require.IsType(t, &exec.ExitError{}, err)
		}
		return string(out), c.ProcessState.ExitCode()
	}
	out, code := run(script)
	require.Zero(t, code, out)
	require.Regexp(t, `^ctx 3\ncwnd [1-9]\d*\n$`, out)
	client := script[strings.Index(script, "build/gold_client "+socket):]
	for old, want := range map[string]string{
		"cwnd":   "rsp: get rsp.nothing: the block has no such field\n",
		"ctx=3":  "ev: set ev.nothing: the block has no such field\n",
		"kind=0": "nothing: is not FIELD=VALUE\n",
		"rsp ":   "nothing: pull nothing: the block has no such stream\n",
	} {
		to := map[string]string{"ctx=3": "nothing=3", "rsp ": "nothing "}[old]
		if to == "" {
			to = "nothing"
		}
		out, code = run(strings.Replace(client, old, to, 1))
		require.Equal(t, 2, code, out)
		require.Equal(t, want, strings.ReplaceAll(out, "ctx 3\n", ""))
	}
}

// The Python client, written only from the protocol's page, gets the twin's answers.
func TestPythonClient(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	path := filepath.Join(t.TempDir(), "s")
	_, _ = serving(t, "--block", "txstate", "--listen", "unix:"+path)
	ask := func(args string) ([]map[string]any, string, error) {
		var errs bytes.Buffer
		c := exec.Command(python, append([]string{"../../../bridge/py/gwclient.py", "unix:" + path},
			strings.Fields(args)...)...)
		c.Stderr = &errs
		out, err := c.Output()
		var rsp []map[string]any
		for l := range strings.Lines(string(out)) {
			m := map[string]any{}
			require.NoError(t, json.Unmarshal([]byte(l), &m))
			rsp = append(rsp, m)
		}
		return rsp, errs.String(), err
	}
	// A packet is sent; its acknowledgement finds the time of its transmission.
	rsp, errs, err := ask("ev kind=0 pdc=3 psn=7 now=1000 -- ev kind=2 pdc=3 psn=7 now=4000")
	require.NoError(t, err, errs)
	require.Len(t, rsp, 2)
	require.Equal(t, "rsp", rsp[1]["stream"])

	model, err := block.Lookup("txstate")
	require.NoError(t, err)
	want := twinAnswers(t, model, []map[string]uint64{{"kind": 0, "pdc": 3, "psn": 7, "now": 1000},
		{"kind": 2, "pdc": 3, "psn": 7, "now": 4000}})
	for i := range rsp {
		for name, v := range want[i] {
			require.EqualValues(t, v, rsp[i][name], "response %d, %s", i, name)
		}
	}
	// Mistakes give one line and exit code 2.
	here := "unix:" + path
	for args, want := range map[string]string{
		here + " ev nothing=1":         "stream ev has no field nothing; there is kind, pdc, psn, ",
		here + " no kind=1":            "the block has no input stream no; there is ev",
		here + " ev kind=8":            "ev.kind = 8 does not fit its 3 bits",
		here + " ev kind=-1":           "ev.kind = -1 does not fit its 3 bits",
		here + " ev kind":              "kind is not FIELD=NUMBER",
		here + " ev kind=x":            "kind=x is not FIELD=NUMBER",
		here + " ev kind=0 --":         "an event without a stream",
		here + "x ev kind=0":           "no server answers at " + here + "x (",
		"tcp:127.0.0.1:70000 ev":       "address tcp:127.0.0.1:70000: give unix:PATH or tcp:127.0.0.1:PORT",
		"tcp:10.0.0.1:80 ev":           "address tcp:10.0.0.1:80: give unix:PATH",
		"unix: ev":                     "address unix:: give unix:PATH",
		refusing(t, "busy") + " ev":    "the server reports busy: no more of them",
		refusing(t, "") + " ev kind=0": "not a bridge frame; check that the address is of a Goldwire server",
	} {
		c := exec.Command(python, append([]string{"-B", "../../../bridge/py/gwclient.py"}, strings.Fields(args)...)...)
		out, err := c.CombinedOutput()
		require.Error(t, err, args)
		require.Equal(t, 2, c.ProcessState.ExitCode(), "%s", out)
		require.Regexp(t, `^gwclient\.py: [^\n]+\n$`, string(out))
		require.Contains(t, string(out), want)
	}
	out, err := exec.Command(python, "../../../bridge/py/gwclient.py").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "prints the responses as JSON")
}

// refusing is a server that sends an error of a kind instead of its hello, or something that is not a frame.
func refusing(t *testing.T, kind string) (address string) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if kind == "" {
			_, _ = c.Write([]byte("220 mail.example ESMTP ready, what can I do for you?\r\n"))
		} else {
			_ = wire.NewWriter(c).Write(wire.TypeError, &wire.Failure{Kind: kind, Text: "no more\nof them"})
		}
		c.Close()
	}()
	return "unix:" + path
}

// twinAnswers drives a twin directly, one event at a time.
func twinAnswers(t *testing.T, k *block.Block, events []map[string]uint64) (out []map[string]int64) {
	params, err := k.Schema.Values(nil)
	require.NoError(t, err)
	m, err := k.NewModel(params)
	require.NoError(t, err)
	l := event.NewLayout(k.Schema)
	in, got := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	run := func(control uint64) uint64 {
		in[0] = in[0]&^l.In.ControlMask() | control
		m.Cycle(in, got)
		return got[0]
	}
	run(0)
	up := l.In.Control("rst_n") | l.In.Control("rsp_ready")
	for _, ev := range events {
		clear(in)
		for name, v := range ev {
			l.In.Slot("ev", name).Set(in, v)
		}
		for run(up|l.In.Control("ev_valid"))&l.Out.Control("ev_ready") == 0 {
		}
		for run(up)&l.Out.Control("rsp_valid") == 0 {
		}
		rsp := map[string]int64{}
		for i := range l.Out.Slots {
			s := &l.Out.Slots[i]
			rsp[s.Field.Name] = s.Field.Signed64(s.Get(got))
		}
		out = append(out, rsp)
	}
	return out
}
