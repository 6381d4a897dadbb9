package ackgen

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover/edge"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Reasons to drop a packet; edge has those below the PDS header.
const (
	otherType = edge.Own + iota
	short
	ctlType
	pdcid
)

const ownReasons = "TYPE SHORT CTL_TYPE PDCID"

// PDS types.
const (
	rud   = 2
	rod   = 3
	cp    = 11
	rudCC = 13
	rodCC = 14
)

// kindNames are the labels of packet.place.
const kindNames = "RUD_REQ ROD_REQ CP RUD_CC_REQ ROD_CC_REQ"

// Control packets.
const (
	ackReq   = 1
	ctlClose = 4
	probe    = 6
)

// maxHead is the most bytes of a frame up to the end of its PDS header, and of an answer.
const maxHead = 14 + 8 + 60 + 8 + 32

// packet is a packet of a source.
type packet struct {
	edge.Packet
	kind, place       int // PDS type, and its place in kindNames
	ctl               int // of a control packet
	retx, ar, syn, ce bool
	ordered           bool
	psn, start, base  uint32
	spdcid, dpdcid    uint16
	opaque            uint16
	head              [maxHead]byte // of the frame, up to the end of its PDS header
	bytes             int           // of the IP payload
	tag, tick, phase  uint32
	ready             int64 // cycle from which its job may start
}

var be = binary.BigEndian

// judge decides on a whole frame by the registers.
func judge(b []byte, regs []uint64) (p packet) {
	var h []byte
	p.Packet, h = edge.Judge(b, regs[ackgen.RegNative], regs[ackgen.RegUdpPort], regs[ackgen.RegControl]&1 != 0)
	if p.Reason != edge.Passed {
		return p
	}
	drop := func(reason int) packet {
		p.Reason = reason
		return p
	}
	word := be.Uint16(h)
	p.kind = int(word >> 11)
	size := 16
	switch p.kind {
	case rud, rod:
		p.place, size = p.kind-rud, 12
	case cp:
		p.place = 2
	case rudCC, rodCC:
		p.place = p.kind - rudCC + 3
	default:
		return drop(otherType)
	}
	if len(h) < size {
		return drop(short)
	}
	if p.ctl = int(word >> 7 & 15); p.kind == cp && p.ctl != ackReq && p.ctl != ctlClose && p.ctl != probe {
		return drop(ctlType)
	}
	p.retx, p.ar, p.syn, p.ce = word&0x10 != 0, word&8 != 0, word&4 != 0, p.ECN == 3
	p.ordered = p.kind == rod || p.kind == rodCC || p.kind == cp && word&0x20 != 0
	p.opaque, p.psn, p.spdcid, p.dpdcid = be.Uint16(h[2:]), be.Uint32(h[4:]), be.Uint16(h[8:]), be.Uint16(h[10:])
	if p.spdcid == 0 || !p.syn && p.dpdcid == 0 {
		return drop(pdcid)
	}
	p.start = p.psn - uint32(p.dpdcid&0xfff)
	if p.kind == cp {
		p.base = be.Uint32(h[12:])
	}
	p.bytes = p.End - p.Upper
	copy(p.head[:], b[:p.PDS+size])
	return p
}

// pdc is what the destination keeps of a PDC. Bit i of seen is PSN cack + 1 + i.
type pdc struct {
	valid, ipv6, rod, started, asking, ce bool
	spdcid                                uint16
	cack                                  uint32
	seen                                  bitmap
	rcvd, pending, asked, start           uint32
	src                                   [4]uint32
	wantClose, refuse                     bool
}

// word returns a word of the PDC.
func (c *pdc) word(a int) (v uint32) {
	switch {
	case a == ackgen.WordValid:
		for i, on := range []bool{c.valid, c.ipv6, c.rod, c.started, c.asking, c.ce} {
			if on {
				v |= 1 << i
			}
		}
		return v | uint32(c.spdcid)<<16
	case a == ackgen.WordWantClose:
		for i, on := range []bool{c.wantClose, c.refuse} {
			if on {
				v |= 1 << i
			}
		}
		return v
	case a >= ackgen.WordSeen0 && a < ackgen.WordSeen0+8:
		return uint32(c.seen[(a-ackgen.WordSeen0)/2] >> (32 * ((a - ackgen.WordSeen0) % 2)))
	}
	return *c.plain(a)
}

// load writes a word of the PDC.
func (c *pdc) load(a int, v uint32) {
	switch {
	case a == ackgen.WordValid:
		for i, on := range []*bool{&c.valid, &c.ipv6, &c.rod, &c.started, &c.asking, &c.ce} {
			*on = v>>i&1 != 0
		}
		c.spdcid = uint16(v >> 16)
	case a == ackgen.WordWantClose:
		c.wantClose, c.refuse = v&1 != 0, v&2 != 0
	case a >= ackgen.WordSeen0 && a < ackgen.WordSeen0+8:
		i, sh := (a-ackgen.WordSeen0)/2, 32*((a-ackgen.WordSeen0)%2)
		c.seen[i] = c.seen[i]&^(0xffffffff<<sh) | uint64(v)<<sh
	default:
		*c.plain(a) = v
	}
}

// plain returns a word that is one number.
func (c *pdc) plain(a int) *uint32 {
	switch a {
	case ackgen.WordCack:
		return &c.cack
	case ackgen.WordRcvd:
		return &c.rcvd
	case ackgen.WordPending:
		return &c.pending
	case ackgen.WordAsked:
		return &c.asked
	case ackgen.WordStart:
		return &c.start
	}
	return &c.src[a-ackgen.WordSrc0]
}

// bitmap holds 256 bits.
type bitmap [4]uint64

func (m *bitmap) bit(i int) bool { return m[i>>6]>>(i&63)&1 != 0 }

// top returns the number of bits up to the highest that is set.
func (m *bitmap) top() int {
	for i := 255; i >= 0; i-- {
		if m.bit(i) {
			return i + 1
		}
	}
	return 0
}

func (m *bitmap) ones() (n int) {
	for i := range 256 {
		if m.bit(i) {
			n++
		}
	}
	return n
}

// advance drops the ones below the lowest zero and returns how many there were.
func (m *bitmap) advance() (n int) {
	for n < 256 && m.bit(n) {
		n++
	}
	var out bitmap
	for i := n; i < 256; i++ {
		if m.bit(i) {
			out[(i-n)>>6] |= 1 << ((i - n) & 63)
		}
	}
	*m = out
	return n
}
