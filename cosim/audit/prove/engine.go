package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// answer is what an engine found.
type answer int

const (
	unknown answer = iota // no answer in time
	holds
	fails
)

var (
	abcProved = regexp.MustCompile(`(?m)^Property proved\.`)
	abcFailed = regexp.MustCompile(`(?m)^Output (\d+) of miter "[^"]*" was asserted in frame (\d+)\.`)
	abcFrames = regexp.MustCompile(`(?m)^No output asserted in (\d+) frames\.`)
	abcError  = regexp.MustCompile(`(?mi)\*\* cmd error|^error|cannot|syntax`)
)

// ask gives the model to the engine of a row and returns the answer that the engine reports. Output that is not
// understood is an error.
func ask(ctx context.Context, m *model, r *Row) (answer, error) {
	switch r.Engine {
	case PDR, Same:
		return pdr(ctx, m, r.Timeout, sweep(r))
	case Induct:
		return induct(ctx, m, r.Depth, r.Timeout)
	case Z3:
		return z3(ctx, m, r.Timeout)
	}
	return bmc(ctx, m, r.Depth, r.Timeout)
}

func abc(ctx context.Context, m *model, timeout int, script string) (string, error) {
	limit := time.Duration(timeout) * time.Second
	out, err := command(ctx, m.dir, limit, "yosys-abc", "-c", "read_aiger "+m.file+"; "+script)
	if err == nil && abcError.MatchString(out) {
		err = errors.New("abc reports an error")
	}
	if err != nil && !errors.Is(err, errTimeout) {
		err = fmt.Errorf("%w: abc in %s: %w\n%s", ErrProof, m.dir, err, tail(out))
	}
	return out, err
}

// sweep reports whether abc is to look for registers that are the same first. In a miter most registers are free
// inputs, which cost much there, and those with conditions need more than it finds.
func sweep(r *Row) bool {
	return r.Engine != Same || len(r.Keep)+len(r.State)+len(r.Late) > 0 && len(r.When)+len(r.Lemma) == 0
}

// judged returns the answer of abc, whose output says one of two things.
func judged(m *model, out string, err error, proved, failed bool) (answer, error) {
	switch {
	case errors.Is(err, errTimeout):
		return unknown, nil
	case err != nil:
		return unknown, err
	case proved && !failed:
		return holds, nil
	case failed && !proved:
		return fails, nil
	}
	return unknown, fmt.Errorf("%w: abc in %s gives no answer\n%s", ErrProof, m.dir, tail(out))
}

// pdr asks for a proof for all time.
func pdr(ctx context.Context, m *model, timeout int, sweep bool) (answer, error) {
	script := "fold; orpos; strash; pdr"
	if sweep {
		script = "fold; orpos; strash; scorr -F 6; pdr"
	}
	out, err := abc(ctx, m, timeout, script)
	return judged(m, out, err, abcProved.MatchString(out), abcFailed.MatchString(out))
}

// bmc looks at the first cycles from every initial state.
func bmc(ctx context.Context, m *model, depth, timeout int) (answer, error) {
	out, err := abc(ctx, m, timeout, fmt.Sprintf("fold; orpos; strash; bmc3 -F %d", depth))
	frames := abcFrames.FindStringSubmatch(out)
	got, err := judged(m, out, err, frames != nil, abcFailed.MatchString(out))
	if got == holds {
		if n, _ := strconv.Atoi(frames[1]); n < depth {
			got = unknown
		}
	}
	return got, err
}

// induct asks for both halves of an induction: the first cycles from every initial state, and the cycle after as many
// in which the property holds. abc ind proves only the second.
func induct(ctx context.Context, m *model, depth, timeout int) (answer, error) {
	base, err := bmc(ctx, m, depth+1, timeout)
	if err != nil || base != holds {
		return base, err
	}
	out, err := abc(ctx, m, timeout, fmt.Sprintf("fold; orpos; strash; ind -F %d", depth+1))
	switch {
	case err != nil && !errors.Is(err, errTimeout):
		return unknown, err
	case err == nil && strings.Contains(out, "Networks are equivalent.") && !strings.Contains(out, "UNDECIDED"):
		return holds, nil
	}
	return unknown, nil // such a state need not be reachable
}

// z3 asks about one cycle: from every initial state, and after any cycle in which the property holds.
func z3(ctx context.Context, m *model, timeout int) (answer, error) {
	base, err := smt(ctx, m, timeout, "--presat", "-t", "2")
	if err != nil || base != holds {
		return base, err
	}
	step, err := smt(ctx, m, timeout, "-i", "-t", "1")
	if step == fails {
		step = unknown // such a state need not be reachable
	}
	return step, err
}

func smt(ctx context.Context, m *model, timeout int, args ...string) (answer, error) {
	args = append([]string{"-s", "z3", "--noprogress"}, append(args, m.file)...)
	out, err := command(ctx, m.dir, time.Duration(timeout)*time.Second, "yosys-smtbmc", args...)
	passed, failed := strings.Contains(out, "Status: PASSED"), strings.Contains(out, "Status: FAILED")
	switch {
	case errors.Is(err, errTimeout):
		return unknown, nil
	case strings.Contains(out, "PREUNSAT"):
		return unknown, fmt.Errorf("%w: %s: the assumptions contradict one another", ErrProof, m.dir)
	case err == nil && passed && !failed:
		return holds, nil
	case failed && !passed:
		return fails, nil
	}
	return unknown, fmt.Errorf("%w: yosys-smtbmc in %s gives no answer (%v)\n%s", ErrProof, m.dir, err, tail(out))
}

// reached returns how many of the asserted outputs of a model can be asserted within a depth, one by one:
// abc 0.23 crashes when it is asked for all.
func reached(ctx context.Context, m *model, depth, timeout int) (int, error) {
	seen := 0
	for i := range m.asserts {
		script := fmt.Sprintf("fold; cone -s -O %d; strash; bmc3 -F %d", i, depth)
		out, err := abc(ctx, m, timeout, script)
		if err != nil && !errors.Is(err, errTimeout) {
			return 0, err
		}
		if abcFailed.MatchString(out) {
			seen++
		}
	}
	return seen, nil
}

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
