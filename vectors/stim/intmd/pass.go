package intmd

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// passCases are frames that pass untouched, ports and resets.
func passCases(add func(name, doc string, write func(s *script))) {
	add("pass/malformed", "everything that can be wrong with a frame, one by one and in pairs", func(s *script) {
		for i := range 1500 {
			fam := frame.Families[i%len(frame.Families)]
			f := frame.WithRoom(&s.Rand, fam.Tags, fam.V6, fam.Options, uint8(2+5*(i&1)), i%4, 4).WithSize(100 + i%200)
			f.Spoil(&s.Rand)
			if i%3 == 0 {
				f.Spoil(&s.Rand)
			}
			b := f.Bytes(&s.Rand, nil)
			s.intRx(b, sideband{len(b), 0, 0}, i%5 == 0, 0)
		}
	})
	add("pass/ethertype", "one bit of the ethertype wrong, behind every number of tags", func(s *script) {
		for tags := range 3 {
			for b := range 16 {
				for _, t := range []uint16{0x0800, 0x86dd} {
					f := frame.Good(tags, t == 0x86dd, 0)
					f.Raw, f.EtherType, f.Body = true, t^1<<b, 80
					s.send(f, 0, 0)
				}
			}
		}
	})
	add("pass/version", "every version and every length of the IP header, after every number of tags", func(s *script) {
		for tags := range 3 {
			for v := range 16 {
				for form := range 4 {
					f := frame.WithRoom(&s.Rand, tags, form%2 != 0, 0, 7, 0, 3)
					if form < 2 {
						f.Version = uint8(v)
					} else {
						f.IHL = uint8(v)
					}
					s.send(f, 0, 0)
				}
			}
		}
	})
	add("keep/hole", "one zero in keep, at every place: what counts ends there", func(s *script) {
		for z := range 64 {
			f := frame.WithRoom(&s.Rand, 0, false, 0, 7, 0, 3) // of 62 bytes, whatever counts behind them
			f.Pad = 128 - f.Size()
			s.Beats(laneRx, 0, s.Bytes(&f), false, func(_ int, b *frame.Beat, words []uint64) {
				x := intmd.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Len: 128}
				if b.Last {
					x.Keep = ^(1 << z)
				}
				intmd.PackRx(&x, words)
			})
		}
	})
}

// passBitCases have one bit wrong.
func passBitCases(add func(name, doc string, write func(s *script))) {
	add("pass/port", "one bit of the UDP port wrong, or another configured", func(s *script) {
		for bit := range 16 {
			f := frame.WithRoom(&s.Rand, 0, false, 0, 8, 0, 3)
			f.DstPort ^= uint16(1 << bit)
			b := f.Bytes(&s.Rand, nil)
			s.intRx(b, sideband{len(b), 0, 0}, false, 0)
			s.reg(intmd.RegUdpPort, uint32(f.DstPort))
			s.Gap(10)
			s.intRx(b, sideband{len(b), 0, 0}, false, stim.WaitAll)
			f.DstPort ^= uint16(1 << bit)
			s.send(f, 0, stim.WaitAll)
			s.reg(intmd.RegUdpPort, uint32(f.DstPort))
			s.Gap(10)
		}
	})
	add("pass/magic", "one bit of the magic number wrong, or another configured", func(s *script) {
		for bit := range 17 {
			f := frame.WithRoom(&s.Rand, 0, false, 0, 8, 0, 3)
			f.Tele.Magic ^= uint16(1 << bit)
			b := f.Bytes(&s.Rand, nil)
			s.intRx(b, sideband{len(b), 0, 0}, false, 0)
			s.reg(intmd.RegMagic, uint32(f.Tele.Magic))
			s.Gap(10)
			s.intRx(b, sideband{len(b), 0, 0}, false, stim.WaitAll)
			s.reg(intmd.RegMagic, frame.Magic)
			s.Gap(10)
		}
	})
	add("pass/bits", "one bit of the protocol, the fragment field, a length or the packet type wrong", func(s *script) {
		for i := range 2 * frame.OneBits {
			good := frame.WithRoom(&s.Rand, i%3, i >= frame.OneBits, 0, 7, 0, 3)
			f := frame.OneBit(&good, i%frame.OneBits)
			s.send(f, 0, 0)
		}
	})
	about := "one bit of the form or of the complement wrong, two that cancel, more hops than there is room for"
	add("pass/form", about, func(s *script) {
		for bit := range 16 {
			for _, kind := range []uint8{7, 13} {
				f := frame.WithRoom(&s.Rand, bit%3, bit%2 == 0, 0, kind, 2, 5)
				f.Tele.Flip = 1 << bit
				s.send(f, 0, 0)
				f.Tele.Flip |= stim.Pick(&s.Rand, uint16(1)<<((bit+8)%16), 1<<(bit^1))
				s.send(f, 0, 0)
			}
		}
		for _, room := range []int{0, 1, 127, 128, 254, 255} {
			for _, h := range []int{max(room-1, 0), room, min(room+1, 255), min(room+2, 255), 255} {
				f := frame.WithRoom(&s.Rand, 0, false, 0, 8, h, room)
				s.send(f, 0, 0)
			}
		}
	})
}

// passPortCases are about checksums, ports and resets.
func passPortCases(add func(name, doc string, write func(s *script))) {
	add("checksum/udp", "checksum 0, right, wrong, and such that come out as 0", func(s *script) {
		s.intCnt(0, intmd.OpSet, 0, 0, stim.WaitAll)
		s.reg(intmd.RegStep, 0)
		s.reg(intmd.RegTime, 0)
		s.Gap(20)
		s.intCfg(intmd.KindEntryRead, 0, 0, 0, stim.WaitAll)
		s.Gap(20)
		for i := range 300 {
			f := frame.WithRoom(&s.Rand, i%3, i%2 == 0, i%4, uint8(7+i%2), i%3, 5)
			f.NoSum, f.BadSum, f.Ones, f.BadHead = i%6 == 0, i%6 == 1, i%6 == 2, i%6 == 3
			f.Body += i % 17
			b := f.Bytes(&s.Rand, nil)
			if i%6 > 3 {
				aimInserted(&f, b, 0, 0xffff) // of a table that is all 0, also its rate code
			}
			s.intRx(b, sideband{len(b), 0, 0}, false, uint8(stim.Bit(i == 0))*stim.WaitAll)
		}
	})
	about := "sums that come out as 1, in either order of the bytes: the carry of the carry counts"
	add("checksum/carry", about, func(s *script) {
		const tx = 1<<27 - 128 // as an entry says it: all ones
		s.intCnt(0, intmd.OpSet, tx, 0, stim.WaitAll)
		s.reg(intmd.RegStep, 0)
		s.reg(intmd.RegTime, 1<<24-1)
		s.Gap(20)
		s.intCfg(intmd.KindEntryRead, 0, 0, 0, stim.WaitAll)
		s.Gap(20)
		for i := range 120 {
			f := frame.WithRoom(&s.Rand, i%3, i%2 == 0, i%4, uint8(7+i%2), i%3, 5)
			f.Body += i % 17
			b := f.Bytes(&s.Rand, nil)
			want := uint32(1) << (i / 2 % 2 * 8)
			aimInserted(&f, b, 0x0fff+0xffff+0xffff, want)
			if !f.V6 {
				p := b[f.L2():]
				n := uint16(p[2])<<8 | uint16(p[3])
				frame.AimHead(p, uint16(f.TOS>>2), n+8, want)
			}
			s.intRx(b, sideband{len(b), 0, 0}, false, uint8(stim.Bit(i == 0))*stim.WaitAll)
		}
	})
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		add("ports/"+name, "packets of all lengths with waits at the ports", func(s *script) {
			for i := range 80 {
				f := frame.WithRoom(&s.Rand, 0, i%2 == 0, 0, 7, 0, 2).WithSize(90 + 13*i)
				s.send(f, 0, 0)
				s.intCfg(intmd.KindRead, 0, i%intmd.NumWords, 0, 0)
				s.intCnt(0, intmd.OpAdd, 100, 7, 0)
			}
			s.Gates(3, 2, idle, stall)
		})
	})
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		add(name, "a reset in mid-packet and with packets everywhere", func(s *script) {
			r := r
			r.After += s.Used
			for i := range 12 {
				f := frame.WithRoom(&s.Rand, 0, i%2 == 0, 0, 7, 0, 2).WithSize(120 + 64*i)
				s.send(f, 0, 0)
				s.intCnt(0, intmd.OpAdd, 5000, 700, 0)
			}
			s.Interrupt(r, held, 3, 2, stim.Bursts(1, 200))
		})
	})
}

// aimInserted sets the checksum of a frame so that the sum is want when an entry is inserted whose 16-bit words add
// up to entry.
func aimInserted(f *frame.Frame, b []byte, entry, want uint32) {
	h := f.UDP()
	g := h + 8 + frame.HeaderLen(f.UET)
	l := uint32(8 + f.Body)
	// ~C + 2(~l + l') + ~g + g' + e = want.
	rest := 2*(uint32(^uint16(l))+l+8) + uint32(^(uint16(b[g+2])<<8 | uint16(b[g+3]))) + uint32(
		uint16(b[g+2]+1)<<8|uint16(b[g+3]))
	c := frame.Fold(rest + entry + uint32(^uint16(want)))
	if c == 0 {
		c = 0xffff
	}
	b[h+6], b[h+7] = byte(c>>8), byte(c)
}
