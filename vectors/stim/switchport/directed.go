package switchport

import (
	"embed"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/switchport"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of switchport are read. Packets are noted in order of arrival, and leave by grants that
// find one.
var language = casefile.Language{
	Block:   switchport.Schema(),
	Answers: map[string]string{"rx": "note", "grant": "gr", "cfg": "cfgr"},
	Leaves:  casefile.Leave{Stream: "tx", By: "gr", Unless: []string{"empty", "refused"}},
	Aliases: map[string]string{"packet": "rx"},
	Register: func(name string) (head string, fields map[string]string, err error) {
		block, reg, _ := strings.Cut(name, ".")
		b := map[string]*event.Block{"egress": egress.Schema(), "trimmer": trimmer.Schema(), "intmd": intmd.Schema()}[block]
		if b == nil || b.Register(reg) == nil {
			return "", nil, fmt.Errorf("register %q: unknown; want BLOCK.NAME, as in egress.TRIM", name)
		}
		return "cfg", map[string]string{"target": strings.ToUpper(block), "addr": fmt.Sprint(b.Register(reg).Addr),
			"kind": fmt.Sprint(uint8(egress.KindCfgWrite))}, nil // the code is the same in all three
	},
	Send: func(sc *stim.Script, p *casefile.Packet) {
		on(sc).switchRx(p.Data, &sideband{port: int(p.Fields["port"]), in: int(p.Fields["in_port"]),
			cls: int(p.Fields["cls"]), trimmable: p.Is("trimmable"), ect: p.Is("ect"), lastHop: p.Is("last_hop"),
			id: uint32(p.Fields["id"])}, p.Empty, p.Wait)
	},
}

var scenarios = casefile.Embedded(files, language.Read)

// cases returns the directed cases of switchport. Those in Go draw what they send, sweep lengths and distances in time,
// or keep every stream busy at once; their answers are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on,
		Begin: func(s *script, _ string) { s.intMode(3) }, // telemetry in both sorts of packets
		End: func(s *script) {
			s.Drive.Relief = fabric.Relief(s.Drive.Relief, s.Params["NumPorts"])
			s.switchReadBack(min(s.Params["NumPorts"], 4))
		}}
	// send lists a good packet with telemetry, and then a grant for it where wanted.
	send := func(s *script, n, port, cls int, grant bool, wait uint8) {
		f := frame.WithRoom(&s.Rand, 0, n%2 == 0, 0, []uint8{2, 8}[n%2], n%3, 4).WithSize(n)
		s.switchRx(f.Bytes(&s.Rand, nil), &sideband{port: port, in: n % s.Params["NumPorts"], cls: cls, trimmable: true,
			ect: true, lastHop: n%3 == 0, id: uint32(n) << 8}, false, wait)
		if grant {
			s.grantPort(port, 1<<laneRx)
		}
	}
	c.Add("latency/one-beat", "one packet of one beat, and a grant, with nothing else", func(s *script) {
		for d := range 24 {
			send(s, 64, 0, d%3, false, stim.WaitAll)
			s.Gap(60)
			s.grantPort(0, 1<<laneRx)
			s.Gap(d)
		}
	})
	c.Add("length/each", "every number of beats to the longest that a slot takes, and beyond", func(s *script) {
		for n := 64; n <= 9216; n += 64 * (1 + s.Rand.N(3)) {
			send(s, n-s.Rand.N(60), 0, 0, true, 0)
		}
		for n := 143; n < 148; n++ {
			f := frame.Good(0, false, 0).WithSize(300)
			f.Pad = 64*n - 300
			s.switchRx(f.Bytes(&s.Rand, nil), &sideband{id: uint32(n)}, n == 144, 0)
			s.grantPort(0, 1<<laneRx)
		}
		s.switchDrain(1, 6)
	})
	c.Add("buffer/full", "more packets than slots: rx waits until one leaves", func(s *script) {
		slots := s.Params["Slots"]
		for i := range slots {
			send(s, 64+i%200, i%s.Params["NumPorts"], i%3, false, 0)
		}
		for i := range 2 * slots {
			send(s, 64+i%200, i%s.Params["NumPorts"], i%3, false, 0)
			s.grantPort(i%s.Params["NumPorts"], 0)
			s.grantPort((i+1)%s.Params["NumPorts"], 0)
		}
		s.switchDrain(s.Params["NumPorts"], slots/s.Params["NumPorts"]+4)
	})
	c.Add("drop/frees-slot", "what egress drops or refuses leaves its slot at once", func(s *script) {
		s.egressReg(egress.RegDropLow, 100)
		s.egressReg(egress.RegTrimEn, 0)
		for i := range 3 * s.Params["Slots"] {
			send(s, 90+i%100, stim.Pick(&s.Rand, 0, 0, 255), stim.Pick(&s.Rand, 0, 0, 3), false, 0)
		}
		s.switchDrain(1, 3)
	})
	about := "packets above the threshold leave cut, rewritten and with telemetry where it is left"
	c.Add("trim/over-threshold", about, func(s *script) {
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
	c.Add("mark/over-threshold", "packets that leave a deep queue are marked", func(s *script) {
		s.egressReg(egress.RegECNMode, 1)
		s.egressReg(egress.RegKDet, 300)
		for range 4 {
			for i := range min(12, s.Params["Slots"]/2) {
				send(s, 100+13*i, 0, 0, false, 0)
			}
			s.switchDrain(1, 13)
		}
	})
	c.Add("telemetry/queue", "the entry inserted says what is queued when the packet leaves", func(s *script) {
		n := s.Params["NumPorts"]
		for i := range 80 {
			send(s, 128+i*9, i%n, 2-i%3, i%4 != 0, 0)
			s.switchCfg(&switchport.Cfg{Target: switchport.TargetIntmd, Kind: uint8(intmd.KindEntryRead),
				Port: uint8(i % n)}, 0)
		}
		s.switchDrain(n, 24)
	})
	c.Add("order/classes", "high before medium before low, several ports", func(s *script) {
		n := s.Params["NumPorts"]
		for i := range min(24, s.Params["Slots"]-1) {
			send(s, 64+i, i%n, i%3, false, 0)
		}
		s.switchDrain(n, 26)
	})
	c.Add("grants/empty-and-refused", "grants that find nothing, ports that are not there", func(s *script) {
		n := s.Params["NumPorts"]
		for i := range 60 {
			s.grantPort([]int{0, n - 1, n, 255}[i%4], 0)
			if i%5 == 0 {
				send(s, 70, n-1, 0, false, 0)
			}
		}
		s.switchDrain(n, 13)
	})
	c.Add("cfg/access", "every target with every kind, among packets", func(s *script) {
		for tgt := range 4 {
			for k := range 16 {
				for _, a := range []int{0, 4, 13, 31} {
					// Nothing that would stop packets for good: thresholds take 3 and the like.
					s.switchCfg(&switchport.Cfg{Target: switchport.Target(tgt), Kind: uint8(k), Addr: uint8(a),
						Data: 3}, 0)
				}
				send(s, 64+k, 0, 2, true, 0)
			}
		}
		s.switchDrain(1, 8)
	})
	about = "a response that waits at cfgr holds back the notes behind it, and the packets with them"
	c.Add("cfg/held", about, func(s *script) {
		for i := range 60 {
			s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindRead),
				Addr: uint8(i % 14)}, 0)
			send(s, 64+i, 0, i%3, true, 0)
		}
		// A response, then a packet and its grant by themselves, at every distance to the end of the wait.
		for i := range 40 {
			s.Alone(func(wait uint8) {
				s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindRead),
					Addr: uint8(i % 14)}, wait)
			})
			send(s, 64+i, 0, i%3, true, 1<<laneCfg)
		}
		s.Drive.StallMore = []stim.Gate{{}, {}, stim.Bursts(2, 40)}
		s.switchDrain(1, 8)
	})
	for i, g := range []struct {
		name        string
		idle, stall stim.Gate
	}{{"stalls", stim.Gate{}, stim.Density(100)}, {"bursts", stim.Gate{}, stim.Bursts(20, 60)},
		{"trickle", stim.Gate{}, stim.Density(220)}, {"idle", stim.Density(160), stim.Density(40)}} {
		c.Add("ports/"+g.name, "packets of many lengths with waits at the ports", func(s *script) {
			n := s.Params["NumPorts"]
			for k := range 60 {
				send(s, 64+k*17+i, k%n, k%3, true, 0)
			}
			s.switchDrain(n, 20)
			s.Gates(3, 4, g.idle, g.stall)
		})
	}
	for k, name := range []string{"tx", "note", "gr", "cfgr"} {
		c.Add("ports/"+name+"-held", "one output held back, the others free", func(s *script) {
			n := s.Params["NumPorts"]
			for i := range 70 {
				send(s, 64+i*11, i%n, i%3, true, 0)
				s.switchCfg(&switchport.Cfg{Target: switchport.Target(i % 3), Kind: 2, Addr: uint8(i % 14)}, 0)
			}
			s.switchDrain(n, 20)
			s.Drive.StallMore = make([]stim.Gate, 3)
			if k == 0 {
				s.Drive.Stall = stim.Bursts(6, 150)
			} else {
				s.Drive.StallMore[k-1] = stim.Bursts(6, 150)
			}
		})
	}
	for _, n := range []struct{ items, delay, low int }{{1, 0, 1}, {3, 1, 1}, {9, 0, 2}, {20, 6, 1}, {33, 14, 3},
		{60, 25, 1}} {
		for _, held := range []bool{false, true} {
			name := fmt.Sprintf("reset/in-stream-%d-%d", n.items, n.delay)
			if held {
				name += "-held"
			}
			c.Add(name, "a reset with packets everywhere leaves nothing", func(s *script) {
				for i := range 24 {
					send(s, 64+40*i, i%s.Params["NumPorts"], i%3, true, 0)
				}
				s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: n.items, Delay: n.delay, Low: n.low})
				if held {
					s.Gates(3, 4, stim.Gate{}, stim.Bursts(1, 200))
				}
			})
		}
	}
	for _, d := range []string{"first", "middle", "done"} {
		c.Add("reset/in-sweep-"+d, "a reset in mid-sweep starts it again", func(s *script) {
			n := s.Params["NumPorts"]
			s.Drive.Resets = append(s.Drive.Resets,
				stim.Reset{Delay: map[string]int{"first": 1, "middle": n / 2, "done": n}[d], Low: 1})
			send(s, 100, 0, 0, true, 0)
		})
	}
	c.Text("threshold/mark")
	corners(c.Add)
	held(c.Add)
	c.Text("cfg/ports")
	wide(c.Add)
	edgeCases(c.Add)
	bookedFamilies(c.Add)
	c.Text("booked/one-beat")
	bookedPorts(c.Add)
	c.Text("booked/written-queued")
	bookedWrites(c.Add)
	c.Text("booked/not-copied")
	bookedRows(c.Add)
	c.Text("")
	resetCases(c.Add)
	return c.All
}
