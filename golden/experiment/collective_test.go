package experiment

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

const us = units.Microsecond

// The bound is the busiest host link or the longest flow alone, and elephants count for neither.
func TestCCTByHand(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.LinkGbps = 800
	flow := func(src, dst int32, packets int64, ideal, acked units.Picos) result.FlowResult {
		return result.FlowResult{Src: src, Dst: dst, Bytes: packets * payload, Ideal: ideal, Acked: acked}
	}
	o := &Outcome{Result: &result.Result{Spec: spec, Flows: []result.FlowResult{
		flow(1, 0, 1000, 50*us, 120*us), flow(2, 0, 500, 30*us, 90*us),
		{Src: 3, Dst: 4, Bytes: 1 << 40, Ideal: 1e12, Acked: -1, Mark: true},
	}}}
	cct, bound := o.cct()
	require.InDelta(t, 120, cct, 1e-9)
	require.InDelta(t, 1500*41.6e-3, bound, 1e-9, "1500 packets of 4160 bytes at 100 bytes per ns")
	require.InDelta(t, 120/62.4-1, infl(o), 1e-9)
	require.InDelta(t, 90, measured(50)(o), 1e-9)
	o.Flows[0].Ideal = 80 * us
	_, bound = o.cct()
	require.InDelta(t, 80, bound, 1e-9)
	o.Flows[2].Acked = 100 * us
	require.True(t, math.IsNaN(infl(o)), "an elephant that ended left the others alone")
	o.Flows[2].Acked, o.Flows[1].Acked = -1, -1
	require.True(t, math.IsNaN(infl(o)), "a flow that did not end")
	require.True(t, math.IsNaN(measured(100)(o)))
	require.True(t, math.IsNaN(infl(&Outcome{Result: &result.Result{Flows: o.Flows[2:]}})), "elephants alone")
}

// A collective ends with its last flow while the elephants go on, the same each time, and knows who met them.
func TestCollective(t *testing.T) {
	flows, err := traffic.Elephants(draws(1, "elephants"), 16, 2, longLived, 200_000)
	require.NoError(t, err)
	for _, control := range append([]string{"swift", "mswift-p10", atOnce("mswift")}, resilient...) {
		r := run{spec: tree002(4, control, lb.OPS), flows: flows, collective: true}
		plain, err := r.simulate(context.Background())
		require.NoError(t, err, control)
		r.watch.meet = true
		o, err := r.simulate(context.Background())
		require.NoError(t, err)
		require.Equal(t, plain.Digest, o.Digest, "%s: watching changes nothing", control)
		require.Nil(t, plain.Met)
		require.True(t, o.Stopped)
		for i := range o.Flows {
			require.Equal(t, !flows[i].Mark, o.Flows[i].Done(), "%s: flow %d", control, i)
		}
		require.Positive(t, infl(o))
		require.Greater(t, met(o), 0.0)
		require.Less(t, met(o), 1.0)
		last, _ := o.cct()
		require.InDelta(t, last, o.Time.Micros(), 1e-9)
	}
	twice := run{spec: tree002(4, "swift", lb.OPS), flows: append(flows, flows[15]), collective: true}
	_, err = twice.simulate(context.Background())
	require.ErrorContains(t, err, "sends twice")
}

// The controls begin with one BDP, and LSwift and MSwift count holes late.
func TestRows002(t *testing.T) {
	rows, err := rows002()
	require.NoError(t, err)
	cfg := cc.Config{LinkGbps: 800, BaseRTT: 6_250_000, MTU: mtu002, MaxWnd: 937_500, AckTrigger: 16 << 10, QAGate: -1}
	steeper := 0
	for _, r := range rows {
		require.True(t, r.Needs.EveryAck, r.Name)
		c, err := r.New(cfg)
		require.NoError(t, err)
		out := c.Step(&cc.Event{Kind: cc.KindOpen})
		require.InDelta(t, 625_000, out.Cwnd, 1, r.Name)
		require.True(t, out.CanSend)
		if in, ok := c.(cc.Inspector); ok {
			for _, f := range in.Params() {
				if f.Name == "cut_late" {
					require.Equal(t, r.Name[len(r.Name)-4:] != "once", f.Get() == 1, r.Name)
				}
				if f.Name == "ai" && f.Get() != 1 {
					steeper++
					require.Equal(t, steep(strings.TrimSuffix(r.Name, "-ai8")), r.Name)
					require.Equal(t, float64(increase), f.Get())
				}
			}
		}
	}
	require.Equal(t, 4, steeper)
}

func TestApartAndCount(t *testing.T) {
	a, b := sample{1, 1.1, 0.9}, sample{2, 2.1, 1.9}
	require.Equal(t, Pass, apart(Check{}, a, b).Verdict)
	require.Equal(t, Fail, apart(Check{}, b, a).Verdict)
	require.Equal(t, Undecided, apart(Check{}, sample{1, 2}, sample{1.5, 2.5}).Verdict)
	require.Equal(t, Vacuous, apart(Check{}, sample{math.NaN()}, b).Verdict)
	pairs := [][2]sample{{a, b}, {b, a}}
	require.Equal(t, Pass, count(Check{}, 1, pairs).Verdict)
	require.Equal(t, Fail, count(Check{}, 2, pairs).Verdict)
	require.Equal(t, Vacuous, count(Check{}, 1, append(pairs, [2]sample{a, {math.NaN()}})).Verdict)
	require.False(t, means(a, sample{math.NaN()}).measured())
	require.False(t, means(a, sample{0}).measured())
	require.False(t, least(a, sample{math.NaN()}, b).measured())
	require.Equal(t, a, least(b, a))
}

// TestFewSeeds: the small scale takes the first seeds, the full one all of them.
func TestFewSeeds(t *testing.T) {
	e := Experiment{}.few(2)
	c := Conditions{Seeds: []uint64{4, 5, 6}}
	require.Equal(t, []uint64{4, 5}, e.seeds(c))
	c.Full = true
	require.Equal(t, c.Seeds, e.seeds(c))
	c = Conditions{Seeds: []uint64{9}}
	require.Equal(t, []uint64{9}, e.seeds(c))
}
