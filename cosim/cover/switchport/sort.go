package switchport

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/queue"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// noteQueued reports whether the packet of a note was queued.
func noteQueued(n *switchport.Note) bool {
	return n.Verdict == switchport.VerdictAdmit || n.Verdict == switchport.VerdictTrim
}

func (w *watch) sortNote(hits cover.Hits) {
	n := &w.note
	if w.noted == w.ended {
		w.Differ("a note for no packet")
		return
	}
	p := w.arrived.Pop()
	w.noted++
	want := -1
	switch {
	case p.beats > switchport.SlotBeats:
		want = w.refused.TooLong
	case int(p.side.Port) >= w.ports:
		want = w.refused.Port
	case p.side.Cls == 3:
		want = w.refused.Class
	}
	if n.Id != p.side.Id {
		w.Differ("note %d, next packet is %d", n.Id, p.side.Id)
	}
	if n.Port != p.side.Port || n.Refused != (want >= 0) || !n.Refused && !n.Trimmed && int(n.Len) != p.length {
		w.Differ("note %+v for a packet of %d beats, %d bytes, port %d, class %d",
			*n, p.beats, p.length, p.side.Port, p.side.Cls)
		return
	}
	verdict := [4]int{3, 0, 1, 2}[n.Verdict]
	if !w.beats.Hit(hits, beatClass(p.beats), verdict, 0, 0) {
		w.Differ("%d beats and verdict %v", p.beats, n.Verdict)
	}
	if want >= 0 {
		hits[want]++
		return
	}
	if n.Cls >= egress.Classes {
		w.Differ("a note of class %d", n.Cls)
		return
	}
	port, c, length := int(n.Port), int(n.Cls), int64(n.Len)
	hits.Each(w.rows.At1(0), port == 0, port > 0 && port == w.ports-1)
	dropped := n.Cause != switchport.CauseNone
	w.sizes.settle(&p.size)
	if !w.books(hits, &p) || dropped != (n.Verdict == switchport.VerdictDrop) {
		w.Differ("verdict %+v for a packet that trimming leaves %d bytes of, cause %d", *n, p.size.length, p.size.cause)
	}
	row := queue.Verdict(egress.Cause(n.Cause), n.Trimmed)
	if !w.verdict.Hit(hits, row, c, 0, 0) {
		w.Differ("verdict %+v", *n)
	}
	hits[w.lens.At1(lengthClass(p.length))]++
	w.inner.note(hits, &p, int(n.Len)*cover.Bit(n.Trimmed))
	settled := p.settled && w.writes == p.writes
	quiet := settled && p.quiet && w.granted == p.grants
	if quiet {
		w.sortQuiet(hits, &p, length)
	}
	if settled {
		before := int64(n.Depth)
		if noteQueued(n) {
			before -= length
		}
		if n.Cause != switchport.CauseUntrimmable {
			queue.Against(hits, &w.dropSide, c, w.High.Drop[c], before+length, w.regs[egress.RegDropLow+c])
		}
		w.paused(hits, port, int64(n.PortBytes), n.Xoff)
	}
	if quiet {
		w.pauseMoved(hits, port, n.Xoff, 0)
	}
	w.pause[port] = n.Xoff
	if !noteQueued(n) {
		return
	}
	in := int(p.side.InPort)
	hits[w.inPort.At1(cover.Band(in, w.ports)*(1+in>>7))]++
	p.noteLen, p.trimmed, p.verdict = n.Len, n.Trimmed, w.verdictNow()
	w.bytes[port][c] += length
	w.total += length
	w.queued++
	hits.If(quiet, w.held.At1(queue.Level(w.queued, w.slots)-1))
	for i := range w.sends {
		if s := &w.sends[i]; !s.matched && int(s.gr.Port) == port && int(s.gr.Cls) == c {
			w.match(hits, s, p)
			return
		}
	}
	w.queue[port][c].Push(p)
}

// sortQuiet sorts a packet that asked while no grant and no register moved: what was queued before it is known.
func (w *watch) sortQuiet(hits cover.Hits, p *packet, length int64) {
	n := &w.note
	port, c := int(n.Port), int(n.Cls)
	if p.side.Cls == 0 && p.side.Trimmable && w.regs[egress.RegTrimEn] == 1 {
		limit := w.regs[egress.RegTrim]
		if p.side.LastHop {
			limit = w.regs[egress.RegTrimLasthop]
		}
		s := cover.Side(w.bytes[port][0]+int64(p.length), int64(limit))
		queue.Far(hits, w.High.Trim[cover.Bit(p.side.LastHop)], w.bytes[port][0]+int64(p.length), limit)
		hits[w.trimSide.At2(s, cover.Bit(p.side.LastHop))]++
		if (n.Trimmed || n.Cause == switchport.CauseUntrimmable) != (s > 2) {
			w.Differ("trimmed %v, cause %v with %d bytes queued, %d more, limit %d",
				n.Trimmed, n.Cause, w.bytes[port][0], p.length, limit)
		}
	}
	hits[w.before.At2(beforeClass(len(w.queue[port][c])), c)]++
	if n.Cause != switchport.CauseLimit && n.Cause != switchport.CauseUntrimmable {
		s := cover.Side(w.total+length, int64(w.regs[egress.RegShared]))
		queue.Far(hits, w.High.Shared, w.total+length, w.regs[egress.RegShared])
		hits[w.sharedSide.At2(s, c)]++
		if (n.Cause == switchport.CauseShared) != (s > 2) {
			w.Differ("cause %v with %d bytes queued, %d more, SHARED %d", n.Cause, w.total, length, w.regs[egress.RegShared])
		}
	}
	kept := int64(0)
	if noteQueued(n) {
		kept = length
	}
	w.content("note", port, c, kept, n.Depth, n.PortBytes)
}

// content compares the queued bytes of a note or an answer, where they are known, with what was followed; more are the
// bytes of the packet itself.
func (w *watch) content(what string, port, c int, more int64, depth, portBytes uint32) {
	q := &w.bytes[port]
	if int64(depth) != q[c]+more || int64(portBytes) != q[0]+q[1]+q[2]+more {
		w.Differ("%s: %d bytes in class %d of port %d, %d in all; followed %v and %d more",
			what, depth, c, port, portBytes, *q, more)
	}
}

// paused sorts a port's content against the thresholds of its pause request.
func (w *watch) paused(hits cover.Hits, port int, content int64, xoff bool) {
	queue.Far(hits, w.High.Xoff, content, w.regs[egress.RegXoff])
	if w.pause[port] && content < int64(w.regs[egress.RegXoff]) {
		queue.Far(hits, w.High.Xon, content, w.regs[egress.RegXon])
	}
	if !w.xoffSide.Hit(hits, cover.Side(content, int64(w.regs[egress.RegXoff])), cover.Bit(xoff), 0, 0) {
		w.Differ("no pause at %d bytes", content)
	}
	if content < int64(w.regs[egress.RegXoff]) &&
		!w.xonSide.Hit(hits, cover.Side(content, int64(w.regs[egress.RegXon])), cover.Bit(xoff), 0, 0) {
		w.Differ("pause at %d bytes", content)
	}
}

// pauseMoved sorts what an event did to the pause request of its port.
func (w *watch) pauseMoved(hits cover.Hits, port int, xoff bool, by int) {
	hits[w.xoffMove.At2(by, 2*cover.Bit(w.pause[port])+cover.Bit(xoff))]++
}

func lengthClass(n int) int {
	return [...]int{0, 1, 2, 3, 5, 4}[cover.First(n == 0, n == 1, n < 64, n == 64, n == 64*switchport.SlotBeats)]
}

func (w *watch) sortAnswer(hits cover.Hits) {
	g := &w.gr
	if len(w.grants) == 0 {
		w.Differ("an answer to no grant")
		return
	}
	from := w.grants.Pop()
	settled := from.settled && w.writes == from.writes
	port := int(g.Port)
	quiet := settled && from.quiet && w.ended == from.ended
	if !g.Refused && (port >= w.ports || g.Cls >= egress.Classes) {
		w.Differ("an answer of port %d, class %d: %+v", port, g.Cls, *g)
		return
	}
	switch {
	case g.Refused:
		hits[w.grant.At1(1)]++
		if port < w.ports || g.Id != 0 {
			w.Differ("grant refused: %+v", *g)
		}
		return
	case g.Empty:
		hits[w.grant.At1(0)]++
		if g.Id != 0 {
			w.Differ("empty, with a handle: %+v", *g)
		}
		if quiet {
			w.pauseMoved(hits, port, g.Xoff, 1)
			w.content("empty", port, 0, 0, g.Depth, g.PortBytes)
		}
		w.pause[port] = g.Xoff
		return
	}
	hits[w.grant.At1(2)]++
	hits.If(port == w.ports-1, w.grant.At1(3))
	c := int(g.Cls)
	if settled {
		hits[w.modeClass.At2(int(w.regs[egress.RegSched]), c)]++
		w.paused(hits, port, int64(g.PortBytes), g.Xoff)
	}
	if quiet {
		w.pauseMoved(hits, port, g.Xoff, 1)
	}
	w.pause[port] = g.Xoff
	w.bytes[port][c] -= int64(g.Len)
	w.total -= int64(g.Len)
	if quiet {
		w.content("answer", port, c, 0, g.Depth, g.PortBytes)
	}
	w.queued--
	w.order.cut = g.Trimmed
	w.sends = append(w.sends, sending{gr: *g, settled: settled, answer: w.answerNow(&from), inForce: from.inForce})
	if q := &w.queue[port][c]; len(*q) > 0 {
		w.match(hits, &w.sends[len(w.sends)-1], q.Pop())
	}
}

// match gives an answer its packet: the oldest in the queue of its port and class.
func (w *watch) match(hits cover.Hits, s *sending, p packet) {
	s.p, s.matched = p, true
	g := &s.gr
	if g.Id != p.side.Id || g.Len != p.noteLen || g.Trimmed != p.trimmed {
		w.Differ("grant answered %+v, next in its queue is %d of %d bytes", *g, p.side.Id, p.noteLen)
	}
	w.judge(hits, s)
	if !s.settled {
		return
	}
	mode := int(w.regs[egress.RegECNMode])
	if !w.mark.Hit(hits, cover.Bit(g.Ce), mode, cover.Bit(p.side.Ect), int(g.Cls)) {
		w.Differ("marked in mode %d: %+v", mode, *g)
	}
	if g.Cls != 0 || !p.side.Ect {
		return
	}
	d := int64(g.Depth)
	switch mode {
	case 1:
		queue.Against(hits, &w.detSide, 0, w.High.KDet, d, w.regs[egress.RegKDet])
	case 2:
		hits[w.minSide.At1(cover.Side(d, int64(w.regs[egress.RegKMin])))]++
		hits[w.maxSide.At1(cover.Side(d, int64(w.regs[egress.RegKMax])))]++
		queue.Far(hits, w.High.KMin, d, w.regs[egress.RegKMin])
		queue.Far(hits, w.High.KMax, d, w.regs[egress.RegKMax])
	}
}

// books compares the note of a packet with what can be booked for it: if it is trimmed, the headers and the writer's
// copies must give its length; if it is dropped because it cannot be trimmed, they must give none.
func (w *watch) books(hits cover.Hits, p *packet) bool {
	n, z := &w.note, &p.size
	switch {
	case n.Cause == switchport.CauseUntrimmable:
		hits.If(z.exact && z.cause != 0, w.cannot.At1(z.cause-1))
		return !n.Trimmed && w.sizes.can(z, 0)
	case n.Trimmed:
		return n.Len > 0 && w.sizes.can(z, int(n.Len))
	}
	return n.Verdict != switchport.VerdictTrim
}

// weigh compares the length of every packet that has left with that of the answer that sent it.
func (w *watch) weigh() {
	for ; w.weighed < min(len(w.outs), len(w.sends)); w.weighed++ {
		o, g := &w.outs[w.weighed], &w.sends[w.weighed].gr
		if want := int(g.Len) + intmd.HopBytes*cover.Bit(o.inserted); o.bytes != want {
			w.Differ("packet %d leaves with %d bytes, and %d are booked with inserted %v", g.Id, o.bytes, g.Len, o.inserted)
		}
	}
}

// pair gives packets that have left to the answers that sent them, in order.
func (w *watch) pair(hits cover.Hits) {
	w.weigh()
	for len(w.outs) > 0 && len(w.sends) > 0 && w.sends[0].matched {
		o, s := w.outs.Pop(), w.sends.Pop()
		w.weighed--
		if s.gr.Trimmed {
			w.sortBooked(hits, &s.p.size, s.inForce)
		}
		if o.port != int(s.gr.Port) || o.inserted != (o.hops > 0) {
			w.Differ("answer %+v sends %+v", s.gr, o)
		}
		w.sent.Hit(hits, int(s.gr.Cls), cover.Bit(s.gr.Trimmed), cover.Bit(o.inserted), 0)
		change := 1 + cover.Bit(o.beats > s.p.beats) - cover.Bit(o.beats < s.p.beats)
		if o.beats > s.p.beats+1 || !w.change.Hit(hits, change, cover.Bit(s.gr.Trimmed), cover.Bit(o.inserted), 0) {
			w.Differ("%d beats in, %d out, trimmed %v, inserted %v", s.p.beats, o.beats, s.gr.Trimmed, o.inserted)
		}
		hits[w.hops.At1(min(o.hops, 3))]++
	}
}
