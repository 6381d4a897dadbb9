package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Values that keep a rule of egress out of a case.
const noLimit = 1<<32 - 1

// directed writes directed cases of egress: every event waits for the one before, unless said otherwise.
type directed struct {
	*script
	id       uint32
	trimSize uint16 // of the packets; 0: they cannot be trimmed
}

func (d *directed) cfg(addr int, v uint32) {
	d.enq(&egress.Enq{Kind: egress.KindCfgWrite, Addr: uint8(addr), Data: v}, stim.WaitAll)
}

// plain sets every threshold out of the way, ECN off, strict priorities.
func (d *directed) plain() {
	for _, a := range []int{egress.RegTrim, egress.RegTrimLasthop, egress.RegDropLow, egress.RegDropMed,
		egress.RegDropHigh, egress.RegShared,
		egress.RegKDet, egress.RegKMin, egress.RegKMax, egress.RegXoff, egress.RegXon} {
		d.cfg(a, noLimit)
	}
	d.cfg(egress.RegECNMode, 0)
	d.cfg(egress.RegXon, 0)
	d.cfg(egress.RegSched, uint32(egress.SchedStrict))
}

// pkt asks for a place for a packet.
func (d *directed) pkt(port, cls, length int, flags string) {
	d.pktWait(port, cls, length, flags, stim.WaitAll)
}

func (d *directed) pktWait(port, cls, length int, flags string, wait uint8) {
	ev := egress.Enq{Port: uint8(port), Cls: egress.Cls(cls), Len: uint16(length), TrimSize: d.trimSize, Id: d.id}
	d.id += 0x01010101
	for _, f := range flags {
		switch f {
		case 't':
			ev.Trimmable = true
		case 'e':
			ev.Ect = true
		case 'h':
			ev.LastHop = true
		}
	}
	d.enq(&ev, wait)
}

func (d *directed) grant(port int) { d.deq(port, stim.WaitAll) }

// apart lets the events before take effect, for those of the other stream.
func (d *directed) apart() { d.Gap(2 * egress.Stall) }

func (d *directed) load(port, cls, addr int, v uint32) {
	d.enq(&egress.Enq{Kind: egress.KindLoad, Port: uint8(port), Cls: egress.Cls(cls), Addr: uint8(addr), Data: v},
		stim.WaitAll)
}

func (d *directed) read(port, cls, addr int) {
	d.enq(&egress.Enq{Kind: egress.KindRead, Port: uint8(port), Cls: egress.Cls(cls), Addr: uint8(addr)}, stim.WaitAll)
}

// all reads every word of a port.
func (d *directed) all(port int) {
	for c := range egress.Classes {
		for a := range 10 {
			d.read(port, c, a)
		}
	}
	for a := 10; a < egress.NumWords; a++ {
		d.read(port, 0, a)
	}
}

// last is the highest port number.
func (d *directed) last() int { return d.Params["NumPorts"] - 1 }

// cases returns the directed cases of egress.
func cases() (out []stim.Case) {
	add := func(name, doc string, write func(d *directed)) {
		out = append(out, stim.Case{Name: name, About: doc,
			Write: func(s *stim.Script) { write(&directed{script: &script{s}, id: 1, trimSize: 64}) }})
	}
	thresholdCases(add)
	schedulerCases(add)
	stateCases(add)
	timingCases(add)
	wideCases(add)
	return out
}

type adder func(name, doc string, write func(d *directed))

// thresholdCases meet every threshold at two below, one below, exactly, one above and two above.
func thresholdCases(add adder) {
	for _, t := range []struct {
		name  string
		cls   int
		flags string
		reg   int
		mode  uint32
	}{
		{"trim", 0, "te", egress.RegTrim, 0}, {"trim-lasthop", 0, "teh", egress.RegTrimLasthop, 0},
		{"drop-low", 0, "e", egress.RegDropLow, 0}, {"drop-medium", 1, "t", egress.RegDropMed, 0},
		{"drop-high", 2, "th", egress.RegDropHigh, 0},
		{"shared-low", 0, "", egress.RegShared, 0}, {"shared-medium", 1, "", egress.RegShared, 0},
		{"shared-high", 2, "", egress.RegShared, 0},
		{"xoff", 1, "", egress.RegXoff, 0},
		{"k-det", 0, "e", egress.RegKDet, 1}, {"k-min", 0, "e", egress.RegKMin, 2},
		{"k-max", 0, "e", egress.RegKMax, 2},
	} {
		add("threshold/"+t.name, "a queue two below to two above the threshold", func(d *directed) {
			d.plain()
			d.cfg(egress.RegECNMode, t.mode)
			if t.name == "k-max" {
				d.cfg(egress.RegKMin, 1000)
			}
			for i, off := range []int{-2, -1, 0, 1, 2} {
				p := i * d.last() / 4
				d.cfg(t.reg, uint32(3000+off))
				// Admission and pause look at 3000 after the third packet, marking after the first grant.
				for range 3 {
					d.pkt(p, t.cls, 1000, t.flags)
				}
				d.pkt(p, t.cls, 1000, t.flags)
				for range 4 {
					d.grant(p)
				}
				d.grant(p)
				d.apart()
				d.all(p)
			}
		})
	}
	add("threshold/xon", "the pause ends exactly at XON", func(d *directed) {
		d.plain()
		for _, off := range []int{-1, 0, 1} {
			d.cfg(egress.RegXoff, 3000)
			d.cfg(egress.RegXon, uint32(1000+off))
			for range 3 {
				d.pkt(0, 2, 1000, "")
			}
			for range 4 {
				d.grant(0)
			}
		}
		// XON above XOFF: at or above XOFF wins.
		d.cfg(egress.RegXoff, 500)
		d.cfg(egress.RegXon, 5000)
		for range 2 {
			d.pkt(0, 1, 400, "")
		}
		for range 3 {
			d.grant(0)
		}
	})
	add("threshold/xoff-0", "a pause that an empty port asks for", func(d *directed) {
		d.plain()
		d.cfg(egress.RegXoff, 0)
		d.grant(0)
		d.read(0, 0, 11)
		d.grant(0)
		d.cfg(egress.RegXoff, 1)
		d.grant(0)
		d.read(0, 0, 11)
	})
	add("threshold/pause-moves", "thresholds that move under a queue act with the next event of the port", func(d *directed) {
		d.plain()
		for _, grant := range []bool{false, true} {
			d.pkt(0, 0, 500, "")
			d.pkt(0, 1, 500, "")
			d.cfg(egress.RegXoff, 400)
			d.read(0, 0, 11)
			if grant {
				d.grant(0)
			} else {
				d.pkt(0, 2, 0, "")
			}
			d.cfg(egress.RegXoff, noLimit)
			d.cfg(egress.RegXon, 5000)
			d.read(0, 0, 11)
			if grant {
				d.grant(0)
			} else {
				d.pkt(0, 2, 0, "")
			}
			d.read(0, 0, 11)
			d.cfg(egress.RegXon, 0)
			for range 4 {
				d.grant(0)
			}
		}
	})
	add("trim/size", "booked with trim_size, also where the packet is shorter; 0: dropped", func(d *directed) {
		d.plain()
		d.cfg(egress.RegTrim, 0)
		for _, size := range []uint16{0, 1, 64, 78, 256, 0x8000, 65535} {
			d.trimSize = size
			for _, n := range []int{0, 1, 63, 64, 65, 9216, 65535} {
				d.pkt(d.last(), 0, n, "t")
			}
			for range 7 {
				d.grant(d.last())
			}
		}
		d.all(d.last())
	})
	add("trim/off", "TRIM_EN, trimmable and class decide too", func(d *directed) {
		d.plain()
		d.cfg(egress.RegTrim, 0)
		d.cfg(egress.RegTrimLasthop, 0)
		for _, en := range []uint32{1, 0} {
			d.cfg(egress.RegTrimEn, en)
			for c := range 3 {
				for _, flags := range []string{"", "t", "h", "th"} {
					d.pkt(0, c, 200, flags)
					d.grant(0)
				}
			}
		}
		d.all(0)
	})
	for _, why := range []string{"limit", "shared", "full"} {
		add("trim/then-"+why, "a trimmed packet that is dropped counts in both rows", func(d *directed) {
			d.plain()
			d.cfg(egress.RegTrim, 0)
			switch why {
			case "limit":
				d.cfg(egress.RegDropMed, 63)
			case "shared":
				d.cfg(egress.RegShared, 63)
			default:
				d.trimSize = 1
				for range d.Params["Depth"] {
					d.pktWait(0, 1, 1, "", 0)
				}
			}
			d.pkt(0, 0, 500, "te")
			d.pkt(0, 0, 0, "te")
			d.all(0)
		})
	}
	add("trim/untrimmable", "due and without a trim_size: dropped, whatever the limits; not due: queued", func(d *directed) {
		d.plain()
		d.trimSize = 0
		d.cfg(egress.RegTrim, 400)
		d.cfg(egress.RegTrimLasthop, 600)
		for _, flags := range []string{"te", "teh"} {
			for _, n := range []int{0, 1, 399, 400, 401, 600, 601, 65535} {
				d.pkt(0, 0, n, flags)
				d.all(0)
				d.grant(0)
			}
		}
		for c := 1; c < 3; c++ { // of the other classes nothing is due
			d.pkt(0, c, 1000, "t")
			d.grant(0)
		}
		d.cfg(egress.RegTrimEn, 0)
		d.pkt(0, 0, 1000, "t")
		d.grant(0)
	})
	for _, why := range []string{"limit", "shared", "full"} {
		add("trim/untrimmable-before-"+why, "the cause is UNTRIMMABLE where another would do", func(d *directed) {
			d.plain()
			switch why {
			case "limit":
				d.cfg(egress.RegDropLow, 0)
			case "shared":
				d.cfg(egress.RegShared, 0)
			default:
				for range d.Params["Depth"] {
					d.pktWait(0, 0, 1, "", 0)
				}
			}
			d.cfg(egress.RegTrim, 0)
			d.trimSize = 0
			d.pkt(0, 0, 500, "te")
			d.cfg(egress.RegTrim, noLimit)
			d.pkt(0, 0, 500, "te")
			d.all(0)
		})
	}
	add("full/every-class", "a queue filled to Depth, one more, one out, one in", func(d *directed) {
		d.plain()
		for c := range 3 {
			for i := range d.Params["Depth"] + 2 {
				d.pktWait(d.last(), c, i%3, "", 0)
			}
			d.grant(d.last())
			d.pkt(d.last(), c, 1, "")
			d.pkt(d.last(), c, 1, "")
			d.all(d.last())
		}
	})
	add("shared/over-ports", "the shared limit counts all ports", func(d *directed) {
		d.plain()
		n := d.Params["NumPorts"]
		d.cfg(egress.RegShared, uint32(1000*n+1))
		for p := range n {
			d.pkt(p, p%3, 1000, "")
		}
		d.pkt(0, 2, 2, "")
		d.pkt(0, 2, 1, "")
		d.pkt(d.last(), 1, 1, "")
		for p := range n {
			d.grant(p)
			d.grant(p)
		}
		d.all(d.last())
	})
	add("shared/most", "every queue filled with the longest packets: over 2^31 bytes in a block of 4 ports and 4096 packets a queue", func(d *directed) {
		d.plain()
		for p := range d.Params["NumPorts"] {
			for c := range 3 {
				for range d.Params["Depth"] {
					d.pktWait(p, c, 65535, "", 0)
				}
			}
		}
		d.all(d.last())
		for p := range d.Params["NumPorts"] {
			d.grant(p)
		}
		d.all(d.last())
	})
	add("length/ends", "the shortest and the longest packet in every class", func(d *directed) {
		d.plain()
		for c := range 3 {
			for _, n := range []int{0, 1, 65535} {
				d.pkt(0, c, n, "te")
				d.grant(0)
			}
		}
		d.all(0)
	})
	add("order/causes", "limit before shared before full", func(d *directed) {
		d.plain()
		for range d.Params["Depth"] {
			d.pktWait(0, 0, 10, "", 0)
		}
		d.pkt(0, 0, 10, "")
		d.cfg(egress.RegShared, 0)
		d.pkt(0, 0, 10, "")
		d.cfg(egress.RegDropLow, 0)
		d.pkt(0, 0, 10, "")
		d.all(0)
	})
}

// schedulerCases are about grants.
func schedulerCases(add adder) {
	for mode := range 4 {
		add(fmt.Sprintf("sched/mode-%d", mode), "every set of busy classes", func(d *directed) {
			d.plain()
			d.cfg(egress.RegSched, uint32(mode))
			for _, q := range []uint32{1000, 0, 65535, 300} {
				d.cfg(egress.RegQuantumLow, q)
				d.cfg(egress.RegQuantumMed, 500)
				d.cfg(egress.RegQuantumHigh, 700)
				for set := range 8 {
					for c := range 3 {
						if set>>c&1 != 0 {
							for range 3 {
								d.pkt(d.last(), c, 400+100*c, "e")
							}
						}
					}
					for range 10 {
						d.grant(d.last())
					}
				}
				d.all(d.last())
			}
		})
		add(fmt.Sprintf("sched/pointer-%d", mode), "every pointer with every deficit and set of busy classes", func(d *directed) {
			d.plain()
			d.cfg(egress.RegSched, uint32(mode))
			for c := range 3 {
				d.cfg(egress.RegQuantumLow+c, uint32(900+c))
			}
			for ptr := range 3 {
				for set := 1; set < 8; set++ {
					for _, deficit := range []uint32{0, 499, 500, 501, 1<<24 - 1, 1<<24 - 900} {
						if set == 7 {
							// The class moved to comes out one below, at and one above its packet.
							d.cfg(egress.RegQuantumLow+(ptr+1)%3, 500-min(deficit, 501)%4+1)
						}
						for c := range 3 {
							if set>>c&1 != 0 {
								d.pkt(0, c, 500, "")
								d.pkt(0, c, 500, "")
							}
							d.load(0, c, 9, deficit)
						}
						d.load(0, 0, 11, uint32(ptr))
						d.grant(0)
						d.apart()
						for c := range 3 {
							d.read(0, c, 9)
						}
						d.read(0, 0, 11)
						for range 5 {
							d.grant(0)
						}
						d.apart()
					}
				}
			}
		})
	}
	add("sched/quantum-below-packet", "a packet longer than its quantum is served and leaves nothing", func(d *directed) {
		d.plain()
		d.cfg(egress.RegSched, 1)
		for c := range 3 {
			d.cfg(egress.RegQuantumLow+c, 100)
			for range 4 {
				d.pkt(0, c, 1500, "")
			}
		}
		for range 13 {
			d.grant(0)
		}
		d.all(0)
	})
	add("ecn/draws", "the first draws from every seed, all depths between K_MIN and K_MAX", func(d *directed) {
		d.plain()
		d.cfg(egress.RegECNMode, 2)
		d.cfg(egress.RegKMin, 0)
		for _, pm := range []uint32{0, 1, 32768, 65536, 131071} {
			d.cfg(egress.RegPMax, pm)
			for _, seed := range []uint32{1, 0, 0x80000000, 0x12345678} {
				d.cfg(egress.RegSeed, seed)
				n := min(d.Params["Depth"], 12)
				d.cfg(egress.RegKMax, uint32(100*n))
				for range n {
					d.pkt(d.last(), 0, 100, "e")
				}
				for range n {
					d.grant(d.last())
				}
				d.read(0, 0, 13)
			}
		}
		d.all(d.last())
	})
	add("ecn/not-capable", "no mark and no draw without ECT, in the other classes, or when off", func(d *directed) {
		d.plain()
		for _, mode := range []uint32{1, 2, 0, 3} {
			d.cfg(egress.RegECNMode, mode)
			d.cfg(egress.RegKDet, 0)
			d.cfg(egress.RegKMin, 0)
			d.cfg(egress.RegKMax, 1000)
			for c := range 3 {
				for _, flags := range []string{"", "e"} {
					d.pkt(0, c, 100, flags)
					d.pkt(0, c, 100, flags)
					d.grant(0)
					d.grant(0)
				}
			}
			d.read(0, 0, 13)
		}
	})
	add("ecn/kmax-not-above-kmin", "equal or crossed thresholds leave the first two lines", func(d *directed) {
		d.plain()
		d.cfg(egress.RegECNMode, 2)
		for _, k := range [][2]uint32{{200, 200}, {200, 100}, {199, 200}, {200, 201}} {
			d.cfg(egress.RegKMin, k[0])
			d.cfg(egress.RegKMax, k[1])
			for _, n := range []int{199, 200, 201} {
				d.pkt(0, 0, 50, "e")
				d.pkt(0, 0, n, "e")
				d.grant(0)
				d.grant(0)
			}
		}
		d.read(0, 0, 13)
	})
}
