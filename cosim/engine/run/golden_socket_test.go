package run

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// A golden program removes its socket when it ends, and takes over an abandoned one but no other's.
func TestGoldenProgramSocket(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	dir, err := os.MkdirTemp("", "gw") // a socket's path is short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	start := func() *exec.Cmd {
		cmd := exec.Command(python, "-B", examples+"/public/golden.py", "--listen", "unix:"+path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "unix:"+path)
		return cmd
	}
	refused := func(want string) {
		t.Helper()
		text, err := exec.Command(python, "-B", examples+"/public/golden.py", "--listen", "unix:"+path).CombinedOutput()
		require.Error(t, err)
		require.Equal(t, 1, strings.Count(string(text), "\n"), "%s", text)
		require.IsType(t, &exec.ExitError{}, err)
		require.Equal(t, 2, err.(*exec.ExitError).ExitCode())
		require.Contains(t, string(text), want)
	}
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt, os.Kill, syscall.SIGTERM} {
		cmd := start()
		refused("another program listens there; end it or give another path")
		require.NoError(t, cmd.Process.Signal(sig))
		require.Error(t, cmd.Wait())
		_, err := os.Lstat(path)
		require.Equal(t, sig == os.Kill, err == nil, "the socket after %v", sig)
	}
	c, err := net.Dial("unix", path)
	require.Error(t, err, "%v", c)
	require.NoError(t, os.WriteFile(path, []byte("kept"), 0o600))
	refused("the file is not a socket")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "kept", string(text))
}

// serving starts the public block's golden program with the arguments and returns the words of its first line.
func serving(t *testing.T, token string, args ...string) []string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	cmd := exec.Command(python, append([]string{"-B", examples + "/public/golden.py"}, args...)...)
	cmd.Env = append(os.Environ(), launch.TokenEnv+"="+token)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return strings.Fields(line)
}

// asked opens a conversation with a golden program and asks about an event.
func asked(t *testing.T, address, token string) (*client.Session, error) {
	t.Helper()
	b, err := event.Load(examples + "/public/schema.yaml")
	require.NoError(t, err)
	opt := client.DefaultOptions()
	opt.Token = token
	s, err := client.Dial(t.Context(), address, b, nil, opt)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = s.Close() })
	l := event.NewLayout(b)
	ev := make([]uint64, l.In.Words)
	ev[0] = l.In.Control("ev_valid")
	got, err := s.Ask(ev)
	require.NoError(t, err)
	require.Len(t, got, l.Out.Words)
	return s, nil
}

// On TCP, which every user of the machine can reach, a golden program requires a token, as goldwire serve does.
func TestGoldenProgramToken(t *testing.T) {
	t.Parallel()
	said := serving(t, "", "--listen", "tcp:127.0.0.1:0")
	require.Len(t, said, 8, said)
	require.Equal(t, []string{"block", "secret", "params", "-", "token"}, said[2:7])
	require.Regexp(t, "^[0-9a-f]{32}$", said[7])
	for _, wrong := range []string{"", "x", said[7] + "0"} {
		_, err := asked(t, said[1], wrong)
		require.ErrorIs(t, err, wire.ErrToken)
	}
	_, err := asked(t, said[1], said[7])
	require.NoError(t, err)
	require.NotEqual(t, said[7], serving(t, "", "--listen", "tcp:127.0.0.1:0")[7])

	said = serving(t, "between us", "--listen", "tcp:127.0.0.1:0")
	require.Len(t, said, 6, said)
	_, err = asked(t, said[1], "among us")
	require.ErrorIs(t, err, wire.ErrToken)
	_, err = asked(t, said[1], "between us")
	require.NoError(t, err)
}

// Clients are served in parallel. One too many gets an answer to that effect, and a client without a hello takes no
// place.
func TestGoldenProgramClients(t *testing.T) {
	t.Parallel()
	address := "unix:" + filepath.Join(t.TempDir(), "s")
	require.Equal(t, address, serving(t, "", "--listen", address, "--clients", "2")[1])
	var strangers []net.Conn
	for range 300 {
		c, err := net.Dial("unix", address[len("unix:"):])
		require.NoError(t, err)
		defer c.Close()
		strangers = append(strangers, c)
	}
	first, err := asked(t, address, "")
	require.NoError(t, err)
	_, err = asked(t, address, "")
	require.NoError(t, err)
	_, err = asked(t, address, "")
	require.ErrorIs(t, err, wire.ErrBusy)

	// busy comes instead of the hello, or in answer to the hello of an earlier connection.
	c, err := net.Dial("unix", address[len("unix:"):])
	require.NoError(t, err)
	defer c.Close()
	next := func(r *wire.Reader, want wire.Type, m any) {
		t.Helper()
		f, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, want, f.Type)
		require.NoError(t, f.Decode(m))
	}
	var busy wire.Failure
	next(wire.NewReader(c, wire.DefaultLimits()), wire.TypeError, &busy)
	require.Equal(t, "busy", busy.Kind)
	var hello wire.Hello
	early := wire.NewReader(strangers[297], wire.DefaultLimits())
	next(early, wire.TypeHello, &hello)
	require.NoError(t, wire.NewWriter(strangers[297]).Write(wire.TypeHello, &hello))
	next(early, wire.TypeError, &busy)
	require.Equal(t, "busy", busy.Kind)
	require.Equal(t, "2 clients are served, no more", busy.Text)
	require.NoError(t, first.Close())
	require.Eventually(t, func() bool { _, err = asked(t, address, ""); return err == nil }, 2*time.Minute,
		5*time.Millisecond)

	// Of many strangers the oldest was dropped, after only the server's hello.
	r := wire.NewReader(strangers[0], wire.DefaultLimits())
	require.NoError(t, strangers[0].SetDeadline(time.Now().Add(2*time.Minute)))
	f, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, wire.TypeHello, f.Type)
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
	last := strangers[299]
	require.NoError(t, last.SetDeadline(time.Now().Add(50*time.Millisecond)))
	_, err = io.Copy(io.Discard, last)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	big := strangers[298]
	require.NoError(t, wire.NewWriter(big).Write(wire.TypeHello, &wire.Hello{}, make([]uint64, 1<<13+1)))
	text, err := io.ReadAll(big)
	require.NoError(t, err)
	require.Contains(t, string(text), "too-large")
}

// A connection that has not sent its hello in time is dropped, even if it sends a byte now and then. A conversation may
// be silent for longer.
func TestGoldenProgramHelloLimit(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	address := "unix:" + filepath.Join(t.TempDir(), "s")
	cmd := exec.Command(python, "-B", "-c", `
import sys
sys.path[:0] = sys.argv[2:]
import gwserve, golden
gwserve.HELLO_SECONDS = 1
sys.argv[1:] = ["--listen", sys.argv[1]]
golden.listen()
`, address, "../../../bridge/py", examples+"/public")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	var s *client.Session
	require.Eventually(t, func() bool { s, err = asked(t, address, ""); return err == nil }, 2*time.Minute,
		time.Millisecond,
		"a hello in time is taken, and a loaded machine has several tries")
	c, err := net.Dial("unix", address[len("unix:"):])
	require.NoError(t, err)
	defer c.Close()
	hello := []byte("GWB1\x01\x00\x01")
	for begin := time.Now(); err == nil; time.Sleep(300 * time.Millisecond) {
		require.Less(t, time.Since(begin), 2*time.Minute, "it is let go")
		if _, err = c.Write(hello[:1]); len(hello) > 1 {
			hello = hello[1:]
		}
	}
	require.NoError(t, s.Restart(1), "the client was silent for longer")
}
