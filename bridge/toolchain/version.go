package toolchain

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// Tools by the name of their program.
const (
	Verilator = "verilator"
	Icarus    = "iverilog"
	Yosys     = "yosys"
	Z3        = "z3"
	Compiler  = "g++"
	Make      = "make"
	Ccache    = "ccache"
)

// Version is the version of a tool: the numbers that are compared, and the text as the tool prints it.
type Version struct {
	Major, Minor int
	Text         string // "5.006"
}

// String returns the version as the tool prints it.
func (v Version) String() string { return v.Text }

// Older reports whether v comes before w.
func (v Version) Older(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

var number = regexp.MustCompile(`\b(\d+)\.(\d+)(?:\.\d+)*\b`)

// of returns the version of a text that is a constant of this package.
func of(text string) Version {
	m := number.FindStringSubmatch(text)
	if m == nil {
		panic("toolchain: not a version: " + text)
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return Version{major, minor, m[0]}
}

// named are the words that stand before the version, for tools whose first line has other numbers too.
var named = map[string]string{Verilator: "Verilator ", Icarus: "Icarus Verilog version ", Yosys: "Yosys ",
	Z3: "Z3 version "}

// Parse returns the version in what a tool prints when it is asked for it. It errors when there is none.
func Parse(tool, text string) (Version, error) {
	_, rest, ok := strings.Cut(text, named[tool])
	rest, _, _ = strings.Cut(rest, "\n")
	if at := number.FindAllString(rest, -1); ok && len(at) > 0 {
		if named[tool] == "" { // the compiler's line names a package, the version comes last
			return of(at[len(at)-1]), nil
		}
		return of(at[0]), nil
	}
	return Version{}, fmt.Errorf("%s: no version in %q", tool, strings.TrimSpace(text))
}

// Flag returns the argument with which a tool prints its version.
func Flag(tool string) string {
	if tool == Icarus || tool == Yosys {
		return "-V"
	}
	return "--version"
}

// instead are the variables that name another program for a tool.
var instead = map[string]string{Verilator: "VERILATOR", Compiler: "CXX"}

// Program returns the name of the program that a build runs for a tool.
func Program(tool string) string { return cmp.Or(os.Getenv(instead[tool]), tool) }

// Find returns the version of the installed tool and its path. It errors when there is none, or none that prints one.
func Find(ctx context.Context, tool string) (v Version, path string, err error) {
	if path, err = exec.LookPath(Program(tool)); err != nil {
		return v, "", fmt.Errorf("%s is not installed", Program(tool))
	}
	text, _ := exec.CommandContext(ctx, path, Flag(tool)).CombinedOutput() // iverilog -V may fail after its first line
	v, err = Parse(tool, string(text))
	return v, path, err
}
