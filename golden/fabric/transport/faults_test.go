package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestFailedHostLink: what a host whose link has failed is given to send is
// dropped, not kept: no packet is left inside, and every one is accounted for.
func TestFailedHostLink(t *testing.T) {
	for _, rec := range []settings.Recovery{settings.RecoverRTO, settings.RecoverSLEEK} {
		s := small(settings.Permutation)
		s.ServiceTime, s.Recovery = 30*units.Microsecond, rec // ACKs are under way when the link fails
		s.FlowBytes = 1_000_000
		require.NoError(t, s.Set("fail.links", "host5-tor1@15"))
		drops := uint64(0)
		r := run(t, s, WithPortTap(func(ev *net.PortEvent) {
			if ev.Kind == net.PortDrop {
				drops++
				require.NotEqual(t, net.PacketData, ev.Packet.Kind)
				require.Zero(t, ev.Queued)
			}
		}, 5))
		require.NotZero(t, drops)
		require.GreaterOrEqual(t, r.Counters.CtlDrops, drops)
		require.Zero(t, r.DataInside+r.CtlInside, "packets inside")
		require.Len(t, r.Unfinished(), 2)
		r.Stopped = true
		require.NoError(t, r.Verify())
	}
}

// TestTapSeesFlushedPackets: at every port of a switch, also one whose link fails,
// what arrived departed or was dropped.
func TestTapSeesFlushedPackets(t *testing.T) {
	s := settings.DefaultSpec()
	s.FlowBytes, s.Oversub, s.FailProb, s.FailAt, s.Seed = 1_000_000, 2, 0.1, 30*units.Microsecond, 3
	inside := map[int32]int{}
	flushed := 0
	r := run(t, s, WithPortTap(func(ev *net.PortEvent) {
		switch ev.Kind {
		case net.PortArrive:
			inside[ev.Port]++
		case net.PortDrop:
			inside[ev.Port]--
			if ev.Time == s.FailAt {
				flushed++
			}
		case net.PortDepart:
			inside[ev.Port]--
		}
	}))
	r.Stopped = true // a rack may be cut off
	require.NoError(t, r.Verify())
	require.NotZero(t, flushed, "queues in front of failing links were not empty")
	for port, n := range inside {
		require.Zero(t, n, "port %d", port)
	}
}

// TestProbesAreSteered: where switches choose the path of data they choose that
// of probes, and probes leave a connection's recycled entropies alone.
func TestProbesAreSteered(t *testing.T) {
	adaptive := settings.DefaultSpec()
	adaptive.LB, adaptive.Recovery = lb.AR, settings.RecoverSLEEK
	s, err := Build(adaptive, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	sender{s.Hosts}.startFlow(0)
	s.wheel.Advance(s.Now() + units.Millisecond)
	s.tx[0].nxt++ // something is outstanding
	sender{s.Hosts}.scheduleProbe(0)
	before := int32(s.net.Pool.Len())
	sender{s.Hosts}.onProbeTimer(0)
	require.Equal(t, uint64(1), s.count.Probes)
	probe := *s.net.Pool.At(before)
	require.Equal(t, net.PacketProbe, probe.Kind)
	require.NotZero(t, probe.Flags&net.FlagSteer)

	spec := settings.DefaultSpec()
	spec.LB, spec.Recovery = lb.REPS, settings.RecoverSLEEK
	s, err = Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	sender{s.Hosts}.startFlow(0)
	for e := range uint16(8) {
		s.tx[0].lb.Feedback(1000+e, lb.Good, 0)
	}
	for range 5 {
		s.wheel.Advance(s.Now() + units.Millisecond)
		s.tx[0].sleek.due = 0
		sender{s.Hosts}.scheduleProbe(0)
		sender{s.Hosts}.onProbeTimer(0)
	}
	require.Equal(t, uint64(5), s.count.Probes)
	for e := range uint16(8) {
		require.Equal(t, 1000+e, s.tx[0].lb.Next(0))
	}
}
