package prove

import (
	"bytes"
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

// settled is the file with what abc has made of a model before it is asked.
const settled = "settled.aig"

// abc prepares the one output of a model, then asks about it. A preparation after which the output is a constant is the
// answer: what abc says of a constant differs between its versions, from a proof over no answer to an error.
func abc(ctx context.Context, m *model, timeout int, prepare, question string) (out string, got answer, err error) {
	limit := time.Duration(timeout) * time.Second
	at := filepath.Join(m.dir, settled)
	if err := os.RemoveAll(at); err != nil {
		return "", unknown, harness(err)
	}
	out, err = command(ctx, m.dir, limit, "yosys-abc", "-c", "read_aiger "+m.file+"; "+prepare+"; write_aiger "+settled+
		"; "+question)
	if text, err := os.ReadFile(at); err == nil {
		if got := constant(text); got != unknown {
			return out, got, nil
		}
	}
	if err == nil && abcError.MatchString(out) {
		err = errors.New("abc reports an error")
	}
	if err != nil && !errors.Is(err, errTimeout) {
		err = fmt.Errorf("%w: abc in %s: %w\n%s", ErrProof, m.dir, err, tail(out))
	}
	return out, unknown, err
}

// constant returns whether the one output of a file in the binary form of AIGER, which is high when the property fails,
// is 0 or 1 whatever the inputs and registers are; unknown for any other file.
func constant(text []byte) answer {
	lines := strings.Split(string(text), "\n")
	head := strings.Fields(lines[0])
	if len(head) != 6 || head[0] != "aig" || head[4] != "1" { // with properties or constraints it has more numbers
		return unknown
	}
	registers, err := strconv.Atoi(head[3])
	if err != nil || registers < 0 || registers+1 >= len(lines) {
		return unknown
	}
	switch lines[1+registers] {
	case "0":
		return holds
	case "1":
		return fails
	}
	return unknown
}

// sweep reports whether abc is to look for registers that are the same first. In a miter most registers are free
// inputs, which cost much there, and those with conditions need more than it finds.
func sweep(r *Row) bool {
	return r.Engine != Same || len(r.Keep)+len(r.State)+len(r.Late) > 0 && len(r.When)+len(r.Lemma) == 0
}

// judged returns the answer of abc, whose output says one of two things unless the answer is known.
func judged(m *model, out string, got answer, err error, proved, failed bool) (answer, error) {
	switch {
	case got != unknown:
		return got, nil
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

// joined makes one output of a model: high when what is asserted fails while all that is assumed has held.
const joined = "fold; orpos; strash"

// pdr asks for a proof for all time.
func pdr(ctx context.Context, m *model, timeout int, sweep bool) (answer, error) {
	prepare := joined
	if sweep {
		prepare += "; scorr -F 6"
	}
	out, got, err := abc(ctx, m, timeout, prepare, "pdr")
	return judged(m, out, got, err, abcProved.MatchString(out), abcFailed.MatchString(out))
}

// bmc looks at the first cycles from every initial state.
func bmc(ctx context.Context, m *model, depth, timeout int) (answer, error) {
	out, known, err := abc(ctx, m, timeout, joined, fmt.Sprintf("bmc3 -F %d", depth))
	frames := abcFrames.FindStringSubmatch(out)
	got, err := judged(m, out, known, err, frames != nil, abcFailed.MatchString(out))
	if got == holds && known == unknown {
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
	out, got, err := abc(ctx, m, timeout, joined, fmt.Sprintf("ind -F %d", depth+1))
	switch {
	case got == holds:
		return holds, nil
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
	got, err := smtAnswer(out, err)
	if err != nil {
		err = fmt.Errorf("%w: yosys-smtbmc in %s: %w\n%s", ErrProof, m.dir, err, tail(out))
	}
	return got, err
}

// smtAnswer returns the answer in what yosys-smtbmc printed, which must be one of two.
func smtAnswer(out string, err error) (answer, error) {
	passed, failed := strings.Contains(out, "Status: PASSED"), strings.Contains(out, "Status: FAILED")
	switch {
	case errors.Is(err, errTimeout):
		return unknown, nil
	case strings.Contains(out, "PREUNSAT"):
		return unknown, errors.New("the assumptions contradict one another")
	case err == nil && passed && !failed:
		return holds, nil
	case failed && !passed:
		return fails, nil
	}
	return unknown, fmt.Errorf("no answer (%v)", err)
}

// reached returns how many of the asserted outputs of a model can be asserted within a depth, one by one:
// abc 0.23 crashes when it is asked for all.
func reached(ctx context.Context, m *model, depth, timeout int) (int, error) {
	text, err := os.ReadFile(filepath.Join(m.dir, m.file))
	if err != nil {
		return 0, harness(err)
	}
	seen := 0
	for i := range m.asserts {
		one := &model{dir: m.dir, file: "one.aig"}
		alone, err := only(text, i)
		if err == nil {
			_, err = write(m.dir, one.file, string(alone))
		}
		if err != nil {
			return 0, err
		}
		switch got, err := bmc(ctx, one, depth, timeout); {
		case err != nil:
			return 0, err
		case got == fails:
			seen++
		}
	}
	return seen, nil
}

// only returns a file in the binary form of AIGER with the asserted output i alone. abc has cone for this, of which
// versions differ.
func only(text []byte, i int) ([]byte, error) {
	bad := fmt.Errorf("%w: AIGER file without assertion %d: %.40q", ErrProof, i, text)
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	head := strings.Fields(string(line))
	if len(head) < 7 || head[0] != "aig" || head[4] != "0" {
		return nil, bad
	}
	registers, errL := strconv.Atoi(head[3])
	asserts, errB := strconv.Atoi(head[6])
	lines := bytes.SplitAfterN(rest, []byte("\n"), registers+asserts+1)
	if errL != nil || errB != nil || i >= asserts || len(lines) != registers+asserts+1 {
		return nil, bad
	}
	head[6] = "1"
	parts := append([][]byte{[]byte(strings.Join(head, " ") + "\n")}, lines[:registers]...)
	return bytes.Join(append(parts, lines[registers+i], lines[registers+asserts]), nil), nil
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
