package trimmer

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// edgeCases write registers in every cycle about the release of a packet, and send more than 2^17 packets.
func edgeCases(add func(name, doc string, write func(s *script))) {
	for _, reg := range []struct {
		name   string
		addr   int
		values [2]uint32
	}{{"trim-size", trimmer.RegTrimSize, [2]uint32{64, 128}}, {"min-size", trimmer.RegMinSize, [2]uint32{60, 200}},
		{"udp-port", trimmer.RegUdpPort, [2]uint32{4793, 4792}},
		{"dscp-trimmed", trimmer.RegDscpTrimmed, [2]uint32{16, 45}},
		{"dscp-lasthop", trimmer.RegDscpLasthop, [2]uint32{18, 33}}} {
		about := "a register written in every cycle before, at and behind the release of a packet"
		add(fmt.Sprintf("release/write-%s", reg.name), about, func(s *script) {
			for i, n := range []int{200, 250, 300} {
				for d := -4; d <= 12; d++ {
					for k := range 2 {
						s.Skewed(40, d, func() {
							s.trimCfg(trimmer.KindCfgWrite, reg.addr, reg.values[(d+k)&1], stim.WaitAll)
						}, func() {
							s.send(frame.Good(i, i == 1, 0).WithSize(n),
								sideband{trim: true, lastHop: reg.addr == trimmer.RegDscpLasthop}, stim.WaitAll)
						})
					}
				}
			}
		})
	}
	about := "IPv4 header checksums of 0 and 0xffff, in packets left alone, marked and trimmed"
	add("checksum/zeros", about, func(s *script) {
		for i := range 48 {
			f := frame.Good(i%3, false, i/3%2*5).WithSize(120 + i)
			f.TOS = uint8(i % 4)
			b := f.Bytes(&s.Rand, nil)
			f.Zero(b, i/6%2 == 0)
			s.trimRx(b, sideband{trim: i/12%2 == 1, ce: i/24 == 1, len: len(b), tag: uint32(i)}, false, 0)
		}
	})
	add("cut/with-headers", "frames that end with the IP header, or up to three bytes behind it", func(s *script) {
		for tags := range 3 {
			for k := range 12 {
				f := frame.Good(tags, k%3 == 1, k%3/2*7).WithSize(200)
				f.EndWithHeaders(k / 3)
				s.trimmed(f)
			}
		}
	})
	add("cut/wrong-version", "frames that end in an IP header of a wrong version or length", func(s *script) {
		for k := range 9 {
			f := frame.WrongHead(k/3, k%3)
			for f.Cut = f.L2(); f.Cut <= f.L2()+40; f.Cut++ {
				s.trimmed(f)
			}
		}
	})
	add("wide/packets", "more than 2^17 packets in one episode", func(s *script) {
		f := frame.Good(0, false, 0).WithSize(64)
		b := f.Bytes(&s.Rand, nil)
		for i := range 1<<17 + 40 {
			s.trimRx(b, sideband{trim: i&3 != 0, ce: i&4 != 0, lastHop: i&8 != 0, len: len(b), tag: uint32(i), told: i & 63},
				false, 0)
		}
	})
}

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

// resetCases put a reset at every distance from every beat and every access.
func resetCases(add func(name, doc string, write func(s *script))) {
	for _, g := range stim.ResetGates {
		add("reset/every-beat"+g.Suffix, "a reset after each beat of a packet, at every distance", func(s *script) {
			s.ResetsAmong(trimmer.Release+trimmer.Emit+4, func() {
				for i := range g.Packets {
					f := frame.Good(0, false, 0).WithSize(64*trimmer.HeadBeats + 100)
					b := f.Bytes(&s.Rand, nil)
					side := trimAll(len(b))
					side.trim = i%2 == 0
					s.trimRx(b, side, false, 0)
				}
			})
			s.Gates(2, 2, stim.Gate{}, g.Stall)
		})
	}
	add("reset/every-access", "a reset soon after an access: no answer, and what it wrote is gone", func(s *script) {
		s.ResetsAmong(trimmer.CfgLatency+4, func() {
			s.trimCfg(trimmer.KindCfgRead, trimmer.RegTrimSize, 0, 0)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, 99, 0)
			s.trimCfg(trimmer.KindLoad, 0, 7, 0)
			s.trimCfg(trimmer.KindRead, 0, 0, 0)
		})
	})
}
