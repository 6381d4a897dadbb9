package trimmer

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// packet is a packet on its way through the trimmer.
type packet struct {
	frame.Head
	head     [4 * 64]byte
	side     trimmer.Rx
	p        frame.Packet
	cause    int
	trimmed  bool
	marked   bool
	size     int // T
	retained int // beats put out
}

// watch follows packets and registers and sorts every packet when it is released.
type watch struct {
	cover.Streams
	cover.Disagreement
	beatBins frame.BeatBins
	wideBins frame.WideBins
	edges    frame.Edges
	flow     frame.Flow
	cfg      frame.Access
	regs     [trimmer.NumRegs]uint64
	counts   [trimmer.NumWords]uint32
	inc      [trimmer.NumWords]uint32 // of this cycle; all 0 between cycles
	packets  []packet                 // in the block
	first    int                      // number of packets[0] since the last reset
	count    int                      // packets begun
	inside   bool                     // rx is in mid-packet
	taken    int                      // packets seen to the end at tx
	reads    []uint32                 // expected data of cfg events not answered
	gap      int                      // cycles since the last beat of a trimmed packet was accepted

	rxEnd cover.BeatEnd
	rx    trimmer.Rx
	tx    trimmer.Tx
	cev   trimmer.Cfg
	crsp  trimmer.Cfgr

	reason, types, t, source, align, short cover.Cross
	marks, checksum, options, follow       cover.Cross
	kinds, refused, wrap, loadOnCount      cover.Cross
	carry, told, toldPort                  cover.Cross
	causes, trims, access                  cover.Sparse
}

// decisive are the registers that decide what becomes of a packet when it is released.
var decisive = map[int]string{
	trimmer.RegTrimSize:    "TRIM_SIZE",
	trimmer.RegMinSize:     "MIN_SIZE",
	trimmer.RegUdpPort:     "UDP_PORT",
	trimmer.RegDscpTrimmed: "DSCP_TRIMMED",
	trimmer.RegDscpLasthop: "DSCP_LASTHOP",
}

func (w *watch) Define(p *cover.Plan, b *event.Block, _ map[string]int) {
	w.rxEnd = cover.NewBeatEnd(event.NewLayout(b), "rx")
	w.Streams.Define(p, b, 1)
	w.flow = frame.Flow{HeadBeats: trimmer.HeadBeats, Release: trimmer.Release, Store: trimmer.Store, Out: trimmer.Out}
	w.beatBins.Define(p, cover.Labels("trimmed untouched"), trimmer.Store, trimmer.Out)
	yes := cover.YesNo
	w.causes = p.AddSome("cause_family_tags", func(c, f, tags, _ int) bool {
		if c == 0 || c >= frame.CauseType {
			return f != frame.NoFamily
		}
		return frame.CauseOfFamily(c, f) && (f != frame.NoFamily || c == frame.CauseEthertype || tags < 2)
	}, frame.Causes, frame.Families, cover.Numbers(0, 2))
	w.reason = p.Add("reason", frame.Failures)
	w.trims = p.AddSome("trimmed_family_tags_last_hop", func(f, _, _, _ int) bool { return f != frame.NoFamily },
		frame.Families, cover.Numbers(0, 2), yes)
	w.types = p.Add("uet_type_trimmed", cover.Numbers(0, 31))
	w.source = p.Add("trim_size_from", cover.Labels("TRIM_SIZE MIN_SIZE headers told"))
	w.told = p.Add("told_size_against_headers_trimmed", cover.Labels("below at above 256 beyond_256"), yes)
	w.toldPort = p.Add("told_size_trims", cover.Labels("packet_to_another_port"))
	w.align = p.Add("bytes_of_last_beat_put_out", cover.Numbers(1, 64))
	w.t = p.Add("beats_put_out_of_trimmed", cover.Numbers(1, 4))
	w.short = p.Add("threshold_trim_size_against_packet", cover.Sides)
	w.options = p.Add("option_words_trimmed", cover.Numbers(0, 10))
	w.marks = p.Add("ecn_ce_trimmed", cover.Numbers(0, 3), yes, yes)
	w.checksum = p.Add("udp_checksum_trimmed_odd", cover.Labels("stays_0 computed comes_out_0"), cover.Labels("even odd"))
	w.carry = p.Add("udp_sum_trimmed", frame.CarrySums)
	w.wideBins.Define(p)
	w.edges.Define(p, trimmer.NumRegs, decisive)
	w.follow = p.Add("packet_right_after_trimmed", cover.Labels("trimmed untouched"))
	w.kinds = p.Add("cfg_kind", cover.Numbers(0, 15))
	w.access = p.AddSome("cfg_address", func(k, a, _, _ int) bool { return k < 2 || a < trimmer.NumRegs },
		cover.Labels("LOAD READ CFG_WRITE CFG_READ"), cover.Numbers(0, 13))
	w.refused = p.Add("cfg_refused", cover.Labels("kind register counter value"))
	w.wrap = p.Add("counter_wraps", cover.Numbers(0, 13))
	w.loadOnCount = p.Add("counter_load_in_cycle_of_count", yes)
	w.clear()
}

func (w *watch) clear() {
	w.flow.Clear()
	w.edges.Clear()
	w.cfg.Clear()
	for a := range w.regs {
		w.regs[a] = trimmer.RegInfo[a].Reset
	}
	w.counts = [trimmer.NumWords]uint32{}
	w.packets, w.first, w.count, w.inside, w.taken = w.packets[:0], 0, 0, false, 0
	w.reads, w.gap = w.reads[:0], 1<<20
}

func (w *watch) Reset(hits, _ []uint64) {
	if !w.Streams.InReset() {
		w.beatBins.Reset(hits, &w.flow)
	}
	w.Streams.Reset(hits)
	w.clear()
}

// Streams of the trimmer in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	cfgStream
	txStream
	cfgrStream
)

func (w *watch) packet(n int) *packet { return &w.packets[n-w.first] }

func (w *watch) Cycle(hits []uint64, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.edges.Step()
	s := w.flow.Step()
	w.beatBins.Cycle(hits, &w.flow, s, w.Moved(rxStream))
	if s.Released {
		b := w.flow.Beat(s.Issued)
		pk := w.packet(b.Packet)
		w.decide(hits, pk, b.Last)
		w.edges.Sum(hits, pk.head[:], &pk.p, pk.trimmed || pk.marked)
	}
	inc := &w.inc
	counted, pushed := false, false
	if s.Popped >= 0 {
		b := w.flow.Beat(s.Popped)
		p := w.packet(b.Packet)
		pushed = !p.trimmed || b.Index < p.retained
		if b.Index == 0 {
			countPacket(p, inc)
			counted = true
		}
	}
	if counted || w.cfg.Waits() {
		w.configure(hits, inc)
		*inc = [trimmer.NumWords]uint32{}
	}
	w.flow.Finish(s, pushed, false, w.Moved(txStream))
	if w.Moved(rxStream) {
		w.accept(hits, in)
	}
	if ev := w.cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answer(hits, ev, out)
	}
	if w.Moved(txStream) {
		w.take(hits, out)
	}
	w.gap++
}

// accept notes a beat.
func (w *watch) accept(hits []uint64, in []uint64) {
	if w.inside && w.packet(w.count-1).Beats >= 4 {
		w.rx.Keep, w.rx.Last = w.rxEnd.Read(in) // the rest is not used
	} else {
		trimmer.UnpackRx(in, &w.rx)
	}
	if !w.inside {
		w.packets = append(w.packets, packet{side: w.rx})
		w.count++
		if w.gap == 1 {
			hits[w.follow.At1(cover.Bit(!w.rx.Trim))]++
		}
	}
	p := w.packet(w.count - 1)
	p.Take(p.head[:], &w.rx.Data, w.rx.Keep, w.rx.Last)
	w.flow.Accept(w.count-1, w.rx.Last)
	if w.inside = !w.rx.Last; w.rx.Last && p.side.Trim {
		w.gap = 0
	}
}

// decide is the block's decision, with the registers of this cycle.
func (w *watch) decide(hits []uint64, p *packet, whole bool) {
	f := p.N
	if !whole {
		f = int(p.side.Len)
	}
	told, port := int(p.side.TrimSize), int(w.regs[trimmer.RegUdpPort])
	if told > 0 {
		port = frame.AnyPort
	}
	p.p = frame.Parse(p.head[:p.N], f, port)
	q := &p.p
	w.wideBins.Sort(hits, q, f)
	w.edges.Release(hits, q, p.N, p.side.Trim)
	ecn := q.Class & 3
	p.marked = p.side.Ce && q.HasIP && (ecn == 1 || ecn == 2)
	size := max(int(w.regs[trimmer.RegTrimSize]), int(w.regs[trimmer.RegMinSize]))
	if told > 0 {
		size = min(told, trimmer.MaxTrim)
	}
	if size, p.cause = q.Cut(size); !p.side.Trim {
		p.cause = 0
	} else if size > 0 {
		hits[w.short.At1(cover.Side(int64(size), int64(q.End)))]++
		p.trimmed = p.cause == 0
	}
	if q.HasIP {
		hits[w.marks.At3(int(ecn), cover.Bit(p.side.Ce), cover.Bit(p.trimmed))]++
	}
	if !p.side.Trim {
		return
	}
	if !w.causes.Hit(hits, p.cause, q.Family, q.Tags, 0) {
		w.Disagree()
	}
	if p.cause == frame.CauseTruncated || p.cause == frame.CauseHeader || p.cause == frame.CauseLength {
		hits[w.reason.At1(q.Why)]++
	}
	if q.Cause == 0 {
		hits[w.types.At1(q.Kind)]++
		if told > 0 {
			hits[w.told.At2(toldClass(told, q.UDP+trimmer.UetMin), cover.Bit(p.trimmed))]++
		}
	}
	if !p.trimmed {
		return
	}
	if told > 0 && frame.BE16(p.head[:], q.UDP+2) != int(w.regs[trimmer.RegUdpPort]) {
		hits[w.toldPort.At1(0)]++
	}
	p.size, p.retained = size, (size+63)/64
	w.trims.Hit(hits, q.Family, q.Tags, cover.Bit(p.side.LastHop), 0)
	switch {
	case told > 0:
		hits[w.source.At1(3)]++
	case size == int(w.regs[trimmer.RegTrimSize]):
		hits[w.source.At1(0)]++
	case size == int(w.regs[trimmer.RegMinSize]):
		hits[w.source.At1(1)]++
	default:
		hits[w.source.At1(2)]++
	}
	hits[w.align.At1((size+63)%64)]++
	hits[w.t.At1(p.retained-1)]++
	if q.Family == frame.IPv4 {
		hits[w.options.At1(q.Options)]++
	}
	odd := (size - q.UDP) & 1
	sum := frame.UDPSum(p.head[:], q, size)
	if k := frame.Carries(sum); k >= 0 && q.Sum != 0 {
		hits[w.carry.At1(k)]++
	}
	switch {
	case q.Sum == 0:
		hits[w.checksum.At2(0, odd)]++
	case sum > 0 && sum%0xffff == 0:
		hits[w.checksum.At2(2, odd)]++
	default:
		hits[w.checksum.At2(1, odd)]++
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
	return 1 + cover.Bit(told > least)
}

// take compares what comes out with what was followed.
func (w *watch) take(hits, out []uint64) {
	trimmer.UnpackTx(out, &w.tx)
	if w.taken >= w.count {
		w.Disagree()
		return
	}
	p := w.packet(w.taken)
	if w.tx.Trimmed != p.trimmed || w.tx.Marked != p.marked || int(w.tx.Cause) != p.cause || w.tx.Tag != p.side.Tag {
		w.Disagree()
	}
	if !w.tx.Last {
		return
	}
	w.taken++
	// Beats of a trimmed packet may still be on their way out of the store.
	for w.first < w.taken && w.flow.Left(w.first) && (w.count-1 > w.first || !w.inside) {
		p := &w.packets[0]
		w.beatBins.Packet(hits, p.Beats, p.Last, cover.Bit(!p.trimmed), int(p.side.Len), trimmer.HeadBeats)
		w.packets = append(w.packets[:0], w.packets[1:]...)
		w.first++
	}
}
