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
