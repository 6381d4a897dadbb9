package ackgen

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/edge"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// bins are what is counted of packets.
type bins struct {
	edge.Bins
	verdicts, nacks, opened, causes, closes        cover.Sparse
	forms, answers, flags                          cover.Sparse
	distance, shift, sack, probes, ackOff, ooo     cover.Cross
	rcvd, pending, refuse, checksum                cover.Cross
	service, asking                                cover.Sparse
	pressure, found, free, pdcs, mprs, size, twins cover.Cross
	startOffset, arrived                           cover.Cross
}

var (
	kinds    = cover.Labels(kindNames)
	verdicts = cover.Labels("ACCEPTED DUPLICATE ASKED PROBED CLOSED REFUSED EARLY")
	codes    = []ackgen.NackCode{ackgen.NackCodeTrimmed, ackgen.NackCodeTrimmedLasthop, noPDC, ackgen.NackCodePSNOor,
		ackgen.NackCodeRodOoo, invalid, otherPDC, ackgen.NackCodeClosing, ackgen.NackCodePktNotRcvd, wrongMode, newStart}
	answers = cover.Labels("ACK ACK_CC NACK")
)

// placeCP is the place of a control packet in kinds.
const placeCP = 2

func (b *bins) define(p *cover.Plan) {
	yes := cover.YesNo
	b.Bins.Define(p, ownReasons)
	b.verdicts = p.AddSome("verdict_of", func(k, v, syn, _ int) bool {
		switch ackgen.Verdict(v + 1) {
		case ackgen.VerdictAccepted, ackgen.VerdictDuplicate:
			return k != placeCP
		case ackgen.VerdictRefused:
			return true
		case ackgen.VerdictEarly:
			return k == placeCP && syn == 1
		}
		return k == placeCP
	}, kinds, verdicts, yes)
	var names []string
	for _, c := range codes {
		names = append(names, c.String())
	}
	b.nacks = p.AddSome("nack_syn", func(i, cp, syn, _ int) bool {
		switch codes[i] {
		case noPDC:
			return cp == 0 && syn == 1
		case invalid, otherPDC:
			return syn == 0
		case newStart:
			return syn == 1
		case ackgen.NackCodePktNotRcvd:
			return cp == 1
		case wrongMode:
			return true
		}
		return cp == 0
	}, names, cover.Labels("data CP"), yes)
	b.opened = p.AddSome("opened_by", func(k, _, _, _ int) bool { return k != placeCP }, kinds,
		cover.Labels("accepted refused"))
	b.causes = p.AddSome("only_reason_to_acknowledge", func(i, syn, _, _ int) bool { return i != 3 || syn == 1 },
		cover.Labels("first ar ce syn trigger asked none"), yes)
	b.closes = p.AddSome("close", func(d, holes, _, _ int) bool { return d == 1 || holes == 0 || d == 2 },
		cover.Labels("below next above"), cover.Labels("nothing_beyond something_beyond"))
	b.distance = p.Add("distance", cover.Labels(`far_below below_32768 below_256 last next 1 2_to_62 63 64
		65_to_254 255 256 above far_above`))
	b.arrived = p.Add("arrived", cover.Labels("next_new next_seen beyond_new beyond_seen below"))
	b.mprs = p.Add("against_mpr", cover.Labels("last_inside first_outside"), cover.Labels("1 2_to_63 64_to_254 255"))
	b.shift = p.Add("window_moves_by", cover.Labels("0 1 2_to_31 32 33_to_63 64 65_to_127 128 129_to_254 255 256"))
	b.sack = p.Add("bitmap_begins", cover.Labels("next newest_less_63 probe probe_too_far newest_too_far"))
	b.probes = p.Add("bitmap_of_probe", cover.Labels("all_below ends_at_next across next inside across_end beyond"))
	b.ackOff = p.Add("ack_psn_offset", cover.Labels("beyond_below least negative zero positive"))
	b.ooo = p.Add("packets_out_of_order", cover.Labels("0 1 2_to_63 64_to_127 128_to_254 255_or_more"))
	b.rcvd = p.Add("rcvd_bytes", cover.Labels("whole_unit 1_over 255_over"), cover.Labels("small wraps other"))
	b.service = p.AddSome("service_time", func(v, phase, _, _ int) bool { return v < 4 || phase == 1 },
		cover.Labels("from_0 1 2_to_255 more saturated"), cover.Labels("phase_before phase_not_before"))
	b.pending = p.Add("pending", cover.Labels("below_trigger at_trigger above saturated"))
	b.asking = p.AddSome("asking", func(i, cp, _, _ int) bool { return i < askCleared-1 || cp == i-askCleared+1 },
		cover.Labels("set raised kept cleared out_of_range"), cover.Labels("data CP"))
	b.refuse = p.Add("host_refuses", cover.Labels("hole_accepted above_refused first_refused"))
	b.checksum = p.Add("answer_checksum", cover.Labels("ffff other"))
	b.forms = p.AddSome("answer_of", func(a, f, _, _ int) bool { return f > 0 }, answers, edge.Families, yes,
		cover.Numbers(0, 2))
	b.answers = p.AddSome("answer_to", func(a, v, _, _ int) bool {
		switch ackgen.Verdict(v + 1) {
		case ackgen.VerdictRefused:
			return a == 2
		case ackgen.VerdictEarly:
			return false
		case ackgen.VerdictAsked, ackgen.VerdictProbed:
			return a == 1
		}
		return a < 2
	}, answers, verdicts)
	b.flags = p.AddSome("flag_of_answer", func(a, f, on, _ int) bool {
		switch f {
		case 2: // p: only an ACK_CC answers a probe
			return a == 1 || on == 0
		case 3:
			return a < 2 || on == 0
		}
		return true
	}, answers, cover.Labels("m retx p want_close"), yes)
	b.pressure = p.Add("pressure", cover.Labels("none rc pend both"))
	b.found = p.Add("search_finds", cover.Labels("first last other"))
	b.free = p.Add("search_opens", cover.Labels("first last other"))
	b.twins = p.Add("pdcs_with_the_key", cover.Labels("1 more"))
	b.pdcs = p.Add("pdc", cover.Labels("first last other"), cover.Labels("syn dpdcid"))
	b.size = p.Add("size_against_min_add", cover.Labels("below at_or_above"))
	b.startOffset = p.Add("psn_offset_at_open", cover.Labels("0 small 4095"))
}

// job counts what became of a packet; c is its PDC afterwards, nil without one.
func (b *bins) job(hits cover.Hits, p *packet, j *job, c *pdc, regs []uint64, pdcs int) bool {
	bit := cover.Bit
	v, syn, control := int(j.ind.Verdict)-1, bit(p.syn), bit(p.kind == cp)
	if !b.verdicts.Hit(hits, p.place, v, syn, 0) {
		return false
	}
	if j.ind.Verdict == ackgen.VerdictRefused &&
		!b.nacks.Hit(hits, cover.Among(j.ind.NackCode, codes...), control, syn, 0) {
		return false
	}
	place := func() int {
		return [...]int{0, 1, 2}[cover.First(j.k == 0, j.k == pdcs-1)]
	}
	if j.ind.Opened {
		b.opened.Hit(hits, p.place, bit(j.ind.Verdict == ackgen.VerdictRefused), 0, 0)
		hits[b.free.At1(place())]++
		hits[b.startOffset.At1(cover.Band(p.psn-p.start, 1, 4095))]++
	} else if p.syn && j.k >= 0 {
		hits[b.found.At1(place())]++
		hits[b.twins.At1(bit(j.twins > 1))]++
	}
	if j.k >= 0 {
		hits[b.pdcs.At2(place(), 1-syn)]++
	}
	if j.answer.n > 0 {
		b.answer(hits, p, j, v, regs)
	}
	switch {
	case c == nil || j.ind.NackCode == newStart || j.ind.NackCode == wrongMode:
		return true
	case p.kind == cp && p.ctl == ctlClose:
		b.closes.Hit(hits, 1+bit(j.d > 0)-bit(j.d < 0), bit(j.seen > 0), 0, 0)
		return true
	case j.asking != askNone:
		b.asking.Hit(hits, j.asking-1, control, 0, 0)
	}
	if p.kind == cp {
		return true
	}
	mpr := int64(regs[ackgen.RegMpr])
	hits[b.distance.At1(cover.Band(j.d, -32768, -255, -1, 0, 1, 2, 63, 64, 65, 255, 256, 257, 1<<16))]++
	if at := j.d - mpr; at == -1 || at == 0 {
		hits[b.mprs.At2(int(at)+1, cover.Band(mpr, 2, 64, 255))]++
	}
	dup := j.ind.Verdict == ackgen.VerdictDuplicate
	at := 4
	if j.d >= 0 {
		at = 2*bit(j.d > 0) + bit(dup)
	}
	hits[b.arrived.At1(at)]++
	if j.ind.NackCode == ackgen.NackCodeClosing {
		hits[b.refuse.At1(2-bit(j.top > 0))]++
	}
	if j.ind.Verdict != ackgen.VerdictAccepted {
		return true
	}
	hits.If(c.refuse, b.refuse.At1(0))
	hits[b.shift.At1(cover.Band(j.shift, 1, 2, 32, 33, 64, 65, 128, 129, 255, 256))]++
	size := uint64(p.bytes) + regs[ackgen.RegNominal]
	hits[b.size.At1(bit(size >= regs[ackgen.RegMinAdd]))]++
	if n := bits.OnesCount(uint(j.cause)); n < 2 {
		at := causes
		if n == 1 {
			at = bits.TrailingZeros(uint(j.cause))
		}
		b.causes.Hit(hits, at, syn, 0, 0)
	}
	hits.If(j.full, b.pending.At1(3))
	if !j.full {
		hits[b.pending.At1(cover.Band(j.pending, regs[ackgen.RegTrigger], regs[ackgen.RegTrigger]+1))]++
	}
	return true
}

// answer counts an answer.
func (b *bins) answer(hits cover.Hits, p *packet, j *job, v int, regs []uint64) {
	bit := cover.Bit
	a := cover.Among(j.pdsType, typeAck, typeAckCC)
	b.answers.Hit(hits, a, v, 0, 0)
	b.forms.Hit(hits, a, p.Family, bit(p.Native), p.Tags)
	for i, f := range []uint8{0x20, 0x10, 0x08, 0x04} {
		b.flags.Hit(hits, a, i, bit(j.flags&f != 0), 0)
	}
	if !p.Native {
		hits[b.checksum.At1(bit(j.checksum != 0xffff))]++
	}
	if a == 2 {
		return
	}
	if p.kind != cp {
		hits[b.ackOff.At1([...]int{0, 1, 2, 3, 4}[cover.First(j.beyond, j.ackOff == -32768, j.ackOff < 0, j.ackOff == 0)])]++
	}
	if a == 0 {
		return
	}
	hits[b.sack.At1(j.sack)]++
	if j.sack == sackProbe {
		hits[b.probes.At1(cover.Band(j.base, -64, -63, 0, 1, 193, 256))]++
	}
	hits[b.ooo.At1(cover.Band(j.ooo, 1, 2, 64, 128, 255))]++
	if rest := cover.Among(j.rcvd&255, 0, 1, 255); rest < 3 {
		hits[b.rcvd.At2(rest, [...]int{0, 1, 2}[cover.First(j.rcvd < 1<<20, j.rcvd >= 1<<32-256)])]++
	}
	b.service.Hit(hits, cover.Band(j.elapsed, 1, 2, 256, 1<<16), bit(j.phase), 0, 0)
	pressure := regs[ackgen.RegPressure]
	hits[b.pressure.At1(bit(pressure&128 != 0)+2*bit(pressure&127 != 0))]++
}
