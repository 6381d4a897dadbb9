package wordlen

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Yosys counts the cells of multipliers and dividers: Yosys' own gates of at most two inputs and multiplexers, as
// `synth -noabc` leaves them. They are a measure to compare tables by and no area: no library, no timing.
//
// A multiplier is a * b with all bits of the product. A divider is an array, one row for each bit of the quotient that
// is computed, which subtracts the divisor where it fits: the cells of a row times the rows. Adders, clamps, registers
// and memories are not counted.
type Yosys struct {
	Program string
	Version string
	Limit   time.Duration // of one synthesis; 0: a minute
}

// errYosys is wrapped by the errors about Yosys.
var errYosys = errors.New("yosys")

// FindYosys returns the Yosys on PATH, or that of the variable YOSYS. It errors when there is none that runs.
func FindYosys(ctx context.Context) (*Yosys, error) {
	name := cmp.Or(os.Getenv("YOSYS"), "yosys")
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s is not on PATH, and cells are counted with it; install Yosys (make tools) or leave "+
			"--cells out", errYosys, name)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	y := &Yosys{Program: path}
	out, err := y.run(ctx, "", "-V")
	if err != nil {
		return nil, err
	}
	y.Version = strings.TrimSpace(out)
	return y, nil
}

func (y *Yosys) run(ctx context.Context, dir string, args ...string) (string, error) {
	limit := cmp.Or(y.Limit, time.Minute)
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(bounded, y.Program, args...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case bounded.Err() != nil:
		return "", fmt.Errorf("%w: %s did not end within %v; leave --cells out, or search fewer bits", errYosys, y.Program,
			limit)
	case err != nil:
		last := strings.TrimSpace(log.String())
		return "", fmt.Errorf("%w: %s: %w: %s", errYosys, y.Program, err, last[strings.LastIndexByte(last, '\n')+1:])
	}
	return out.String(), nil
}

// multiplier and row are what is synthesised.
const (
	multiplier = `module unit #(parameter A = 1, parameter B = 1) (
  input  [A-1:0]   a,
  input  [B-1:0]   b,
  output [A+B-1:0] y
);
  assign y = a * b;
endmodule
`
	row = `module unit #(parameter B = 1) (
  input  [B-1:0] rest,  // below d
  input          next,  // bit of the dividend
  input  [B-1:0] d,
  output [B-1:0] left,
  output         q
);
  wire [B:0] trial = {rest, next};
  wire [B:0] less  = trial - {1'b0, d};
  assign q    = !less[B];
  assign left = less[B] ? trial[B-1:0] : less[B-1:0];
endmodule
`
)

// cells returns the cells of a multiplier or divider.
func (y *Yosys) cells(ctx context.Context, s Size) (int, error) {
	fail := func(err error) (int, error) { return 0, fmt.Errorf("cells of %v: %w", s, err) }
	dir, err := os.MkdirTemp("", "goldwire-cells-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	text, rows, params := multiplier, 1, fmt.Sprintf("-set A %d -set B %d", s.A, s.B)
	if s.Divides {
		text, rows, params = row, s.A, fmt.Sprintf("-set B %d", s.B)
	}
	if err := os.WriteFile(filepath.Join(dir, "unit.v"), []byte(text), 0o666); err != nil {
		return fail(err)
	}
	_, err = y.run(ctx, dir, "-q", "-p", "read_verilog unit.v; chparam "+params+" unit; "+
		"synth -noabc -flatten -top unit; tee -q -o stat.json stat -json")
	if err != nil {
		return fail(err)
	}
	n, err := counted(filepath.Join(dir, "stat.json"))
	if err != nil {
		return fail(fmt.Errorf("%w: %s: its statistics: %w", errYosys, y.Program, err))
	}
	return n * rows, nil
}

// counted returns the cells in a file of Yosys' statistics.
func counted(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	// Some versions print a blank or a warning before the object.
	if i := bytes.IndexByte(text, '{'); i > 0 {
		text = text[i:]
	}
	var stat struct {
		Design struct {
			Cells *int `json:"num_cells"`
		}
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&stat); err != nil {
		return 0, err
	}
	if stat.Design.Cells == nil || *stat.Design.Cells == 0 {
		return 0, errors.New("no cells in the design")
	}
	return *stat.Design.Cells, nil
}
