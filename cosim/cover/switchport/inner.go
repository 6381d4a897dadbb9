package switchport

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/cosim/cover/queue"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// inner sorts what only the blocks inside the port compute, as it is reached through the port: sums whose carry runs
// round twice, deficits, limits of which the high bits decide; and ports of more bits than there are, and long
// episodes.
type inner struct {
	carry, deficit, portBit cover.Cross
	queue.High
	long cover.Long
	ends frame.HeaderEnds

	ports, lowest int // lowest bit of a port number that no port has
}

func (x *inner) define(p *cover.Plan, ports int) {
	for x.ports = ports; 1<<x.lowest < ports; {
		x.lowest++
	}
	x.ends.Define(p)
	x.carry = p.Add("udp_sum_trimmed", frame.CarrySums)
	x.deficit = p.Add("deficit_read", cover.Labels("0 below_2^16 from_2^16"))
	x.High.Define(p)
	x.portBit = p.Add("in_port_beyond_by_one_bit", cover.Numbers(x.lowest, 7))
	x.long.Define(p, "packets_of_episode")
}

func (x *inner) note(hits cover.Hits, p *packet, trimmedTo int) {
	x.long.Count(hits)
	frame.SortCarry(hits, &x.carry, trimmedTo > 0 && trimmedTo == p.size.sumAt, p.size.sum)
	x.ends.Sort(hits, &p.size.q, p.size.seen)
	in := int(p.side.InPort)
	for k := x.lowest; k < 8; k++ {
		hits.If(in >= x.ports && in^1<<k < x.ports, x.portBit.At1(k-x.lowest))
	}
}

func (x *inner) read(hits cover.Hits, addr uint8, data uint64) {
	hits.If(addr == egress.WordDeficit, x.deficit.At1(cover.Bit(data > 0)+cover.Bit(data >= 1<<16)))
}
