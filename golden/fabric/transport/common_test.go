package transport

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
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
