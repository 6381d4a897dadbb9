package launchtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Program returns the path of the goldwire command of the repository at root, for tests that need one anywhere. It is
// linked once for all of them.
func Program(t testing.TB, root string) string {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(root, "build", "test", "goldwire"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o755))
	lock, err := os.Create(program + ".lock")
	require.NoError(t, err)
	defer lock.Close()
	require.NoError(t, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	// The go command links nothing when the file is up to date.
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "./cosim/cmd/goldwire")
	build.Dir = root
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	return program
}
