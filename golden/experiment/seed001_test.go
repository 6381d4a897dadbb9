package experiment

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// made makes the runs of an experiment for one seed and returns the outcomes by label.
func made(t *testing.T, id string, seed uint64) *data {
	t.Helper()
	rows, err := Find([]string{id})
	require.NoError(t, err)
	s := &setup{seed: seed}
	rows[0].runs(s)
	d := &data{seeds: []uint64{seed}, runs: map[string][]*Outcome{}}
	for i := range s.runs {
		o, err := s.runs[i].simulate(context.Background())
		require.NoError(t, err)
		d.runs[s.runs[i].label] = append(d.runs[s.runs[i].label], o)
	}
	return d
}

// TestAgesByGeometry: on an idle chain every ACK brings telemetry of exactly the age that links and packets give:
// HPCC's is taken as the data begins its transmission at a switch, FNCC's as the ACK does.
func TestAgesByGeometry(t *testing.T) {
	d := made(t, "001/int-age", 1)
	const data, ack = 1.5 + 1518*8e-5, 1.5 + 64*8e-5
	for _, control := range []string{"hpcc", "fncc"} {
		w := d.first(control)
		require.Len(t, w.Ages, 3)
		for hop, ages := range w.Ages {
			want := float64(3-hop)*data + 4*ack
			if control == "fncc" {
				want = float64(3-hop) * ack
			}
			require.Greater(t, len(ages), 5000)
			for _, a := range ages {
				require.InDelta(t, want, a, 1e-5, "%s, hop %d", control, hop)
			}
		}
		// The queue holds nothing: bytes leave as they come.
		require.Zero(t, w.greatest(0, end001))
	}
}

// TestAgeIsTheFarthest: one ACK of thousands with another age fails the check.
func TestAgeIsTheFarthest(t *testing.T) {
	d := made(t, "001/int-age", 1)
	for _, c := range judgeAge(d) {
		require.Equal(t, Pass, c.Verdict, c.Name)
	}
	d.first("fncc").Ages[2][1234] = 1.6
	failed := 0
	for _, c := range judgeAge(d) {
		if c.Verdict == Fail {
			require.Equal(t, "age fncc sw1", c.Name)
			failed++
		}
	}
	require.Equal(t, 1, failed)
}

// TestWiredByHand: two flows at fixed rates into one port. What is recorded is what the packets give.
func TestWiredByHand(t *testing.T) {
	spec := network001("fixed", 100, pauses001)
	spec.Topology, spec.Switches, spec.CC = settings.Dumbbell, 3, "fixed"
	bytes := int64(spec.MTU - spec.HeaderBytes)
	flows := []traffic.Message{{Src: 0, Dst: 2, Bytes: 40 * bytes, Conn: 0}, {Src: 1, Dst: 2, Bytes: 40 * bytes, Conn: 1}}
	o, err := (&run{spec: spec, flows: flows, wired: &wired{Port: "sw0->sw1"}}).simulate(context.Background())
	require.NoError(t, err)
	w := o.Wired
	packet := 1518 * 8e-5
	first := 1.5 + packet
	for f := range 2 {
		require.Len(t, w.Slots[f], 40)
	}
	// 80 packets leave back to back from the first arrival on.
	require.InDelta(t, 1, w.util(first, first+80*packet), 1e-9)
	require.InDelta(t, 0.5, w.util(first-40*packet, first+40*packet), 1e-9)
	require.InDelta(t, 0.5, w.shares(first, first+80*packet)[0], 1e-9)
	// Two come for each that leaves: of the 40 pairs the last leaves 40 of 80, less those that left as it came.
	require.InDelta(t, 40*1518, w.greatest(0, 100), 1518+1e-9)
	require.Equal(t, 0.0, w.greatest(20, 100))
	require.True(t, math.IsNaN(w.greatest(1e6, 2e6)))
	require.InDelta(t, 4*(3+1582*8e-5)*12500, w.BDP, 1e-6)
	_, err = (&run{spec: spec, flows: flows, wired: &wired{Port: "sw9->sw1"}}).simulate(context.Background())
	require.ErrorContains(t, err, `port "sw9->sw1": the topology has no such port`)
}

// TestSeriesByHand: samples, slowing, convergence and jitter of rates that are written by hand.
func TestSeriesByHand(t *testing.T) {
	w := &Wired{Gbps: 100, Rates: [][]Rate{
		{{0, 100}, {310.5, 95}, {312.2, 80}, {330, 52}}, {{300, 100}, {320, 60}, {340, 50}},
	}}
	times, rates := w.sampled(0, 309, 314)
	require.Equal(t, []float64{309, 310, 311, 312, 313}, times)
	require.Equal(t, []float64{100, 100, 95, 95, 80}, rates)
	_, none := w.sampled(1, 299, 310)
	require.Nil(t, none, "it has no rate yet")
	require.Equal(t, 13.0, w.slow(300, 1000))
	require.Equal(t, 40.0, w.converged(300, 1000), "60 Gb/s is not within 15 % of 50")
	require.Equal(t, 5.0, w.slow(300, 305), "not by the end")
	require.Equal(t, 20.0, w.converged(300, 320))
	require.Zero(t, w.jitter(400, 1000, true))
	require.InDelta(t, 0, w.jitter(400, 1000, false), 1e-9)
	require.InDelta(t, 14, w.jitter(329, 331, false), 1e-9)
	nothing := &Wired{}
	require.True(t, math.IsNaN(nothing.greatest(0, 1)) && math.IsNaN(nothing.util(0, 1)))
	require.True(t, math.IsNaN(nothing.slow(300, 1000)) && math.IsNaN(nothing.converged(300, 1000)))
	require.True(t, math.IsNaN((&Wired{}).converged(300, 1000)))
}

// TestPausesOfNobody: a check of pauses passes on fewer, fails on more, and compares nothing when none paused.
func TestPausesOfNobody(t *testing.T) {
	verdict := func(fncc, hpcc, dcqcn float64) Verdict {
		d := &data{runs: map[string][]*Outcome{}}
		for c, n := range map[string]float64{"fncc": fncc, "hpcc": hpcc, "dcqcn": dcqcn, "dcqcn-scaled": dcqcn} {
			o := empty()
			o.Counters.Acks, o.Wired = 1, &Wired{Caused: n}
			d.runs[rateLabel(c, 400, few001)] = []*Outcome{o}
		}
		return response{d, 400, few001}.fewest(Check{Mark: Headline}, "dcqcn").Verdict
	}
	require.Equal(t, Pass, verdict(1, 2, 4))
	require.Equal(t, Pass, verdict(2, 2, 4))
	require.Equal(t, Pass, verdict(0, 2, 0))
	require.Equal(t, Fail, verdict(3, 2, 4))
	require.Equal(t, Fail, verdict(3, 4, 2))
	require.Equal(t, Vacuous, verdict(0, 0, 0))
}

// TestSeedsOfWiredRuns: runs that draw nothing are those of one seed; marks, and the phase of flow 1, differ.
func TestSeedsOfWiredRuns(t *testing.T) {
	rows, err := Find([]string{"001/response", "001/first-hop"})
	require.NoError(t, err)
	keys := map[string]bool{}
	for i := range rows {
		for seed := range uint64(5) {
			s := &setup{seed: seed + 1}
			rows[i].runs(s)
			for k := range s.runs {
				key, err := s.runs[k].key()
				require.NoError(t, err)
				keys[key] = true
			}
		}
	}
	require.Len(t, keys, 3+2*5+2*3*5)
	require.Equal(t, []float64{300, 302.5, 305, 307.5, 310},
		[]float64{phase(1), phase(2), phase(3), phase(4), phase(5)})
	seen := map[float64]bool{}
	for seed := range uint64(40) {
		require.True(t, phase(seed) >= 300 && phase(seed) <= 310)
		seen[phase(seed)] = true
	}
	require.Len(t, seen, 40, "a seed that repeats another would be counted as a draw of its own")
}

// TestTreeInSmall: the fat tree's runs meet the same flows with each control, end, and are equal for any number of
// threads; slowdown is against flows alone in the network without telemetry's bytes.
func TestTreeInSmall(t *testing.T) {
	s := &setup{seed: 3}
	s.addTree("fb_hadoop", 40)
	require.Equal(t, len(controlsTree), len(s.runs))
	d := &data{seeds: []uint64{3}, runs: map[string][]*Outcome{}}
	for i := range s.runs {
		r := &s.runs[i]
		require.Equal(t, s.runs[0].flows, r.flows)
		require.Equal(t, 1454, r.spec.MTU-r.spec.HeaderBytes)
		o, err := r.simulate(context.Background())
		require.NoError(t, err)
		require.NoError(t, o.Verify())
		old := runtime.GOMAXPROCS(1)
		again, err := r.simulate(context.Background())
		runtime.GOMAXPROCS(old)
		require.NoError(t, err)
		require.Equal(t, o.Digest, again.Digest)
		d.runs[r.label] = []*Outcome{o}
	}
	require.Greater(t, len(s.runs[0].flows), 150)
	for _, f := range s.runs[0].flows {
		require.Less(t, f.Start, int64(40*units.Microsecond))
	}
	for _, c := range controlsTree {
		n := 0
		for _, b := range bins001 {
			n += len(d.slowdowns(c, b)[0])
			for _, v := range d.slowdowns(c, b)[0] {
				require.GreaterOrEqual(t, v, 1.0-1e-9, c)
			}
		}
		require.Equal(t, len(s.runs[0].flows), n, "each flow is in one bin")
	}
	d.runs["hpcc"][0].Flows[0].Acked = -1
	require.False(t, d.statistic("hpcc", bins001[0], meanOf).measured(), "a flow that did not end measures nothing")
}

// flowOf is a flow of 1 kB with a slowdown.
func flowOf(slow float64) result.FlowResult {
	return result.FlowResult{Bytes: 1000, Ideal: units.Microsecond, Acked: units.Picos(slow * float64(units.Microsecond))}
}

// TestPooledBins: a bin with few flows in a run is that of all runs together, with the scatter of leaving one out.
func TestPooledBins(t *testing.T) {
	d := &data{seeds: []uint64{1, 2, 3}, runs: map[string][]*Outcome{}}
	for i := range 3 {
		o := empty()
		for k := range i + 1 {
			_ = k
			o.Flows = append(o.Flows, flowOf(float64(10*(i+1))))
		}
		d.runs["dcqcn"] = append(d.runs["dcqcn"], o)
	}
	s := d.statistic("dcqcn", bins001[0], meanOf)
	mean, se := MeanSE(s)
	require.InDelta(t, (10+2*20+3*30)/6.0, mean, 1e-9)
	// By hand, the means without one run: 26, 25, 50/3; the jackknife's error is sqrt(2/3 sum of squares).
	a, b, c := 26.0, 25.0, 50/3.0
	m := (a + b + c) / 3
	require.InDelta(t, math.Sqrt(2.0/3*((a-m)*(a-m)+(b-m)*(b-m)+(c-m)*(c-m))), se, 1e-9)
	require.False(t, d.statistic("dcqcn", bins001[3], meanOf).measured(), "no flow")
}
