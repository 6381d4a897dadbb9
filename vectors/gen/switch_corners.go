package gen

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// switchLone sends a packet of so many bytes by itself.
func (s *switchScript) switchLone(n int, side switchSide) {
	f := goodFrame(0, false, 0)
	frame := make([]byte, 0, 64)
	if n > 0 {
		f.sized(n)
		frame = f.bytes(&s.r, nil)
		frame = frame[:min(n, len(frame))]
	}
	s.alone(func(wait uint8) { s.switchRx(frame, &side, false, wait) })
}

func (s *switchScript) loneGrant(port int) { s.alone(func(wait uint8) { s.grantPort(port, wait) }) }

func (s *switchScript) loneReg(addr int, v uint32) {
	s.alone(func(wait uint8) {
		s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, wait)
	})
}

// switchCorners are cases in which each packet finds a queue exactly at, below or above a threshold.
func switchCorners(add func(name, doc string, write func(s *switchScript))) {
	around := []int{-64, -1, 0, 1, 64}
	add("threshold/trim", "the low queue exactly at the trim threshold and around it, also at the last hop", func(s *switchScript) {
		s.egressReg(egress.RegTrim, 700)
		s.egressReg(egress.RegTrimLasthop, 900)
		for _, last := range []bool{false, true} {
			for _, trimmable := range []bool{true, false} {
				for _, d := range around {
					limit := 700 + 200*bit(last)
					s.switchLone(limit-150, switchSide{lastHop: last, ect: true})
					s.switchLone(150+d, switchSide{lastHop: last, trimmable: trimmable, ect: true})
					s.loneGrant(0)
					s.loneGrant(0)
				}
			}
		}
	})
	add("threshold/drop", "each class exactly at its limit and around it", func(s *switchScript) {
		for c := range 3 {
			s.egressReg(egress.RegDropLow+c, uint32(500+c))
			for _, d := range around {
				s.switchLone(300, switchSide{cls: c})
				s.switchLone(200+c+d, switchSide{cls: c})
				s.loneGrant(0)
				s.loneGrant(0)
			}
		}
	})
	add("threshold/shared", "all ports together exactly at their limit and around it", func(s *switchScript) {
		ports := s.params["NumPorts"]
		s.egressReg(egress.RegShared, 600)
		for c := range 3 {
			for _, d := range around {
				s.switchLone(350, switchSide{port: ports - 1, cls: 2 - c})
				s.switchLone(250+d, switchSide{cls: c})
				s.loneGrant(ports - 1)
				s.loneGrant(0)
			}
		}
		// What is trimmed counts with the length that it is cut to.
		s.loneReg(egress.RegTrim, 300)
		for _, d := range []int{-1, 0, 1} {
			s.switchLone(600-64+d, switchSide{port: ports - 1, cls: 2})
			s.switchLone(1000, switchSide{trimmable: true})
			s.loneGrant(ports - 1)
			s.loneGrant(0)
		}
	})
	add("threshold/pause", "a port exactly at XOFF and XON and around them", func(s *switchScript) {
		s.egressReg(egress.RegXoff, 500)
		s.egressReg(egress.RegXon, 300)
		for _, d := range around {
			s.switchLone(200, switchSide{})
			s.switchLone(300+d, switchSide{})              // 500 + d: goes on, or not
			s.switchLone(100, switchSide{})                // stays on
			s.loneGrant(0)                                 // 400 + d: stays on
			s.switchLone(100-d, switchSide{})              // 500, above XON before and after
			s.switchLone(64, switchSide{})                 // stays on
			s.loneGrant(0)                                 // the 300 + d go
			s.switchLone(300-264+d+64, switchSide{cls: 2}) // around XON, in another class
			s.loneGrant(0)
			for range 4 {
				s.loneGrant(0)
			}
		}
		// A packet ends a pause when XON has been raised meanwhile.
		s.switchLone(600, switchSide{})
		s.loneReg(egress.RegXoff, 2000)
		s.loneReg(egress.RegXon, 1000)
		s.switchLone(64, switchSide{cls: 2})
		s.loneReg(egress.RegXoff, 500)
		s.loneReg(egress.RegXon, 300)
		s.loneGrant(0)
		s.loneGrant(0)
		// Down to exactly XON, one above and one below it; and a byte below XOFF while pause is asked for.
		for _, d := range []int{-1, 0, 1} {
			s.switchLone(300+d, switchSide{cls: 0})
			s.switchLone(250, switchSide{cls: 2})
			s.loneGrant(0)
			s.switchLone(199-d, switchSide{cls: 2})
			s.switchLone(64, switchSide{cls: 2})
			for range 4 {
				s.loneGrant(0)
			}
		}
	})
	add("threshold/mark", "the low queue exactly at K_DET, K_MIN and K_MAX and around them when a packet leaves", func(s *switchScript) {
		for mode := range 4 {
			s.egressReg(egress.RegECNMode, uint32(mode))
			for _, reg := range []int{egress.RegKDet, egress.RegKMin, egress.RegKMax} {
				for _, d := range around {
					s.loneReg(egress.RegKMin, 100)
					s.loneReg(egress.RegKMax, 400)
					s.loneReg(reg, uint32(250-d))
					s.switchLone(90, switchSide{ect: true})
					s.switchLone(250, switchSide{ect: d != 64})
					s.loneGrant(0)
					s.loneGrant(0)
				}
			}
		}
	})
	add("length/shortest", "packets of no byte and of a few", func(s *switchScript) {
		for n := range 20 {
			for c := range 3 {
				s.switchLone(n, switchSide{cls: c, trimmable: true, ect: true, id: uint32(n)})
			}
			s.loneGrant(0)
		}
		s.switchDrain(1, 42)
	})
	add("length/holes", "last beats whose keep has one zero, or zeros from one place on", func(s *switchScript) {
		var b beat
		frame := frameOfSize(s, 128)
		for k := range 65 {
			for _, keep := range []uint64{^uint64(0) &^ (1 << k), 1<<k - 1} {
				beats(&s.r, &b, frame, false, func(i int, b *beat) {
					x := switchport.Rx{Data: b.data, Keep: keep, Last: b.last, Id: uint32(k)}
					switchport.PackRx(&x, s.put(laneSwitchRx, 0))
					if !b.last {
						s.more()
					}
				})
				s.grantPort(0, 1<<laneSwitchRx)
			}
		}
	})
	add("cfg/registers", "every register of every block inside is written and read, among packets", func(s *switchScript) {
		for target, info := range switchRegisters() {
			for addr, v := range info {
				for _, kind := range []egress.Kind{egress.KindCfgRead, egress.KindCfgWrite, egress.KindCfgRead} {
					s.switchCfg(&switchport.Cfg{Target: switchport.Target(target), Kind: uint8(kind), Addr: uint8(addr), Data: v + uint32(kind&1)}, 0)
				}
				s.switchCfg(&switchport.Cfg{Target: switchport.Target(target), Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, 0)
				s.switchRx(frameOfSize(s, 64+addr), &switchSide{cls: addr % 3, trimmable: true, ect: true, id: v}, false, 0)
				s.grantPort(0, 1<<laneSwitchRx)
			}
		}
	})
}

// switchHeld are cases in which notes wait for long while grants, reads and new packets go on: no slot may go to
// another packet before its verdict was taken.
func switchHeld(add func(name, doc string, write func(s *switchScript))) {
	add("note/held", "notes are held back for long while grants, reads and new packets go on", func(s *switchScript) {
		n := s.params["NumPorts"]
		for i := range 6 * max(8, min(s.params["Slots"], 40)) {
			// Every handle is another one. Some are dropped or refused, of one beat or several, and what is read takes its time.
			side := switchSide{port: i % min(n, 2), in: i % n, cls: i % 3, trimmable: i%4 == 0, ect: true, id: 0xA5000000 + uint32(i)*0x10101}
			if i%13 == 12 {
				side.cls = 3
			}
			s.switchRx(frameOfSize(s, 64+(i%5)*(i%7)*30), &side, false, 0)
			s.grantPort(side.port, 1<<laneSwitchRx)
			if i%3 == 0 {
				s.grantPort((i+1)%n, 0)
			}
			if i%11 == 0 {
				s.switchCfg(&switchport.Cfg{Target: switchport.Target(i % 3), Kind: uint8(egress.KindCfgRead), Addr: uint8(i % 4)}, 0)
			}
		}
		s.switchDrain(n, 12)
		s.drive.StallMore = []Gate{Bursts(3, 250)}
	})
}

// switchWide are cases in which the high bits of ports, hop counts and contents are used.
func switchWide(add func(name, doc string, write func(s *switchScript))) {
	add("cfg/ports", "what comes with a port that is not there is echoed all the same", func(s *switchScript) {
		for _, port := range []uint8{64, 127, 128, 170, 255} {
			for target := range switchport.Target(4) {
				for _, kind := range []uint8{0, uint8(egress.KindRead), uint8(egress.KindCfgRead), uint8(intmd.KindEntryRead)} {
					s.switchCfg(&switchport.Cfg{Target: target, Kind: kind, Port: port, Cls: 2}, 0)
				}
			}
		}
	})
	add("telemetry/hops", "hop counts up to the highest", func(s *switchScript) {
		for _, h := range []int{3, 63, 64, 126, 127, 128, 191, 253, 254, 255} {
			f := intFrame(&s.r, 0, h%2 == 0, 0, 2, h, 255)
			s.switchRx(f.bytes(&s.r, nil), &switchSide{id: uint32(h)}, false, 0)
			s.grantPort(0, 1<<laneSwitchRx)
		}
	})
	add("length/longest", "packets of as many beats as a slot takes meet every verdict", func(s *switchScript) {
		for _, side := range []switchSide{{port: 255}, {cls: 3}, {cls: 2}, {trimmable: true}, {cls: 1}} {
			if side.trimmable {
				s.loneReg(egress.RegTrim, 100)
			} else if side.cls == 1 {
				s.loneReg(egress.RegDropMed, 100)
			}
			s.switchLone(64*switchport.SlotBeats, side)
			s.loneGrant(0)
		}
	})
	add("reset/rx-stopped", "a reset when every slot is taken and rx is stopped", func(s *switchScript) {
		n := s.params["Slots"] + 2 // with those in the FIFO
		for range n {
			s.switchRx(frameOfSize(s, 64), &switchSide{cls: 2}, false, 0)
		}
		s.drive.Resets = append(s.drive.Resets, Reset{After: s.used, Delay: 20, Low: 1})
		s.switchRx(frameOfSize(s, 64), &switchSide{cls: 2}, false, 0)
		s.grantPort(0, 1<<laneSwitchRx)
	})
	add("telemetry/in-port", "acknowledgements from every input port that the field can name", func(s *switchScript) {
		for in := range 256 {
			f := intFrame(&s.r, 0, in%2 == 0, 0, []uint8{7, 8, 2}[in%3], 1, 4)
			s.switchRx(f.bytes(&s.r, nil), &switchSide{in: in, id: uint32(in)}, false, 0)
			s.grantPort(0, 1<<laneSwitchRx)
		}
	})
	add("buffer/freed-together", "slots are taken, freed by drops and freed by packets that leave, all in one cycle; then every slot is used", func(s *switchScript) {
		n := s.params["NumPorts"]
		slots := s.params["Slots"]
		for round := range 3 {
			for i := range 300 {
				side := switchSide{port: i % min(n, 2), cls: 2, id: uint32(i)}
				gone := s.r.one(3)
				if gone {
					side.cls = 3
				}
				s.switchRx(frameOfSize(s, 60), &side, false, 0)
				if !gone {
					s.grantPort(side.port, uint8(bit(i%7 == round))<<laneSwitchRx)
				}
			}
			s.switchDrain(n, 4)
			for i := range slots + 3 {
				s.switchRx(frameOfSize(s, 64), &switchSide{port: i % n, cls: 1, id: uint32(i)}, false, 0)
			}
			s.grantPort(0, 0)
			s.gap(2*slots + 60)
			s.switchDrain(n, slots/n+4)
		}
	})
	add("ports/each", "a packet of each class to every port there is", func(s *switchScript) {
		for p := range s.params["NumPorts"] {
			for c := range 3 {
				s.switchRx(frameOfSize(s, 80+p), &switchSide{port: p, in: p, cls: c, id: uint32(p)}, false, 0)
				s.grantPort(p, 1<<laneSwitchRx)
			}
		}
	})
	add("buffer/deep", "the longest packets fill the buffer, all in the queues of one port", func(s *switchScript) {
		last := s.params["NumPorts"] - 1
		n := min(s.params["Slots"]-1, s.params["Depth"]-1, 40)
		for c := range 3 {
			s.egressReg(egress.RegDropLow+c, 1<<30)
		}
		for c := range 2 {
			for range n {
				s.switchRx(frameOfSize(s, 64*switchport.SlotBeats), &switchSide{port: last, cls: 2 * c, ect: true}, false, 0)
			}
			for range n + 1 {
				s.grantPort(last, 1<<laneSwitchRx)
			}
		}
	})
}

// frameOfSize is a good frame of so many bytes.
func frameOfSize(s *switchScript, n int) []byte {
	f := goodFrame(0, false, 0)
	f.sized(n)
	return f.bytes(&s.r, nil)
}

// switchRegisters returns the reset values of all registers by target and address.
func switchRegisters() (out [3][]uint32) {
	for _, r := range egress.RegInfo {
		out[switchport.TargetEgress] = append(out[switchport.TargetEgress], uint32(r.Reset))
	}
	for _, r := range trimmer.RegInfo {
		out[switchport.TargetTrimmer] = append(out[switchport.TargetTrimmer], uint32(r.Reset))
	}
	for _, r := range intmd.RegInfo {
		out[switchport.TargetIntmd] = append(out[switchport.TargetIntmd], uint32(r.Reset))
	}
	return out
}
