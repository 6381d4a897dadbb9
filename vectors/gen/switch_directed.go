package gen

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

func switchCases() (out []scriptCase) {
	add := func(name, doc string, write func(s *switchScript)) {
		out = append(out, scriptCase{name, doc, func(sc *script) {
			s := &switchScript{script: sc}
			s.intMode(3) // telemetry in both sorts of packets
			write(s)
			s.drive.Relief = grantRelief(s.drive.Relief, s.params["NumPorts"])
			s.switchReadBack(min(s.params["NumPorts"], 4))
		}})
	}
	// send lists a good packet with telemetry, and then a grant for it where wanted.
	send := func(s *switchScript, n, port, cls int, grant bool, wait uint8) {
		f := intFrame(&s.r, 0, n%2 == 0, 0, []uint8{2, 8}[n%2], n%3, 4)
		f.sized(n)
		s.switchRx(f.bytes(&s.r, nil), &switchSide{port: port, in: n % s.params["NumPorts"], cls: cls, trimmable: true, ect: true, lastHop: n%3 == 0, id: uint32(n) << 8}, false, wait)
		if grant {
			s.grantPort(port, 1<<laneSwitchRx)
		}
	}
	add("latency/one-beat", "one packet of one beat, and a grant, with nothing else", func(s *switchScript) {
		for d := range 24 {
			send(s, 64, 0, d%3, false, WaitAll)
			s.gap(60)
			s.grantPort(0, 1<<laneSwitchRx)
			s.gap(d)
		}
	})
	add("length/each", "every number of beats to the longest that a slot takes, and beyond", func(s *switchScript) {
		for n := 64; n <= 9216; n += 64 * (1 + s.r.n(3)) {
			send(s, n-s.r.n(60), 0, 0, true, 0)
		}
		for n := 143; n < 148; n++ {
			f := goodFrame(0, false, 0)
			f.sized(300)
			f.pad = 64*n - 300
			s.switchRx(f.bytes(&s.r, nil), &switchSide{id: uint32(n)}, n == 144, 0)
			s.grantPort(0, 1<<laneSwitchRx)
		}
		s.switchDrain(1, 6)
	})
	add("buffer/full", "more packets than slots: rx waits until one leaves", func(s *switchScript) {
		slots := s.params["Slots"]
		for i := range slots {
			send(s, 64+i%200, i%s.params["NumPorts"], i%3, false, 0)
		}
		for i := range 2 * slots {
			send(s, 64+i%200, i%s.params["NumPorts"], i%3, false, 0)
			s.grantPort(i%s.params["NumPorts"], 0)
			s.grantPort((i+1)%s.params["NumPorts"], 0)
		}
		s.switchDrain(s.params["NumPorts"], slots/s.params["NumPorts"]+4)
	})
	add("drop/frees-slot", "what egress drops or refuses leaves its slot at once", func(s *switchScript) {
		s.egressReg(egress.RegDropLow, 100)
		s.egressReg(egress.RegTrimEn, 0)
		for i := range 3 * s.params["Slots"] {
			send(s, 90+i%100, pick(&s.r, 0, 0, 255), pick(&s.r, 0, 0, 3), false, 0)
		}
		s.switchDrain(1, 3)
	})
	add("trim/over-threshold", "packets above the threshold leave cut, rewritten and with telemetry where it is left", func(s *switchScript) {
		s.egressReg(egress.RegTrim, 600)
		s.egressReg(egress.RegTrimLasthop, 900)
		s.switchCfg(&switchport.Cfg{Target: switchport.TargetTrimmer, Kind: 3, Addr: 0, Data: 128}, 0)
		for i := range 120 {
			send(s, 100+7*i, 0, 0, false, 0)
			if i%2 == 0 {
				s.grantPort(0, 0)
			}
		}
		s.switchDrain(1, 66)
	})
	add("mark/over-threshold", "packets that leave a deep queue are marked", func(s *switchScript) {
		s.egressReg(egress.RegECNMode, 1)
		s.egressReg(egress.RegKDet, 300)
		for range 4 {
			for i := range min(12, s.params["Slots"]/2) {
				send(s, 100+13*i, 0, 0, false, 0)
			}
			s.switchDrain(1, 13)
		}
	})
	add("telemetry/queue", "the entry inserted says what is queued when the packet leaves", func(s *switchScript) {
		n := s.params["NumPorts"]
		for i := range 80 {
			send(s, 128+i*9, i%n, 2-i%3, i%4 != 0, 0)
			s.switchCfg(&switchport.Cfg{Target: switchport.TargetIntmd, Kind: uint8(intmd.KindEntryRead), Port: uint8(i % n)}, 0)
		}
		s.switchDrain(n, 24)
	})
	add("order/classes", "high before medium before low, several ports", func(s *switchScript) {
		n := s.params["NumPorts"]
		for i := range min(24, s.params["Slots"]-1) {
			send(s, 64+i, i%n, i%3, false, 0)
		}
		s.switchDrain(n, 26)
	})
	add("grants/empty-and-refused", "grants that find nothing, ports that are not there", func(s *switchScript) {
		n := s.params["NumPorts"]
		for i := range 60 {
			s.grantPort([]int{0, n - 1, n, 255}[i%4], 0)
			if i%5 == 0 {
				send(s, 70, n-1, 0, false, 0)
			}
		}
		s.switchDrain(n, 13)
	})
	add("cfg/access", "every target with every kind, among packets", func(s *switchScript) {
		for tgt := range 4 {
			for k := range 16 {
				for _, a := range []int{0, 4, 13, 31} {
					// Nothing that would stop packets for good: thresholds take 3 and the like.
					s.switchCfg(&switchport.Cfg{Target: switchport.Target(tgt), Kind: uint8(k), Addr: uint8(a), Data: 3}, 0)
				}
				send(s, 64+k, 0, 2, true, 0)
			}
		}
		s.switchDrain(1, 8)
	})
	add("cfg/held", "a response that waits at cfgr holds back the notes behind it, and the packets with them", func(s *switchScript) {
		for i := range 60 {
			s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindRead), Addr: uint8(i % 14)}, 0)
			send(s, 64+i, 0, i%3, true, 0)
		}
		// A response, then a packet and its grant by themselves, at every distance to the end of the wait.
		for i := range 40 {
			s.alone(func(wait uint8) {
				s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindRead), Addr: uint8(i % 14)}, wait)
			})
			send(s, 64+i, 0, i%3, true, 1<<laneSwitchCfg)
		}
		s.drive.StallMore = []Gate{{}, {}, Bursts(2, 40)}
		s.switchDrain(1, 8)
	})
	for i, g := range []struct {
		name        string
		idle, stall Gate
	}{{"stalls", Gate{}, Density(100)}, {"bursts", Gate{}, Bursts(20, 60)}, {"trickle", Gate{}, Density(220)}, {"idle", Density(160), Density(40)}} {
		add("ports/"+g.name, "packets of many lengths with waits at the ports", func(s *switchScript) {
			n := s.params["NumPorts"]
			for k := range 60 {
				send(s, 64+k*17+i, k%n, k%3, true, 0)
			}
			s.switchDrain(n, 20)
			s.gatesOf(3, 4, g.idle, g.stall)
		})
	}
	for k, name := range []string{"tx", "note", "gr", "cfgr"} {
		add("ports/"+name+"-held", "one output held back, the others free", func(s *switchScript) {
			n := s.params["NumPorts"]
			for i := range 70 {
				send(s, 64+i*11, i%n, i%3, true, 0)
				s.switchCfg(&switchport.Cfg{Target: switchport.Target(i % 3), Kind: 2, Addr: uint8(i % 14)}, 0)
			}
			s.switchDrain(n, 20)
			s.drive.StallMore = make([]Gate, 3)
			if k == 0 {
				s.drive.Stall = Bursts(6, 150)
			} else {
				s.drive.StallMore[k-1] = Bursts(6, 150)
			}
		})
	}
	for _, n := range []struct{ items, delay, low int }{{1, 0, 1}, {3, 1, 1}, {9, 0, 2}, {20, 6, 1}, {33, 14, 3}, {60, 25, 1}} {
		for _, held := range []bool{false, true} {
			name := fmt.Sprintf("reset/in-stream-%d-%d", n.items, n.delay)
			if held {
				name += "-held"
			}
			add(name, "a reset with packets everywhere leaves nothing", func(s *switchScript) {
				for i := range 24 {
					send(s, 64+40*i, i%s.params["NumPorts"], i%3, true, 0)
				}
				s.drive.Resets = append(s.drive.Resets, Reset{After: n.items, Delay: n.delay, Low: n.low})
				if held {
					s.gatesOf(3, 4, Gate{}, Bursts(1, 200))
				}
			})
		}
	}
	for _, d := range []string{"first", "middle", "done"} {
		add("reset/in-sweep-"+d, "a reset in mid-sweep starts it again", func(s *switchScript) {
			n := s.params["NumPorts"]
			s.drive.Resets = append(s.drive.Resets, Reset{Delay: map[string]int{"first": 1, "middle": n / 2, "done": n}[d], Low: 1})
			send(s, 100, 0, 0, true, 0)
		})
	}
	switchCorners(add)
	switchHeld(add)
	switchWide(add)
	switchBooked(add)
	switchResetCases(add)
	return out
}
