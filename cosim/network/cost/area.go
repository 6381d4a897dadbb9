package cost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

// Area is what Yosys counts in a block: bits of its memories, which stay memories, flip-flops, and all other gates,
// which have two inputs at most or are multiplexers. Gates are not mapped to a library: a measure to compare sizes by.
type Area struct {
	Value                  int
	Bits, FlipFlops, Gates int
}

// block returns the name of the block whose area is counted.
func (q *Question) block() string { return path.Base(q.RTL) }

// limit is how long one synthesis may take.
const limit = 10 * time.Minute

// areas counts the area for each value.
func (q *Question) areas(ctx context.Context, root string) ([]Area, error) {
	v, yosys, err := toolchain.Find(ctx, toolchain.Yosys)
	if err != nil {
		return nil, fmt.Errorf("area is not counted: %w; make tools installs it", err)
	}
	read := "read_verilog -sv"
	if toolchain.BareStruct.In(v) {
		read += " -DGW_STRUCTS_IN_PACKAGE"
	}
	var out []Area
	for _, value := range q.Values {
		a, err := q.area(ctx, yosys, read, root, value)
		if err != nil {
			return nil, fmt.Errorf("area of %s with %s = %d: %w", q.block(), q.Param, value, err)
		}
		out = append(out, a)
	}
	return out, nil
}

// area counts the area for one value.
func (q *Question) area(ctx context.Context, yosys, read, root string, value int) (Area, error) {
	a := Area{Value: value}
	dir, err := os.MkdirTemp("", "goldwire-area-")
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir)
	// Yosys keeps quotes of some paths: all are relative, to a link.
	if root, err = filepath.Abs(root); err == nil {
		err = os.Symlink(filepath.Join(root, "hdl"), filepath.Join(dir, "hdl"))
	}
	if err != nil {
		return a, err
	}
	folders, err := os.ReadDir(filepath.Join(root, "hdl/rtl"))
	if err != nil {
		return a, err
	}
	libraries := ""
	for _, f := range folders {
		libraries += " -libdir hdl/rtl/" + f.Name()
	}
	script := fmt.Sprintf(`%s hdl/gen/%[2]s_types.sv hdl/gen/%[2]s_pkg.sv hdl/rtl/%[2]s/%[2]s.sv
chparam -set %[3]s %[4]d %[2]s
hierarchy -check -top %[2]s%[5]s
proc
flatten
opt_clean
tee -q -o memories.json stat -json
synth -run begin:fine
opt -fast -full
techmap
opt -fast
tee -q -o cells.json stat -json
`, read, q.block(), q.Param, value, libraries)
	if err := os.WriteFile(filepath.Join(dir, "script.ys"), []byte(script), 0o666); err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, yosys, "-q", "-s", "script.ys")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	if text, err := cmd.CombinedOutput(); err != nil {
		return a, fmt.Errorf("yosys: %w: %s", err, strings.TrimSpace(string(text)))
	}
	before, err := counted(filepath.Join(dir, "memories.json"))
	if err != nil {
		return a, err
	}
	after, err := counted(filepath.Join(dir, "cells.json"))
	if err != nil {
		return a, err
	}
	a.Bits = before.Bits
	for name, n := range after.Types {
		switch {
		case strings.HasPrefix(name, "$mem"):
		case !strings.HasPrefix(name, "$_"):
			return a, fmt.Errorf("%d cells %s are no gates", n, name)
		case strings.Contains(name, "DFF"):
			a.FlipFlops += n
		default:
			a.Gates += n
		}
	}
	if a.Bits == 0 || a.FlipFlops == 0 || a.Gates == 0 {
		return a, fmt.Errorf("%d memory bits, %d flip-flops and %d gates: something was not counted", a.Bits, a.FlipFlops,
			a.Gates)
	}
	return a, nil
}

// statistics are those of Yosys.
type statistics struct {
	Bits  int            `json:"num_memory_bits"`
	Types map[string]int `json:"num_cells_by_type"`
}

// counted reads Yosys' statistics of the whole design.
func counted(path string) (*statistics, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// Some versions print a blank or a warning before the object.
	_, after, _ := strings.Cut(string(text), "{")
	var stat struct{ Design *statistics }
	if err := json.NewDecoder(strings.NewReader("{" + after)).Decode(&stat); err != nil {
		return nil, fmt.Errorf("statistics of yosys: %w", err)
	}
	if stat.Design == nil {
		return nil, errors.New("statistics of yosys: no design in them")
	}
	return stat.Design, nil
}
