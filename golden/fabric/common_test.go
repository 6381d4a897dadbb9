package fabric

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

func run(t testing.TB, spec settings.Spec, opts ...Option) *result.Result {
	t.Helper()
	r, err := Run(context.Background(), spec, opts...)
	require.NoError(t, err)
	return r
}

// verified runs spec and requires every byte delivered, the books in order and
// the network empty.
func verified(t testing.TB, spec settings.Spec, opts ...Option) *result.Result {
	t.Helper()
	r := run(t, spec, opts...)
	require.NoError(t, r.Verify())
	require.Empty(t, r.Unfinished())
	require.Zero(t, r.DataInside+r.CtlInside, "packets inside")
	require.Equal(t, uint64(len(r.Flows)), r.Counters.FlowsAcked)
	return r
}

// books runs spec and requires what conservation means: every byte delivered
// once, every packet accounted for, no queue over its limit, no packet left, the
// window respected before each send.
func books(t *testing.T, spec settings.Spec, opts ...Option) *result.Result {
	t.Helper()
	r := verified(t, spec, opts...)
	c := &r.Counters
	require.Zero(t, c.WindowBreaks)
	require.Zero(t, c.GaveUp)
	require.Equal(t, c.Pauses, c.Resumes, "every pause ends")
	require.Equal(t, r.Books.Sent, r.Delivered()+r.Books.Lost)
	if spec.PFC {
		require.Zero(t, c.DataDrops, "lossless")
		require.Zero(t, c.Trims)
	}
	return r
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
	out := make([]*result.Result, n)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		s := spec
		s.Seed = uint64(i + 1)
		g.Go(func() error {
			r, err := Run(t.Context(), s, opts...)
			if err != nil {
				return err
			}
			out[i] = r
			return r.Verify()
		})
	}
	require.NoError(t, g.Wait())
	return out
}

// long reports whether the runs that take more than a few seconds are wanted.
func long() bool { return os.Getenv("GOLDWIRE_LONG") != "" }
