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
	head     [2 * 64]byte
	side     intmd.Rx
	p        frame.Packet
	cause    int
	hops     int // after insertion
	data     bool
	at       int // I
	entry    uint64
	maxFrame int
}

// size is the frame's length once its last beat is known.
func (p *packet) size() int { return 64*(p.Beats-1) + p.Last }

// grows reports whether insertion adds a beat.
func (p *packet) grows() bool { return p.cause == 0 && p.size() >= p.at && p.Last > 56 }

// watch follows packets, registers, counters and the table.
type watch struct {
	cover.Streams
	cover.Disagreement
	beatBins frame.BeatBins
	bins
	wideBins frame.WideBins
	edges    frame.Edges
	flow     frame.Flow
	cfg      frame.Access
	ports    int
	regs     [intmd.NumRegs]uint64
	counts   [intmd.NumWords]uint32
	inc      [intmd.NumWords]uint32 // of this cycle; all 0 between cycles
	packets  []packet
	first    int
	count    int
	inside   bool
	taken    int
	reads    []uint64
	swept    int

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
	rxEnd      cover.BeatEnd
	out        intmd.Tx
	cev        intmd.Cfg
	crsp       intmd.Cfgr
	lastTS     uint64 // of the lookup before
	lastTx     uint64
	lastIndex  int
	lastLookup bool
}

// decisive are the registers that decide what becomes of a packet when it is released.
var decisive = map[int]string{
	intmd.RegMode:     "MODE",
	intmd.RegUdpPort:  "UDP_PORT",
	intmd.RegMagic:    "MAGIC",
	intmd.RegMaxFrame: "MAX_FRAME",
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.rxEnd = cover.NewBeatEnd(event.NewLayout(b), "rx")
	w.ports = params["NumPorts"]
	w.Streams.Define(p, b, w.ports)
	w.ExcludeWaits(p, "cnt", w.ports)
	w.flow = frame.Flow{HeadBeats: intmd.HeadBeats, Release: intmd.Release, Store: intmd.Store, Out: intmd.Out}
	w.beatBins.Define(p, cover.Labels("inserted untouched"), intmd.Store, intmd.Out)
	w.bins.define(p, w.ports)
	w.wideBins.Define(p)
	w.edges.Define(p, intmd.NumRegs, decisive)
	w.clear()
}

func (w *watch) clear() {
	w.flow.Clear()
	w.edges.Clear()
	w.cfg.Clear()
	for a := range w.regs {
		w.regs[a] = intmd.RegInfo[a].Reset
	}
	w.counts = [intmd.NumWords]uint32{}
	w.packets, w.first, w.count, w.inside, w.taken = w.packets[:0], 0, 0, false, 0
	w.reads, w.swept, w.reported = w.reads[:0], 0, false
	w.time, w.age, w.stale, w.filled = 0, 0, 0, false
	w.tx, w.ql, w.entryTx, w.entryQl, w.entryTime = [64]uint32{}, [64]uint32{}, [64]uint32{}, [64]uint32{}, 0
	for i := range w.rate {
		w.rate[i], w.entryRate[i] = 4, 0
	}
	w.lastLookup = false
}

func (w *watch) Reset(hits, _ []uint64) {
	if !w.Streams.InReset() {
		w.beatBins.Reset(hits, &w.flow)
	}
	w.Streams.Reset(hits)
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

func (w *watch) packet(n int) *packet { return &w.packets[n-w.first] }

// tableEntry is entry[port] of this cycle.
func (w *watch) tableEntry(port int) uint64 {
	if !w.filled {
		return 0
	}
	return uint64(w.entryRate[port])<<60 | w.entryTime>>16<<36 | uint64(w.entryTx[port]>>7&0xfffff)<<16 |
		uint64(min(w.entryQl[port]/80, 65535))
}

func (w *watch) Cycle(hits []uint64, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.edges.Step()
	if w.swept++; w.swept <= w.ports {
		return
	}
	s := w.flow.Step()
	added := w.flow.Adds()
	w.beatBins.Cycle(hits, &w.flow, s, w.Moved(rxStream))
	if s.Released {
		b := w.flow.Beat(s.Issued)
		pk := w.packet(b.Packet)
		w.decide(hits, pk, b.Last)
		w.edges.Sum(hits, pk.head[:], &pk.p, pk.cause == 0)
	}
	inc := &w.inc
	counted, pushed, grows := false, false, false
	switch {
	case s.Popped >= 0:
		b := w.flow.Beat(s.Popped)
		p := w.packet(b.Packet)
		pushed = true
		if b.Index == 0 {
			w.lookup(hits, p, inc)
			counted = true
		}
		grows = b.Last && p.grows()
	case added && !s.Waits:
		pushed = true
		inc[intmd.WordAddedBeats]++
		counted = true
	case added:
		hits[w.fact.At1(factAddedWaits)]++
	}
	if counted || w.reported || w.cfg.Waits() {
		w.configure(hits, inc)
		*inc = [intmd.NumWords]uint32{}
	} else {
		w.move(hits)
	}
	w.flow.Finish(s, pushed, grows, w.Moved(txStream))
	if w.reported = w.Moved(cntStream); w.reported {
		intmd.UnpackCnt(in, &w.report)
	}
	if w.Moved(rxStream) {
		w.accept(in)
	}
	if ev := w.cfg.Finish(in, w.Moved(cfgStream), w.Moved(cfgrStream)); ev != nil {
		w.answer(hits, ev, out)
	}
	if w.Moved(txStream) {
		w.take(hits, out)
	}
}

func (w *watch) accept(in []uint64) {
	if w.inside && w.packet(w.count-1).Beats >= 2 {
		w.rx.Keep, w.rx.Last = w.rxEnd.Read(in) // the rest is not used
	} else {
		intmd.UnpackRx(in, &w.rx)
	}
	if !w.inside {
		w.packets = append(w.packets, packet{side: w.rx})
		w.count++
	}
	p := w.packet(w.count - 1)
	p.Take(p.head[:], &w.rx.Data, w.rx.Keep, w.rx.Last)
	w.flow.Accept(w.count-1, w.rx.Last)
	w.inside = !w.rx.Last
}

// decide is the block's decision, with the registers of this cycle.
func (w *watch) decide(hits []uint64, p *packet, whole bool) {
	f := p.N
	if !whole {
		f = int(p.side.Len)
	}
	p.p = frame.Parse(p.head[:p.N], f, int(w.regs[intmd.RegUdpPort]))
	q := &p.p
	w.wideBins.Sort(hits, q, f)
	w.edges.Release(hits, q, p.N, q.Cause == 0 || q.Cause == frame.CausePort)
	p.cause = q.Cause
	if q.Cause == 0 {
		w.header(hits, p)
	}
	sort := cover.Bit(p.data)
	if !w.causes.Hit(hits, p.cause, q.Family, q.Tags, 0) {
		w.Disagree()
	}
	if q.Cause == frame.CauseTruncated || q.Cause == frame.CauseHeader || q.Cause == frame.CauseLength {
		hits[w.reason.At1(q.Why)]++
	}
	if q.Cause != 0 {
		return
	}
	w.types.Hit(hits, q.Kind, cover.Bit(p.cause == 0), 0, 0)
	if p.cause >= int(intmd.CauseOff) {
		w.late.Hit(hits, p.cause-int(intmd.CauseOff), sort, 0, 0)
	}
	if p.cause == 0 {
		w.into.Hit(hits, sort, q.Family, q.Tags, 0)
		hits[w.place.At1(p.at%64/4)]++
		hits[w.hops.At1(hopClass(p.hops))]++
		if q.Family == frame.IPv4 {
			hits[w.options.At1(q.Options)]++
		}
	}
}

// header is the decision from the UET type on.
func (w *watch) header(hits []uint64, p *packet) {
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
	mode := w.regs[intmd.RegMode]
	hits[w.mode.At2(int(mode), cover.Bit(p.data))]++
	if mode>>cover.Bit(p.data)&1 == 0 {
		p.cause = int(intmd.CauseOff)
		return
	}
	g := q.UDP + 8 + o
	hits[w.prologue.At1(cover.Side(int64(q.UDPLen), int64(8+o+8)))]++
	if q.UDPLen < 8+o+8 {
		p.cause = int(intmd.CauseAbsent)
		return
	}
	if frame.BE16(p.head[:], g) != int(w.regs[intmd.RegMagic]) {
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
		most := int(w.regs[intmd.RegMaxFrame])
		hits[w.frame.At1(cover.Side(int64(q.End+8), int64(most)))]++
		if q.End+8 > 65535 && (q.End+8)&65535 <= most {
			hits[w.frameBits.At1(0)]++
		}
		if q.End+8 <= most && q.End+8 > most&32767 {
			hits[w.frameBits.At1(1)]++
		}
	}
	if h == hmax || q.End+8 > int(w.regs[intmd.RegMaxFrame]) {
		p.cause = int(intmd.CauseNoRoom)
		return
	}
	index := p.index()
	hits[w.index.At2(portClass(index, w.ports), cover.Bit(p.data))]++
	if index >= w.ports {
		p.cause = int(intmd.CauseRange)
		for k := w.lowestHigh; k < 8; k++ {
			if index^1<<k < w.ports {
				hits[w.highBit.At2(k-w.lowestHigh, cover.Bit(p.data))]++
			}
		}
		return
	}
	p.hops, p.at = h+1, g+8+8*h
}

// formClass sorts an INT header by the bits wrong in its form and in the complement.
func formClass(form, complement uint8, beyond bool) int {
	one := func(v uint8) int { return 1 - cover.Bit(v&(v-1) == 0) } // 0: one bit
	switch {
	case form != 0 && complement != 0:
		return 5
	case form != 0:
		return 1 + one(form)
	case complement != 0:
		return 3 + one(complement)
	}
	return 6 * cover.Bit(beyond)
}

func (p *packet) index() int {
	if p.data {
		return int(p.side.OutPort)
	}
	return int(p.side.InPort)
}

// lookup is the cycle in which a packet's first beat leaves the store.
func (w *watch) lookup(hits []uint64, p *packet, inc *[intmd.NumWords]uint32) {
	inc[0]++
	if p.cause != 0 {
		inc[p.cause]++
		return
	}
	inc[intmd.WordAcks+cover.Bit(p.data)]++
	i := p.index()
	p.entry = w.tableEntry(i)
	hits[w.rates.At1(int(p.entry>>60))]++
	switch {
	case w.stale == 0:
		hits[w.staleness.At1(0)]++
	case w.stale < 8:
		hits[w.staleness.At1(1)]++
	default:
		hits[w.staleness.At1(2)]++
	}
	q := w.entryQl[i]
	hits[w.queue.At1(queueClass(q))]++
	ts, tx := p.entry>>36&(1<<24-1), p.entry>>16&0xfffff
	if w.lastLookup && w.lastIndex == i {
		if ts < w.lastTS {
			hits[w.fact.At1(factTimeWraps)]++
		}
		if tx < w.lastTx {
			hits[w.fact.At1(factBytesWrap)]++
		}
	}
	w.lastLookup, w.lastIndex, w.lastTS, w.lastTx = true, i, ts, tx
	sum := w.udpSum(p)
	if k := frame.Carries(sum); k >= 0 && p.p.Sum != 0 {
		hits[w.carry.At1(k)]++
	}
	switch {
	case p.p.Sum == 0:
		hits[w.checksum.At1(0)]++
	case sum > 0 && sum%0xffff == 0:
		hits[w.checksum.At1(2)]++
	default:
		hits[w.checksum.At1(1)]++
	}
}

// udpSum adds up the words that the new checksum is made of. A multiple of 0xffff comes out as 0 and is sent as 0xffff.
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

// take compares what comes out with what was followed.
func (w *watch) take(hits, out []uint64) {
	intmd.UnpackTx(out, &w.out)
	if w.taken >= w.count {
		w.Disagree()
		return
	}
	p := w.packet(w.taken)
	if w.out.Inserted != (p.cause == 0) || int(w.out.Cause) != p.cause || int(w.out.Hops) != p.hops ||
		w.out.OutPort != p.side.OutPort {
		w.Disagree()
	}
	if !w.out.Last {
		return
	}
	w.taken++
	w.beatBins.Packet(hits, p.Beats, p.Last, cover.Bit(p.cause != 0), int(p.side.Len), intmd.HeadBeats)
	if p.cause == 0 {
		w.frames(hits, p)
	}
	w.packets = append(w.packets[:0], w.packets[1:]...)
	w.first++
}

// frames sorts a packet with an entry by where it ends.
func (w *watch) frames(hits []uint64, p *packet) {
	n := p.size()
	hits[w.ends.At2(cover.Side(int64(n), int64(p.at)), cover.Bit(p.grows()))]++
	if n > p.p.End {
		hits[w.fact.At1(factPadding)]++
	}
	if n/64 == p.at/64 && n >= p.at {
		hits[w.fact.At1(factLastBeat)]++
	}
	if p.at >= 128 {
		hits[w.fact.At1(factBeyondHead)]++
	}
}
