package intmd

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// wideCases need the high bits of lengths and of the period, a rate written in the cycle of a tick, or a keep with ones
// above its lowest zero.
func wideCases(add func(name, doc string, write func(s *script))) {
	for _, fam := range frame.Families {
		add("wide/end/"+fam.Name, "IP packets that end near 65,535 bytes: with the entry, beyond 16 bits", func(s *script) {
			for i, most := range []uint32{65535, 9216, 0, 1 << 15} {
				s.reg(intmd.RegMaxFrame, most)
				s.Gap(20)
				for end := 65515; end < 65540; end++ {
					f := frame.WithRoom(&s.Rand, fam.Tags, fam.V6, fam.Options, []uint8{7, 8, 2, 13}[(end+i)%4], 1, 5).WithSize(300)
					n := end - f.L2()
					if f.V6 {
						n = end - f.UDP()
					}
					f.Claim(n)
					b := f.Bytes(&s.Rand, nil)
					s.intRx(b, sideband{65535, 0, 0}, false, uint8(stim.Bit(end == 65515))*stim.WaitAll)
				}
			}
		})
	}
	about := "rates are written in every cycle of a period, so also in that of its tick, and read at once"
	add("rates/in-tick", about, func(s *script) {
		n := s.Params["NumPorts"]
		for _, period := range []uint32{2, 3, 7, 24, 40} {
			s.reg(intmd.RegPeriod, period)
			s.Gap(60)
			for round := range 8 {
				for i := range int(period) + 5 {
					s.intCfg(intmd.KindRateWrite, i%n, 0, uint32(round+i), 0)
				}
				for i := range int(period) {
					s.intCfg(intmd.KindEntryRead, i%n, 0, 0, 0)
				}
				s.intCfg(intmd.KindEntryRead, 0, 0, 0, stim.WaitAll)
				s.Gap(7 * round)
			}
		}
	})
	add("keep/end", "a last beat whose keep has a single zero, where the frame ends and one byte before", func(s *script) {
		for k := range 64 {
			for _, n := range []int{64 + k, 65 + k, 128 + k, 129 + k} {
				f := frame.WithRoom(&s.Rand, 0, k%2 != 0, 0, 7, 0, 3).WithSize(n)
				data := f.Bytes(&s.Rand, nil)
				s.Beats(laneRx, 0, data, true, func(_ int, b *frame.Beat, words []uint64) {
					x := intmd.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Len: uint16(len(data))}
					if b.Last {
						x.Keep = ^(uint64(1) << k)
					}
					intmd.PackRx(&x, words)
				})
			}
		}
	})
	add("period/high-bits", "a period with high bits set is not over after what its low bits say", func(s *script) {
		for bit := 16; bit < 24; bit++ {
			s.reg(intmd.RegPeriod, 1<<bit|5)
			s.Gap(20)
			for i := range 10 {
				s.intCnt(0, intmd.OpAdd, 128, 80, 0)
				s.intCfg(intmd.KindEntryRead, 0, 0, 0, stim.WaitAll)
				s.Gap(i)
			}
			s.reg(intmd.RegPeriod, 1)
			s.Gap(9)
		}
	})
	add("period/beyond-16-bits", "a period of more than 65,536 cycles ends", func(s *script) {
		s.reg(intmd.RegPeriod, 65600)
		s.intCnt(0, intmd.OpAdd, 12800, 8000, stim.WaitAll)
		for range 7 {
			s.intCfg(intmd.KindEntryRead, 0, 0, 0, stim.WaitAll)
			s.Gap(11000)
		}
	})
}
