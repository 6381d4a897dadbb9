package ackparse

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover/edge"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
)

// Reasons to drop a packet, by the number of their counter; edge has those below the PDS header.
const (
	otherType = edge.Own + iota
	short
	ccType
	ctlType
	pdcid
)

// packet is what the headers of a packet hold, as far as they were read.
type packet struct {
	edge.Packet
	kind int // PDS type
	size int // of its header
	rec  ackparse.Rec
}

var be = binary.BigEndian

// judge decides on a whole frame by the registers.
func judge(b []byte, regs []uint64) (p packet) {
	var h []byte
	p.Packet, h = edge.Judge(b, regs[ackparse.RegNative], regs[ackparse.RegUdpPort], regs[ackparse.RegControl]&1 != 0)
	if p.Reason == edge.Passed {
		p.rec = ackparse.Rec{Native: p.Native, Ipv6: p.Family == edge.IPv6, ECN: p.ECN, Dscp: p.DSCP, Src: p.Src,
			Entropy: be.Uint16(b[p.Upper:])}
		p.header(h, regs)
	}
	return p
}

// header decides on the PDS header, with which h begins.
func (p *packet) header(h []byte, regs []uint64) {
	r := &p.rec
	word := be.Uint16(h)
	p.kind = int(word >> 11)
	switch p.kind {
	case 7:
		p.size = 12
	case 8:
		p.size = 32
	case 9:
		p.size = 24 + int(regs[ackparse.RegAckState])
	case 10, 11:
		p.size = 16
	case 12:
		p.size = 16 + int(regs[ackparse.RegNackState])
	default:
		p.Reason = otherType
		return
	}
	if r.Rest = uint16(len(h) - p.size); len(h) < p.size {
		p.Reason = short
		return
	}
	r.PdsType, r.Next, r.Retx = ackparse.PdsType(p.kind), uint8(word>>7&15), word&0x10 != 0
	second := be.Uint16(h[2:])
	r.PSN, r.Spdcid, r.Dpdcid = be.Uint32(h[4:]), be.Uint16(h[8:]), be.Uint16(h[10:])
	reserved := r.Spdcid == 0 || r.Dpdcid == 0
	switch p.kind {
	case 7, 8, 9:
		r.Epsn, r.M, r.Probe, r.Req = word&0x40 != 0, word&0x20 != 0, word&8 != 0, uint8(word>>1&3)
		if r.Probe {
			r.Opaque = second
		} else {
			r.AckPSN = r.PSN + uint32(int32(int16(second)))
		}
	case 10, 12:
		r.M, r.Nt, r.NackCode, r.VendorCode, r.Payload = word&0x20 != 0, word&8 != 0, h[2], h[3], be.Uint32(h[12:])
		reserved = false
	default:
		r.Isrod, r.Ar, r.Syn, r.Opaque, r.Payload = word&0x20 != 0, word&8 != 0, word&4 != 0, second, be.Uint32(h[12:])
		if r.Syn {
			reserved = r.Spdcid == 0
			r.PDCInfo, r.PSNOffset, r.Dpdcid = uint8(r.Dpdcid>>12), r.Dpdcid&0xfff, 0
		}
		if r.Next > 9 {
			p.Reason = ctlType
		}
	}
	switch p.kind {
	case 8, 9:
		r.CcType, r.CcFlags, r.Mpr = h[12]>>4, h[12]&15, h[13]
		r.SackBase, r.SackBitmap = r.PSN+uint32(int32(int16(be.Uint16(h[14:])))), be.Uint64(h[16:])
		if p.kind == 9 {
			r.State = stateOf(h[24:p.size])
			break
		}
		r.Ooo = be.Uint16(h[30:])
		switch r.CcType {
		case 0:
			r.ServiceTime, r.RC, r.RcvCwndPend = be.Uint16(h[24:]), h[26]>>7 != 0, h[26]&127
			r.RcvdBytes = be.Uint32(h[26:]) & 0xffffff
		case 1:
			r.Credit = be.Uint32(h[24:]) >> 8
		default:
			p.Reason = ccType
		}
	case 12:
		r.CcType, r.State = h[16]>>4, stateOf(h[16:p.size])
	}
	if p.Reason == edge.Passed && reserved {
		p.Reason = pdcid
	}
}

// stateOf packs the bytes of a state, the first in the lowest bits.
func stateOf(b []byte) (words [3]uint64) {
	for i, x := range b {
		words[i/8] |= uint64(x) << (8 * (i % 8))
	}
	return words
}
