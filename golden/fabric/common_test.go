package fabric

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/result/resulttest"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
)

func run(t testing.TB, spec settings.Spec, opts ...Option) *result.Result {
	t.Helper()
	r, err := Run(context.Background(), spec, opts...)
	require.NoError(t, err)
	return r
}

// verified runs spec and checks the result as resulttest.Verified does.
func verified(t testing.TB, spec settings.Spec, opts ...Option) *result.Result {
	t.Helper()
	return resulttest.Verified(t, run(t, spec, opts...))
}

// books runs spec and checks the result as resulttest.Books does.
func books(t *testing.T, spec settings.Spec, opts ...Option) *result.Result {
	t.Helper()
	return resulttest.Books(t, &spec, run(t, spec, opts...))
}

// small returns the default with flows short enough for many runs.
func small(w settings.Workload) settings.Spec {
	s := settings.DefaultSpec()
	s.Workload, s.FlowBytes = w, 400_000
	return s
}

// seedsOf runs spec with seeds 1 to n in parallel and returns the results.
func seedsOf(t testing.TB, spec settings.Spec, n int, opts ...Option) []*result.Result {
	t.Helper()
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	out, err := transport.EachSeed(t.Context(), seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
		s := spec
		s.Seed = seed
		r, err := Run(ctx, s, opts...)
		if err != nil {
			return nil, err
		}
		return r, r.Verify()
	})
	require.NoError(t, err)
	return out
}

// long reports whether the runs that take more than a few seconds are wanted.
func long() bool { return os.Getenv("GOLDWIRE_LONG") != "" }

// WithCC makes every context with the given factory.
func WithCC(f cc.Factory) Option { return func(o *transport.Options) { o.Only = f } }
