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
	frame.Watch[packet]
	gap int // cycles since the last beat of a trimmed packet was accepted

	rx   trimmer.Rx
	tx   trimmer.Tx
	cev  trimmer.Cfg
	crsp trimmer.Cfgr

	reason, types, t, source, align, short cover.Cross
	marks, checksum, options, follow       cover.Cross
	carry, told, toldPort                  cover.Cross
	causes, trims                          cover.Sparse
}

func (w *watch) Define(p *cover.Plan, b *event.Block, _ map[string]int) {
	w.RxEnd = cover.NewBeatEnd(event.NewLayout(b), "rx")
	w.Streams.Define(p, b, 1)
	w.Flow = frame.Flow{HeadBeats: trimmer.HeadBeats, Release: trimmer.Release, Store: trimmer.Store, Out: trimmer.Out}
	w.Beats.Define(p, cover.Labels("trimmed untouched"), trimmer.Store, trimmer.Out)
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
	w.Wide.Define(p)
	w.Edges.Define(p, b.Registers, "TRIM_SIZE MIN_SIZE UDP_PORT DSCP_TRIMMED DSCP_LASTHOP")
	w.follow = p.Add("packet_right_after_trimmed", cover.Labels("trimmed untouched"))
	w.Cfg.Define(p, b.Registers, trimmer.NumWords, "value")
	w.Clear()
	w.clear()
}

func (w *watch) clear() { w.gap = 1 << 20 }

func (w *watch) Reset(hits cover.Hits, in []uint64) {
	w.Watch.Reset(hits, in)
	w.clear()
}

// Streams of the trimmer in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	cfgStream
	txStream
	cfgrStream
)

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.Edges.Step()
	s := w.Flow.Step()
	w.Beats.Cycle(hits, &w.Flow, s, w.Moved(rxStream))
	if s.Released {
		b := w.Flow.Beat(s.Issued)
		pk := w.Packet(b.Packet)
		w.decide(hits, pk, b.Last)
		w.Edges.Sum(hits, pk.head[:], &pk.p, pk.trimmed || pk.marked)
	}
	counted, pushed := false, false
	if s.Popped >= 0 {
		b := w.Flow.Beat(s.Popped)
		p := w.Packet(b.Packet)
		pushed = !p.trimmed || b.Index < p.retained
		if b.Index == 0 {
			countPacket(p, w.Cfg.Inc)
			counted = true
		}
	}
	if counted || w.Cfg.Waits() {
		w.configure(hits)
	}
	w.Flow.Finish(s, pushed, false, w.Moved(txStream))
	if w.Moved(rxStream) {
		w.accept(hits, in)
	}
	if ev := w.Cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answer(hits, ev, out)
	}
	if w.Moved(txStream) {
		w.take(hits, out)
	}
	w.gap++
}

func (w *watch) accept(hits cover.Hits, in []uint64) {
	if w.Inside && w.Newest().Beats >= 4 {
		w.rx.Keep, w.rx.Last = w.RxEnd.Read(in) // the rest is not used
	} else {
		trimmer.UnpackRx(in, &w.rx)
	}
	if !w.Inside {
		w.Begin(packet{side: w.rx})
		hits.If(w.gap == 1, w.follow.At1(cover.Bit(!w.rx.Trim)))
	}
	p := w.Newest()
	p.Take(p.head[:], &w.rx.Data, w.rx.Keep, w.rx.Last)
	w.Flow.Accept(w.Count-1, w.rx.Last)
	if w.Inside = !w.rx.Last; w.rx.Last && p.side.Trim {
		w.gap = 0
	}
}

// decide is the block's decision, with the registers of this cycle.
func (w *watch) decide(hits cover.Hits, p *packet, whole bool) {
	f := p.N
	if !whole {
		f = int(p.side.Len)
	}
	told, port := int(p.side.TrimSize), int(w.Cfg.Regs[trimmer.RegUdpPort])
	if told > 0 {
		port = frame.AnyPort
	}
	p.p = frame.Parse(p.head[:p.N], f, port)
	q := &p.p
	w.Wide.Sort(hits, q, f)
	w.Edges.Release(hits, q, p.N, p.side.Trim)
	ecn := q.Class & 3
	p.marked = p.side.Ce && q.HasIP && (ecn == 1 || ecn == 2)
	size := max(int(w.Cfg.Regs[trimmer.RegTrimSize]), int(w.Cfg.Regs[trimmer.RegMinSize]))
	if told > 0 {
		size = min(told, trimmer.MaxTrim)
	}
	if size, p.cause = q.Cut(size); !p.side.Trim {
		p.cause = 0
	} else if size > 0 {
		hits[w.short.At1(cover.Side(int64(size), int64(q.End)))]++
		p.trimmed = p.cause == 0
	}
	hits.If(q.HasIP, w.marks.At3(int(ecn), cover.Bit(p.side.Ce), cover.Bit(p.trimmed)))
	if !p.side.Trim {
		return
	}
	w.DisagreeIf(!w.causes.Hit(hits, p.cause, q.Family, q.Tags, 0))
	hits.If(p.cause == frame.CauseTruncated || p.cause == frame.CauseHeader || p.cause == frame.CauseLength,
		w.reason.At1(q.Why))
	if q.Cause == 0 {
		hits[w.types.At1(q.Kind)]++
		hits.If(told > 0, w.told.At2(toldClass(told, q.UDP+trimmer.UetMin), cover.Bit(p.trimmed)))
	}
	if !p.trimmed {
		return
	}
	hits.If(told > 0 && frame.BE16(p.head[:], q.UDP+2) != int(w.Cfg.Regs[trimmer.RegUdpPort]), w.toldPort.At1(0))
	p.size, p.retained = size, (size+63)/64
	w.trims.Hit(hits, q.Family, q.Tags, cover.Bit(p.side.LastHop), 0)
	hits[w.source.At1([...]int{3, 0, 1, 2}[cover.First(told > 0, size == int(w.Cfg.Regs[trimmer.RegTrimSize]),
		size == int(w.Cfg.Regs[trimmer.RegMinSize]))])]++
	hits[w.align.At1((size+63)%64)]++
	hits[w.t.At1(p.retained-1)]++
	hits.If(q.Family == frame.IPv4, w.options.At1(q.Options))
	frame.SortSum(hits, &w.checksum, &w.carry, q, frame.UDPSum(p.head[:], q, size), (size-q.UDP)&1)
}

// toldClass sorts a size decided elsewhere against the shortest that the headers allow.
func toldClass(told, least int) int {
	const most = trimmer.MaxTrim
	return [...]int{4, 3, 0, 1, 2}[cover.First(told > most, told == most, told < least, told == least)]
}

func (w *watch) take(hits cover.Hits, out []uint64) {
	trimmer.UnpackTx(out, &w.tx)
	if w.Taken >= w.Count {
		w.Disagree()
		return
	}
	p := w.Packet(w.Taken)
	w.DisagreeIf(w.tx.Trimmed != p.trimmed || w.tx.Marked != p.marked || int(w.tx.Cause) != p.cause ||
		w.tx.Tag != p.side.Tag)
	if !w.tx.Last {
		return
	}
	w.Taken++
	// Beats of a trimmed packet may still be on their way out of the store.
	for w.First < w.Taken && w.Flow.Left(w.First) && (w.Count-1 > w.First || !w.Inside) {
		p := w.Packet(w.First)
		w.Beats.Packet(hits, p.Beats, p.Last, cover.Bit(!p.trimmed), int(p.side.Len), trimmer.HeadBeats)
		w.Drop()
	}
}
