package fields

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// fabricSI returns what the constants are computed from, for the contexts of a simulation whose links all have
// the rate of the host links.
func fabricSI(spec settings.Spec, tickNs int) exact.SI {
	return ContextSI(cc.Config{
		LinkGbps: spec.LinkGbps, BaseRTT: spec.EffectiveBaseRTT(), Trim: spec.Trim, MTU: spec.MTU,
		AckTrigger: spec.AckTrigger, Target: spec.Target, QAGate: spec.QAGate,
		AvgWithoutSample: spec.AvgWithoutSample,
	}, NSCC, tickNs)
}

func TestFabricConstants(t *testing.T) {
	spec := settings.DefaultSpec()
	reg, err := exact.Constants(fabricSI(spec, 1))
	require.NoError(t, err)
	c := RegisterFile(&reg)
	require.EqualValues(t, 4096, c[ccc.RegMTU])
	require.EqualValues(t, 7, c[ccc.RegTimeShift])
	require.InDelta(t, 900000, float64(c[ccc.RegMaxWnd]), 1000)
	require.InDelta(t, 12000, float64(c[ccc.RegConfigBaseRTT]), 10)
	require.InDelta(t, 9000, float64(c[ccc.RegTargetQDelay]), 10)
	reg, err = exact.Constants(fabricSI(spec, 128))
	require.NoError(t, err)
	require.Zero(t, reg.Raw("TIME_SHIFT"))
	require.InDelta(t, 12000/128.0, float64(reg.Raw("CONFIG_BASE_RTT")), 1)
}

func TestTicks(t *testing.T) {
	require.EqualValues(t, 7, Ticks(7999, 1000), "rounded down")
	require.EqualValues(t, 1, Ticks(255_999, 128_000))
	require.EqualValues(t, 5, Ticks((1<<48+5)*1000, 1000), "the time stamp wraps at 48 bits")
}

func TestEventsThatDoNotFit(t *testing.T) {
	ok := cc.Event{Kind: cc.KindAck, Time: 5000, Size: 1 << 31}
	var ev ccc.Event
	require.NoError(t, CCCEvent(&ok, 3, 1000, &ev))
	require.Equal(t, ccc.KindAck, ev.Kind)
	require.EqualValues(t, 3, ev.Ctx)
	require.EqualValues(t, 5, ev.Now)
	for want, edit := range map[string]func(*cc.Event){
		"size = 4294967296: the field of the ccc block holds at": func(t *cc.Event) { t.Size = 1 << 32 },
		"unmark_bytes = -1: the field":                           func(t *cc.Event) { t.UnmarkBytes = -1 },
		"acked_pkts = 65536: the field of the ccc block":         func(t *cc.Event) { t.AckedPkts = 1 << 16 },
		"unmark_pkts = 65536: the field":                         func(t *cc.Event) { t.UnmarkPkts = 1 << 16 },
	} {
		ev := ok
		edit(&ev)
		require.ErrorContains(t, CCCEvent(&ev, 3, 1000, new(ccc.Event)), want)
	}
}

func TestSamplesBelowATick(t *testing.T) {
	var ev ccc.Event
	require.True(t, SampleEvent(9000, 1000, 2, 1000, &ev))
	require.Equal(t, ccc.Event{Kind: ccc.KindSample, Ctx: 2, Now: 9, Data: 1}, ev)
	require.False(t, SampleEvent(9000, 999, 2, 1000, &ev))
}

// TestCCCEventRefusesOthers: events of other congestion controls are no events of the block.
func TestCCCEventRefusesOthers(t *testing.T) {
	var ev ccc.Event
	for kind := cc.KindOpen; kind <= cc.KindCredit+1; kind++ {
		err := CCCEvent(&cc.Event{Kind: kind}, 0, 1000, &ev)
		if kind < cc.KindCNP || kind == cc.KindCredit {
			require.NoError(t, err, kind)
			continue
		}
		require.ErrorContains(t, err, "the ccc block has no such event", kind)
	}
}

// TestCreditFields: what the block needs to know of receiver credit.
func TestCreditFields(t *testing.T) {
	var ev ccc.Event
	require.NoError(t, CCCEvent(&cc.Event{Kind: cc.KindOpen}, 0, 1000, &ev))
	require.EqualValues(t, rccc.First, ev.Credit)
	require.NoError(t, CCCEvent(&cc.Event{Kind: cc.KindSend, Request: true, Sources: 3}, 0, 1000, &ev))
	require.True(t, ev.NoCredit)
	require.EqualValues(t, 21845, ev.Share)
	require.NoError(t, CCCEvent(&cc.Event{Kind: cc.KindCredit, Credit: 77}, 0, 1000, &ev))
	require.Equal(t, ccc.Event{Kind: ccc.KindCredit, Credit: 77}, ev)
}

// The share of n contexts leaves a target that is the float rule's within the bound of the contract: 2^-17 of what is
// wanted and a byte, rounded up to a quantum.
func TestShares(t *testing.T) {
	require.EqualValues(t, []uint16{0, 0, 32768, 21845, 1},
		[]uint16{Share(0), Share(1), Share(2), Share(3), Share(math.MaxInt32 / 2)})
	r := rand.New(rand.NewPCG(1, 2))
	spec := rccc.Spec{MaxWnd: math.MaxInt32, MTU: 4096}
	for range 100_000 {
		n := 2 + r.Int32N(500)
		s := rccc.State{Credit: int64(int32(r.Uint32()) >> r.IntN(32)), Backlog: int64(r.Uint64() >> (20 + r.IntN(44)))}
		want := s.Want(&spec, math.MaxInt32)
		got := s.Last.Plus(((want*int64(Share(n)))>>16 + rccc.Quantum - 1) >> 8)
		bytes := math.Abs(float64(want))*0x1p-17 + 1
		off := math.Abs(float64(got.Since(s.Target(&spec, math.MaxInt32, int(n)))))
		require.LessOrEqual(t, off, math.Ceil(bytes/rccc.Quantum), "%d of %d", want, n)
	}
}
