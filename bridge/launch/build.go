package launch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

const (
	exeName   = "dut"      // the binary in its build directory
	stampName = "complete" // written last: the build is whole
	loopsName = "loops"    // combinational loops, one a line
)

// Build returns the DUT of a spec, building it when no build of the same content exists. It errors with
// wire.ErrBlock or wire.ErrParams for a spec that cannot be, wire.ErrSimulator when Verilator is missing
// or too old, and wire.ErrBuild, with file and line, when the RTL does not compile.
func Build(ctx context.Context, spec BuildSpec) (*Binary, error) {
	s, params, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	src, err := s.sources()
	if err != nil {
		return nil, &wire.Error{Kind: wire.ErrBuild, Err: err}
	}
	t, err := findTools(ctx)
	if err != nil {
		return nil, err
	}
	flags := s.flags()
	sum, err := contentHash(s, src, t, params, flags)
	if err != nil {
		return nil, err
	}
	dir := s.OutDir
	if dir == "" {
		dir = filepath.Join(s.Root, "build", "dut", s.Block+"-"+sum[:12])
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("build directory: %w", err)
	}
	layout := event.NewLayout(s.Schema)
	bin := &Binary{Path: filepath.Join(dir, exeName), Block: s.Block, SchemaHash: s.Schema.Hash(), Params: params,
		InWords: layout.In.Words, OutWords: layout.Out.Words, Flags: flags, Simulator: t.version, Trace: s.Trace}
	if s.Foreign != nil {
		bin.Dir = s.Foreign.Dir
	}
	if whole(dir, sum) {
		bin.Cached, bin.Loops = true, readLoops(dir)
		return bin, nil
	}
	unlock, err := lock(ctx, dir+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	if whole(dir, sum) { // another process built it while this one waited
		bin.Cached, bin.Loops = true, readLoops(dir)
		return bin, nil
	}
	if err := s.make(ctx, dir, src, t, params, flags); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, stampName), []byte(sum+"\n"), 0o644); err != nil {
		return nil, fmt.Errorf("build directory: %w", err)
	}
	bin.Loops = readLoops(dir)
	return bin, nil
}

func readLoops(dir string) []string {
	text, _ := os.ReadFile(filepath.Join(dir, loopsName)) // none, none seen
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

// flags describes the build in the hello: what changes speed or behaviour, nothing of this machine.
func (s BuildSpec) flags() string {
	f := s.Opt + " -march=native --x-assign unique --x-initial unique"
	if s.Trace {
		f += " --trace-fst"
	}
	if s.Assert {
		f += " --assert"
	}
	return f
}

func whole(dir, sum string) bool {
	b, err := os.ReadFile(filepath.Join(dir, stampName))
	return err == nil && strings.TrimSpace(string(b)) == sum && exists(filepath.Join(dir, exeName))
}

// make runs Verilator and the C++ compiler in dir/obj and leaves the binary in dir.
func (s BuildSpec) make(ctx context.Context, dir string, src sources, t tools, params, flags string) error {
	obj := filepath.Join(dir, "obj")
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	if err := os.MkdirAll(obj, 0o755); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	header := fmt.Sprintf(`// Written by the build: what this binary was built from.
#pragma once

#include "%s_ports.h"

namespace gw {
inline constexpr const char* kParamText = %q;
inline constexpr const char* kBuildFlags = %q;
inline constexpr bool kWaves = %t;
}  // namespace gw
`, s.Block, params, flags, s.Trace)
	if err := os.WriteFile(filepath.Join(obj, "gw_build.h"), []byte(header), 0o644); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	if s.Foreign != nil {
		if err := s.Foreign.files(dir, obj, s.Block); err != nil {
			return err
		}
	}
	out, err := s.run(ctx, dir, "Verilator", t.verilator, s.verilatorArgs(obj, src, params)...)
	if err != nil {
		return err
	}
	if loops := loopsOf(out); loops != nil {
		if err := os.WriteFile(filepath.Join(dir, loopsName), []byte(strings.Join(loops, "\n")+"\n"), 0o644); err != nil {
			return fmt.Errorf("build directory: %w", err)
		}
	}
	mk := []string{"-C", obj, "-f", "V" + s.Block + "_top.mk", fmt.Sprintf("-j%d", s.Jobs),
		"OPT_FAST=" + s.Opt, "OPT_SLOW=-O1", "OPT_GLOBAL=-O2", "OBJCACHE=" + t.ccache}
	if _, err := s.run(ctx, dir, "C++ compiler", "make", mk...); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(obj, exeName), filepath.Join(dir, exeName)); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	return os.RemoveAll(obj)
}

func (s BuildSpec) verilatorArgs(obj string, src sources, params string) []string {
	top := s.Block + "_top"
	if s.Foreign != nil {
		top = AdapterName
	}
	args := []string{"--cc", "--exe", "--no-timing", "--top-module", top, "--prefix", "V" + s.Block + "_top", "--Mdir", obj, "-o", exeName,
		"-O3", "--x-assign", "unique", "--x-initial", "unique",
		"-Wno-fatal", "-Wno-lint", "-Wno-style", // lint has its own command; a planted fault must build
		"-CFLAGS", "-march=native -std=c++17 -I. -I" + src.gen + " -I" + s.Shell + " -include " +
			filepath.Join(s.Shell, "hooks.h") + " -DVL_USER_STOP -DVL_USER_FINISH -DVL_USER_FATAL -DVL_USER_WARN", "-LDFLAGS", "-pthread"}
	if s.Trace {
		args = append(args, "--trace-fst", "--trace-structs")
	}
	if s.Assert {
		args = append(args, "--assert", "+define+GW_ASSERT")
	}
	for p := range strings.SplitSeq(params, ",") {
		if p != "" {
			args = append(args, "-G"+p)
		}
	}
	if s.Foreign != nil {
		args = append(args, filepath.Join(filepath.Dir(obj), AdapterName+".sv"))
		args = append(args, s.Foreign.Args...)
		return append(args, src.shell...)
	}
	args = append(args, src.verilog...)
	args = append(args, "-y", src.rtlDir, "+libext+.sv+.v", "+incdir+"+src.rtlDir, "+incdir+"+src.gen)
	return append(args, src.shell...)
}

var diagnostic = regexp.MustCompile(`(?m)^(?:%Error[^:]*: .*|.*:\d+:\d+: (?:fatal )?error: .*|.*: undefined reference to .*|make.*\*\*\* .*)$`)

// run runs one program of the build in its own process group, which ends with ctx, and turns its failure
// into wire.ErrBuild with the first diagnostics. It returns the program's output.
func (s BuildSpec) run(ctx context.Context, dir, what, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("build of block %s: %w", s.Block, context.Cause(ctx))
	}
	log := filepath.Join(dir, "build.log")
	_ = os.WriteFile(log, out.Bytes(), 0o644) // the error below says what matters
	lines := diagnostic.FindAllString(out.String(), 3)
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.ReplaceAll(l, s.Root+"/", ""))
	}
	if len(lines) == 0 {
		lines = []string{err.Error()}
	}
	return "", &wire.Error{Kind: wire.ErrBuild, What: what + ": " + strings.Join(lines, " | "), Mend: "all output is in " + log}
}

// lock takes an exclusive lock on a file, waiting for another process that builds the same. It errors when
// ctx ends first.
func lock(ctx context.Context, path string) (func(), error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("build lock: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("build lock: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			f.Close()
			return nil, fmt.Errorf("build lock %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("build lock %s: %w", path, context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}
