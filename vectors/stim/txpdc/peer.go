package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// record sends a record of a PDC, most often of one that waits for it.
func (m *mix) record() {
	r := &m.Rand
	p := &m.pdcs[r.N(m.open)]
	for range 4 {
		if p.valid && !p.halted && (p.n > 0 || p.closing) {
			break
		}
		p = &m.pdcs[r.N(m.open)]
	}
	switch {
	case p.valid && (p.n > 0 || p.closing) || r.One(6):
	case p.valid && !p.halted && p.left > 0:
		m.grant(m.of(p))
		return
	case r.One(2):
		m.preload(p)
		return
	default:
		m.host(p)
		return
	}
	x := txpdc.Rec{Entropy: uint16(r.Bits(16)), M: r.One(4), Retx: r.One(2), Spdcid: p.peer, Dpdcid: uint16(p.no + 1),
		NackCode: uint8(r.Bits(8)), CcType: uint8(stim.Pick(r, 0, 0, 0, 0, r.N(16))), ServiceTime: uint16(r.Corner(16)),
		RC: r.One(2), Pend: uint8(r.Corner(7)), Mpr: m.mpr(p), AckPSN: uint32(r.U64())}
	x.RcvdBytes = (p.rcvd + stim.Pick(r, 0, uint32(r.N(64)), uint32(r.N(1<<12)), 1<<23-1, 1<<23, uint32(r.Bits(24))) -
		uint32(stim.Pick(r, 0, 0, 0, 1, r.N(100)))) & 0xffffff
	switch {
	case r.N(256) < m.nack || p.closing && r.One(4):
		m.refuse(p, &x)
	default:
		m.acknowledge(p, &x)
	}
	if r.N(256) < m.stray {
		m.spoil(&x)
	}
	m.rec(&x)
	if m.apart > 0 {
		m.after(stim.Pick(r, m.apart, m.apart, r.N(m.apart)))
	}
	for i := range m.open {
		if q := &m.pdcs[i]; q.no+1 == int(x.Dpdcid) && q.valid && !q.halted && isAck(&x) && (q.syn || x.Spdcid == q.peer) ||
			q.no+1 == int(x.Dpdcid) && q.valid && !q.halted && isNack(&x) {
			q.take(&x)
		}
	}
	m.settle()
}

func isAck(x *txpdc.Rec) bool {
	return x.PdsType >= txpdc.PdsTypeAck && x.PdsType <= txpdc.PdsTypeAckCcx
}

func isNack(x *txpdc.Rec) bool {
	return x.PdsType == txpdc.PdsTypeNack || x.PdsType == txpdc.PdsTypeNackCcx
}

// mpr draws what the destination accepts, most often what it did before.
func (m *mix) mpr(p *pdc) uint8 {
	r := &m.Rand
	if !r.One(6) {
		return uint8(p.mpr)
	}
	return uint8(stim.Pick(r, 0, 0, 128, 255, 127, 129, 1, 2, r.N(256), p.n, p.n+1, max(p.n-1, 0)))
}

// among returns a PSN that is outstanding, most often one that is not acknowledged.
func (m *mix) among(p *pdc) int {
	r := &m.Rand
	i := r.N(max(p.n, 1))
	for range 6 {
		if i < p.n && p.acked.at(i) {
			i = r.N(p.n)
		}
	}
	return i
}

// acknowledge makes an ACK: cumulative, by its bitmap, or both, and sometimes late or of what was not sent.
func (m *mix) acknowledge(p *pdc, x *txpdc.Rec) {
	r := &m.Rand
	x.PdsType = stim.Pick(r, txpdc.PdsTypeAck, txpdc.PdsTypeAckCc, txpdc.PdsTypeAckCc, txpdc.PdsTypeAckCc,
		txpdc.PdsTypeAckCcx)
	x.Probe = r.One(8)
	a := stim.Pick(r, 0, 0, r.N(p.n+1), min(p.n, 1), min(p.n, r.N(4)), p.n)
	if p.closing {
		a = stim.Pick(r, 1, 1, 1, 0, 2)
	}
	x.PSN = p.una + uint32(a) - 1
	x.AckPSN = p.una + uint32(m.among(p))
	// The bitmap begins below una, at a hole, about the end, or anywhere.
	x.SackBase = stim.Pick(r, x.PSN+1, p.una, p.una+uint32(m.among(p)), p.una-uint32(r.N(66)), x.PSN-62,
		p.una+uint32(p.n)-uint32(r.N(66)), uint32(r.U64()))
	switch r.N(6) {
	case 0:
		x.SackBitmap = 0
	case 1:
		x.SackBitmap = ^uint64(0)
	case 2:
		x.SackBitmap = 1 << r.N(64)
	case 3:
		x.SackBitmap = r.U64() & r.U64() & r.U64()
	case 4:
		x.SackBitmap = ^(1 << r.N(64))
	default: // the packet that caused it, and others
		if z := x.AckPSN - x.SackBase; z < 64 {
			x.SackBitmap = 1 << z
		}
		x.SackBitmap |= r.U64() & r.U64() & r.U64() & r.U64()
	}
	if r.N(256) >= m.far {
		return
	}
	n := uint32(p.n)
	switch r.N(5) {
	case 0: // late
		x.PSN = p.una - 1 - uint32(stim.Pick(r, 1, 2, r.N(300), 4095, 4096, 4097, r.N(9000)))
	case 1: // not sent
		x.PSN = p.una + n - 1 + uint32(stim.Pick(r, 1, 1, 2, r.N(300)))
	case 2:
		x.PSN = p.una - 1 + stim.Pick(r, 1<<31, 1<<31-1, 1<<31+1, uint32(r.U64()))
	default:
		x.AckPSN = stim.Pick(r, p.una-1, p.una+n, p.una+n-1, p.una, p.una+uint32(r.N(140)), uint32(r.U64()))
	}
}

// refuse makes a NACK, most often of a packet in flight.
func (m *mix) refuse(p *pdc, x *txpdc.Rec) {
	r := &m.Rand
	x.PdsType = stim.Pick(r, txpdc.PdsTypeNack, txpdc.PdsTypeNack, txpdc.PdsTypeNackCcx)
	for fatal(x.NackCode) {
		x.NackCode = uint8(stim.Pick(r, 1, 2, 0x0b, 0x0c, 0x0d, 0x12, r.N(32)))
	}
	if p.closing && !r.One(4) || r.One(24) {
		x.NackCode = stim.Pick(r, fatalCodes...)
	}
	i := m.among(p)
	x.PSN = p.una + uint32(i)
	if i < p.n && !r.One(4) {
		x.Retx = p.resent.at(i)
	}
	if r.N(256) < m.far {
		x.PSN = stim.Pick(r, p.una-1, p.una+uint32(p.n), p.una+uint32(p.n)+1, p.una+uint32(r.N(128)), uint32(r.U64()),
			p.una+1<<31)
	}
}

// spoil makes a record one that no PDC wants.
func (m *mix) spoil(x *txpdc.Rec) {
	r := &m.Rand
	n := m.script.pdcs()
	switch r.N(4) {
	case 0:
		x.Dpdcid = uint16(stim.Pick(r, 0, n+1, n+2, 1+r.N(n), r.N(1<<16)))
	case 1:
		x.PdsType = txpdc.PdsType(stim.Pick(r, 11, 0, 6, 13, r.N(32)))
	default:
		x.Spdcid = stim.Pick(r, x.Spdcid+1, x.Spdcid^1<<r.N(16), uint16(r.Bits(16)))
	}
}
