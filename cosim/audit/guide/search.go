package guide

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// ErrGuide is wrapped by the errors of a search that cannot begin, or that found nothing.
var ErrGuide = errors.New("guide")

// Spec is a search.
type Spec struct {
	Block  string
	Params map[string]int // those left out have the default of the schema
	Seed   uint64
	Events uint64 // to play on the model
	Keep   int    // events of the corpus at most

	// Progress is called from time to time with the number of events played; it may be nil.
	Progress func(done, total uint64)
}

// Validate returns an error for a search that could find nothing.
func (s *Spec) Validate() error {
	switch {
	case s.Events == 0:
		return fmt.Errorf("%w: 0 events to play: nothing could be found; give 1 or more", ErrGuide)
	case s.Keep < 1:
		return fmt.Errorf("%w: a corpus of %d events would compare nothing; keep 1 or more", ErrGuide, s.Keep)
	}
	kind, err := block.Lookup(s.Block)
	if err != nil {
		return err
	}
	if _, err := kind.Schema.Values(s.Params); err != nil {
		return fmt.Errorf("%w: %w", ErrGuide, err)
	}
	return hooks(kind)
}

// tried is a case of the pool.
type tried struct {
	corpus.Case
	bins   []bin
	events int
}

// search is a search in progress.
type search struct {
	Spec
	*stage
	mutator *mutator
	pool    []tried
	count   []uint16 // by bin: cases of the pool that hit it
	played  uint64
	born    int // cases tried
}

// Search returns a corpus for a block: the same for the same Spec.
func Search(ctx context.Context, spec Spec) (*corpus.Corpus, error) {
	s, err := begin(spec)
	if err != nil {
		return nil, err
	}
	if err := s.draw(ctx); err != nil {
		return nil, err
	}
	if err := s.breed(ctx); err != nil {
		return nil, err
	}
	out := &corpus.Corpus{Block: spec.Block, Schema: s.kind.Schema.Hash(), Params: s.params}
	for _, i := range choose(s.pool, spec.Keep) {
		out.Cases = append(out.Cases, s.pool[i].Case)
	}
	if len(out.Cases) == 0 {
		return nil, fmt.Errorf("%w: no case of block %s has at most %d events; keep more", ErrGuide, spec.Block, spec.Keep)
	}
	return out, nil
}

func begin(spec Spec) (*search, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	kind, err := block.Lookup(spec.Block)
	if err != nil {
		return nil, err
	}
	s := &search{Spec: spec, count: make([]uint16, 1<<binBits)}
	params, err := kind.Schema.Values(spec.Params)
	if err != nil {
		return nil, err
	}
	if s.stage, err = newStage(kind, params); err != nil {
		return nil, err
	}
	s.mutator, err = newMutator(kind.Schema, s.lay, params, spec.Seed)
	return s, err
}

// hooks returns an error for a block that lacks what a search builds on.
func hooks(kind *block.Block) error {
	missing := ""
	switch {
	case kind.NewModel == nil:
		missing = "a model, on which cases are tried"
	case kind.Coverage.Watcher == nil || kind.Coverage.Schema == nil:
		missing = "coverage, towards which cases are changed"
	case kind.Stimulus == nil || !slices.Contains(kind.Stimulus.Names(), "random"):
		missing = "random events, from which the first cases are cut"
	default:
		return nil
	}
	return fmt.Errorf("%w: block %s lacks %s; name one in its row of cosim/block", ErrGuide, kind.Name(), missing)
}

// draw plays random episodes for a third of the events and takes windows of them into the pool.
func (s *search) draw(ctx context.Context) error {
	src, err := s.kind.Stimulus.Open("random", stim.Options{Seed: s.Seed, Params: s.params})
	if err != nil {
		return err
	}
	defer src.Close()
	for s.played < s.Events/3+1 {
		ep, ok := src.Next()
		if !ok {
			return src.Err()
		}
		rec := play.NewRecording(ep)
		_, _, err := s.play(ctx, ep)
		if err != nil {
			return fmt.Errorf("%w: block %s, %s: %w", ErrGuide, s.Block, rec.Name, err)
		}
		whole := corpus.Case{Seed: rec.Seed, Drive: rec.Drive, Items: rec.Items}
		s.played += uint64(whole.Events())
		for range 12 {
			if err := s.try(ctx, s.mutator.window(&whole)); err != nil {
				return err
			}
		}
	}
	return nil
}

// breed changes cases of the pool until the events are used up.
func (s *search) breed(ctx context.Context) error {
	r := &s.mutator.r
	if len(s.pool) == 0 {
		return fmt.Errorf("%w: no random event of block %s could be played in %d events; give more", ErrGuide, s.Block,
			s.Events)
	}
	for s.played < s.Events {
		a, b := &s.pool[r.N(len(s.pool))], &s.pool[r.N(len(s.pool))]
		// The later of two has the rarer bins: what is common was found first.
		if c := &s.pool[r.N(len(s.pool))]; s.rarity(c) > s.rarity(a) {
			a = c
		}
		if err := s.try(ctx, s.mutator.mutate(&a.Case, &b.Case)); err != nil {
			return err
		}
	}
	return nil
}

// rarity is high for a short case with bins that few others hit.
func (s *search) rarity(x *tried) float64 {
	sum := 0.0
	for _, b := range x.bins {
		if n := s.count[b]; n < 4 {
			sum += 1 / float64(n+1)
		}
	}
	return sum / float64(x.events+20)
}

// try plays a case and adds it to the pool if one of its bins is in too few cases so far.
func (s *search) try(ctx context.Context, c corpus.Case) error {
	s.born++
	c.Name = fmt.Sprintf("%s/%d", corpus.SourceName, s.born)
	events := c.Events()
	s.played += uint64(events)
	seen, _, err := s.play(ctx, c.Episode(s.Block))
	var model *play.ModelError
	switch {
	case errors.As(err, &model), errors.Is(err, errLong):
		return nil
	case err != nil:
		return err
	}
	adds := false
	for _, b := range seen {
		adds = adds || s.count[b] < depth
	}
	if !adds {
		return nil
	}
	for _, b := range seen {
		if s.count[b] < 1<<16-1 {
			s.count[b]++
		}
	}
	bins := slices.Clone(seen)
	slices.Sort(bins) // the model tells its rules in any order
	s.pool = append(s.pool, tried{c, bins, events})
	if s.Progress != nil {
		s.Progress(min(s.played, s.Events), s.Events)
	}
	return nil
}

// Save writes a corpus to a folder, which it makes if needed, and reads it back to check that nothing was lost.
func Save(dir string, c *corpus.Corpus) error {
	kind, err := block.Lookup(c.Block)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrGuide, err)
	}
	path := filepath.Join(dir, corpus.File)
	if err := report.WriteFile(path, func(w io.Writer) error { return c.Write(w, kind.Schema) }); err != nil {
		return fmt.Errorf("%w: %w", ErrGuide, err)
	}
	_, err = corpus.Read(dir, kind.Schema)
	return err
}
