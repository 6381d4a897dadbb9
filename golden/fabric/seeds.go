package fabric

import (
	"context"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
)

// RunSeeds simulates spec once for each seed, on all CPUs, and returns the
// results in the order of the seeds. opts is called for each run, as taps are
// not to be shared; nil means none. It errors as Run does, with the first error.
func RunSeeds(ctx context.Context, spec settings.Spec, seeds []uint64,
	opts func(seed uint64) []Option) ([]*result.Result, error) {
	return transport.EachSeed(ctx, seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
		s := spec
		s.Seed = seed
		var o []Option
		if opts != nil {
			o = opts(seed)
		}
		return Run(ctx, s, o...)
	})
}
