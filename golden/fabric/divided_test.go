package fabric

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// divided32 is a small tree of eight pods in two tiers, each host sending 200 kB.
func divided32() settings.Spec {
	s := settings.DefaultSpec()
	s.K, s.Workload, s.FlowBytes, s.Pods = 8, settings.Permutation, 200_000, true
	return s
}

// A divided run has one result for any number of threads: every figure of every flow, all counters, the digest of all
// arrivals.
func TestThreadsDoNotMatter(t *testing.T) {
	for name, edit := range map[string]func(*settings.Spec){
		"permutation": func(*settings.Spec) {},
		"incast":      func(s *settings.Spec) { s.Workload, s.Incast = settings.Incast, 32 },
		"reps":        func(s *settings.Spec) { s.LB = lb.REPS },
		"adaptive":    func(s *settings.Spec) { s.LB = lb.AR },
		"bitmap":      func(s *settings.Spec) { s.LB = lb.Bitmap },
		"losses":      func(s *settings.Spec) { s.LossProb, s.Recovery = 1e-3, settings.RecoverSLEEK },
		"faults": func(s *settings.Spec) {
			s.CtlLossProb, s.DupProb, s.ReorderProb = 1e-2, 1e-2, 1e-2
		},
		"slow hosts":  func(s *settings.Spec) { s.SlowHosts = 0.2 },
		"drops":       func(s *settings.Spec) { s.Trim, s.Workload, s.Incast = false, settings.Incast, 60 },
		"either":      func(s *settings.Spec) { s.TrimRule, s.Workload = settings.TrimEither, settings.Incast },
		"swift":       func(s *settings.Spec) { s.CC = "swift" },
		"smartt":      func(s *settings.Spec) { s.CC = "smartt" },
		"newreno":     func(s *settings.Spec) { s.CC, s.Trim = "newreno", false },
		"timely":      func(s *settings.Spec) { s.CC = "timely" },
		"rccc":        func(s *settings.Spec) { s.CC, s.LossProb = "rccc", 1e-2 },
		"nscc+rccc":   func(s *settings.Spec) { s.CC, s.Workload = "nscc+rccc", settings.Incast },
		"two tiers":   func(s *settings.Spec) { s.Tiers = 2 },
		"mixed rates": func(s *settings.Spec) { s.TierGbps = [2]units.Gbps{400, 800} },
		"late":        func(s *settings.Spec) { s.MaxTime = 12 * units.Microsecond },
		"messages":    func(s *settings.Spec) { s.Workload, s.CDF, s.Load, s.Flows = settings.Poisson, "websearch", 0.5, 60 },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := uint64(1); seed <= 2; seed++ {
				s := divided32()
				s.Seed = seed
				edit(&s)
				var first *result.Result
				for _, threads := range []int{1, 2, 3, 8} {
					r, err := Run(context.Background(), s, WithThreads(threads))
					require.NoError(t, err)
					if s.MaxTime == 0 {
						require.NoError(t, r.Verify())
					}
					if first == nil {
						first = r
						require.Greater(t, r.Counters.PktHops, uint64(1000))
						continue
					}
					require.Equal(t, first, r, "%d threads", threads)
				}
			}
		})
	}
}

// A divided run simulates the same network: the mean completion time over seeds is that of whole runs, within three
// standard errors.
func TestDividedRunsAreSamplesOfTheSame(t *testing.T) {
	for name, edit := range map[string]func(*settings.Spec){
		"permutation": func(*settings.Spec) {},
		"incast":      func(s *settings.Spec) { s.Workload, s.Incast = settings.Incast, 32 },
		"reps":        func(s *settings.Spec) { s.LB = lb.REPS },
	} {
		t.Run(name, func(t *testing.T) {
			var sample [2][]float64
			for i := range sample {
				for seed := uint64(1); seed <= 16; seed++ {
					s := divided32()
					s.Seed, s.Pods = seed, i == 1
					edit(&s)
					r, err := Run(context.Background(), s)
					require.NoError(t, err)
					require.NoError(t, r.Verify())
					sample[i] = append(sample[i], r.FCT().Mean)
				}
			}
			whole, a := meanAndError(sample[0])
			parts, b := meanAndError(sample[1])
			require.InDelta(t, whole, parts, 3*math.Hypot(a, b))
		})
	}
}

// meanAndError returns the mean of a sample and its standard error.
func meanAndError(x []float64) (mean, err float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		err += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(err / (n - 1) / n)
}

// What cannot be divided is refused with its reason and what to do.
func TestWhatCannotBeDivided(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*settings.Spec)
		opt  Option
		want string
	}{
		"pfc": {edit: func(s *settings.Spec) {
			s.PFC, s.Trim, s.XOff, s.XOn = true, false, 100_000, 50_000
		}, want: "a pause"},
		"int":      {edit: func(s *settings.Spec) { s.INT = settings.INTData }, want: "telemetry"},
		"failures": {edit: func(s *settings.Spec) { s.FailProb, s.FailAt = 0.1, 1 }, want: "a link that fails"},
		"rounds":   {edit: func(s *settings.Spec) { s.Rounds = 2 }, want: "rounds"},
		"waiting":  {edit: func(s *settings.Spec) { s.Workload = settings.AllToAll }, want: "begins when flows["},
		"stop":     {opt: WithMessages([]traffic.Message{{Src: 0, Dst: 9, Bytes: 10000, Stop: 5}}), want: "stop time"},
		"dumbbell": {edit: func(s *settings.Spec) {
			s.Topology, s.Switches, s.Senders = settings.Dumbbell, 2, 2
		}, want: "pods"},
		"dcqcn":     {edit: func(s *settings.Spec) { s.CC, s.Trim = "dcqcn", false }, want: "cc = dcqcn"},
		"tap":       {opt: WithTap(func(*cc.Event) bool { return true }), want: "taps"},
		"port tap":  {opt: WithPortTap(func(*net.PortEvent) {}), want: "taps"},
		"depth":     {opt: WithDepth(1000), want: "samples"},
		"own rows":  {opt: WithControl(cc.Row{Name: "nscc", New: cc.FixedWindow(1 << 20)}), want: "cc = nscc"},
		"fair rate": {edit: func(s *settings.Spec) { s.CC, s.FairRate, s.Trim = "rocc", true, false }, want: "fair rates"},
	} {
		t.Run(name, func(t *testing.T) {
			s := divided32()
			if c.edit != nil {
				c.edit(&s)
			}
			var opts []Option
			if c.opt != nil {
				opts = append(opts, c.opt)
			}
			_, err := Run(context.Background(), s, opts...)
			require.ErrorContains(t, err, "pods = on: ")
			require.ErrorContains(t, err, c.want)
		})
	}
}
