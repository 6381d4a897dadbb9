package launch

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// script is a line of the Perl script by which Verilator starts its binary.
const script = "sub verilator_bin {"

// direct returns the program and arguments of a call of Verilator. Verilator is a Perl script that lifts the limit of the
// stack and starts the binary beside it. To start Perl takes as long as to verilate a small design, so a shell does the
// same. Any other program, and a Verilator that the environment sends elsewhere, is called as it is.
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
