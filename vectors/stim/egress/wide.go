package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
)

// productCases draw with products of all sizes.
func productCases(add adder) {
	add("wide/products", "draws whose products take all their bits", func(d *directed) {
		d.plain()
		d.cfg(egress.RegECNMode, uint32(egress.ECNModeProbabilistic))
		n := min(d.Params["Depth"], 60)
		for _, k := range [][2]uint32{{0, noLimit}, {1000, noLimit}, {0, 1 << 31}, {0, 1<<24 + 1}} {
			d.cfg(egress.RegKMin, k[0])
			d.cfg(egress.RegKMax, k[1])
			for _, p := range []uint32{131071, 65536, 3} {
				d.cfg(egress.RegPMax, p)
				for range n {
					d.pktWait(d.last(), 0, 65535, "e", 0)
				}
				for range n {
					d.grant(d.last())
				}
				d.apart()
			}
		}
		d.all(d.last())
	})
}

// passedCases need more packets than a text can list.
func passedCases(add adder) {
	add("wide/bytes-passed", "more than 2^32 bytes pass through one queue", func(d *directed) {
		d.plain()
		d.pkt(d.last(), 2, 65535, "")
		for range (1<<32)/65535 + 8 {
			d.pktWait(d.last(), 2, 65535, "", 0)
			d.Gap(1) // as often as one port is granted
			d.deq(d.last(), 0)
		}
		d.all(d.last())
		d.grant(d.last())
		d.grant(d.last())
	})
	add("marks/read-in-grant", "marks are read in every cycle while every grant counts one", func(d *directed) {
		d.plain()
		d.cfg(egress.RegECNMode, 1)
		d.cfg(egress.RegKDet, 0)
		n := min(d.Params["Depth"], 20)
		for round := range 6 {
			for range n {
				d.pkt(d.last(), 0, 100, "e")
			}
			d.grant(d.last())
			for range n {
				d.deq(d.last(), 0)
				for k := range 3 {
					port := d.last()
					if round >= 3 && k == 1 {
						port = 0 // whose marks these grants leave alone
					}
					d.enq(&egress.Enq{Kind: egress.KindRead, Port: uint8(port), Addr: uint8(egress.WordMarks)}, 0)
				}
			}
		}
	})
	for _, drr := range []int{0, 1} {
		about := "each word that grants update is read in their cycles, while the port changes from grant to grant"
		add(fmt.Sprintf("marks/read-beside-turns-%d", drr), about, func(d *directed) { d.readTurns(drr) })
	}
	add("admit/not-beside-grant", "packets that are not admitted, and refused events, in the cycle of a grant",
		func(d *directed) { d.notBeside() })
	for bit := range 2 {
		about := "queues of the longest packets against limits around their content"
		add(fmt.Sprintf("wide/contents-%d", bit), about, func(d *directed) {
			d.plain()
			n := min(d.Params["Depth"], 40)
			full := uint32(65535 * n)
			for off := range uint32(3) {
				for _, reg := range []int{egress.RegTrim, egress.RegDropLow, egress.RegShared, egress.RegXoff} {
					d.cfg(reg, full-1+off+uint32(bit)<<31)
					for range n {
						d.pktWait(0, 0, 65535, "t", 0)
					}
					d.cfg(reg, noLimit)
					for range n + 1 {
						d.grant(0)
					}
					d.apart()
				}
			}
			d.all(0)
		})
	}
}

// readTurns grants ports in turn while each word that grants update is read beside them: of the port granted, of the
// one before and of another.
func (d *directed) readTurns(drr int) {
	d.plain()
	d.cfg(egress.RegECNMode, uint32(egress.ECNModeProbabilistic))
	d.cfg(egress.RegKMin, 0)
	d.cfg(egress.RegKMax, 1<<20)
	d.cfg(egress.RegPMax, 131071)
	d.cfg(egress.RegSched, uint32(drr))
	n := d.Params["NumPorts"]
	used := min(n, 4)
	per := min(d.Params["Depth"], 30)
	words := []int{8, 13, 9, 11, 4, 5, 0, 1, 10, 12}
	for _, word := range words { // with nothing in the cycle before
		for p := range used {
			d.pktWait(p, 0, 4000, "e", 1<<laneEnq)
			d.pktWait(p, 0, 4000, "e", 1<<laneEnq)
		}
		for i := range 2 * used {
			d.deq(i%used, stim.WaitAll)
			d.Gap(2 * egress.Stall)
			d.read((i+i/used)%used, 0, word)
			d.Alike(2 * egress.Stall)
		}
	}
	for round := range 2 * len(words) {
		d.cfg(egress.RegECNMode, uint32(1+round%2)) // each grant marks, or draws
		d.cfg(egress.RegKDet, 0)
		for p := range used {
			for i := range per {
				cls := 0
				if drr == 1 && i%3 == 2 {
					cls = 1 + p%2
				}
				d.pktWait(p, cls, 4000+100*i, "e", 1<<laneEnq)
			}
		}
		d.apart()
		for i := range used * per {
			wait := uint8(0)
			if i == 0 {
				wait = stim.WaitAll
			}
			d.deq(i%used, wait)
			if i == 0 {
				d.Gap(2 * egress.Stall)
			}
			port := (i + []int{0, 0, used - 1, 1}[i/used%4]) % used
			d.read(port, i/used%2*(i%2)*drr, words[round/2])
			if i == 0 {
				d.Alike(2 * egress.Stall)
			} else {
				d.Items[d.Used-1].Wait = 0
			}
		}
		d.apart()
	}
	d.all(0)
}

// notBeside offers events that change nothing but a count beside grants of the same queue, the same port and another.
func (d *directed) notBeside() {
	n := d.Params["NumPorts"]
	per := min(d.Params["Depth"], 16)
	fill := func(cls int) {
		for i := range per {
			d.pktWait(i%min(n, 2), cls, 1000, "", 1<<laneEnq)
		}
		for range per - per/min(n, 2) {
			d.pktWait(0, cls, 1000, "", 1<<laneEnq)
		}
		for range per {
			d.pktWait(0, 1, 1000, "", 1<<laneEnq)
		}
	}
	for _, c := range []struct {
		reg   int
		limit uint32
		flags string
		trim  uint16
		kind  egress.Kind
	}{{egress.RegDropLow, 1000, "", 0, egress.KindEnq}, {egress.RegShared, 1000, "", 0, egress.KindEnq},
		{egress.RegTrim, 500, "t", 0, egress.KindEnq}, {egress.RegDropHigh, 0, "", 0, egress.Kind(7)},
		{egress.RegDropHigh, 0, "", 0, egress.KindEnq}} {
		for grant := range min(n, 2) {
			for _, cls := range []int{0, 1} { // of the packets that are not admitted
				d.plain()
				fill(0)
				if c.reg == egress.RegDropHigh && c.kind == egress.KindEnq {
					for range d.Params["Depth"] { // queues of the first port that are full of packets
						d.pktWait(0, 0, 1, "", 1<<laneEnq)
						d.pktWait(0, 1, 1, "", 1<<laneEnq)
					}
				}
				d.cfg(egress.RegSched, 1) // classes in turn
				d.cfg(c.reg, c.limit)
				if c.reg == egress.RegDropLow {
					d.cfg(egress.RegDropMed, c.limit)
				}
				d.apart()
				for i := range 8 {
					ev := egress.Enq{Kind: c.kind, Cls: egress.Cls(cls), Len: 1000, TrimSize: c.trim, Addr: 31,
						Trimmable: c.flags != ""}
					d.enq(&ev, stim.WaitAll)
					d.Gap(8)
					d.deq(grant, 0)
					d.Alike(8 + i%2)
				}
				d.plain()
				for range 4 * d.Params["Depth"] {
					d.pktWait(0, 3, 0, "", 0) // refused: the grants that empty the queues have company
					d.deq(0, 0)
				}
				for range d.Params["Depth"] {
					d.deq(min(1, n-1), 0)
				}
				d.apart()
			}
		}
	}
	d.all(0)
}
