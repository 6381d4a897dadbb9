package intmd

import (
	"embed"

	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of intmd are read. A packet has the length of its frame unless its line gives another.
var language = casefile.Language{
	Block:   intmd.Schema(),
	Answers: map[string]string{"rx": "tx", "cfg": "cfgr"},
	Aliases: map[string]string{"packet": "rx"},
	Begin:   casefile.FrameLength,
	Send: func(sc *stim.Script, p *casefile.Packet) {
		side := sideband{int(p.Fields["len"]), int(p.Fields["in_port"]), int(p.Fields["out_port"])}
		on(sc).intRx(p.Data, side, p.Empty, p.Wait)
	},
}

var scenarios = casefile.Embedded(files, language.Read)

// untold is the scenario that begins with the block as a reset leaves it.
const untold = "mode/after-reset"

// begin gives every port a rate and counters of its own, and lets entries into both sorts of packets.
func (s *script) begin(name string) {
	if name == untold {
		return
	}
	n := s.Params["NumPorts"]
	s.intCfg(intmd.KindCfgWrite, 0, intmd.RegMode, 3, 0) // both sorts
	for p := range n {
		s.intCfg(intmd.KindRateWrite, p, 0, uint32(p%6), 0)
		s.intCnt(p, intmd.OpSet, uint32(1000*p+12345), uint32(81*p), 0)
		if p == 0 {
			s.Gap(s.Rand.N(n + 2)) // offered anywhere in the sweep
		}
	}
}

// cases returns the directed cases of intmd. Those in Go draw what they send, or sweep lengths, lies and distances in
// time by the hundred; their answers are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, Begin: (*script).begin, End: (*script).intReadBack}
	kinds := []uint8{7, 8, 2, 3, 13, 14}
	for _, fam := range frame.Families {
		c.Add("length/"+fam.Name, "every length up to 330 bytes, with room and without", func(s *script) {
			for n := 60; n <= 330; n++ {
				for _, room := range []bool{true, true, false} {
					f := frame.WithRoom(&s.Rand, fam.Tags, fam.V6, fam.Options, kinds[n%6], 0, 5)
					if !room {
						f.Tele.Hops = 5
					}
					if f.Size() > n {
						continue
					}
					f.Sized(n)
					s.send(f, n%s.Params["NumPorts"], 0)
				}
			}
		})
		c.Text("hops/" + fam.Name)
		c.Add("cut/"+fam.Name, "frames that end anywhere before they say, len right and lying", func(s *script) {
			for n := 0; n <= 290; n++ {
				f := frame.WithRoom(&s.Rand, fam.Tags, fam.V6, fam.Options, kinds[n%6], stim.Pick(&s.Rand, 0, 1, 9, 20),
					30)
				f.Sized(stim.Pick(&s.Rand, 150, 270, 290))
				whole := f.Bytes(&s.Rand, nil)
				b := whole[:min(n, len(whole))]
				s.intRx(b, sideband{len(b), 0, 0}, n%3 == 0, 0)
				s.intRx(b, sideband{len(whole), 0, 0}, false, 0)
			}
		})
		c.Add("lengths/"+fam.Name, "IP and UDP lengths at the edge of the header and of the entries", func(s *script) {
			for _, kind := range kinds {
				o := frame.HeaderLen(kind)
				for _, h := range []int{0, 1, 7, 254} {
					for d := -3; d <= 3; d++ {
						for _, at := range []int{0, o, o + 8, o + 8 + 8*h} {
							if h > 7 && (kind != 7 || at < o+8+8*h) {
								continue
							}
							f := frame.Good(fam.Tags, fam.V6, fam.Options)
							f.UET, f.Body = kind, 200+8*h
							f.WithTelemetry(&s.Rand, h, max(h+1, 9))
							f.Pad = 0
							drop := f.Body - max(at+d, 0)
							f.IPLen, f.UDPLen = -drop, -drop
							if at == 0 && d == -3 {
								// The IP packet ends before its header does.
								f.IPLen = -f.Body - 9
							}
							s.send(f, 0, 0)
						}
					}
				}
			}
		})
	}
	c.Add("length/all", "every length to 9,216 bytes", func(s *script) {
		for n := 90; n <= 9216; n += 1 + s.Rand.N(13) {
			f := frame.WithRoom(&s.Rand, n%3, n%2 == 0, n%4, kinds[n%6], n%4, 8).WithSize(n)
			s.send(f, n%s.Params["NumPorts"], 0)
		}
	})
	c.Text("ports/each")
	about := "insertion into packet after packet, of every number of bytes in the last beat"
	c.Add("full-rate/insert", about, func(s *script) {
		for i := range 400 {
			f := frame.WithRoom(&s.Rand, i%3, i%2 == 0, 0, kinds[i%6], i%3, 8).WithSize(100 + i%130)
			s.send(f, i%s.Params["NumPorts"], 0)
			if i%4 == 0 {
				s.intCnt(i%s.Params["NumPorts"], intmd.OpAdd, uint32(i), uint32(i*13), 0)
			}
		}
	})
	c.Add("full-rate/grow", "packets that each grow by a beat", func(s *script) {
		for i := range 300 {
			f := frame.WithRoom(&s.Rand, 0, i%2 == 0, 0, kinds[i%6], 0, 8).WithSize(128 - i%8 + 64*(i%3))
			s.send(f, 0, 0)
		}
	})
	c.Text("wrap/counters")
	intmdTableCases(c.Add)
	c.Text("rates/each")
	intmdAccessCases(c.Add)
	passCases(c.Add)
	c.Text("pass/counters")
	passBitCases(c.Add)
	c.Text("pass/first-cause")
	passPortCases(c.Add)
	c.Text("")
	wideCases(c.Add)
	edgeCases(c.Add)
	resetCases(c.Add)
	return c.All
}

// intmdTableCases are about reports, the clock and the table.
func intmdTableCases(add func(name, doc string, write func(s *script))) {
	look := func(s *script, port int) {
		f := frame.WithRoom(&s.Rand, 0, true, 0, 7, 0, 3)
		s.send(f, port, stim.WaitAll)
		s.intCfg(intmd.KindEntryRead, port, 0, 0, stim.WaitAll)
	}
	add("wrap/time", "the clock passes 2^24 ns, with every step", func(s *script) {
		for _, step := range []uint32{65536, 1, 0, 104858, 1 << 23, 1<<24 - 1} {
			s.reg(intmd.RegStep, step)
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegTime, 1<<24-40, 0)
			for range 12 {
				look(s, 0)
				s.intCfg(intmd.KindCfgRead, 0, intmd.RegTime, 0, 0)
			}
		}
	})
	add("period/each", "the table keeps its entries for a period", func(s *script) {
		for _, p := range []uint32{0, 1, 2, 3, 7, 50, 1<<24 - 1} {
			s.reg(intmd.RegPeriod, p)
			for i := range 20 {
				s.intCnt(0, intmd.OpAdd, 128, 80, 0)
				s.intCfg(intmd.KindEntryRead, 0, 0, 0, 0)
				if i%5 == 0 {
					look(s, 0)
				}
			}
		}
		s.reg(intmd.RegPeriod, 1)
		look(s, 0)
	})
	add("reports/out-of-range", "reports of ports that are not there", func(s *script) {
		n := s.Params["NumPorts"]
		for p := n - 1; p < 256; p++ {
			s.intCnt(p, intmd.Op(p&1), 1000, 1000, 0)
		}
		s.intCfg(intmd.KindLoad, 0, intmd.WordBadReports, ^uint32(0), 0)
		for p := n; p < n+9; p++ {
			s.intCnt(p, intmd.OpSet, 1, 1, 0)
			s.intCfg(intmd.KindLoad, 0, intmd.WordBadReports, uint32(p), 0)
			s.intCfg(intmd.KindRead, 0, intmd.WordBadReports, 0, 0)
		}
	})
	add("reports/rate", "a report every cycle, lookups and reads among them", func(s *script) {
		n := s.Params["NumPorts"]
		for i := range 400 {
			s.intCnt(i%n, intmd.Op(i/3&1), uint32(i*1000), uint32(i*77), 0)
			if i%6 == 0 {
				f := frame.WithRoom(&s.Rand, 0, false, 0, 2, 0, 3)
				b := f.Bytes(&s.Rand, nil)
				s.intRx(b, sideband{len(b), i % n, i / 2 % n}, false, 0)
				s.intCfg(intmd.KindEntryRead, i%n, 0, 0, 0)
			}
		}
	})
}

// intmdAccessCases are about registers and counters.
func intmdAccessCases(add func(name, doc string, write func(s *script))) {
	add("cfg/access", "every address with every kind, ports in range and out", func(s *script) {
		for k := range 16 {
			for a := range 32 {
				for _, p := range []int{0, s.Params["NumPorts"] - 1, s.Params["NumPorts"], 255} {
					s.intCfg(intmd.Kind(k), p, a, uint32(a*k)*0x01010101, 0)
				}
			}
		}
	})
	add("cfg/between-packets", "a change at every distance from a packet", func(s *script) {
		for d := range 30 {
			f := frame.WithRoom(&s.Rand, 0, d%2 == 0, 0, 7, 0, 5).WithSize(100 + d)
			b := f.Bytes(&s.Rand, nil)
			s.intRx(b, sideband{len(b), 0, 0}, false, stim.WaitAll)
			s.intCfg(intmd.KindCfgWrite, 0, intmd.RegMode, uint32(d%4), 0)
			s.Gap(d)
			s.intRx(b, sideband{len(b), 0, 0}, false, 0)
		}
	})
	add("cfg/counters", "every counter over 2^32, loads and reads in the cycles of a count", func(s *script) {
		for a := range intmd.NumWords {
			s.intCfg(intmd.KindLoad, 0, a, ^uint32(0), 0)
		}
		for d := range 20 {
			f := frame.WithRoom(&s.Rand, 0, d%2 == 0, 0, uint8(7-5*(d&1)), 0, 5).WithSize(127)
			s.send(f, 0, stim.WaitAll)
			for range d {
				s.intCfg(intmd.KindCfgRead, 0, 0, 0, 0)
			}
			for _, a := range []int{intmd.WordFrames, intmd.WordAcks, intmd.WordRequests, intmd.WordAddedBeats} {
				s.intCfg(intmd.KindLoad, 0, a, uint32(d), 0)
				s.intCfg(intmd.KindRead, 0, a, 0, 0)
			}
		}
	})
}
