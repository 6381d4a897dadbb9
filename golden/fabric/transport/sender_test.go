package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// outstanding returns a built network in which connection 0 has sent its first
// eight packets.
func outstanding(t *testing.T) (*Sim, *txPDC, uint32) {
	s, err := Build(settings.DefaultSpec(), Options{Only: cc.FixedWindow(8 * 4096)})
	require.NoError(t, err)
	sender{s.Hosts}.startFlow(0)
	tx := &s.tx[0]
	for tx.nxt-tx.una < 8 {
		s.wheel.Advance(s.net.Ports[0].FreeAt)
		s.net.Ports[0].Waking = false
		s.Transmit(0)
	}
	return s, tx, tx.una
}

func TestNackOnlyForPacketsInFlight(t *testing.T) {
	s, tx, una := outstanding(t)
	// Keep the NIC busy, so that nothing is resent yet.
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = s.Now()+units.Microsecond, true
	events := 0
	s.tap = func(ev *cc.Event) bool {
		events++
		require.Equal(t, cc.KindNack, ev.Kind)
		require.Equal(t, una+2, ev.PSN)
		require.Equal(t, int64(4096), ev.Size)
		return true
	}
	nack := net.Packet{Kind: net.PacketNack, PSN: una + 2, Reason: cc.ReasonTrimmed}
	sender{s.Hosts}.onNack(&nack)
	require.Equal(t, 1, events)
	require.Equal(t, int32(1), tx.nmark)

	sender{s.Hosts}.onNack(&nack) // it waits to be resent already
	nack.PSN = tx.nxt
	sender{s.Hosts}.onNack(&nack) // never sent
	nack.PSN = una - 1
	sender{s.Hosts}.onNack(&nack) // acknowledged long ago
	require.Equal(t, 1, events)
	require.Equal(t, int32(1), tx.nmark)
	require.Equal(t, uint64(3), s.count.NacksStale)
}

// TestTimerAtItsTime: a packet is given up when it has been out for the timeout,
// not a picosecond earlier, and the timer waits for the next oldest.
func TestTimerAtItsTime(t *testing.T) {
	s, tx, una := outstanding(t)
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true
	first, second := tx.ring[una&tx.mask].time, tx.ring[(una+1)&tx.mask].time
	require.Less(t, first, second)
	lost := 0
	s.tap = func(ev *cc.Event) bool { lost++; return true }
	s.wheel.Advance(first + s.rto - 1)
	sender{s.Hosts}.onTimer(0)
	require.Zero(t, lost)
	s.wheel.Advance(first + s.rto)
	sender{s.Hosts}.onTimer(0)
	require.Equal(t, 1, lost)
	require.Equal(t, una, tx.lowestMarked())
	s.wheel.Advance(second + s.rto)
	sender{s.Hosts}.onTimer(0)
	require.Equal(t, 2, lost)
	require.True(t, tx.armed)
}

// TestTimerAfterRecovery: timeouts in a row stretch the next; an ACK ends the row,
// and the timer waits no longer than the plain timeout of the oldest packet. The
// stretched one of the past does nothing when it comes.
func TestTimerAfterRecovery(t *testing.T) {
	s, tx, una := outstanding(t)
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true // nothing is resent
	for e, ok := s.wheel.Pop(); ok; e, ok = s.wheel.Pop() {
		_ = e // the network is gone
	}
	s.tap = func(ev *cc.Event) bool { return true }
	rto := s.ccc[0].rto
	// Six timeouts in a row, then a packet sent late.
	tx.tries, tx.tryAt = 6, s.Now()+rto<<5
	last := tx.nxt - 1
	tx.ring[last&tx.mask].time = s.Now()
	sender{s.Hosts}.arm(0, s.Now()+rto<<5)
	stretched := tx.timer
	for psn := una; psn != last-1; psn++ {
		tx.ring[psn&tx.mask].time = s.Now()
	}
	s.wheel.Advance(s.Now() + units.Microsecond)
	k := s.net.Pool.Alloc()
	*s.net.Pool.At(k) = net.Packet{Kind: net.PacketAck, Cum: una + 1}
	sender{s.Hosts}.onAck(k)
	require.Zero(t, tx.tries)
	require.Zero(t, tx.tryAt, "the next timeout counts")
	require.True(t, tx.armed)
	oldest := tx.ring[(last-1)&tx.mask].time
	require.Equal(t, oldest+rto, tx.timer)
	var fired []units.Picos
	losses := s.count.InferredLosses
	for e, ok := s.wheel.Pop(); ok && e.At <= stretched; e, ok = s.wheel.Pop() {
		if e.Kind == evTimer {
			s.wheel.Advance(e.At)
			if (sender{s.Hosts}).onTimer(e.Arg); s.count.InferredLosses != losses {
				losses = s.count.InferredLosses
				fired = append(fired, e.At)
			}
		}
	}
	require.Equal(t, oldest+rto, fired[0])
	require.Less(t, fired[len(fired)-1], stretched)
}

// TestLateAnswerRevives: a connection that has given up and hears an answer after
// all goes on, and its timer with it.
func TestLateAnswerRevives(t *testing.T) {
	s, tx, una := outstanding(t)
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true
	tx.tries, tx.armed = maxTries+1, false
	require.False(t, tx.hasWork())
	k := s.net.Pool.Alloc()
	*s.net.Pool.At(k) = net.Packet{Kind: net.PacketAck, Cum: una + 1}
	sender{s.Hosts}.onAck(k)
	require.True(t, tx.hasWork())
	require.True(t, tx.armed)
}
