package transport

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// Option changes how a run is made, not what it simulates. Package fabric has the constructors.
type Option func(*Options)

// ErrEndless is returned for a run that nothing would end.
var ErrEndless = errors.New("fabric run: rounds = 0 without an end: give max_time_ps or a tap that stops the run")

// Run simulates spec and returns its result; see fabric.Run.
func Run(ctx context.Context, spec settings.Spec, opts ...Option) (*result.Result, error) {
	o := Options{}
	for _, opt := range opts {
		opt(&o)
	}
	if spec.Shape() == settings.CustomFile {
		g, err := spec.Network()
		if err != nil {
			return nil, err
		}
		spec.Graph = g
	}
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if spec.Rounds == 0 && spec.MaxTime == 0 && o.Tap == nil {
		return nil, ErrEndless
	}
	if ctx.Err() != nil { // or the seeds that wait would each be built
		return nil, context.Cause(ctx)
	}
	s, err := Build(spec, o)
	if err != nil {
		return nil, err
	}
	if err := s.Loop(ctx); err != nil {
		return nil, fmt.Errorf("fabric run at %v: %w", s.Now(), err)
	}
	return s.Result(), nil
}

// EachSeed calls run once for each seed, on all CPUs, and returns the results in the order of the seeds. It errors with
// the first error of run, which cancels the context of the others.
func EachSeed(ctx context.Context, seeds []uint64,
	run func(ctx context.Context, seed uint64) (*result.Result, error)) ([]*result.Result, error) {
	out := make([]*result.Result, len(seeds))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, seed := range seeds {
		g.Go(func() (err error) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			out[i], err = run(ctx, seed)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}
