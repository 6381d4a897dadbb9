package hpcc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// hop is a stamp at 100 Gb/s: us, bytes, bytes.
func hop(ts, tx, q float64) Hop { return Hop{Rate: 100, TS: ts * 1000, Tx: tx, Queue: q} }

// The worked examples of congestion-control.md, section 6, are scenarios of package play.

// TestFixedPoint: n flows settle at U* = eta + n W_AI/(B T) = 0.95 + 0.05 n/N_cfg: 0.975 for one flow, 1 for two, and
// 1.05, a standing queue of 5 % of the bandwidth-delay product, for four, at N_cfg 2.
func TestFixedPoint(t *testing.T) {
	for _, kind := range []Kind{HPCC, FNCC} {
		for n, want := range map[int]float64{1: 0.975, 2: 1, 4: 1.05} {
			s := DefaultSpec(kind, 100, 12.5)
			f := NewState(&s)
			ts, tx := 0.0, 0.0
			for i := range 4000 {
				// All flows alike: what is in flight beyond the pipe stands in the queue.
				total := float64(n) * f.W()
				queue := max(0, total-156250)
				ts += 0.5
				tx += min(1, total/156250) * 6250
				f.OnAck(&s, Ack{Now: ts, Seq: int64(i), Next: int64(i) + 25, Hops: []Hop{hop(ts, tx, queue)}})
			}
			require.InDelta(t, want, f.U(), 0.002, "%v, %d flows", kind, n)
			require.InDelta(t, want*156250/float64(n), f.W(), 0.01*156250, "%v, %d flows", kind, n)
		}
	}
}

// TestWire: the wire's fields are taken apart and come round: rates, 2^24 ns, 2^20 units of 128 bytes, units of 80.
func TestWire(t *testing.T) {
	pack := func(code, ts, tx, q uint64) []uint64 { return []uint64{code<<60 | ts<<36 | tx<<16 | q} }
	f := State{}
	hops, ok := f.unpack(pack(2, 16777200, 1048575, 65535))
	require.True(t, ok)
	require.Equal(t, []Hop{{Rate: 100, TS: 16777200, Tx: 1048575 * 128, Queue: 65535 * 80}}, hops)
	for code, rate := range rates {
		hops, _ = f.unpack(pack(uint64(code), 0, 0, 0))
		require.Equal(t, rate, hops[0].Rate)
	}
	_, ok = f.unpack(pack(6, 0, 0, 0))
	require.False(t, ok)

	s := DefaultSpec(HPCC, 100, 12.5)
	f = NewState(&s)
	require.Equal(t, None, f.OnAck(&s, Ack{}), "no telemetry")
	require.Equal(t, None, f.OnAck(&s, Ack{Wire: pack(15, 1, 1, 1)}))
	require.Equal(t, First, f.OnAck(&s, Ack{Now: 10, Next: 9, Wire: pack(2, 16777200, 1048575, 65535)}))
	require.Equal(t, Multiply, f.OnAck(&s, Ack{Now: 10.5, Seq: 1, Next: 9, Wire: pack(2, 484, 47, 1)}))
	// 500 ns and 6144 bytes apart, 80 bytes waiting: u = 80/156250 + 6144*8/500/100 = 0.983552
	require.InDelta(t, 0.96+0.04*0.983552, f.U(), 1e-9)
}

// TestStale: a pause of more than half the shorter turn makes the next ACK the first again; at 800 Gb/s bytes come
// round in 1.3 ms, at 100 in 10.7. Exact telemetry has no turn.
func TestStale(t *testing.T) {
	for code, half := range map[uint64]float64{2: 5368.70912, 5: 671.08864} {
		for _, late := range []float64{-0.01, 0.01} {
			s := DefaultSpec(HPCC, 100, 12.5)
			f := NewState(&s)
			f.OnAck(&s, Ack{Now: 10, Wire: []uint64{code << 60}})
			did := f.OnAck(&s, Ack{Now: 10 + half + late, Seq: 1, Wire: []uint64{code<<60 | 5<<36}})
			require.Equal(t, late > 0, did == First, "%d %v", code, late)
		}
	}
	s := DefaultSpec(HPCC, 100, 12.5)
	f := NewState(&s)
	f.OnAck(&s, Ack{Now: 10, Hops: []Hop{hop(0, 0, 0)}})
	require.Equal(t, Add, f.OnAck(&s, Ack{Now: 1e6, Hops: []Hop{hop(1e6, 1e9, 0)}}))
	require.Equal(t, First, f.OnAck(&s, Ack{Now: 1e6, Hops: []Hop{hop(1e6, 1e9, 0), hop(0, 0, 0)}}), "another path")
}

// TestLHCS: it fires above 1.05, for the last hop alone, ties included; the flow count divides; the rate term counts at
// most 1 unless raw; a hop without time keeps its v; the window stays within its bounds.
func TestLHCS(t *testing.T) {
	s := DefaultSpec(LHCS, 100, 12.5)
	fire := func(s Spec, flows float64, before, now []Hop) (Action, float64) {
		f := NewState(&s)
		require.Equal(t, First, f.OnAck(&s, Ack{Next: 9, Hops: before}))
		did := f.OnAck(&s, Ack{Seq: 20, Next: 30, Hops: now, Flows: flows})
		return did, f.W()
	}
	one := func(q float64) []Hop { return []Hop{hop(0, 0, q)} }
	did, w := fire(s, 3, one(7813), []Hop{hop(1.25, 15625, 9000)})
	require.Equal(t, LastHop, did)
	require.InDelta(t, 156250*0.9/3, w, 1e-9)
	did, _ = fire(s, 3, one(7812), []Hop{hop(1.25, 15625, 9000)})
	require.Equal(t, Multiply, did, "the smaller queue counts, and 1.05 is not above")
	_, w = fire(s, 0, one(9000), []Hop{hop(1.25, 15625, 9000)})
	require.InDelta(t, 156250*0.9, w, 1e-9, "at least one flow")
	_, w = fire(s, 1000, one(9000), []Hop{hop(1.25, 15625, 9000)})
	require.InDelta(t, 156.25, w, 1e-9, "100 Mb/s")
	fast := []Hop{hop(1.25, 20000, 0)}
	did, _ = fire(s, 1, one(0), fast)
	require.Equal(t, Multiply, did)
	at := s
	at.Fire = 1
	did, _ = fire(at, 1, one(0), fast)
	require.Equal(t, Multiply, did, "at the threshold it does not fire")
	s.Raw = true
	did, _ = fire(s, 1, one(0), fast)
	require.Equal(t, LastHop, did, "raw, a burst of two packets fires without a queue")
	s.Raw = false
	did, _ = fire(s, 1, []Hop{hop(0, 0, 9000), hop(0, 0, 9000)}, []Hop{hop(1.25, 15625, 9000), hop(1.25, 15625, 9000)})
	require.Equal(t, LastHop, did, "first on ties")
	did, _ = fire(s, 1, []Hop{hop(5, 0, 90000)}, []Hop{hop(5, 0, 90000)})
	require.NotEqual(t, LastHop, did, "no time, v is 0 still")
	f := NewState(&s)
	f.OnAck(&s, Ack{Hops: one(90000)})
	require.Equal(t, LastHop, f.OnAck(&s, Ack{Seq: 1, Hops: []Hop{hop(1.25, 15625, 90000)}}))
	require.Equal(t, LastHop, f.OnAck(&s, Ack{Seq: 2, Hops: []Hop{hop(1.25, 15625, 0)}}), "keeps its v")
	plain := DefaultSpec(FNCC, 100, 12.5)
	did, _ = fire(plain, 3, one(90000), []Hop{hop(1.25, 15625, 90000)})
	require.Equal(t, Multiply, did)
}

func TestSpec(t *testing.T) {
	for _, kind := range []Kind{HPCC, FNCC, LHCS} {
		s := DefaultSpec(kind, 100, 12.5)
		require.NoError(t, s.Validate())
		f := NewState(&s)
		require.Equal(t, 100.0, f.Rate(&s))
		require.Equal(t, 1.0, f.U())
		for _, edit := range []func(*Spec){
			func(s *Spec) { s.Eta = 1 }, func(s *Spec) { s.Flows = 0 }, func(s *Spec) { s.MinGbps = 101 },
			func(s *Spec) { s.RTT = math.NaN() },
		} {
			bad := s
			edit(&bad)
			require.ErrorContains(t, bad.Validate(), "hpcc spec: ")
		}
		s.Flows = 2.5
		require.EqualError(t, s.Validate(), "hpcc spec: n_cfg = 2.5: want a whole number, from 1 to 1e+06")
		require.EqualError(t, param.Set(s.Fields(), "n_cfg", 2.5), "n_cfg = 2.5: want a whole number, from 1 to 1e+06")
	}
	require.Equal(t, "LHCS", LastHop)
}
