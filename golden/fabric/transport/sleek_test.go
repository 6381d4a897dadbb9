package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// sleekBench returns the sender of outstanding with SLEEK, whose network is gone.
func sleekBench(t *testing.T) (*Sim, *txPDC, *cccState) {
	s, tx, _ := outstanding(t)
	s.spec.Recovery = settings.RecoverSLEEK
	for _, ok := s.wheel.Pop(); ok; _, ok = s.wheel.Pop() {
	}
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true // nothing is resent
	return s, tx, &s.ccc[tx.ccc]
}

// probeTimes plays the probe events of a sender alone until so many probes have
// left, and returns when.
func probeTimes(s *Sim, n int) (out []units.Picos) {
	for len(out) < n {
		e, ok := s.wheel.Pop()
		if !ok {
			return out
		}
		if e.Kind != evProbe {
			continue
		}
		s.wheel.Advance(e.At)
		before := s.count.Probes
		if (sender{s.Hosts}).onProbeTimer(e.Arg); s.count.Probes > before {
			out = append(out, s.Now())
		}
	}
	return out
}

// TestProbeTimes: a probe follows the last ACK by three base RTTs while there is
// data left to send, else by base RTT and target, and another one five base RTTs
// later, also when the ACK that brings it forward finds a later one scheduled.
func TestProbeTimes(t *testing.T) {
	s, tx, c := sleekBench(t)
	at := s.Now()
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	require.Equal(t, []units.Picos{at + 3*c.base, at + 8*c.base, at + 13*c.base}, probeTimes(s, 3))

	s, tx, c = sleekBench(t)
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	s.wheel.Advance(s.Now() + units.Microsecond)
	tx.unsent = 0
	at = s.Now() + c.base + c.target
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	require.Less(t, at, s.Now()-units.Microsecond+3*c.base, "sooner than the one scheduled")
	require.Equal(t, []units.Picos{at, at + 5*c.base, at + 10*c.base}, probeTimes(s, 3), "none twice, none late")
	waiting := 0
	for e, ok := s.wheel.Pop(); ok; e, ok = s.wheel.Pop() {
		if e.Kind == evProbe {
			waiting++
		}
	}
	require.Equal(t, 1, waiting, "the event of the past has no successor")

	// A later ACK puts the probe off.
	s, _, c = sleekBench(t)
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	s.wheel.Advance(s.Now() + units.Microsecond)
	at = s.Now()
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	require.Equal(t, []units.Picos{at + 3*c.base}, probeTimes(s, 1))
}

// TestQuickProbe: the ACK of the newest probe begins a recovery when it took less
// than base RTT and target, that of an older one never does.
func TestQuickProbe(t *testing.T) {
	for _, c := range []struct {
		behind uint32      // how many probes ago
		late   units.Picos // beyond base RTT and target
		want   uint64
	}{{0, -1, 1}, {0, 0, 0}, {0, units.Microsecond, 0}, {1, -1, 0}} {
		s, tx, ctx := sleekBench(t)
		tx.sleek.probe, tx.sleek.sent = 7, s.Now()
		s.wheel.Advance(s.Now() + ctx.base + ctx.target + c.late)
		sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck, Flags: net.FlagProbe, PSN: 7 - c.behind})
		require.Equal(t, c.want, s.count.Recoveries, "%+v", c)
	}
}

// TestOneRecoveryAtATime: no recovery begins within another, nor while packets wait
// to be resent; it ends when all that was sent before it is acknowledged.
func TestOneRecoveryAtATime(t *testing.T) {
	s, tx, c := sleekBench(t)
	una := tx.una
	s.wheel.Advance(s.Now() + c.base + c.target)
	gap := &net.Packet{Kind: net.PacketAck, OOO: 60_000}
	sender{s.Hosts}.runSleek(0, gap)
	require.Equal(t, uint64(1), s.count.Recoveries)
	require.True(t, tx.sleek.inMode)
	require.Equal(t, una+8, tx.sleek.recovery)
	require.Equal(t, int32(8), tx.nmark, "all eight have been out for long")
	sender{s.Hosts}.runSleek(0, gap)
	require.Equal(t, uint64(1), s.count.Recoveries, "while it lasts")

	tx.nmark = 0
	sender{s.Hosts}.runSleek(0, gap)
	require.Equal(t, uint64(1), s.count.Recoveries, "it lasts, though nothing waits")

	tx.nxt = una + 20
	tx.una = una + 7
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	require.True(t, tx.sleek.inMode)
	tx.una = una + 8
	sender{s.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck})
	require.False(t, tx.sleek.inMode, "all of it is acknowledged")

	tx.nmark = 1
	sender{s.Hosts}.runSleek(0, gap)
	require.Equal(t, uint64(1), s.count.Recoveries, "a packet waits to be resent")
	tx.nmark = 0
	sender{s.Hosts}.runSleek(0, gap)
	require.Equal(t, uint64(2), s.count.Recoveries)
}
