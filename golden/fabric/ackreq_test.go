package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// shrinking is a window that has room for three packets, none of which needs to ask
// for an ACK, until the first answer cuts it to one.
type shrinking struct {
	CC
	cut bool
}

func (c *shrinking) Step(ev *TapEvent) CCOut {
	out := c.CC.Step(ev)
	c.cut = c.cut || ev.Kind == KindAck
	if !c.cut {
		return CCOut{Cwnd: 3 * 4096, Inflight: out.Inflight, CanSend: out.Inflight+4096 <= 3*4096}
	}
	return out
}

func shrink(cfg CCConfig) (CC, error) {
	c, err := FixedWindow(1)(cfg)
	return &shrinking{CC: c}, err
}

// TestBlockedSenderAsks: what a receiver holds without answering fills the window of
// a sender that was cut. It asks for an ACK, and goes on within a round trip instead
// of at its timeout, with trimming and without loss.
func TestBlockedSenderAsks(t *testing.T) {
	for _, pfc := range []bool{false, true} {
		for _, pdcs := range []int{1, 2} {
			s := DefaultSpec()
			s.K, s.FlowBytes, s.PDCsPerCCC, s.RTO = 4, 20_000, pdcs, Millisecond
			if pfc {
				s.Trim, s.PFC, s.XOff, s.XOn = false, true, 200_000, 150_000
			}
			asked := 0
			r := books(t, s, WithCC(shrink), WithTap(func(ev *TapEvent) bool {
				if ev.Asked {
					asked++
					require.Equal(t, KindAck, ev.Kind)
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
	s.ports[0].freeAt, s.ports[0].waking = 1<<50, true
	c := &s.ccc[0]
	ask := func() uint64 {
		before := s.count.AckRequests
		s.goOn(0)
		return s.count.AckRequests - before
	}
	c.out.CanSend = false
	require.Zero(t, ask(), "the last packet that fitted the window has asked")
	require.True(t, tx.ring[(una+7)&tx.mask].asks)
	s.markLost(tx, una+6)
	require.Zero(t, ask(), "one that has not asked is lost")
	s.markLost(tx, una+7)
	require.Equal(t, uint64(1), ask(), "the one that has asked is lost")
	k := &s.pool.pkts[s.ports[0].q[classHigh].tail]
	require.Equal(t, pkAckReq, k.kind)
	require.Equal(t, una+7, k.psn)
	require.Equal(t, tx.dst, k.dst)
	require.Zero(t, ask(), "asked already")
	tx.asked = false
	c.out.CanSend = true
	require.Zero(t, ask(), "it may send")
	c.out.CanSend = false
	for psn := una; psn != tx.nxt; psn++ {
		if tx.ring[psn&tx.mask].state == txInflight {
			s.markLost(tx, psn)
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
	i := a.pool.alloc()
	a.pool.pkts[i] = packet{kind: pkAckReq, psn: a.base + 3, dst: a.tx[0].dst, flags: flagAR, entropy: 5}
	a.onAckReq(i)
	k := &a.pool.pkts[a.ports[a.tx[0].dst].q[classHigh].tail]
	require.Equal(t, pkAck, k.kind)
	require.Equal(t, a.base+3, k.psn)
	require.Equal(t, a.base+2, k.cum)
	require.Equal(t, uint32(2*4096), k.rcvd)
	require.NotZero(t, k.flags&flagAR, "not of a packet")
	require.NotNil(t, a.data(3, 0), "late, asked for")
	require.NotNil(t, a.data(2, 0), "late, asked for")
	require.Nil(t, a.data(4, 0), "nobody has asked for this one")
}

// TestLosslessIncastOfAll: 127 senders to one without a loss end with the link they
// share, none of them waits for a timeout.
func TestLosslessIncastOfAll(t *testing.T) {
	p, err := Lookup("fattree128/lossless")
	require.NoError(t, err)
	require.NoError(t, p.Spec.Set("incast", "127"))
	for _, r := range seedsOf(t, p.Spec, 4) {
		require.Zero(t, r.Counters.Timeouts)
		require.Zero(t, r.Counters.Retransmits)
		require.NotZero(t, r.Counters.AckRequests)
		require.Less(t, r.FCT().Max, 1.02*us(r.Bound))
	}
}

// sampled is a congestion control that keeps the samples it is given.
type sampled struct {
	CC
	samples []Picos
	last    Picos
	steps   []TapEvent
}

func (c *sampled) Sample(now, rtt Picos) { c.samples, c.last = append(c.samples, rtt), now }

func (c *sampled) Step(ev *TapEvent) CCOut {
	if ev.Probe {
		c.steps = append(c.steps, *ev)
	}
	return c.CC.Step(ev)
}

// TestProbesGiveSamples: the answer to a probe hands its round trip, less the service
// time, to a congestion control that takes samples, before the ACK itself; the answer
// to an older probe does not.
func TestProbesGiveSamples(t *testing.T) {
	s, tx, una := outstanding(t)
	s.ports[0].freeAt, s.ports[0].waking = 1<<50, true
	c := &sampled{CC: s.ccc[0].cc}
	s.ccc[0].cc = c
	answer := func(probe uint32, service uint16) {
		i := s.pool.alloc()
		s.pool.pkts[i] = packet{kind: pkAck, flags: flagProbe, psn: probe, cum: una, sackBase: una, service: service}
		s.onAck(i)
	}
	tx.sleek.probe, tx.sleek.sent = 9, s.now
	s.now += 5 * Microsecond
	answer(9, 3)
	require.Equal(t, []Picos{5*Microsecond - 3*128*Nanosecond}, c.samples)
	require.Equal(t, s.now, c.last)
	require.Len(t, c.steps, 1)
	require.Equal(t, s.now-5*Microsecond, c.steps[0].ProbeTime)
	require.False(t, c.steps[0].TxValid)
	answer(8, 1)
	answer(9, 0)
	answer(9, 0xFFFF)
	tx.sleek.sent = s.now
	answer(9, 1)
	require.Len(t, c.samples, 1, "an older probe, no service time, or none left of the round trip")
	require.Len(t, c.steps, 5)

	// On an idle network the least sample is the way of a control packet there and back.
	spec := DefaultSpec()
	spec.K, spec.Recovery, spec.ServiceTime = 4, RecoverSLEEK, 256*Nanosecond
	var all []Picos
	books(t, spec, WithCC(func(cfg CCConfig) (CC, error) {
		fixed, err := FixedWindow(4 * 4096)(cfg)
		return collector{fixed, &all}, err
	}))
	least := Picos(1 << 60)
	for _, rtt := range all {
		least = min(least, rtt)
	}
	require.NotEmpty(t, all)
	require.GreaterOrEqual(t, least, 4*(spec.LinkLatency+64*20))
	require.LessOrEqual(t, least, spec.EffectiveBaseRTT())
}

// collector puts its samples into a list.
type collector struct {
	CC
	all *[]Picos
}

func (c collector) Sample(_, rtt Picos) { *c.all = append(*c.all, rtt) }
