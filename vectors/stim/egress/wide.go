package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
)

// wideCases need the high bits of limits, sums and products, and pause requests that only an empty port moves.
func wideCases(add adder) {
	for _, l := range []struct {
		name  string
		reg   int
		cls   int
		flags string
		mode  uint32
	}{
		{"trim", egress.RegTrim, 0, "te", 0}, {"trim-lasthop", egress.RegTrimLasthop, 0, "teh", 0},
		{"drop-low", egress.RegDropLow, 0, "e", 0}, {"drop-medium", egress.RegDropMed, 1, "", 0},
		{"drop-high", egress.RegDropHigh, 2, "", 0},
		{"shared", egress.RegShared, 2, "", 0}, {"xoff", egress.RegXoff, 1, "", 0},
		{"k-det", egress.RegKDet, 0, "e", 1}, {"k-min", egress.RegKMin, 0, "e", 2},
		{"k-max", egress.RegKMax, 0, "e", 2},
	} {
		add("wide/"+l.name, "a limit with one high bit set, which a queue above its low bits does not reach", func(d *directed) {
			d.plain()
			d.cfg(egress.RegECNMode, l.mode)
			if l.name == "k-max" {
				d.cfg(egress.RegKMin, 0)
			}
			for bit := 15; bit < 32; bit++ {
				d.cfg(l.reg, 1<<bit|500)
				for range 3 {
					d.pkt(0, l.cls, 1000, l.flags)
				}
				for range 3 {
					d.grant(0)
				}
				d.apart()
			}
			d.all(0)
		})
	}
	add("wide/xon", "a pause that ends below an XON with one high bit set, by an enqueue and by a grant", func(d *directed) {
		d.plain()
		for bit := 15; bit < 32; bit++ {
			for _, grant := range []bool{false, true} {
				d.cfg(egress.RegXon, 0)
				d.cfg(egress.RegXoff, 2000)
				for range 3 {
					d.pkt(0, 1, 1000, "")
				}
				d.cfg(egress.RegXoff, noLimit)
				d.cfg(egress.RegXon, 1<<bit|500)
				if grant {
					d.grant(0)
				} else {
					d.pkt(0, 1, 10, "")
				}
				d.apart()
				d.read(0, 0, egress.WordDrrPtr)
				d.apart()
				for range 4 {
					d.grant(0)
				}
				d.apart()
			}
		}
	})
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
	add("pause/by-empty-port", "a pause request that a grant of an empty port moved is what later events find", func(d *directed) {
		d.plain()
		for _, cls := range []int{0, 1, 2} {
			for _, on := range []bool{true, false} {
				for _, read := range []bool{true, false} {
					// Empty, its request as the last event left it: off, or on by XOFF = 0.
					d.cfg(egress.RegXoff, noLimit)
					d.grant(0)
					d.apart()
					if on {
						d.cfg(egress.RegXoff, 0)
						d.apart()
						d.grant(0)
						d.apart()
						d.cfg(egress.RegXoff, noLimit)
						d.apart()
					} else {
						d.cfg(egress.RegXoff, 0)
						d.pkt(0, cls, 1, "")
						d.grant(0)
						d.apart()
						d.cfg(egress.RegXoff, noLimit)
						d.apart()
						d.grant(0)
						d.apart()
					}
					if read {
						d.read(0, 0, egress.WordDrrPtr)
						d.apart()
					}
					d.pkt(0, cls, 700, "") // above XON and below XOFF: as before
					d.apart()
					d.grant(0)
					d.apart()
				}
			}
		}
		d.all(0)
	})
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
	for bit := range 2 {
		add(fmt.Sprintf("wide/contents-%d", bit), "queues of the longest packets against limits around their content", func(d *directed) {
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
