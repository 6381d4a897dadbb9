package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The installed Verilator is called without its script, and prints and refuses the same. Every other program, and one
// that the environment sends elsewhere, is called as it is.
func TestVerilatorWithoutItsScript(t *testing.T) {
	t.Setenv("VERILATOR_ROOT", "")
	t.Setenv("VERILATOR_BIN", "")
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	own := "#!/bin/sh\n# " + script + "\n"
	write("whole/verilator_bin", "#!/bin/sh\necho \"$(ulimit -s) $*\"\nexit 3\n", 0o755)
	whole := write("whole/verilator", own, 0o755)
	link := filepath.Join(dir, "verilator")
	require.NoError(t, os.Symlink(whole, link))
	for _, path := range []string{whole, link} {
		name, args := direct(path, "--top", "a b", "$x")
		out, err := exec.Command(name, args...).CombinedOutput()
		require.Equal(t, "unlimited --top a b $x\n", strings.Replace(string(out), "8192 ", "unlimited ", 1),
			"the arguments, and as much stack as the system gives")
		require.ErrorContains(t, err, "exit status 3")
	}
	write("inert/verilator_bin", "", 0o644)
	write("alike/verilator_bin", "#!/bin/sh\n", 0o755)
	for _, path := range []string{write("alike/verilator", "#!/bin/sh\nexec verilator_bin --x\n", 0o755),
		write("alone/verilator", own, 0o755), write("inert/verilator", own, 0o755), dir + "/absent", "g++"} {
		name, args := direct(path, "--version")
		require.Equal(t, path, name)
		require.Equal(t, []string{"--version"}, args)
	}
	for _, v := range []string{"VERILATOR_ROOT", "VERILATOR_BIN"} {
		t.Run(v, func(t *testing.T) {
			t.Setenv(v, dir)
			name, _ := direct(whole)
			require.Equal(t, whole, name)
		})
	}

	installed, err := exec.LookPath("verilator")
	if err != nil {
		t.Skip("no Verilator is installed")
	}
	for _, args := range [][]string{{"--version"}, {"--lint-only", dir + "/absent.sv"}} {
		want, failed := exec.Command(installed, args...).CombinedOutput()
		name, all := direct(installed, args...)
		got, err := exec.Command(name, all...).CombinedOutput()
		first, _, _ := strings.Cut(string(want), "\n")
		require.NotEmpty(t, first)
		require.Contains(t, string(got), first)
		require.Equal(t, failed == nil, err == nil)
	}
}
