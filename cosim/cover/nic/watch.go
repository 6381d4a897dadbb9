package nic

import (
	"bytes"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Streams of nic in the order of its schema, inputs before outputs.
const (
	rxStream = iota
	cmdStream
	txStream
	indStream
	noteStream
	rspStream
)

// watch follows nic from commands and what arrives to notes, packets and answers.
type watch struct {
	cover.Streams
	cover.Disagreement
	bins
	host

	now   int64
	sweep int

	waits       held    // streams that wait in this cycle
	inside      bool    // a packet comes in
	taken       []int64 // cycles in which notes were taken since the reset
	last        nic.Note
	dues        cover.Queue[due]
	gones       cover.Queue[gone]
	out         assembly
	offered     int64                 // cycle from which what is at tx is offered, -1: nothing
	txEnd       int64                 // cycle of the last beat before, -1: none
	txWas       int                   // and whose it was
	sprays      []sprays              // of each context
	knows       []learned             // of each PDC to send with
	touched     []int64               // cycle up to which a command can have changed it
	unaddressed []bool                // contexts that have had a packet without a template
	answers     cover.Queue[answered] // at tx, without an ind
	inds        cover.Queue[nic.Ind]  // that are answered, without an answer
	pdcsOf      []int                 // state of each PDC that sources can open, as far as the host leaves it alone
	midInd      []int                 // beats that the packet had when an ind came that is answered
	counters    [2]counter            // unaddressed and written
	spare       [][]byte              // storage of packets
	noteFree    int64                 // last cycle in which no note waited
	busy        int64                 // last cycle in which anything happened that can have a packet leave
	reads       [2]reading            // of the counters while nothing did
	begun       uint32                // packets whose first beat has left since the reset
	packetNotes uint32                // notes of packets taken since then
	noteSince   int64

	made []byte // storage of a packet
	cmd  nic.Cmd
	note nic.Note
	ind  nic.Ind
	rsp  nic.Response
	tx   nic.Tx
	rx   nic.Rx
}

// sprays is how many packets of a context were begun since its form was loaded: a range where that is not known.
type sprays struct {
	loads  int
	lo, hi int
}

// answered is an answer at tx.
type answered struct {
	tag   uint32
	bytes []byte
}

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.contexts, w.receives = params["Contexts"], params["Receives"]
	w.pdcs = nic.Slots * w.contexts
	w.sweep = max(w.pdcs*nic.Window, w.receives)
	w.Streams.Define(p, b, w.sweep)
	w.bins.define(p)
	w.sprays, w.knows = make([]sprays, w.contexts), make([]learned, w.pdcs)
	w.pdcsOf = make([]int, w.receives)
	w.touched, w.unaddressed = make([]int64, w.pdcs), make([]bool, w.contexts)
	w.clear()
}

func (w *watch) clear() {
	w.host.clear()
	w.now, w.inside, w.taken = 0, false, w.taken[:0]
	w.last = nic.Note{}
	for i := range w.gones {
		w.spare = append(w.spare, w.gones[i].bytes)
	}
	for i := range w.answers {
		w.spare = append(w.spare, w.answers[i].bytes)
	}
	w.dues, w.gones, w.answers, w.inds, w.midInd = w.dues[:0], w.gones[:0], w.answers[:0], w.inds[:0], w.midInd[:0]
	w.out = assembly{bytes: w.out.bytes[:0]}
	w.offered, w.txEnd, w.noteSince, w.noteFree = -1, -1, -1, 0
	w.busy, w.reads = 0, [2]reading{}
	clear(w.sprays)
	clear(w.knows)
	clear(w.touched)
	clear(w.pdcsOf)
	clear(w.unaddressed)
	w.counters, w.begun, w.packetNotes = [2]counter{}, 0, 0
}

func (w *watch) Reset(hits cover.Hits, in []uint64) {
	if !w.Streams.InReset() && w.Streams.SinceReset() > w.sweep {
		w.found(hits)
	}
	w.Streams.Reset(hits)
	w.clear()
}

// found counts what a reset finds.
func (w *watch) found(hits cover.Hits) {
	hits.Each(w.finds.At1(0), w.inside, w.out.open && !w.out.answer, w.out.open && w.out.answer, w.waits.note, w.waits.ind,
		w.waits.rsp, len(w.cmds) > 0, w.owing() > 0, w.waits.rxFull, w.waits.cmdFull)
}

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	w.now++
	w.look(in, out)
	if out[0]&nic.OutNoteValid == 0 {
		w.noteFree = w.now
	}
	if w.Moved(rspStream) {
		nic.UnpackResponse(out, &w.rsp)
		w.answer(hits)
	}
	w.sortNotes(hits, out)
	if w.Moved(indStream) {
		nic.UnpackInd(out, &w.ind)
		w.indicate(hits)
	}
	if w.offered < 0 && out[0]&nic.OutTxValid != 0 {
		w.offered = w.now
	}
	if w.Moved(txStream) {
		nic.UnpackTx(out, &w.tx)
		w.leave(hits)
	}
	w.pair(hits)
	w.pairAnswers(hits)
	if w.Moved(rxStream) {
		nic.UnpackRx(in, &w.rx)
		w.inside = !w.rx.Last
	}
	if w.Moved(cmdStream) {
		nic.UnpackCmd(in, &w.cmd)
		w.command(&w.cmd, w.now)
		w.touch(&w.cmd, ever)
	}
	w.drained(hits, in, out)
	hits.If(w.Moved(noteStream) && w.Moved(rspStream), w.fact.BothInOneCycle)
	if w.Moved(noteStream) {
		hits[w.owed.At1(cover.Band(w.owing(), 1, 2, 5))]++
	}
}

// owing returns the number of packets that are known to leave, and have not, although their notes are taken; at most
// that of the last band.
func (w *watch) owing() (n int) {
	for i := len(w.gones); i < len(w.dues) && n < 5; i++ {
		if x := &w.dues[len(w.dues)-1+len(w.gones)-i]; !w.without(int(x.PDC)/nic.Slots, x.lo, w.now) {
			n++
		}
	}
	return n
}

// touch notes that a command may change what a PDC's packets show.
func (w *watch) touch(x *nic.Cmd, until int64) {
	k := txpdc.Kind(x.Kind)
	if x.Target == nic.TargetDestination && k == txpdc.KindLoad && x.Addr == 0 &&
		int(x.Index) < w.receives {
		w.pdcsOf[x.Index] = anything
	}
	if x.Target == nic.TargetSource && int(x.Index) < w.pdcs &&
		(k == txpdc.KindOpen || k == txpdc.KindLoad && x.Addr < 2) {
		w.touched[x.Index] = until
		w.knows[x.Index] = learned{}
	}
}

// answer takes a response.
func (w *watch) answer(hits cover.Hits) {
	r := &w.rsp
	if len(w.cmds) == 0 {
		w.Differ("a response to no command: %+v", *r)
		return
	}
	x := w.host.answered(w.now)
	w.touch(&x.Cmd, w.now)
	if x.templates > 0 {
		w.forget(int(x.Index), w.oldest())
	}
	if r.Target != x.Target || r.Kind != x.Kind || r.Index != x.Index || x.judged && r.Refused != x.refused ||
		x.known && r.Data != x.data {
		w.Differ("command %+v answered %+v, want refused %v (known %v), data %#x (known %v)", x.Cmd, *r, x.refused, x.judged,
			x.data, x.known)
	}
	if r.Refused && (r.Busy || r.Missing || r.Data != 0 || r.PSN != 0 && x.judged) ||
		r.Busy && (r.Missing || r.Data != 0) ||
		r.Busy && (x.Target != nic.TargetSource || x.Kind < uint8(txpdc.KindOpen)) ||
		r.Missing && x.Target != nic.TargetWindow && x.Target != nic.TargetTimes ||
		r.PSN != 0 && x.Target != nic.TargetTimes {
		w.Differ("command %+v answered %+v, which has fields that do not go together", x.Cmd, *r)
	}
	o := cover.First(!r.Refused && !r.Busy && !r.Missing, r.Refused, r.Busy)
	if !w.outcome.Hit(hits, int(x.Target), int(x.Kind), o, 0) {
		w.Differ("command %+v answered %+v, an outcome that it does not have", x.Cmd, *r)
	}
	t := min(int(x.Target), 6)
	if !w.took.Hit(hits, t, cover.Band(w.now-x.at, 4, 16, 64), 0, 0) {
		w.Differ("command %+v answered after %d cycles", x.Cmd, w.now-x.at)
	}
	if t < 6 {
		hits.Each(w.behind.At2(t, 0), w.waits.note, w.out.open && !w.out.answer, w.out.open && w.out.answer, w.waits.rx)
	}
	if x.Target == nic.TargetWriter && !r.Refused {
		w.access.Hit(hits, int(x.Kind)-1, int(x.Addr), 0, 0)
		w.counted(hits, &x)
	}
}

// leave takes a beat at tx.
func (w *watch) leave(hits cover.Hits) {
	t, a := &w.tx, &w.out
	who := cover.Bit(!t.Answer)
	if !a.open {
		*a = assembly{open: true, answer: t.Answer, tag: t.Tag, bytes: a.bytes[:0], begun: w.offered}
		if !t.Answer {
			w.begun++
		}
		if w.txEnd >= 0 {
			hits[w.turn.At3(w.txWas, who, cover.Bit(w.now > w.txEnd+1))]++
			hits.If(w.now == w.txEnd+1, w.fact.NoGap)
		}
	}
	if t.Answer != a.answer || t.Tag != a.tag {
		w.Differ("tag or answer change within a packet at tx: %d, %v after %d, %v", t.Tag, t.Answer, a.tag, a.answer)
	}
	if !a.take(t) {
		w.Differ("a beat at tx whose keep or bytes beyond it are wrong: keep %#x, last %v", t.Keep, t.Last)
	}
	w.offered = -1
	if !t.Last {
		return
	}
	a.open, w.txEnd, w.txWas = false, w.now, who
	for _, n := range w.midInd {
		hits.If(!a.answer, w.midPacket.At1(cover.Band(a.beats-n, 2, 4)))
	}
	w.midInd = w.midInd[:0]
	if len(w.spare) == 0 {
		w.spare = append(w.spare, make([]byte, 0, 1<<14)) // of all but the largest packets
	}
	k := len(w.spare) - 1
	b := append(w.spare[k][:0], a.bytes...)
	w.spare = w.spare[:k]
	if a.answer {
		w.answers = append(w.answers, answered{a.tag, b})
		return
	}
	w.gones = append(w.gones, gone{a.tag, b, a.begun - nic.Write - 1})
}

// pair matches packets at tx with notes.
func (w *watch) pair(hits cover.Hits) {
	for len(w.dues) > 0 && len(w.gones) > 0 {
		n, g, c := &w.dues[0], &w.gones[0], &w.counters[0]
		ctx := int(n.PDC) / nic.Slots
		none, left := w.without(ctx, n.lo, g.hi), true
		switch {
		case w.match(hits, n, g):
			hits.If(w.unaddressed[ctx], w.fact.AddressedAgain)
			if none {
				c.none-- // a like note can be the packet's instead
			} else if n.lo > c.at {
				c.other++
			}
		case none:
			w.unaddressed[ctx], left = true, false
			hits[w.fact.Unaddressed]++
			if n.lo > c.at {
				c.none++
			}
		default:
			w.unlike(n, g)
		}
		if left {
			w.spare = append(w.spare, g.bytes)
			w.gones.Pop()
		}
		w.dues.Pop()
		w.forget(ctx, w.oldest())
	}
}

// oldest returns a cycle before which nothing matters to a packet that is to come.
func (w *watch) oldest() int64 {
	if len(w.dues) > 0 {
		return w.dues[0].lo
	}
	return w.lowest(0)
}

// lowest returns a cycle before which a note cannot have settled: the next one, or one of the last few by more.
func (w *watch) lowest(more int) int64 {
	since := int64(0)
	if more == 0 {
		since = w.noteFree
	}
	k := len(w.taken) - nic.Notes - more
	if k < 0 {
		return since
	}
	return max(since, w.taken[k]+1)
}

// without reports whether a context can have been without a form in some cycle between two.
func (w *watch) without(ctx int, lo, hi int64) bool {
	for i := range w.templates[ctx] {
		if x := &w.templates[ctx][i]; x.size() == 0 && x.from < hi && x.to >= lo {
			return true
		}
	}
	return false
}

// match makes the packet of a note with every version in force, and reports whether one gives the packet at tx.
func (w *watch) match(hits cover.Hits, n *due, g *gone) bool {
	ctx := int(n.PDC) / nic.Slots
	c := &w.sprays[ctx]
	var fits *template
	var with *shared
	var count, pds, templates, shareds, first, newest int
	sure, exact := true, false
	for i := range w.templates[ctx] {
		x := &w.templates[ctx][i]
		if x.size() == 0 || x.from >= g.hi || x.to < n.lo {
			continue
		}
		templates++
		lo, hi := c.lo, c.hi
		if x.loads != c.loads {
			lo, hi = 0, 0 // the first packet of a form
		}
		shareds = 0
		for k := range w.shareds {
			s := &w.shareds[k]
			if s.from >= g.hi || s.to < n.lo {
				continue
			}
			shareds++
			for at := lo; at <= hi; at++ {
				var p int
				w.made, p = frame(w.made, &n.Note, x, s, uint16(at), g.bytes)
				if !bytes.Equal(w.made, g.bytes) {
					continue
				}
				if fits == nil {
					first = x.loads
				}
				sure = sure && (fits == nil || count == at)
				fits, with, count, pds, newest, exact = x, s, at, p, x.loads, lo == hi || s.spray == 0xffff
				if s.spray == 0 {
					break // any count
				}
			}
		}
	}
	if fits == nil || int(g.pdc) != int(n.PDC) {
		return false
	}
	// The next count follows from this one, where it is known; where it is not, the packets of a form are counted.
	switch {
	case first != newest: // of which form it is, is not known
		if c.loads == newest {
			c.hi++
		} else {
			*c = sprays{loads: newest, lo: 0, hi: 1}
		}
	case newest != c.loads:
		*c = sprays{loads: newest, lo: 1, hi: 1}
	case with.spray == 0xffff && sure:
		c.lo, c.hi = count+1, count+1
	default:
		c.lo, c.hi = c.lo+1, c.hi+1
	}
	if !sure || !exact {
		count = -1
	}
	w.sortPacket(hits, n, g, fits, with, count, pds)
	hits[w.versions.At2(cover.Bit(templates > 1), cover.Bit(shareds > 1))]++
	return true
}

// unlike describes a packet that is not its note's.
func (w *watch) unlike(n *due, g *gone) {
	if ctx := int(n.PDC) / nic.Slots; ctx < w.contexts {
		list := w.templates[ctx]
		x := &list[len(list)-1]
		if x.size() > 0 {
			w.made, _ = frame(w.made, &n.Note, x, &w.shareds[len(w.shareds)-1], uint16(w.sprays[ctx].lo), g.bytes)
			at := 0
			for at < min(len(w.made), len(g.bytes)) && w.made[at] == g.bytes[at] {
				at++
			}
			w.Differ("packet of PDC %d, %d bytes, is not that of its note %+v: by what was written last it has %d bytes and "+
				"differs from byte %d on: %x, got %x", g.pdc, len(g.bytes), n.Note, len(w.made), at,
				w.made[at:min(at+16, len(w.made))], g.bytes[at:min(at+16, len(g.bytes))])
			return
		}
	}
	w.Differ("packet of PDC %d, %d bytes, is not that of its note %+v, whose context has no template", g.pdc, len(g.bytes),
		n.Note)
}
