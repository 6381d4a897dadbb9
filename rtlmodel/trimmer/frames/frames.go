// Package frames builds Ethernet frames with UET datagrams for the tests of the packet blocks, and corrupts them. It
// computes everything in the most direct way, so that it shares no error with the models.
//
//	f := frames.Frame{UETType: 2, Payload: make([]byte, 100)}
//	b := f.Bytes() // IPv4, no tag, correct checksums
package frames

import "math/rand/v2"

// Frame describes a frame. The zero value is IPv4 and UDP to port 4793 without a UDP checksum.
type Frame struct {
	Tags        []uint16 // ethertypes of VLAN tags, outermost first
	V6          bool
	Class       uint8 // DSCP and ECN
	FlowLabel   uint32
	Options     int // bytes of IPv4 options, a multiple of 4
	UDPPort     uint16
	UDPChecksum bool
	UETType     uint8
	Body        []byte // the UDP payload after its first two bytes, the first of which holds the type
	Padding     int    // bytes after the IP packet
}

// H returns the offset of the UDP header.
func (f *Frame) H() int {
	if f.V6 {
		return f.L2() + 40
	}
	return f.L2() + 20 + f.Options
}

// L2 returns the offset of the IP header.
func (f *Frame) L2() int { return 14 + 4*len(f.Tags) }

// Bytes returns the frame.
func (f *Frame) Bytes() []byte {
	b := []byte{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}
	for i, tag := range f.Tags {
		b = append(b, byte(tag>>8), byte(tag), 0x20, byte(i))
	}
	plen := 8 + 2 + len(f.Body)
	port := f.UDPPort
	if port == 0 {
		port = 4793
	}
	udp := []byte{0xc0, 0, byte(port >> 8), byte(port), byte(plen >> 8), byte(plen), 0, 0, f.UETType << 3, 0}
	udp = append(udp, f.Body...)
	var pseudo []byte
	if f.V6 {
		addr := []byte{0xfd, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7,
			0xfd, 9, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0xff, 0xee}
		b = append(b, 0x86, 0xdd, 6<<4|f.Class>>4, f.Class<<4|byte(f.FlowLabel>>16&15), byte(f.FlowLabel>>8),
			byte(f.FlowLabel),
			byte(plen>>8), byte(plen), 17, 64)
		b = append(b, addr...)
		pseudo = append(pseudo, addr...)
	} else {
		total := 20 + f.Options + plen
		ip := []byte{4<<4 | byte(5+f.Options/4), f.Class, byte(total >> 8), byte(total), 0, 1, 0x40, 0, 64, 17, 0, 0,
			10, 0, 0, 1, 10, 0, 0, 2}
		pseudo = append(pseudo, ip[12:]...)
		for i := range f.Options {
			ip = append(ip, byte(i+1))
		}
		c := Checksum(ip)
		ip[10], ip[11] = byte(c>>8), byte(c)
		b = append(append(b, 0x08, 0x00), ip...)
	}
	if f.UDPChecksum {
		c := Checksum(append(append(pseudo, 0, 17, byte(plen>>8), byte(plen)), udp...))
		if c == 0 {
			c = 0xFFFF
		}
		udp[6], udp[7] = byte(c>>8), byte(c)
	}
	b = append(b, udp...)
	for i := range f.Padding {
		b = append(b, byte(0xA0+i))
	}
	return b
}

// Checksum returns the Internet checksum of b as defined by RFC 1071: the complement of the ones' complement sum. The
// sum is computed as a remainder modulo 65535, in which 0 is written as 65535 unless all bytes are 0.
func Checksum(b []byte) uint16 {
	sum := uint64(0)
	for i, x := range b {
		sum += uint64(x) << (8 * (1 - i%2))
	}
	if sum == 0 {
		return 0xFFFF
	}
	if sum %= 65535; sum == 0 {
		return 0
	}
	return uint16(65535 - sum)
}

// Draw returns a random frame that a packet block may receive: mostly UET requests and ACKs of all sizes, sometimes
// with one error.
func Draw(r *rand.Rand) []byte {
	f := Frame{
		V6: r.IntN(3) == 0, Class: uint8(r.Uint32()), FlowLabel: r.Uint32() & 0xfffff,
		UDPChecksum: r.IntN(3) > 0, UETType: []uint8{2, 3, 13, 14, 7, 8, 2, 8}[r.IntN(8)],
	}
	for range max(0, r.IntN(5)-2) {
		f.Tags = append(f.Tags, []uint16{0x8100, 0x88A8}[r.IntN(2)])
	}
	if !f.V6 && r.IntN(4) == 0 {
		f.Options = 4 * r.IntN(11)
	}
	n := []int{r.IntN(40), r.IntN(300), r.IntN(1000), r.IntN(64)}[r.IntN(4)]
	f.Body = make([]byte, n)
	for i := range f.Body {
		f.Body[i] = byte(r.Uint32())
	}
	if r.IntN(3) == 0 {
		f.Padding = r.IntN(70)
	}
	if r.IntN(20) == 0 {
		f.UDPPort = uint16(r.Uint32())
	}
	if r.IntN(12) == 0 {
		f.UETType = uint8(r.IntN(32))
	}
	b := f.Bytes()
	switch r.IntN(9) {
	case 0:
		b = b[:r.IntN(len(b)+1)]
	case 1, 2: // a byte of the headers
		i := 12 + r.IntN(f.H()+10-12)
		b[i] ^= byte(1 << r.IntN(8))
	case 3: // the next header or the protocol
		i := f.L2() + 9
		if f.V6 {
			i = f.L2() + 6
		}
		b[i] = []byte{0, 6, 17, 43, 44, 50, 51, 58, 60, 135}[r.IntN(10)]
	}
	return b
}
