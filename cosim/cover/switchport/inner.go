package switchport

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// inner sorts what only the blocks inside the port compute, as it is reached through the port: sums whose carry runs
// round twice, deficits, limits of which the high bits decide; and ports of more bits than there are, and long
// episodes.
type inner struct {
	carry, deficit, high, portBit, long cover.Cross

	ends frame.HeaderEnds

	ports, lowest int // lowest bit of a port number that no port has
	packets       uint64
}

// Limits by their place among the bins of high bits.
const (
	highTrim   = 0 // and TRIM_LASTHOP
	highDrop   = 2 // low, medium, high
	highShared = 5 + iota - 2
	highKDet
	highKMin
	highKMax
	highXoff
	highXon
)

func (x *inner) define(p *cover.Plan, ports int) {
	for x.ports = ports; 1<<x.lowest < ports; {
		x.lowest++
	}
	x.ends.Define(p)
	x.carry = p.Add("udp_sum_trimmed", frame.CarrySums)
	x.deficit = p.Add("deficit_read", cover.Labels("0 below_2^16 from_2^16"))
	x.high = p.Add("limit_from_2^24_above_content_that_is_above_its_low_bits", cover.Labels(`TRIM TRIM_LASTHOP
		DROP_LOW DROP_MED DROP_HIGH SHARED K_DET K_MIN K_MAX XOFF XON`))
	x.portBit = p.Add("in_port_beyond_by_one_bit", cover.Numbers(x.lowest, 7))
	x.long = p.Add("packets_of_episode", cover.Labels("2^16 2^17"))
}

// note sorts a packet whose note is taken.
func (x *inner) note(hits []uint64, p *packet, trimmedTo int) {
	if x.packets++; x.packets >= 1<<16 {
		hits[x.long.At1(cover.Bit(x.packets >= 1<<17))]++
	}
	if z := &p.size; trimmedTo > 0 && trimmedTo == z.sumAt {
		if k := frame.Carries(z.sum); k >= 0 {
			hits[x.carry.At1(k)]++
		}
	}
	x.ends.Sort(hits, &p.size.q, p.size.seen)
	in := int(p.side.InPort)
	for k := x.lowest; k < 8; k++ {
		if in >= x.ports && in^1<<k < x.ports {
			hits[x.portBit.At1(k-x.lowest)]++
		}
	}
}

// far sorts a content against a limit whose bits from 24 on decide: without them it would be above.
func (x *inner) far(hits []uint64, limit int, content int64, value uint64) {
	if value >= 1<<24 && content > int64(value&(1<<24-1)) && content < int64(value) {
		hits[x.high.At1(limit)]++
	}
}

// read sorts a word of egress that is read.
func (x *inner) read(hits []uint64, addr uint8, data uint64) {
	if addr == egress.WordDeficit {
		hits[x.deficit.At1(cover.Bit(data > 0)+cover.Bit(data >= 1<<16))]++
	}
}
