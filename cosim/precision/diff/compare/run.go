package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	rev "github.com/goldwire/goldwire/cosim/device/revision"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Contract names the side that has the formats of the contract.
const Contract = "contract"

// Spec says what to compare.
type Spec struct {
	A, B     string
	Stimulus diff.TakeSpec // where no side brings its own; Table is not used
	// Own lists the flags of the stimulus that were given: a side that brings its own refuses them.
	Own    []string
	Bounds map[string]baseline.Bound
	Root   string // of the repository, for a revision
}

// Result is a comparison with the names of its sides.
type Result struct {
	A, B     string
	Stimulus []baseline.Stimulus
	*baseline.Report

	file *baseline.File // the side A
}

// side is what one argument names.
type side struct {
	arg     string
	table   *formats.Table // of a table
	rev     string         // of a revision
	file    *baseline.File // of a baseline; of the others once they have played
	plays   []diff.Played  // of vector files: their events
	strict  bool           // the file must be of this tree
	answers bool           // only outputs and decisions are known
}

// Pair is two sides that can be compared.
type Pair struct {
	spec  *Spec
	sides [2]*side
}

// Open reads both sides. It errors if one cannot be read, is the other one, or excludes a flag. It plays nothing.
func Open(ctx context.Context, spec *Spec) (*Pair, error) {
	var sides [2]*side
	for i, arg := range []string{spec.A, spec.B} {
		var err error
		if sides[i], err = open(ctx, arg); err != nil {
			return nil, err
		}
	}
	same := spec.A == spec.B || report.SameFile(spec.A, spec.B)
	if a, b := sides[0].rev, sides[1].rev; a != "" && b != "" && !same { // two names of a commit are one side
		var commits [2]string
		for i, name := range []string{a, b} {
			var err error
			if commits[i], err = rev.Resolve(ctx, spec.Root, name); err != nil {
				return nil, err
			}
		}
		same = commits[0] == commits[1]
	}
	if same {
		return nil, fmt.Errorf("sides %s and %s: they are one, so nothing would be compared; give two", spec.A, spec.B)
	}
	if stimulus := sides[0].file != nil || sides[1].file != nil; stimulus && len(spec.Own) > 0 {
		return nil, fmt.Errorf("%s: a baseline or vector file brings its stimulus; leave the flag out",
			strings.Join(spec.Own, ", "))
	}
	return &Pair{spec, sides}, nil
}

// Run opens two sides and compares them.
func Run(ctx context.Context, spec *Spec) (*Result, error) {
	p, err := Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx)
}

// Run compares the sides. It errors when they cannot be compared or there was nothing to compare; errors about an
// argument name it. It can be called once.
func (p *Pair) Run(ctx context.Context) (*Result, error) {
	spec, sides := p.spec, p.sides
	a, b := sides[0], sides[1]
	dir, err := scratch(spec.Root, a, b)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		defer os.RemoveAll(dir)
	}
	// Files first, then a revision: it may have nothing but vectors, whose events the others then play.
	for i, s := range sides {
		if s.file != nil && s.strict && sides[1-i].table != nil { // others need not be of this tree
			if err := s.file.Fits(diff.Now()); err != nil {
				return nil, s.blame(err)
			}
		}
		if s.rev != "" {
			if err := s.old(ctx, dir, spec, sides[1-i]); err != nil {
				return nil, s.blame(err)
			}
		}
	}
	for i, s := range sides {
		if s.table != nil {
			if err := s.play(ctx, spec, sides[1-i]); err != nil {
				return nil, s.blame(err)
			}
		}
	}
	o := baseline.Options{Bounds: spec.Bounds, Answers: a.answers || b.answers}
	if o.Answers && len(o.Bounds) > 0 {
		return nil, errors.New("--bound: of a vector file or of a model's answers no error against exact numbers is known; " +
			"leave the flag out")
	}
	rep, err := baseline.Compare(a.file, b.file, o)
	if err != nil {
		return nil, fmt.Errorf("A %s, B %s: %w", a.arg, b.arg, err)
	}
	if o.Answers {
		rep.Notes = append(rep.Notes, "only outputs and decisions are compared: of one side no values of the rules are known")
	}
	return &Result{A: spec.A, B: spec.B, Stimulus: a.file.Stimulus, Report: rep, file: a.file}, nil
}

// scratch returns a folder for the files of revisions, "" where there is none.
func scratch(root string, sides ...*side) (string, error) {
	for _, s := range sides {
		if s.rev == "" {
			continue
		}
		if root == "" {
			return "", fmt.Errorf("%s: no repository to take it from", s.arg)
		}
		dir := filepath.Join(root, "build", "rev")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", err
		}
		return os.MkdirTemp(dir, "play-")
	}
	return "", nil
}

// old lets a revision answer the stimulus of the other side or of the flags.
func (s *side) old(ctx context.Context, dir string, spec *Spec, other *side) error {
	r, err := build(ctx, spec.Root, s.rev)
	if err != nil {
		return err
	}
	if dir, err = os.MkdirTemp(dir, "side-"); err != nil {
		return err
	}
	var all []baseline.Stimulus
	switch {
	case other.plays != nil && other.rev == "":
		return errors.New("a revision cannot play a vector file; compare the file with contract, or give two revisions")
	case other.file != nil:
		all = other.file.Stimulus
	default:
		t := &spec.Stimulus
		if len(t.Sources) == 0 {
			return fmt.Errorf("%w: no source is given", baseline.ErrNothing)
		}
		for _, source := range t.Sources {
			all = append(all, baseline.Stimulus{Source: source, Seed: t.Seed, Events: uint64(t.Events),
				TickNs: t.TickNs, Params: t.Params})
		}
	}
	f, vectors, err := r.play(ctx, dir, all)
	if err != nil || f != nil {
		s.file = f
		return err
	}
	s.answers = true
	for i := range vectors {
		if err := s.add(&vectors[i], max(all[i].TickNs, 1)); err != nil {
			return err
		}
	}
	return nil
}

func (s *side) add(f *tool.File, tickNs int) error {
	file, play, err := diff.Answers(f)
	if err != nil {
		return err
	}
	file.Stimulus[0].TickNs, play.Options.TickNs = tickNs, tickNs
	s.plays = append(s.plays, *play)
	if s.file == nil {
		s.file = file
		return nil
	}
	s.file.Stimulus, s.file.Lines = append(s.file.Stimulus, file.Stimulus...), append(s.file.Lines, file.Lines...)
	s.file.Sort()
	return nil
}

// blame names the side; what is found of fixed point against the model needs no name.
func (s *side) blame(err error) error {
	if errors.Is(err, diff.ErrParted) {
		return err
	}
	return fmt.Errorf("%s: %w", s.arg, err)
}

func open(ctx context.Context, arg string) (*side, error) {
	s := &side{arg: arg}
	switch {
	case arg == Contract:
		s.table = ccc.Formats()
		return s, nil
	case strings.HasPrefix(arg, revPrefix) && arg != revPrefix:
		s.rev = strings.TrimPrefix(arg, revPrefix)
		return s, nil
	case strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml"):
		text, err := os.ReadFile(arg)
		if err != nil {
			return nil, fmt.Errorf("table of formats: %w", err)
		}
		s.table = ccc.Formats()
		if err := s.table.Overlay(text); err != nil {
			return nil, s.blame(err)
		}
		return s, nil
	case strings.HasSuffix(arg, ".json"):
		f, err := Read(arg)
		s.file, s.strict = f, true
		return s, err
	case strings.HasSuffix(arg, ".gwv"):
		s.answers = true
		f := tool.Named(ctx, arg, nil)
		return s, s.add(&f, 1)
	}
	return nil, fmt.Errorf("side %q: give contract, a table of formats (FILE.yaml), a baseline (FILE.json), "+
		"a vector file (FILE.gwv) or a revision (rev:NAME)", arg)
}

// Read returns the baseline in a file.
func Read(path string) (*baseline.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	f, err := baseline.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// play plays the stimulus of the other side, or that of the flags, on a table.
func (s *side) play(ctx context.Context, spec *Spec, other *side) (err error) {
	switch {
	case other.plays != nil:
		s.file, err = diff.TakeOf(ctx, other.plays, s.table)
	case other.file != nil && other.strict:
		s.file, err = diff.Again(ctx, other.file, s.table)
	default:
		take := spec.Stimulus
		take.Table = s.table
		s.file, err = diff.Take(ctx, take)
	}
	return err
}

// Accept returns the baseline A with the differences that were found as accepted ones, and how many they are.
func (r *Result) Accept(who, when, why string) (*baseline.File, int, error) {
	n, err := r.file.Accept(r.Report, who, when, why)
	return r.file, n, err
}
