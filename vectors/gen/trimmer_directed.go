package gen

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// goodFrame is a UET request that nothing is wrong with.
func goodFrame(tags int, v6 bool, options int) frame {
	return frame{tags: tags, v6: v6, options: options, tos: 8<<2 | 2, proto: 17, sport: 49152, dport: 4793, uet: 2, body: 16}
}

// trimAll says that a packet is to be trimmed and marked, and how long it is.
func trimAll(n int) trimmerSide {
	return trimmerSide{trim: true, ce: true, len: n, tag: uint32(n) * 0x10001}
}

func b2u(b bool) int {
	if b {
		return 1
	}
	return 0
}

// families are the headers that trimmer and intmd must get right.
var families = []struct {
	name    string
	tags    int
	v6      bool
	options int
}{
	{"ipv4", 0, false, 0}, {"ipv6", 0, true, 0}, {"vlan-ipv4", 1, false, 0}, {"vlan-ipv6", 1, true, 0},
	{"qinq-ipv4", 2, false, 0}, {"qinq-ipv6", 2, true, 0}, {"options-1", 0, false, 1}, {"options-10", 0, false, 10},
	{"vlan-options-5", 1, false, 5}, {"qinq-options-10", 2, false, 10},
}

func trimmerCases() (out []scriptCase) {
	add := func(name, doc string, write func(s *script)) {
		out = append(out, scriptCase{name, doc, func(s *script) {
			write(s)
			s.trimReadBack()
		}})
	}
	send := func(s *script, f frame, side func(n int) trimmerSide) {
		b := f.bytes(&s.r, nil)
		s.trimRx(b, side(len(b)), false, 0)
	}
	plain := func(n int) trimmerSide { return trimmerSide{len: n, tag: uint32(n)} }

	for _, fam := range families {
		add("told/"+fam.name, "a length decided elsewhere, below the headers to beyond 256, whatever the registers say", func(s *script) {
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegMinSize, 200, WaitAll)
			for _, port := range []uint32{4793, 1} {
				s.trimCfg(trimmer.KindCfgWrite, trimmer.RegUdpPort, port, WaitAll)
				s.gap(20)
				for i, n := range []int{300, 600, 150, 260} {
					f := goodFrame(fam.tags, fam.v6, fam.options)
					f.sized(n)
					b := f.bytes(&s.r, nil)
					least := f.udp() + trimmer.UetMin
					for _, told := range []int{1, least - 1, least, least + 1, 128, 255, 256, 257, 511, f.size() - 1, f.size()} {
						side := trimmerSide{trim: true, lastHop: i%2 == 0, len: len(b), told: min(told, 511)}
						s.trimRx(b, side, false, uint8(b2u(i == 0 && told == 1))*WaitAll)
					}
					s.trimRx(b, trimmerSide{len: len(b), told: 64}, false, 0) // not to be trimmed
				}
			}
		})
		add("told/refused/"+fam.name, "what cannot be trimmed is not, whatever was decided elsewhere", func(s *script) {
			for i, spoil := range []func(f *frame){
				func(f *frame) { f.uet = 7 }, func(f *frame) { f.udplen = 1 }, func(f *frame) { f.proto = 6 }, func(f *frame) { f.cut = 100 },
				func(f *frame) { f.raw, f.etype = true, 0x0806 }, func(f *frame) { f.version = 9 }, func(f *frame) { f.dport = 9 },
			} {
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.sized(300)
				spoil(&f)
				b := f.bytes(&s.r, nil)
				s.trimRx(b, trimmerSide{trim: true, ce: i%2 == 0, len: len(b), told: 128}, false, 0)
			}
		})
		add("length/"+fam.name, "every length from the headers to 330 bytes, trimmed and not", func(s *script) {
			for n := 0; n <= 330; n++ {
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.body = 0
				if f.size() > n {
					continue
				}
				f.sized(n)
				send(s, f, trimAll)
				send(s, f, plain)
			}
		})
		add("trim-size/"+fam.name, "every trim size, so every alignment of the last beat put out", func(s *script) {
			for t := range 257 {
				s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, uint32(t), WaitAll)
				s.trimCfg(trimmer.KindCfgWrite, trimmer.RegMinSize, uint32(t%67), WaitAll)
				s.gap(20)
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.nocsum = t%5 == 4
				f.sized(300 + t%64)
				b := f.bytes(&s.r, nil)
				s.trimRx(b, trimAll(len(b)), false, WaitAll)
			}
		})
		add("types/"+fam.name, "every UET type, DSCP and ECN, at the last hop and before", func(s *script) {
			for i := range 256 {
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.uet, f.tos = uint8(i/4%32), uint8(i*37)
				f.sized(200)
				send(s, f, func(n int) trimmerSide {
					return trimmerSide{trim: i%16 != 15, lastHop: i&1 != 0, ce: i&2 != 0, len: n, tag: uint32(i)}
				})
				f.uet, f.tos = 3, uint8(i)
				send(s, f, func(n int) trimmerSide { return trimmerSide{trim: i&8 != 0, ce: true, lastHop: i&4 != 0, len: n} })
			}
		})
		add("cut/"+fam.name, "frames that end anywhere before their headers say", func(s *script) {
			for n := 0; n <= 290; n++ {
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.sized(pick(&s.r, 200, 270, 290, 400))
				b := f.bytes(&s.r, nil)
				b = b[:min(n, len(b))]
				s.trimRx(b, trimAll(len(b)), n%3 == 0, 0)
			}
		})
		add("lengths/"+fam.name, "IP and UDP lengths that lie, each by a little and by much", func(s *script) {
			for _, d := range []int{-1000, -60, -19, -9, -8, -7, -6, -2, -1, 0, 1, 2, 7, 8, 60, 1000, 30000} {
				for which := range 3 {
					for _, pad := range []int{0, 1, 70} {
						f := goodFrame(fam.tags, fam.v6, fam.options)
						f.pad = pad
						f.sized(180 + pad)
						if which != 1 {
							f.iplen = d
							if d == -1000 {
								// The IP packet ends before its header does.
								f.iplen = -f.body - 9
							}
						}
						if which != 0 {
							f.udplen = d
						}
						send(s, f, trimAll)
					}
				}
			}
		})
	}
	add("length/all", "every length from 60 to 9,216 bytes, alternately trimmed", func(s *script) {
		for n := 60; n <= 9216; n += 1 + s.r.n(13) {
			f := goodFrame(n%3, n%2 == 0, n%4)
			f.sized(n)
			send(s, f, func(n int) trimmerSide { return trimmerSide{trim: n%4 != 0, ce: n%3 == 0, len: n, tag: uint32(n)} })
		}
		for _, n := range []int{9215, 9216} {
			f := goodFrame(0, false, 0)
			f.sized(n)
			send(s, f, trimAll)
			send(s, f, plain)
		}
	})
	add("length/long", "packets longer than any frame, and len at its ends", func(s *script) {
		for _, n := range []int{16000, 65535, 65600} {
			f := goodFrame(0, false, 0)
			f.sized(300)
			f.pad = n - 300
			b := f.bytes(&s.r, nil)
			for _, l := range []int{0, 255, 256, 257, 300, 65535} {
				s.trimRx(b[:min(n, 300+l%700)], trimmerSide{trim: true, len: l}, false, 0)
			}
			s.trimRx(b, trimmerSide{trim: true, len: 65535}, false, 0)
		}
	})
	add("full-rate/back-to-back", "trims one after the other at one beat a cycle", func(s *script) {
		for _, n := range []int{64, 65, 128, 129, 192, 193, 256, 257, 320, 321, 1500, 150, 90, 100, 9216} {
			for range 24 {
				f := goodFrame(n%3, n%2 == 0, 0)
				f.sized(n)
				send(s, f, trimAll)
			}
		}
	})
	add("full-rate/mixed", "trimmed and untouched packets of one to six beats in every order", func(s *script) {
		for range 500 {
			f := goodFrame(s.r.n(3), s.r.one(2), s.r.n(4))
			f.sized(60 + s.r.n(330))
			send(s, f, func(n int) trimmerSide { return trimmerSide{trim: s.r.one(2), len: n, tag: uint32(s.r.u64())} })
		}
	})
	add("checksum/udp", "checksum 0, right, wrong, and sums that come out as 0", func(s *script) {
		size := 64
		for i := range 320 {
			if i == 160 {
				size = 101
				s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, uint32(size), WaitAll)
				s.gap(30)
			}
			f := goodFrame(i%3, i%2 == 0, i%4)
			f.nocsum, f.badsum, f.ones, f.badhead = i%8 == 0, i%8 == 1, i%8 == 2, i%8 == 3
			f.sized(150 + i%160)
			b := f.bytes(&s.r, nil)
			if i%8 > 3 {
				aimSum(&f, b, size, 0xffff)
			}
			s.trimRx(b, trimmerSide{trim: true, lastHop: i%8 == 5, len: len(b)}, false, uint8(b2u(i == 160))*WaitAll)
		}
	})
	for _, w := range []struct {
		name  string
		spoil func(f *frame, i int)
	}{
		{"ethertype", func(f *frame, i int) {
			f.raw, f.etype = true, []uint16{0x0806, 0x8847, 0x0801, 0x07ff, 0x86dc, 0x86de, 0x8101, 0x88a9}[i%8]
			if i%3 != 0 {
				f.etype = []uint16{0x0800, 0x86dd}[i%3-1] ^ 1<<(i/3%16)
			}
		}},
		{"third-tag", func(f *frame, i int) { f.tags, f.tpid = 3, []uint16{0x8100, 0x88a8}[i%2] }},
		{"version", func(f *frame, i int) { f.version = uint8(i % 16) }},
		{"ihl", func(f *frame, i int) { f.v6, f.ihl = false, uint8(i%16) }},
		{"fragment", func(f *frame, i int) {
			f.v6, f.frag = false, []uint16{0x2000, 1, 0x1fff, 0x3fff, 0x4000, 0x8000, 0xc000, 0x6000, 0x0100}[i%9]
		}},
		{"protocol", func(f *frame, i int) { f.proto = uint8(i) }},
		{"total", func(f *frame, i int) { // the IPv4 packet ends before its header does, which comes before what else is wrong
			f.v6, f.iplen = false, -f.body-9-i%20
			f.frag, f.proto = []uint16{0, 0x2000, 0x4000, 1}[i%4], []uint8{17, 6, 17}[i%3]
		}},
		{"extension", func(f *frame, i int) { f.v6, f.proto = true, []uint8{0, 43, 44, 50, 51, 60, 135, 59, 6, 17}[i%10] }},
		{"port", func(f *frame, i int) { f.dport = uint16(4793 ^ 1<<(i%17)) }},
		{"tpid", func(f *frame, i int) { f.tags, f.tpid = 1+i%2, []uint16{0x8100, 0x88a8, 0x9100, 0x8101}[i/2%4] }},
		{"inner-tpid", func(f *frame, i int) {
			f.tags, f.tpid, f.inner = 2+i%5/4, []uint16{0x8100, 0x88a8}[i%2], []uint16{0x88a8, 0x8100, 0x9100, 0x88a9, 0x08a8}[i/2%5]
		}},
		{"short", func(f *frame, i int) { f.body, f.pad = i%60, i%3*30 }},
	} {
		add("pass/"+w.name, "frames that are passed through, in every family", func(s *script) {
			for i := range 256 {
				fam := families[i%len(families)]
				f := goodFrame(fam.tags, fam.v6, fam.options)
				f.sized(120 + i)
				w.spoil(&f, i/len(families)+i)
				send(s, f, func(n int) trimmerSide { return trimmerSide{trim: i%7 != 0, ce: i%2 == 0, len: n} })
			}
		})
	}
	trimmerCfgCases(add)
	trimmerWideCases(add)
	trimmerResetCases(add)
	return out
}

// aimSum sets bytes of the payload so that the sum over the packet trimmed to n bytes is want, whose complement is
// the checksum.
func aimSum(f *frame, b []byte, n int, want uint32) {
	h, l2 := f.udp(), f.l2()
	n = max(n, h+24)
	if n > len(b) {
		return
	}
	p := append([]byte(nil), b[:n]...)
	p[h+4], p[h+5] = byte((n-h)>>8), byte(n-h)
	p[h+6], p[h+7] = 0, 0
	var s uint32
	if f.v6 {
		s = sum16(0, p[l2+8:l2+40])
	} else {
		s = sum16(0, p[l2+12:l2+20])
	}
	at := h + 20
	p[at], p[at+1] = 0, 0
	s = sum16(s+17+uint32(n-h), p[h:n])
	v := fold(uint32(^fold(s)) + want)
	b[at], b[at+1] = byte(v>>8), byte(v)
}

// trimmerCfgCases are about registers, counters, marking and resets.
func trimmerCfgCases(add func(name, doc string, write func(s *script))) {
	packet := func(s *script, n int, side trimmerSide, wait uint8) {
		f := goodFrame(0, n%2 == 0, 0)
		f.sized(n)
		b := f.bytes(&s.r, nil)
		side.len = len(b)
		s.trimRx(b, side, false, wait)
	}
	add("beats/keep", "a last beat whose keep has a single zero, one byte short of what the headers say", func(s *script) {
		for k := range 64 {
			f := goodFrame(0, false, 0)
			f.sized(64 + k + 1)
			frame := f.bytes(&s.r, nil)
			beats(&s.r, &s.beat, frame, false, func(_ int, b *beat) {
				x := trimmer.Rx{Data: b.data, Keep: b.keep, Last: b.last, Trim: true, Len: uint16(len(frame))}
				if b.last {
					x.Keep = ^(uint64(1) << k)
				}
				trimmer.PackRx(&x, s.put(laneRx, 0))
				if !b.last {
					s.more()
				}
			})
		}
	})
	add("cfg/access", "every address with every kind, values at the ends", func(s *script) {
		for k := range 16 {
			for a := range 32 {
				for _, v := range []uint32{0, 256, 257, ^uint32(0), 1 << 9, 256 | 1<<16} {
					s.trimCfg(trimmer.Kind(k), a, v, 0)
				}
			}
		}
	})
	add("cfg/between-packets", "a change between two packets, and at every distance from one", func(s *script) {
		for d := range 40 {
			packet(s, 400, trimmerSide{trim: true}, WaitAll)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, uint32(64+d), 0)
			s.items[s.used-1].Wait, s.items[s.used-1].Gap = 0, uint16(d)
			packet(s, 300, trimmerSide{trim: true, lastHop: true}, 0)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegDscpLasthop, uint32(d), 0)
			packet(s, 120, trimmerSide{trim: true, lastHop: true}, 0)
		}
	})
	add("cfg/counters", "every counter over 2^32, loads and reads in the cycles of a count", func(s *script) {
		for a := range trimmer.NumWords {
			s.trimCfg(trimmer.KindLoad, a, ^uint32(0), 0)
		}
		for d := range 24 {
			f := goodFrame(0, false, 0)
			f.sized(200)
			if d%2 != 0 {
				f.spoil(&s.r)
			}
			b := f.bytes(&s.r, nil)
			s.trimRx(b, trimmerSide{trim: true, ce: true, lastHop: d%4 > 1, len: len(b)}, false, WaitAll)
			for range d {
				s.trimCfg(trimmer.KindCfgRead, 0, 0, 0)
			}
			s.trimCfg(trimmer.KindLoad, 0, uint32(d), 0)
			s.trimCfg(trimmer.KindRead, 0, 0, 0)
			s.trimCfg(trimmer.KindRead, 11, 0, 0)
		}
		for k := range 12 {
			f := goodFrame(0, false, 0)
			f.sized(200)
			for range 4 {
				g := f
				g.spoil(&s.r)
				b := g.bytes(&s.r, nil)
				s.trimRx(b, trimmerSide{trim: true, ce: true, len: len(b)}, false, 0)
			}
			s.trimCfg(trimmer.KindLoad, k, ^uint32(0), 0)
		}
	})
	add("mark/ecn", "every traffic class, marked without and with trimming", func(s *script) {
		for tos := range 256 {
			for side := range 4 {
				f := goodFrame(tos%3, side%2 == 0, tos%4)
				f.tos = uint8(tos)
				f.badhead = tos%5 == 0
				f.sized(90)
				if side == 3 {
					f.frag, f.proto = 0x2000, 6
				}
				b := f.bytes(&s.r, nil)
				s.trimRx(b, trimmerSide{trim: side > 1, ce: true, len: len(b)}, false, 0)
			}
		}
	})
	for _, g := range []struct {
		name        string
		idle, stall Gate
	}{{"stalls", Gate{}, Density(100)}, {"bursts", Gate{}, Bursts(20, 60)}, {"trickle", Gate{}, Density(230)}, {"idle", Density(160), Density(40)}} {
		add("ports/"+g.name, "packets of all lengths with waits at the ports", func(s *script) {
			for i := range 80 {
				packet(s, 60+i*13, trimmerSide{trim: i%3 != 0, ce: true, tag: uint32(i)}, 0)
				s.trimCfg(trimmer.KindRead, i%trimmer.NumWords, 0, 0)
			}
			s.gatesOf(2, 2, g.idle, g.stall)
		})
	}
	for _, n := range []struct{ items, delay, low int }{{1, 0, 1}, {2, 1, 1}, {5, 0, 2}, {9, 4, 1}, {14, 9, 3}, {23, 0, 1}, {40, 12, 1}} {
		for _, held := range []bool{false, true} {
			name := fmt.Sprintf("reset/in-stream-%d-%d", n.items, n.delay)
			if held {
				name += "-held"
			}
			add(name, "a reset in mid-packet and with packets everywhere", func(s *script) {
				s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, 100, 0)
				for i := range 12 {
					packet(s, 70+90*i, trimmerSide{trim: true, ce: true, tag: 7}, 0)
				}
				s.drive.Resets = append(s.drive.Resets, Reset{After: n.items, Delay: n.delay, Low: n.low})
				if held {
					s.gatesOf(2, 2, Gate{}, Bursts(1, 200))
				}
			})
		}
	}
	add("reset/registers", "every bit of every register and counter was the opposite of its reset value", func(s *script) {
		for _, r := range trimmer.RegInfo {
			v := ^uint32(r.Reset)
			if r.Addr == trimmer.RegTrimSize || r.Addr == trimmer.RegMinSize {
				v &= 0xff // more is refused
			}
			s.trimCfg(trimmer.KindCfgWrite, r.Addr, v, WaitAll)
		}
		for a := range trimmer.NumWords {
			s.trimCfg(trimmer.KindLoad, a, 1<<32-1, WaitAll)
		}
		s.drive.Resets = append(s.drive.Resets, Reset{After: s.used, Delay: 8, Low: 1})
		for _, r := range trimmer.RegInfo {
			s.trimCfg(trimmer.KindCfgRead, r.Addr, 0, WaitAll)
		}
		for a := range trimmer.NumWords {
			s.trimCfg(trimmer.KindRead, a, 0, WaitAll)
		}
	})
	for _, d := range []int{0, 1, 2} {
		add(fmt.Sprintf("reset/in-sweep-%d", d), "a reset right after another", func(s *script) {
			s.drive.Resets = append(s.drive.Resets, Reset{Delay: d, Low: 1})
			packet(s, 300, trimmerSide{trim: true}, 0)
		})
	}
}
