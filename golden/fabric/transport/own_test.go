package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// mixedRates is one switch with hosts of 400G, 400G, 100G and 400G, the last far
// away.
func mixedRates() *topo.Graph {
	g := &topo.Graph{Hosts: 4, Names: []string{"a", "b", "slow", "far", "sw"}}
	for h, l := range []topo.Link{{Gbps: 400, Latency: 500_000}, {Gbps: 400, Latency: 500_000},
		{Gbps: 100, Latency: 500_000}, {Gbps: 400, Latency: 5_000_000}} {
		l.A, l.B = int32(h), 4
		g.Links = append(g.Links, l)
	}
	return g
}

// TestOwnValues: contexts have the rates, base RTT, window, target and timeout of
// their own way, and what is given for the run comes first.
func TestOwnValues(t *testing.T) {
	s := settings.DefaultSpec()
	s.Topology, s.Graph, s.Trim, s.PerFlowRTT, s.QueueBytes = settings.Custom, mixedRates(), false, true, 1_000_000
	values := func() []ownValues {
		o := Options{Only: cc.FixedWindow(0)}
		for i, to := range []int32{1, 2, 3} {
			o.Messages = append(o.Messages, traffic.Message{Src: 0, Dst: to, Bytes: 1, Conn: int32(i)})
		}
		n, err := Build(s, o)
		require.NoError(t, err)
		var out []ownValues
		for _, c := range n.ccc {
			out = append(out, c.ownValues)
		}
		return out
	}
	v := values()
	packet := units.Picos(s.MTU + s.CtlBytes)
	near, slow, far := 4*500*units.Nanosecond+40*packet, 4*500*units.Nanosecond+100*packet, 11*units.Microsecond+40*packet
	require.Equal(t, ownValues{400, near, near, near + 20*units.Microsecond, int64(near) * 3 / 40}, v[0])
	require.Equal(t, ownValues{100, slow, slow, slow + 80*units.Microsecond, int64(slow) * 3 / 160}, v[1])
	require.Equal(t, ownValues{400, far, far, far + 20*units.Microsecond, int64(far) * 3 / 40}, v[2])
	s.Trim = true
	require.Equal(t, slow*3/4, values()[1].target)
	s.Target, s.RTO = 3*units.Microsecond, 50*units.Microsecond
	for _, v := range values() {
		require.Equal(t, 3*units.Microsecond, v.target)
		require.Equal(t, 50*units.Microsecond, v.rto)
	}
	// One base RTT for all: the slow way's timeout is longer still.
	s.PerFlowRTT, s.RTO, s.QueueBytes = false, 0, 10_000_000
	v = values()
	require.Equal(t, v[0].base, v[1].base)
	require.Equal(t, v[0].base+800*units.Microsecond, v[1].rto)
	require.Less(t, v[0].rto, v[1].rto)
}

// TestSleekOwnThreshold: a context begins a recovery at its own window, not at
// that of the fastest host, and probes at its own base RTT.
func TestSleekOwnThreshold(t *testing.T) {
	s := settings.DefaultSpec()
	s.Topology, s.Graph, s.Recovery = settings.Custom, mixedRates(), settings.RecoverSLEEK
	s.Trim, s.PerFlowRTT = false, true
	o := Options{Only: cc.FixedWindow(1 << 20), Messages: []traffic.Message{{Src: 0, Dst: 2, Bytes: 3_000_000}}}
	n, err := Build(s, o)
	require.NoError(t, err)
	sender{n.Hosts}.startFlow(0)
	for n.tx[0].nxt-n.tx[0].una < 60 {
		n.wheel.Advance(n.net.Ports[0].FreeAt)
		n.net.Ports[0].Waking = false
		n.Transmit(0)
	}
	c := &n.ccc[0]
	mss := int64(s.MTU - s.HeaderBytes)
	need := uint16(c.maxWnd / mss)
	require.Less(t, int64(need), n.maxWnd/mss/3, "the far host's window is larger")
	n.wheel.Advance(n.Now() + 10*units.Microsecond)
	sender{n.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck, OOO: need - 1})
	require.Zero(t, n.count.Recoveries)
	require.Equal(t, n.Now()+3*c.base, n.tx[0].sleek.due)
	sender{n.Hosts}.runSleek(0, &net.Packet{Kind: net.PacketAck, OOO: need})
	require.Equal(t, uint64(1), n.count.Recoveries)
	require.NotZero(t, n.tx[0].nmark, "what has been out for base RTT and target is given up")
}
