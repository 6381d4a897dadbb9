package gen

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// settle is how long everything is quiet before a packet, a grant or a register write of a corner: longer than
// any of them takes to its end, so that each acts on a state that is known.
const settle = 60

// alone lists what write appends, each after everything before it has come to its end.
func (s *script) alone(write func(wait uint8)) {
	at := s.used
	write(WaitAll)
	s.items[at].Gap = settle
}

// switchLone sends a packet of so many bytes by itself.
func (s *script) switchLone(n int, side switchSide) {
	f := goodFrame(0, false, 0)
	frame := make([]byte, 0, 64)
	if n > 0 {
		f.sized(n)
		frame = f.bytes(&s.r, nil)
		frame = frame[:min(n, len(frame))]
	}
	s.alone(func(wait uint8) { s.switchRx(frame, &side, false, wait) })
}

func (s *script) loneGrant(port int) { s.alone(func(wait uint8) { s.grantPort(port, wait) }) }

func (s *script) loneReg(addr int, v uint32) {
	s.alone(func(wait uint8) {
		s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, wait)
	})
}

// switchCorners are cases in which each packet finds a queue exactly at, below or above a threshold.
func switchCorners(add func(name, doc string, write func(s *script))) {
	around := []int{-64, -1, 0, 1, 64}
	add("threshold/trim", "the low queue exactly at the trim threshold and around it, also at the last hop", func(s *script) {
		s.egressReg(egress.RegTrim, 700)
		s.egressReg(egress.RegTrimLasthop, 900)
		for _, last := range []bool{false, true} {
			for _, trimmable := range []bool{true, false} {
				for _, d := range around {
					limit := 700 + 200*b2u(last)
					s.switchLone(limit-150, switchSide{lastHop: last, ect: true})
					s.switchLone(150+d, switchSide{lastHop: last, trimmable: trimmable, ect: true})
					s.loneGrant(0)
					s.loneGrant(0)
				}
			}
		}
	})
	add("threshold/drop", "each class exactly at its limit and around it", func(s *script) {
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
	add("threshold/shared", "all ports together exactly at their limit and around it", func(s *script) {
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
	add("threshold/pause", "a port exactly at XOFF and XON and around them", func(s *script) {
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
	add("threshold/mark", "the low queue exactly at K_DET, K_MIN and K_MAX and around them when a packet leaves", func(s *script) {
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
	add("length/shortest", "packets of no byte and of a few", func(s *script) {
		for n := range 20 {
			for c := range 3 {
				s.switchLone(n, switchSide{cls: c, trimmable: true, ect: true, id: uint32(n)})
			}
			s.loneGrant(0)
		}
		s.switchDrain(1, 42)
	})
	add("cfg/registers", "every register of every block inside is written and read, among packets", func(s *script) {
		for target, info := range switchRegisters() {
			for addr, v := range info {
				for _, kind := range []egress.Kind{egress.KindCfgRead, egress.KindCfgWrite, egress.KindCfgRead} {
					s.switchCfg(&switchport.Cfg{Target: switchport.Target(target), Kind: uint8(kind), Addr: uint8(addr), Data: v + uint32(kind&1)}, 0)
				}
				s.switchCfg(&switchport.Cfg{Target: switchport.Target(target), Kind: uint8(egress.KindCfgWrite), Addr: uint8(addr), Data: v}, 0)
				s.switchRx(frameOfSize(s, 64+addr), &switchSide{cls: addr % 3, trimmable: true, ect: true, id: v}, false, 0)
				s.grantPort(0, 1<<laneRx)
			}
		}
	})
}

// frameOfSize is a good frame of so many bytes.
func frameOfSize(s *script, n int) []byte {
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
