package trimmer

import (
	"embed"

	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// trimAll returns the sideband of a packet of n bytes that is to be trimmed and marked.
func trimAll(n int) sideband {
	return sideband{trim: true, ce: true, len: n, tag: uint32(n) * 0x10001}
}

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of trimmer are read. A packet has the length of its frame unless its line gives
// another.
var language = casefile.Language{
	Block:   trimmer.Schema(),
	Answers: map[string]string{"rx": "tx", "cfg": "cfgr"},
	Aliases: map[string]string{"packet": "rx"},
	Begin:   casefile.FrameLength,
	Send: func(sc *stim.Script, p *casefile.Packet) {
		on(sc).trimRx(p.Data, sideband{trim: p.Is("trim"), lastHop: p.Is("last_hop"), ce: p.Is("ce"),
			len: int(p.Fields["len"]), told: int(p.Fields["trim_size"]), tag: uint32(p.Fields["tag"])}, p.Empty, p.Wait)
	},
}

var scenarios = casefile.Embedded(files, language.Read)

// cases returns the directed cases of trimmer. Those in Go draw what they send, or sweep types, lies and distances in
// time by the hundred; their answers are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, End: (*script).trimReadBack}
	for _, fam := range frame.Families {
		c.Text("trim-size/" + fam.Name)
		c.Add("types/"+fam.Name, "every UET type, DSCP and ECN, at the last hop and before", func(s *script) {
			for i := range 256 {
				f := frame.Good(fam.Tags, fam.V6, fam.Options)
				f.UET, f.TOS = uint8(i/4%32), uint8(i*37)
				f.Sized(200)
				s.send(f, sideband{trim: i%16 != 15, lastHop: i&1 != 0, ce: i&2 != 0, tag: uint32(i)}, 0)
				f.UET, f.TOS = 3, uint8(i)
				s.send(f, sideband{trim: i&8 != 0, ce: true, lastHop: i&4 != 0}, 0)
			}
		})
		c.Add("cut/"+fam.Name, "frames that end anywhere before their headers say", func(s *script) {
			for n := 0; n <= 290; n++ {
				f := frame.Good(fam.Tags, fam.V6, fam.Options).WithSize(stim.Pick(&s.Rand, 200, 270, 290, 400))
				b := f.Bytes(&s.Rand, nil)
				b = b[:min(n, len(b))]
				s.trimRx(b, trimAll(len(b)), n%3 == 0, 0)
			}
		})
		c.Add("lengths/"+fam.Name, "IP and UDP lengths that lie, each by a little and by much", func(s *script) {
			for _, d := range []int{-1000, -60, -19, -9, -8, -7, -6, -2, -1, 0, 1, 2, 7, 8, 60, 1000, 30000} {
				for which := range 3 {
					for _, pad := range []int{0, 1, 70} {
						f := frame.Good(fam.Tags, fam.V6, fam.Options)
						f.Pad = pad
						f.Sized(180 + pad)
						if which != 1 {
							f.IPLen = d
							if d == -1000 {
								// The IP packet ends before its header does.
								f.IPLen = -f.Body - 9
							}
						}
						if which != 0 {
							f.UDPLen = d
						}
						s.trimmed(f)
					}
				}
			}
		})
	}
	c.Add("length/all", "every length from 60 to 9,216 bytes, alternately trimmed", func(s *script) {
		for n := 60; n <= 9216; n += 1 + s.Rand.N(13) {
			f := frame.Good(n%3, n%2 == 0, n%4).WithSize(n)
			n := f.Size()
			s.send(f, sideband{trim: n%4 != 0, ce: n%3 == 0, tag: uint32(n)}, 0)
		}
		for _, n := range []int{9215, 9216} {
			f := frame.Good(0, false, 0).WithSize(n)
			s.trimmed(f)
			s.send(f, sideband{tag: uint32(n)}, 0)
		}
	})
	c.Add("length/long", "packets longer than any frame, and len at its ends", func(s *script) {
		for _, n := range []int{16000, 65535, 65600} {
			f := frame.Good(0, false, 0).WithSize(300)
			f.Pad = n - 300
			b := f.Bytes(&s.Rand, nil)
			for _, l := range []int{0, 255, 256, 257, 300, 65535} {
				s.trimRx(b[:min(n, 300+l%700)], sideband{trim: true, len: l}, false, 0)
			}
			s.trimRx(b, sideband{trim: true, len: 65535}, false, 0)
		}
	})
	c.Text("full-rate/back-to-back")
	c.Add("full-rate/mixed", "trimmed and untouched packets of one to six beats in every order", func(s *script) {
		for range 500 {
			f := frame.Good(s.Rand.N(3), s.Rand.One(2), s.Rand.N(4)).WithSize(60 + s.Rand.N(330))
			b := f.Bytes(&s.Rand, nil)
			s.trimRx(b, sideband{trim: s.Rand.One(2), len: len(b), tag: uint32(s.Rand.U64())}, false, 0)
		}
	})
	c.Add("checksum/udp", "checksum 0, right, wrong, and sums that come out as 0", func(s *script) {
		size := 64
		for i := range 320 {
			if i == 160 {
				size = 101
				s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, uint32(size), stim.WaitAll)
				s.Gap(30)
			}
			f := frame.Good(i%3, i%2 == 0, i%4)
			f.NoSum, f.BadSum, f.Ones, f.BadHead = i%8 == 0, i%8 == 1, i%8 == 2, i%8 == 3
			f.Sized(150 + i%160)
			b := f.Bytes(&s.Rand, nil)
			if i%8 > 3 {
				frame.AimSum(&f, b, size, 0xffff)
			}
			s.trimRx(b, sideband{trim: true, lastHop: i%8 == 5, len: len(b)}, false,
				uint8(stim.Bit(i == 160))*stim.WaitAll)
		}
	})
	for _, w := range []struct {
		name  string
		spoil func(f *frame.Frame, i int)
	}{
		{"ethertype", (*frame.Frame).WrongEtherType},
		{"third-tag", func(f *frame.Frame, i int) { f.Tags, f.TPID = 3, []uint16{0x8100, 0x88a8}[i%2] }},
		{"version", func(f *frame.Frame, i int) { f.Version = uint8(i % 16) }},
		{"ihl", func(f *frame.Frame, i int) { f.V6, f.IHL = false, uint8(i%16) }},
		{"fragment", func(f *frame.Frame, i int) {
			f.V6, f.Frag = false, []uint16{0x2000, 1, 0x1fff, 0x3fff, 0x4000, 0x8000, 0xc000, 0x6000, 0x0100}[i%9]
		}},
		{"protocol", func(f *frame.Frame, i int) { f.Proto = uint8(i) }},
		{"total", func(f *frame.Frame, i int) {
			// The IPv4 packet ends before its header does, which comes before what else is wrong.
			f.V6, f.IPLen = false, -f.Body-9-i%20
			f.Frag, f.Proto = []uint16{0, 0x2000, 0x4000, 1}[i%4], []uint8{17, 6, 17}[i%3]
		}},
		{"extension", func(f *frame.Frame, i int) {
			f.V6, f.Proto = true, []uint8{0, 43, 44, 50, 51, 60, 135, 59, 6, 17}[i%10]
		}},
		{"port", func(f *frame.Frame, i int) { f.DstPort = uint16(4793 ^ 1<<(i%17)) }},
		{"tpid", func(f *frame.Frame, i int) {
			f.Tags, f.TPID = 1+i%2,
				[]uint16{0x8100, 0x88a8, 0x9100, 0x8101}[i/2%4]
		}},
		{"inner-tpid", func(f *frame.Frame, i int) {
			f.Tags, f.TPID, f.Inner = 2+i%5/4, []uint16{0x8100, 0x88a8}[i%2],
				[]uint16{0x88a8, 0x8100, 0x9100, 0x88a9, 0x08a8}[i/2%5]
		}},
		{"short", func(f *frame.Frame, i int) { f.Body, f.Pad = i%60, i%3*30 }},
	} {
		c.Add("pass/"+w.name, "frames that are passed through, in every family", func(s *script) {
			for i := range 256 {
				fam := frame.Families[i%len(frame.Families)]
				f := frame.Good(fam.Tags, fam.V6, fam.Options).WithSize(120 + i)
				w.spoil(&f, i/len(frame.Families)+i)
				s.send(f, sideband{trim: i%7 != 0, ce: i%2 == 0}, 0)
			}
		})
	}
	cfgCases(c.Add)
	c.Text("")
	wideCases(c.Add)
	edgeCases(c.Add)
	resetCases(c.Add)
	return c.All
}

// cfgCases are about registers, counters, marking and resets.
func cfgCases(add func(name, doc string, write func(s *script))) {
	packet := func(s *script, n int, side sideband, wait uint8) {
		f := frame.Good(0, n%2 == 0, 0).WithSize(n)
		s.send(f, side, wait)
	}
	add("beats/keep", "a last beat whose keep has a single zero, one byte short of what the headers say", func(s *script) {
		for k := range 64 {
			f := frame.Good(0, false, 0).WithSize(64 + k + 1)
			data := f.Bytes(&s.Rand, nil)
			s.Beats(laneRx, 0, data, false, func(_ int, b *frame.Beat, words []uint64) {
				x := trimmer.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Trim: true, Len: uint16(len(data))}
				if b.Last {
					x.Keep = ^(uint64(1) << k)
				}
				trimmer.PackRx(&x, words)
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
			packet(s, 400, sideband{trim: true}, stim.WaitAll)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, uint32(64+d), 0)
			s.Items[s.Used-1].Wait, s.Items[s.Used-1].Gap = 0, uint16(d)
			packet(s, 300, sideband{trim: true, lastHop: true}, 0)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegDscpLasthop, uint32(d), 0)
			packet(s, 120, sideband{trim: true, lastHop: true}, 0)
		}
	})
	add("cfg/counters", "every counter over 2^32, loads and reads in the cycles of a count", func(s *script) {
		for a := range trimmer.NumWords {
			s.trimCfg(trimmer.KindLoad, a, ^uint32(0), 0)
		}
		for d := range 24 {
			f := frame.Good(0, false, 0).WithSize(200)
			if d%2 != 0 {
				f.Spoil(&s.Rand)
			}
			s.send(f, sideband{trim: true, ce: true, lastHop: d%4 > 1}, stim.WaitAll)
			for range d {
				s.trimCfg(trimmer.KindCfgRead, 0, 0, 0)
			}
			s.trimCfg(trimmer.KindLoad, 0, uint32(d), 0)
			s.trimCfg(trimmer.KindRead, 0, 0, 0)
			s.trimCfg(trimmer.KindRead, 11, 0, 0)
		}
		for k := range 12 {
			f := frame.Good(0, false, 0).WithSize(200)
			for range 4 {
				g := f
				g.Spoil(&s.Rand)
				s.send(g, sideband{trim: true, ce: true}, 0)
			}
			s.trimCfg(trimmer.KindLoad, k, ^uint32(0), 0)
		}
	})
	add("mark/ecn", "every traffic class, marked without and with trimming", func(s *script) {
		for tos := range 256 {
			for side := range 4 {
				f := frame.Good(tos%3, side%2 == 0, tos%4)
				f.TOS = uint8(tos)
				f.BadHead = tos%5 == 0
				f.Sized(90)
				if side == 3 {
					f.Frag, f.Proto = 0x2000, 6
				}
				s.send(f, sideband{trim: side > 1, ce: true}, 0)
			}
		}
	})
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		add("ports/"+name, "packets of all lengths with waits at the ports", func(s *script) {
			for i := range 80 {
				packet(s, 60+i*13, sideband{trim: i%3 != 0, ce: true, tag: uint32(i)}, 0)
				s.trimCfg(trimmer.KindRead, i%trimmer.NumWords, 0, 0)
			}
			s.Gates(2, 2, idle, stall)
		})
	})
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		add(name, "a reset in mid-packet and with packets everywhere", func(s *script) {
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, 100, 0)
			for i := range 12 {
				packet(s, 70+90*i, sideband{trim: true, ce: true, tag: 7}, 0)
			}
			s.Interrupt(r, held, 2, 2, stim.Bursts(1, 200))
		})
	})
}
