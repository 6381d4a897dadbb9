package trimmer

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// wideCases need the high bits of lengths, or a checksum whose carry runs round twice.
func wideCases(add func(name, doc string, write func(s *script))) {
	for _, fam := range frame.Families {
		about := "IP lengths up to 65,535: headers in front of them, the packet ends beyond 16 bits"
		add("wide/ip-length/"+fam.Name, about, func(s *script) {
			for _, n := range wideLengths {
				f := frame.Good(fam.Tags, fam.V6, fam.Options).WithSize(300)
				f.Claim(n)
				end := f.L2() + n
				if f.V6 {
					end = f.UDP() + n
				}
				for _, l := range []int{65535, 300, 0, min(end, 65535), min(end-1, 65535)} {
					b := f.Bytes(&s.Rand, nil)
					s.trimRx(b, sideband{trim: true, ce: true, len: l, tag: uint32(n)}, false, 0)
				}
			}
		})
		add("wide/len/"+fam.Name, "len at and above 32,768, of packets that end below it, at it and above", func(s *script) {
			for _, l := range []int{32767, 32768, 32769, 32768 + 180, 40000, 65535} {
				for _, end := range []int{180, 300, l - 32768, l - 1, l, l + 1} {
					f := frame.Good(fam.Tags, fam.V6, fam.Options).WithSize(300)
					n := end - f.L2()
					if f.V6 {
						n = end - f.UDP()
					}
					f.Claim(min(max(n, 0), 65535))
					b := f.Bytes(&s.Rand, nil)
					s.trimRx(b, sideband{trim: true, len: l, tag: uint32(end)}, false, 0)
				}
			}
		})
	}
	about := "sums that come out as 1, in either order of the bytes: the carry of the carry counts"
	add("wide/checksum", about, func(s *script) {
		dscp := uint16(trimmer.RegInfo[trimmer.RegDscpTrimmed].Reset)
		for i := range 120 {
			f := frame.Good(i%3, i%2 == 0, i%4).WithSize(150 + i)
			b := f.Bytes(&s.Rand, nil)
			want := uint32(1) << (i / 2 % 2 * 8)
			frame.AimSum(&f, b, 64, want)
			if !f.V6 {
				frame.AimHead(b[f.L2():], dscp, uint16(max(64-f.L2(), f.L3()+24)), want)
			}
			s.trimRx(b, sideband{trim: true, len: len(b)}, false, 0)
		}
	})
}

// wideLengths are IP lengths at the end of 16 bits.
var wideLengths = []int{65535, 65534, 65528, 65522, 65521, 65520, 65517, 65516, 65513, 65512, 65500, 65496, 65480,
	65473, 65440, 49152, 32768}
