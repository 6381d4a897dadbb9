package transport

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// overruns runs a built network and returns what it says of its queues.
func overruns(t *testing.T, s *Sim) (uint64, error) {
	require.NoError(t, s.Loop(t.Context()))
	r := s.Result()
	return r.Counters.PFCOverruns, r.Verify()
}

// TestLosslessIsChecked: the room for each input is its threshold and what is on
// the way when it is crossed. That is enough at every rate, size and distance, and
// a switch that pauses late, never, or with too little headroom loses packets,
// which is an error of the run.
func TestLosslessIsChecked(t *testing.T) {
	for _, c := range []struct {
		gbps    units.Gbps
		mtu     int
		latency units.Picos
	}{{100, 1500, 10 * units.Nanosecond}, {400, 4096, units.Microsecond}, {800, 9000, 3 * units.Microsecond}, {400,
		256, units.Microsecond}} {
		s := lossless(t)
		s.RTT, s.LinkGbps, s.MTU, s.LinkLatency, s.BaseRTT = 0, c.gbps, c.mtu, c.latency, 12*units.Microsecond
		s.XOff, s.XOn = 30_000, 10_000
		r := books(t, s, WithCC(cc.FixedWindow(0)))
		require.NotZero(t, r.Counters.Pauses)
		require.Zero(t, r.Counters.PFCOverruns)
	}

	spec := lossless(t)
	for name, edit := range map[string]func(*Sim){
		"raised threshold": func(s *Sim) { s.spec.XOff = 1 << 40 },
		"late threshold":   func(s *Sim) { s.spec.XOff += 60_000 },
		"no pause frames": func(s *Sim) {
			s.spec.XOn = -1 // none is ever to end
			for i := range s.net.Ports {
				s.net.Ports[i].Pausing = true
			}
		},
	} {
		s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
		require.NoError(t, err)
		edit(s)
		n, err := overruns(t, s)
		require.NotZero(t, n, name)
		require.ErrorContains(t, err, fmt.Sprintf("%d packets found a lossless queue full", n), name)
	}

	spec.PFCHeadroom = int64(spec.MTU)
	r := run(t, spec, WithCC(cc.FixedWindow(0)))
	require.NotZero(t, r.Counters.PFCOverruns)
	require.Equal(t, r.Counters.PFCOverruns, r.Counters.DataDrops)
	require.ErrorContains(t, r.Verify(), "raise pfc.headroom")
}

// TestHeadroomIsTight: without its last three packets the headroom is too small.
func TestHeadroomIsTight(t *testing.T) {
	spec := lossless(t)
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	room := spec.RoomOf(net.PerByte(s.net, &s.net.Ports[0]), s.net.Ports[0].Latency)
	spec.PFCHeadroom = room - spec.XOff - 3*int64(spec.MTU)
	require.NotZero(t, run(t, spec, WithCC(cc.FixedWindow(0))).Counters.PFCOverruns)
}

// ring is a circle of five switches, two hosts each.
func ring() *topo.Graph {
	const n = 5
	g := &topo.Graph{Hosts: 2 * n}
	for h := range 2 * n {
		g.Names = append(g.Names, fmt.Sprint("host", h))
	}
	for w := range n {
		g.Names = append(g.Names, fmt.Sprint("sw", w))
	}
	for h := range int32(2 * n) {
		g.Links = append(g.Links, topo.Link{A: h, B: 2*n + h/2, Gbps: 100, Latency: 1_000_000})
	}
	for w := range int32(n) {
		g.Links = append(g.Links, topo.Link{A: 2*n + w, B: 2*n + (w+1)%n, Gbps: 100, Latency: 1_000_000})
	}
	return g
}

// TestPauseDeadlock: on a ring every host sends to the second switch clockwise.
// Each switch holds packets for the next until that one goes on, and so all wait
// for one another: the run ends and names the circle. With flows that go only one
// switch further nothing waits for itself.
func TestPauseDeadlock(t *testing.T) {
	s := settings.DefaultSpec()
	s.Topology, s.Graph, s.LinkGbps = settings.Custom, ring(), 100
	s.Trim, s.PFC, s.XOff, s.XOn, s.Recovery = false, true, 20_000, 10_000, settings.RecoverSLEEK
	s.MaxTime = 20 * units.Millisecond
	around := func(switches int32) (list []traffic.Message) {
		for h := range int32(10) {
			list = append(list, traffic.Message{Src: h, Dst: (h + 2*switches) % 10, Bytes: 3_000_000, Conn: h})
		}
		return list
	}
	r := run(t, s, WithMessages(around(2)), WithCC(cc.FixedWindow(0)))
	require.Len(t, r.PauseCycle, 5)
	require.Contains(t, r.PauseCycle, "sw4->sw0")
	require.NotEmpty(t, r.Unfinished())
	require.False(t, r.Stopped)
	require.Less(t, r.Time, 10*units.Millisecond)
	err := r.Verify()
	require.ErrorContains(t, err, "pause deadlock at")
	require.ErrorContains(t, err, "waits for sw3->sw4 waits for sw4->sw0")
	require.ErrorContains(t, err, "not finished")

	r = books(t, s, WithMessages(around(1)), WithCC(cc.FixedWindow(0)))
	require.NotZero(t, r.Counters.Pauses)
	require.Nil(t, r.PauseCycle)

	// A link that fails breaks the circle: there is another way for all.
	s.FailLinks = []settings.Failure{{Link: "sw4-sw0", At: 2 * units.Millisecond}}
	r = run(t, s, WithMessages(around(2)), WithCC(cc.FixedWindow(0)))
	require.Nil(t, r.PauseCycle)
	require.Empty(t, r.Unfinished())
}

// TestProbesArePaused: a probe is of the class of data and waits with it.
func TestProbesArePaused(t *testing.T) {
	s := lossless(t)
	s.Recovery, s.XOff, s.XOn = settings.RecoverSLEEK, 2*int64(s.MTU), 0
	paused := map[int32]bool{}
	probes, held := 0, 0
	books(t, s, WithCC(cc.FixedWindow(0)), WithPortTap(func(ev *net.PortEvent) {
		switch {
		case ev.Kind == net.PortPause:
			paused[ev.Port] = true
		case ev.Kind == net.PortResume:
			paused[ev.Port] = false
		case ev.Kind == net.PortDepart && ev.Packet.Class == net.ClassLow:
			require.False(t, paused[ev.Port], "%+v", ev)
		}
		if ev.Packet.Kind == net.PacketProbe {
			probes++
			if paused[ev.Port] && ev.Kind == net.PortArrive {
				held++
			}
		}
	}, allPorts(t, s)...))
	require.NotZero(t, probes)
	require.NotZero(t, held)
}

func allPorts(t *testing.T, s settings.Spec) []int32 {
	n, err := s.Layout()
	require.NoError(t, err)
	out := make([]int32, len(n.Ports))
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// TestPausedNIC: ACKs leave a paused NIC, probes and data do not, and a probe due
// while it is paused is not even made.
func TestPausedNIC(t *testing.T) {
	spec := lossless(t)
	spec.Recovery = settings.RecoverSLEEK
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	sender{s.Hosts}.startFlow(0)
	tx := &s.tx[0]
	h := s.ccc[tx.ccc].host
	p := &s.net.Ports[h]
	turns := func() {
		for range 3 {
			s.wheel.Advance(p.FreeAt)
			p.Waking = false
			s.Transmit(h)
		}
	}
	p.Paused = true
	for _, k := range []net.Packet{{Kind: net.PacketProbe, Class: net.ClassLow, Size: 64},
		{Kind: net.PacketAck, Class: net.ClassHigh, Size: 65}} {
		i := s.net.Pool.Alloc()
		*s.net.Pool.At(i) = k
		p.Waking = true // nothing leaves yet
		s.net.Emit(i, h)
	}
	before := p.Tx
	turns()
	require.Equal(t, before+65, p.Tx, "the ACK alone")
	s.wheel.Advance(s.Now() + units.Millisecond)
	sender{s.Hosts}.scheduleProbe(0)
	sender{s.Hosts}.onProbeTimer(0)
	require.Zero(t, s.count.Probes)
	p.Paused = false
	s.Transmit(h)
	require.Equal(t, before+65+64, p.Tx, "the probe before any data")
	s.wheel.Advance(s.Now() + units.Millisecond)
	sender{s.Hosts}.onProbeTimer(0)
	require.Equal(t, uint64(1), s.count.Probes)
}
