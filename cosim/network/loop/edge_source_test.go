package loop

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/rtlmodel/txstate"
	parsed "github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	tx "github.com/goldwire/goldwire/vectors/event/txstate"
	direct "github.com/goldwire/goldwire/vectors/stim/fabric/txstate"
)

// tickPs is a tick of txstate and ccc in picoseconds.
const tickPs = 1000

// depth is the number of entries that txstate has for a connection.
const depth = 1 << 10

// sources are the sending halves of NICs beside the simulated ones. They give the records of ackparse to the model of
// txstate and make the events of ccc from both. Of a simulated sender they know what it sends and what its timers give
// up. Connections are known by their host and their number there.
type sources struct {
	t     *testing.T
	conns map[connection]*outgoing
	of    map[int32]connection // by connection of the network
	last  map[int32]cc.Event   // the last SEND of a host
	seen  map[string]int

	halves *halves // nil where they are not judged
}

type connection struct{ nic, pdc int32 }

// outgoing is a connection at its source.
type outgoing struct {
	slot    uint8 // in its context
	una     uint32
	nxt     uint32
	held    map[uint32]*unacked
	entries map[uint32]*txstate.State // of txstate, by row
	came    []arrival                 // that have not been taken
	probe   uint16                    // number of the last one
	probed  units.Picos               // when it was sent
	half    *half                     // where it is judged
}

// unacked is a packet that is not acknowledged.
type unacked struct {
	size   uint32
	rtx    bool
	marked bool // waits to be sent again
}

// arrival is a record and when it reaches its source.
type arrival struct {
	rec parsed.Rec
	at  units.Picos
}

// feedback is what one record gives: the events of txstate, the RTT that it answers with, 0 for none, and the events of
// ccc.
type feedback struct {
	tx  []tx.Event
	rtt uint32
	ccc []ccc.Event
}

// begins takes the packets that hosts send: data, which the tap has just seen as an event of its connection, and
// probes.
func (s *sources) begins(ev *net.PortEvent) {
	k := &ev.Packet
	switch {
	case k.Kind == net.PacketData && ev.Kind == net.PortDepart:
		sent := s.last[k.Src]
		require.Equal(s.t, sent.PSN, k.PSN)
		who := connection{k.Src, sent.NICPDC}
		if was, ok := s.of[k.Conn]; ok {
			require.Equal(s.t, was, who)
		}
		s.of[k.Conn] = who
		s.halves.departs(s.conns[who], k)
	case k.Kind == net.PacketClose && ev.Kind == net.PortArrive:
		s.halves.closes(s.conns[s.of[k.Conn]], k, ev.Time)
	case k.Kind == net.PacketProbe && ev.Kind == net.PortArrive:
		c := s.conns[s.of[k.Conn]]
		c.probe, c.probed = uint16(k.PSN), ev.Time
	}
}

// tap takes an event of the simulated sender. The record that it comes from, if it is one of an ACK or NACK, must give
// the same events; what came before it must have given none.
func (s *sources) tap(ev *cc.Event) {
	who := connection{ev.NIC, ev.NICPDC}
	c := s.conns[who]
	if c == nil {
		c = &outgoing{slot: ev.PDC, held: map[uint32]*unacked{}, entries: map[uint32]*txstate.State{}, una: ev.Una,
			nxt: ev.Una}
		s.conns[who] = c
	}
	s.stale(c, ev.Time)
	s.halves.begins(c, ev)
	defer s.halves.view(c, ev)
	switch ev.Kind {
	case cc.KindNewData:
		s.halves.message(c, ev)
	case cc.KindSend:
		s.halves.sends(c, ev)
		s.send(c, ev)
	case cc.KindLoss:
		s.halves.loses(c, ev)
		require.Contains(s.t, c.held, ev.PSN)
		c.held[ev.PSN].marked = true
	case cc.KindAck, cc.KindNack:
		require.NotEmpty(s.t, c.came, "feedback that did not come by the wire: %+v", ev)
		a := c.came[0]
		c.came = c.came[1:]
		require.Equal(s.t, ev.Time, a.at)
		var want feedback
		direct.Events(ev, 0, tickPs, func(e *tx.Event) { want.tx = append(want.tx, *e) })
		if ev.TxValid && (ev.RtxCount == 0 && !ev.Retx || ev.RtxCount == 1 && ev.Retx) {
			served := uint64(ev.ServiceTime) << txstate.DefaultConfig().TimeShift
			want.rtt = uint32(fields.Ticks(ev.Time, tickPs) - fields.Ticks(ev.TxTime, tickPs) - served)
			s.seen["RTTs"]++
		}
		var e ccc.Event
		if fields.SampleEvent(ev.Time, ev.Sample, 0, tickPs, &e) {
			want.ccc = append(want.ccc, e)
		}
		require.NoError(s.t, fields.CCCEvent(ev, 0, tickPs, &e))
		want.ccc = append(want.ccc, e)
		s.halves.takes(c, &a, ev)
		got := s.take(c, &a)
		require.Equal(s.t, want, got, "%+v", a.rec)
		s.seen["events of txstate"] += len(want.tx)
		s.seen["events of ccc"] += len(want.ccc)
		if want.ccc[0].Kind == ccc.KindSample {
			s.seen["samples"]++
		}
		if e.UnmarkPkts > 0 {
			s.seen["unmarked"]++
		}
	}
}

// stale takes what came before a time and gave the simulated sender no event. It must not give one here.
func (s *sources) stale(c *outgoing, before units.Picos) {
	for len(c.came) > 0 && c.came[0].at < before {
		rec := &c.came[0].rec
		s.halves.takes(c, &c.came[0], nil)
		if rec.PdsType == parsed.PdsTypeNack {
			p := c.held[rec.PSN]
			require.True(s.t, p == nil || p.marked || p.rtx != rec.Retx, "a NACK that is not for nothing: %+v", rec)
			s.seen["stale NACKs"]++
		} else {
			require.Empty(s.t, c.held, "an ACK that is not for nothing: %+v", rec)
			s.seen["ACKs at the end"]++
		}
		c.came = c.came[1:]
	}
}

// send takes a packet that the source sends. txstate knows when it was sent, and how often.
func (s *sources) send(c *outgoing, ev *cc.Event) {
	s.last[ev.NIC] = *ev
	direct.Events(ev, 0, tickPs, func(e *tx.Event) {
		rsp := c.give(e)
		require.Equal(s.t, ev.IsRtx, rsp.Found)
		require.Equal(s.t, fields.Ticks(ev.TxTime, tickPs), rsp.TxTime)
		require.Equal(s.t, ev.RtxCount, rsp.RtxCount)
	})
	c.held[ev.PSN] = &unacked{size: uint32(ev.Size), rtx: ev.IsRtx}
	if ev.PSN == c.nxt {
		c.nxt++
	}
}

// give gives txstate an event of the connection.
func (c *outgoing) give(e *tx.Event) (rsp tx.Response) {
	row := e.PSN % depth
	if c.entries[row] == nil {
		c.entries[row] = &txstate.State{}
	}
	cfg := txstate.DefaultConfig()
	txstate.Apply(&cfg, c.entries[row], e, &rsp)
	return rsp
}

// take takes a record in.
func (s *sources) take(c *outgoing, a *arrival) (out feedback) {
	rec := &a.rec
	now := fields.Ticks(a.at, tickPs)
	give := func(e tx.Event) tx.Response {
		e.Now, e.Retx = now, rec.Retx
		out.tx = append(out.tx, e)
		return c.give(&e)
	}
	ev := ccc.Event{PDC: c.slot, Now: now, M: rec.M, Retx: rec.Retx, Entropy: rec.Entropy}
	refer := func(e tx.Event) {
		r := give(e)
		ev.TxValid, ev.TxTime, ev.RtxCount, out.rtt = r.Found, r.TxTime, r.RtxCount, r.RTT
	}
	if rec.PdsType == parsed.PdsTypeNack {
		refer(tx.Event{Kind: tx.KindNack, PSN: rec.PSN})
		ev.Kind, ev.Reason, ev.Size = ccc.KindNack, ccc.Reason(rec.NackCode), c.held[rec.PSN].size
		c.held[rec.PSN].marked = true
		out.ccc = append(out.ccc, ev)
		return out
	}
	ev.Kind, ev.RcvdBytes, ev.ServiceTime = ccc.KindAck, rec.RcvdBytes, rec.ServiceTime
	ev.Pend, ev.RC = rec.RcvCwndPend, rec.RC
	if !rec.Probe {
		refer(tx.Event{Kind: tx.KindAck, PSN: rec.AckPSN, ServiceTime: rec.ServiceTime})
	} else if rec.Opaque == c.probe {
		rtt := a.at - c.probed - units.Picos(rec.ServiceTime)*cc.ServiceTick
		var sample ccc.Event
		if fields.SampleEvent(a.at, rtt, 0, tickPs, &sample) {
			out.ccc = append(out.ccc, sample)
		}
	}
	free := func(psn uint32) {
		p := c.held[psn]
		if p == nil {
			return
		}
		delete(c.held, psn)
		if p.marked {
			ev.UnmarkPkts++
			ev.UnmarkBytes += p.size
		} else {
			ev.AckedPkts++
		}
		if rec.Probe || psn != rec.AckPSN {
			give(tx.Event{Kind: tx.KindAck, PSN: psn})
		}
	}
	for ; int32(c.una-rec.PSN) <= 0 && c.una != c.nxt; c.una++ {
		free(c.una)
	}
	for b := rec.SackBitmap; b != 0; b &= b - 1 {
		free(rec.SackBase + uint32(bits.TrailingZeros64(b)))
	}
	out.ccc = append(out.ccc, ev)
	return out
}
