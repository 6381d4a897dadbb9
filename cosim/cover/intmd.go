package cover

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// intmdCoverage is how intmd is covered.
var intmdCoverage = Block{Schema: intmd.Schema, Watcher: func() Watcher { return &intmdWatch{} }}

// intmdPacket is a packet on its way through intmd.
type intmdPacket struct {
	head     [2 * 64]byte
	n        int // bytes of head that are there
	beats    int
	last     int
	side     intmd.Rx
	p        parsed
	cause    int
	hops     int // after insertion
	data     bool
	at       int // I
	entry    uint64
	maxFrame int
}

// size is the frame's length once its last beat is known.
func (p *intmdPacket) size() int { return 64*(p.beats-1) + p.last }

// grows reports whether insertion adds a beat.
func (p *intmdPacket) grows() bool { return p.cause == 0 && p.size() >= p.at && p.last > 56 }

// intmdWatch follows packets, registers, counters and the table.
type intmdWatch struct {
	streams
	disagreement
	beatBins flowBins
	intmdBins
	wideBins wideBins
	flow     beatFlow
	cfg      cfgFlow
	ports    int
	regs     [intmd.NumRegs]uint64
	counts   [intmd.NumWords]uint32
	inc      [intmd.NumWords]uint32 // of this cycle; all 0 between cycles
	packets  []intmdPacket
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
	rxEnd      beatEnd
	out        intmd.Tx
	cev        intmd.Cfg
	crsp       intmd.Cfgr
	lastTS     uint64 // of the lookup before
	lastTx     uint64
	lastIndex  int
	lastLookup bool
}

func (w *intmdWatch) define(p *plan, b *event.Block, params map[string]int) {
	w.rxEnd = newBeatEnd(event.NewLayout(b), "rx")
	w.ports = params["NumPorts"]
	w.streams.define(p, b, w.ports)
	w.excludeWaits(p, "cnt", w.ports)
	w.flow = beatFlow{headBeats: intmd.HeadBeats, release: intmd.Release, store: intmd.Store, out: intmd.Out}
	w.beatBins.define(p, words("inserted untouched"), intmd.Store, intmd.Out)
	w.intmdBins.define(p, w.ports)
	w.wideBins.define(p)
	w.clear()
}

func (w *intmdWatch) clear() {
	w.flow.clear()
	w.cfg.clear()
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

func (w *intmdWatch) reset(hits, _ []uint64) {
	if !w.streams.inReset() {
		w.beatBins.reset(hits, &w.flow)
	}
	w.streams.reset(hits)
	w.clear()
}

// Streams of intmd in the order of streams.all.
const (
	intmdRx = iota
	intmdCnt
	intmdCfg
	intmdTx
	intmdCfgr
)

func (w *intmdWatch) packet(n int) *intmdPacket { return &w.packets[n-w.first] }

// tableEntry is entry[port] of this cycle.
func (w *intmdWatch) tableEntry(port int) uint64 {
	if !w.filled {
		return 0
	}
	return uint64(w.entryRate[port])<<60 | w.entryTime>>16<<36 | uint64(w.entryTx[port]>>7&0xfffff)<<16 | uint64(min(w.entryQl[port]/80, 65535))
}

func (w *intmdWatch) cycle(hits []uint64, in, out []uint64) {
	w.streams.cycle(hits, in, out)
	if w.swept++; w.swept <= w.ports {
		return
	}
	s := w.flow.step()
	added := w.flow.adds()
	w.beatBins.cycle(hits, &w.flow, s, w.moved(intmdRx))
	if s.released {
		b := w.flow.beat(s.issued)
		w.decide(hits, w.packet(b.packet), b.last)
	}
	inc := &w.inc
	counted, pushed, grows := false, false, false
	switch {
	case s.popped >= 0:
		b := w.flow.beat(s.popped)
		p := w.packet(b.packet)
		pushed = true
		if b.index == 0 {
			w.lookup(hits, p, inc)
			counted = true
		}
		grows = b.last && p.grows()
	case added && !s.waits:
		pushed = true
		inc[intmd.WordAddedBeats]++
		counted = true
	case added:
		hits[w.fact.at1(intAddedWaits)]++
	}
	if counted || w.reported || w.cfg.waits() {
		w.configure(hits, inc)
		*inc = [intmd.NumWords]uint32{}
	} else {
		w.move(hits)
	}
	w.flow.finish(s, pushed, grows, w.moved(intmdTx))
	if w.reported = w.moved(intmdCnt); w.reported {
		intmd.UnpackCnt(in, &w.report)
	}
	if w.moved(intmdRx) {
		w.accept(in)
	}
	if ev := w.cfg.finish(in, w.moved(intmdCfg), w.moved(intmdCfgr)); ev != nil {
		w.answer(hits, ev, out)
	}
	if w.moved(intmdTx) {
		w.take(hits, out)
	}
}

func (w *intmdWatch) accept(in []uint64) {
	if w.inside && w.packet(w.count-1).beats >= 2 {
		w.rx.Keep, w.rx.Last = w.rxEnd.read(in) // nobody looks at the rest
	} else {
		intmd.UnpackRx(in, &w.rx)
	}
	if !w.inside {
		w.packets = append(w.packets, intmdPacket{side: w.rx})
		w.count++
	}
	p := w.packet(w.count - 1)
	n := 64
	if w.rx.Last {
		n = onesBelow(w.rx.Keep)
		p.last = n
	}
	if p.beats < 2 {
		for k := range 8 {
			binary.LittleEndian.PutUint64(p.head[64*p.beats+8*k:], w.rx.Data[k])
		}
		p.n = 64*p.beats + n
	}
	p.beats++
	w.flow.accept(w.count-1, w.rx.Last)
	w.inside = !w.rx.Last
}

// decide is the block's decision, with the registers of this cycle.
func (w *intmdWatch) decide(hits []uint64, p *intmdPacket, whole bool) {
	f := p.n
	if !whole {
		f = int(p.side.Len)
	}
	p.p = parse(p.head[:p.n], f, int(w.regs[intmd.RegUdpPort]))
	q := &p.p
	w.wideBins.sort(hits, q, f)
	p.cause = q.cause
	if q.cause == 0 {
		w.header(hits, p)
	}
	sort := b2i(p.data)
	if !w.causes.hit(hits, p.cause, q.family, q.tags, 0) {
		w.disagree()
	}
	if q.cause == codeTruncated || q.cause == codeHeader || q.cause == codeLength {
		hits[w.reason.at1(q.why)]++
	}
	if q.cause != 0 {
		return
	}
	w.types.hit(hits, q.kind, b2i(p.cause == 0), 0, 0)
	if p.cause >= int(intmd.CauseOff) {
		w.late.hit(hits, p.cause-int(intmd.CauseOff), sort, 0, 0)
	}
	if p.cause == 0 {
		w.into.hit(hits, sort, q.family, q.tags, 0)
		hits[w.place.at1(p.at%64/4)]++
		hits[w.hops.at1(hopClass(p.hops))]++
		if q.family == famIPv4 {
			hits[w.options.at1(q.words)]++
		}
	}
}

// header is the decision from the UET type on.
func (w *intmdWatch) header(hits []uint64, p *intmdPacket) {
	q := &p.p
	o := 12
	switch q.kind {
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
	hits[w.mode.at2(int(mode), b2i(p.data))]++
	if mode>>b2i(p.data)&1 == 0 {
		p.cause = int(intmd.CauseOff)
		return
	}
	g := q.h + 8 + o
	hits[w.prologue.at1(side(int64(q.plen), int64(8+o+8)))]++
	if q.plen < 8+o+8 {
		p.cause = int(intmd.CauseAbsent)
		return
	}
	if be16(p.head[:], g) != int(w.regs[intmd.RegMagic]) {
		p.cause = int(intmd.CauseAbsent)
		return
	}
	h, hmax := int(p.head[g+2]), int(p.head[g+3])
	hits[w.room.at1(side(int64(h), int64(hmax)))]++
	form := intFormClass(p.head[g+4]^intmd.Form, p.head[g+5]^^uint8(hmax), h > hmax)
	hits[w.form.at1(form)]++
	if form != 0 {
		p.cause = int(intmd.CauseMalformed)
		return
	}
	hits[w.entries.at1(side(int64(q.plen), int64(8+o+8+8*h)))]++
	if q.plen < 8+o+8+8*h {
		p.cause, q.why = int(intmd.CauseLength), rOther
		return
	}
	if h < hmax {
		most := int(w.regs[intmd.RegMaxFrame])
		hits[w.frame.at1(side(int64(q.end+8), int64(most)))]++
		if q.end+8 > 65535 && (q.end+8)&65535 <= most {
			hits[w.frameBits.at1(0)]++
		}
		if q.end+8 <= most && q.end+8 > most&32767 {
			hits[w.frameBits.at1(1)]++
		}
	}
	if h == hmax || q.end+8 > int(w.regs[intmd.RegMaxFrame]) {
		p.cause = int(intmd.CauseNoRoom)
		return
	}
	index := p.index()
	hits[w.index.at2(portClass(index, w.ports), b2i(p.data))]++
	if index >= w.ports {
		p.cause = int(intmd.CauseRange)
		return
	}
	p.hops, p.at = h+1, g+8+8*h
}

// intFormClass sorts an INT header by the bits wrong in its form and in the complement.
func intFormClass(form, complement uint8, beyond bool) int {
	one := func(v uint8) int { return 1 - b2i(v&(v-1) == 0) } // 0: one bit
	switch {
	case form != 0 && complement != 0:
		return 5
	case form != 0:
		return 1 + one(form)
	case complement != 0:
		return 3 + one(complement)
	}
	return 6 * b2i(beyond)
}

func (p *intmdPacket) index() int {
	if p.data {
		return int(p.side.OutPort)
	}
	return int(p.side.InPort)
}

// lookup is the cycle in which a packet's first beat leaves the store.
func (w *intmdWatch) lookup(hits []uint64, p *intmdPacket, inc *[intmd.NumWords]uint32) {
	inc[0]++
	if p.cause != 0 {
		inc[p.cause]++
		return
	}
	inc[intmd.WordAcks+b2i(p.data)]++
	i := p.index()
	p.entry = w.tableEntry(i)
	hits[w.rates.at1(int(p.entry>>60))]++
	switch {
	case w.stale == 0:
		hits[w.staleness.at1(0)]++
	case w.stale < 8:
		hits[w.staleness.at1(1)]++
	default:
		hits[w.staleness.at1(2)]++
	}
	q := w.entryQl[i]
	hits[w.queue.at1(queueClass(q))]++
	ts, tx := p.entry>>36&(1<<24-1), p.entry>>16&0xfffff
	if w.lastLookup && w.lastIndex == i {
		if ts < w.lastTS {
			hits[w.fact.at1(intTimeWraps)]++
		}
		if tx < w.lastTx {
			hits[w.fact.at1(intBytesWrap)]++
		}
	}
	w.lastLookup, w.lastIndex, w.lastTS, w.lastTx = true, i, ts, tx
	sum := w.udpSum(p)
	if k := carries(sum); k >= 0 && p.p.sum != 0 {
		hits[w.carry.at1(k)]++
	}
	switch {
	case p.p.sum == 0:
		hits[w.checksum.at1(0)]++
	case sum > 0 && sum%0xffff == 0:
		hits[w.checksum.at1(2)]++
	default:
		hits[w.checksum.at1(1)]++
	}
}

// udpSum adds up the words that the new checksum is made of. A multiple of 0xffff comes out as 0 and is sent as 0xffff.
func (w *intmdWatch) udpSum(p *intmdPacket) int {
	g := p.at - 8*p.hops
	old := be16(p.head[:], g+2)
	l := p.p.plen
	sum := (^int(p.p.sum) & 0xffff) + 2*((^l&0xffff)+(l+8)&0xffff) + (^old & 0xffff) + (old+256)&0xffff
	for k := range 4 {
		sum += int(p.entry >> (16 * k) & 0xffff)
	}
	return sum
}

// take compares what comes out with what was followed.
func (w *intmdWatch) take(hits, out []uint64) {
	intmd.UnpackTx(out, &w.out)
	if w.taken >= w.count {
		w.disagree()
		return
	}
	p := w.packet(w.taken)
	if w.out.Inserted != (p.cause == 0) || int(w.out.Cause) != p.cause || int(w.out.Hops) != p.hops || w.out.OutPort != p.side.OutPort {
		w.disagree()
	}
	if !w.out.Last {
		return
	}
	w.taken++
	w.beatBins.packet(hits, p.beats, p.last, b2i(p.cause != 0), int(p.side.Len), intmd.HeadBeats)
	if p.cause == 0 {
		w.frames(hits, p)
	}
	w.packets = append(w.packets[:0], w.packets[1:]...)
	w.first++
}

// frames sorts a packet with an entry by where it ends.
func (w *intmdWatch) frames(hits []uint64, p *intmdPacket) {
	n := p.size()
	hits[w.ends.at2(side(int64(n), int64(p.at)), b2i(p.grows()))]++
	if n > p.p.end {
		hits[w.fact.at1(intPadding)]++
	}
	if n/64 == p.at/64 && n >= p.at {
		hits[w.fact.at1(intLastBeat)]++
	}
	if p.at >= 128 {
		hits[w.fact.at1(intBeyondHead)]++
	}
}
