package launch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/toolchain"
	"github.com/goldwire/goldwire/bridge/wire"
)

const (
	exeName   = "dut"      // the binary in its build directory
	stampName = "complete" // written last: the build is whole
	loopsName = "loops"    // combinational loops, one a line
	halfDone  = ".half-"   // in the name of a folder that is being built, ahead of its owner's tag
)

// rounds is how often a build is repeated because its files changed.
const rounds = 3

// Build returns the DUT of a spec, building it when no build of the same content exists. It errors with
// wire.ErrBlock or wire.ErrParams for a spec that cannot be, wire.ErrSimulator when Verilator is missing
// or too old, wire.ErrLimit when a program of the build lacks memory or files, and wire.ErrBuild, with file and
// line, when the RTL does not compile, or when its files do not stay the same for as long as it is built.
func Build(ctx context.Context, spec BuildSpec) (*Binary, error) {
	j, err := newJob(ctx, spec)
	if err != nil {
		return nil, err
	}
	for range rounds {
		bin, err := j.build(ctx)
		if err != nil || bin != nil {
			return bin, err
		}
	}
	moved := strings.Join(j.moved[:min(3, len(j.moved))], ", ")
	return nil, &wire.Error{Kind: wire.ErrBuild, What: "files change while the design is built: " + moved,
		Mend: "run again when nothing writes to them"}
}

func newJob(ctx context.Context, spec BuildSpec) (*job, error) {
	s, params, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	t, err := findTools(ctx)
	if err != nil {
		return nil, err
	}
	return &job{BuildSpec: s, tools: t, params: params, flags: s.flags(), known: map[string]bool{}}, nil
}

func readLoops(dir string) []string {
	text, _ := os.ReadFile(filepath.Join(dir, loopsName)) // none, none seen
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

// flags describes the build in the hello: what changes speed or behaviour, and nothing about this machine.
func (s BuildSpec) flags() string {
	f := s.Opt + " -march=native --x-assign unique --x-initial unique"
	if s.Trace {
		f += " --trace"
	}
	if s.Assert {
		f += " --assert"
	}
	if s.Lines {
		f += " --coverage-line"
	}
	if s.Toggles {
		f += " toggles"
	}
	return f
}

// workDir is the folder that Verilator runs in, to which flags of a design are relative: that of its dut.yaml,
// wherever the build was called.
func (s BuildSpec) workDir(obj string) string {
	if s.Foreign != nil && s.Foreign.Dir != "" {
		return s.Foreign.Dir
	}
	return obj
}

// folderError is the error of a build folder that cannot be used.
func folderError(what string, err error) error {
	return limited(&wire.Error{Kind: wire.ErrBuild, What: what, Err: err, Mend: "free space there, or make it writable"})
}

// compile runs Verilator and the C++ compiler in folder obj of tmp and returns what make printed. The output of a
// failure, and the adapter that it may mention, stay in a folder that does not count as a build.
func (j *job) compile(ctx context.Context, tmp, obj string) (string, error) {
	broken := func(err error) error {
		return folderError("build directory", err)
	}
	header := fmt.Sprintf(`// Written by the build: what this binary was built from.
#pragma once

#include "%s_ports.h"

namespace gw {
inline constexpr const char* kParamText = %q;
inline constexpr const char* kBuildFlags = %q;
inline constexpr bool kWaves = %t;
inline constexpr bool kToggles = %t;
}  // namespace gw
`, j.Block, j.params, j.flags, j.Trace, j.Toggles)
	if j.Lines || j.Toggles {
		header += "#define GW_COVERAGE 1\n"
	}
	if err := os.WriteFile(filepath.Join(obj, "gw_build.h"), []byte(header), 0o644); err != nil {
		return "", broken(err)
	}
	if err := j.src.writeUnits(obj); err != nil {
		return "", broken(err)
	}
	if j.Foreign != nil {
		if err := j.Foreign.files(tmp, obj, j.Block); err != nil {
			return "", err
		}
	}
	args := make([]string, len(j.args))
	for i, a := range j.args {
		args[i] = strings.ReplaceAll(a, dirMark, tmp)
	}
	name, args := direct(j.verilator, args...)
	out, err := j.run(ctx, tmp, "Verilator", j.workDir(obj), name, args...)
	if err != nil {
		return "", err
	}
	if err := joinUnit(obj, "V"+j.Block+"_top"); err != nil {
		return "", broken(err)
	}
	if j.Lines || j.Toggles {
		if err := writeRegisters(obj, j.Block, j.Toggles); err != nil {
			return "", broken(err)
		}
	}
	if loops := loopsOf(strings.ReplaceAll(out, tmp+"/", "")); loops != nil {
		if err := os.WriteFile(filepath.Join(tmp, loopsName), []byte(strings.Join(loops, "\n")+"\n"), 0o644); err != nil {
			return "", broken(err)
		}
	}
	mk := []string{"-C", obj, "-f", "V" + j.Block + "_top.mk", fmt.Sprintf("-j%d", j.Jobs),
		"OPT_FAST=" + j.Opt, "OPT_SLOW=-O1", "OPT_GLOBAL=-O2", "OBJCACHE=" + j.ccache}
	if j.compiler != "" { // which Verilator's makefile does not take from the environment
		mk = append(mk, "CXX="+j.compiler, "LINK="+j.compiler)
	}
	return j.run(ctx, tmp, "C++ compiler", obj, "make", mk...)
}

// verilatorArgs returns the arguments of a version of Verilator for a build in folder dir.
func (s BuildSpec) verilatorArgs(dir string, src sources, params string, v toolchain.Version) []string {
	obj := dir + "/obj"
	top := s.Block + "_top"
	if s.Foreign != nil {
		top = AdapterName
	}
	same := obj + "/" + sameName
	args := []string{"--cc", "--exe", "--no-timing", "--top-module", top, "--prefix", "V" + s.Block + "_top",
		"--Mdir", obj, "-o", exeName,
		"-O3", "--x-assign", "unique", "--x-initial", "unique",
		// Verilator's own limit cuts our larger blocks into ten files, and reading its headers ten times costs
		// more than compiling the blocks.
		"--output-split", "60000",
		"-Wno-fatal", "-Wno-lint", "-Wno-style", // lint has its own command; a planted fault must build
		"-Werror-MODDUP", // of two modules of one name, Verilator would take the first
		"-CFLAGS", "-march=native -std=c++17 -I. -I" + src.gen + " -I" + s.Shell + " -include " +
			filepath.Join(s.Shell, "hooks.h") + " -DVL_USER_STOP -DVL_USER_FINISH -DVL_USER_FATAL -DVL_USER_WARN",
		"-LDFLAGS", "-pthread -Wl,--trace"}
	if s.Trace {
		trace := "--trace"
		if toolchain.TraceVCD.In(v) {
			trace = "--trace-vcd"
		}
		args = append(args, trace, "--trace-structs", "--trace-max-array", "64", "--trace-max-width", "4096")
	}
	if s.Assert {
		args = append(args, "--assert", "+define+GW_ASSERT")
	} else {
		args = append(args, "--no-assert")
	}
	if s.Lines {
		args = append(args, "--coverage-line")
	}
	for p := range strings.SplitSeq(params, ",") {
		if p != "" {
			args = append(args, "-G"+p)
		}
	}
	if s.Foreign != nil {
		args = append(args, dir+"/"+AdapterName+".sv")
		args = append(args, s.Foreign.Args...)
		return append(args, same)
	}
	args = append(args, src.verilog...)
	for _, dir := range src.rtl.paths(src.rtl.Folders) {
		args = append(args, "-y", dir)
	}
	args = append(args, "+libext+.sv+.v", "+incdir+"+s.RTLDir, "+incdir+"+src.gen)
	return append(args, same)
}

var diagnostic = regexp.MustCompile(`(?m)^(?:%Error[^:]*: .*|.*:\d+:\d+: (?:fatal )?error: .*|` +
	`.*: undefined reference to .*|make.*\*\*\* .*)$`)

// Command returns a program of a build, to be run in folder dir with its own process group, which ends with ctx.
// Its environment contains nothing from an outer make, and carries our name, so that leftovers are found.
func Command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, makeEnv()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// run runs one program of the build and turns its failure into wire.ErrBuild with the first diagnostics. It
// returns the program's output. The program holds the lock too, for as long as any part of it lives.
func (j *job) run(ctx context.Context, tmp, what, dir, name string, args ...string) (string, error) {
	cmd := Command(ctx, dir, name, args...)
	cmd.ExtraFiles = []*os.File{j.lock}
	cmd.Env = append(cmd.Env, "CCACHE_BASEDIR="+j.relative(tmp), "CCACHE_ABSSTDERR=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("build of block %s: %w", j.Block, context.Cause(ctx))
	}
	if l := LimitError(err, out.String()); l != nil {
		l.What = what + ": " + l.What
		return "", l
	}
	return "", j.failed(tmp, what, err, out.String())
}

// relative returns the folder below which ccache takes paths as relative, so that two builds of one text compile it
// once: that of the build, or the tree, so that a copy of the tree finds what the original compiled. A user's C++ is
// compiled with whole paths, which it may have in its text as __FILE__.
func (j *job) relative(tmp string) string {
	isC := func(arg string) bool { return slices.Contains(cSources, filepath.Ext(arg)) }
	if j.Foreign != nil && slices.ContainsFunc(j.Foreign.Args, isC) {
		return tmp
	}
	real, err := filepath.EvalSymlinks(j.Root)
	if err != nil || real != j.Root || !strings.HasPrefix(tmp, real+"/") {
		return tmp
	}
	return real
}

// failed keeps the output of a program that failed and returns the error.
func (j *job) failed(tmp, what string, err error, out string) error {
	dir := j.base
	if j.OutDir == "" {
		dir += "-failed"
	}
	out = strings.ReplaceAll(out, tmp+"/", dir+"/")
	e := &wire.Error{Kind: wire.ErrBuild}
	if log := filepath.Join(dir, "build.log"); os.WriteFile(filepath.Join(tmp, "build.log"), []byte(out), 0o644) == nil &&
		os.RemoveAll(dir) == nil && os.Rename(tmp, dir) == nil {
		os.RemoveAll(filepath.Join(dir, "obj"))
		e.Mend = "all output is in " + log
	}
	lines := diagnostic.FindAllString(out, 3)
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.ReplaceAll(l, j.Root+"/", ""))
	}
	if len(lines) == 0 {
		lines = []string{err.Error()}
	}
	e.What = what + ": " + strings.Join(lines, " | ")
	return e
}

// orphanLook is how often a process that waits for a lock checks whether the lock's owner is dead.
const orphanLook = 10

// lock takes an exclusive lock on a file, waiting for another process that builds the same. The programs that it
// started hold the lock too, so that it is not free while one of them still writes: those of a dead owner are killed.
// It errors when ctx ends first.
func lock(ctx context.Context, path string) (*os.File, func(), error) {
	broken := func(err error) error {
		return folderError("build lock", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, nil, broken(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, nil, broken(err)
	}
	for try := 0; ; try++ {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			// A server that a compiler left running may have the file too: closing ours would not be enough.
			return f, func() { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN); f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			f.Close()
			return nil, nil, fmt.Errorf("build lock %s: %w", path, err)
		}
		if try%orphanLook == 0 {
			sweep(filepath.Dir(path))
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, nil, fmt.Errorf("build lock %s: %w", path, context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}
