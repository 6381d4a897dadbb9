package gen

import "github.com/goldwire/goldwire/vectors/event/intmd"

// intmdWideCases need the high bits of lengths and of the period, a rate written in the cycle of a tick, or a keep with
// ones above its lowest zero.
func intmdWideCases(add func(name, doc string, write func(s *script))) {
	for _, fam := range families {
		add("wide/end/"+fam.name, "IP packets that end near 65,535 bytes: with the entry, beyond 16 bits", func(s *script) {
			for i, most := range []uint32{65535, 9216, 0, 1 << 15} {
				s.intCfg(intmd.KindCfgWrite, 0, intmd.RegMaxFrame, most, WaitAll)
				s.gap(20)
				for end := 65515; end < 65540; end++ {
					f := intFrame(&s.r, fam.tags, fam.v6, fam.options, []uint8{7, 8, 2, 13}[(end+i)%4], 1, 5)
					f.sized(300)
					n := end - f.l2()
					if f.v6 {
						n = end - f.udp()
					}
					f.claim(n)
					b := f.bytes(&s.r, nil)
					s.intRx(b, intmdSide{65535, 0, 0}, false, uint8(b2u(end == 65515))*WaitAll)
				}
			}
		})
	}
	add("rates/in-tick", "rates are written in every cycle of a period, so also in that of its tick, and read at once", func(s *script) {
		n := s.params["NumPorts"]
		for _, period := range []uint32{2, 3, 7, 24, 40} {
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegPeriod, period, WaitAll)
			s.gap(60)
			for round := range 8 {
				for i := range int(period) + 5 {
					s.intCfg(intmd.KindRateWrite, i%n, 0, uint32(round+i), 0)
				}
				for i := range int(period) {
					s.intCfg(intmd.KindEntryRead, i%n, 0, 0, 0)
				}
				s.intCfg(intmd.KindEntryRead, 0, 0, 0, WaitAll)
				s.gap(7 * round)
			}
		}
	})
	add("keep/end", "a last beat whose keep has a single zero, where the frame ends and one byte before", func(s *script) {
		for k := range 64 {
			for _, n := range []int{64 + k, 65 + k, 128 + k, 129 + k} {
				f := intFrame(&s.r, 0, k%2 != 0, 0, 7, 0, 3)
				f.sized(n)
				frame := f.bytes(&s.r, nil)
				beats(&s.r, &s.beat, frame, true, func(_ int, b *beat) {
					x := intmd.Rx{Data: b.data, Keep: b.keep, Last: b.last, Len: uint16(len(frame))}
					if b.last {
						x.Keep = ^(uint64(1) << k)
					}
					intmd.PackRx(&x, s.put(laneRx, 0))
					if !b.last {
						s.more()
					}
				})
			}
		}
	})
	add("period/high-bits", "a period with high bits set is not over after what its low bits say", func(s *script) {
		for bit := 16; bit < 24; bit++ {
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegPeriod, 1<<bit|5, WaitAll)
			s.gap(20)
			for i := range 10 {
				s.intCnt(0, intmd.OpAdd, 128, 80, 0)
				s.intCfg(intmd.KindEntryRead, 0, 0, 0, WaitAll)
				s.gap(i)
			}
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegPeriod, 1, WaitAll)
			s.gap(9)
		}
	})
	add("period/beyond-16-bits", "a period of more than 65,536 cycles ends", func(s *script) {
		s.intCfg(intmd.KindCfgWrite, 0, intmd.RegPeriod, 65600, WaitAll)
		s.intCnt(0, intmd.OpAdd, 12800, 8000, WaitAll)
		for range 7 {
			s.intCfg(intmd.KindEntryRead, 0, 0, 0, WaitAll)
			s.gap(11000)
		}
	})
}
