package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShellSources: a source is bound to the design by what it includes, at any depth; a circle of headers ends.
func TestShellSources(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"deep.h":   "#include \"round.h\"\n#include \"gw_build.h\"\n",
		"round.h":  "#include \"deep.h\"\n",
		"plain.h":  "#include <vector>\n",
		"a.cpp":    "#include \"round.h\"\n",
		"b.cpp":    "#include \"plain.h\"\n",
		"main.cpp": "#include \"gw_build.h\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	same, bound, err := shellSources(dir)
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "b.cpp")}, same)
	require.Equal(t, []string{filepath.Join(dir, "a.cpp"), filepath.Join(dir, "main.cpp")}, bound)
	_, _, err = shellSources(t.TempDir())
	require.ErrorContains(t, err, "holds no C++ files")
}
