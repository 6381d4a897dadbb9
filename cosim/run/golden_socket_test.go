package run

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A golden program takes its socket away when it is ended, takes over one that is left, and no other's.
func TestGoldenProgramSocket(t *testing.T) {
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
		text, err := exec.Command(python, "-B", examples+"/public/golden.py", "--listen", "unix:"+path).CombinedOutput()
		require.Error(t, err)
		require.Equal(t, 1, strings.Count(string(text), "\n"), "%s", text)
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
	refused("a file which is no socket")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "kept", string(text))
}
