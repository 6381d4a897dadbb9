package affected

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
)

// Result is what has not changed since a revision.
type Result struct {
	Commit string // that the revision names
	// Inputs are the fingerprints of the runs that no change affects, by name. All other runs must be run.
	Inputs map[string]string
}

// Unchanged returns the runs that no difference between a revision and the working tree of the repository under root
// can affect. If it errors, nothing is known to be unchanged, and everything must be run.
func Unchanged(ctx context.Context, root, rev string, runs []plan.Run) (*Result, error) {
	g := &repo{root: root}
	commit, err := g.commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	then, err := g.read(ctx, commit, &tree{})
	if err != nil {
		return nil, err
	}
	now, err := g.worktree(ctx, then)
	if err != nil {
		return nil, err
	}
	var sides [2]*index
	for i, t := range []*tree{then, now} {
		if sides[i], err = newIndex(t); err != nil {
			return nil, err
		}
	}
	out := &Result{Commit: commit, Inputs: map[string]string{}}
	known := map[string][2]string{}
	for i := range runs {
		run := &runs[i]
		named, ok := sides[1].named(root, run)
		if !ok {
			continue
		}
		key := run.Block + "\x00" + strings.Join(named, "\x00")
		if !sides[0].alone(run) || !sides[1].alone(run) {
			key = "\x00" + strings.Join(named, "\x00")
		}
		sums, done := known[key]
		for s, x := range sides {
			if done {
				break
			}
			files := x.all()
			if key[0] != 0 {
				files = x.of(run.Block)
			}
			sums[s] = x.fingerprint(append(files, named...))
		}
		known[key] = sums
		if sums[0] == sums[1] {
			out.Inputs[run.ID] = sums[1]
		}
	}
	return out, nil
}

// alone reports whether a run is a co-simulation of our design of one block.
func (x *index) alone(run *plan.Run) bool {
	return run.Cosim() && slices.Contains(x.blocks, run.Block) && !slices.ContainsFunc(run.Args, func(a string) bool {
		return a == "--dut" || a == "--rtl" || strings.HasPrefix(a, "--dut=") || strings.HasPrefix(a, "--rtl=")
	})
}

// named returns the files of the tree that the words of a command line name. It returns false if one names a folder, or
// a file that is not in the tree.
func (x *index) named(root string, run *plan.Run) (out []string, ok bool) {
	for i, arg := range run.Args {
		if i == 0 {
			continue // the command, such as vectors, which is also a folder
		}
		words := []string{arg}
		if _, value, given := strings.Cut(arg, "="); given {
			words = append(words, value)
		}
		for _, w := range words {
			if w == "" || w == plan.JSON {
				continue
			}
			path := w
			if !filepath.IsAbs(w) {
				path = filepath.Join(root, w)
			}
			if _, err := os.Stat(path); err != nil {
				continue // not a file
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return nil, false
			}
			rel = filepath.ToSlash(rel)
			if _, have := x.files[rel]; have {
				out = append(out, rel)
				continue
			}
			return nil, false
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}
