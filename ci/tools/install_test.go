package tools

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine is a folder of fake commands that is the whole PATH while the script runs.
type machine struct {
	t   *testing.T
	dir string
}

func newMachine(t *testing.T) *machine {
	m := &machine{t, t.TempDir()}
	for _, tool := range []string{"bash", "sh", "env", "sed", "sort", "head", "tr", "cat", "chmod"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("%s is not installed", tool)
		}
		require.NoError(t, os.Symlink(path, filepath.Join(m.dir, tool)))
	}
	return m
}

func (m *machine) add(name, script string) {
	require.NoError(m.t, os.WriteFile(filepath.Join(m.dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// tools adds working commands with the given names.
func (m *machine) tools(names ...string) {
	for _, n := range names {
		m.add(n, "exit 0")
	}
}

func (m *machine) verilator(version string) {
	m.add("verilator", "echo 'Verilator "+version+" 2023-01-22 rev (Debian 5.006-3)'")
}

// apt adds a package manager that offers the given version of Verilator, logs its calls, and installs the requested
// packages.
func (m *machine) apt(offers string) {
	m.add("apt-cache", "echo verilator:; echo '  Installed: (none)'; echo '  Candidate: "+offers+"'")
	m.add("apt-get", `echo "$@" >>`+m.dir+`/apt.log
case "$*" in *" install "*) ;; *) exit 0 ;; esac
for p; do case $p in
  verilator) printf '#!/bin/sh\necho "Verilator `+offers+` x"\n' >`+m.dir+`/verilator; chmod +x `+m.dir+`/verilator ;;
  zlib1g-dev) printf '#!/bin/sh\nexit 0\n' >`+m.dir+`/c++; chmod +x `+m.dir+`/c++ ;;
  iverilog|yosys|z3|ccache) printf '#!/bin/sh\n' >`+m.dir+`/$p; chmod +x `+m.dir+`/$p ;;
esac; done`)
}

func (m *machine) log() string {
	text, err := os.ReadFile(filepath.Join(m.dir, "apt.log"))
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	require.NoError(m.t, err)
	return string(text)
}

func (m *machine) run(args ...string) (code int, stderr string) {
	cmd := exec.Command("bash", append([]string{"install.sh"}, args...)...)
	cmd.Env = []string{"PATH=" + m.dir, "SBIN=" + m.dir}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	require.Empty(m.t, out.String(), "messages go to stderr")
	return cmd.ProcessState.ExitCode(), errs.String()
}

func TestNothingMissing(t *testing.T) {
	for _, version := range []string{"5.006", "5.036", "5.100", "6.002"} {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog", "yosys", "z3", "ccache")
		m.verilator(version)
		code, msg := m.run()
		require.Zero(t, code, msg)
		require.Empty(t, msg)
	}
}

func TestInstallsOnlyWhatIsMissing(t *testing.T) {
	m := newMachine(t)
	m.tools("c++", "git", "yosys", "z3")
	m.add("id", "echo 0")
	m.apt("5.006-3")
	code, msg := m.run()
	require.Zero(t, code, msg)
	require.Contains(t, m.log(), "install -y --no-install-recommends verilator iverilog ccache\n")
	require.Contains(t, strings.SplitN(m.log(), "\n", 2)[0], "update", "lists first")
}

func TestUsesSudoWithoutPassword(t *testing.T) {
	m := newMachine(t)
	m.tools("c++", "git", "yosys", "z3", "iverilog", "ccache")
	m.add("id", "echo 1000")
	m.add("sudo", `shift; exec "$@"`)
	m.add("true", "exit 0")
	m.apt("5.020-1")
	code, msg := m.run()
	require.Zero(t, code, msg)
	require.Contains(t, m.log(), "verilator")
}

func TestMayNotInstall(t *testing.T) {
	for _, sudo := range []string{"", "exit 1"} {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog")
		m.add("id", "echo 1000")
		if sudo != "" {
			m.add("sudo", sudo)
		}
		m.apt("5.006-3")
		code, msg := m.run()
		require.Equal(t, 2, code)
		require.Contains(t, msg, "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends verilator "+
			"yosys z3 ccache'")
		require.Empty(t, m.log())
	}
}

// Slurm is installed on request, and nothing else with it.
func TestSlurm(t *testing.T) {
	for _, have := range []string{"", "sbatch", "sbatch slurmctld slurmd"} {
		m := newMachine(t)
		m.tools(strings.Fields(have)...)
		m.add("id", "echo 0")
		m.apt("4.038-1")
		m.add("apt-get", `echo "$@" >>`+m.dir+`/apt.log
case "$*" in *" install "*) ;; *) exit 0 ;; esac
for p in sbatch slurmctld slurmd munged; do printf '#!/bin/sh\n' >`+m.dir+`/$p; chmod +x `+m.dir+`/$p; done`)
		code, msg := m.run("--slurm")
		require.Zero(t, code, msg)
		want := "install -y --no-install-recommends slurm-wlm munge\n"
		if strings.Contains(have, "slurmd") {
			want = "install -y --no-install-recommends munge\n"
		}
		require.Contains(t, m.log(), want)
		require.NotContains(t, m.log(), "verilator")
	}
	m := newMachine(t)
	m.tools("sbatch", "slurmctld", "slurmd", "munged")
	code, msg := m.run("--slurm")
	require.Zero(t, code, msg)
	require.Empty(t, msg+m.log())
}

func TestRefusesOldPackagedVerilator(t *testing.T) {
	m := newMachine(t)
	m.tools("c++", "git", "iverilog", "yosys", "z3", "ccache")
	m.add("id", "echo 0")
	m.apt("4.038-1")
	code, msg := m.run()
	require.Equal(t, 2, code)
	require.Contains(t, msg, "Verilator 4.038 (the package of this system) is older than 5.006")
	require.Contains(t, msg, "from source")
	require.NotContains(t, m.log(), "install")
}

func TestRefusesOldInstalledVerilator(t *testing.T) {
	for _, version := range []string{"4.228", "5.002"} {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog", "yosys", "z3", "ccache")
		m.verilator(version)
		code, msg := m.run()
		require.Equal(t, 2, code)
		require.Contains(t, msg, "Verilator "+version+" ("+m.dir+"/verilator) is older than 5.006")
	}
}

func TestOtherRefusals(t *testing.T) {
	t.Run("no package manager", func(t *testing.T) {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog", "yosys", "z3", "ccache")
		code, msg := m.run()
		require.Equal(t, 2, code)
		require.Contains(t, msg, "missing: verilator, and this system has no apt-get")
	})
	t.Run("no such package", func(t *testing.T) {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog", "yosys", "z3", "ccache")
		m.add("id", "echo 0")
		m.apt("(none)")
		code, msg := m.run()
		require.Equal(t, 2, code)
		require.Contains(t, msg, "have no Verilator")
	})
	t.Run("no network", func(t *testing.T) {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog", "yosys", "z3", "ccache")
		m.add("id", "echo 0")
		m.add("apt-get", "exit 100")
		code, msg := m.run()
		require.Equal(t, 2, code)
		require.Contains(t, msg, "apt-get update failed")
	})
	t.Run("check changes nothing", func(t *testing.T) {
		m := newMachine(t)
		m.tools("c++", "git", "iverilog", "yosys", "z3")
		m.add("id", "echo 0")
		m.apt("5.006-3")
		code, msg := m.run("--check")
		require.Equal(t, 2, code)
		require.Contains(t, msg, "missing: verilator ccache. Run 'make tools'.")
		require.Empty(t, m.log())
	})
	t.Run("unknown argument", func(t *testing.T) {
		code, msg := newMachine(t).run("--force")
		require.Equal(t, 2, code)
		require.Contains(t, msg, "unknown argument '--force'")
	})
}
