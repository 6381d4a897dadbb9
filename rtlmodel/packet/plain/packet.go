// Package plain builds packets for the tests of the NIC's packet blocks, damages them and cuts them into beats, and has
// the first steps of their decision as the contract lists them. It shares nothing with the models.
//
//	f := plain.Packet{V6: true, PDS: make([]byte, 12)}
//	b := f.Bytes() // UDP to port 4793, without a UDP checksum
package plain

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
)

// Packet describes a frame with a PDS header. The zero value is IPv4 and UDP to port 4793 without a UDP checksum.
type Packet struct {
	Tags     []uint16 // ethertypes of VLAN tags, outermost first
	V6       bool
	Native   bool // over IP, protocol 253
	Class    uint8
	Options  int    // bytes of IPv4 options, a multiple of 4
	Port     uint16 // 0: 4793
	Checksum bool   // of UDP
	PDS      []byte // PDS header and what follows it
	Padding  int    // bytes after the IP packet
}

// L2 returns where the IP header starts.
func (f *Packet) L2() int { return 14 + 4*len(f.Tags) }

// H returns where the payload of the IP header starts.
func (f *Packet) H() int {
	if f.V6 {
		return f.L2() + 40
	}
	return f.L2() + 20 + f.Options
}

// P returns where the PDS header starts.
func (f *Packet) P() int {
	if f.Native {
		return f.H() + 4
	}
	return f.H() + 8
}

// Bytes returns the frame.
func (f *Packet) Bytes() []byte {
	b := []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}
	for i, tag := range f.Tags {
		b = append(b, byte(tag>>8), byte(tag), 0x20, byte(i))
	}
	udpPort := f.Port
	if udpPort == 0 {
		udpPort = 4793
	}
	plen := 8 + len(f.PDS)
	proto := byte(17)
	payload := []byte{0xC3, 0x5A, byte(udpPort >> 8), byte(udpPort), byte(plen >> 8), byte(plen), 0, 0}
	if f.Native {
		plen, proto, payload = 4+len(f.PDS), 253, []byte{0xC3, 0x5A, 0, 0}
	}
	payload = append(payload, f.PDS...)
	if f.V6 {
		b = append(b, 0x86, 0xDD, 6<<4|f.Class>>4, f.Class<<4|0x5, 0xA3, 0x3C, byte(plen>>8), byte(plen), proto, 64)
		b = append(b, 0xFD, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7,
			0xFD, 9, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0xFF, 0xEE)
	} else {
		total := 20 + f.Options + plen
		b = append(b, 0x08, 0x00, 4<<4|byte(5+f.Options/4), f.Class, byte(total>>8), byte(total), 0x12, 0x34, 0x40, 0,
			64, proto, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2)
		for i := range f.Options {
			b = append(b, byte(i+1))
		}
	}
	b = append(b, payload...)
	for i := range f.Padding {
		b = append(b, byte(0xA0+i))
	}
	f.Repair(b)
	return b
}

// Repair makes the checksums right.
func (f *Packet) Repair(b []byte) {
	put := func(i int, c uint16) { b[i], b[i+1] = byte(c>>8), byte(c) }
	l2, h := f.L2(), f.H()
	addresses := b[l2+8 : h]
	if !f.V6 {
		put(l2+10, 0)
		put(l2+10, frames.Checksum(b[l2:h]))
		addresses = b[l2+12 : l2+20]
	}
	if f.Checksum && !f.Native {
		plen := 8 + len(f.PDS)
		put(h+6, 0)
		pseudo := append(append([]byte{}, addresses...), 0, 17, byte(plen>>8), byte(plen))
		c := frames.Checksum(append(pseudo, b[h:h+plen]...))
		if c == 0 {
			c = 0xFFFF
		}
		put(h+6, c)
	}
}

// Damage returns the frame of a packet, sometimes damaged in one place or two.
func (f *Packet) Damage(r *rand.Rand) []byte {
	b := f.Bytes()
	ip, inner := f.L2(), f.H()
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
			if f.V6 {
				at = ip + 6
			}
			b[at] = []byte{0, 6, 17, 43, 44, 50, 51, 58, 60, 135, 253, 1, 254}[r.IntN(13)]
		case 4: // a length of the IP header
			at := ip + 2
			if f.V6 {
				at = ip + 4
			}
			b[at], b[at+1] = byte(r.IntN(2)*r.IntN(3)), byte(r.Uint32())
		case 5: // the header of a fragment, or its like
			if !f.V6 {
				b[ip+6+r.IntN(2)] = 1 << r.IntN(8)
			}
		case 6:
			b[ip] = byte(r.Uint32())
		case 7: // the UDP header
			b[inner+r.IntN(8)%(len(b)-inner)] = byte(r.IntN(4))
		}
		if r.IntN(3) > 0 && len(b) >= f.P()+len(f.PDS) {
			f.Repair(b)
		}
	}
	return b
}

// Mend sets the checksums of an arbitrary frame right where it has a place for them.
func Mend(frame []byte) {
	l2 := 14
	for l2 < 22 && len(frame) > l2 && (Word(frame, l2-2) == 0x8100 || Word(frame, l2-2) == 0x88A8) {
		l2 += 4
	}
	f := Packet{Tags: make([]uint16, (l2-14)/4), V6: len(frame) >= l2 && Word(frame, l2-2) == 0x86DD}
	if len(frame) < f.H() {
		return
	}
	ip := frame[l2:]
	n, proto := 40+Word(ip, 4), ip[6]
	if !f.V6 {
		f.Options, n, proto = max(4*int(ip[0]&15)-20, 0), Word(ip, 2), ip[9]
	}
	if h := f.H() - l2; proto == 17 && n >= h+8 && n <= len(ip) {
		f.Checksum = Word(ip, h+6) != 0
		f.PDS = ip[h+8 : n]
	}
	if f.H() <= len(frame) {
		f.Repair(frame)
	}
}

// MendHeader sets the sum of an IPv4 header right.
func MendHeader(frame []byte, l2 int) {
	end := min(l2+4*int(frame[l2]&15), len(frame))
	if end < l2+20 {
		return
	}
	frame[l2+10], frame[l2+11] = 0, 0
	c := frames.Checksum(frame[l2:end])
	frame[l2+10], frame[l2+11] = byte(c>>8), byte(c)
}
