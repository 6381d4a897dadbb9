package ackparse

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// packet describes a frame with a PDS header. The zero value is IPv4 and UDP to port 4793 without a UDP checksum.
type packet struct {
	tags     []uint16 // ethertypes of VLAN tags, outermost first
	v6       bool
	native   bool // over IP, protocol 253
	class    uint8
	options  int    // bytes of IPv4 options, a multiple of 4
	port     uint16 // 0: 4793
	checksum bool   // of UDP
	pds      []byte // PDS header and what follows it
	padding  int    // bytes after the IP packet
}

// l2, h and p return where the IP header, its payload and the PDS header start.
func (f *packet) l2() int { return 14 + 4*len(f.tags) }

func (f *packet) h() int {
	if f.v6 {
		return f.l2() + 40
	}
	return f.l2() + 20 + f.options
}

func (f *packet) p() int {
	if f.native {
		return f.h() + 4
	}
	return f.h() + 8
}

// bytes returns the frame.
func (f *packet) bytes() []byte {
	b := []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}
	for i, tag := range f.tags {
		b = append(b, byte(tag>>8), byte(tag), 0x20, byte(i))
	}
	udpPort := f.port
	if udpPort == 0 {
		udpPort = 4793
	}
	plen := 8 + len(f.pds)
	proto := byte(17)
	payload := []byte{0xC3, 0x5A, byte(udpPort >> 8), byte(udpPort), byte(plen >> 8), byte(plen), 0, 0}
	if f.native {
		plen, proto, payload = 4+len(f.pds), 253, []byte{0xC3, 0x5A, 0, 0}
	}
	payload = append(payload, f.pds...)
	if f.v6 {
		b = append(b, 0x86, 0xDD, 6<<4|f.class>>4, f.class<<4|0x5, 0xA3, 0x3C, byte(plen>>8), byte(plen), proto, 64)
		b = append(b, 0xFD, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7,
			0xFD, 9, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0xFF, 0xEE)
	} else {
		total := 20 + f.options + plen
		b = append(b, 0x08, 0x00, 4<<4|byte(5+f.options/4), f.class, byte(total>>8), byte(total), 0x12, 0x34, 0x40, 0,
			64, proto, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2)
		for i := range f.options {
			b = append(b, byte(i+1))
		}
	}
	b = append(b, payload...)
	for i := range f.padding {
		b = append(b, byte(0xA0+i))
	}
	f.repair(b)
	return b
}

// repair makes the checksums right.
func (f *packet) repair(b []byte) {
	put := func(i int, c uint16) { b[i], b[i+1] = byte(c>>8), byte(c) }
	l2, h := f.l2(), f.h()
	addresses := b[l2+8 : h]
	if !f.v6 {
		put(l2+10, 0)
		put(l2+10, frames.Checksum(b[l2:h]))
		addresses = b[l2+12 : l2+20]
	}
	if f.checksum && !f.native {
		plen := 8 + len(f.pds)
		put(h+6, 0)
		pseudo := append(append([]byte{}, addresses...), 0, 17, byte(plen>>8), byte(plen))
		c := frames.Checksum(append(pseudo, b[h:h+plen]...))
		if c == 0 {
			c = 0xFFFF
		}
		put(h+6, c)
	}
}

// header returns a PDS header with these first two bytes, without what follows it. Its bytes all differ from 0, its
// PDCIDs begin with a type below 7.
func header(kind, next, flags, length int) []byte {
	b := []byte{byte(kind<<3 | next>>1), byte(next<<7 | flags)}
	for i := 2; i < length; i++ {
		b = append(b, byte(0x11+7*i)&0x2F|1)
	}
	return b
}

const (
	typeAck, typeAckCC, typeAckCCX, typeNack, typeCP, typeNackCCX = 7, 8, 9, 10, 11, 12
)

// sample returns a sound PDS header of a type with the registers' values after reset.
func sample(kind int) []byte {
	n := map[int]int{typeAck: 12, typeAckCC: 32, typeAckCCX: 40, typeNack: 16, typeCP: 16, typeNackCCX: 24}[kind]
	b := header(kind, 3, 0, n)
	if kind == typeAckCC {
		b[12] &= 0x1F
	}
	return b
}

// draw returns a random frame: mostly sound acknowledgements of all types, sometimes damaged in one place or two.
func draw(r *rand.Rand) []byte {
	f := packet{
		v6: r.IntN(3) == 0, native: r.IntN(3) == 0, class: uint8(r.Uint32()), checksum: r.IntN(3) > 0,
	}
	for range max(0, r.IntN(6)-3) {
		f.tags = append(f.tags, []uint16{0x8100, 0x88A8}[r.IntN(2)])
	}
	if !f.v6 && r.IntN(4) == 0 {
		f.options = 4 * r.IntN(11)
	}
	kind := 7 + r.IntN(6)
	if r.IntN(12) == 0 {
		kind = r.IntN(32)
	}
	next := r.IntN(10)
	if r.IntN(8) == 0 {
		next = r.IntN(16)
	}
	n := []int{r.IntN(46), 12 + r.IntN(33), 44, 44 + r.IntN(100), 44 + r.IntN(1500)}[r.IntN(5)]
	f.pds = header(kind, next, r.IntN(128), max(n, 2))
	for i := 2; i < len(f.pds); i++ {
		f.pds[i] = byte(r.Uint32())
	}
	if len(f.pds) > 12 && r.IntN(8) > 0 {
		f.pds[12] &= 0x1F
	}
	if len(f.pds) > 11 && r.IntN(6) == 0 { // a PDCID of 0
		at := 8 + 2*r.IntN(2)
		f.pds[at], f.pds[at+1] = 0, 0
	}
	if r.IntN(3) == 0 {
		f.padding = r.IntN(70)
	}
	if r.IntN(20) == 0 {
		f.port = uint16(r.Uint32())
	}
	b := f.bytes()
	ip, inner := f.l2(), f.h()
	for range max(0, r.IntN(4)-2) + r.IntN(2)*r.IntN(2) {
		switch r.IntN(8) {
		case 0:
			return b[:r.IntN(len(b)+1)]
		case 1: // a bit anywhere
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		case 2: // a bit of the headers
			b[12+r.IntN(inner+12-12)%(len(b)-12)] ^= 1 << r.IntN(8)
		case 3: // the next header or the protocol
			at := ip + 9
			if f.v6 {
				at = ip + 6
			}
			b[at] = []byte{0, 6, 17, 43, 44, 50, 51, 58, 60, 135, 253, 1, 254}[r.IntN(13)]
		case 4: // a length of the IP header
			at := ip + 2
			if f.v6 {
				at = ip + 4
			}
			b[at], b[at+1] = byte(r.IntN(2)*r.IntN(3)), byte(r.Uint32())
		case 5: // the header of a fragment, or its like
			if !f.v6 {
				b[ip+6+r.IntN(2)] = 1 << r.IntN(8)
			}
		case 6:
			b[ip] = byte(r.Uint32())
		case 7: // the UDP header
			b[inner+r.IntN(8)%(len(b)-inner)] = byte(r.IntN(4))
		}
		if r.IntN(3) > 0 && len(b) >= f.p()+len(f.pds) {
			f.repair(b)
		}
	}
	return b
}

// beatsOf cuts a frame into beats, with random data where the block must not look.
func beatsOf(r *rand.Rand, frame []byte, tag uint32) (beats []port.Rx) {
	n := max(1, (len(frame)+63)/64)
	if len(frame)%64 == 0 && len(frame) > 0 && r.IntN(4) == 0 {
		n++ // a last beat without valid bytes
	}
	for i := range n {
		x := port.Rx{Keep: r.Uint64(), Last: i == n-1, Tag: r.Uint32()}
		if i == 0 {
			x.Tag = tag
		}
		for k := range 64 {
			v := byte(r.Uint32())
			if 64*i+k < len(frame) {
				v = frame[64*i+k]
			}
			x.Data[k/8] |= uint64(v) << (8 * (k % 8))
		}
		if x.Last {
			have := uint(len(frame) - 64*i)
			x.Keep = x.Keep<<1<<have | (1<<have - 1)
			if have == 64 {
				x.Keep = 1<<64 - 1
			}
		}
		beats = append(beats, x)
	}
	return beats
}
