package packet

import (
	"encoding/binary"
	"math/bits"
)

// Plain reports whether a frame, without FCS, is a UDP datagram in IPv4 without options or in IPv6, after at most two
// VLAN tags, with consistent lengths and correct checksums; summed reports whether it has a UDP checksum. Plain does
// not use the library and is about ten times as fast. A frame that it accepts is Sound to Judge. A frame that it
// rejects may still be sound: pass it to Judge.
func Plain(frame []byte) (plain, summed bool) {
	at := 12
	for tags := 0; ; tags++ {
		if len(frame) < at+2 {
			return false, false
		}
		kind := binary.BigEndian.Uint16(frame[at:])
		at += 2
		switch kind {
		case 0x8100, 0x88a8:
			if at += 2; tags < 2 {
				continue
			}
		case 0x0800:
			return plainIPv4(frame[at:])
		case 0x86dd:
			return plainIPv6(frame[at:])
		}
		return false, false
	}
}

func plainIPv4(ip []byte) (plain, summed bool) {
	const header = 20
	if len(ip) < header || ip[0] != 0x45 || ip[9] != 17 {
		return false, false
	}
	n := int(binary.BigEndian.Uint16(ip[2:]))
	whole := binary.BigEndian.Uint16(ip[6:])&0xbfff == 0 // not a fragment, and the reserved bit is 0
	// A checksum of 0xffff stands for one that computes to 0, which the library treats specially.
	if n < header || n > len(ip) || !whole || binary.BigEndian.Uint16(ip[10:]) == 0xffff || sum(ip[:header], 0) != 0xffff {
		return false, false
	}
	return plainUDP(ip[header:n], ip[12:header])
}

func plainIPv6(ip []byte) (plain, summed bool) {
	const header = 40
	if len(ip) < header || ip[0]>>4 != 6 || ip[6] != 17 {
		return false, false
	}
	n := header + int(binary.BigEndian.Uint16(ip[4:]))
	if n > len(ip) {
		return false, false
	}
	return plainUDP(ip[header:n], ip[8:header])
}

// plainUDP checks a datagram, given the addresses of its packet.
func plainUDP(udp, addresses []byte) (plain, summed bool) {
	if len(udp) < 8 || int(binary.BigEndian.Uint16(udp[4:])) != len(udp) {
		return false, false
	}
	if udp[6]|udp[7] == 0 {
		return true, false
	}
	pseudo := 17 + uint64(len(udp))
	right := sum(udp, uint64(sum(addresses, pseudo))) == 0xffff
	return right, right
}

// sum returns the ones' complement sum of start and the big-endian 16-bit words of b. A sum that is 0 in that
// arithmetic is returned as 0xffff unless all words are 0. A sum of longer words, in either byte order, folds to the
// same value.
func sum(b []byte, start uint64) uint16 {
	var s, c uint64
	for ; len(b) >= 32; b = b[32:] {
		s, c = bits.Add64(s, binary.LittleEndian.Uint64(b), c)
		s, c = bits.Add64(s, binary.LittleEndian.Uint64(b[8:]), c)
		s, c = bits.Add64(s, binary.LittleEndian.Uint64(b[16:]), c)
		s, c = bits.Add64(s, binary.LittleEndian.Uint64(b[24:]), c)
	}
	for ; len(b) >= 8; b = b[8:] {
		s, c = bits.Add64(s, binary.LittleEndian.Uint64(b), c)
	}
	var rest uint64
	for i, x := range b {
		rest |= uint64(x) << (8 * i)
	}
	s, c = bits.Add64(s, rest, c)
	s, c = bits.Add64(s, 0, c)
	s = s>>32 + s&0xffffffff + c
	s = uint64(bits.ReverseBytes16(fold(s))) + start
	return fold(s)
}

// fold adds the 16-bit parts of s until one is left.
func fold(s uint64) uint16 {
	for s > 0xffff {
		s = s>>16 + s&0xffff
	}
	return uint16(s)
}
