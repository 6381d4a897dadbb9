package ackgen

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/edge"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// timeCases are about ports, jobs, registers, counters and resets.
func timeCases(add adder) {
	// mixed sends a packet of any kind and length, every third to PDC 0, which is open.
	o := open{bits: started, cack: 99}
	mixed := func(s *script, n int) {
		f := frame.Good(0, n%3 == 0, 0)
		p := header(kinds[n%len(kinds)], n)
		if n%3 == 1 {
			p = o.request(uint32(90+n/3), uint8(n)&frame.FlagAR)
			p.SPDCID, p.DPDCID = spdcid, 1
			f.From, f.V6 = 7, false
		}
		f.WithPDS(&p)
		f.BadSum = n%11 == 10
		f.Body += n % 70
		s.send(s.Bytes(&f), uint32(n), false, 0)
	}
	// short sends a packet of one beat to PDC 0.
	short := func(s *script, n int, wait uint8) {
		f := frame.Good(0, false, 0)
		f.From = 7
		p := o.request(uint32(100+n), 0)
		p.SPDCID, p.DPDCID = spdcid, 1
		f.WithPDS(&p)
		s.send(s.Bytes(&f), uint32(n), false, wait)
	}
	add("full-rate/one-beat", "packets of one beat in every cycle, taken and dropped", func(s *script) {
		s.loadOpen(&o)
		for i := range 400 {
			if i%7 == 3 {
				f := frame.Good(0, false, 0)
				f.DstPort = 1
				s.send(s.Bytes(&f), uint32(i), false, 0)
			} else {
				short(s, i, 0)
			}
		}
	})
	add("full-rate/mixed", "packets of one to five beats in every order, and accesses among them", func(s *script) {
		s.loadOpen(&o)
		for i := range 400 {
			mixed(s, s.Rand.N(6)+i)
			if i%5 == 4 {
				s.cfg(ackgen.KindRead, 0, ackgen.WordCack+i%3*9, 0, 0)
			}
		}
	})
	add("jobs/access", "an access in every cycle before, at and after the start of a packet's job", func(s *script) {
		for d := range 40 {
			for k := range 4 {
				s.loadOpen(&o)
				h := o.request(100, frame.FlagAR)
				s.to(&o, h, nil)
				switch k {
				case 0:
					s.cfg(ackgen.KindLoad, 0, ackgen.WordCack, 98, 0)
				case 1:
					s.reg(ackgen.RegNominal, uint32(d), 0)
				case 2:
					s.cfg(ackgen.KindRead, 0, ackgen.WordCack, 0, 0)
				default:
					s.cfg(ackgen.KindLoad, 0, ackgen.WordAckCcs, uint32(d), 0)
				}
				it := &s.Items[s.Used-1]
				it.Wait, it.Gap = stim.WaitAll, uint16(d)
				s.cfg(ackgen.KindRead, 0, ackgen.WordAckCcs, 0, 0)
				s.reg(ackgen.RegNominal, 40, stim.WaitAll)
				s.Gap(60)
			}
		}
	})
	add("beats/keep", "a last beat whose keep has a single zero", func(s *script) {
		s.loadOpen(&o)
		for k := range 64 {
			f := frame.Good(0, k%2 == 0, 0).With(header(kinds[k%len(kinds)], k))
			f.Sized(128 + k%3)
			s.Beats(laneRx, 0, s.Bytes(&f), false, func(_ int, b *frame.Beat, words []uint64) {
				x := ackgen.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: uint32(k)}
				if b.Last {
					x.Keep = ^(uint64(1) << k)
				}
				ackgen.PackRx(&x, words)
			})
		}
	})
	add("cfg/access", "every address with every kind, values at the ends", func(s *script) {
		n := s.Params["Pdcs"]
		for k := range 16 {
			for a := range 64 {
				for i, v := range []uint32{0, 1, 255, 256, 1 << 16, ^uint32(0)} {
					s.cfg(ackgen.Kind(k), []int{0, n - 1, n, 1<<16 - 1, 1}[(a+i)%5], a, v, 0)
				}
			}
		}
	})
	add("cfg/words", "every bit of every word of the first and the last PDC", func(s *script) {
		n := s.Params["Pdcs"]
		for i := range 34 {
			v := uint32(1) << (i % 32)
			if i >= 32 {
				v = -uint32(i - 32)
			}
			for _, k := range []int{0, 1, n - 1} {
				for a := range pdcWords {
					s.cfg(ackgen.KindLoad, k, a, v+uint32(a+k)*0x01010100*uint32(i/33), 0)
				}
			}
			for _, k := range []int{0, 1, n - 1} {
				for a := range pdcWords {
					s.cfg(ackgen.KindRead, k, a, 0, 0)
				}
			}
		}
	})
	for _, reg := range []struct {
		name   string
		addr   int
		values [2]uint32
	}{{"udp-port", ackgen.RegUdpPort, [2]uint32{4793, 4792}}, {"native", ackgen.RegNative, [2]uint32{253, 17}},
		{"control", ackgen.RegControl, [2]uint32{2, 3}}} {
		about := "a register written in every cycle before, at and after a packet's last beat"
		add("judged/write-"+reg.name, about, func(s *script) {
			s.loadOpen(&o)
			for i := range 2 {
				for d := -8; d <= 12; d++ {
					for k := range 2 {
						f := frame.Good(i, i == 1, 0).With(header(frame.RUDCC, 3*i))
						if f.NoSum = true; reg.name == "native" {
							f.Native, f.Proto = true, reset.native
						}
						s.Skewed(60, d, func() { s.reg(reg.addr, reg.values[(d+k)&1], stim.WaitAll) },
							func() { s.send(s.Bytes(&f), uint32(d), false, stim.WaitAll) })
					}
				}
			}
		})
	}
	add("cfg/counters", "every counter over 2^32, loads and reads in the cycles of a count", func(s *script) {
		for a := pdcWords; a < ackgen.NumWords; a++ {
			s.cfg(ackgen.KindLoad, 0, a, ^uint32(0), 0)
		}
		everyReason(s)
		s.loadOpen(&o)
		for d := range 30 {
			short(s, d, stim.WaitAll)
			for range d / 3 {
				s.cfg(ackgen.KindCfgRead, 0, 0, 0, 0)
			}
			s.cfg(ackgen.KindLoad, 0, ackgen.WordFrames, uint32(d), 0)
			s.Gap(d % 3)
			s.cfg(ackgen.KindRead, 0, ackgen.WordFrames, 0, 0)
		}
		// A load ends in the cycle in which a dropped packet is counted, at each distance.
		for d := range 40 {
			for _, a := range []int{ackgen.WordFrames, ackgen.WordOtherPort} {
				f := frame.Good(0, false, 0)
				f.DstPort = 1
				s.send(s.Bytes(&f), uint32(d), false, stim.WaitAll)
				s.cfg(ackgen.KindLoad, 0, a, ^uint32(0), 0)
				it := &s.Items[s.Used-1]
				it.Wait, it.Pair, it.Gap = stim.WaitAll, true, uint16(d%20)
				s.cfg(ackgen.KindRead, 0, a, 0, stim.WaitAll)
				s.Gap(30)
			}
		}
	})
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		add("ports/"+name, "packets of all lengths with waits at the ports", func(s *script) {
			s.loadOpen(&o)
			for i := range 120 {
				mixed(s, i)
				s.cfg(ackgen.KindRead, i%s.Params["Pdcs"], i%ackgen.NumWords, 0, 0)
			}
			s.Gates(2, 3, idle, stall)
		})
	})
	add("ports/together", "packets and accesses without end, and outputs that wait for each other", func(s *script) {
		s.loadOpen(&o)
		for n := range 3000 {
			p := header(frame.RUDCC, 3*n+1+n%2) // a NACK, most often
			f := frame.Good(0, false, 0)
			f.WithPDS(&p)
			f.Body = 64 * (6 + n%8)
			s.send(s.Bytes(&f), uint32(n), false, 0)
			for range 2 + n%2 {
				s.cfg(ackgen.KindRead, 0, ackgen.WordCack, 0, 0)
			}
		}
		s.Gates(2, 3, stim.Gate{}, stim.Density(128))
	})
	add("ports/answers", "short packets, each answered, for they have arrived, and accesses among them", func(s *script) {
		s.loadOpen(&o)
		for n := range 3000 {
			short(s, -50-n%40, 0)
			s.cfg(ackgen.KindRead, 0, ackgen.WordCack, 0, 0)
			s.cfg(ackgen.KindRead, 0, ackgen.WordCack, 0, 0)
		}
		s.Gates(2, 3, stim.Gate{}, stim.Density(190))
	})
	for i, out := range []string{"tx", "ind", "cfgr"} {
		add("credits/"+out, "one output is held until its credits are used, packets dropped meanwhile", func(s *script) {
			s.loadOpen(&o)
			for n := range 90 {
				mixed(s, n)
				short(s, n, 0)
				s.cfg(ackgen.KindRead, 0, ackgen.WordCack, 0, 0)
			}
			s.Gates(2, 3, stim.Gate{}, stim.Gate{})
			held := stim.Bursts(40, 300)
			if i == 0 {
				s.Drive.Stall = held
			} else {
				s.Drive.StallMore[i-1] = held
			}
		})
	}
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		add(name, "a reset in mid-packet and with packets everywhere", func(s *script) {
			s.reg(ackgen.RegMpr, 3, 0)
			s.loadOpen(&o)
			for i := range 14 {
				mixed(s, i*5)
			}
			s.Interrupt(r, held, 2, 3, stim.Bursts(1, 200))
		})
	})
	for _, g := range stim.ResetGates {
		add("reset/every-beat"+g.Suffix, "a reset after each beat of a packet, at every distance", func(s *script) {
			s.ResetsAmong(ackgen.Latency+ackgen.Busy+ackgen.Build+6, func() {
				for i := range g.Packets {
					mixed(s, 60+i)
				}
			})
			s.Gates(2, 3, stim.Gate{}, g.Stall)
		})
	}
	add("reset/every-access", "a reset soon after an access: no answer, and what it wrote is gone", func(s *script) {
		s.ResetsAmong(ackgen.CfgBusy+5, func() {
			s.cfg(ackgen.KindCfgRead, 0, ackgen.RegMpr, 0, 0)
			s.reg(ackgen.RegMpr, 9, 0)
			s.cfg(ackgen.KindLoad, 0, ackgen.WordCack, 7, 0)
			s.cfg(ackgen.KindRead, 0, ackgen.WordCack, 0, 0)
		})
	})
	add("reset/tick", "a reset begins a tick: packets about its end, which ends early while they wait", func(s *script) {
		for d := range 48 {
			s.cfg(ackgen.KindCfgRead, 0, ackgen.RegTick, 0, stim.WaitAll) // taken when the sweep ends
			first := s.Used
			f := frame.Good(0, false, 0).With(header(frame.RUD, 3*d))
			s.send(s.Bytes(&f), uint32(d), false, stim.WaitAll)
			s.Items[first].Gap = uint16(80 + d)
			s.reg(ackgen.RegTick, 1, stim.WaitAll)
			s.reg(ackgen.RegTick, 65535, stim.WaitAll)
			s.Gap(40)
			s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: s.Used, Delay: 7 + 2*d, Low: 1 + d%3})
		}
	})
	add("wide/packets", "more than 2^17 packets of one beat in one episode", func(s *script) {
		s.loadOpen(&o)
		s.reg(ackgen.RegTrigger, 1<<30, 0)
		for i := range 1<<17 + 40 {
			short(s, i, 0)
		}
	})
}

// everyReason sends a packet for each reason to drop one, and for each verdict.
func everyReason(s *script) {
	for i := range 15 + 8 {
		f := frame.Good(0, false, 0)
		f.From = 9
		p := frame.PDS{Type: frame.RUD, SPDCID: 3, DPDCID: 1, PSN: 50}
		switch i {
		case 11:
			p.Type = frame.Ack
		case 13:
			p.Type, p.Next = frame.Control, 10
		case 14:
			p.DPDCID = 0
		case 15: // opens the first
			p.Flags, p.DPDCID = frame.FlagSyn, 0
		case 17, 18, 20:
			p.Type, p.Next = frame.Control, []uint8{frame.CtlAckReq, frame.CtlProbe, 0, frame.CtlClose}[i-17]
			p.PSN = 51
		case 19:
			p.PSN = 500
		case 21: // a control packet before the PDC
			p.Type, p.Next, p.Flags, p.SPDCID = frame.Control, frame.CtlProbe, frame.FlagSyn, 77
		}
		f.WithPDS(&p)
		switch edge.Spoil(&f, i); i {
		case 10:
			f.PDS[0] = 30 << 3
		case 12:
			f.Body--
		}
		s.send(s.Bytes(&f), uint32(i), false, stim.WaitAll)
	}
	s.reg(ackgen.RegControl, 8|2, stim.WaitAll) // plain ACKs
	f := frame.Good(0, false, 0)
	f.From = 9
	p := frame.PDS{Type: frame.RUD, SPDCID: 3, PSN: 50, Flags: frame.FlagSyn}
	f.WithPDS(&p)
	s.send(s.Bytes(&f), 99, false, 1<<laneCfg)
	s.reg(ackgen.RegControl, 2, stim.WaitAll)
	s.Gap(60)
}
