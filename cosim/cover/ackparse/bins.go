package ackparse

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/edge"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
)

// bins are what is counted of packets.
type bins struct {
	edge.Bins
	passed, next, pdcids, short, ends                 cover.Sparse
	flags, ccTypes, ctlTypes                          cover.Cross
	offsets, wraps, bitmap, ackState, nackState, rest cover.Cross
	numbers                                           cover.Cross
}

var kindLabels = cover.Labels("ACK ACK_CC ACK_CCX NACK CP NACK_CCX")

// first is the PDS type of the first of kindLabels.
const first = int(ackparse.PdsTypeAck)

func (b *bins) define(p *cover.Plan) {
	yes := cover.YesNo
	b.Bins.Define(p, "TYPE SHORT CC_TYPE CTL_TYPE PDCID")
	b.passed = p.AddSome("passed_family_native", func(_, f, _, _ int) bool { return f > 0 },
		kindLabels, edge.Families, yes)
	b.next = p.AddSome("next_of", func(k, n, _, _ int) bool { return k != int(ackparse.PdsTypeCp)-first || n <= 9 },
		kindLabels, cover.Numbers(0, 15))
	b.flags = p.Add("flag_of", kindLabels, cover.Numbers(0, 6), yes)
	b.ccTypes = p.Add("cc_type_of_ack_cc", cover.Numbers(0, 15))
	b.ctlTypes = p.Add("ctl_type", cover.Numbers(0, 15))
	b.pdcids = p.AddSome("pdcid_0", func(int, int, int, int) bool { return true }, kindLabels,
		cover.Labels("none source destination both"))
	b.short = p.AddSome("short_by", func(int, int, int, int) bool { return true }, kindLabels, cover.Labels("1 2 more"))
	b.rest = p.Add("bytes_after_header", kindLabels, cover.Labels("0 1 2_or_more"))
	b.offsets = p.Add("signed_offset", cover.Labels("ack_psn sack_base"), cover.Labels("negative zero positive"))
	b.wraps = p.Add("offset_wraps", cover.Labels("ack_psn sack_base"), cover.Labels("below_0 beyond_32_bits"))
	b.bitmap = p.Add("only_byte_of_bitmap", cover.Numbers(0, 7))
	b.ackState = p.Add("ack_state_length", cover.Numbers(0, ackparse.MaxAckState))
	b.nackState = p.Add("nack_state_length", cover.Numbers(1, ackparse.MaxNackState))
	b.ends = p.AddSome("header_ends_in_beat", func(k, beat, _, _ int) bool {
		// The header begins at byte 38 to 90.
		least := [...]int{12, 32, 24, 16, 16, 17}[k]
		most := [...]int{12, 32, 24 + ackparse.MaxAckState, 16, 16, 16 + ackparse.MaxNackState}[k]
		return (38+least-1)/64 <= beat && beat <= (90+most-1)/64
	}, kindLabels, cover.Numbers(0, 2))
	b.numbers = p.Add("number_at_its_end", cover.Labels("mpr rcvd_bytes ooo service_time rcv_cwnd_pend credit psn"),
		cover.Labels("0 all_ones"))
}

// sort counts a packet that ends, with the bytes of its frame.
func (b *bins) sort(hits cover.Hits, p *packet, data []byte, regs []uint64) bool {
	if !b.Bins.Sort(hits, &p.Packet, data) {
		return false
	}
	if p.Reason != edge.Passed && p.Reason < short {
		return true
	}
	k := p.kind - first
	switch p.Reason {
	case short:
		b.short.Hit(hits, k, min(p.size-(p.End-p.PDS), 3)-1, 0, 0)
		return true
	case ccType:
		hits[b.ccTypes.At1(int(p.rec.CcType))]++
		return true
	case ctlType:
		hits[b.ctlTypes.At1(int(p.rec.Next))]++
		return true
	}
	b.pdcids.Hit(hits, k, cover.Bit(p.rec.Spdcid == 0)+2*cover.Bit(data[p.PDS+10]|data[p.PDS+11] == 0), 0, 0)
	if p.Reason != edge.Passed {
		return true
	}
	b.record(hits, p, data, k, regs)
	return true
}

// record counts a packet that gives a record.
func (b *bins) record(hits cover.Hits, p *packet, data []byte, k int, regs []uint64) {
	r := &p.rec
	b.passed.Hit(hits, k, p.Family, cover.Bit(p.Native), 0)
	b.next.Hit(hits, k, int(r.Next), 0, 0)
	for i := range 7 {
		hits[b.flags.At3(k, i, int(data[p.PDS+1]>>i&1))]++
	}
	hits[b.rest.At2(k, min(int(r.Rest), 2))]++
	b.ends.Hit(hits, k, (p.PDS+p.size-1)/64, 0, 0)
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
