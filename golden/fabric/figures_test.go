package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// TestFiguresByHand: five flows, one of them unfinished, whose figures are worked
// out by hand.
func TestFiguresByHand(t *testing.T) {
	flow := func(id int32, bytes int64, start, acked, ideal units.Picos) result.FlowResult {
		return result.FlowResult{ID: id, Bytes: bytes, Start: start * units.Microsecond,
			Acked: acked * units.Microsecond, Delivered: acked*units.Microsecond - 1,
			Ideal: ideal * units.Microsecond, Got: bytes}
	}
	r := &result.Result{Time: 90 * units.Microsecond, Bound: 60 * units.Microsecond, Flows: []result.FlowResult{
		flow(0, 1000, 0, 10, 5),   // 10 us, 100 bytes/us, twice the ideal
		flow(1, 1000, 5, 25, 5),   // 20 us, 50, four times
		flow(2, 4000, 10, 50, 10), // 40 us, 100, four times
		flow(3, 4000, 30, 80, 10), // 50 us, 80, five times
		{ID: 4, Bytes: 4000, Start: 2 * units.Microsecond, Acked: -1, Delivered: -1, Got: 17},
	}}
	c := &r.Counters
	c.NewPackets, c.Retransmits, c.Trims, c.ECN, c.Pauses, c.PktHops = 21, 22, 23, 24, 25, 26
	c.DataDrops, c.TrimDrops, c.DataLost, c.TrimLost, c.CtlDrops, c.CtlLost, c.ECNMarks = 1, 2, 4, 8, 1000, 2000, 3000
	s := result.Summarise(0, r)
	require.Equal(t, 5, s.Flows)
	require.Equal(t, 4, s.Done)
	require.Equal(t, result.FCT{Flows: 4, Mean: 30, P50: 20, P99: 50, Max: 50}, s.FCT)
	require.Equal(t, s.FCT, r.FCT())
	require.Equal(t, []uint64{21, 22, 23, 24, 25, 26}, []uint64{s.New, s.Rtx, s.Trims, s.ECN, s.Pauses, s.PktHops})
	require.Equal(t, uint64(15), s.Drops, "data, trimmed or not, in queues and on links")
	require.InDelta(t, 330.0*330/(4*(100*100+50*50+100*100+80*80)), float64(s.Jain), 1e-12)
	require.InDelta(t, 80, float64(s.CCT), 1e-9, "from 0 to 80 us")
	require.InDelta(t, 60, float64(s.CCTBound), 1e-9)
	require.InDelta(t, 1, float64(s.Goodput), 1e-9, "10,000 bytes in 80 us are 1 Gb/s")
	require.InDelta(t, 90, s.SimUs, 1e-9)
	require.Equal(t, []result.SizeBin{
		{Low: 1000, High: 1000, Spread: result.Spread{Flows: 2, Mean: 3, P50: 2, P99: 4, Max: 4}},
		{Low: 4000, High: 4000, Spread: result.Spread{Flows: 2, Mean: 4.5, P50: 4, P99: 5, Max: 5}},
	}, s.Slowdown)
	require.Len(t, s.Unfinished, 1)
	require.Contains(t, s.Unfinished[0], "flow 4 ")
	require.Contains(t, s.Unfinished[0], "17 of 4000 bytes")

	// Two such runs: counters add up, collectives are averaged.
	two := result.Summarise(0, r, r)
	require.Equal(t, uint64(30), two.Drops)
	require.Equal(t, uint64(48), two.ECN)
	require.InDelta(t, 80, float64(two.CCT), 1e-9)
	require.InDelta(t, 1, float64(two.Goodput), 1e-9)
	require.InDelta(t, float64(s.Jain), float64(two.Jain), 1e-12)
	require.Equal(t, result.FCT{Flows: 8, Mean: 30, P50: 20, P99: 50, Max: 50}, two.FCT)
}

// TestDecades: of more than eight sizes bins are decades, their upper ends included.
func TestDecades(t *testing.T) {
	var r result.Result
	for i, bytes := range []int64{1, 2, 10, 11, 100, 101, 5000, 10_000, 10_001, 100_000} {
		r.Flows = append(r.Flows, result.FlowResult{Bytes: bytes, Acked: units.Picos(10 * (i + 1)), Ideal: 10})
	}
	s := result.Summarise(0, &r)
	require.Equal(t, []result.SizeBin{
		{Low: 1, High: 1, Spread: result.Spread{Flows: 1, Mean: 1, P50: 1, P99: 1, Max: 1}},
		{Low: 2, High: 10, Spread: result.Spread{Flows: 2, Mean: 2.5, P50: 2, P99: 3, Max: 3}},
		{Low: 11, High: 100, Spread: result.Spread{Flows: 2, Mean: 4.5, P50: 4, P99: 5, Max: 5}},
		{Low: 101, High: 1000, Spread: result.Spread{Flows: 1, Mean: 6, P50: 6, P99: 6, Max: 6}},
		{Low: 5000, High: 10_000, Spread: result.Spread{Flows: 2, Mean: 7.5, P50: 7, P99: 8, Max: 8}},
		{Low: 10_001, High: 100_000, Spread: result.Spread{Flows: 2, Mean: 9.5, P50: 9, P99: 10, Max: 10}},
	}, s.Slowdown)
	// Eight sizes have a bin each.
	r.Flows = r.Flows[2:]
	require.Len(t, result.Summarise(0, &r).Slowdown, 8)
}

// TestBusiestLink: flows that share a host's link cannot end together before it has
// carried them all, also where each alone is short.
func TestBusiestLink(t *testing.T) {
	s := settings.DefaultSpec()
	s.K = 4
	for name, ends := range map[string][2][2]int32{"receiver": {{1, 0}, {2, 0}}, "sender": {{0, 1}, {0, 2}}} {
		var list []traffic.Message
		for i, e := range ends {
			list = append(list, traffic.Message{Src: e[0], Dst: e[1], Bytes: 5_000_000, Conn: int32(i)})
		}
		r := books(t, s, WithMessages(list), WithCC(cc.FixedWindow(0)))
		packets := (5_000_000 + int64(s.MTU-s.HeaderBytes) - 1) / int64(s.MTU-s.HeaderBytes)
		both := units.Picos(2*(5_000_000+packets*int64(s.HeaderBytes))) * 20
		require.Greater(t, both, r.Flows[0].Ideal*3/2, name)
		require.GreaterOrEqual(t, r.Bound, both, name)
		require.GreaterOrEqual(t, max(r.Flows[0].Acked, r.Flows[1].Acked), r.Bound, name)
	}
}

// TestStartAndPredecessors: a message with both begins at the later of its time and
// the delivery of those it waits for, and the bound knows that.
func TestStartAndPredecessors(t *testing.T) {
	s := settings.DefaultSpec()
	s.K = 4
	at := units.Picos(500 * units.Microsecond)
	list := []traffic.Message{
		{Src: 0, Dst: 5, Bytes: 10_000},
		{Src: 5, Dst: 7, Bytes: 10_000, Conn: 1, After: []int32{0}, Start: int64(at)},
		{Src: 5, Dst: 8, Bytes: 10_000, Conn: 2, After: []int32{0}, Start: 1},
	}
	r := books(t, s, WithMessages(list))
	require.Equal(t, at, r.Flows[1].Start)
	require.Equal(t, r.Flows[0].Delivered, r.Flows[2].Start)
	require.GreaterOrEqual(t, r.Bound, at+r.Flows[1].Ideal-2*units.Microsecond)
	require.LessOrEqual(t, r.Bound, r.Flows[1].Acked)

	sc, err := presets.ParseScenario([]byte("flows:\n- {src: 0, dst: 5, bytes: 10000}\n- {src: 5, dst: 7, bytes: " +
		"10000, after: [0], start_us: 500}\n"))
	require.NoError(t, err)
	require.Equal(t, at, books(t, sc.Spec, WithMessages(sc.Messages)).Flows[1].Start)
}

// TestDepthAgreesWithTheTap: what a sample says of a port is what the tap says of
// it at the next event, and the tap's queues grow and shrink by the packets it names.
func TestDepthAgreesWithTheTap(t *testing.T) {
	p, err := presets.Lookup("dumbbell/2")
	require.NoError(t, err)
	p.Spec.FlowBytes, p.Spec.Stagger = 400_000, 0
	n, err := p.Spec.Layout()
	require.NoError(t, err)
	port, err := n.FindPort("sw0->sw1")
	require.NoError(t, err)
	type look struct {
		at    units.Picos
		bytes int64
	}
	var looks []look
	inside, busy := int64(0), 0
	r := books(t, p.Spec, WithDepth(units.Microsecond, port), WithPortTap(func(ev *net.PortEvent) {
		sum := ev.Queued[net.ClassHigh] + ev.Queued[net.ClassMedium] + ev.Queued[net.ClassLow]
		looks = append(looks, look{ev.Time, sum})
		switch ev.Kind {
		case net.PortArrive:
			require.Equal(t, inside, sum)
			inside += int64(ev.Packet.Size)
		case net.PortDepart: // it has left its queue by now
			inside -= int64(ev.Packet.Size)
			require.Equal(t, inside, sum)
		}
	}, port))
	for _, pt := range r.Depth.Points {
		for len(looks) > 0 && looks[0].at < pt.Time {
			looks = looks[1:]
		}
		if len(looks) == 0 {
			require.Zero(t, pt.Ports[0])
			continue
		}
		if looks[0].at == pt.Time {
			continue // which came first is open
		}
		// The next event is a departure's, its packet out, or an arrival's.
		require.Contains(t, []int64{looks[0].bytes, looks[0].bytes + int64(p.Spec.MTU)}, pt.Ports[0])
		if pt.Ports[0] > 0 {
			busy++
		}
	}
	require.Greater(t, busy, 20)
}

// TestECNCountsPacketsOnce: a packet that is marked by several queues counts once.
func TestECNCountsPacketsOnce(t *testing.T) {
	// Every packet that is delivered with a mark was counted; the same packet was
	// marked more than once now and then.
	p, err := presets.Lookup("fattree128/permutation")
	require.NoError(t, err)
	r := books(t, p.Spec)
	require.Less(t, r.Counters.ECN, r.Counters.ECNMarks)
	require.LessOrEqual(t, r.Counters.ECN, r.Counters.NewPackets+r.Counters.Retransmits)
}
