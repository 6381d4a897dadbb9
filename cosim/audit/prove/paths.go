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
// an input still reaches, it reaches within a cycle. The clock and the reset may reach any output. It returns how many
// outputs an input reaches, and how many outputs there are.
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
		return 0, harness(err)
	}
	n := countLine.FindSubmatch(text)
	if n == nil {
		return 0, fmt.Errorf("%w: %s: yosys counted nothing: %q", ErrProof, path, strings.TrimSpace(string(text)))
	}
	return strconv.Atoi(string(n[1]))
}
