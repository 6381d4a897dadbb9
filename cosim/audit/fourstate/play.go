package fourstate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/audit/fault"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// player plays one exported bench of a block.
type player struct {
	root, block string
	dir         string // of the bench
}

func (p player) export(ctx context.Context, goldwire string, b Bench) error {
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrFourState, err)
	}
	file := filepath.Join(p.dir, "all.gwv")
	args := []string{"vectors", "gen", "--block", p.block, "--per", "cycle", "--source", b.Source, "--seed",
		fmt.Sprint(cmp.Or(b.Seed, 3)), "-o", file}
	if b.Events > 0 {
		args = append(args, "--events", fmt.Sprint(b.Events))
	}
	for _, param := range b.Params {
		args = append(args, "--param", param)
	}
	if err := p.goldwire(ctx, goldwire, args...); err != nil {
		return err
	}
	if b.Cases != "" {
		whole := file
		file = filepath.Join(p.dir, "cases.gwv")
		if err := keep(whole, file, b.Cases, cmp.Or(b.Without, "^$")); err != nil {
			return fmt.Errorf("%w: %s: cases %s without %s: %w", ErrFourState, whole, b.Cases, b.Without, err)
		}
	}
	return p.goldwire(ctx, goldwire, "vectors", "export", "--to", "sv", file, "-o", p.dir)
}

func (p player) goldwire(ctx context.Context, program string, args ...string) error {
	out, err := command(ctx, p.root, program, args...)
	if err != nil {
		return fmt.Errorf("%w: goldwire %s: %w\n%s", ErrFourState, strings.Join(args, " "), err, out)
	}
	return nil
}

// keep copies to another file the episodes of a vector file whose names match one expression but not the other. It
// returns an error if none is left.
func keep(from, to, cases, without string) error {
	want, err := regexp.Compile(cases)
	if err != nil {
		return err
	}
	not, err := regexp.Compile(without)
	if err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := format.NewReader(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := format.NewWriter(out, *r.Header())
	if err != nil {
		return err
	}
	copying := false
	for rec, err := range r.All() {
		if err != nil {
			return err
		}
		if rec.Mark != nil {
			copying = want.MatchString(rec.Mark.Name) && !not.MatchString(rec.Mark.Name)
		}
		if copying {
			if err := tool.Copy(w, rec); err != nil {
				return err
			}
		}
	}
	total, err := w.Close()
	if err == nil && total.Records == 0 {
		err = errors.New("no episode has such a name")
	}
	return errors.Join(err, out.Close())
}

func (p player) top() string { return p.block + "_vec_tb" }

// compile compiles the bench with a folder of RTL and further files to a program in the folder of the bench.
func (p player) compile(ctx context.Context, rtl, program string, further ...string) error {
	read, err := launch.ReadRTL(rtl)
	if err != nil {
		return err
	}
	args := []string{"-g2012", "-s", p.top(), "-o", program, "-Y", ".sv"}
	for _, folder := range read.Folders {
		args = append(args, "-y", filepath.Join(rtl, folder))
	}
	for _, file := range further {
		args = append(args, "-s", strings.TrimSuffix(filepath.Base(file), ".sv"))
	}
	for _, kind := range []string{"types", "pkg"} {
		all, err := filepath.Glob(filepath.Join(p.root, "hdl", "gen", "*_"+kind+".sv"))
		if err != nil || len(all) == 0 {
			return fmt.Errorf("%w: no *_%s.sv in hdl/gen", ErrFourState, kind)
		}
		args = append(args, all...)
	}
	args = append(append(args, further...), filepath.Join(p.root, "hdl", "gen", p.block+"_top.sv"))
	for _, part := range []string{"pkg", "dut", "tb"} {
		args = append(args, p.block+"_vec_"+part+".sv")
	}
	if out, err := command(ctx, p.dir, "iverilog", args...); err != nil {
		return fmt.Errorf("%w: iverilog: %w\n%s", ErrFourState, err, out)
	}
	return nil
}

// selects returns the argument that selects a fault by its number, from 1; 0 selects none.
func selects(number int) string { return fmt.Sprintf("+%s=%d", fault.PlusArg, number) }

var failLine = regexp.MustCompile(`(?m)^FAIL (.*)\n(?:  (.*))?`)

// play runs a compiled bench with arguments. It returns what the bench saw, empty when it passed.
func (p player) play(ctx context.Context, args ...string) (string, error) {
	out, err := command(ctx, p.dir, "vvp", append([]string{"-N"}, args...)...)
	return p.verdict(out, err != nil)
}

// verdict returns the difference that a bench printed, empty if it passed. It returns an error for a bench that failed
// for another reason, such as missing files, because it has not compared anything.
func (p player) verdict(out string, failed bool) (string, error) {
	fail := failLine.FindStringSubmatch(out)
	switch {
	case !failed && fail == nil && strings.Contains(out, "PASS "+p.top()+": "):
		return "", nil
	case failed && fail != nil && strings.HasPrefix(fail[1], p.top()+": cycle ") && fail[2] != "" &&
		!strings.Contains(out, "PASS"):
		return strings.TrimSpace(fail[1] + ": " + fail[2]), nil
	}
	return "", fmt.Errorf("%w: %s gives no verdict: %s", ErrFourState, p.top(), out)
}

// command runs a tool in dir for at most ten minutes.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %s does not end", ErrFourState, name)
	}
	return string(out), err
}
