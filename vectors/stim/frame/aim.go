package frame

import "github.com/goldwire/goldwire/vectors/stim"

// Aim draws, now and then, a length that a rule is close about: an IP length next to a carry of its low byte, or a
// frame that ends up to three bytes before the end of a header, or with it.
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

// AimZero sets the IPv4 header checksum of the frame's bytes, now and then, to one of the two zeros of its arithmetic:
// a checksum that is computed anew or adjusted, instead of left alone, turns one into the other.
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

// EndWithHeaders cuts the frame a few bytes behind the IP header, with a length to match: nothing is missing, but there
// is no UDP header.
func (f *Frame) EndWithHeaders(more int) {
	f.Cut = f.UDP() + more
	if f.V6 {
		f.Claim(more)
	} else {
		f.Claim(f.L3() + more)
	}
}
