// Package launchtest plants faults in copies of the RTL, for tests of whatever should find them.
package launchtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
)

// RTL returns a folder with a copy of the RTL of the repository at root. In file, a name such as "txstate.sv", each old
// text is replaced by the new one after it. The test fails unless each old text occurs exactly once.
func RTL(t testing.TB, root, file string, oldNew ...string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "hdl", "rtl"))))
	rtl, err := launch.ReadRTL(dir)
	require.NoError(t, err)
	path := rtl.Module(strings.TrimSuffix(file, ".sv"))
	require.NotEmpty(t, path, "hdl/rtl has no %s", file)
	Edit(t, filepath.Join(dir, path), oldNew...)
	return dir
}

// Edit replaces texts of a file as RTL does.
func Edit(t testing.TB, path string, oldNew ...string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	text, err := replaced(string(b), oldNew)
	require.NoError(t, err, path)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
