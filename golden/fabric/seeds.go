package fabric

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// RunSeeds simulates spec once for each seed, on all CPUs, and returns the
// results in the order of the seeds. opts is called for each run, as taps are
// not to be shared; nil means none. It errors as Run does, with the first error.
func RunSeeds(ctx context.Context, spec settings.Spec, seeds []uint64,
	opts func(seed uint64) []Option) ([]*result.Result, error) {
	out := make([]*result.Result, len(seeds))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, seed := range seeds {
		g.Go(func() error {
			s := spec
			s.Seed = seed
			var o []Option
			if opts != nil {
				o = opts(seed)
			}
			r, err := Run(ctx, s, o...)
			out[i] = r
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}
