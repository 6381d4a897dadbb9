package intmd

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// packet is a packet on its way through intmd.
type packet struct {
	frame.Head
	head  [2 * 64]byte
	side  intmd.Rx
	p     frame.Packet
	cause int
	hops  int // after insertion
	data  bool
	at    int // I
	entry uint64
}

// size is the frame's length once its last beat is known.
func (p *packet) size() int { return 64*(p.Beats-1) + p.Last }

// grows reports whether insertion adds a beat.
func (p *packet) grows() bool { return p.cause == 0 && p.size() >= p.at && p.Last > 56 }

// watch follows packets, registers, counters and the table.
type watch struct {
	frame.Watch[packet]
	bins
	ports int
	swept int

	report     intmd.Cnt // accepted in the cycle before
	reported   bool
	time       uint64
	age        uint64
	rate       [64]uint8
	tx, ql     [64]uint32
	entryRate  [64]uint8 // the table, as the last tick left it
	entryTx    [64]uint32
	entryQl    [64]uint32
	entryTime  uint64
	stale      int // cycles since that tick
	filled     bool
	rx         intmd.Rx
	out        intmd.Tx
	cev        intmd.Cfg
	crsp       intmd.Cfgr
	lastTS     uint64 // of the lookup before
	lastTx     uint64
	lastIndex  int
	lastLookup bool
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.RxEnd = cover.NewBeatEnd(event.NewLayout(b), "rx")
	w.ports = params["NumPorts"]
	w.Streams.Define(p, b, w.ports)
	w.ExcludeWaits(p, "cnt", w.ports)
	w.Flow = frame.Flow{HeadBeats: intmd.HeadBeats, Release: intmd.Release, Store: intmd.Store, Out: intmd.Out}
	w.Beats.Define(p, cover.Labels("inserted untouched"), intmd.Store, intmd.Out)
	w.bins.define(p, w.ports, func() { w.Cfg.Define(p, b.Registers, intmd.NumWords, "port") })
	w.Wide.Define(p)
	w.Edges.Define(p, b.Registers, "MODE UDP_PORT MAGIC MAX_FRAME")
	w.Clear()
	w.clear()
}

func (w *watch) clear() {
	w.swept, w.reported = 0, false
	w.time, w.age, w.stale, w.filled = 0, 0, 0, false
	w.tx, w.ql, w.entryTx, w.entryQl, w.entryTime = [64]uint32{}, [64]uint32{}, [64]uint32{}, [64]uint32{}, 0
	for i := range w.rate {
		w.rate[i], w.entryRate[i] = 4, 0
	}
	w.lastLookup = false
}

func (w *watch) Reset(hits cover.Hits, in []uint64) {
	w.Watch.Reset(hits, in)
	w.clear()
}

// Streams of intmd in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	cntStream
	cfgStream
	txStream
	cfgrStream
)

// tableEntry is entry[port] of this cycle.
func (w *watch) tableEntry(port int) uint64 {
	if !w.filled {
		return 0
	}
	return uint64(w.entryRate[port])<<60 | w.entryTime>>16<<36 | uint64(w.entryTx[port]>>7&0xfffff)<<16 |
		uint64(min(w.entryQl[port]/80, 65535))
}

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.Edges.Step()
	if w.swept++; w.swept <= w.ports {
		return
	}
	s := w.Flow.Step()
	added := w.Flow.Adds()
	w.Beats.Cycle(hits, &w.Flow, s, w.Moved(rxStream))
	if s.Released {
		b := w.Flow.Beat(s.Issued)
		pk := w.Packet(b.Packet)
		w.decide(hits, pk, b.Last)
		w.Edges.Sum(hits, pk.head[:], &pk.p, pk.cause == 0)
	}
	inc := w.Cfg.Inc
	counted, pushed, grows := false, false, false
	switch {
	case s.Popped >= 0:
		b := w.Flow.Beat(s.Popped)
		p := w.Packet(b.Packet)
		pushed = true
		if b.Index == 0 {
			w.lookup(hits, p)
			counted = true
		}
		grows = b.Last && p.grows()
	case added && !s.Waits:
		pushed = true
		inc[intmd.WordAddedBeats]++
		counted = true
	case added:
		hits[w.fact.AddedWaits]++
	}
	if counted || w.reported || w.Cfg.Waits() {
		w.configure(hits)
	} else {
		w.move(hits)
	}
	w.Flow.Finish(s, pushed, grows, w.Moved(txStream))
	if w.reported = w.Moved(cntStream); w.reported {
		intmd.UnpackCnt(in, &w.report)
	}
	if w.Moved(rxStream) {
		w.accept(in)
	}
	if ev := w.Cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answer(hits, ev, out)
	}
	if w.Moved(txStream) {
		w.take(hits, out)
	}
}

func (w *watch) accept(in []uint64) {
	if w.Inside && w.Newest().Beats >= 2 {
		w.rx.Keep, w.rx.Last = w.RxEnd.Read(in) // the rest is not used
	} else {
		intmd.UnpackRx(in, &w.rx)
	}
	if !w.Inside {
		w.Begin(packet{side: w.rx})
	}
	p := w.Newest()
	p.Take(p.head[:], &w.rx.Data, w.rx.Keep, w.rx.Last)
	w.Flow.Accept(w.Count-1, w.rx.Last)
	w.Inside = !w.rx.Last
}

// decide is the block's decision, with the registers of this cycle.
func (w *watch) decide(hits cover.Hits, p *packet, whole bool) {
	f := p.N
	if !whole {
		f = int(p.side.Len)
	}
	p.p = frame.Parse(p.head[:p.N], f, int(w.Cfg.Regs[intmd.RegUdpPort]))
	q := &p.p
	w.Wide.Sort(hits, q, f)
	w.Edges.Release(hits, q, p.N, q.Cause == 0 || q.Cause == frame.CausePort)
	p.cause = q.Cause
	if q.Cause == 0 {
		w.header(hits, p)
	}
	sort := cover.Bit(p.data)
	w.DisagreeIf(!w.causes.Hit(hits, p.cause, q.Family, q.Tags, 0))
	hits.If(q.Cause == frame.CauseTruncated || q.Cause == frame.CauseHeader || q.Cause == frame.CauseLength,
		w.reason.At1(q.Why))
	if q.Cause != 0 {
		return
	}
	w.types.Hit(hits, q.Kind, cover.Bit(p.cause == 0), 0, 0)
	if p.cause >= int(intmd.CauseOff) {
		hits[w.late.At2(p.cause-int(intmd.CauseOff), sort)]++
	}
	if p.cause == 0 {
		w.into.Hit(hits, sort, q.Family, q.Tags, 0)
		hits[w.place.At1(p.at%64/4)]++
		hits[w.hops.At1(cover.Band(p.hops, 2, 3, 9, 31, 255))]++
		hits.If(q.Family == frame.IPv4, w.options.At1(q.Options))
	}
}

// header is the decision from the UET type on.
func (w *watch) header(hits cover.Hits, p *packet) {
	q := &p.p
	o := 12
	switch q.Kind {
	case 7:
	case 8:
		o = 32
	case 2, 3:
		p.data = true
	case 13, 14:
		o, p.data = 16, true
	default:
		p.cause = int(intmd.CauseType)
		return
	}
	mode := w.Cfg.Regs[intmd.RegMode]
	hits[w.mode.At2(int(mode), cover.Bit(p.data))]++
	if mode>>cover.Bit(p.data)&1 == 0 {
		p.cause = int(intmd.CauseOff)
		return
	}
	g := q.UDP + 8 + o
	hits[w.prologue.At1(cover.Side(int64(q.UDPLen), int64(8+o+8)))]++
	if q.UDPLen < 8+o+8 || frame.BE16(p.head[:], g) != int(w.Cfg.Regs[intmd.RegMagic]) {
		p.cause = int(intmd.CauseAbsent)
		return
	}
	h, hmax := int(p.head[g+2]), int(p.head[g+3])
	hits[w.room.At1(cover.Side(int64(h), int64(hmax)))]++
	form := formClass(p.head[g+4]^intmd.Form, p.head[g+5]^^uint8(hmax), h > hmax)
	hits[w.form.At1(form)]++
	if form != 0 {
		p.cause = int(intmd.CauseMalformed)
		return
	}
	hits[w.entries.At1(cover.Side(int64(q.UDPLen), int64(8+o+8+8*h)))]++
	if q.UDPLen < 8+o+8+8*h {
		p.cause, q.Why = int(intmd.CauseLength), frame.WhyOther
		return
	}
	if h < hmax {
		most := int(w.Cfg.Regs[intmd.RegMaxFrame])
		hits[w.frame.At1(cover.Side(int64(q.End+8), int64(most)))]++
		hits.If(q.End+8 > 65535 && (q.End+8)&65535 <= most, w.frameBits.At1(0))
		hits.If(q.End+8 <= most && q.End+8 > most&32767, w.frameBits.At1(1))
	}
	if h == hmax || q.End+8 > int(w.Cfg.Regs[intmd.RegMaxFrame]) {
		p.cause = int(intmd.CauseNoRoom)
		return
	}
	index := p.index()
	hits[w.index.At2(portClass(index, w.ports), cover.Bit(p.data))]++
	if index >= w.ports {
		p.cause = int(intmd.CauseRange)
		for k := w.lowestHigh; k < 8; k++ {
			hits.If(index^1<<k < w.ports, w.highBit.At2(k-w.lowestHigh, cover.Bit(p.data)))
		}
		return
	}
	p.hops, p.at = h+1, g+8+8*h
}

// formClass sorts an INT header by the bits wrong in its form and in the complement.
func formClass(form, complement uint8, beyond bool) int {
	one := func(v uint8) bool { return v&(v-1) == 0 }
	return [...]int{5, 1, 2, 3, 4, 6, 0}[cover.First(form != 0 && complement != 0, form != 0 && one(form), form != 0,
		complement != 0 && one(complement), complement != 0, beyond)]
}

func (p *packet) index() int {
	if p.data {
		return int(p.side.OutPort)
	}
	return int(p.side.InPort)
}

// lookup is the cycle in which a packet's first beat leaves the store.
func (w *watch) lookup(hits cover.Hits, p *packet) {
	inc := w.Cfg.Inc
	inc[0]++
	if p.cause != 0 {
		inc[p.cause]++
		return
	}
	inc[intmd.WordAcks+cover.Bit(p.data)]++
	i := p.index()
	p.entry = w.tableEntry(i)
	hits[w.rates.At1(int(p.entry>>60))]++
	hits[w.staleness.At1(cover.Band(w.stale, 1, 8))]++
	q := w.entryQl[i]
	hits[w.queue.At1(queueClass(q))]++
	ts, tx := p.entry>>36&(1<<24-1), p.entry>>16&0xfffff
	again := w.lastLookup && w.lastIndex == i
	hits.If(again && ts < w.lastTS, w.fact.TimeWraps)
	hits.If(again && tx < w.lastTx, w.fact.BytesWrap)
	w.lastLookup, w.lastIndex, w.lastTS, w.lastTx = true, i, ts, tx
	frame.SortSum(hits, &w.checksum, &w.carry, &p.p, w.udpSum(p), 0)
}

// udpSum adds up the words that the new checksum is made of.
func (w *watch) udpSum(p *packet) int {
	g := p.at - 8*p.hops
	old := frame.BE16(p.head[:], g+2)
	l := p.p.UDPLen
	sum := (^int(p.p.Sum) & 0xffff) + 2*((^l&0xffff)+(l+8)&0xffff) + (^old & 0xffff) + (old+256)&0xffff
	for k := range 4 {
		sum += int(p.entry >> (16 * k) & 0xffff)
	}
	return sum
}

func (w *watch) take(hits cover.Hits, out []uint64) {
	intmd.UnpackTx(out, &w.out)
	if w.Taken >= w.Count {
		w.Disagree()
		return
	}
	p := w.Packet(w.Taken)
	w.DisagreeIf(w.out.Inserted != (p.cause == 0) || int(w.out.Cause) != p.cause || int(w.out.Hops) != p.hops ||
		w.out.OutPort != p.side.OutPort)
	if !w.out.Last {
		return
	}
	w.Taken++
	w.Beats.Packet(hits, p.Beats, p.Last, cover.Bit(p.cause != 0), int(p.side.Len), intmd.HeadBeats)
	if p.cause == 0 {
		w.frames(hits, p)
	}
	w.Drop()
}

func (w *watch) frames(hits cover.Hits, p *packet) {
	n := p.size()
	hits[w.ends.At2(cover.Side(int64(n), int64(p.at)), cover.Bit(p.grows()))]++
	hits.If(n > p.p.End, w.fact.Padding)
	hits.If(n/64 == p.at/64 && n >= p.at, w.fact.LastBeat)
	hits.If(p.at >= 128, w.fact.BeyondHead)
}
