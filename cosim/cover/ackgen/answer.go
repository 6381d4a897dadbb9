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
	h := be.AppendUint16(nil, typeNack<<11|uint16(j.flags))
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
	for bit, on := range map[uint8]bool{0x20: c.ce, 0x10: p.retx, 0x08: asked, 0x04: c.wantClose} {
		if on {
			j.flags |= bit
		}
	}
	if j.pdsType = typeAckCC; plain {
		j.pdsType = typeAck
	}
	h := be.AppendUint16(nil, uint16(j.pdsType)<<11|uint16(j.flags))
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
		j.words = append(j.words, ackgen.WordAcks)
		j.write(p, h, regs)
		return
	}
	j.words = append(j.words, ackgen.WordAckCcs)
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
		j.sack = map[int]int{sackProbe: sackProbeFar, sackNewest: sackNewestFar}[j.sack]
	}
	return from
}

// write puts the headers of the request's sender in front of a PDS header.
func (j *job) write(p *packet, pds []byte, regs []uint64) {
	q := p.head
	l2 := p.IP
	b := append([]byte(nil), q[6:12]...)
	b = append(b, q[:6]...)
	b = append(b, q[12:l2]...)
	var upper []byte
	if p.Native {
		upper = append(upper, q[p.Upper], q[p.Upper+1], 0, 0)
	} else {
		upper = append(upper, q[p.Upper:p.Upper+4]...)
		upper = be.AppendUint16(upper, uint16(8+len(pds)))
		upper = append(upper, 0, 0)
	}
	upper = append(upper, pds...)
	class := uint32(regs[ackgen.RegAckDscp]) << 2
	var addresses []byte
	if p.Family == 1 {
		addresses = append(append(addresses, q[l2+16:l2+20]...), q[l2+12:l2+16]...)
		ip := append([]byte{0x45, byte(class)}, be.AppendUint16(nil, uint16(20+len(upper)))...)
		ip = append(ip, 0, 0, 0x40, 0, 64, q[l2+9], 0, 0)
		ip = append(ip, addresses...)
		be.PutUint16(ip[10:], ^fold(sum(ip)))
		b = append(b, ip...)
	} else {
		addresses = append(append(addresses, q[l2+24:l2+40]...), q[l2+8:l2+24]...)
		b = be.AppendUint32(b, 6<<28|class<<20)
		b = be.AppendUint16(b, uint16(len(upper)))
		b = append(b, q[l2+6], 64)
		b = append(b, addresses...)
	}
	if !p.Native {
		j.checksum = ^fold(sum(addresses) + 17 + uint32(len(upper)) + sum(upper))
		if j.checksum == 0 {
			j.checksum = 0xffff
		}
		be.PutUint16(upper[6:], j.checksum)
	}
	b = append(b, upper...)
	for len(b) < ackgen.MinFrame {
		b = append(b, 0)
	}
	j.answer = b
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
