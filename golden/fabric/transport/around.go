package transport

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// around is the host of one NIC.
type around struct {
	*Hosts
	h int32
}

// tally adds to the counters of the run, and to those of the host.
func (s *around) tally(add func(c *account.Counters)) {
	add(s.count)
	add(&s.board.count[s.h])
}

// Begins implements NICHost.
func (s *around) Begins(conn int32, psn uint32) { s.flows[s.tx[conn].flow].startPSN = psn }

// Fail implements NICHost.
func (s *around) Fail(err error) { s.wheel.Fail(fmt.Errorf("host %d: %w", s.h, err)) }

// decode decodes a frame.
func (s *around) decode(f Frame) (*uet.Packet, error) {
	if f.Length < len(f.Head) {
		return nil, errors.New("it is shorter than its head")
	}
	s.board.buf = append(append(s.board.buf[:0], f.Head...), make([]byte, f.Length-len(f.Head))...)
	return uet.Decode(uet.DefaultSpec(), s.board.buf)
}

// Depart implements NICHost.
func (s *around) Depart(conn int32, f Frame) {
	p, err := s.decode(f)
	if err == nil && !p.Sound() {
		err = errors.New(p.Complaints[0])
	}
	if err == nil && p.Lower.Src != net.Address(s.h) {
		err = fmt.Errorf("it comes from %v", p.Lower.Src)
	}
	k := net.Packet{PDC: conn, Flow: -1, Class: net.ClassHigh, Dst: -1}
	if err == nil {
		k.Dst = net.HostAt(p.Lower.Dst)
		k.Entropy = p.Lower.Entropy
		err = s.headers(&k, p)
	}
	if err == nil && (k.Dst < 0 || int(k.Dst) >= len(s.hosts)) {
		err = fmt.Errorf("it goes to %v", p.Lower.Dst)
	}
	if err != nil {
		s.Fail(fmt.Errorf("a frame of connection %d: %w", conn, err))
		return
	}
	var i int32
	if k.Kind == net.PacketData {
		i = s.net.Put(&k)
	} else {
		i = s.net.Control(&k)
		s.tally(func(c *account.Counters) { c.CtlSent++ })
	}
	s.net.SetFrame(i, f.Head)
	net.Offer(s.net, i, s.h)
}

// headers fills in what a packet of the network has of a frame's headers.
func (s *around) headers(k *net.Packet, p *uet.Packet) error {
	flag := func(set bool, bit uint8) {
		if set {
			k.Flags |= bit
		}
	}
	switch {
	case p.Request != nil:
		r := p.Request
		k.Kind, k.PSN = net.PacketData, r.PSN
		flag(r.Retx, net.FlagRetx)
		flag(r.AR, net.FlagAR)
		if r.Syn {
			k.Span = r.PSNOffset + 1
		}
		return s.data(k, int64(len(p.Payload)))
	case p.Ack != nil && p.Ack.CC != nil && p.Ack.CC.NSCC != nil:
		a, c := p.Ack, p.Ack.CC
		k.Kind, k.PSN, k.Cum = net.PacketAck, a.AckPSN(), a.CackPSN+1
		k.SackBase, k.Sack, k.Span = a.SackBase(), c.SackBitmap, uint16(c.MPR)
		k.Rcvd, k.OOO, k.Service = c.NSCC.RcvdBytes<<8, c.NSCC.OOO, c.NSCC.ServiceTime
		flag(a.M, net.FlagCE)
		flag(a.Retx, net.FlagRetx)
	case p.Nack != nil:
		k.Kind, k.PSN, k.Reason = net.PacketNack, p.Nack.PSN, uint8(p.Nack.Code)
		flag(p.Nack.M, net.FlagCE)
		flag(p.Nack.Retx, net.FlagRetx)
	case p.Control != nil && p.Control.CtlType == uet.Close:
		k.Kind, k.PSN = net.PacketClose, p.Control.PSN
		flag(p.Control.Retx, net.FlagRetx)
		s.tally(func(c *account.Counters) { c.Closes++ })
	default:
		return fmt.Errorf("it is of type %v", p.Type)
	}
	return nil
}

// data fills in the place of a data packet in its flow. Its payload must be what the flow has there.
func (s *around) data(k *net.Packet, payload int64) error {
	t, l := &s.tx[k.PDC], &s.board.lines[k.PDC]
	k.Flow = t.flow
	if k.Flow < 0 || before(k.PSN, s.flows[k.Flow].startPSN) {
		k.Flow = l.last
	}
	if k.Flow < 0 || t.dst != k.Dst || s.ccc[t.ccc].host != s.h {
		return fmt.Errorf("PSN %d to host %d: no message is under way there", k.PSN, k.Dst)
	}
	f := &s.flows[k.Flow]
	index, want := int64(k.PSN-f.startPSN), int64(s.spec.MTU-s.spec.HeaderBytes)
	if index == f.packets-1 {
		want = f.last
	}
	if index >= f.packets || payload != want {
		return fmt.Errorf("PSN %d: %d bytes; it is packet %d of a message of %d, and has %d", k.PSN, payload, index,
			f.packets, want)
	}
	if k.Flags&net.FlagRetx != 0 {
		l.resent = true
		f.rtx++
		s.tally(func(c *account.Counters) { c.Retransmits++ })
	} else {
		t.unsent--
		s.tally(func(c *account.Counters) { c.NewPackets++ })
	}
	k.Class, k.NoTrim = t.class, t.noTrim
	k.Nominal = int32(payload) + int32(s.spec.HeaderBytes)
	k.Size = k.Nominal
	s.bytes.Sent += payload
	return nil
}

// Took implements NICHost.
func (s *around) Took(number uint32, v ackgen.Verdict) {
	i := int32(number)
	k := s.net.Pool.At(i)
	trimmed := k.Flags&net.FlagTrimmed != 0
	s.tally(func(c *account.Counters) {
		switch {
		case k.Kind == net.PacketClose:
			c.ClosesArrived++
		case trimmed && v == ackgen.VerdictDuplicate:
			c.TrimsArrived++
			c.DupTrims++
		case trimmed:
			c.TrimsArrived++
		case v == ackgen.VerdictDuplicate:
			c.Duplicates++
		case v == ackgen.VerdictRefused:
			c.OutOfRange++
		}
	})
	switch {
	case k.Kind == net.PacketClose && (v == ackgen.VerdictClosed || v == ackgen.VerdictRefused):
	case k.Kind == net.PacketData && v == ackgen.VerdictAccepted && !trimmed:
		s.board.count[s.h].Delivered++
		receiver{s.Hosts}.deliver(k)
	case k.Kind == net.PacketData && v == ackgen.VerdictDuplicate:
		s.flows[k.Flow].spurious++
		s.net.LostPayload(k)
	case k.Kind == net.PacketData && v == ackgen.VerdictRefused:
		s.net.LostPayload(k)
	default:
		s.Fail(fmt.Errorf("packet %d of connection %d, kind %d, trimmed %t: %v", k.PSN, k.PDC, k.Kind, trimmed, v))
		return
	}
	s.net.Pool.Release(i)
}

// Lost implements NICHost.
func (s *around) Lost(conn int32) {
	s.tally(func(c *account.Counters) {
		c.InferredLosses++
		c.Timeouts++
	})
	if f := s.tx[conn].flow; f >= 0 {
		s.flows[f].timeouts++
	}
}

// Noted implements NICHost.
func (s *around) Noted(conn int32, ev *cc.Event) {
	t := &s.tx[conn]
	c := &s.ccc[t.ccc]
	ev.Time, ev.NIC, ev.CCC, ev.PDC, ev.NICPDC = s.wheel.Now(), c.host, c.id, t.index, t.nicPDC
	if ev.TxValid {
		ev.TxTime += ev.Time
	}
	s.count.CCEvents++
	if s.tap != nil && !s.wheel.Halted() && !s.tap(ev) {
		s.wheel.Halt()
	}
}

// Acked implements NICHost.
func (s *around) Acked(conn int32) {
	t := &s.tx[conn]
	if t.flow < 0 || t.unsent > 0 {
		s.Fail(fmt.Errorf("connection %d: acknowledged, and %d packets are not sent", conn, t.unsent))
		return
	}
	fi := t.flow
	f := &s.flows[fi]
	t.flow, s.board.lines[conn].last = -1, fi
	f.acked, f.ackedAt = f.bytes, s.wheel.Now()
	s.count.FlowsAcked++
	t.left--
	x := hardware{s.Hosts}
	if !t.once && (s.spec.Rounds == 0 || int(f.round)+1 < s.spec.Rounds) {
		x.startFlow(s.addFlow(conn, f.round+1, s.spec.FlowBytes))
	}
	x.nextMessage(conn)
	if t.left == 0 {
		x.finish(conn)
	}
}

// Stopped implements NICHost. A flow that is under way stays so, and those behind it wait.
func (s *around) Stopped(conn int32, code uint8) {
	l := &s.board.lines[conn]
	l.stopped, l.code = true, code
	if s.tx[conn].flow >= 0 {
		s.count.GaveUp++
	}
}
