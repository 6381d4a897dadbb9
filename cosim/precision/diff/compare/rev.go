package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	rev "github.com/goldwire/goldwire/cosim/device/revision"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/vectors/tool"
)

// revPrefix begins a side that is a revision of the tree.
const revPrefix = "rev:"

// revision is goldwire as it was built from another commit.
type revision struct {
	name, commit, program string
}

// build builds goldwire of a revision in a work tree under build/, once for each commit.
func build(ctx context.Context, root, name string) (r *revision, err error) {
	r = &revision{name: name}
	if r.commit, err = rev.Resolve(ctx, root, name); err != nil {
		return nil, err
	}
	dir := filepath.Join(root, "build", "rev", r.commit)
	r.program = filepath.Join(dir, "goldwire")
	if _, err := os.Stat(r.program); err == nil {
		return r, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	built := filepath.Join(temp, "goldwire")
	tree, err := rev.Add(ctx, root, filepath.Join(temp, "tree"), r.commit)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, tree.Remove(ctx)) }()
	if err := tree.Build(ctx, built); err != nil {
		return nil, fmt.Errorf("revision %s: it does not build: %w", name, err)
	}
	return r, os.Rename(built, r.program)
}

// flags are those of one stimulus, which diff save and vectors gen share.
func flags(s *baseline.Stimulus) []string {
	out := []string{"--source", s.Source, "--seed", strconv.FormatUint(s.Seed, 10),
		"--events", strconv.FormatUint(s.Events, 10),
		"--tick", fmt.Sprintf("%dns", max(s.TickNs, 1))}
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		out = append(out, "--param", fmt.Sprintf("%s=%d", name, s.Params[name]))
	}
	return out
}

// play lets the revision answer stimulus: by its diff save, or where it has none by its model, of which only outputs
// and decisions are known. Its files are in dir.
func (r *revision) play(ctx context.Context, dir string, all []baseline.Stimulus) (f *baseline.File,
	vectors []tool.File, err error) {
	help, err := rev.Output(ctx, dir, r.program, "diff", "--help")
	saves := err == nil && strings.Contains(help, "\n  save ")
	for i := range all {
		if saves {
			path := filepath.Join(dir, fmt.Sprintf("%d.json", i))
			args := append([]string{"diff", "save", "-o", path}, flags(&all[i])...)
			if _, err := rev.Output(ctx, dir, r.program, args...); err != nil {
				return nil, nil, fmt.Errorf("revision %s: %w", r.name, err)
			}
			g, err := Read(path)
			if err != nil {
				return nil, nil, fmt.Errorf("revision %s: %w", r.name, err)
			}
			if f == nil {
				f = g
				continue
			}
			f.Stimulus, f.Lines = append(f.Stimulus, g.Stimulus...), append(f.Lines, g.Lines...)
			continue
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.gwv", i))
		args := []string{"vectors", "gen", "--block", diff.Block(), "--per", "transaction", "-o", path}
		args = append(args, flags(&all[i])...)
		if _, err := rev.Output(ctx, dir, r.program, args...); err != nil {
			return nil, nil, fmt.Errorf("revision %s: it has no goldwire diff save, and its model does not answer: %w",
				r.name, err)
		}
		vectors = append(vectors, tool.Named(ctx, path, nil))
	}
	if f != nil {
		f.Sort()
	}
	return f, vectors, nil
}
