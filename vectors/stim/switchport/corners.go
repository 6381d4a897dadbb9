package switchport

import (
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// switchLone sends a packet of that many bytes by itself.
func (s *script) switchLone(n int, side sideband) {
	f := frame.Good(0, false, 0)
	data := make([]byte, 0, 64)
	if n > 0 {
		f.Sized(n)
		data = f.Bytes(&s.Rand, nil)
		data = data[:min(n, len(data))]
	}
	s.Alone(func(wait uint8) { s.switchRx(data, &side, false, wait) })
}

func (s *script) loneGrant(port int) { s.Alone(func(wait uint8) { s.grantPort(port, wait) }) }

func (s *script) loneReg(addr int, v uint32) {
	s.Alone(func(wait uint8) { s.write(switchport.TargetEgress, addr, v, wait) })
}

// corners are about the shortest packets, holes in keep, and access among packets.
func corners(add func(name, doc string, write func(s *script))) {
	add("length/shortest", "packets of no byte and of a few", func(s *script) {
		for n := range 20 {
			for c := range 3 {
				s.switchLone(n, sideband{cls: c, trimmable: true, ect: true, id: uint32(n)})
			}
			s.loneGrant(0)
		}
		s.switchDrain(1, 42)
	})
	add("length/holes", "last beats whose keep has one zero, or zeros from one place on", func(s *script) {
		data := frameOfSize(s, 128)
		for k := range 65 {
			for _, keep := range []uint64{^uint64(0) &^ (1 << k), 1<<k - 1} {
				s.Beats(laneRx, 0, data, false, func(_ int, b *frame.Beat, words []uint64) {
					switchport.PackRx(&switchport.Rx{Data: b.Data, Keep: keep, Last: b.Last, Id: uint32(k)}, words)
				})
				s.grantPort(0, 1<<laneRx)
			}
		}
	})
	add("cfg/registers", "every register of every block inside is written and read, among packets", func(s *script) {
		for target, info := range registers() {
			for addr, v := range info {
				for _, kind := range []egress.Kind{egress.KindCfgRead, egress.KindCfgWrite, egress.KindCfgRead} {
					s.switchCfg(&switchport.Cfg{Target: switchport.Target(target), Kind: uint8(kind), Addr: uint8(addr),
						Data: v + uint32(kind&1)}, 0)
				}
				s.write(switchport.Target(target), addr, v, 0)
				s.granted(frameOfSize(s, 64+addr), &sideband{cls: addr % 3, trimmable: true, ect: true, id: v})
			}
		}
	})
}

// held are cases in which notes wait for long while grants, reads and new packets go on: no slot may go to another
// packet before the verdict of its packet was taken.
func held(add func(name, doc string, write func(s *script))) {
	add("note/held", "notes are held back for long while grants, reads and new packets go on", func(s *script) {
		n := s.Params["NumPorts"]
		for i := range 6 * max(8, min(s.Params["Slots"], 40)) {
			// Every handle is different. Some packets, of one beat or several, are dropped or refused, and reading the
			// others takes time.
			side := sideband{port: i % min(n, 2), in: i % n, cls: i % 3, trimmable: i%4 == 0, ect: true,
				id: 0xA5000000 + uint32(i)*0x10101}
			if i%13 == 12 {
				side.cls = 3
			}
			s.switchRx(frameOfSize(s, 64+(i%5)*(i%7)*30), &side, false, 0)
			s.grantPort(side.port, 1<<laneRx)
			if i%3 == 0 {
				s.grantPort((i+1)%n, 0)
			}
			if i%11 == 0 {
				s.switchCfg(&switchport.Cfg{Target: switchport.Target(i % 3), Kind: uint8(egress.KindCfgRead),
					Addr: uint8(i % 4)}, 0)
			}
		}
		s.switchDrain(n, 12)
		s.Drive.StallMore = []stim.Gate{stim.Bursts(3, 250)}
	})
}

// wide are cases in which the high bits of ports, hop counts and contents are used.
func wide(add func(name, doc string, write func(s *script))) {
	add("telemetry/hops", "hop counts up to the highest", func(s *script) {
		for _, h := range []int{3, 63, 64, 126, 127, 128, 191, 253, 254, 255} {
			f := frame.WithRoom(&s.Rand, 0, h%2 == 0, 0, 2, h, 255)
			s.granted(f.Bytes(&s.Rand, nil), &sideband{id: uint32(h)})
		}
	})
	add("length/longest", "packets of as many beats as a slot takes meet every verdict", func(s *script) {
		for _, side := range []sideband{{port: 255}, {cls: 3}, {cls: 2}, {trimmable: true}, {cls: 1}} {
			if side.trimmable {
				s.loneReg(egress.RegTrim, 100)
			} else if side.cls == 1 {
				s.loneReg(egress.RegDropMed, 100)
			}
			s.switchLone(64*switchport.SlotBeats, side)
			s.loneGrant(0)
		}
	})
	add("reset/rx-stopped", "a reset when every slot is taken and rx is stopped", func(s *script) {
		n := s.Params["Slots"] + 2 // with those in the FIFO
		for range n {
			s.switchRx(frameOfSize(s, 64), &sideband{cls: 2}, false, 0)
		}
		s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: s.Used, Delay: 20, Low: 1})
		s.switchRx(frameOfSize(s, 64), &sideband{cls: 2}, false, 0)
		s.grantPort(0, 1<<laneRx)
	})
	add("telemetry/in-port", "acknowledgements from every input port that the field can name", func(s *script) {
		for in := range 256 {
			f := frame.WithRoom(&s.Rand, 0, in%2 == 0, 0, []uint8{7, 8, 2}[in%3], 1, 4)
			s.granted(f.Bytes(&s.Rand, nil), &sideband{in: in, id: uint32(in)})
		}
	})
	about := "slots are taken, freed by drops and freed by packets that leave, all in one cycle; then every slot is used"
	add("buffer/freed-together", about, func(s *script) {
		n := s.Params["NumPorts"]
		slots := s.Params["Slots"]
		for round := range 3 {
			for i := range 300 {
				side := sideband{port: i % min(n, 2), cls: 2, id: uint32(i)}
				gone := s.Rand.One(3)
				if gone {
					side.cls = 3
				}
				s.switchRx(frameOfSize(s, 60), &side, false, 0)
				if !gone {
					s.grantPort(side.port, uint8(stim.Bit(i%7 == round))<<laneRx)
				}
			}
			s.switchDrain(n, 4)
			for i := range slots + 3 {
				s.switchRx(frameOfSize(s, 64), &sideband{port: i % n, cls: 1, id: uint32(i)}, false, 0)
			}
			s.grantPort(0, 0)
			s.Gap(2*slots + 60)
			s.switchDrain(n, slots/n+4)
		}
	})
	add("ports/each", "a packet of each class to every port there is", func(s *script) {
		for p := range s.Params["NumPorts"] {
			for c := range 3 {
				s.switchRx(frameOfSize(s, 80+p), &sideband{port: p, in: p, cls: c, id: uint32(p)}, false, 0)
				s.grantPort(p, 1<<laneRx)
			}
		}
	})
	add("buffer/deep", "the longest packets fill the buffer, all in the queues of one port", func(s *script) {
		last := s.Params["NumPorts"] - 1
		n := min(s.Params["Slots"]-1, s.Params["Depth"]-1, 40)
		for c := range 3 {
			s.egressReg(egress.RegDropLow+c, 1<<30)
		}
		for c := range 2 {
			for range n {
				s.switchRx(frameOfSize(s, 64*switchport.SlotBeats), &sideband{port: last, cls: 2 * c, ect: true}, false,
					0)
			}
			for range n + 1 {
				s.grantPort(last, 1<<laneRx)
			}
		}
	})
}

// frameOfSize is a good frame of that many bytes.
func frameOfSize(s *script, n int) []byte {
	f := frame.Good(0, false, 0).WithSize(n)
	return f.Bytes(&s.Rand, nil)
}

// registers returns the reset values of all registers by target and address.
func registers() (out [3][]uint32) {
	for target, b := range map[switchport.Target]*event.Block{switchport.TargetEgress: egress.Schema(),
		switchport.TargetTrimmer: trimmer.Schema(), switchport.TargetIntmd: intmd.Schema()} {
		out[target] = make([]uint32, len(b.Registers))
		for _, r := range b.Registers {
			out[target][r.Addr] = uint32(r.Reset)
		}
	}
	return out
}
