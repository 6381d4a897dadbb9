package hpcc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/telemetry"
)

// TestDefaults are those of congestion-control.md, section 6, and what package telemetry is given of them.
func TestDefaults(t *testing.T) {
	for _, kind := range []Kind{HPCC, FNCC, LHCS} {
		s := DefaultSpec(kind, 100, 12.5)
		require.Equal(t, Spec{
			Kind: kind, Gbps: 100, RTT: 12.5, Eta: 0.95, MaxStage: 5, Flows: 2, MinGbps: 0.1, Fire: 1.05, Share: 0.9,
		}, s)
		want := telemetry.FNCC
		if kind == HPCC {
			want = telemetry.HPCC
		}
		got, spec := s.rules()
		require.Equal(t, want, got)
		require.Equal(t, telemetry.Spec{
			RTT: 12_500, Eta: [2]int64{9500, 10_000}, MaxStage: 5, Flows: 2, FloorMbitS: 100,
		}, spec)
		s.ScalarU, s.MinGbps, s.RTT, s.Eta = true, 25, 100, 0.5
		got, spec = s.rules()
		require.Equal(t, telemetry.HPCC, got)
		require.Equal(t, []int64{25_000, 100_000, 5000}, []int64{spec.FloorMbitS, spec.RTT, spec.Eta[0]})
	}
}

// TestStages: five additive steps of W_AI, a multiplicative one, and so on; each waits for what was sent at the last.
func TestStages(t *testing.T) {
	s := DefaultSpec(HPCC, 100, 12.5)
	f := NewState(&s)
	require.Equal(t, First, f.OnAck(&s, Ack{Next: 10, Hops: []Hop{hop(0, 0, 0)}}))
	f.flow.Wc, f.flow.U[0] = 50_000, 0.5
	for i := range 12 {
		ts := float64(i+1) * 12.5 // a whole T at half the rate: U is 0.5
		wc := f.flow.Wc
		did := f.OnAck(&s, Ack{Seq: int64(i+1) * 20, Next: int64(i+1)*20 + 1, Hops: []Hop{hop(ts, ts*6250, 0)}})
		require.InDelta(t, 0.5, f.U(), 1e-12)
		if i%6 == 5 {
			require.Equal(t, Multiply, did, i)
			require.InDelta(t, min(wc*0.95/0.5+3906.25, 156_250), f.W(), 1e-6)
			f.flow.Wc = 50_000
			continue
		}
		require.Equal(t, Add, did, i)
		require.InDelta(t, wc+3906.25, f.W(), 1e-6)
		require.Equal(t, f.W(), f.flow.Wc)
	}
	require.InDelta(t, f.W()/12.5/125, f.Rate(&s), 1e-12)
}

// TestFlowsThatShareTheHop: the window of LHCS is a share of the hop's own rate, within the bounds of the sender's.
func TestFlowsThatShareTheHop(t *testing.T) {
	s := DefaultSpec(LHCS, 100, 12.5)
	f := NewState(&s)
	at := func(ts, tx, q float64) []Hop { return []Hop{{Rate: 400, TS: ts * 1000, Tx: tx, Queue: q}} }
	f.OnAck(&s, Ack{Next: 9, Hops: at(0, 0, 90_000)})
	f.flow.Stage = 3
	require.Equal(t, LastHop, f.OnAck(&s, Ack{Seq: 20, Next: 30, Hops: at(1.25, 62_500, 90_000), Flows: 2}))
	require.Equal(t, 156_250.0, f.W(), "0.9 of 400 Gb/s for two is more than the link")
	require.Zero(t, f.flow.Stage)
	require.Equal(t, LastHop, f.OnAck(&s, Ack{Seq: 40, Next: 50, Hops: at(2.5, 125_000, 90_000), Flows: 8}))
	require.InDelta(t, 625_000*0.9/8, f.W(), 1e-9)
	require.Equal(t, f.W(), f.flow.Wc)
}

// TestAnotherPathForgetsV: v of the path before plays no part.
func TestAnotherPathForgetsV(t *testing.T) {
	s := DefaultSpec(LHCS, 100, 12.5)
	f := NewState(&s)
	f.OnAck(&s, Ack{Hops: []Hop{hop(0, 0, 90_000)}})
	require.Equal(t, LastHop, f.OnAck(&s, Ack{Seq: 1, Hops: []Hop{hop(1.25, 15_625, 90_000)}}))
	require.Equal(t, First, f.OnAck(&s, Ack{Seq: 2, Hops: []Hop{hop(0, 0, 0), hop(0, 0, 0)}}))
	require.Empty(t, f.V)
	require.Equal(t, First, f.OnAck(&s, Ack{Seq: 3, Hops: []Hop{hop(5, 0, 0)}}))
	require.NotEqual(t, LastHop, f.OnAck(&s, Ack{Seq: 4, Hops: []Hop{hop(5, 0, 0)}}), "no time, and v is 0")
}

// TestWireTurns: times and bytes that come round between two ACKs, for LHCS too.
func TestWireTurns(t *testing.T) {
	s := DefaultSpec(LHCS, 100, 12.5)
	pack := func(ts, tx, q uint64) []uint64 { return []uint64{2<<60 | ts<<36 | tx<<16 | q} }
	f := NewState(&s)
	f.OnAck(&s, Ack{Now: 1, Wire: pack(16_777_000, 1_048_500, 200)})
	// 1024 ns and 100 units of 128 bytes later: rate 1, and 16000 bytes of 156250 wait: v 1.1024.
	require.Equal(t, LastHop, f.OnAck(&s, Ack{Now: 2, Seq: 1, Wire: pack(808, 24, 200)}))
	require.InDelta(t, 16_000./156_250+1, f.V[0], 1e-12)
	s.Raw = true
	f = NewState(&s)
	f.OnAck(&s, Ack{Now: 1, Wire: pack(16_777_000, 1_048_500, 200)})
	f.OnAck(&s, Ack{Now: 2, Seq: 1, Wire: pack(1832, 24, 300)})
	require.InDelta(t, 16_000./156_250+12_800*8./2048/100, f.V[0], 1e-12)
}
