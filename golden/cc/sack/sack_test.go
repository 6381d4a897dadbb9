package sack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExample: samples 10, 10, 18 give srtt 11, var 4.8125, rto 30.25 (congestion-control.md, section 0).
func TestExample(t *testing.T) {
	r := NewRTO(0, 37.5)
	require.Equal(t, 37.5, r.Value(), "before a sample")
	for _, s := range []float64{10, 10, 18} {
		r.Sample(s)
	}
	require.Equal(t, 11.0, r.Srtt)
	require.Equal(t, 4.8125, r.Var)
	require.Equal(t, 30.25, r.Value())
	r.Min = 100
	require.Equal(t, 100.0, r.Value())
}

// TestTimer: the timeout doubles up to 64 times, ends its doublings with an ACK of new data, is idle when nothing is
// outstanding, keeps to the multiples of a scan, and stops after 24 expiries.
func TestTimer(t *testing.T) {
	r := NewRTO(100, 30)
	require.Equal(t, Never, r.Due)
	r.Restart(5)
	require.Equal(t, 35.0, r.Due)
	for i, want := range []float64{60, 120, 240, 480, 960, 1920, 1920} {
		r.Expire(0)
		require.Equal(t, want, r.Due, i)
	}
	r.Acked(7, 1)
	require.Equal(t, 37.0, r.Due)
	r.Acked(8, 0)
	require.Equal(t, Never, r.Due)
	r.Scan = 25
	r.Restart(8)
	require.Equal(t, 50.0, r.Due)
	for range maxExpired {
		require.NotEqual(t, Never, r.Due)
		r.Expire(0)
	}
	require.Equal(t, Never, r.Due)
}

// TestHoles: a packet is a hole once three packets sent after it have arrived, each is reported once, and a packet sent
// again is judged by its own place.
func TestHoles(t *testing.T) {
	var b Board
	for psn := range uint32(8) {
		b.Sent(psn-3, 1) // across the wrap
	}
	require.True(t, b.Acked(0))
	require.True(t, b.Acked(1))
	require.Empty(t, b.Find(nil), "two are not enough")
	require.False(t, b.Acked(1), "a second acknowledgement is no further arrival")
	require.Empty(t, b.Find(nil))
	b.Acked(2)
	wrap := ^uint32(0)
	require.Equal(t, []uint32{wrap - 2, wrap - 1, wrap}, b.Find(nil))
	require.Empty(t, b.Find(nil))
	require.True(t, b.IsHole(wrap))
	require.False(t, b.IsHole(3))
	require.Equal(t, []uint32{3, 4}, b.InFlight(nil))
	b.Lost(wrap)
	require.False(t, b.IsHole(wrap))
	b.Sent(wrap, 2)
	at, ok := b.SentAt(wrap)
	require.True(t, ok)
	require.Equal(t, 2.0, at)
	b.Acked(3)
	b.Acked(4)
	require.Empty(t, b.Find(nil), "nothing sent after the resend has arrived")
	for psn := range uint32(3) {
		b.Sent(10+psn, 3)
		b.Acked(10 + psn)
	}
	require.Equal(t, []uint32{wrap}, b.Find(nil))
	require.Equal(t, 3, b.Outstanding())
	b.Acked(wrap)
	b.Acked(wrap - 1)
	b.Acked(wrap - 2)
	require.Zero(t, b.Outstanding())
	_, ok = b.SentAt(wrap)
	require.False(t, ok)
}

// TestAgainstTwin: random sends, arrivals and losses against a list that is searched.
func TestAgainstTwin(t *testing.T) {
	type packet struct {
		psn         uint32
		order       int
		known, lost bool
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var b Board
		var all []packet
		var arrived []int
		nxt, orders := uint32(r.Uint64()), 0
		for range 400 {
			switch i := r.IntN(max(1, len(all))); {
			case r.IntN(3) == 0 || len(all) == 0:
				orders++
				all = append(all, packet{psn: nxt, order: orders})
				b.Sent(nxt, 0)
				nxt++
			case r.IntN(4) == 0 && all[i].known:
				orders++
				all[i].order, all[i].known, all[i].lost = orders, false, false
				b.Sent(all[i].psn, 0)
			case r.IntN(2) == 0:
				require.True(t, b.Acked(all[i].psn))
				arrived = append(arrived, all[i].order)
				all = slices.Delete(all, i, i+1)
			}
			var want []uint32
			slices.SortFunc(all, func(a, b packet) int { return a.order - b.order })
			for i := range all {
				later := 0
				for _, o := range arrived {
					if o > all[i].order {
						later++
					}
				}
				if later >= 3 && !all[i].known {
					all[i].known = true
					want = append(want, all[i].psn)
				}
			}
			require.Equal(t, want, b.Find(nil))
			require.Equal(t, len(all), b.Outstanding())
		}
	}
}
