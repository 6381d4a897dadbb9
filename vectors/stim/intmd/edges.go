package intmd

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// edgeCases write registers in every cycle about the release of a packet, name ports that differ from others in one
// bit, send lengths about the carry of their low byte, frames that end early, and more than 2^17 packets and reports.
func edgeCases(add func(name, doc string, write func(s *script))) {
	telemetry := func(s *script, uet uint8, n int, v6 bool) []byte {
		f := frame.Good(0, v6, 0)
		f.UET = uet
		f.WithTelemetry(&s.Rand, 1, 4)
		f.Tele.Magic = frame.Magic
		f.Sized(n)
		return f.Bytes(&s.Rand, nil)
	}
	for _, reg := range []struct {
		name   string
		addr   int
		values [2]uint32
	}{{"mode", intmd.RegMode, [2]uint32{3, 0}}, {"udp-port", intmd.RegUdpPort, [2]uint32{4793, 4792}},
		{"magic", intmd.RegMagic, [2]uint32{frame.Magic, 77}}, {"max-frame", intmd.RegMaxFrame, [2]uint32{9216, 100}}} {
		about := "a register written in every cycle before, at and behind the release of a packet"
		add(fmt.Sprintf("release/write-%s", reg.name), about, func(s *script) {
			s.reg(intmd.RegMode, 3)
			for _, n := range []int{110, 128, 300} {
				for d := -4; d <= 12; d++ {
					for k := range 2 {
						s.Skewed(40, d, func() { s.reg(reg.addr, reg.values[(d+k)&1]) }, func() {
							b := telemetry(s, uint8(2+5*k), n, false)
							s.intRx(b, sideband{len(b), 0, 0}, false, stim.WaitAll)
						})
					}
				}
			}
		})
	}
	add("ports/one-bit", "ports that differ from those there are in one bit", func(s *script) {
		s.reg(intmd.RegMode, 3)
		for p := range s.Params["NumPorts"] {
			for bit := range 8 {
				for _, uet := range []uint8{7, 2} {
					b := telemetry(s, uet, 110, bit%2 == 0)
					s.intRx(b, sideband{len(b), p ^ 1<<bit, p ^ 1<<bit}, false, 0)
				}
			}
		}
	})
	add("length/carries", "IP lengths to which an entry adds a carry, and those next to them", func(s *script) {
		s.reg(intmd.RegMode, 3)
		for _, v6 := range []bool{false, true} {
			head := 14
			if v6 {
				head = 54
			}
			for high := 1; high <= 8; high++ {
				for low := -9; low <= 2; low++ {
					b := telemetry(s, 2, head+256*high+low, v6)
					s.intRx(b, sideband{len(b), 0, 0}, false, 0)
				}
			}
		}
	})
	about := "IPv4 header checksums of 0 and 0xffff, in packets left alone and with an entry"
	add("checksum/zeros", about, func(s *script) {
		s.reg(intmd.RegMode, 1) // ACKs alone
		for i := range 24 {
			f := frame.Good(i%3, false, i/3%2*5)
			f.UET = []uint8{7, 2}[i/12]
			f.WithTelemetry(&s.Rand, 1, 4)
			f.Tele.Magic = frame.Magic
			f.Sized(120 + i)
			b := f.Bytes(&s.Rand, nil)
			f.Zero(b, i/6%2 == 0)
			s.intRx(b, sideband{len(b), 0, 0}, false, 0)
		}
	})
	add("cut/with-headers", "frames that end with the IP header, or up to three bytes behind it", func(s *script) {
		for tags := range 3 {
			for k := range 12 {
				f := frame.Good(tags, k%3 == 1, k%3/2*7).WithSize(200)
				f.EndWithHeaders(k / 3)
				s.send(f, 0, 0)
			}
		}
	})
	add("cut/wrong-version", "frames that end in an IP header of a wrong version or length", func(s *script) {
		for k := range 9 {
			f := frame.WrongHead(k/3, k%3)
			for f.Cut = f.L2(); f.Cut <= f.L2()+40; f.Cut++ {
				s.send(f, 0, 0)
			}
		}
	})
	about = "frames that end before the place of the entry, with a last beat without bytes, where len claims more"
	add("cut/empty-beat", about, func(s *script) {
		for _, kind := range frame.TelemetryKinds {
			for n := 128; n <= 256; n += 64 {
				for _, hops := range []int{9, 20, 28} {
					f := frame.WithRoom(&s.Rand, 0, n == 192, 0, kind, hops, 30).WithSize(400)
					b := f.Bytes(&s.Rand, nil)
					s.intRx(b[:n], sideband{len(b), 0, 0}, true, 0)
				}
			}
		}
	})
	about = "entries that lie across the end of the last beat, so that the added one has a part of them, with waits at tx"
	add("place/added-beat", about, func(s *script) {
		for i := range 240 {
			f := frame.WithRoom(&s.Rand, 0, false, 0, 7, i%3/2*8, 16) // an entry at 62 or 126
			if i%3 == 1 {
				f = frame.WithRoom(&s.Rand, 1, false, 0, 7, 7, 16) // at 122
			}
			f.Sized(f.Size() + i/3%3)
			s.send(f, 0, 0)
		}
		s.Gates(3, 2, stim.Gate{}, stim.Density(128))
	})
	add("wide/packets", "more than 2^17 packets in one episode, and reports", func(s *script) {
		s.reg(intmd.RegMode, 3)
		b := telemetry(s, 7, 64, false)
		ports := s.Params["NumPorts"]
		for i := range 1<<17 + 40 {
			s.intRx(b[:64], sideband{64, i % ports, i % ports}, false, 0)
			if i%8 == 0 {
				s.intCnt(i%ports, intmd.Op(i>>3&1), uint32(i), uint32(i), 0)
			}
		}
	})
}

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

// resetCases put a reset at every distance from every beat, report and access.
func resetCases(add func(name, doc string, write func(s *script))) {
	for _, g := range stim.ResetGates {
		about := "a reset after each beat of a packet that grows by one, at every distance"
		add("reset/every-beat"+g.Suffix, about, func(s *script) {
			s.ResetsAmong(intmd.Release+intmd.Emit+4, func() {
				for range g.Packets {
					f := frame.WithRoom(&s.Rand, 0, true, 0, 7, 0, 2).WithSize(64*intmd.HeadBeats + 62)
					s.send(f, 0, 0)
				}
			})
			s.Gates(3, 2, stim.Gate{}, g.Stall)
		})
	}
	about := "a reset soon after a report or an access: no answer, and nothing of it in the table"
	add("reset/every-report", about, func(s *script) {
		s.ResetsAmong(intmd.CfgLatency+6, func() {
			s.intCnt(0, intmd.OpAdd, 12800, 8000, 0)
			s.intCfg(intmd.KindRateWrite, 0, 0, 9, 0)
			s.intCfg(intmd.KindLoad, 0, 0, 7, 0)
			s.intCfg(intmd.KindEntryRead, 0, 0, 0, 0)
		})
	})
}
