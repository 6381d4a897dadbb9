package gen

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// intmdPassCases are frames that pass untouched, ports and resets.
func intmdPassCases(add func(name, doc string, write func(s *script))) {
	add("pass/malformed", "everything that can be wrong with a frame, one by one and in pairs", func(s *script) {
		for i := range 1500 {
			fam := families[i%len(families)]
			f := intFrame(&s.r, fam.tags, fam.v6, fam.options, uint8(2+5*(i&1)), i%4, 4)
			f.sized(100 + i%200)
			f.spoil(&s.r)
			if i%3 == 0 {
				f.spoil(&s.r)
			}
			b := f.bytes(&s.r, nil)
			s.intRx(b, intmdSide{len(b), 0, 0}, i%5 == 0, 0)
		}
	})
	add("pass/ethertype", "one bit of the ethertype wrong, behind every number of tags", func(s *script) {
		for tags := range 3 {
			for b := range 16 {
				for _, t := range []uint16{0x0800, 0x86dd} {
					f := goodFrame(tags, t == 0x86dd, 0)
					f.raw, f.etype, f.body = true, t^1<<b, 80
					x := f.bytes(&s.r, nil)
					s.intRx(x, intmdSide{len(x), 0, 0}, false, 0)
				}
			}
		}
	})
	add("pass/version", "every version and every length of the IP header, behind every number of tags", func(s *script) {
		for tags := range 3 {
			for v := range 16 {
				for form := range 4 {
					f := intFrame(&s.r, tags, form%2 != 0, 0, 7, 0, 3)
					if form < 2 {
						f.version = uint8(v)
					} else {
						f.ihl = uint8(v)
					}
					x := f.bytes(&s.r, nil)
					s.intRx(x, intmdSide{len(x), 0, 0}, false, 0)
				}
			}
		}
	})
	add("keep/hole", "one zero in keep, at every place: what counts ends there", func(s *script) {
		for z := range 64 {
			f := intFrame(&s.r, 0, false, 0, 7, 0, 3) // of 62 bytes, whatever counts behind them
			f.pad = 128 - f.size()
			beats(&s.r, &s.beat, f.bytes(&s.r, nil), false, func(_ int, b *beat) {
				x := intmd.Rx{Data: b.data, Keep: b.keep, Last: b.last, Len: 128}
				if b.last {
					x.Keep = ^(1 << z)
				}
				intmd.PackRx(&x, s.put(laneRx, 0))
				if !b.last {
					s.more()
				}
			})
		}
	})
	add("pass/counters", "every cause counts over 2^32", func(s *script) {
		for a := range intmd.NumWords {
			s.intCfg(intmd.KindLoad, 0, a, ^uint32(0), WaitAll)
		}
		s.gap(20)
		for i, spoil := range []func(f *frame){
			func(f *frame) { f.cut = 30 },
			func(f *frame) { f.raw, f.etype = true, 0x0806 },
			func(f *frame) { f.version = 9 },
			func(f *frame) { f.frag = 0x2000 },
			func(f *frame) { f.v6, f.proto = true, 43 },
			func(f *frame) { f.proto = 6 },
			func(f *frame) { f.udplen = 1 },
			func(f *frame) { f.dport = 1 },
			func(f *frame) { f.uet = 31 },
			func(f *frame) { f.tele.magic = 1 },
			func(f *frame) { f.tele.flip = 1 },
			func(f *frame) { f.tele.hops = f.tele.max },
			func(*frame) {},
		} {
			f := intFrame(&s.r, 0, false, 0, 7, 0, 3)
			spoil(&f)
			b := f.bytes(&s.r, nil)
			// The last one comes in at a port that is not there.
			s.intRx(b, intmdSide{len(b), 255 * (i / 12), 0}, false, WaitAll)
		}
	})
	add("pass/port", "one bit of the UDP port wrong, or another configured", func(s *script) {
		for bit := range 16 {
			f := intFrame(&s.r, 0, false, 0, 8, 0, 3)
			f.dport ^= uint16(1 << bit)
			b := f.bytes(&s.r, nil)
			s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegUdpPort, uint32(f.dport), WaitAll)
			s.gap(10)
			s.intRx(b, intmdSide{len(b), 0, 0}, false, WaitAll)
			f.dport ^= uint16(1 << bit)
			b = f.bytes(&s.r, nil)
			s.intRx(b, intmdSide{len(b), 0, 0}, false, WaitAll)
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegUdpPort, uint32(f.dport), WaitAll)
			s.gap(10)
		}
	})
	add("pass/magic", "one bit of the magic number wrong, or another configured", func(s *script) {
		for bit := range 17 {
			f := intFrame(&s.r, 0, false, 0, 8, 0, 3)
			f.tele.magic ^= uint16(1 << bit)
			b := f.bytes(&s.r, nil)
			s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegMagic, uint32(f.tele.magic), WaitAll)
			s.gap(10)
			s.intRx(b, intmdSide{len(b), 0, 0}, false, WaitAll)
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegMagic, intMagic, WaitAll)
			s.gap(10)
		}
	})
	add("pass/form", "one bit of the form or of the complement wrong, two that cancel, more hops than there is room for", func(s *script) {
		for bit := range 16 {
			for _, kind := range []uint8{7, 13} {
				f := intFrame(&s.r, bit%3, bit%2 == 0, 0, kind, 2, 5)
				f.tele.flip = 1 << bit
				b := f.bytes(&s.r, nil)
				s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
				f.tele.flip |= pick(&s.r, uint16(1)<<((bit+8)%16), 1<<(bit^1))
				b = f.bytes(&s.r, nil)
				s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
			}
		}
		for _, room := range []int{0, 1, 127, 128, 254, 255} {
			for _, h := range []int{max(room-1, 0), room, min(room+1, 255), min(room+2, 255), 255} {
				f := intFrame(&s.r, 0, false, 0, 8, h, room)
				b := f.bytes(&s.r, nil)
				s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
			}
		}
	})
	add("pass/first-cause", "a header with several faults passes by the first of them", func(s *script) {
		for i := range 16 {
			f := intFrame(&s.r, 0, i%2 == 0, 0, 7, 3, 5)
			if i&1 != 0 {
				f.tele.magic ^= 1
			}
			if i&2 != 0 {
				f.tele.flip = 0x0101
			}
			if i&4 != 0 {
				f.iplen, f.udplen = -1, -1 // the last entry is not whole
				f.body--
			}
			if i&8 != 0 {
				f.tele.max = 3
			}
			b := f.bytes(&s.r, nil)
			s.intRx(b, intmdSide{len(b), 255, 0}, false, 0)
		}
	})
	add("checksum/udp", "checksum 0, right, wrong, and such that come out as 0", func(s *script) {
		s.intCnt(0, intmd.OpSet, 0, 0, WaitAll)
		s.intCfg(intmd.KindCfgWrite, 0, intmd.RegStep, 0, WaitAll)
		s.intCfg(intmd.KindCfgWrite, 0, intmd.RegTime, 0, WaitAll)
		s.gap(20)
		s.intCfg(intmd.KindEntryRead, 0, 0, 0, WaitAll)
		s.gap(20)
		for i := range 300 {
			f := intFrame(&s.r, i%3, i%2 == 0, i%4, uint8(7+i%2), i%3, 5)
			f.nocsum, f.badsum, f.ones, f.badhead = i%6 == 0, i%6 == 1, i%6 == 2, i%6 == 3
			f.body += i % 17
			b := f.bytes(&s.r, nil)
			if i%6 > 3 {
				aimInserted(&f, b, 0, 0xffff) // of a table that is all 0, also its rate code
			}
			s.intRx(b, intmdSide{len(b), 0, 0}, false, uint8(b2u(i == 0))*WaitAll)
		}
	})
	add("checksum/carry", "sums that come out as 1, in either order of the bytes: the carry of the carry counts", func(s *script) {
		const tx = 1<<27 - 128 // as an entry says it: all ones
		s.intCnt(0, intmd.OpSet, tx, 0, WaitAll)
		s.intCfg(intmd.KindCfgWrite, 0, intmd.RegStep, 0, WaitAll)
		s.intCfg(intmd.KindCfgWrite, 0, intmd.RegTime, 1<<24-1, WaitAll)
		s.gap(20)
		s.intCfg(intmd.KindEntryRead, 0, 0, 0, WaitAll)
		s.gap(20)
		for i := range 120 {
			f := intFrame(&s.r, i%3, i%2 == 0, i%4, uint8(7+i%2), i%3, 5)
			f.body += i % 17
			b := f.bytes(&s.r, nil)
			want := uint32(1) << (i / 2 % 2 * 8)
			aimInserted(&f, b, 0x0fff+0xffff+0xffff, want)
			if !f.v6 {
				p := b[f.l2():]
				n := uint16(p[2])<<8 | uint16(p[3])
				aimHead(p, uint16(f.tos>>2), n+8, want)
			}
			s.intRx(b, intmdSide{len(b), 0, 0}, false, uint8(b2u(i == 0))*WaitAll)
		}
	})
	for _, g := range []struct {
		name        string
		idle, stall Gate
	}{{"stalls", Gate{}, Density(100)}, {"bursts", Gate{}, Bursts(20, 60)}, {"trickle", Gate{}, Density(230)}, {"idle", Density(160), Density(40)}} {
		add("ports/"+g.name, "packets of all lengths with waits at the ports", func(s *script) {
			for i := range 80 {
				f := intFrame(&s.r, 0, i%2 == 0, 0, 7, 0, 2)
				f.sized(90 + 13*i)
				b := f.bytes(&s.r, nil)
				s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
				s.intCfg(intmd.KindRead, 0, i%intmd.NumWords, 0, 0)
				s.intCnt(0, intmd.OpAdd, 100, 7, 0)
			}
			s.gatesOf(3, 2, g.idle, g.stall)
		})
	}
	for _, n := range []struct{ items, delay, low int }{{1, 0, 1}, {2, 1, 1}, {5, 0, 2}, {9, 4, 1}, {14, 9, 3}, {23, 0, 1}, {40, 12, 1}} {
		for _, held := range []bool{false, true} {
			name := fmt.Sprintf("reset/in-stream-%d-%d", n.items, n.delay)
			if held {
				name += "-held"
			}
			add(name, "a reset in mid-packet and with packets everywhere", func(s *script) {
				from := s.used
				for i := range 12 {
					f := intFrame(&s.r, 0, i%2 == 0, 0, 7, 0, 2)
					f.sized(120 + 64*i)
					b := f.bytes(&s.r, nil)
					s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
					s.intCnt(0, intmd.OpAdd, 5000, 700, 0)
				}
				s.drive.Resets = append(s.drive.Resets, Reset{After: from + n.items, Delay: n.delay, Low: n.low})
				if held {
					s.gatesOf(3, 2, Gate{}, Bursts(1, 200))
				}
			})
		}
	}
	add("reset/registers", "every bit of every register, counter and table row was the opposite of its reset value", func(s *script) {
		for _, r := range intmd.RegInfo {
			s.intCfg(intmd.KindCfgWrite, 0, r.Addr, ^uint32(r.Reset), WaitAll)
		}
		for a := range intmd.NumWords {
			s.intCfg(intmd.KindLoad, 0, a, 1<<32-1, WaitAll)
		}
		for p := range s.params["NumPorts"] {
			s.intCfg(intmd.KindRateWrite, p, 0, 11, WaitAll)
			s.intCnt(p, intmd.OpSet, 1<<32-1, 1<<32-1, WaitAll)
		}
		s.drive.Resets = append(s.drive.Resets, Reset{After: s.used, Delay: 8, Low: 1})
		for _, r := range intmd.RegInfo {
			s.intCfg(intmd.KindCfgRead, 0, r.Addr, 0, WaitAll)
		}
		for a := range intmd.NumWords {
			s.intCfg(intmd.KindRead, 0, a, 0, WaitAll)
		}
		for p := range s.params["NumPorts"] {
			s.intCfg(intmd.KindEntryRead, p, 0, 0, WaitAll)
		}
	})
	for _, at := range []string{"first", "middle", "last", "done"} {
		add("reset/in-sweep-"+at, "a reset in mid-sweep starts it again", func(s *script) {
			n := s.params["NumPorts"]
			d := map[string]int{"first": 1, "middle": n / 2, "last": n - 1, "done": n}[at]
			s.drive.Resets = append(s.drive.Resets, Reset{Delay: d, Low: 1})
		})
	}
}

// aimInserted sets the checksum of a frame so that the sum is want when an entry is inserted whose 16-bit words add
// up to entry.
func aimInserted(f *frame, b []byte, entry, want uint32) {
	h := f.udp()
	g := h + 8 + uetHeader(f.uet)
	l := uint32(8 + f.body)
	// ~C + 2(~l + l') + ~g + g' + e = want.
	rest := 2*(uint32(^uint16(l))+l+8) + uint32(^(uint16(b[g+2])<<8 | uint16(b[g+3]))) + uint32(uint16(b[g+2]+1)<<8|uint16(b[g+3]))
	c := fold(rest + entry + uint32(^uint16(want)))
	if c == 0 {
		c = 0xffff
	}
	b[h+6], b[h+7] = byte(c>>8), byte(c)
}
