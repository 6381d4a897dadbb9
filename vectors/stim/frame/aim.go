package frame

import "github.com/goldwire/goldwire/vectors/stim"

// Aim sometimes draws a length close to the threshold of a rule: an IP length next to a carry of its low byte, or a
// frame that ends with a header or up to three bytes before its end.
func (f *Frame) Aim(r *stim.Rand) {
	if f.Raw {
		return
	}
	switch r.N(24) {
	case 4:
		f.EndWithHeaders(r.N(3))
	case 0:
		f.Cut = max(stim.Pick(r, f.L2(), f.L2()+min(20, f.L3()), f.UDP(), f.UDP()+8)-1-r.N(3), 1)
	case 1, 2, 3:
		n := 256*(1+r.N(9)) + r.N(12) - 9 // IP length
		if !f.V6 {
			n -= f.L3()
		}
		f.Body = max(n-8, 0)
	}
}

// AimZero sometimes sets the IPv4 header checksum in the frame's bytes to one of the two zeros of ones' complement. A
// design that recomputes or adjusts the checksum, instead of leaving it alone, turns one zero into the other.
func (f *Frame) AimZero(r *stim.Rand, b []byte) {
	if f.Raw || f.V6 || len(b) < f.L2()+12 || !r.One(16) {
		return
	}
	f.Zero(b, r.One(2))
}

// Zero sets the IPv4 header checksum to 0xffff, or to 0.
func (f *Frame) Zero(b []byte, ones bool) {
	v := byte(0)
	if ones {
		v = 0xff
	}
	b[f.L2()+10], b[f.L2()+11] = v, v
}

// EndWithHeaders cuts the frame a few bytes after the IP header and sets a matching length: nothing is missing, but
// there is no UDP header.
func (f *Frame) EndWithHeaders(more int) {
	f.Cut = f.UDP() + more
	if f.V6 {
		f.Claim(more)
	} else {
		f.Claim(f.L3() + more)
	}
}

// OneBits is the number of frames that OneBit makes of a good one: 16 bits in each of five fields.
const OneBits = 16 * 5

// OneBit returns a good frame with one wrong bit in a field that the header check compares: the protocol, the fragment
// field, the IP length, the UDP length or the packet type. i is less than OneBits.
func OneBit(good *Frame, i int) Frame {
	f, bit := *good, i/5
	udp := 8 + f.Body // the UDP length
	switch i % 5 {
	case 0:
		f.Proto ^= 1 << (bit % 8)
	case 1:
		f.Frag ^= 1 << bit
	case 2:
		size := udp // an IPv6 length excludes the header
		if !f.V6 {
			size += f.L3()
		}
		f.IPLen = size ^ 1<<bit - size
	case 3:
		f.UDPLen = udp ^ 1<<bit - udp
	case 4:
		f.UET ^= 1 << (bit % 5)
	}
	return f
}
