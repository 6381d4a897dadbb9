package launch

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// buffer is a bytes.Buffer that a logger and a test may use at once.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// warnings returns what is logged from now on.
func warnings(t *testing.T) *buffer {
	b, old := &buffer{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(b, nil)))
	t.Cleanup(func() { slog.SetDefault(old) })
	return b
}

// meddled puts a Verilator ahead of the real one that runs a command after each of its runs, which is given their
// number. It returns a function that counts the runs.
func meddled(t *testing.T, command string) func() int {
	t.Helper()
	real, err := exec.LookPath("verilator")
	require.NoError(t, err)
	count := filepath.Join(t.TempDir(), "count")
	path := filepath.Join(t.TempDir(), "verilator")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] && exec %[1]s --version\n%[1]s \"$@\" || exit\n"+
		"echo run >> %[2]s\nN=$(wc -l < %[2]s)\n%[3]s\n", real, count, command)
	require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
	t.Setenv("VERILATOR", path)
	return func() int {
		text, err := os.ReadFile(count)
		require.NoError(t, err)
		return strings.Count(string(text), "\n")
	}
}

// holds checks that a build is of what its files hold now.
func holds(t *testing.T, s BuildSpec, bin *Binary, said string) {
	t.Helper()
	require.True(t, cached(t, s))
	text, err := os.ReadFile(bin.Path)
	require.NoError(t, err)
	require.True(t, bytes.Contains(text, []byte(said)), said)
}

// A file that is saved after it was read is built again: neither the run nor the cache gets a binary of another
// content than its name says.
func TestEditWhileBuilding(t *testing.T) {
	for name, command := range map[string]string{
		"module": "[ $N = 1 ] && sed 's/operation FAIL/operation GONE/' DIR/rtl/adder.sv > DIR/new && mv DIR/new " +
			"DIR/rtl/adder.sv",
		"included":        "[ $N = 1 ] && sed -i 's/1/5/' DIR/rtl/sub/one.inc",
		"folder in place": "[ $N = 1 ] && mv DIR/far DIR/old && mv DIR/next DIR/far",
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := scattered(t)
			put(t, filepath.Join(dir, "next", "three.svh"), "`define THREE 9\n")
			runs := meddled(t, strings.ReplaceAll(command, "DIR", dir)+"\nexit 0")
			bin, err := Build(t.Context(), s)
			require.NoError(t, err)
			require.False(t, bin.Cached)
			require.Equal(t, 2, runs())
			said := word
			if strings.Contains(command, "GONE") {
				said = "operation GONE"
			}
			holds(t, s, bin, said)
		})
	}
}

// A file that is changed and changed back while it is read leaves nothing wrong behind.
func TestEditAndUndoWhileBuilding(t *testing.T) {
	s, dir := scattered(t)
	runs := meddled(t, strings.ReplaceAll("[ $N = 1 ] && cp DIR/rtl/adder.sv DIR/a && echo >> DIR/rtl/adder.sv && cp "+
		"DIR/a DIR/rtl/adder.sv\nexit 0", "DIR", dir))
	bin, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, 2, runs())
	holds(t, s, bin, word)
}

// Files that never come to rest are an error that names one, and no build.
func TestEditForEverWhileBuilding(t *testing.T) {
	s, dir := scattered(t)
	runs := meddled(t, "echo '// more' >> "+filepath.Join(dir, "rtl", "sub", "one.inc"))
	_, err := Build(t.Context(), s)
	require.ErrorIs(t, err, wire.ErrBuild)
	require.ErrorContains(t, err, "files change while the design is built: ")
	require.ErrorContains(t, err, "sub/one.inc")
	require.Equal(t, rounds, runs())
	require.NoDirExists(t, s.OutDir)
}

// A design whose file changes between the reading of its ports and the build is an error: its adapter may be of
// other ports.
func TestEditAfterElaboration(t *testing.T) {
	s := buildable(foreignAdder(t, t.TempDir(), "1"))
	s.OutDir, s.Foreign.Read = filepath.Join(t.TempDir(), "out"), time.Now()
	time.Sleep(20 * time.Millisecond) // the clock of files is coarser than ours
	put(t, s.Foreign.Files[1], "`define SIZE 2\n")
	_, err := Build(t.Context(), s)
	require.ErrorIs(t, err, wire.ErrBuild)
	require.ErrorContains(t, err, "size.svh changed after the design's ports were read; run again")
}
