package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// shrinking is a window that has room for three packets, none of which needs to ask
// for an ACK, until the first answer cuts it to one.
type shrinking struct {
	cc.Control
	cut bool
}

func (c *shrinking) Step(ev *cc.Event) cc.Out {
	out := c.Control.Step(ev)
	c.cut = c.cut || ev.Kind == cc.KindAck
	if !c.cut {
		return cc.Out{Cwnd: 3 * 4096, Inflight: out.Inflight, CanSend: out.Inflight+4096 <= 3*4096}
	}
	return out
}

func shrink(cfg cc.Config) (cc.Control, error) {
	c, err := cc.FixedWindow(1)(cfg)
	return &shrinking{Control: c}, err
}

// TestBlockedSenderAsks: what a receiver holds without answering fills the window of
// a sender that was cut. It asks for an ACK, and goes on within a round trip instead
// of at its timeout, with trimming and without loss.
func TestBlockedSenderAsks(t *testing.T) {
	for _, pfc := range []bool{false, true} {
		for _, pdcs := range []int{1, 2} {
			s := settings.DefaultSpec()
			s.K, s.FlowBytes, s.PDCsPerCCC, s.RTO = 4, 20_000, pdcs, units.Millisecond
			if pfc {
				s.Trim, s.PFC, s.XOff, s.XOn = false, true, 200_000, 150_000
			}
			asked := 0
			r := books(t, s, WithCC(shrink), WithTap(func(ev *cc.Event) bool {
				if ev.Asked {
					asked++
					require.Equal(t, cc.KindAck, ev.Kind)
					require.False(t, ev.TxValid, "no packet's round trip")
				}
				return true
			}))
			c := &r.Counters
			require.Zero(t, c.Timeouts)
			require.Zero(t, c.Retransmits)
			require.GreaterOrEqual(t, c.AckRequests, uint64(16), "every sender")
			require.LessOrEqual(t, c.AckRequests, uint64(16*pdcs), "once")
			require.Equal(t, c.AckRequests, c.AckRequestsArrived)
			require.EqualValues(t, c.AckRequests, asked)
			require.Less(t, r.FCT().Max, 500.0)
		}
	}
}

// TestAskOnce: a sender asks when a packet is in flight that no ACK is asked for, and
// again only when what asked was lost or packets have followed.
func TestAskOnce(t *testing.T) {
	s, tx, una := outstanding(t)
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true
	c := &s.ccc[0]
	ask := func() uint64 {
		before := s.count.AckRequests
		sender{s.Hosts}.goOn(0)
		return s.count.AckRequests - before
	}
	c.out.CanSend = false
	require.Zero(t, ask(), "the last packet that fitted the window has asked")
	require.True(t, tx.ring[(una+7)&tx.mask].marks&txAsks != 0)
	sender{s.Hosts}.markLost(tx, una+6)
	require.Zero(t, ask(), "one that has not asked is lost")
	sender{s.Hosts}.markLost(tx, una+7)
	require.Equal(t, uint64(1), ask(), "the one that has asked is lost")
	k := s.net.Pool.At(s.net.Ports[0].Q[net.ClassHigh].Tail)
	require.Equal(t, net.PacketAckReq, k.Kind)
	require.Equal(t, una+7, k.PSN)
	require.Equal(t, tx.dst, k.Dst)
	require.Zero(t, ask(), "asked already")
	tx.asked = false
	c.out.CanSend = true
	require.Zero(t, ask(), "it may send")
	c.out.CanSend = false
	for psn := una; psn != tx.nxt; psn++ {
		if tx.ring[psn&tx.mask].state == txInflight {
			sender{s.Hosts}.markLost(tx, psn)
		}
	}
	require.Zero(t, ask(), "nothing is in flight")
}

// TestAckRequestAnswer: a receiver answers an ACK request with what it holds, at once
// and however little, and what comes later of the PSNs up to its own.
func TestAckRequestAnswer(t *testing.T) {
	a := newArrivals(t)
	require.NotNil(t, a.data(0, 0), "the first packet")
	require.Nil(t, a.data(1, 0))
	i := a.net.Pool.Alloc()
	*a.net.Pool.At(i) = net.Packet{Kind: net.PacketAckReq, PSN: a.base + 3, Dst: a.tx[0].dst, Flags: net.FlagAR,
		Entropy: 5}
	receiver{a.Hosts}.onAckReq(i)
	k := a.net.Pool.At(a.net.Ports[a.tx[0].dst].Q[net.ClassHigh].Tail)
	require.Equal(t, net.PacketAck, k.Kind)
	require.Equal(t, a.base+3, k.PSN)
	require.Equal(t, a.base+2, k.Cum)
	require.Equal(t, uint32(2*4096), k.Rcvd)
	require.NotZero(t, k.Flags&net.FlagAR, "not of a packet")
	require.NotNil(t, a.data(3, 0), "late, asked for")
	require.NotNil(t, a.data(2, 0), "late, asked for")
	require.Nil(t, a.data(4, 0), "nobody has asked for this one")
}

// TestLosslessIncastOfAll: 127 senders to one without a loss end with the link they
// share, none of them waits for a timeout.
func TestLosslessIncastOfAll(t *testing.T) {
	p, err := presets.Lookup("fattree128/lossless")
	require.NoError(t, err)
	require.NoError(t, p.Spec.Set("incast", "127"))
	for _, r := range seedsOf(t, p.Spec, 4) {
		require.Zero(t, r.Counters.Timeouts)
		require.Zero(t, r.Counters.Retransmits)
		require.NotZero(t, r.Counters.AckRequests)
		require.Less(t, r.FCT().Max, 1.02*r.Bound.Micros())
	}
}
