package sack

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSamePlace: two packets whose numbers fall on one place are both outstanding, also the packet of number 0, which
// is what a free place looks like.
func TestSamePlace(t *testing.T) {
	var b Board
	for i, psn := range []uint32{0, 64, 1 << 20} {
		b.Sent(psn, float64(i))
		require.Equal(t, i+1, b.Outstanding())
	}
	for i, psn := range []uint32{0, 64, 1 << 20} {
		at, ok := b.SentAt(psn)
		require.True(t, ok, psn)
		require.Equal(t, float64(i), at)
	}
	require.Equal(t, []uint32{0, 64, 1 << 20}, b.InFlight(nil))
	require.False(t, b.Acked(128))
	at, ok := b.SentAt(128)
	require.False(t, ok)
	require.Zero(t, at)
}

// TestThirdArrival: the packet that was sent before the third latest of those that have arrived is a hole.
func TestThirdArrival(t *testing.T) {
	var b Board
	for psn := range uint32(6) {
		b.Sent(psn, 0)
	}
	b.Acked(5)
	b.Acked(1)
	b.Acked(4)
	require.Equal(t, []uint32{0}, b.Find(nil), "only 0 was sent before 1")
	b.Acked(3)
	require.Equal(t, []uint32{2}, b.Find(nil))
}

// TestScan: a time on a multiple of the scan stays, another goes to the next one.
func TestScan(t *testing.T) {
	r := NewRTO(0, 30)
	r.Scan = 10
	r.Restart(20)
	require.Equal(t, 50.0, r.Due)
	r.Restart(21)
	require.Equal(t, 60.0, r.Due)
}

// TestRestartAfterRest: the count of expiries ends with an ACK, and the timer, which had stopped after 24, runs again.
func TestRestartAfterRest(t *testing.T) {
	r := NewRTO(0, 30)
	r.Restart(0)
	for range 23 {
		r.Expire(0)
	}
	require.Equal(t, 30.0*64, r.Due)
	r.Expire(0)
	require.Equal(t, Never, r.Due)
	r.Acked(100, 1)
	require.Equal(t, 130.0, r.Due)
	require.Zero(t, r.Expired)
}
