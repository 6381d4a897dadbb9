package ackgen

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// PDS types of answers.
const (
	typeAck   = 7
	typeAckCC = 8
	typeNack  = 10
)

// nack writes a NACK.
func (j *job) nack(p *packet, code ackgen.NackCode, regs []uint64) {
	j.pdsType = typeNack
	if p.ce {
		j.flags |= 0x20
	}
	if p.retx {
		j.flags |= 0x10
	}
	var room [32]byte
	h := be.AppendUint16(room[:0], typeNack<<11|uint16(j.flags))
	h = append(h, byte(code), 0)
	h = be.AppendUint32(h, p.psn)
	h = be.AppendUint16(h, uint16(j.k+1))
	h = be.AppendUint16(h, p.spdcid)
	j.write(p, append(h, 0, 0, 0, 0), regs)
}

// acknowledge writes an ACK or an ACK_CC.
func (j *job) acknowledge(p *packet, c *pdc, regs []uint64, tick, phase uint32) {
	ones := c.seen.ones()
	plain := regs[ackgen.RegControl]&8 != 0 && ones == 0 && (p.kind != cp || p.ctl == ctlClose)
	asked := p.kind == cp && p.ctl != ctlClose
	for i, on := range [4]bool{c.ce, p.retx, asked, c.wantClose} {
		if on {
			j.flags |= 0x20 >> i
		}
	}
	if j.pdsType = typeAckCC; plain {
		j.pdsType = typeAck
	}
	var room [32]byte
	h := be.AppendUint16(room[:0], uint16(j.pdsType)<<11|uint16(j.flags))
	second := p.opaque
	if !asked {
		j.ackOff = int64(int32(p.psn - c.cack))
		second = uint16(j.ackOff)
		if j.beyond = j.ackOff < -32768 || j.ackOff > 32767; j.beyond {
			second = 0
		}
	}
	h = be.AppendUint16(h, second)
	h = be.AppendUint32(h, c.cack)
	h = be.AppendUint16(h, uint16(j.k+1))
	h = be.AppendUint16(h, p.spdcid)
	if plain {
		j.count(ackgen.WordAcks)
		j.write(p, h, regs)
		return
	}
	j.count(ackgen.WordAckCcs)
	from := j.bitmapBase(p, c.cack)
	j.base = int64(int32(from - (c.cack + 1)))
	var bits uint64
	for i := range uint32(64) {
		z := int64(int32(from + i - (c.cack + 1)))
		if z < 0 || z < 256 && c.seen.bit(int(z)) {
			bits |= 1 << i
		}
	}
	j.elapsed = tick - p.tick
	if j.phase = phase >= p.phase; !j.phase {
		j.elapsed--
	}
	service := min(max(j.elapsed, 1), 0xffff)
	j.ooo, j.rcvd = ones, c.rcvd
	h = append(h, 0, byte(regs[ackgen.RegMpr]))
	h = be.AppendUint16(h, uint16(from-c.cack))
	h = be.AppendUint64(h, bits)
	h = be.AppendUint16(h, uint16(service))
	units := (uint64(c.rcvd) + 255) >> 8
	h = append(h, byte(regs[ackgen.RegPressure]), byte(units>>16), byte(units>>8), byte(units))
	j.write(p, be.AppendUint16(h, uint16(ones)), regs)
}

// bitmapBase returns the PSN of bit 0 of the bitmap.
func (j *job) bitmapBase(p *packet, cack uint32) uint32 {
	next := cack + 1
	from := next
	switch {
	case p.kind == cp && p.ctl == probe:
		from, j.sack = p.base, sackProbe
	case int32(p.psn-next) > 63:
		from, j.sack = p.psn-63, sackNewest
	}
	if off := int32(from - cack); off < -32768 || off > 32767 {
		from = next
		if j.sack == sackProbe {
			j.sack = sackProbeFar
		} else {
			j.sack = sackNewestFar
		}
	}
	return from
}

// answer is an answer that has not left.
type answer struct {
	tag  uint32
	n    int // bytes
	sent int // bytes that have left
	data [maxHead]byte
}

// write puts the headers of the request's sender in front of a PDS header.
func (j *job) write(p *packet, pds []byte, regs []uint64) {
	q := p.head[:]
	l2, upper := p.IP, 4
	if !p.Native {
		upper = 8
	}
	b := append(append(append(j.answer.data[:0], q[6:12]...), q[:6]...), q[12:l2]...)
	class, plen := uint32(regs[ackgen.RegAckDscp])<<2, upper+len(pds)
	var addresses []byte
	if p.Family == 1 {
		b = append(b, 0x45, byte(class), byte((20+plen)>>8), byte(20+plen), 0, 0, 0x40, 0, 64, q[l2+9], 0, 0)
		b = append(append(b, q[l2+16:l2+20]...), q[l2+12:l2+16]...)
		be.PutUint16(b[l2+10:], ^fold(sum(b[l2:])))
		addresses = b[l2+12:]
	} else {
		b = be.AppendUint32(b, 6<<28|class<<20)
		b = append(b, byte(plen>>8), byte(plen), q[l2+6], 64)
		b = append(append(b, q[l2+24:l2+40]...), q[l2+8:l2+24]...)
		addresses = b[l2+8:]
	}
	at := len(b)
	if p.Native {
		b = append(b, q[p.Upper], q[p.Upper+1], 0, 0)
	} else {
		b = append(b, q[p.Upper:p.Upper+4]...)
		b = append(b, byte(plen>>8), byte(plen), 0, 0)
	}
	b = append(b, pds...)
	if !p.Native {
		j.checksum = ^fold(sum(addresses) + 17 + uint32(plen) + sum(b[at:]))
		if j.checksum == 0 {
			j.checksum = 0xffff
		}
		be.PutUint16(b[at+6:], j.checksum)
	}
	j.answer.tag, j.answer.n = p.tag, max(len(b), ackgen.MinFrame)
}

// sum adds the 16-bit words of an even number of bytes.
func sum(b []byte) (s uint32) {
	for ; len(b) > 0; b = b[2:] {
		s += uint32(be.Uint16(b))
	}
	return s
}

func fold(s uint32) uint16 {
	for s>>16 != 0 {
		s = s&0xffff + s>>16
	}
	return uint16(s)
}
