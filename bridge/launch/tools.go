package launch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/bridge/toolchain"
	"github.com/goldwire/goldwire/bridge/wire"
)

type tools struct {
	verilator string // path
	version   toolchain.Version
	full      string // its whole version line, for the hash
	cxx       string // version line of the C++ compiler
	compiler  string // $CXX, "" for the one that Verilator was installed for
	ccache    string // path or ""
	identity  string // the files of all programs, with size and time
}

// findTools looks for the programs on PATH; $VERILATOR names another Verilator. It errors with
// wire.ErrSimulator when Verilator is missing or too old, with both versions and the fix.
func findTools(ctx context.Context) (tools, error) {
	name, oldest := toolchain.Program(toolchain.Verilator), toolchain.Oldest[toolchain.Verilator].Text
	var t tools
	var err error
	if t.verilator, err = exec.LookPath(name); err != nil && name != toolchain.Verilator {
		return t, &wire.Error{Kind: wire.ErrSimulator, What: "VERILATOR=" + name + " cannot be run",
			Mend: "unset it, or set it to a Verilator of " + oldest + " or newer"}
	} else if err != nil {
		return t, &wire.Error{Kind: wire.ErrSimulator, What: "Verilator is not installed, " + oldest + " or newer is needed",
			Mend: "run: apt-get install verilator"}
	}
	out, err := versionText(ctx, t.verilator)
	t.full = strings.TrimSpace(string(out))
	if l := LimitError(err, t.full); err != nil && l != nil {
		l.What = "Verilator does not start: " + l.What
		return t, l
	}
	v, unread := toolchain.Parse(toolchain.Verilator, t.full)
	if err != nil || unread != nil {
		return t, &wire.Error{Kind: wire.ErrSimulator, What: fmt.Sprintf("%s --version prints %q",
			t.verilator, firstLine(t.full)),
			Err: err, Mend: "reinstall it: apt-get install --reinstall verilator"}
	}
	if t.version = v; toolchain.TooOld(toolchain.Verilator, v) {
		return t, &wire.Error{Kind: wire.ErrSimulator, What: fmt.Sprintf("Verilator %s is too old, %s or newer is needed",
			v, oldest),
			Mend: "install a newer one, for example from Debian 12 or github.com/verilator/verilator, and put it first on " +
				"PATH or in $VERILATOR"}
	}
	toolchain.WarnNew(toolchain.Verilator, v)
	t.compiler = os.Getenv("CXX")
	cxx := toolchain.Program(toolchain.Compiler)
	if out, err = versionText(ctx, cxx); err != nil {
		if l := LimitError(err, string(out)); l != nil {
			l.What = "C++ compiler " + cxx + " does not start: " + l.What
			return t, l
		}
		return t, &wire.Error{Kind: wire.ErrBuild, What: "C++ compiler " + cxx + " does not run", Err: err,
			Mend: "run: apt-get install g++ make"}
	}
	t.cxx = firstLine(string(out))
	t.ccache, _ = exec.LookPath("ccache")
	t.identity = identity(t.verilator, cxx, "make", t.ccache, "ar", "ld", "as")
	return t, nil
}

// versions holds what programs printed, by their identity: a program of many builds would ask each time.
var versions sync.Map

// versionText returns what a program prints of its version. It asks a program again when the file has changed.
func versionText(ctx context.Context, program string) ([]byte, error) {
	key := identity(program)
	if text, ok := versions.Load(key); ok {
		return text.([]byte), nil
	}
	name, args := direct(program, "--version")
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err == nil && key != "" {
		versions.Store(key, out)
	}
	return out, err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// identity returns path, size and time of programs, because a rebuilt program may have the same version text.
func identity(programs ...string) string {
	var b strings.Builder
	for _, p := range programs {
		path, err := exec.LookPath(p)
		if err != nil {
			continue // the build reports it if it is needed
		}
		if fi, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%s %d %d;", path, fi.Size(), fi.ModTime().UnixNano())
		}
	}
	return b.String()
}

// script is a line of the Perl script by which Verilator starts its binary.
const script = "sub verilator_bin {"

// direct returns the program and arguments of a call of Verilator. Verilator is a Perl script that lifts the limit of
// the stack and starts the binary beside it. To start Perl takes as long as to verilate a small design, so a shell does
// the same. Any other program, and a Verilator that the environment sends elsewhere, is called as it is.
func direct(verilator string, args ...string) (name string, all []string) {
	real, err := filepath.EvalSymlinks(verilator)
	if err != nil || os.Getenv("VERILATOR_ROOT")+os.Getenv("VERILATOR_BIN") != "" {
		return verilator, args
	}
	text, err := os.ReadFile(real)
	binary := filepath.Join(filepath.Dir(real), "verilator_bin")
	if fi, missing := os.Stat(binary); err != nil || !bytes.Contains(text, []byte(script)) || missing != nil ||
		fi.Mode()&0o111 == 0 {
		return verilator, args
	}
	return "sh", append([]string{"-c", `ulimit -s unlimited 2>/dev/null; exec "$0" "$@"`, binary}, args...)
}

// Command returns a call of Verilator, to be run in a folder as Command does.
func (v *Verilator) Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	name, args := direct(v.Path, args...)
	return Command(ctx, dir, name, args...)
}
