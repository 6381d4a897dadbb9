package prove

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// paths looks for combinational paths from the inputs of a module to its outputs. It takes out every register; whatever
// an input still reaches, it reaches within a cycle. The clock and the reset may reach any output.
func (s Spec) paths(ctx context.Context, t tree, r *Row, v *Verdict, dir string) error {
	found, ports, err := t.paths(ctx, r, filepath.Join(dir, "prove"))
	if err != nil {
		return fmt.Errorf("row %s: %w", r.Name, err)
	}
	v.Asserts = ports
	if found > 0 {
		v.Disproved, v.Failed = true, fmt.Sprintf("%d outputs follow an input within the cycle", found)
		return nil
	}
	for i, w := range r.Twins {
		at := filepath.Join(dir, fmt.Sprintf("twin%d", i+1))
		planted, err := w.plant(t, filepath.Join(at, "rtl"))
		if err != nil {
			return fmt.Errorf("row %s: %w", r.Name, err)
		}
		found, _, err := planted.paths(ctx, r, at)
		if err != nil {
			return fmt.Errorf("row %s: %w", r.Name, err)
		}
		if found == 0 {
			v.Failed = fmt.Sprintf("twin %d has no path: %s: %s", i+1, w.File, w.Put)
			return nil
		}
		v.Twins++
	}
	return nil
}

// paths returns how many outputs an input reaches, and how many outputs there are.
func (t tree) paths(ctx context.Context, r *Row, dir string) (found, ports int, err error) {
	script, err := t.elaborate(r, prove)
	if err != nil {
		return 0, 0, err
	}
	// A RAM becomes registers: a read that is not clocked stays a path.
	script += "opt_clean\nmemory_map\nopt_clean\ndelete t:$*ff* t:$dlatch*\n" +
		"select -set from i:* i:clk_i %d i:rst_ni %d\nselect -assert-min 1 @from\nselect -assert-min 1 o:*\n" +
		"tee -q -o ports.txt select -count o:*\n" +
		"tee -q -o found.txt select -count @from %co* o:* %i\n"
	if err := yosys(ctx, dir, script); err != nil {
		return 0, 0, err
	}
	if ports, err = counted(filepath.Join(dir, "ports.txt")); err != nil {
		return 0, 0, err
	}
	found, err = counted(filepath.Join(dir, "found.txt"))
	return found, ports, err
}

var countLine = regexp.MustCompile(`(?m)^(\d+) objects?\.`)

// counted reads what "select -count" printed.
func counted(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrProof, err)
	}
	n := countLine.FindSubmatch(text)
	if n == nil {
		return 0, fmt.Errorf("%w: %s: yosys counted nothing: %q", ErrProof, path, strings.TrimSpace(string(text)))
	}
	return strconv.Atoi(string(n[1]))
}
