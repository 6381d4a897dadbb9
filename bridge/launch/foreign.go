package launch

import (
	"context"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

// Foreign is a user's design under a block's ports.
type Foreign struct {
	// Adapter is the text of a module AdapterName that has the flat ports and parameters of hdl/gen's
	// <block>_top and holds the design.
	Adapter string
	// Ports is the text of the C++ port table of a block that has none in hdl/gen; "" for one of ours.
	Ports string
	// Args are Verilator's arguments for the design: sources in compile order, +incdir+, +define+, flags.
	Args []string
	// Files are all files that the Verilog of the design is read from, included ones too: with the content of
	// Args they make the build's hash.
	Files []string
	// Read is when the reading of Files began from which Adapter and Ports were made: a file that has changed since
	// may have other ports. Zero disables the check.
	Read time.Time
	// Dir is the working folder of the running design, which its $readmemh and $fopen are relative to.
	Dir string
}

// AdapterName is the module of Foreign.Adapter. The model's class still has the name that the block's port
// table wants, so that no module of a design can collide with it.
const AdapterName = "goldwire_adapter"

// files writes what the build needs in addition to the design: the adapter, which stays beside the binary so that
// people can read it, and the port table.
func (f *Foreign) files(dir, obj, block string) error {
	if err := os.WriteFile(filepath.Join(dir, AdapterName+".sv"), []byte(f.Adapter), 0o644); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	if f.Ports == "" {
		return nil
	}
	if err := os.WriteFile(filepath.Join(obj, block+"_ports.h"), []byte(f.Ports), 0o644); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	return nil
}

// sum adds the design's arguments to a build's hash. Folders do not count, as for our own RTL.
func (f *Foreign) sum(h hash.Hash) {
	fmt.Fprintln(h, "foreign", len(f.Adapter), f.Adapter, len(f.Ports), f.Ports)
	for _, a := range f.Args {
		switch {
		case strings.HasPrefix(a, "+incdir+"): // what is read from it is among the files
		case strings.HasPrefix(a, "+"), strings.HasPrefix(a, "-"):
			fmt.Fprintln(h, a)
		default:
			fmt.Fprintln(h, filepath.Base(a))
		}
	}
}

// inputs returns the files of the design that are known before it is built, sorted by name.
func (f *Foreign) inputs() []string {
	files := slices.Clone(f.Files)
	for _, a := range f.Args {
		if strings.HasPrefix(a, "+") || strings.HasPrefix(a, "-") {
			continue
		}
		// C++ and libraries, which the elaboration does not list, and modules that it did not use.
		if fi, err := os.Stat(a); err == nil && fi.Mode().IsRegular() && !slices.Contains(files, a) {
			files = append(files, a)
		}
	}
	files = append(files, cFiles(f.Args)...)
	slices.SortFunc(files, func(a, b string) int {
		return strings.Compare(filepath.Base(a)+"\x00"+a, filepath.Base(b)+"\x00"+b)
	})
	return files
}

// changed returns a file that has changed since the adapter was made, or "".
func (f *Foreign) changed(now snapshot) string {
	for _, path := range f.Files {
		if !f.Read.IsZero() && !now[path].changed.Before(f.Read) {
			return path
		}
	}
	return ""
}

// Verilator is the installed simulator.
type Verilator struct {
	Path    string
	Version toolchain.Version
}

// FindVerilator returns the Verilator that Build uses. It errors as Build does when there is none or it is
// too old.
func FindVerilator(ctx context.Context) (*Verilator, error) {
	t, err := findTools(ctx)
	if err != nil {
		return nil, err
	}
	return &Verilator{Path: t.verilator, Version: t.version}, nil
}

// loopsOf returns the places of combinational loops in Verilator's output, as file:line: signal. A loop that settles is
// only slow; they are kept for the error when one does not.
func loopsOf(out string) []string {
	var loops []string
	for _, m := range toolchain.Messages(out) {
		_, signal, ok := strings.Cut(m.Text, "'")
		if m.Class != "UNOPTFLAT" || !ok {
			continue
		}
		signal = strings.TrimPrefix(strings.TrimSuffix(signal, "'"), AdapterName+".")
		l := fmt.Sprintf("%s:%d: %s", m.File, m.Line, signal)
		if !slices.Contains(loops, l) && len(loops) < 5 {
			loops = append(loops, l)
		}
	}
	return loops
}
