package switchport

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/frame"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// packet is a packet between rx and tx.
type packet struct {
	side    switchport.Rx // of its first beat
	beats   int
	length  int
	settled bool // no register of egress can have changed between its end and its note
	writes  int  // egress register writes accepted before its end
	quiet   bool // nor can a grant have come between
	grants  int
	noteLen uint16
	trimmed bool
	verdict verdictTime
	size    packetSize
}

// grantState is a grant without an answer.
type grantState struct {
	settled       bool
	writes, ended int
	quiet         bool
	comes         arrival
	inForce       int // place in the history of the trimmer's registers
}

// sending is an answer that sends a packet.
type sending struct {
	gr      switchport.Gr
	p       packet
	matched bool // p is known; it is not while its note has not been taken
	settled bool
	answer  answerTime
	inForce int // when its grant was accepted
}

// leaving is a packet that has left.
type leaving struct {
	port, hops, beats, bytes int
	inserted                 bool
}

// watch follows packets from rx to note, answer and tx, and the registers of egress from what is written to
// them. It sees what happens inside only by its effects at the ports, so it leaves out a threshold when a register or a
// grant may have changed while the packet asked.
type watch struct {
	cover.Streams
	cover.Disagreement
	bins
	inner
	ports, slots int

	arrived  cover.Queue[packet] // begun at rx, without a note
	inside   bool                // the last of them goes on
	ended    int                 // packets ended at rx since the reset
	noted    int
	accepted [2]uint8 // of the last two beats: bit 0 first, bit 1 last
	stalled  bool

	queue   [64][egress.Classes]cover.Queue[packet]
	bytes   [64][egress.Classes]int64
	total   int64
	queued  int
	pause   [64]bool
	grants  cover.Queue[grantState]
	granted int
	sends   cover.Queue[sending]
	outs    cover.Queue[leaving]
	out     leaving
	outOpen bool
	gap     int // cycles since the last beat of a packet at tx
	single  bool

	cfg       cover.Queue[switchport.Cfg] // accepted, without an answer
	writes    int                         // register writes to egress accepted
	open      int                         // and not answered
	regs      [egress.NumRegs]uint64
	noteValid bool // in the cycle before
	grValid   bool
	noteMoved bool
	order     order
	sizes     sizes
	weighed   int // of outs and sends, those whose length was compared

	rx   switchport.Rx
	ev   switchport.Cfg
	req  switchport.Grant
	note switchport.Note
	gr   switchport.Gr
	tx   switchport.Tx
	ans  switchport.Cfgr
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.ports, w.slots = params["NumPorts"], params["Slots"]
	w.Streams.Define(p, b, w.ports)
	w.bins.define(p, w.ports, params["Depth"], w.slots)
	w.inner.define(p, w.ports)
	w.clear()
}

func (w *watch) clear() {
	w.arrived, w.inside, w.ended, w.noted, w.accepted, w.stalled = w.arrived[:0], false, 0, 0, [2]uint8{}, false
	for i := range w.ports {
		for c := range w.queue[i] {
			w.queue[i][c].Clear()
		}
	}
	w.bytes, w.total, w.queued, w.pause = [64][egress.Classes]int64{}, 0, 0, [64]bool{}
	w.grants, w.granted, w.sends, w.outs, w.outOpen, w.gap = w.grants[:0], 0, w.sends[:0], w.outs[:0], false, 1<<20
	w.cfg, w.writes, w.open = w.cfg[:0], 0, 0
	for a := range w.regs {
		w.regs[a] = egress.RegInfo[a].Reset
	}
	w.noteValid, w.grValid, w.noteMoved = false, false, false
	w.order = order{}
	w.long.Clear()
	w.sizes.clear()
	w.weighed = 0
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.Streams.InReset() && w.Streams.SinceReset() > w.ports {
		hits.Each(w.finds.At1(0), w.inside, w.queued > 0, w.outOpen, w.noteValid, w.grValid, len(w.cfg) > 0, w.stalled)
	}
	w.Streams.Reset(hits)
	w.clear()
}

// Streams of switchport in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	grantStream
	cfgStream
	txStream
	noteStream
	grStream
	cfgrStream
)

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.show(out)
	if w.Streams.SinceReset() > w.ports {
		w.stops(hits, in, out)
	}
	noteValid, grValid := out[0]&switchport.OutNoteValid != 0, out[0]&switchport.OutGrValid != 0
	if noteValid && grValid && !w.noteValid && !w.grValid {
		switchport.UnpackNote(out, &w.note)
		switchport.UnpackGr(out, &w.gr)
		hits[w.coincide.At2(cover.Bit(!noteQueued(&w.note)), cover.Bit(w.gr.Empty || w.gr.Refused))]++
	}
	w.freedTogether(hits, out)
	w.gap++
	if w.Moved(noteStream) {
		switchport.UnpackNote(out, &w.note)
		w.sortNote(hits)
		hits.If(w.noteMoved, w.fact.TwoNotesInARow)
	}
	w.noteMoved = w.Moved(noteStream)
	if w.Moved(grStream) {
		switchport.UnpackGr(out, &w.gr)
		w.sortAnswer(hits)
	}
	if w.Moved(txStream) {
		w.leave(hits, out)
	}
	if w.Moved(cfgrStream) {
		switchport.UnpackCfgr(out, &w.ans)
		w.answer(hits)
	}
	if w.Moved(rxStream) {
		w.accept(hits, in)
	}
	w.follow(hits, out[0]&switchport.OutRxReady != 0)
	if w.Moved(grantStream) {
		switchport.UnpackGrant(in, &w.req)
		w.grants = append(w.grants, grantState{settled: w.open == 0, writes: w.writes, ended: w.ended,
			quiet: w.ended == w.noted, comes: w.coming(), inForce: w.sizes.inForce})
		w.granted++
	}
	if w.Moved(cfgStream) {
		switchport.UnpackCfg(in, &w.ev)
		w.cfg = append(w.cfg, w.ev)
		if holdsGrants(&w.ev) {
			w.order.exclusive++
			w.order.open++
		}
		if w.writesEgress(&w.ev) {
			w.writes++
			w.open++
		}
		if w.writesTrim(&w.ev) {
			w.sizes.wrote(&w.ev)
		}
	}
	w.pair(hits)
	w.noteValid, w.grValid = noteValid, grValid
}

func (w *watch) writesEgress(x *switchport.Cfg) bool {
	return x.Target == switchport.TargetEgress && egress.Kind(x.Kind) == egress.KindCfgWrite
}

func (w *watch) stops(hits cover.Hits, in, out []uint64) {
	hits[w.awaitNote.At1(waiting(w.ended-w.noted))]++
	hits[w.awaitGr.At1(waiting(len(w.grants)))]++
	if w.stalled = out[0]&switchport.OutRxReady == 0; w.stalled {
		// Two beats are held: the one before the last accepted stands at the head.
		hits[[4]int{w.stall.Middle, w.stall.First, w.stall.Last, w.stall.Single}[w.accepted[0]]]++
	}
	grWaits := out[0]&switchport.OutGrValid != 0 && in[0]&switchport.InGrReady == 0
	txWaits := out[0]&switchport.OutTxValid != 0 && in[0]&switchport.InTxReady == 0
	hits.If(out[0]&switchport.OutGrantReady == 0, w.grantStall.At1(cover.First(grWaits, txWaits)))
	w.answerWaiting(hits, in, out)
	if len(w.cfg) > 0 && w.cfg[0].Target == switchport.TargetEgress && w.ended > w.noted {
		cfgr := out[0]&switchport.OutCfgrValid != 0
		note := out[0]&switchport.OutNoteValid != 0
		hits.If(cfgr && in[0]&switchport.InCfgrReady == 0 && !note && w.ended > w.noted+1, w.fact.NotesHeldByCfg)
		hits.If(!cfgr && note && in[0]&switchport.InNoteReady == 0 && w.ended > w.noted+4, w.fact.CfgBehindNotes)
	}
}

func (w *watch) accept(hits cover.Hits, in []uint64) {
	switchport.UnpackRx(in, &w.rx)
	w.accepted[0], w.accepted[1] = w.accepted[1], uint8(cover.Bit(!w.inside)|cover.Bit(w.rx.Last)<<1)
	if !w.inside {
		w.order.begins = true
		w.arrived = append(w.arrived, packet{side: w.rx})
	}
	p := &w.arrived[len(w.arrived)-1]
	w.sizes.beat(&p.size, p.beats, &w.rx)
	p.beats++
	if w.inside = !w.rx.Last; w.inside {
		return
	}
	n := frame.LastBytes(w.rx.Keep)
	hits[w.lastBytes.At1(n)]++
	p.length = 64*(p.beats-1) + n
	w.sizes.end(&p.size, p.length)
	p.settled, p.writes = w.open == 0, w.writes
	p.quiet, p.grants = len(w.grants) == 0, w.granted
	w.ended++
}

func (w *watch) answer(hits cover.Hits) {
	if len(w.cfg) == 0 {
		w.Differ("an answer to no cfg event")
		return
	}
	x := w.cfg.Pop()
	r := &w.ans
	if r.Target != x.Target || r.Kind != x.Kind || r.Port != x.Port || r.Refused != w.refuses(&x) {
		w.Differ("cfg %+v answered %+v", x, *r)
	}
	hits[w.cfgKind.At2(int(x.Target), int(x.Kind))]++
	w.cfgAnswer.Hit(hits, int(x.Target), cover.Bit(r.Refused), 0, 0)
	if w.writesEgress(&x) {
		w.open--
	}
	if holdsGrants(&x) {
		w.order.open--
	}
	if w.writesTrim(&x) {
		w.sizes.inForce++
	}
	if x.Target == switchport.TargetEgress && egress.Kind(x.Kind) == egress.KindRead && !r.Refused {
		w.inner.read(hits, x.Addr, r.Data)
	}
	if k := egress.Kind(x.Kind); r.Refused || x.Target > 2 || k != egress.KindCfgWrite && k != egress.KindCfgRead {
		return
	}
	w.access.Hit(hits, int(x.Target), int(x.Kind)-int(egress.KindCfgWrite), int(x.Addr), 0)
	if x.Target == switchport.TargetEgress && egress.Kind(x.Kind) == egress.KindCfgRead && r.Data != w.regs[x.Addr] {
		w.Differ("register %d of egress: %d, followed %d", x.Addr, r.Data, w.regs[x.Addr])
	}
	if w.writesEgress(&x) {
		v := uint64(x.Data) & (1<<egress.RegInfo[x.Addr].Width - 1)
		if x.Addr == egress.RegSeed {
			v = max(v, 1)
		}
		w.regs[x.Addr] = v
	}
}

func (w *watch) leave(hits cover.Hits, out []uint64) {
	switchport.UnpackTx(out, &w.tx)
	t := &w.tx
	if !w.outOpen {
		w.outOpen = true
		w.out = leaving{port: int(t.Port), hops: int(t.Hops), inserted: t.Inserted}
		hits.If(w.gap < 1<<20, w.follows.At2(cover.Bit(!w.single), cover.Bit(w.gap > 1)))
		hits.If(w.gap == 1, w.fact.NoGap)
		hits.If(w.inside && w.Moved(rxStream), w.fact.CutThrough)
	}
	if w.out.port != int(t.Port) || w.out.hops != int(t.Hops) || w.out.inserted != t.Inserted {
		w.Differ("sideband at tx moves within a packet")
	}
	w.out.beats++
	w.out.bytes += 64
	if t.Last {
		w.out.bytes += frame.LastBytes(t.Keep) - 64
		w.outs = append(w.outs, w.out)
		w.outOpen, w.gap, w.single = false, 0, w.out.beats == 1
	}
}
