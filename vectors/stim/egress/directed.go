package egress

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
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

// plain sets every threshold out of reach, ECN off, strict priorities.
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

// apart lets earlier events take effect before those of the other stream.
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

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of egress are read. A packet has a handle of its own, and trim_size 64 where its line
// names none.
var language = casefile.Language{
	Block:   egress.Schema(),
	Answers: map[string]string{"enq": "enqr", "deq": "deqr"},
	Aliases: map[string]string{"packet": "ENQ", "grant": "deq"},
	Wait:    stim.WaitAll,
	Begin: func() func(head string, fields map[string]uint64) {
		id := uint32(1)
		return func(head string, fields map[string]uint64) {
			if head != "packet" {
				return
			}
			if _, ok := fields["trim_size"]; !ok {
				fields["trim_size"] = 64
			}
			fields["id"] = uint64(id)
			id += 0x01010101
		}
	},
}

var scenarios = casefile.Embedded(files, language.Read)

// cases returns the directed cases of egress. Those in Go sweep: every distance in time, every set of busy classes,
// draws by the hundred. Their answers are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*directed]{Scenarios: scenarios(),
		On: func(s *stim.Script) *directed { return &directed{script: &script{s}, id: 1, trimSize: 64} }}
	c.Text("order/causes")
	c.Text("sched/mode-0")
	pointerCase(c.Add, 0)
	for mode := 1; mode <= 2; mode++ {
		setsCase(c.Add, mode)
		pointerCase(c.Add, mode)
	}
	c.Text("sched/mode-3")
	pointerCase(c.Add, 3)
	c.Text("sched/quantum-below-packet")
	drawCases(c.Add)
	c.Text("empty/grants")
	sameCycleCases(c.Add)
	c.Text("same-cycle/two-queues")
	refusedCases(c.Add)
	c.Text("access/words")
	timingCases(c.Add)
	egressResetCases(c.Add)
	c.Text("wide/xon")
	productCases(c.Add)
	c.Text("pause/by-empty-port")
	passedCases(c.Add)
	c.Text("")
	return c.All
}

type adder func(name, doc string, write func(d *directed))

// setsCase grants every set of busy classes by a scheduler that keeps an account of each class.
func setsCase(add adder, mode int) {
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
}

// pointerCase grants from every pointer, with every deficit and set of busy classes.
func pointerCase(add adder, mode int) {
	about := "every pointer with every deficit and set of busy classes"
	add(fmt.Sprintf("sched/pointer-%d", mode), about, func(d *directed) {
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

// drawCases draw by the hundred.
func drawCases(add adder) {
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
}
