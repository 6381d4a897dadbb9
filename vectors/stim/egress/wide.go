package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
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
