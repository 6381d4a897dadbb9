package client

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

func TestTraceWindow(t *testing.T) {
	s, err := Start(t.Context(), dut(t, true), DefaultOptions())
	require.NoError(t, err)
	defer s.Close()
	require.True(t, s.Hello().Trace)
	in, want := traffic(50, 20_000)
	size := func(from, cycles uint64) int64 {
		file := filepath.Join(t.TempDir(), "w.vcd")
		require.NoError(t, s.Restart(1))
		require.NoError(t, s.Trace(file, from, cycles))
		require.NoError(t, s.Replay(in, want))
		res, err := s.Finish()
		require.NoError(t, err)
		require.Nil(t, res.Mismatch)
		require.NoError(t, s.Trace(file, 0, 0))
		fi, err := os.Stat(file)
		require.NoError(t, err)
		return fi.Size()
	}
	all, window := size(0, 20_000), size(10_000, 100)
	require.Positive(t, window)
	require.Less(t, 10*window, all, "a window must be much smaller than the whole run")

	require.ErrorIs(t, s.Trace("/nonexistent/w.vcd", 0, 10), wire.ErrTrace)
	require.NoError(t, s.Restart(1), "a refused dump leaves the session usable")
}

func TestTraceNeedsItsBuild(t *testing.T) {
	s := open(t, nil)
	err := s.Trace(filepath.Join(t.TempDir(), "w.vcd"), 0, 10)
	require.ErrorIs(t, err, wire.ErrTrace)
	oneLine(t, err, "built without waves")
}
