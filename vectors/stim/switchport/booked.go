package switchport

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// queued is how long a grant waits after a packet's last beat, so that it finds the packet.
const queued = 16

// trimReg writes a register of the trimmer inside.
func (s *script) trimReg(addr int, v uint32, wait uint8) {
	s.write(switchport.TargetTrimmer, addr, v, wait)
}

// everyTrimDue makes a trim due for every packet of the low class that is marked as trimmable.
func (s *script) everyTrimDue() {
	s.loneReg(egress.RegTrim, 0)
	s.loneReg(egress.RegTrimLasthop, 0)
}

// dueGranted sends a frame for which a trim is due, and a grant once it is queued.
func (s *script) dueGranted(data []byte, wait uint8) {
	s.switchRx(data, &sideband{trimmable: true, ect: true, lastHop: len(data)%2 == 0, id: uint32(s.Used)}, false, wait)
	s.grantPort(0, 1<<laneRx)
	s.Gap(queued)
}

// bookedFamilies are cases in which the length booked for a packet must be the length that leaves, in every family.
func bookedFamilies(add func(name, doc string, write func(s *script))) {
	for _, fam := range frame.Families {
		about := "trimmed to TRIM_SIZE, to MIN_SIZE, to the headers, to 256 bytes, to one byte less than the packet has"
		add("booked/size/"+fam.Name, about, func(s *script) {
			s.everyTrimDue()
			for _, v := range [][2]uint32{{64, 64}, {0, 0}, {100, 40}, {40, 100}, {256, 0}, {0, 256}, {255, 17},
				{127, 128}, {191, 1}, {63, 65}} {
				s.trimReg(trimmer.RegTrimSize, v[0], stim.WaitAll)
				s.Gap(stim.Settle)
				s.trimReg(trimmer.RegMinSize, v[1], 0)
				f := frame.Good(fam.Tags, fam.V6, fam.Options)
				least := max(int(v[0]), int(v[1]), f.UDP()+trimmer.UetMin)
				for i, n := range []int{least + 1, least - 1, least, least + 2, 64 * (1 + least/64), 300, 321, 1500} {
					f = frame.WithRoom(&s.Rand, fam.Tags, fam.V6, fam.Options, []uint8{2, 13, 3, 14}[i%4], 0, 3)
					f.Body = max(f.Body+n-f.Size(), 2)
					f.Pad = i % 3 / 2 * 70
					s.dueGranted(f.Bytes(&s.Rand, nil), 1<<laneCfg)
					if i == 0 {
						s.Items[s.Used-1-frame.BeatCount(f.Size())].Gap = stim.Settle
					}
				}
			}
		})
		about = "a trim is due for what cannot be trimmed: dropped, for every reason"
		add("booked/cannot/"+fam.Name, about, func(s *script) {
			s.everyTrimDue()
			for _, n := range []int{130, 320, 700} {
				for i, spoil := range spoilers {
					f := frame.Good(fam.Tags, fam.V6, fam.Options).WithSize(n)
					spoil(&f)
					b := f.Bytes(&s.Rand, nil)
					s.dueGranted(b, 0)
					// The same without a trim that is due: queued whole.
					for _, side := range []sideband{{}, {cls: 1, trimmable: true}, {cls: 2, trimmable: true}} {
						if side.id = uint32(s.Used); i%3 == side.cls {
							s.granted(b, &side)
							s.Gap(queued)
						}
					}
					s.dueGranted(frameOfSize(s, n), 0)
				}
			}
			s.loneReg(egress.RegTrimEn, 0)
			f := frame.Good(fam.Tags, fam.V6, fam.Options)
			f.UET = 7
			f.Sized(300)
			s.dueGranted(f.Bytes(&s.Rand, nil), 0)
		})
	}
	about := "one bit of the headers is wrong: with a trim that is due, and with room for an entry"
	add("booked/one-bit", about, func(s *script) {
		s.everyTrimDue()
		for i := range 2 * frame.OneBits {
			v6 := i >= frame.OneBits
			good := frame.Good(i%3, v6, 0).WithSize(200)
			f := frame.OneBit(&good, i%frame.OneBits)
			s.dueGranted(f.Bytes(&s.Rand, nil), 0)
			good = frame.WithRoom(&s.Rand, i%3, v6, 0, 7, 0, 3)
			f = frame.OneBit(&good, i%frame.OneBits)
			s.granted(f.Bytes(&s.Rand, nil), &sideband{id: uint32(s.Used)})
			s.Gap(queued)
		}
	})
}

// others are values of TRIM_SIZE, MIN_SIZE and UDP_PORT that give another length than those in force, or let nothing be
// trimmed.
var others = [3][]uint32{{200, 64}, {180, 0}, {9, 4793}}

// bookedPorts change the UDP port of UET.
func bookedPorts(add func(name, doc string, write func(s *script))) {
	about := "each bit of the UDP port of UET is changed: packets to it are trimmed, others dropped"
	add("booked/port-bits", about, func(s *script) {
		s.everyTrimDue()
		for bit := range 16 {
			port := uint16(4793) ^ 1<<bit
			s.trimReg(trimmer.RegUdpPort, uint32(port), stim.WaitAll)
			for _, to := range []uint16{port, 4793} {
				f := frame.Good(0, bit%2 == 0, 0)
				f.DstPort = to
				f.Sized(200)
				s.dueGranted(f.Bytes(&s.Rand, nil), 1<<laneCfg)
				s.Items[s.Used-1-frame.BeatCount(200)].Gap = stim.Settle
			}
		}
	})
}

// bookedWrites write registers at every distance from a packet.
func bookedWrites(add func(name, doc string, write func(s *script))) {
	add("booked/written-arriving", "each register is written at every distance from a packet's beats", func(s *script) {
		s.everyTrimDue()
		for _, n := range []int{64, 100, 180, 250, 310, 380, 440} {
			for addr, values := range others {
				for d := range frame.BeatCount(n) + 8 {
					for _, v := range values {
						// The write comes before the packet, with a beat of it, or after it.
						at := s.Used
						s.trimReg(addr, v, stim.WaitAll)
						s.Items[at].Gap = uint16(stim.Settle + d)
						s.switchRx(frameOfSize(s, n), &sideband{trimmable: true, id: uint32(d)}, false, stim.WaitAll)
						s.Items[at+1].Pair, s.Items[at+1].Gap = true, stim.Settle+4
						s.loneGrant(0)
					}
				}
			}
		}
	})
	about := "each bit of the trimmed size is booked, and the register written before the packet leaves"
	add("booked/written-sizes", about, func(s *script) {
		s.everyTrimDue()
		s.trimReg(trimmer.RegMinSize, 0, stim.WaitAll)
		for _, size := range []uint32{256, 255, 128, 127, 192, 96, 80, 72, 68, 66, 65, 64} {
			for _, after := range []uint32{70, 240} {
				s.trimReg(trimmer.RegTrimSize, size, stim.WaitAll)
				s.Gap(stim.Settle)
				s.switchRx(frameOfSize(s, 400), &sideband{trimmable: true, id: size}, false, stim.WaitAll)
				s.trimReg(trimmer.RegTrimSize, after, 1<<laneRx)
				s.Gap(queued)
				s.loneGrant(0)
			}
		}
	})
	add("booked/written-in-packet", "each register is written while the beats of a long packet come in", func(s *script) {
		s.everyTrimDue()
		for _, n := range []int{7, 12, 30, 60} {
			for at := range min(n-1, 9) {
				for addr, values := range others {
					for _, v := range values {
						side := sideband{trimmable: true, id: uint32(at), between: func(i int) {
							if i == at {
								s.trimReg(addr, v, 1<<laneRx)
							}
						}}
						s.Alone(func(wait uint8) { s.switchRx(frameOfSize(s, 64*n-at), &side, false, wait) })
						s.loneGrant(0)
					}
				}
			}
		}
	})
}

// bookedRows send packets back to back.
func bookedRows(add func(name, doc string, write func(s *script))) {
	about := "packets of one to five beats and of as many as a slot takes, each directly behind another"
	add("booked/row", about, func(s *script) {
		s.everyTrimDue()
		s.trimReg(trimmer.RegTrimSize, 0, stim.WaitAll)
		s.trimReg(trimmer.RegMinSize, 0, 0)
		for _, n := range []int{1, 2, 3, 4, 5, switchport.SlotBeats} {
			for k := range 4 {
				at := s.Used
				for i := range 3 {
					f := frame.Good(0, false, 0).WithSize([]int{64, 64 * n, 64}[i] - k)
					if k == 3 && i != 1 {
						f.UET = 7 // dropped
					}
					s.switchRx(f.Bytes(&s.Rand, nil), &sideband{trimmable: true, id: uint32(at + i)}, false, 0)
				}
				s.Items[at].Wait, s.Items[at].Gap = stim.WaitAll, stim.Settle
				for range 3 {
					s.loneGrant(0)
				}
			}
		}
		// As many as there are slots, of one beat and of one to five: each has its own length.
		for round := range 6 {
			at := s.Used
			for i := range min(s.Params["Slots"], 40) {
				f := frame.Good(i%3, i%2 == 0, 0).WithSize(64*(1+i*round%5) - i%4)
				s.granted(f.Bytes(&s.Rand, nil), &sideband{trimmable: true, id: uint32(at + i)})
				s.Gap(queued)
			}
			s.Items[at].Wait, s.Items[at].Gap = stim.WaitAll, stim.Settle
		}
	})
}

// spoilers make a frame one that cannot be trimmed, by each reason.
var spoilers = []func(f *frame.Frame){
	func(f *frame.Frame) { f.Cut = 13 },
	func(f *frame.Frame) { f.Cut = f.L2() + 10 },
	func(f *frame.Frame) { f.Cut = f.Size() - 1 },
	func(f *frame.Frame) { f.Raw, f.EtherType = true, 0x0806 },
	func(f *frame.Frame) { f.Tags = 3 },
	func(f *frame.Frame) { f.Version = 9 },
	func(f *frame.Frame) { f.V6, f.IHL = false, 4 },
	func(f *frame.Frame) { f.V6, f.Frag = false, 0x2000 },
	func(f *frame.Frame) { f.V6, f.Proto = true, 44 },
	func(f *frame.Frame) { f.V6, f.Proto = true, 43 },
	func(f *frame.Frame) { f.Proto = 6 },
	func(f *frame.Frame) { f.UDPLen = 1 },
	func(f *frame.Frame) { f.IPLen = -f.Body },
	func(f *frame.Frame) { f.DstPort = 4794 },
	func(f *frame.Frame) { f.UET = 7 },
	func(f *frame.Frame) { f.UET = 8 },
	func(f *frame.Frame) { f.Pad, f.Body = f.Body, 16 },
	func(f *frame.Frame) { f.Pad, f.Body = f.Body, 10 },
}
