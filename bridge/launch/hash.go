package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// sources are the files of a build, by role.
type sources struct {
	verilog []string // in compile order
	rtl     *RTL     // where other modules are found; nil for a foreign design
	shell   []string // C++ files that are the same for every design
	bound   []string // C++ files of the shell that see the design's header
	gen     string   // directory of the generated headers
}

func (s BuildSpec) sources() (sources, error) {
	gen := filepath.Join(s.Root, "hdl", "gen")
	src := sources{gen: gen}
	var err error
	if src.shell, src.bound, err = shellSources(s.Shell); err != nil {
		return src, err
	}
	if s.Foreign != nil {
		return src, nil
	}
	if src.rtl, err = ReadRTL(s.RTLDir); err != nil {
		return src, err
	}
	if w := filepath.Join(s.Root, "hdl", "lint", "waivers.vlt"); exists(w) {
		src.verilog = append(src.verilog, w)
	}
	for _, suffix := range []string{"_types.sv", "_pkg.sv", "_top.sv"} {
		if f := filepath.Join(gen, s.Block+suffix); !exists(f) {
			return src, fmt.Errorf("generated file %s is missing; run: make gen", f)
		}
	}
	// Every block's types and constants: a block may hold others.
	for _, pattern := range []string{"*_types.sv", "*_pkg.sv"} {
		files, err := filepath.Glob(filepath.Join(gen, pattern))
		if err != nil {
			return src, fmt.Errorf("generated files: %w", err)
		}
		slices.Sort(files)
		src.verilog = append(src.verilog, files...)
	}
	src.verilog = append(src.verilog, filepath.Join(gen, s.Block+"_top.sv"))
	return src, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// inputs returns the files of a build that are known before it, without those that only the programs of the build
// find: the stamp has them all.
func (s BuildSpec) inputs(src sources) ([]string, error) {
	var files []string
	if s.Foreign != nil {
		files = s.Foreign.inputs()
	}
	files = append(files, src.verilog...)
	patterns := []string{filepath.Join(s.Shell, "*.cpp"), filepath.Join(s.Shell, "*.h")}
	if s.Foreign == nil || s.Foreign.Ports == "" {
		files = append(files, filepath.Join(src.gen, s.Block+"_ports.h"))
	}
	if src.rtl != nil {
		files = append(files, src.rtl.paths(src.rtl.Files)...)
	}
	for _, pattern := range patterns {
		more, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("sources of the build: %w", err)
		}
		slices.Sort(more)
		files = append(files, more...)
	}
	return append(files, systemHeaders(s.cFlags())...), nil
}

// contentHash returns 24 hex digits over the request: everything that is known before the programs of the build report
// what else they read. Files count by name and content, not by directory, so a copy of the RTL shares the build of the
// original.
func contentHash(s BuildSpec, src sources, t tools, params, flags string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, "goldwire dut 3", s.Block, params, flags, t.full, t.cxx, t.identity, processor())
	if s.Foreign != nil {
		s.Foreign.sum(h)
	}
	files, err := s.inputs(src)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if err := hashFile(h, f); err != nil {
			return "", fmt.Errorf("sources of the build: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

func hashFile(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintln(h, filepath.Base(path), fi.Size())
	_, err = io.Copy(h, f)
	return err
}

// processor names what -march=native means here, so that a tree copied to another machine rebuilds
// instead of dying of an illegal instruction.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "flags") || strings.HasPrefix(line, "Features") {
			return runtime.GOARCH + line
		}
	}
	return runtime.GOARCH
}
