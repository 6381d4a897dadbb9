package gen

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// queued is how long a grant waits behind a packet's last beat, so that it finds the packet.
const queued = 16

// trimReg writes a register of the trimmer inside.
func (s *script) trimReg(addr int, v uint32, wait uint8) {
	s.switchCfg(&switchport.Cfg{Target: switchport.TargetTrimmer, Kind: uint8(trimmer.KindCfgWrite), Addr: uint8(addr), Data: v}, wait)
}

// everyTrimDue makes a trim due for every packet of the low class that is marked as trimmable.
func (s *script) everyTrimDue() {
	s.loneReg(egress.RegTrim, 0)
	s.loneReg(egress.RegTrimLasthop, 0)
}

// dueGranted sends a frame for which a trim is due, and a grant once it is queued.
func (s *script) dueGranted(frame []byte, wait uint8) {
	s.switchRx(frame, &switchSide{trimmable: true, ect: true, lastHop: len(frame)%2 == 0, id: uint32(s.used)}, false, wait)
	s.grantPort(0, 1<<laneRx)
	s.gap(queued)
}

// switchBooked are cases in which what is booked for a packet must be what leaves.
func switchBooked(add func(name, doc string, write func(s *script))) {
	for _, fam := range families {
		add("booked/size/"+fam.name, "trimmed to TRIM_SIZE, to MIN_SIZE, to the headers, to 256 bytes, to one byte less than the packet has", func(s *script) {
			s.everyTrimDue()
			for _, v := range [][2]uint32{{64, 64}, {0, 0}, {100, 40}, {40, 100}, {256, 0}, {0, 256}, {255, 17}, {127, 128}, {191, 1}, {63, 65}} {
				s.trimReg(trimmer.RegTrimSize, v[0], WaitAll)
				s.gap(settle)
				s.trimReg(trimmer.RegMinSize, v[1], 0)
				f := goodFrame(fam.tags, fam.v6, fam.options)
				least := max(int(v[0]), int(v[1]), f.udp()+trimmer.UetMin)
				for i, n := range []int{least + 1, least - 1, least, least + 2, 64 * (1 + least/64), 300, 321, 1500} {
					f = intFrame(&s.r, fam.tags, fam.v6, fam.options, []uint8{2, 13, 3, 14}[i%4], 0, 3)
					f.body = max(f.body+n-f.size(), 2)
					f.pad = i % 3 / 2 * 70
					s.dueGranted(f.bytes(&s.r, nil), 1<<laneSwitchCfg)
					if i == 0 {
						s.items[s.used-1-beatCount(f.size())].Gap = settle
					}
				}
			}
		})
		add("booked/cannot/"+fam.name, "a trim is due for what cannot be trimmed: dropped, for every reason", func(s *script) {
			s.everyTrimDue()
			for _, n := range []int{130, 320, 700} {
				for i, spoil := range spoilers {
					f := goodFrame(fam.tags, fam.v6, fam.options)
					f.sized(n)
					spoil(&f)
					b := f.bytes(&s.r, nil)
					s.dueGranted(b, 0)
					// The same without a trim that is due: queued whole.
					for _, side := range []switchSide{{}, {cls: 1, trimmable: true}, {cls: 2, trimmable: true}} {
						if side.id = uint32(s.used); i%3 == side.cls {
							s.switchRx(b, &side, false, 0)
							s.grantPort(0, 1<<laneRx)
							s.gap(queued)
						}
					}
					s.dueGranted(frameOfSize(s, n), 0)
				}
			}
			s.loneReg(egress.RegTrimEn, 0)
			f := goodFrame(fam.tags, fam.v6, fam.options)
			f.uet = 7
			f.sized(300)
			s.dueGranted(f.bytes(&s.r, nil), 0)
		})
	}
	add("booked/one-beat", "packets of one beat are trimmed", func(s *script) {
		s.everyTrimDue()
		s.trimReg(trimmer.RegTrimSize, 0, WaitAll)
		s.trimReg(trimmer.RegMinSize, 0, 0)
		for n := 57; n <= 66; n++ {
			s.dueGranted(frameOfSize(s, n), 1<<laneSwitchCfg)
		}
	})
	add("booked/port-bits", "the UDP port of UET has each bit changed in turn: packets to it are trimmed, others dropped", func(s *script) {
		s.everyTrimDue()
		for bit := range 16 {
			port := uint16(4793) ^ 1<<bit
			s.trimReg(trimmer.RegUdpPort, uint32(port), WaitAll)
			for _, to := range []uint16{port, 4793} {
				f := goodFrame(0, bit%2 == 0, 0)
				f.dport = to
				f.sized(200)
				s.dueGranted(f.bytes(&s.r, nil), 1<<laneSwitchCfg)
				s.items[s.used-1-beatCount(200)].Gap = settle
			}
		}
	})
	// Values that give another length than those in force, or let nothing be trimmed.
	others := [3][]uint32{{200, 64}, {180, 0}, {9, 4793}}
	add("booked/written-queued", "each register is written to another value while a packet is queued, which leaves as it was booked", func(s *script) {
		s.everyTrimDue()
		for _, n := range []int{150, 240, 400, 1500} {
			for addr, values := range others {
				for _, v := range values {
					s.alone(func(wait uint8) {
						s.switchRx(frameOfSize(s, n), &switchSide{trimmable: true, id: uint32(n)}, false, wait)
					})
					s.alone(func(wait uint8) { s.trimReg(addr, v, wait) })
					s.loneGrant(0)
				}
			}
		}
		// And while it is on its way to tx.
		for d := range 24 {
			for addr, values := range others {
				for _, v := range values {
					s.switchLone(400, switchSide{trimmable: true, id: uint32(d)})
					s.loneGrant(0)
					s.trimReg(addr, v, 0)
					s.alike(settle + d)
				}
			}
		}
	})
	add("booked/written-arriving", "each register is written at every distance from a packet's beats", func(s *script) {
		s.everyTrimDue()
		for _, n := range []int{64, 100, 180, 250, 310, 380, 440} {
			for addr, values := range others {
				for d := range beatCount(n) + 8 {
					for _, v := range values {
						// The write comes before the packet, with a beat of it, or after it.
						at := s.used
						s.trimReg(addr, v, WaitAll)
						s.items[at].Gap = uint16(settle + d)
						s.switchRx(frameOfSize(s, n), &switchSide{trimmable: true, id: uint32(d)}, false, WaitAll)
						s.items[at+1].Pair, s.items[at+1].Gap = true, settle+4
						s.loneGrant(0)
					}
				}
			}
		}
	})
	add("booked/written-in-packet", "each register is written while the beats of a long packet come in", func(s *script) {
		s.everyTrimDue()
		for _, n := range []int{7, 12, 30, 60} {
			for at := range min(n-1, 9) {
				for addr, values := range others {
					for _, v := range values {
						side := switchSide{trimmable: true, id: uint32(at), between: func(i int) {
							if i == at {
								s.trimReg(addr, v, 1<<laneRx)
							}
						}}
						s.alone(func(wait uint8) { s.switchRx(frameOfSize(s, 64*n-at), &side, false, wait) })
						s.loneGrant(0)
					}
				}
			}
		}
	})
	add("booked/not-copied", "what the trimmer refuses, and what is not a write of the three, changes no length", func(s *script) {
		s.everyTrimDue()
		for _, x := range []switchport.Cfg{
			{Kind: uint8(trimmer.KindCfgWrite), Data: 257}, {Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegMinSize, Data: 1<<9 | 200},
			{Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegMinSize, Data: 1<<31 | 200}, {Kind: uint8(trimmer.KindCfgWrite), Data: 512},
			{Kind: uint8(trimmer.KindCfgRead), Data: 200}, {Kind: uint8(trimmer.KindLoad), Data: 200}, {Kind: uint8(trimmer.KindRead), Data: 200},
			{Kind: uint8(trimmer.KindLoad), Addr: trimmer.RegUdpPort, Data: 9}, {Kind: 0, Addr: trimmer.RegUdpPort, Data: 9},
			{Kind: uint8(trimmer.KindCfgRead), Addr: trimmer.RegUdpPort, Data: 9}, {Kind: 7, Addr: trimmer.RegMinSize, Data: 200},
			{Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegDscpTrimmed, Data: 20}, {Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegDscpLasthop, Data: 21},
			{Kind: uint8(trimmer.KindCfgWrite), Addr: 16, Data: 200}, {Kind: uint8(trimmer.KindCfgWrite), Addr: 18, Data: 9},
			{Target: switchport.TargetIntmd, Kind: uint8(intmd.KindCfgWrite), Addr: uint8(intmd.RegMode), Data: 200},
			{Target: 3, Kind: uint8(trimmer.KindCfgWrite), Data: 200}, {Target: 3, Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegUdpPort, Data: 9},
			// High bits of a port are not looked at, and 256 is the most.
			{Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegUdpPort, Data: 0xABCD0000 | 4793},
			{Kind: uint8(trimmer.KindCfgWrite), Addr: trimmer.RegMinSize, Data: 256}, {Kind: uint8(trimmer.KindCfgWrite), Data: 256},
		} {
			if x.Target == switchport.TargetEgress {
				x.Target = switchport.TargetTrimmer
			}
			s.alone(func(wait uint8) { s.switchCfg(&x, wait) })
			s.switchLone(400, switchSide{trimmable: true, id: uint32(s.used)})
			s.loneGrant(0)
		}
	})
	add("booked/row", "packets of one to five beats and of as many as a slot takes, each directly behind another", func(s *script) {
		s.everyTrimDue()
		s.trimReg(trimmer.RegTrimSize, 0, WaitAll)
		s.trimReg(trimmer.RegMinSize, 0, 0)
		for _, n := range []int{1, 2, 3, 4, 5, switchport.SlotBeats} {
			for k := range 4 {
				at := s.used
				for i := range 3 {
					f := goodFrame(0, false, 0)
					f.sized([]int{64, 64 * n, 64}[i] - k)
					if k == 3 && i != 1 {
						f.uet = 7 // dropped
					}
					s.switchRx(f.bytes(&s.r, nil), &switchSide{trimmable: true, id: uint32(at + i)}, false, 0)
				}
				s.items[at].Wait, s.items[at].Gap = WaitAll, settle
				for range 3 {
					s.loneGrant(0)
				}
			}
		}
		// As many as there are slots, of one beat and of one to five: each has its own length.
		for round := range 6 {
			at := s.used
			for i := range min(s.params["Slots"], 40) {
				f := goodFrame(i%3, i%2 == 0, 0)
				f.sized(64*(1+i*round%5) - i%4)
				s.switchRx(f.bytes(&s.r, nil), &switchSide{trimmable: true, id: uint32(at + i)}, false, 0)
				s.grantPort(0, 1<<laneRx)
				s.gap(queued)
			}
			s.items[at].Wait, s.items[at].Gap = WaitAll, settle
		}
	})
	add("booked/reset", "a reset gives the copies of the registers their reset values", func(s *script) {
		for addr, values := range others {
			s.trimReg(addr, values[0], WaitAll)
			s.gap(settle)
			s.drive.Resets = append(s.drive.Resets, Reset{After: s.used, Delay: 10 + addr, Low: 1})
			s.everyTrimDue()
			s.switchLone(400, switchSide{trimmable: true, id: uint32(addr)})
			s.loneGrant(0)
		}
	})
}

// spoilers make a frame one that cannot be trimmed, by each reason.
var spoilers = []func(f *frame){
	func(f *frame) { f.cut = 13 },
	func(f *frame) { f.cut = f.l2() + 10 },
	func(f *frame) { f.cut = f.size() - 1 },
	func(f *frame) { f.raw, f.etype = true, 0x0806 },
	func(f *frame) { f.tags = 3 },
	func(f *frame) { f.version = 9 },
	func(f *frame) { f.v6, f.ihl = false, 4 },
	func(f *frame) { f.v6, f.frag = false, 0x2000 },
	func(f *frame) { f.v6, f.proto = true, 44 },
	func(f *frame) { f.v6, f.proto = true, 43 },
	func(f *frame) { f.proto = 6 },
	func(f *frame) { f.udplen = 1 },
	func(f *frame) { f.iplen = -f.body },
	func(f *frame) { f.dport = 4794 },
	func(f *frame) { f.uet = 7 },
	func(f *frame) { f.uet = 8 },
	func(f *frame) { f.pad, f.body = f.body, 16 },
	func(f *frame) { f.pad, f.body = f.body, 10 },
}
