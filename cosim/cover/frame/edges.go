package frame

import (
	"slices"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
)

// Edges are bins for what meets at an edge: registers written about the release of a packet, headers that end a byte or
// two too early, lengths next to a carry, and episodes of many packets. Trimmer and intmd share them.
type Edges struct {
	write, length, zeros cover.Cross
	long                 cover.Long
	ends                 HeaderEnds

	at       []int // place of a register among those watched, -1 for none
	now      int64
	released int64 // cycle of the last release of a packet that the registers decide on
	written  int64 // cycle of the last write that changed a watched register
	reg      int   // and its place
}

// never is a cycle long before any other.
const never = -1 << 40

// Define adds the bins. Decisive are the names of the registers that decide at the release.
func (e *Edges) Define(p *cover.Plan, registers []event.Register, decisive string) {
	names := cover.Labels(decisive)
	e.at = make([]int, len(registers))
	for a := range e.at {
		e.at[a] = slices.Index(names, registers[a].Name)
	}
	e.write = p.Add("register_write_about_release", names, cover.Labels("cycle_before same_cycle cycle_after"))
	e.ends.Define(p)
	e.length = p.Add("ip_length_low_byte", cover.Labels("00 f8_to_ff other"), Families[1:])
	e.zeros = p.Add("ip_header_checksum", cover.Labels("0000 ffff"), cover.Labels("untouched rewritten"))
	e.long.Define(p, "packets_of_episode")
	e.Clear()
}

// Clear is what rst_n low does.
func (e *Edges) Clear() {
	e.released, e.written = never, never
	e.long.Clear()
}

// Step takes the next cycle.
func (e *Edges) Step() { e.now++ }

// Release sorts a packet that is released in this cycle, of which n bytes were parsed; decides is set where the
// registers decide what becomes of it.
func (e *Edges) Release(hits cover.Hits, p *Packet, n int, decides bool) {
	e.long.Count(hits)
	if decides {
		e.released = e.now
		hits.If(e.written == e.now-1, e.write.At2(e.reg, 0))
	}
	e.ends.Sort(hits, p, n)
	if p.Cause == causeNone && p.Family != NoFamily {
		low := p.ipLen & 255
		hits[e.length.At2(1+cover.Bit(low < 0xf8)-cover.Bit(low == 0)*2, p.Family-1)]++
	}
}

// Sum sorts a packet by its IPv4 header checksum, where that is one of the two zeros of its arithmetic.
func (e *Edges) Sum(hits cover.Hits, head []byte, p *Packet, rewritten bool) {
	if !p.HasIP || p.Family != IPv4 {
		return
	}
	zero := cover.Among(BE16(head, p.IP+10), 0, 0xffff)
	hits.If(zero < 2, e.zeros.At2(zero, cover.Bit(rewritten)))
}

// Write sorts a write in this cycle that gives a register another value.
func (e *Edges) Write(hits cover.Hits, addr int) {
	k := e.at[addr]
	if k < 0 {
		return
	}
	e.written, e.reg = e.now, k
	if d := e.now - e.released; d <= 1 {
		hits[e.write.At2(k, 1+int(d))]++
	}
}

// HeaderEnds are bins for frames that end with a header, or a byte or two before its end.
type HeaderEnds struct{ short, exact cover.Cross }

// Define adds the bins.
func (e *HeaderEnds) Define(p *cover.Plan) {
	kinds := cover.Labels("ipv4 ipv6 options")
	e.short = p.Add("headers_end_short_by", cover.Labels("1 2 3_or_more"), kinds, cover.Numbers(0, 2))
	e.exact = p.Add("frame_ends_with_headers", kinds, cover.Numbers(0, 2))
}

// Sort sorts a packet of which n bytes were parsed.
func (e *HeaderEnds) Sort(hits cover.Hits, p *Packet, n int) {
	switch {
	case p.Cause == CauseTruncated && p.Family != NoFamily && p.Why == whyNoIP:
		need := p.IP + 20*p.Family // 20 and 40 bytes
		hits[e.short.At3(min(need-n, 3)-1, p.Family-1, p.Tags)]++
	case p.Cause == CauseTruncated && p.Why == whyNoOptions:
		hits[e.short.At3(min(p.need-n, 3)-1, 2, p.Tags)]++
	}
	whole := p.HasIP && p.Cause != CauseTruncated // which it would be with a byte less
	hits.If(whole && p.Options > 0 && n == p.need, e.exact.At2(2, p.Tags))
	hits.If(whole && p.Options == 0 && n == p.IP+20*p.Family, e.exact.At2(p.Family-1, p.Tags))
}

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
