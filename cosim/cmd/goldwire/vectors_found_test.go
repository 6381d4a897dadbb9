package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// A difference stays found, with exit code 1, if the file turns out to be damaged after it. Damage alone is exit code
// 2.
func TestVectorsDifferenceOutlivesDamage(t *testing.T) {
	dir := t.TempDir()
	sound := made(t, dir, "sound.gwv")
	wrong := filepath.Join(dir, "wrong.gwv")
	spoiled(t, sound, wrong, 5)
	shortened := func(path string) string {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		path += ".short.gwv"
		require.NoError(t, os.WriteFile(path, data[:len(data)-3], 0o666))
		return path
	}
	soundShort, wrongShort := shortened(sound), shortened(wrong)
	for _, args := range [][]string{{"verify"}, {"diff", sound}} {
		args = append([]string{"vectors"}, args...)
		o := goldwire(t, append(args, wrongShort)...)
		require.Equal(t, cli.ExitMismatch, o.code, o.stdout+o.stderr)
		require.Contains(t, o.stderr, "wrong.gwv.short.gwv: ", "the damage is told, too")
		o = goldwire(t, append(args, soundShort)...)
		require.Equal(t, cli.ExitBroken, o.code, o.stdout+o.stderr)
		require.NotContains(t, o.stdout, "agree")
		require.NotContains(t, o.stdout, "the same")
	}
}
