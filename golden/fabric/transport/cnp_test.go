package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// marks plays marked packets of one connection at given times to its receiver, and returns when
// CNPs left it.
func marks(t *testing.T, at ...units.Picos) (sent []units.Picos) {
	t.Helper()
	s := alone(1)
	s.CC = "dcqcn"
	n, err := Build(s, Options{})
	require.NoError(t, err)
	const gap = 50 * units.Microsecond
	require.Equal(t, units.Picos(gap), n.ccc[0].cnpGap)
	for {
		next := units.Picos(1 << 60)
		e, ok := n.wheel.Pop()
		for ok && e.Kind != evNotify {
			e, ok = n.wheel.Pop()
		}
		if ok {
			next = e.At
		}
		for len(at) > 0 && at[0] < next {
			n.wheel.Advance(at[0])
			before := n.count.CNPs
			receiver{n.Hosts}.onMark(&net.Packet{PDC: 0, PSN: uint32(len(at))}, gap)
			if n.count.CNPs > before {
				sent = append(sent, n.Now())
			}
			at = at[1:]
			if !ok { // an interval may have been armed
				break
			}
		}
		if !ok && len(at) == 0 && !n.wheel.Busy() {
			return sent
		}
		if ok {
			n.wheel.Advance(e.At)
			receiver{n.Hosts}.onNotify(e.Arg)
			sent = append(sent, n.Now())
		}
	}
}

// TestCNPIntervals: the first marked packet brings a CNP at once; marks within 50 us after it
// bring one at their end, which begins another interval; a mark after a quiet interval brings one
// at once again.
func TestCNPIntervals(t *testing.T) {
	us := units.Microsecond
	require.Equal(t, []units.Picos{3 * us}, marks(t, 3*us))
	require.Equal(t, []units.Picos{3 * us, 53 * us}, marks(t, 3*us, 10*us, 20*us, 52*us))
	require.Equal(t, []units.Picos{3 * us, 53 * us, 103 * us}, marks(t, 3*us, 10*us, 60*us, 61*us))
	require.Equal(t, []units.Picos{3 * us, 53 * us, 110 * us}, marks(t, 3*us, 10*us, 110*us))
	require.Equal(t, []units.Picos{3 * us, 53 * us}, marks(t, 3*us, 53*us), "the end of the interval is a new one")
	require.Equal(t, []units.Picos{3 * us, 99 * us, 149 * us}, marks(t, 3*us, 99*us, 100*us))
}

// TestCNPsOnTheWay: CNPs go to senders that need them and no others, not more often than one in
// 50 us for each connection, and are accounted for.
func TestCNPsOnTheWay(t *testing.T) {
	s := congested(t)
	s.FlowBytes = 5_000_000
	last := map[int32]units.Picos{}
	n, capped := uint64(0), 0
	r := books(t, s, WithTap(func(ev *cc.Event) bool {
		if ev.Kind == cc.KindCNP {
			n++
			if at, ok := last[ev.NIC]; ok {
				// Behind a packet under way a CNP may be late, and the next on time.
				require.GreaterOrEqual(t, ev.Time-at, 49*units.Microsecond)
			}
			last[ev.NIC] = ev.Time
			if ev.Out.Rate < 100 {
				capped++
			}
		}
		return true
	}))
	require.Len(t, last, 2, "both senders")
	require.Equal(t, n, r.Counters.CNPs)
	require.Equal(t, n, r.Counters.CNPsArrived)
	require.Greater(t, n, uint64(4))
	require.NotZero(t, capped)

	s.CC = ""
	require.Zero(t, books(t, s).Counters.CNPs, "NSCC needs none")
	s.CCHosts = map[int32]string{0: "dcqcn"}
	r = books(t, s, WithTap(func(ev *cc.Event) bool {
		require.False(t, ev.Kind == cc.KindCNP && ev.NIC != 0)
		return true
	}))
	require.NotZero(t, r.Counters.CNPs)
}

// TestDCQCNConverges: two flows with DCQCN share a link of 100 Gb/s. After the first 20 ms, which
// the deep cuts of the start cost, each has half of it within a tenth and together they fill it,
// with no packet lost and the queue of DCQCN's fixed point.
func TestDCQCNConverges(t *testing.T) {
	s := congested(t)
	s.FlowBytes, s.MaxTime = 1<<31, 100*units.Millisecond
	const from = 20 * units.Millisecond
	var carried [2]float64 // bits by flow
	layout, err := s.Layout()
	require.NoError(t, err)
	port := layout.Ports[2].Rev // in front of the receiver
	queued, samples := 0.0, 0.0
	r := run(t, s, WithPortTap(func(ev *net.PortEvent) {
		if ev.Kind == net.PortDepart && ev.Time >= from && ev.Packet.Kind == net.PacketData {
			carried[ev.Packet.Flow] += float64(ev.Packet.Size) * 8
			queued += float64(ev.Queued[net.ClassLow])
			samples++
		}
	}, port))
	seconds := float64(s.MaxTime-from) / 1e12
	a, b := carried[0]/seconds/1e9, carried[1]/seconds/1e9
	t.Logf("%.1f and %.1f Gb/s, mean queue %.1f KB, %d marks, %d CNPs", a, b, queued/samples/1e3, r.Counters.ECN,
		r.Counters.CNPs)
	require.InDelta(t, 1, a/b, 0.1)
	require.Greater(t, a+b, 95.0)
	require.Less(t, a+b, 100.0001)
	require.Zero(t, r.Counters.Pauses)
	require.Zero(t, r.Counters.DataDrops+r.Counters.Trims)
	require.InDelta(t, 16.5e3, queued/samples, 8.25e3, "the fixed point of two flows, give or take half of it")
}
