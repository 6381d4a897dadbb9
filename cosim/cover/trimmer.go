package cover

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// trimmerCoverage is how trimmer is covered.
var trimmerCoverage = Block{Schema: trimmer.Schema, Watcher: func() Watcher { return &trimmerWatch{} }}

// trimmerPacket is a packet on its way through the trimmer.
type trimmerPacket struct {
	head     [4 * 64]byte
	n        int // bytes of head that are there
	beats    int // accepted
	last     int // bytes of its last beat
	side     trimmer.Rx
	p        parsed
	cause    int
	trimmed  bool
	marked   bool
	size     int // T
	retained int // beats put out
}

// trimmerWatch follows packets and registers and sorts every packet when it is released.
type trimmerWatch struct {
	streams
	disagreement
	beatBins flowBins
	wideBins wideBins
	flow     beatFlow
	cfg      cfgFlow
	regs     [trimmer.NumRegs]uint64
	counts   [trimmer.NumWords]uint32
	inc      [trimmer.NumWords]uint32 // of this cycle; all 0 between cycles
	packets  []trimmerPacket          // in the block
	first    int                      // number of packets[0] since the last reset
	count    int                      // packets begun
	inside   bool                     // rx is in mid-packet
	taken    int                      // packets seen to the end at tx
	reads    []uint32                 // expected data of cfg events not answered
	gap      int                      // cycles since the last beat of a trimmed packet was accepted

	rxEnd beatEnd
	rx    trimmer.Rx
	tx    trimmer.Tx
	cev   trimmer.Cfg
	crsp  trimmer.Cfgr

	reason, types, t, source, align, short cross
	marks, checksum, options, follow       cross
	kinds, refused, wrap, loadOnCount      cross
	carry, told, toldPort                  cross
	causes, trims, access                  sparse
}

func (w *trimmerWatch) define(p *plan, b *event.Block, _ map[string]int) {
	w.rxEnd = newBeatEnd(event.NewLayout(b), "rx")
	w.streams.define(p, b, 1)
	w.flow = beatFlow{headBeats: trimmer.HeadBeats, release: trimmer.Release, store: trimmer.Store, out: trimmer.Out}
	w.beatBins.define(p, words("trimmed untouched"), trimmer.Store, trimmer.Out)
	yes := yesNo
	w.causes = p.addSome("cause_family_tags", func(c, f, tags, _ int) bool {
		if c == 0 || c >= trimmerType {
			return f != famNone
		}
		return causeOfFamily(c, f) && (f != famNone || c == codeEthertype || tags < 2)
	}, trimmerCauses, familyNames, numbers(0, 2))
	w.reason = p.add("reason", failureNames)
	w.trims = p.addSome("trimmed_family_tags_last_hop", func(f, _, _, _ int) bool { return f != famNone }, familyNames, numbers(0, 2), yes)
	w.types = p.add("uet_type_trimmed", numbers(0, 31))
	w.source = p.add("trim_size_from", words("TRIM_SIZE MIN_SIZE headers told"))
	w.told = p.add("told_size_against_headers_trimmed", words("below at above 256 beyond_256"), yes)
	w.toldPort = p.add("told_size_trims", words("packet_to_another_port"))
	w.align = p.add("bytes_of_last_beat_put_out", numbers(1, 64))
	w.t = p.add("beats_put_out_of_trimmed", numbers(1, 4))
	w.short = p.add("threshold_trim_size_against_packet", sides)
	w.options = p.add("option_words_trimmed", numbers(0, 10))
	w.marks = p.add("ecn_ce_trimmed", numbers(0, 3), yes, yes)
	w.checksum = p.add("udp_checksum_trimmed_odd", words("stays_0 computed comes_out_0"), words("even odd"))
	w.carry = p.add("udp_sum_trimmed", carrySums)
	w.wideBins.define(p)
	w.follow = p.add("packet_right_after_trimmed", words("trimmed untouched"))
	w.kinds = p.add("cfg_kind", numbers(0, 15))
	w.access = p.addSome("cfg_address", func(k, a, _, _ int) bool { return k < 2 || a < trimmer.NumRegs }, words("LOAD READ CFG_WRITE CFG_READ"), numbers(0, 13))
	w.refused = p.add("cfg_refused", words("kind register counter value"))
	w.wrap = p.add("counter_wraps", numbers(0, 13))
	w.loadOnCount = p.add("counter_load_in_cycle_of_count", yes)
	w.clear()
}

func (w *trimmerWatch) clear() {
	w.flow.clear()
	w.cfg.clear()
	for a := range w.regs {
		w.regs[a] = trimmer.RegInfo[a].Reset
	}
	w.counts = [trimmer.NumWords]uint32{}
	w.packets, w.first, w.count, w.inside, w.taken = w.packets[:0], 0, 0, false, 0
	w.reads, w.gap = w.reads[:0], 1<<20
}

func (w *trimmerWatch) reset(hits, _ []uint64) {
	if !w.streams.inReset() {
		w.beatBins.reset(hits, &w.flow)
	}
	w.streams.reset(hits)
	w.clear()
}

// Streams of the trimmer in the order of streams.all.
const (
	trimmerRx = iota
	trimmerCfg
	trimmerTx
	trimmerCfgr
)

func (w *trimmerWatch) packet(n int) *trimmerPacket { return &w.packets[n-w.first] }

func (w *trimmerWatch) cycle(hits []uint64, in, out []uint64) {
	w.streams.cycle(hits, in, out)
	s := w.flow.step()
	w.beatBins.cycle(hits, &w.flow, s, w.moved(trimmerRx))
	if s.released {
		b := w.flow.beat(s.issued)
		w.decide(hits, w.packet(b.packet), b.last)
	}
	inc := &w.inc
	counted, pushed := false, false
	if s.popped >= 0 {
		b := w.flow.beat(s.popped)
		p := w.packet(b.packet)
		pushed = !p.trimmed || b.index < p.retained
		if b.index == 0 {
			countTrimmer(p, inc)
			counted = true
		}
	}
	if counted || w.cfg.waits() {
		w.configure(hits, inc)
		*inc = [trimmer.NumWords]uint32{}
	}
	w.flow.finish(s, pushed, false, w.moved(trimmerTx))
	if w.moved(trimmerRx) {
		w.accept(hits, in)
	}
	if ev := w.cfg.finish(in, w.moved(trimmerCfg), w.moved(trimmerCfgr)); ev != nil {
		w.answer(hits, ev, out)
	}
	if w.moved(trimmerTx) {
		w.take(hits, out)
	}
	w.gap++
}

// accept notes a beat.
func (w *trimmerWatch) accept(hits []uint64, in []uint64) {
	if w.inside && w.packet(w.count-1).beats >= 4 {
		w.rx.Keep, w.rx.Last = w.rxEnd.read(in) // nobody looks at the rest
	} else {
		trimmer.UnpackRx(in, &w.rx)
	}
	if !w.inside {
		w.packets = append(w.packets, trimmerPacket{side: w.rx})
		w.count++
		if w.gap == 1 {
			hits[w.follow.at1(b2i(!w.rx.Trim))]++
		}
	}
	p := w.packet(w.count - 1)
	n := 64
	if w.rx.Last {
		n = onesBelow(w.rx.Keep)
		p.last = n
	}
	if p.beats < 4 {
		for k := range 8 {
			binary.LittleEndian.PutUint64(p.head[64*p.beats+8*k:], w.rx.Data[k])
		}
		p.n = 64*p.beats + n
	}
	p.beats++
	w.flow.accept(w.count-1, w.rx.Last)
	if w.inside = !w.rx.Last; w.rx.Last && p.side.Trim {
		w.gap = 0
	}
}

// decide is the block's decision, with the registers of this cycle.
func (w *trimmerWatch) decide(hits []uint64, p *trimmerPacket, whole bool) {
	f := p.n
	if !whole {
		f = int(p.side.Len)
	}
	told, port := int(p.side.TrimSize), int(w.regs[trimmer.RegUdpPort])
	if told > 0 {
		port = anyPort
	}
	p.p = parse(p.head[:p.n], f, port)
	q := &p.p
	w.wideBins.sort(hits, q, f)
	ecn := q.class & 3
	p.marked = p.side.Ce && q.ipOK && (ecn == 1 || ecn == 2)
	size := max(int(w.regs[trimmer.RegTrimSize]), int(w.regs[trimmer.RegMinSize]))
	if told > 0 {
		size = min(told, trimmer.MaxTrim)
	}
	if size, p.cause = q.cut(size); !p.side.Trim {
		p.cause = 0
	} else if size > 0 {
		hits[w.short.at1(side(int64(size), int64(q.end)))]++
		p.trimmed = p.cause == 0
	}
	if q.ipOK {
		hits[w.marks.at3(int(ecn), b2i(p.side.Ce), b2i(p.trimmed))]++
	}
	if !p.side.Trim {
		return
	}
	if !w.causes.hit(hits, p.cause, q.family, q.tags, 0) {
		w.disagree()
	}
	if p.cause == codeTruncated || p.cause == codeHeader || p.cause == codeLength {
		hits[w.reason.at1(q.why)]++
	}
	if q.cause == 0 {
		hits[w.types.at1(q.kind)]++
		if told > 0 {
			hits[w.told.at2(toldClass(told, q.h+trimmer.UetMin), b2i(p.trimmed))]++
		}
	}
	if !p.trimmed {
		return
	}
	if told > 0 && be16(p.head[:], q.h+2) != int(w.regs[trimmer.RegUdpPort]) {
		hits[w.toldPort.at1(0)]++
	}
	p.size, p.retained = size, (size+63)/64
	w.trims.hit(hits, q.family, q.tags, b2i(p.side.LastHop), 0)
	switch {
	case told > 0:
		hits[w.source.at1(3)]++
	case size == int(w.regs[trimmer.RegTrimSize]):
		hits[w.source.at1(0)]++
	case size == int(w.regs[trimmer.RegMinSize]):
		hits[w.source.at1(1)]++
	default:
		hits[w.source.at1(2)]++
	}
	hits[w.align.at1((size+63)%64)]++
	hits[w.t.at1(p.retained-1)]++
	if q.family == famIPv4 {
		hits[w.options.at1(q.words)]++
	}
	odd := (size - q.h) & 1
	sum := udpSum(p)
	if k := carries(sum); k >= 0 && q.sum != 0 {
		hits[w.carry.at1(k)]++
	}
	switch {
	case q.sum == 0:
		hits[w.checksum.at2(0, odd)]++
	case sum > 0 && sum%0xffff == 0:
		hits[w.checksum.at2(2, odd)]++
	default:
		hits[w.checksum.at2(1, odd)]++
	}
}

// toldClass sorts a size decided elsewhere against the shortest that the headers allow.
func toldClass(told, least int) int {
	switch {
	case told > trimmer.MaxTrim:
		return 4
	case told == trimmer.MaxTrim:
		return 3
	case told < least:
		return 0
	}
	return 1 + b2i(told > least)
}

// udpSum adds up the words that the checksum of the trimmed datagram is over. A multiple of 0xffff comes out as 0 and is
// sent as 0xffff.
func udpSum(p *trimmerPacket) int {
	q := &p.p
	n := p.size - q.h
	sum := 17 + 2*n
	from, to := q.l2+12, q.l2+20
	if q.family == famIPv6 {
		from, to = q.l2+8, q.l2+40
	}
	for i := from; i < to; i += 2 {
		sum += be16(p.head[:], i)
	}
	for i := 0; i < n; i += 2 {
		switch {
		case i == 4 || i == 6:
		case i+1 < n:
			sum += be16(p.head[:], q.h+i)
		default:
			sum += int(p.head[q.h+i]) << 8
		}
	}
	return sum
}

// take compares what comes out with what was followed.
func (w *trimmerWatch) take(hits, out []uint64) {
	trimmer.UnpackTx(out, &w.tx)
	if w.taken >= w.count {
		w.disagree()
		return
	}
	p := w.packet(w.taken)
	if w.tx.Trimmed != p.trimmed || w.tx.Marked != p.marked || int(w.tx.Cause) != p.cause || w.tx.Tag != p.side.Tag {
		w.disagree()
	}
	if !w.tx.Last {
		return
	}
	w.taken++
	// Beats of a trimmed packet may still be on their way out of the store.
	for w.first < w.taken && w.flow.left(w.first) && (w.count-1 > w.first || !w.inside) {
		p := &w.packets[0]
		w.beatBins.packet(hits, p.beats, p.last, b2i(!p.trimmed), int(p.side.Len), trimmer.HeadBeats)
		w.packets = append(w.packets[:0], w.packets[1:]...)
		w.first++
	}
}
