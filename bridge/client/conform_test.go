package client

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/conform"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
)

// TestShellConforms points the conformance test at the C++ shell, a process for each connection.
func TestShellConforms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	results, err := conform.Run(t.Context(), conform.Target{Block: adder.Schema(),
		Open: func(context.Context) (net.Conn, string, error) {
			cmd := exec.Command(dut(t, false).Path, "--connect", "unix:"+path)
			cmd.Env = []string{"GW_TOKEN=secret"}
			if err := cmd.Start(); err != nil {
				return nil, "", err
			}
			t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
			c, err := l.Accept()
			return c, "secret", err
		}})
	require.NoError(t, err)
	for _, r := range results {
		require.NotEqual(t, conform.Fail, r.Verdict, "%s: %s: %s", r.Name, r.Expect, r.Got)
	}
	require.Len(t, results, len(conform.Checks()))
}
