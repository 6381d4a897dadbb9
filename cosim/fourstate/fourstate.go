package fourstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/fault"
)

// ErrFourState is wrapped by errors of the harness: nothing is known about the RTL.
var ErrFourState = errors.New("four states")

// Bench is what is played: a stimulus of a size. A reset that the first bench does not miss is played on the next.
type Bench struct {
	Source string   `yaml:"source"`
	Events int      `yaml:"events"`
	Params []string `yaml:"params"`
}

// Benches returns what is played on each block, from hdl/prove/fourstate.yaml.
func Benches(root string) (map[string][]Bench, error) {
	text, err := os.ReadFile(filepath.Join(root, "hdl", "prove", "fourstate.yaml"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFourState, err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	var out map[string][]Bench
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("%w: fourstate.yaml: %w", ErrFourState, err)
	}
	return out, nil
}

// Verdict is what became of one dropped reset.
type Verdict struct {
	Block  string `json:"block"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Bench is the number, from 1, of the bench that missed the reset; 0 if none did.
	Bench int `json:"bench"`
	// Seen is the first line of the bench about it.
	Seen string `json:"seen,omitempty"`
	// Why is the argument of survivors.yaml why nothing can see it, if it has one.
	Why string `json:"why,omitempty"`
}

// Spec configures a campaign on one block.
type Spec struct {
	Root     string
	Block    string
	Benches  []Bench
	Goldwire string // the command, which makes the benches
	Work     string // folder for benches and copies; made anew
	Jobs     int
	Match    *regexp.Regexp // drops only resets whose file matches; nil: all
	Done     func(Verdict)  // called from any goroutine; may be nil
}

// Run drops each reset of a block and plays its benches until one fails. It returns an error when the RTL itself does
// not pass, when a tool fails, and when there is no reset to drop.
func Run(ctx context.Context, s Spec) ([]Verdict, error) {
	for _, tool := range []string{"iverilog", "vvp"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%w: %s is not installed; run: make tools", ErrFourState, tool)
		}
	}
	d, err := fault.Load(s.Root, s.Block)
	if err != nil {
		return nil, err
	}
	var drops []*fault.Fault
	for _, f := range d.Resets() {
		if s.Match == nil || s.Match.MatchString(f.File) {
			drops = append(drops, f)
		}
	}
	if len(drops) == 0 || len(s.Benches) == 0 {
		return nil, fmt.Errorf("%w: block %s: no reset to drop, or no bench", ErrFourState, s.Block)
	}
	arguments, err := fault.Arguments()
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(s.Work); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFourState, err)
	}
	for i := range s.Benches {
		if err := s.export(ctx, i); err != nil {
			return nil, err
		}
		seen, err := s.play(ctx, i, filepath.Join(s.Root, "hdl", "rtl"), filepath.Join(s.Work, fmt.Sprint("sound", i)))
		if err != nil {
			return nil, err
		}
		if seen != "" {
			return nil, fmt.Errorf("%w: block %s: the RTL itself does not pass: %s", ErrFourState, s.Block, seen)
		}
	}
	out := make([]Verdict, len(drops))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, s.Jobs))
	for k, f := range drops {
		g.Go(func() error {
			v := Verdict{Block: s.Block, File: f.File, Line: f.Line, Before: f.Before, After: f.After}
			for _, a := range arguments {
				if a.Block == s.Block && a.File == f.File && a.Before == f.Before && a.After == f.After {
					v.Why = a.Why
				}
			}
			dir := filepath.Join(s.Work, fmt.Sprint("drop", k+1))
			rtl := filepath.Join(dir, "rtl")
			if err := d.Plant(f, rtl); err != nil {
				return err
			}
			for i := range s.Benches {
				seen, err := s.play(ctx, i, rtl, dir)
				if err != nil {
					return fmt.Errorf("%s:%d: %w", f.File, f.Line, err)
				}
				if seen != "" {
					v.Bench, v.Seen = i+1, seen
					break
				}
			}
			out[k] = v
			if s.Done != nil {
				s.Done(v)
			}
			return os.RemoveAll(dir)
		})
	}
	return out, g.Wait()
}

func (s Spec) bench(i int) string { return filepath.Join(s.Work, fmt.Sprint("bench", i)) }

// export makes bench i.
func (s Spec) export(ctx context.Context, i int) error {
	b, dir := s.Benches[i], s.bench(i)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrFourState, err)
	}
	file := filepath.Join(dir, "all.gwv")
	args := []string{"vectors", "gen", "--block", s.Block, "--per", "cycle", "--source", b.Source, "--seed", "3",
		"-o", file}
	if b.Events > 0 {
		args = append(args, "--events", fmt.Sprint(b.Events))
	}
	for _, p := range b.Params {
		args = append(args, "--param", p)
	}
	for _, args := range [][]string{args, {"vectors", "export", "--to", "sv", file, "-o", dir}} {
		if out, err := command(ctx, s.Root, s.Goldwire, args...); err != nil {
			return fmt.Errorf("%w: goldwire %s: %w\n%s", ErrFourState, strings.Join(args, " "), err, out)
		}
	}
	return nil
}

var failLine = regexp.MustCompile(`(?m)^FAIL (.*)\n(?:  (.*))?`)

// play compiles bench i with the RTL and runs it. It returns what the bench saw, empty when it passed.
func (s Spec) play(ctx context.Context, i int, rtl, work string) (string, error) {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", fmt.Errorf("%w: %w", ErrFourState, err)
	}
	read, err := launch.ReadRTL(rtl)
	if err != nil {
		return "", err
	}
	top, dir := s.Block+"_vec_tb", s.bench(i)
	vvp := filepath.Join(work, "bench.vvp")
	args := []string{"-g2012", "-s", top, "-o", vvp, "-Y", ".sv"}
	for _, folder := range read.Folders {
		args = append(args, "-y", filepath.Join(rtl, folder))
	}
	for _, kind := range []string{"types", "pkg"} {
		all, err := filepath.Glob(filepath.Join(s.Root, "hdl", "gen", "*_"+kind+".sv"))
		if err != nil || len(all) == 0 {
			return "", fmt.Errorf("%w: no *_%s.sv in hdl/gen", ErrFourState, kind)
		}
		args = append(args, all...)
	}
	args = append(args, filepath.Join(s.Root, "hdl", "gen", s.Block+"_top.sv"))
	for _, part := range []string{"pkg", "dut", "tb"} {
		args = append(args, s.Block+"_vec_"+part+".sv")
	}
	if out, err := command(ctx, dir, "iverilog", args...); err != nil {
		return "", fmt.Errorf("%w: iverilog: %w\n%s", ErrFourState, err, out)
	}
	out, err := command(ctx, dir, "vvp", "-N", vvp)
	fail := failLine.FindStringSubmatch(out)
	switch {
	case err == nil && fail == nil && strings.Contains(out, "PASS "+top+": "):
		return "", nil
	case err != nil && fail != nil && !strings.Contains(out, "PASS"):
		return strings.TrimSpace(fail[1] + ": " + fail[2]), nil
	}
	return "", fmt.Errorf("%w: %s gives no verdict (%v): %s", ErrFourState, top, err, out)
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
