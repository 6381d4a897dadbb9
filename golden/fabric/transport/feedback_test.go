package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// told is one piece of feedback to a balancer.
type told struct {
	entropy uint16
	what    lb.Feedback
}

// heard is a balancer that keeps what it is told.
type heard struct {
	lb.Balancer
	all []told
}

func (h *heard) Feedback(e uint16, f lb.Feedback, _ int64) { h.all = append(h.all, told{e, f}) }

// listen returns the sender of outstanding, whose NIC is busy, and its balancer.
func listen(t *testing.T) (*Sim, *txPDC, uint32, *heard) {
	s, tx, una := outstanding(t)
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true
	h := &heard{Balancer: tx.lb}
	tx.lb = h
	return s, tx, una, h
}

// TestFeedback: a clean ACK is good news of its path and a marked one bad news; a
// NACK is bad news unless the trim was at the last hop, which lies on every path and
// tells, at most, of marks before it; the ACK of a probe tells nothing.
func TestFeedback(t *testing.T) {
	ack := func(psn uint32, flags uint8) net.Packet {
		return net.Packet{Kind: net.PacketAck, Flags: flags, Entropy: 77, Cum: psn - 1, SackBase: psn, Sack: 1, PSN: psn}
	}
	nack := func(psn uint32, flags, reason uint8) net.Packet {
		return net.Packet{Kind: net.PacketNack, Flags: flags, Entropy: 77, Reason: reason, PSN: psn}
	}
	for name, c := range map[string]struct {
		make func(una uint32) net.Packet
		want []told
	}{
		"clean":   {func(u uint32) net.Packet { return ack(u+1, 0) }, []told{{77, lb.Good}}},
		"marked":  {func(u uint32) net.Packet { return ack(u+1, net.FlagCE) }, []told{{77, lb.ECN}}},
		"probe":   {func(u uint32) net.Packet { return ack(u+1, net.FlagProbe) }, nil},
		"trimmed": {func(u uint32) net.Packet { return nack(u+1, 0, cc.ReasonTrimmed) }, []told{{77, lb.Nack}}},
		"trimmed, marked": {func(u uint32) net.Packet { return nack(u+1, net.FlagCE, cc.ReasonTrimmed) },
			[]told{{77, lb.Nack}}},
		"last hop": {func(u uint32) net.Packet { return nack(u+1, 0, cc.ReasonTrimmedLastHop) }, nil},
		"last hop, marked": {func(u uint32) net.Packet { return nack(u+1, net.FlagCE, cc.ReasonTrimmedLastHop) },
			[]told{{77, lb.ECN}}},
	} {
		s, tx, una, h := listen(t)
		k := c.make(una)
		if k.Kind == net.PacketAck {
			i := s.net.Pool.Alloc()
			*s.net.Pool.At(i) = k
			sender{s.Hosts}.onAck(i)
		} else {
			sender{s.Hosts}.onNack(&k)
			require.Equal(t, int32(1), tx.nmark, "sent again all the same")
		}
		require.Equal(t, c.want, h.all, name)
	}

	s, tx, una, h := listen(t)
	e := tx.ring[(una+3)&tx.mask].entropy
	sender{s.Hosts}.inferLoss(tx, una+3, cc.CauseTimeout)
	require.Equal(t, []told{{e, lb.Timeout}}, h.all)
}

// TestLateNackOfTheFirst: while a retransmission is in flight a NACK of the packet's
// first transmission changes nothing; that of the retransmission does.
func TestLateNackOfTheFirst(t *testing.T) {
	s, tx, una := outstanding(t)
	psn := una + 2
	sender{s.Hosts}.inferLoss(tx, psn, cc.CauseTimeout)
	sender{s.Hosts}.queueContext(0)
	s.wheel.Advance(s.net.Ports[0].FreeAt)
	s.net.Ports[0].Waking = false
	s.Transmit(0)
	e := &tx.ring[psn&tx.mask]
	require.Equal(t, txInflight, e.state)
	require.Equal(t, uint8(1), e.rtx())
	h := &heard{Balancer: tx.lb}
	tx.lb = h
	s.net.Ports[0].FreeAt, s.net.Ports[0].Waking = 1<<50, true
	inflight := s.ccc[0].out.Inflight

	nack := net.Packet{Kind: net.PacketNack, PSN: psn, Reason: cc.ReasonTrimmed}
	sender{s.Hosts}.onNack(&nack)
	require.Equal(t, txInflight, e.state)
	require.Equal(t, uint64(1), s.count.NacksStale)
	require.Equal(t, inflight, s.ccc[0].out.Inflight)
	require.Empty(t, h.all)

	nack.Flags = net.FlagRetx
	sender{s.Hosts}.onNack(&nack)
	require.Equal(t, txMarked, e.state)
	require.Equal(t, inflight-4096, s.ccc[0].out.Inflight)
	require.Equal(t, uint64(1), s.count.NacksStale)
	require.Len(t, h.all, 1)
}

// TestAnswerFields: a NACK names the entropy of the packet it refuses, and an ACK
// the number of packets beyond a gap.
func TestAnswerFields(t *testing.T) {
	a := newArrivals(t)
	require.Zero(t, a.data(0, 0).OOO)
	k := a.data(9, net.FlagTrimmed)
	require.Equal(t, net.PacketNack, k.Kind)
	require.Equal(t, uint16(9), k.Entropy)
	require.Equal(t, uint16(1), a.data(5, net.FlagAR).OOO)
	require.Equal(t, uint16(2), a.data(3, net.FlagAR).OOO)
	require.Equal(t, uint16(2), a.data(1, net.FlagAR).OOO)
	require.Equal(t, uint16(1), a.data(2, net.FlagAR).OOO, "the gap before 3 is closed")
}

// TestFreeze: a timeout keeps REPS to its ring for the connection's timeout.
func TestFreeze(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.K, spec.LB = 4, lb.REPS
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	b := s.tx[0].lb
	other := b.Probe() ^ 0x8000 // no draw of this connection has that bit
	kept := map[uint16]bool{}
	for i := range uint16(8) {
		kept[other^i] = true
		b.Feedback(other^i, lb.Good, 0)
	}
	for range 8 {
		require.True(t, kept[b.Next(0)])
	}
	require.False(t, kept[b.Next(0)], "each once")
	b.Feedback(0, lb.Timeout, 1000)
	rto := int64(s.ccc[0].rto)
	for range 20 {
		require.True(t, kept[b.Next(1000+rto-1)], "frozen")
	}
	for range 20 {
		require.False(t, kept[b.Next(1000+rto)], "no longer")
	}

	spec.Trim = false
	s, err = Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	b = s.tx[0].lb
	other = b.Probe() ^ 0x8000
	for i := range uint16(8) {
		b.Feedback(other^i, lb.Good, 0)
	}
	for range 8 {
		b.Next(0)
	}
	b.Feedback(0, lb.Timeout, 1000)
	require.NotEqual(t, other&0x8000, b.Next(1000)&0x8000, "never without trimming")
}
