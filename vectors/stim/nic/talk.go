package nic

import (
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// talk is the life of a PDC to send with whose destination answers what must have been sent: in order, with losses,
// repetitions and refusals.
type talk struct {
	pdc   int
	first uint32
	next  int // step
	n     int // packets
	base  int // packets that are acknowledged, the lowest first
	seen  uint64
	peer  uint16
	rcvd  uint32
	again []int // packets to be sent again
	loss  int   // of 256
	apart int   // cycles between records
}

// talk appends the next step of a talk, or begins one.
func (m *mix) talk() {
	r := &m.Rand
	if len(m.talks) == 0 || len(m.talks) < 4 && r.One(8) {
		t := &talk{pdc: r.N(m.pdcs()), first: stim.Pick(r, uint32(r.Bits(32)), -uint32(r.N(20)), 0),
			n: stim.Pick(r, 1, 2, 3, 4+r.N(20), 60), peer: uint16(1 + r.N(1<<16-1)), loss: stim.Pick(r, 0, 0, 20, 80),
			apart: stim.Pick(r, 0, 20, 60, 120)}
		for _, other := range m.talks {
			if other.pdc == t.pdc {
				return
			}
		}
		m.talks = append(m.talks, t)
	}
	k := r.N(len(m.talks))
	if !m.talks[k].step(m) {
		m.talks = append(m.talks[:k], m.talks[k+1:]...)
	}
}

// step appends the next step and reports whether there is another.
func (t *talk) step(m *mix) bool {
	r := &m.Rand
	t.next++
	switch {
	case t.next == 1:
		m.command(&txpdc.Cmd{Kind: txpdc.KindOpen, PDC: uint16(t.pdc), Data: t.first})
		return true
	case t.next == 2:
		size := t.n<<m.payload - stim.Pick(r, 0, 1, 63, r.N(1<<m.payload))
		m.command(&txpdc.Cmd{Kind: txpdc.KindMessage, PDC: uint16(t.pdc), Data: uint32(max(size, 1))})
		return true
	case t.base < t.n:
		t.answer(m)
		return true
	case t.base == t.n:
		m.command(&txpdc.Cmd{Kind: txpdc.KindClose, PDC: uint16(t.pdc)})
		m.after(stim.Pick(r, 40, 300))
		t.base++
		return true
	}
	x := t.ack(t.first + uint32(t.n))
	if r.One(6) {
		x.PdsType, x.NackCode, x.PSN = txpdc.PdsTypeNack, 0x0e, t.first+uint32(t.n)
	}
	m.record(m.acks(), &x, 0)
	m.after(stim.Pick(r, 0, 100))
	return r.One(4)
}

// ack is the record of a packet that arrived, with all that arrived so far.
func (t *talk) ack(psn uint32) txpdc.Rec {
	una := t.first + uint32(t.base)
	if t.base > t.n {
		una = psn + 1
	}
	return txpdc.Rec{PdsType: txpdc.PdsTypeAckCc, PSN: una - 1, AckPSN: psn, Spdcid: t.peer, Dpdcid: uint16(t.pdc + 1),
		SackBase: una, SackBitmap: t.seen, ServiceTime: 1, RcvdBytes: t.rcvd}
}

// answer answers one of the packets that are not acknowledged, most often the lowest.
func (t *talk) answer(m *mix) {
	r := &m.Rand
	i := t.base + stim.Pick(r, 0, 0, 0, r.N(min(t.n-t.base, 8)))
	psn := t.first + uint32(i)
	x := t.ack(psn)
	x.M, x.Entropy = r.One(4), uint16(r.Bits(16))
	switch {
	case r.N(256) < t.loss: // refused; its resend is answered later
		x.PdsType, x.PSN, x.NackCode = txpdc.PdsTypeNack, psn, uint8(stim.Pick(r, 1, 2, 0x0b))
		t.again = append(t.again, i)
	default:
		for k, a := range t.again {
			if a == i {
				x.Retx = true
				t.again = append(t.again[:k], t.again[k+1:]...)
				break
			}
		}
		t.seen |= 1 << min(i-t.base, 63)
		for ; t.seen&1 != 0; t.seen >>= 1 {
			t.base++
		}
		t.rcvd = (t.rcvd + uint32(1<<m.payload+m.header)>>8) & 0xffffff
		y := t.ack(psn)
		x.PSN, x.SackBase, x.SackBitmap, x.RcvdBytes = y.PSN, y.SackBase, y.SackBitmap, t.rcvd
	}
	m.record(m.acks(), &x, 0)
	if t.apart > 0 {
		m.after(r.N(2 * t.apart))
	}
	if r.One(12) { // it comes twice
		m.record(m.acks(), &x, 0)
	}
}
