package edge

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
)

// Bins are what is counted of packets below their PDS headers.
type Bins struct {
	reasons                    cover.Sparse
	places, options            cover.Cross
	sums, ipOff, udpOff, types cover.Cross
	wide                       frame.WideBins
	heads                      frame.HeaderEnds
}

// Families are the labels of Packet.Family.
var Families = cover.Labels("none ipv4 ipv6")

// Window is the number of bytes that hold every header.
const Window = 192

// Define adds the bins of a block whose own reasons follow those of this package.
func (b *Bins) Define(p *cover.Plan, own string) {
	yes := cover.YesNo
	b.reasons = p.AddSome("reason_family_tags", func(r, f, tags, _ int) bool {
		switch r {
		case truncated:
			return f != noFamily || tags < 2 // the type follows the second tag without a gap
		case ethertype:
			return f == noFamily
		case ipSum:
			return f == ipv4
		case extension:
			return f == IPv6
		}
		return f != noFamily
	}, cover.Labels(reasons+own), Families, cover.Numbers(0, 2))
	b.places = p.Add("place", places)
	b.types = p.Add("pds_type", cover.Numbers(0, 31))
	b.options = p.Add("option_words_native", cover.Numbers(0, 10), yes)
	b.sums = p.Add("udp_checksum_odd", cover.Labels("none_taken none_refused right ffff wrong"), yes)
	b.ipOff = p.Add("ip_sum_off_by_bit", cover.Numbers(0, 15))
	b.udpOff = p.Add("udp_sum_off_by_bit", cover.Numbers(0, 15))
	b.wide.Define(p)
	b.heads.Define(p)
}

// Sort counts a packet that ends, with the bytes of its frame. It reports whether the packet is one that can be.
func (b *Bins) Sort(hits cover.Hits, p *Packet, data []byte) bool {
	if !b.reasons.Hit(hits, p.Reason, p.Family, p.Tags, 0) {
		return false
	}
	n := min(len(data), Window)
	q := frame.Parse(data[:n], len(data), frame.AnyPort)
	b.wide.Sort(hits, &q, len(data))
	b.heads.Sort(hits, &q, n)
	one := func(c *cover.Cross, off uint16) {
		hits.If(bits.OnesCount16(off) == 1, c.At1(bits.TrailingZeros16(off)))
	}
	switch p.Reason {
	case truncated, wrongHeader, wrongLength:
		hits[b.places.At1(p.place)]++
	case ipSum:
		one(&b.ipOff, p.ipOff)
	case udpSum:
		one(&b.udpOff, p.udpOff)
	}
	if !p.Native && p.summed {
		at := [...]int{1, 0, 4, 3, 2}[cover.First(p.checksum == 0 && p.Reason == udpSum, p.checksum == 0, p.udpOff != 0,
			p.checksum == 0xffff)]
		hits[b.sums.At2(at, (p.End-p.Upper)&1)]++
	}
	if p.Reason == Passed || p.Reason >= Own {
		hits[b.types.At1(int(data[p.PDS]>>3))]++
		hits.If(p.Reason == Passed && p.Family == ipv4, b.options.At2(p.options, cover.Bit(p.Native)))
	}
	return true
}
