package fourstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/cosim/audit/fault"
)

// ErrFourState is wrapped by errors of the harness: nothing is known about the RTL.
var ErrFourState = errors.New("four states")

// Bench is one bench to play: a stimulus of a size. If it does not show that a reset is missing, the next bench is
// played.
type Bench struct {
	Source string   `yaml:"source"`
	Events int      `yaml:"events"` // 0: of a source of a fixed length
	Seed   int      `yaml:"seed"`   // 0 stands for 3
	Params []string `yaml:"params"`
	// Cases and Without are expressions. Only episodes whose names match the first and not the second are played.
	Cases   string `yaml:"cases"`
	Without string `yaml:"without"`
}

// Benches returns the benches of each block, from hdl/prove/fourstate.yaml.
func Benches(root string) (map[string][]Bench, error) {
	text, err := os.ReadFile(filepath.Join(root, "hdl", "prove", "fourstate.yaml"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFourState, err)
	}
	var out map[string][]Bench
	if err := fault.Strict(text, &out); err != nil {
		return nil, fmt.Errorf("%w: fourstate.yaml: %w", ErrFourState, err)
	}
	return out, nil
}

// Verdict is the outcome for one dropped reset.
type Verdict struct {
	Block  string `json:"block"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Bench is the number, from 1, of the bench that failed without the reset; 0 if none did.
	Bench int `json:"bench"`
	// Seen is the first line that the bench printed about it.
	Seen string `json:"seen,omitempty"`
	// Why is the argument in survivors.yaml that nothing can show it; empty if there is none.
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
	// Done is called after each play with the number of the bench, from any goroutine; it may be nil.
	Done func(bench int, v Verdict)
}

// Run drops each reset of a block and plays its benches until one fails. One copy of the RTL holds all drops, and a
// number selects one of them, so each bench is compiled once. Run returns an error if the RTL itself or the copy with
// no drop selected fails, if a tool fails, and if there is no reset to drop.
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
	book, err := fault.LoadSurvivors(s.Block)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(s.Work); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFourState, err)
	}
	out := make([]Verdict, len(drops))
	for k, f := range drops {
		out[k] = Verdict{Block: s.Block, File: f.File, Line: f.Line, Before: f.Before, After: f.After,
			Why: book.Why(f)}
	}
	woven := filepath.Join(s.Work, "rtl")
	if err := d.PlantIcarus(drops, woven); err != nil {
		return nil, err
	}
	for i, b := range s.Benches {
		if err := s.all(ctx, i, b, woven, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// all plays bench i on every dropped reset with which all benches before it passed.
func (s Spec) all(ctx context.Context, i int, b Bench, woven string, out []Verdict) error {
	p := player{root: s.Root, block: s.Block, dir: filepath.Join(s.Work, fmt.Sprint("bench", i))}
	if !slices.ContainsFunc(out, func(v Verdict) bool { return v.Bench == 0 }) {
		return nil
	}
	if err := p.export(ctx, s.Goldwire, b); err != nil {
		return err
	}
	if err := p.compile(ctx, woven, "woven.vvp", filepath.Join(woven, fault.IcarusTop+".sv")); err != nil {
		return err
	}
	// The copy must pass with a number that selects no fault. Otherwise every fault would seem to be seen.
	sound := [][]string{{"woven.vvp", selects(len(out) + 1)}}
	if i == 0 {
		if err := p.compile(ctx, filepath.Join(s.Root, "hdl", "rtl"), "plain.vvp"); err != nil {
			return err
		}
		sound = append(sound, []string{"plain.vvp"}, []string{"woven.vvp", selects(0)})
	}
	for _, args := range sound {
		seen, err := p.play(ctx, args...)
		if err != nil {
			return err
		}
		if seen != "" {
			return fmt.Errorf("%w: block %s, bench %d, %s: the RTL itself does not pass: %s", ErrFourState, s.Block, i+1,
				strings.Join(args, " "), seen)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, s.Jobs))
	for k := range out {
		v := &out[k]
		if v.Bench > 0 {
			continue
		}
		g.Go(func() error {
			seen, err := p.play(ctx, "woven.vvp", selects(k+1))
			if err != nil {
				return fmt.Errorf("%s:%d: %w", v.File, v.Line, err)
			}
			if seen != "" {
				v.Bench, v.Seen = i+1, seen
			}
			if s.Done != nil {
				s.Done(i+1, *v)
			}
			return nil
		})
	}
	return g.Wait()
}
