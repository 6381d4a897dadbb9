package bind

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
)

// A design is a program: its C++ and its $system run with the rights of the user who runs them, and a dut.yaml is as
// trusted as a Makefile. Its flags are restricted all the same, so that a reader of the sources has seen all that can
// run: no flag names a program, none has a character by which the shell would run one, and none takes the build
// out of Goldwire's hands.

// runsProgram are the flags of Verilator that run a program.
var runsProgram = []string{"pipe-filter", "MAKEFLAGS", "make", "gdb", "gdbbt", "rr", "valgrind"}

// ofBuild are the flags that the build sets itself: with another value it would lose the binary or the list of files
// that it read.
var ofBuild = []string{"build", "build-jobs", "binary", "cc", "sc", "exe", "main", "lint-only", "xml-only", "json-only",
	"xml-output", "json-only-output", "E", "P", "Mdir", "o", "prefix", "mod-prefix", "top",
	"top-module", "MMD", "no-MMD", "MP",
	"lib-create", "protect-lib", "hierarchical", "hierarchical-child", "hierarchical-block", "skip-identical",
	"no-skip-identical", "compiler", "V", "version", "dpi-hdr-only", "cdc", "get-supported", "getenv", "help"}

// forCompiler are the flags whose value goes through make and the shell to the compiler or the linker.
var forCompiler = []string{"CFLAGS", "LDFLAGS"}

// linked are the endings of files that Verilator hands to make.
var linked = []string{".c", ".cc", ".cpp", ".cxx", ".o", ".a", ".so"}

// plainWord matches words without characters that are special to make or the shell.
const plainWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=,:@^"

// compilerRuns are prefixes of compiler flags that load or run a program, read further flags, or redirect the list of
// files read.
var compilerRuns = []string{"@", "-wrapper", "-fplugin", "-specs", "--specs", "-B", "-plugin", "--plugin",
	"-Wl,-plugin", "-Wl,--plugin", "-Wl,@", "-Xlinker", "-M", "-Wp,", "-o"}

// maxOptionFiles bounds how deep option files may be nested.
const maxOptionFiles = 8

// badFlag returns what is wrong with the flags of a dut.yaml in folder dir, "" if nothing is.
func badFlag(dir string, flags []string, depth int) string {
	for i, f := range flags {
		if name, value, ok := strings.Cut(f, " "); ok && toCompiler(name) {
			return quoted(f) + ": give the flag and its value as two entries: [" + name + ", '" + value + "']"
		}
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch {
		case i > 0 && toCompiler(flags[i-1]):
			if text := badCompilerFlag(f); text != "" {
				return flags[i-1] + " " + quoted(f) + ": " + text
			}
		case !strings.HasPrefix(f, "-"):
			// A C++ source in an option file; Verilog sources never reach make.
			if slices.Contains(linked, filepath.Ext(f)) && strings.ContainsAny(f, launch.Unplain) {
				return quoted(f) + ": the name has characters of the shell; rename it"
			}
		case slices.Contains(runsProgram, name):
			return f + " runs a program, which a dut.yaml must not; leave it out"
		case slices.Contains(ofBuild, name):
			return f + " is for the build to give; leave it out"
		case (name == "f" || name == "F") && i+1 < len(flags):
			if text := badOptionFile(dir, flags[i+1], name == "F", depth); text != "" {
				return f + " " + flags[i+1] + ": " + text
			}
		}
	}
	return ""
}

// toCompiler reports whether a flag's value goes to the compiler or the linker.
func toCompiler(flag string) bool {
	return strings.HasPrefix(flag, "-") && slices.Contains(forCompiler, strings.TrimLeft(flag, "-"))
}

// badCompilerFlag does the same for a value that goes to the compiler or the linker.
func badCompilerFlag(value string) string {
	for word := range strings.FieldsSeq(value) {
		if i := strings.IndexFunc(word, func(c rune) bool { return !strings.ContainsRune(plainWord, c) }); i >= 0 {
			c := quoted(string([]rune(word[i:])[0]))
			return "the character " + c + " means something to make or the shell; put such a value in a header"
		}
		for _, p := range compilerRuns {
			if strings.HasPrefix(word, p) {
				return word + " runs a program, reads further flags or takes over the build; leave it out"
			}
		}
	}
	return ""
}

// badOptionFile does the same for the flags in an option file. Names in a file of -F are relative to its folder.
func badOptionFile(dir, name string, own bool, depth int) string {
	if depth >= maxOptionFiles {
		return "option files are nested too deep"
	}
	path := absolute(dir, os.ExpandEnv(name))
	text, err := os.ReadFile(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return err.Error() + "; names are relative to the dut.yaml"
	}
	if own {
		dir = filepath.Dir(path)
	}
	return badFlag(dir, launch.OptionWords(string(text)), depth+1)
}

func quoted(s string) string { return "\"" + s + "\"" }
