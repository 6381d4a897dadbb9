package gen

import "github.com/goldwire/goldwire/vectors/event/trimmer"

// trimmerWideCases need the high bits of lengths, or a checksum whose carry runs round twice.
func trimmerWideCases(add func(name, doc string, write func(s *script))) {
	for _, fam := range families {
		add("wide/ip-length/"+fam.name, "IP lengths up to 65,535: headers in front of them, the packet ends beyond 16 bits", func(s *script) {
			for _, n := range wideLengths {
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.sized(300)
				f.claim(n)
				end := f.l2() + n
				if f.v6 {
					end = f.udp() + n
				}
				for _, l := range []int{65535, 300, 0, min(end, 65535), min(end-1, 65535)} {
					b := f.bytes(&s.r, nil)
					s.trimRx(b, trimmerSide{trim: true, ce: true, len: l, tag: uint32(n)}, false, 0)
				}
			}
		})
		add("wide/len/"+fam.name, "len at and above 32,768, of packets that end below it, at it and above", func(s *script) {
			for _, l := range []int{32767, 32768, 32769, 32768 + 180, 40000, 65535} {
				for _, end := range []int{180, 300, l - 32768, l - 1, l, l + 1} {
					f := goodFrame(fam.tags, fam.v6, fam.options)
					f.sized(300)
					n := end - f.l2()
					if f.v6 {
						n = end - f.udp()
					}
					f.claim(min(max(n, 0), 65535))
					b := f.bytes(&s.r, nil)
					s.trimRx(b, trimmerSide{trim: true, len: l, tag: uint32(end)}, false, 0)
				}
			}
		})
	}
	add("wide/checksum", "sums that come out as 1, in either order of the bytes: the carry of the carry counts", func(s *script) {
		dscp := uint16(trimmer.RegInfo[trimmer.RegDscpTrimmed].Reset)
		for i := range 120 {
			f := goodFrame(i%3, i%2 == 0, i%4)
			f.sized(150 + i)
			b := f.bytes(&s.r, nil)
			want := uint32(1) << (i / 2 % 2 * 8)
			aimSum(&f, b, 64, want)
			if !f.v6 {
				aimHead(b[f.l2():], dscp, uint16(max(64-f.l2(), f.l3()+24)), want)
			}
			s.trimRx(b, trimmerSide{trim: true, len: len(b)}, false, 0)
		}
	})
}

// wideLengths are IP lengths at the end of 16 bits.
var wideLengths = []int{65535, 65534, 65528, 65522, 65521, 65520, 65517, 65516, 65513, 65512, 65500, 65496, 65480, 65473, 65440, 49152, 32768}

// claim makes the IP and the UDP length say that the IP length is n.
func (f *frame) claim(n int) {
	d := n - f.body - 8
	if !f.v6 {
		d -= f.l3()
	}
	f.iplen, f.udplen = d, d
}

// aimHead sets the checksum of an IPv4 header so that the sum is want when the DSCP and the total length are new.
func aimHead(p []byte, dscp, total uint16, want uint32) {
	word := func(i int) uint16 { return uint16(p[i])<<8 | uint16(p[i+1]) }
	class := word(0)&^0xfc | dscp<<2
	s := uint32(^word(0)) + uint32(class) + uint32(^word(2)) + uint32(total)
	// ~C + s = want, so C = s - want.
	c := fold(s + uint32(^uint16(want)))
	p[10], p[11] = byte(c>>8), byte(c)
}
