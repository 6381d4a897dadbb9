package transport

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestAnySpecDelivers draws small networks of every kind: whatever is lost,
// trimmed, delayed or slow, every byte arrives once and the books close, also
// as the tap sees them.
func TestAnySpecDelivers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := settings.DefaultSpec()
		pick := func(name string, values ...int) int { return rapid.SampledFrom(values).Draw(rt, name) }
		s.K = pick("k", 4, 6)
		s.Oversub = pick("oversub", 1, s.K/2)
		s.LinkGbps = units.Gbps(pick("gbps", 25, 100, 400, 800))
		s.LinkLatency = units.Picos(pick("latency", 100_000, 500_000, 957_860))
		s.MTU = pick("mtu", 256, 1500, 4096)
		if s.MTU == 4096 && s.LinkGbps < 400 {
			s.LinkLatency = 2 * units.Microsecond
		}
		s.Workload = rapid.SampledFrom([]settings.Workload{settings.Permutation, settings.Incast}).Draw(rt, "workload")
		s.Incast = pick("incast", 1, 7, 15)
		s.FlowBytes = int64(rapid.IntRange(1, 200*s.MTU).Draw(rt, "bytes"))
		s.Rounds = pick("rounds", 1, 2, 5)
		s.CCCsPerNIC = pick("cccs", 1, 3)
		s.PDCsPerCCC = pick("pdcs", 1, 2, 4)
		s.StartSpread = units.Picos(pick("spread", 0, 1_000_000))
		s.Paths = pick("paths", 1, 4, 64)
		s.Trim = rapid.Bool().Draw(rt, "trim")
		s.DropAt = float64(pick("drop", 1, 2, 5))
		s.ECN = rapid.SampledFrom([]settings.ECNMode{settings.ECNOff, settings.ECNProbabilistic,
			settings.ECNDeterministic}).Draw(rt, "ecn")
		s.AckTrigger = int64(pick("trigger", 1, 4096, 16384, 65536))
		s.ServiceTime = units.Picos(pick("service", 0, 500_000))
		s.ServiceJitter = units.Picos(pick("jitter", 0, 3_000_000))
		s.LossProb = rapid.SampledFrom([]float64{0, 1e-3, 0.05}).Draw(rt, "loss")
		s.SlowHosts = float64(pick("slow", 0, 1))
		s.Seed = rapid.Uint64().Draw(rt, "seed")
		factory := rapid.SampledFrom([]cc.Factory{cc.NSCC(nil), cc.FixedWindow(0), cc.FixedWindow(1)}).Draw(rt, "cc")
		if s.Trim {
			// Served first, the headers of small packets fill a link alone when
			// nothing slows the senders down; give them the share that the
			// specification suggests.
			s.DRR = [net.Classes]int{0, 1024, 3072}
		}
		if err := s.Validate(); err != nil {
			rt.Skip(err)
		}
		// A window of one packet under 5 % loss a hop waits out thousands of timeouts one after another; a run
		// that no longer delivers still ends here.
		s.MaxTime = 100_000 * units.Millisecond
		h := NewShadow(rt, s)
		r, err := Run(context.Background(), s, WithCC(factory), WithTap(h.Tap))
		require.NoError(rt, err)
		require.NoError(rt, r.Verify())
		require.Zero(rt, r.DataInside+r.CtlInside)
		h.Closed()
	})
}

// TestSlotWidthDoesNotMatter: how the kernel cuts time into slots is no part of
// the result.
func TestSlotWidthDoesNotMatter(t *testing.T) {
	spec := small(settings.Incast)
	want := run(t, spec)
	for _, width := range []uint{0, 5, 14, 20} {
		s, err := Build(spec, Options{Only: cc.NSCC(nil)})
		require.NoError(t, err)
		other := kernel.NewWheel(width)
		for e, ok := s.wheel.Pop(); ok; e, ok = s.wheel.Pop() {
			other.Push(e.At, e.Kind, e.Arg)
		}
		*s.wheel = *other
		require.NoError(t, s.Loop(context.Background()))
		sameRun(t, want, s.Result())
	}
}
