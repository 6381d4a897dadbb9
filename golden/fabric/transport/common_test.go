package transport

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/result/resulttest"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
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

// sameRun compares what two runs report, flow by flow.
func sameRun(t *testing.T, a, b *result.Result) {
	t.Helper()
	require.Equal(t, a.Digest, b.Digest)
	require.Equal(t, a.Counters, b.Counters)
	require.Equal(t, a.Flows, b.Flows)
	require.Equal(t, a.Queues, b.Queues)
	require.Equal(t, a.Time, b.Time)
}

// seedsOf runs spec with seeds 1 to n in parallel and returns the results.
func seedsOf(t testing.TB, spec settings.Spec, n int, opts ...Option) []*result.Result {
	t.Helper()
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	out, err := EachSeed(t.Context(), seeds, func(ctx context.Context, seed uint64) (*result.Result, error) {
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

// lossless returns an incast on a network with pauses.
func lossless(t *testing.T) settings.Spec {
	p, err := presets.Lookup("fattree128/lossless")
	require.NoError(t, err)
	p.Spec.FlowBytes = 300_000
	return p.Spec
}

// congested is two flows of two hosts that meet in front of the receiver, with DCQCN.
func congested(t testing.TB) settings.Spec {
	p, err := presets.Lookup("congestion/dcqcn")
	require.NoError(t, err)
	return p.Spec
}

// alone is one flow from host 0 to host 2 over links of 100 Gb/s.
func alone(packets int64) settings.Spec {
	s := settings.DefaultSpec()
	s.Topology, s.LinkGbps, s.LinkLatency = settings.LastHop, 100, units.Microsecond
	s.Workload, s.Senders = settings.Incast, 1
	s.Incast, s.FlowBytes, s.CC = 1, packets*int64(s.MTU-s.HeaderBytes), "scripted"
	return s
}

// script returns a row of such a control.
func script(needs cc.Needs, step func(ev *cc.Event, out *cc.Out)) cc.Row {
	return cc.Row{Name: "scripted", Needs: needs, Windowless: true, New: func(cc.Config) (cc.Control, error) {
		return &scripted{step: step}, nil
	}}
}

// scripted is a congestion control of a test: its answers come from a function.
type scripted struct {
	inflight int64
	step     func(ev *cc.Event, out *cc.Out)
}

func (c *scripted) Step(ev *cc.Event) cc.Out {
	out := cc.Out{Cwnd: cc.NoWindow, CanSend: true}
	c.step(ev, &out)
	return out
}
