package transport

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
)

// life is how far a connection has come, at one of its ends.
type life uint8

const (
	lifeNew life = iota // sender: no ACK has come, packets carry syn; receiver: no packet has come
	lifeOpen
	lifeClosing // sender: CLOSE is on its way
	lifeClosed
)

// maxMPR is the largest PSN range that an ACK can carry.
const maxMPR = 255

// opened ends the opening of connection t with its first ACK, k. The PSN range in it counts where receivers have a
// limit of their own.
func (t *txPDC) opened(k *net.Packet, limited bool) {
	t.life, t.span = lifeOpen, t.mask+1
	if limited {
		t.span = min(t.span, uint32(k.Span))
	}
}

// refused takes NACK k. One for a PSN beyond the range limits what is sent before the first ACK: the range is no longer
// than that PSN is from the lowest one that has not arrived.
func (t *txPDC) refused(k *net.Packet) {
	if k.Reason == cc.ReasonOutOfRange && t.life == lifeNew {
		t.span = min(t.span, k.PSN-t.una)
	}
}

// opening returns the span of a packet of connection t.
func (t *txPDC) opening(psn uint32) uint16 {
	if t.life != lifeNew {
		return 0
	}
	return uint16(psn - t.first + 1)
}

// full reports whether connection t has as many PSNs outstanding as it may.
func (t *txPDC) full() bool { return t.nxt-t.una >= t.span }

// beyond reports whether all that connection t has to resend is beyond the range of its receiver.
func (t *txPDC) beyond() bool {
	return t.span <= t.mask && t.nmark > 0 && t.lowestMarked()-t.una >= t.span
}

// short reports whether the range of the receiver, or of psn_offset, and not the sender's own state, keeps connection t
// from sending: only an ACK helps, and the sender asks for one.
func (t *txPDC) short() bool { return t.span <= t.mask && t.unsent > 0 && t.full() || t.beyond() }

// close ends connection ti once no flow is to come and everything is acknowledged, credit requests too. Nobody knows of
// one that has sent nothing.
func (s closer) close(ti int32) {
	t := &s.tx[ti]
	if t.left > 0 || t.una != t.nxt || t.life > lifeOpen {
		return
	}
	t.life, t.tries = lifeClosed, 0
	if t.nxt != t.first {
		t.life, t.last = lifeClosing, t.ring[(t.nxt-1)&t.mask].entropy
		s.sendClose(ti)
	}
	if t.once {
		sender{s.Hosts}.takeMemory(ti)
	}
}

// sendClose sends a CLOSE, which has the PSN after those of data, and waits for its ACK.
func (s closer) sendClose(ti int32) {
	t := &s.tx[ti]
	c := &s.ccc[t.ccc]
	s.count.Closes++
	flags := uint8(net.FlagAR)
	if t.tries > 0 {
		flags |= net.FlagRetx
	}
	s.net.Emit(s.net.Control(&net.Packet{
		Dst: t.dst, PDC: ti, Flow: -1, PSN: t.nxt, Kind: net.PacketClose, Class: net.ClassHigh, Entropy: t.last,
		Flags: flags,
	}), c.host)
	s.wheel.Push(s.wheel.Now()+c.rto<<t.backoff(), evClose, ti)
}

// onCloseTimer sends the CLOSE of connection ti again. When its way is gone the receiver keeps what it has.
func (s closer) onCloseTimer(ti int32) {
	if t := &s.tx[ti]; t.life == lifeClosing && t.tries < maxTries {
		t.tries++
		s.sendClose(ti)
	}
}

// closed reports whether ACK k ends connection t, or comes after its end.
func (t *txPDC) closed(k *net.Packet) bool {
	if t.life == lifeClosing && k.Cum == t.nxt+1 {
		t.life = lifeClosed
	}
	return t.life == lifeClosed
}

// open reports whether the receiver has the connection of packet k, which a packet with syn opens. It never opens a
// connection that was closed: what comes late is dropped without an answer, as its sender has no more use for one.
func (s receiver) open(k *net.Packet) bool {
	r := &s.rx[k.PDC]
	if r.life != lifeNew {
		return r.life == lifeOpen
	}
	if !k.Opens() {
		s.wheel.Fail(fmt.Errorf("connection %d: PSN %d has no syn, and its receiver has had no packet", k.PDC, k.PSN))
		return false
	}
	class := s.classOf(k.PDC)
	if free := s.maps[class]; len(free) > 0 {
		r.seen, s.maps[class] = free[len(free)-1], free[:len(free)-1]
	} else {
		r.seen = make([]uint64, minRing<<class/64)
	}
	r.life, r.cum, r.mask = lifeOpen, k.PSN+1-uint32(k.Span), minRing<<class-1
	r.span = uint16(min(r.mask+1, maxMPR))
	if s.spec.MPR > 0 {
		r.span = min(r.span, uint16(s.spec.MPR))
	}
	return true
}

// onClose frees the receiver's state of a connection, all but the PSNs that it has acknowledged: its sender asks again
// when the answer is lost.
func (s receiver) onClose(i int32) {
	k := s.net.Pool.At(i)
	s.count.ClosesArrived++
	r := &s.rx[k.PDC]
	if r.life == lifeOpen {
		if k.PSN != r.cum {
			s.wheel.Fail(fmt.Errorf("connection %d: closed at PSN %d, and %d has not arrived", k.PDC, k.PSN, r.cum))
		}
		class := ringClass(int64(r.mask) + 1)
		s.maps[class] = append(s.maps[class], r.seen)
		r.life, r.seen, r.cum = lifeClosed, nil, k.PSN+1
	}
	s.answered = i
	s.answer(k, net.PacketAck)
}
