package gen

import "github.com/goldwire/goldwire/vectors/event/trimmer"

// trimmerWideCases need the high bits of lengths, or a checksum whose carry runs round twice.
func trimmerWideCases(add func(name, doc string, write func(s *trimmerScript))) {
	for _, fam := range families {
		add("wide/ip-length/"+fam.name, "IP lengths up to 65,535: headers in front of them, the packet ends beyond 16 bits", func(s *trimmerScript) {
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
		add("wide/len/"+fam.name, "len at and above 32,768, of packets that end below it, at it and above", func(s *trimmerScript) {
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
	add("wide/checksum", "sums that come out as 1, in either order of the bytes: the carry of the carry counts", func(s *trimmerScript) {
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
