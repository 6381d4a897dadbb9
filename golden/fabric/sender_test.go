package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// outstanding returns a built network in which connection 0 has sent its first
// eight packets.
func outstanding(t *testing.T) (*sim, *txPDC, uint32) {
	s, err := build(DefaultSpec(), FixedWindow(8*4096))
	require.NoError(t, err)
	s.startFlow(0)
	tx := &s.tx[0]
	for tx.nxt-tx.una < 8 {
		s.now = s.ports[0].freeAt
		s.ports[0].waking = false
		s.hostTransmit(0)
	}
	return s, tx, tx.una
}

func TestNackOnlyForPacketsInFlight(t *testing.T) {
	s, tx, una := outstanding(t)
	// Keep the NIC busy, so that nothing is resent yet.
	s.ports[0].freeAt, s.ports[0].waking = s.now+Microsecond, true
	events := 0
	s.tap = func(ev *TapEvent) bool {
		events++
		require.Equal(t, KindNack, ev.Kind)
		require.Equal(t, una+2, ev.PSN)
		require.Equal(t, int64(4096), ev.Size)
		return true
	}
	nack := packet{kind: pkNack, psn: una + 2, reason: ReasonTrimmed}
	s.onNack(&nack)
	require.Equal(t, 1, events)
	require.Equal(t, int32(1), tx.nmark)

	s.onNack(&nack) // it waits to be resent already
	nack.psn = tx.nxt
	s.onNack(&nack) // never sent
	nack.psn = una - 1
	s.onNack(&nack) // acknowledged long ago
	require.Equal(t, 1, events)
	require.Equal(t, int32(1), tx.nmark)
	require.Equal(t, uint64(3), s.count.NacksStale)
}

// TestTimerAtItsTime: a packet is given up when it has been out for the timeout,
// not a picosecond earlier, and the timer waits for the next oldest.
func TestTimerAtItsTime(t *testing.T) {
	s, tx, una := outstanding(t)
	s.ports[0].freeAt, s.ports[0].waking = 1<<50, true
	first, second := tx.ring[una&tx.mask].time, tx.ring[(una+1)&tx.mask].time
	require.Less(t, first, second)
	lost := 0
	s.tap = func(ev *TapEvent) bool { lost++; return true }
	s.now = first + s.rto - 1
	s.onTimer(0)
	require.Zero(t, lost)
	s.now = first + s.rto
	s.onTimer(0)
	require.Equal(t, 1, lost)
	require.Equal(t, una, tx.lowestMarked())
	s.now = second + s.rto
	s.onTimer(0)
	require.Equal(t, 2, lost)
	require.True(t, tx.armed)
}
