package transport

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

func TestEveryByteDelivered(t *testing.T) {
	for _, w := range []settings.Workload{settings.Permutation, settings.Incast} {
		for _, gbps := range []units.Gbps{100, 400, 800} {
			for _, c := range []struct {
				name string
				edit func(*settings.Spec)
			}{
				{"plain", func(*settings.Spec) {}},
				{"loss", func(s *settings.Spec) { s.LossProb = 1e-3 }},
				{"drop-tail", func(s *settings.Spec) { s.Trim = false }},
				{"shallow", func(s *settings.Spec) { s.Trim, s.DropAt, s.Paths = false, 0.05, 4 }},
				{"shared-ccc", func(s *settings.Spec) { s.PDCsPerCCC, s.CCCsPerNIC, s.FlowBytes = 3, 2, 50_001 }},
				{"rounds", func(s *settings.Spec) { s.Rounds, s.FlowBytes = 5, 30_000 }},
				{"oversubscribed", func(s *settings.Spec) { s.Oversub = 4 }},
				{"slow", func(s *settings.Spec) { s.SlowHosts, s.DrainShare = 1, 0.1 }},
				{"jitter", func(s *settings.Spec) { s.ServiceTime, s.ServiceJitter = 300*units.Nanosecond, units.Microsecond }},
				{"tiny", func(s *settings.Spec) { s.FlowBytes, s.Rounds = 1, 3 }},
			} {
				t.Run(fmt.Sprintf("%s/%vG/%s", w, gbps, c.name), func(t *testing.T) {
					s := small(w)
					s.LinkGbps = gbps
					c.edit(&s)
					r := verified(t, s)
					switch c.name {
					case "loss":
						require.NotZero(t, r.Counters.InferredLosses)
						require.NotZero(t, r.Counters.DataLost)
						require.NotZero(t, r.Counters.CtlLost)
					case "shallow":
						require.NotZero(t, r.Counters.DataDrops)
						require.Zero(t, r.Counters.Trims)
					case "plain":
						require.Equal(t, r.Counters.Trims, r.Counters.Retransmits, "without loss only trims are resent")
					}
				})
			}
		}
	}
}

func TestIncastTrims(t *testing.T) {
	r := verified(t, default32())
	require.NotZero(t, r.Counters.Trims)
	require.NotZero(t, r.Counters.Nacks)
	require.NotZero(t, r.Counters.ECN)
}

func TestDeterministic(t *testing.T) {
	for _, w := range []settings.Workload{settings.Permutation, settings.Incast} {
		s := small(w)
		s.LossProb, s.ServiceJitter, s.PDCsPerCCC, s.SlowHosts = 1e-3, units.Microsecond, 2, 0.5
		tapped := func(s settings.Spec) (*result.Result, uint64) {
			h := uint64(0)
			r := run(t, s, WithTap(func(ev *cc.Event) bool {
				h = mix64(h ^ uint64(ev.Time) ^ uint64(ev.PSN)<<30 ^ uint64(ev.Kind)<<60 ^ uint64(ev.Out.Cwnd)<<8)
				return true
			}))
			return r, h
		}
		a, ha := tapped(s)
		b, hb := tapped(s)
		sameRun(t, a, b)
		require.Equal(t, ha, hb)

		old := runtime.GOMAXPROCS(1)
		c, hc := tapped(s)
		runtime.GOMAXPROCS(old)
		sameRun(t, a, c)
		require.Equal(t, ha, hc)

		untapped := run(t, s)
		sameRun(t, a, untapped)

		s.Seed++
		d, hd := tapped(s)
		require.NotEqual(t, a.Digest, d.Digest)
		require.NotEqual(t, ha, hd)
	}
}

func TestParallelRunsAreIndependent(t *testing.T) {
	s := small(settings.Permutation)
	want := run(t, s)
	results := make([]*result.Result, 4)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i], _ = Run(context.Background(), s) })
	}
	wg.Wait()
	for _, r := range results {
		require.NotNil(t, r)
		sameRun(t, want, r)
	}
}

// TestOneFlowAnalytic: a flow of n full packets alone over h links is delivered
// when its last packet has crossed them, (n + h - 1) serialisations and h
// latencies after the start, and acknowledged one unloaded way back later.
func TestOneFlowAnalytic(t *testing.T) {
	hops := map[units.Picos]bool{}
	for _, gbps := range []units.Gbps{100, 400, 800} {
		for seed := range uint64(12) {
			s := settings.DefaultSpec()
			s.Workload, s.Incast, s.LinkGbps, s.Seed = settings.Incast, 1, gbps, seed
			const n = 300
			s.FlowBytes = n * int64(s.MTU-s.HeaderBytes)
			s.StartSpread = 3 * units.Microsecond
			r := verified(t, s)
			f := r.Flows[0]
			h := units.Picos(6)
			switch {
			case f.Src < 4:
				h = 2
			case f.Src < 16:
				h = 4
			}
			hops[h] = true
			per := gbps.PerByte().Time(1)
			delivered := (n+h-1)*units.Picos(s.MTU)*per + h*s.LinkLatency
			require.Equal(t, delivered, f.Delivered-f.Start, "host %d", f.Src)
			require.Equal(t, delivered+h*(units.Picos(s.CtlBytes)*per+s.LinkLatency), f.Acked-f.Start)
		}
	}
	require.True(t, hops[6], "no flow crossed the core")
}

// TestScalingLaw: twice the rate and half of every delay halve every completion
// time exactly when the sender knows no absolute time.
func TestScalingLaw(t *testing.T) {
	s := settings.DefaultSpec()
	slow := verified(t, s, WithCC(cc.FixedWindow(0)))
	s.LinkGbps *= 2
	s.LinkLatency /= 2
	fast := verified(t, s, WithCC(cc.FixedWindow(0)))
	require.NotZero(t, slow.Counters.ECN)
	for i := range slow.Flows {
		require.Equal(t, slow.Flows[i].Delivered, 2*fast.Flows[i].Delivered)
		require.Equal(t, slow.Flows[i].Acked, 2*fast.Flows[i].Acked)
	}
}

// TestLastHopIsTheBottleneck: an incast cannot end before its bytes have crossed
// the receiver's link, and wastes little of it.
func TestLastHopIsTheBottleneck(t *testing.T) {
	s := default32()
	r := verified(t, s)
	packets := units.Picos(r.Counters.NewPackets)
	bound := packets * units.Picos(s.MTU-100) * s.LinkGbps.PerByte().Time(1)
	last := units.Picos(0)
	for _, f := range r.Flows {
		last = max(last, f.Delivered)
	}
	require.Greater(t, last, bound)
	require.Less(t, last, bound*5/4)
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	n := 0
	_, err := Run(ctx, settings.DefaultSpec(), WithTap(func(*cc.Event) bool {
		if n++; n == 1000 {
			cancel(why)
		}
		return true
	}))
	require.ErrorIs(t, err, why)
	require.Less(t, n, 20_000)
}

func TestVerifyFinds(t *testing.T) {
	s := small(settings.Permutation)
	for _, c := range []struct {
		name, want string
		edit       func(*result.Result)
	}{
		{"twice", "delivered more than once", func(r *result.Result) { r.Flows[3].Got++ }},
		{"other bytes", "other bytes", func(r *result.Result) { r.Flows[3].Sum++ }},
		{"books", "accounted for", func(r *result.Result) { r.Counters.Delivered-- }},
		{"control", "control packets", func(r *result.Result) { r.Counters.Acks++ }},
		{"queue", "exceed the limit", func(r *result.Result) { r.Queues[0].Peak = r.Queues[0].Limit + 1 }},
		{"unfinished", "not finished", func(r *result.Result) {
			r.Flows[0].Acked, r.Flows[0].Delivered,
				r.Flows[0].Got = -1, -1, 0
		}},
		{"unacknowledged", "not finished, all of it delivered but not acknowledged: 400000 of 400000 bytes",
			func(r *result.Result) { r.Flows[0].Acked = -1 }},
		{"acknowledged unseen", "other bytes", func(r *result.Result) { r.Flows[0].Delivered, r.Flows[0].Got = -1, 0 }},
	} {
		r := run(t, s)
		require.NoError(t, r.Verify())
		c.edit(r)
		require.ErrorContains(t, r.Verify(), c.want, c.name)
	}
}

// TestSteadyStateAllocatesNothing counts allocations over 50,000 events of
// contexts in the middle of long flows.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, edit := range []func(*settings.Spec){
		func(s *settings.Spec) { s.Workload = settings.Permutation },
		func(s *settings.Spec) { s.Workload = settings.Incast },
		func(s *settings.Spec) {
			s.LB, s.CC, s.Recovery, s.LossProb = lb.Mixed, "nscc-htsim", settings.RecoverSLEEK, 1e-4
		},
		func(s *settings.Spec) {
			s.LB, s.INT, s.DRR = lb.REPS, settings.INTData, [net.Classes]int{0, 1024, 3072}
		},
		func(s *settings.Spec) { s.LB, s.Trim, s.PFC, s.XOff, s.XOn = lb.AR, false, true, 100_000, 50_000 },
	} {
		spec := settings.DefaultSpec()
		spec.FlowBytes, spec.ServiceJitter = 1<<30, units.Microsecond
		edit(&spec)
		require.NoError(t, spec.Validate())
		s, err := Build(spec, Options{})
		require.NoError(t, err)
		left := 0
		s.tap = func(*cc.Event) bool { left--; return left > 0 }
		events := func(n int) {
			left = n
			s.wheel.Resume()
			require.NoError(t, s.Loop(context.Background()))
		}
		events(250_000)
		allocs := testing.AllocsPerRun(1, func() {
			left = 50_000
			s.wheel.Resume()
			_ = s.Loop(context.Background())
		})
		require.Zero(t, allocs, "%+v", spec)
	}
}

// default32 is an incast of 32 senders on the default network.
func default32() settings.Spec {
	s := settings.DefaultSpec()
	s.Workload = settings.Incast
	return s
}
