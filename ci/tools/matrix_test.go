package tools

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// debian adds fakes of what makes a system and runs commands on it. script is what the system does with a command, in
// $command; the suite is in $dir.
func (m *machine) debian(script string) {
	for _, tool := range []string{"git", "mktemp", "rm", "mkdir", "cp", "grep", "date", "tee", "touch", "dirname"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			m.t.Skipf("%s is not installed", tool)
		}
		require.NoError(m.t, os.Symlink(path, filepath.Join(m.dir, tool)))
	}
	m.add("id", "echo 0")
	m.add("go", `case "$2" in GOROOT) mkdir -p `+m.dir+`/goroot; echo `+m.dir+`/goroot ;; esac`)
	m.add("debootstrap", `for p; do case $p in `+m.dir+`/*/*) dir=$p ;; esac; done
mkdir -p $dir/etc/apt/apt.conf.d $dir/usr/local`)
	m.add("mount", "exit 0")
	m.add("unshare", `while [ "$1" != bash ]; do shift; done; exec "$@"`)
	m.add("timeout", "shift 2; exec \"$@\"")
	m.add("chroot", `dir=$1; for command; do :; done
case "$command" in "cd /goldwire && "*) [ -e $dir/goldwire/README.md ] || exit 99 ;; esac
`+script)
}

// matrix runs the script in a small repository of its own.
func (m *machine) matrix(variables ...string) (code int, table, stderr string) {
	repo := filepath.Join(m.dir, "repo")
	if _, err := os.Stat(repo); errors.Is(err, os.ErrNotExist) {
		require.NoError(m.t, os.MkdirAll(repo, 0o755))
		require.NoError(m.t, os.WriteFile(filepath.Join(repo, "README.md"), []byte("x\n"), 0o644))
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@x", "commit",
			"-qm", "x"}} {
			git := exec.Command("git", args...)
			git.Dir = repo
			out, err := git.CombinedOutput()
			require.NoError(m.t, err, "%s", out)
		}
	}
	keys := filepath.Join(m.dir, "keys")
	require.NoError(m.t, os.WriteFile(keys, nil, 0o644))
	script, err := filepath.Abs("matrix.sh")
	require.NoError(m.t, err)
	cmd := exec.Command("bash", script)
	cmd.Dir = repo
	cmd.Env = append([]string{"PATH=" + m.dir, "HOME=" + m.dir, "MATRIX_ROOTS=" + m.dir + "/roots", "MATRIX_OUT=" + m.dir +
		"/out", "MATRIX_KEYRING=" + keys}, variables...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	took := regexp.MustCompile(`pass, \d+ s`) // a machine may be slow
	return cmd.ProcessState.ExitCode(), took.ReplaceAllString(out.String(), "pass, 0 s"), errs.String()
}

const versions = `case "$command" in
  "verilator --version") echo "Verilator 5.006 x"; exit 0 ;;
  "g++ -dumpfullversion") echo 12.2.0; exit 0 ;;
  *"--version"|*"-V") exit 127 ;;
  apt-get*) exit 0 ;;
esac
`

// The table has a row for each system with its versions and a result for each command, and only a command that ended
// with 0 and printed something is a pass.
func TestMatrix(t *testing.T) {
	for _, c := range []struct {
		name, system string
		variables    []string
		code         int
		want         []string
		never        string
	}{
		{"all pass", "echo done", nil, 0, []string{
			"| Debian | Verilator | g++ | Icarus | Yosys | z3 | Slurm | `make cosim` | `make test` |\n",
			"| bookworm | 5.006 | 12.2.0 | - | - | - | - | pass, 0 s | pass, 0 s |\n", "| sid | ", "PASS: 6 commands passed."},
			"FAIL"},
		{"one command fails on one system", `case "$dir $command" in *trixie*"make test") echo no; exit 2 ;; esac; echo done`,
			nil, 1, []string{"| trixie | 5.006 | 12.2.0 | - | - | - | - | pass, 0 s | FAIL: exit code 2 |\n",
				"FAIL: 1 commands did not pass, 5 passed."}, "PASS"},
		{"one prints nothing", `case "$command" in *"make test") exit 0 ;; esac; echo done`,
			[]string{"MATRIX_SUITES=sid"}, 1, []string{"pass, 0 s | FAIL: it printed nothing |"}, "PASS"},
		{"one does not end", `echo x; exit 124`, []string{"MATRIX_SUITES=sid", "MATRIX_COMMANDS=make cosim",
			"MATRIX_LIMIT=2h"}, 1, []string{"FAIL: no end within 2h |", "0 passed"}, "PASS"},
		{"no mounts", `echo x; exit 125`, []string{"MATRIX_SUITES=sid", "MATRIX_COMMANDS=make cosim"}, 1,
			[]string{"FAIL: exit code 125 |"}, "PASS"},
		{"Slurm too", "echo done", []string{"MATRIX_SUITES=sid", "MATRIX_SLURM=1"}, 0,
			[]string{"`make test` | `make slurm-test` |", "PASS: 3 commands"}, "FAIL"},
		{"a bar in a command", "echo done", []string{"MATRIX_SUITES=sid", "MATRIX_COMMANDS=go test -run 'A|B'"}, 0,
			[]string{"| Slurm | `go test -run 'A\\|B'` |\n|---|---|---|---|---|---|---|---|\n"}, "FAIL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.debian(versions + c.system)
			code, table, stderr := m.matrix(c.variables...)
			require.Equal(t, c.code, code, table+stderr)
			for _, w := range c.want {
				require.Contains(t, table, w, stderr)
			}
			require.NotContains(t, table, c.never)
			file, err := os.ReadFile(filepath.Join(m.dir, "out", "table.md"))
			require.NoError(t, err)
			require.Equal(t, strings.Count(table, "\n"), strings.Count(string(file), "\n"))
			require.Contains(t, string(file), table[strings.LastIndex(table, "\n\n"):])
			left, err := filepath.Glob(filepath.Join(m.dir, "roots", "run-*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// A system that cannot be made, or cannot be renewed, is not tried, and the others are.
func TestMatrixWithoutASystem(t *testing.T) {
	m := newMachine(t)
	m.debian(versions + "echo done")
	m.add("debootstrap", `case "$*" in *trixie*) echo no such suite; exit 1 ;; esac
for p; do case $p in `+m.dir+`/*/*) dir=$p ;; esac; done
mkdir -p $dir/etc/apt/apt.conf.d $dir/usr/local`)
	code, table, stderr := m.matrix()
	require.Equal(t, 1, code, stderr)
	require.Contains(t, table, "| trixie | - | - | - | - | - | - | NOT TRIED: no system | NOT TRIED: no system |\n")
	require.Contains(t, table, "| sid | 5.006 | 12.2.0 | - | - | - | - | pass, 0 s | pass, 0 s |\n")
	require.Contains(t, table, "FAIL: 2 commands did not pass, 4 passed.")
	require.Contains(t, stderr, "trixie: no system, see "+m.dir+"/out/trixie-0.log")

	m.debianAgain(strings.Replace(versions, "apt-get*) exit 0", "apt-get*) exit 100", 1) + "echo done")
	code, table, _ = m.matrix("MATRIX_SUITES=sid")
	require.Equal(t, 1, code)
	require.Contains(t, table, "| sid | - | - | - | - | - | - | NOT TRIED: no system | NOT TRIED: no system |\n")
}

func (m *machine) debianAgain(script string) {
	m.add("chroot", "dir=$1; for command; do :; done\n"+script)
}

// A call that would try nothing, or cannot be tried, ends with 2 and a message that says what to do.
func TestMatrixRefusals(t *testing.T) {
	for _, c := range []struct {
		variable, gone, put, want string
	}{
		{variable: "MATRIX_COMMANDS= ; ", want: "names no command"},
		{variable: "MATRIX_COMMANDS=", want: "names no command"},
		{variable: "MATRIX_SUITES=", want: "names no suite"},
		{gone: "debootstrap", want: "Run: apt-get install debootstrap"},
		{gone: "go", want: "no Go on PATH"},
		{variable: "MATRIX_KEYRING=/nowhere", want: "Run: apt-get install debian-archive-keyring"},
		{gone: "id", put: "echo 1000", want: "only root can make systems"},
	} {
		m := newMachine(t)
		m.debian(versions + "echo done")
		if c.gone != "" {
			require.NoError(t, os.Remove(filepath.Join(m.dir, c.gone)))
		}
		if c.put != "" {
			m.add(c.gone, c.put)
		}
		code, table, stderr := m.matrix(c.variable)
		require.Equal(t, 2, code, stderr)
		require.Empty(t, table)
		require.Contains(t, stderr, c.want)
	}
}
