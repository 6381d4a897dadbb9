package frame

import "github.com/goldwire/goldwire/cosim/cover"

// WideBins are bins for tags of every type and for lengths that need all their bits, in both blocks that walk headers.
type WideBins struct {
	tagTypes, ipEnd cover.Cross
}

func (b *WideBins) Define(p *cover.Plan) {
	b.tagTypes = p.Add("tag_types", tagKinds)
	b.ipEnd = p.Add("ip_end", cover.Labels(`beyond_65535_and_its_low_bits_in_the_frame
		in_the_frame_by_bit_15_of_its_length`), Families[1:])
}

// Sort looks at what was parsed of a frame of f bytes, as far as the block believes.
func (b *WideBins) Sort(hits cover.Hits, p *Packet, f int) {
	hits.If(p.kinds >= 0 && p.Family != NoFamily, b.tagTypes.At1(p.kinds))
	if p.reach == 0 {
		return
	}
	hits.If(p.reach > 65535 && p.reach&65535 <= f, b.ipEnd.At2(0, p.Family-1))
	hits.If(f>>15 == 1 && p.reach <= f && p.reach > f&32767, b.ipEnd.At2(1, p.Family-1))
}

// CarrySums are the sums of 16-bit words whose carry runs round twice, in either order of the bytes: the words
// add up to two or more times 65,535 and one more.
var CarrySums = cover.Labels("0x0001 0x0100")

// UDPSum adds up the words that the checksum of a datagram is over once its packet is trimmed to size bytes. A multiple
// of 0xffff comes out as 0 and is sent as 0xffff.
func UDPSum(head []byte, q *Packet, size int) int {
	n := size - q.UDP
	sum := 17 + 2*n
	from, to := q.IP+12, q.IP+20
	if q.Family == IPv6 {
		from, to = q.IP+8, q.IP+40
	}
	for i := from; i < to; i += 2 {
		sum += BE16(head, i)
	}
	for i := 0; i < n; i += 2 {
		switch {
		case i == 4 || i == 6:
		case i+1 < n:
			sum += BE16(head, q.UDP+i)
		default:
			sum += int(head[q.UDP+i]) << 8
		}
	}
	return sum
}
