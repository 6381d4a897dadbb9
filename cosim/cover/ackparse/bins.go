package ackparse

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
)

// bins are what is counted of packets.
type bins struct {
	reasons, passed, next, pdcids, short, ends        cover.Sparse
	places, types, flags, ccTypes, ctlTypes, options  cover.Cross
	offsets, wraps, bitmap, ackState, nackState, rest cover.Cross
	sums, ipOff, udpOff, numbers                      cover.Cross
	wide                                              frame.WideBins
	heads                                             frame.HeaderEnds
}

var (
	kindLabels = cover.Labels("ACK ACK_CC ACK_CCX NACK CP NACK_CCX")
	families   = cover.Labels("none ipv4 ipv6")
)

// first is the PDS type of the first of kindLabels.
const first = int(ackparse.PdsTypeAck)

func (b *bins) define(p *cover.Plan) {
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
			return f == ipv6
		}
		return f != noFamily
	}, reasons, families, cover.Numbers(0, 2))
	b.places = p.Add("place", places)
	b.passed = p.AddSome("passed_family_native", func(_, f, _, _ int) bool { return f != noFamily },
		kindLabels, families, yes)
	b.types = p.Add("pds_type", cover.Numbers(0, 31))
	b.next = p.AddSome("next_of", func(k, n, _, _ int) bool { return k != int(ackparse.PdsTypeCp)-first || n <= 9 },
		kindLabels, cover.Numbers(0, 15))
	b.flags = p.Add("flag_of", kindLabels, cover.Numbers(0, 6), yes)
	b.ccTypes = p.Add("cc_type_of_ack_cc", cover.Numbers(0, 15))
	b.ctlTypes = p.Add("ctl_type", cover.Numbers(0, 15))
	b.pdcids = p.AddSome("pdcid_0", func(int, int, int, int) bool { return true }, kindLabels,
		cover.Labels("none source destination both"))
	b.short = p.AddSome("short_by", func(int, int, int, int) bool { return true }, kindLabels, cover.Labels("1 2 more"))
	b.rest = p.Add("bytes_after_header", kindLabels, cover.Labels("0 1 2_or_more"))
	b.options = p.Add("option_words_native", cover.Numbers(0, 10), yes)
	b.offsets = p.Add("signed_offset", cover.Labels("ack_psn sack_base"), cover.Labels("negative zero positive"))
	b.wraps = p.Add("offset_wraps", cover.Labels("ack_psn sack_base"), cover.Labels("below_0 beyond_32_bits"))
	b.bitmap = p.Add("only_byte_of_bitmap", cover.Numbers(0, 7))
	b.ackState = p.Add("ack_state_length", cover.Numbers(0, ackparse.MaxAckState))
	b.nackState = p.Add("nack_state_length", cover.Numbers(1, ackparse.MaxNackState))
	b.sums = p.Add("udp_checksum_odd", cover.Labels("none_taken none_refused right ffff wrong"), yes)
	b.ipOff = p.Add("ip_sum_off_by_bit", cover.Numbers(0, 15))
	b.udpOff = p.Add("udp_sum_off_by_bit", cover.Numbers(0, 15))
	b.ends = p.AddSome("header_ends_in_beat", func(k, beat, _, _ int) bool {
		// The header begins at byte 38 to 90.
		least := [...]int{12, 32, 24, 16, 16, 17}[k]
		most := [...]int{12, 32, 24 + ackparse.MaxAckState, 16, 16, 16 + ackparse.MaxNackState}[k]
		return (38+least-1)/64 <= beat && beat <= (90+most-1)/64
	}, kindLabels, cover.Numbers(0, 2))
	b.numbers = p.Add("number_at_its_end", cover.Labels("mpr rcvd_bytes ooo service_time rcv_cwnd_pend credit psn"),
		cover.Labels("0 all_ones"))
	b.wide.Define(p)
	b.heads.Define(p)
}

// sort counts a packet that ends, with the bytes of its frame.
func (b *bins) sort(hits cover.Hits, p *packet, data []byte, regs []uint64) bool {
	if !b.reasons.Hit(hits, p.reason, p.family, p.tags, 0) {
		return false
	}
	n := min(len(data), ackparse.Window)
	q := frame.Parse(data[:n], len(data), frame.AnyPort)
	b.wide.Sort(hits, &q, len(data))
	b.heads.Sort(hits, &q, n)
	one := func(c *cover.Cross, off uint16) {
		hits.If(bits.OnesCount16(off) == 1, c.At1(bits.TrailingZeros16(off)))
	}
	switch p.reason {
	case truncated, wrongHeader, wrongLength:
		hits[b.places.At1(p.place)]++
	case ipSum:
		one(&b.ipOff, p.ipOff)
	case udpSum:
		one(&b.udpOff, p.udpOff)
	}
	if !p.native && p.summed {
		at := [...]int{1, 0, 4, 3, 2}[cover.First(p.checksum == 0 && p.reason == udpSum, p.checksum == 0, p.udpOff != 0,
			p.checksum == 0xffff)]
		hits[b.sums.At2(at, p.length&1)]++
	}
	if p.reason != passed && p.reason < otherType {
		return true
	}
	hits[b.types.At1(p.kind)]++
	if p.reason == otherType {
		return true
	}
	k := p.kind - first
	switch p.reason {
	case short:
		b.short.Hit(hits, k, min(p.size-(p.end-p.pds), 3)-1, 0, 0)
		return true
	case ccType:
		hits[b.ccTypes.At1(int(p.rec.CcType))]++
		return true
	case ctlType:
		hits[b.ctlTypes.At1(int(p.rec.Next))]++
		return true
	}
	b.pdcids.Hit(hits, k, cover.Bit(p.rec.Spdcid == 0)+2*cover.Bit(data[p.pds+10]|data[p.pds+11] == 0), 0, 0)
	if p.reason != passed {
		return true
	}
	b.record(hits, p, data, k, regs)
	return true
}

// record counts a packet that gives a record.
func (b *bins) record(hits cover.Hits, p *packet, data []byte, k int, regs []uint64) {
	r := &p.rec
	b.passed.Hit(hits, k, p.family, cover.Bit(p.native), 0)
	b.next.Hit(hits, k, int(r.Next), 0, 0)
	for i := range 7 {
		hits[b.flags.At3(k, i, int(data[p.pds+1]>>i&1))]++
	}
	hits[b.rest.At2(k, min(int(r.Rest), 2))]++
	hits.If(p.family == ipv4, b.options.At2(p.options, cover.Bit(p.native)))
	b.ends.Hit(hits, k, (p.pds+p.size-1)/64, 0, 0)
	ends := func(i int, v, all uint32) {
		hits.If(v == 0, b.numbers.At2(i, 0))
		hits.If(v == all, b.numbers.At2(i, 1))
	}
	ends(6, r.PSN, 1<<32-1)
	signed := func(i int, sum uint32) {
		d := int32(sum - r.PSN)
		hits[b.offsets.At2(i, 1+cover.Bit(d > 0)-cover.Bit(d < 0))]++
		hits.If(d < 0 && sum > r.PSN, b.wraps.At2(i, 0))
		hits.If(d > 0 && sum < r.PSN, b.wraps.At2(i, 1))
	}
	if r.PdsType <= ackparse.PdsTypeAckCcx && !r.Probe {
		signed(0, r.AckPSN)
	}
	switch r.PdsType {
	case ackparse.PdsTypeCp:
		hits[b.ctlTypes.At1(int(r.Next))]++
		return
	case ackparse.PdsTypeNackCcx:
		hits[b.nackState.At1(int(regs[ackparse.RegNackState])-1)]++
		return
	case ackparse.PdsTypeAck, ackparse.PdsTypeNack:
		return
	}
	signed(1, r.SackBase)
	low, high := bits.TrailingZeros64(r.SackBitmap)/8, (bits.Len64(r.SackBitmap)-1)/8
	hits.If(r.SackBitmap != 0 && low == high, b.bitmap.At1(min(low, 7)))
	ends(0, uint32(r.Mpr), 255)
	if r.PdsType == ackparse.PdsTypeAckCcx {
		hits[b.ackState.At1(int(regs[ackparse.RegAckState]))]++
		return
	}
	hits[b.ccTypes.At1(int(r.CcType))]++
	ends(2, uint32(r.Ooo), 0xffff)
	if r.CcType == 1 {
		ends(5, r.Credit, 1<<24-1)
		return
	}
	ends(1, r.RcvdBytes, 1<<24-1)
	ends(3, uint32(r.ServiceTime), 0xffff)
	ends(4, uint32(r.RcvCwndPend), 127)
}

// flow are the bins of beats, records and writes.
type flow struct {
	level, beats, last, write cover.Cross
	at                        struct {
		CreditsOut, FullRate, RecordEachCycle, ResetInPacket, ResetWithRecords, EmptyTail, DropsBetween int
	}
	long cover.Long
}

func (f *flow) define(p *cover.Plan, registers []event.Register) {
	var names []string
	for _, r := range registers {
		names = append(names, r.Name)
	}
	f.level = p.Add("credits_in_use", cover.Numbers(0, ackparse.Credits))
	f.beats = p.Add("beats_of_packet", cover.Labels("1 2 3 4 5 6_to_15 16_or_more"), cover.Labels("dropped passed"))
	f.last = p.Add("bytes_of_last_beat", cover.Numbers(0, 64), cover.Labels("dropped passed"))
	f.write = p.Add("register_write_about_end", names, cover.Labels("cycle_before same_cycle cycle_after"))
	p.Places("beats", cover.Labels(`credits_out 64_beats_in_a_row record_in_16_cycles_in_a_row reset_in_packet
		reset_with_records last_beat_without_bytes credits_out_with_dropped_packets_under_way`), &f.at)
	f.long.Define(p, "packets_of_episode")
}
