package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/goldwire/goldwire/cosim/diff"
	"github.com/goldwire/goldwire/cosim/diff/baseline"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
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
	Log    func(format string, args ...any)
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
	name  string // A or B
	arg   string
	table *formats.Table // of a table
	file  *baseline.File // of a baseline
}

// Run compares two sides. It errors when they cannot be compared or there was nothing to compare; errors about an
// argument name it.
func Run(ctx context.Context, spec *Spec) (*Result, error) {
	a, err := open("A", spec.A)
	if err != nil {
		return nil, err
	}
	b, err := open("B", spec.B)
	if err != nil {
		return nil, err
	}
	stored := a.file
	if stored == nil {
		stored = b.file
	}
	if stored != nil && len(spec.Own) > 0 {
		return nil, fmt.Errorf("%s: a baseline brings its stimulus; leave the flag out", strings.Join(spec.Own, ", "))
	}
	if a.file == nil || b.file == nil { // two files need not be of this tree
		for _, s := range []*side{a, b} {
			if s.file == nil {
				continue
			}
			if err := s.file.Fits(diff.Now()); err != nil {
				return nil, s.blame(err)
			}
		}
	}
	for _, s := range []*side{a, b} {
		if err := s.play(ctx, spec, stored); err != nil {
			return nil, s.blame(err)
		}
	}
	rep, err := baseline.Compare(a.file, b.file, baseline.Options{Bounds: spec.Bounds})
	if err != nil {
		return nil, fmt.Errorf("A %s, B %s: %w", a.arg, b.arg, err)
	}
	return &Result{A: spec.A, B: spec.B, Stimulus: a.file.Stimulus, Report: rep, file: a.file}, nil
}

// blame names the side; what is found of fixed point against the model needs no name.
func (s *side) blame(err error) error {
	if errors.Is(err, diff.ErrParted) {
		return err
	}
	return fmt.Errorf("%s: %w", s.arg, err)
}

// open reads what an argument names.
func open(name, arg string) (*side, error) {
	s := &side{name: name, arg: arg}
	switch {
	case arg == Contract:
		s.table = ccc.Formats()
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
		s.file = f
		return s, err
	}
	return nil, fmt.Errorf("side %q: give contract, a table of formats (FILE.yaml) or a baseline (FILE.json)", arg)
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

// play fills in the file of a side that has none.
func (s *side) play(ctx context.Context, spec *Spec, stored *baseline.File) (err error) {
	switch {
	case s.file != nil:
	case stored != nil:
		s.file, err = diff.Again(ctx, stored, s.table)
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
