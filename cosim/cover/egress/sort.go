package egress

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/queue"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// sort puts an event with its response into bins and follows what it did.
func (w *watch) sort(hits []uint64, e *issued) {
	w.update.count(hits)
	if e.grant {
		egress.UnpackDeq(e.in[:], &w.deq)
		egress.UnpackDeqr(e.out[:], &w.deqr)
		w.sortGrant(hits, e)
		return
	}
	egress.UnpackEnq(e.in[:], &w.enq)
	egress.UnpackEnqr(e.out[:], &w.enqr)
	ev, r := &w.enq, &w.enqr
	hits[w.kind.At1(int(min(ev.Kind, egress.NumKinds)))]++
	want := -1
	switch {
	case ev.Kind >= egress.NumKinds:
		want = refuseKind
	case ev.Kind == egress.KindCfgWrite || ev.Kind == egress.KindCfgRead:
		if ev.Addr >= egress.NumRegs {
			want = refuseReg
		}
	case int(ev.Port) >= w.ports:
		want = refusePort
	case ev.Cls == 3:
		want = refuseClass
	case ev.Kind == egress.KindEnq:
	case ev.Addr >= egress.NumWords:
		want = refuseWord
	case ev.Kind == egress.KindLoad && (ev.Addr < 2 || ev.Addr == 10 || ev.Addr == 12):
		want = refuseReadOnly
	case ev.Kind == egress.KindLoad && ev.Addr == 11 && ev.Data&3 == 3:
		want = refusePointer
	}
	if r.Refused != (want >= 0) {
		w.Differ("%+v refused %v", *ev, r.Refused)
	}
	if want >= 0 {
		hits[w.refused.At1(want)]++
		w.refusedBeside(hits, e, besideRefused, -1)
		return
	}
	if ev.Kind == egress.KindRead && e.same && w.lastServed.port >= 0 {
		w.readIn(hits, ev, w.lastServed.port, w.lastServed.cls, e.behind)
	}
	switch ev.Kind {
	case egress.KindEnq:
		w.sortEnq(hits, e)
	case egress.KindCfgWrite:
		hits[w.bins.regs.At2(0, int(ev.Addr))]++
		v := uint64(ev.Data) & (1<<egress.RegInfo[ev.Addr].Width - 1)
		if ev.Addr == egress.RegSeed {
			hits[w.bins.lfsr.At1(cover.Bit(v != 0))]++
			v = max(v, 1)
			w.lfsr = uint32(v)
		}
		w.regs[ev.Addr] = v
	case egress.KindCfgRead:
		hits[w.bins.regs.At2(1, int(ev.Addr))]++
		if uint64(r.Data) != w.regs[ev.Addr] {
			w.Differ("register %d: %d", ev.Addr, r.Data)
		}
	default:
		if ev.Kind == egress.KindRead && ev.Addr == egress.WordDrrPtr && !e.same {
			w.found(hits, &w.state[ev.Port], 0)
		}
		w.access(hits, ev, r)
	}
}

// access follows LOAD and READ of a state word.
func (w *watch) access(hits []uint64, ev *egress.Enq, r *egress.Enqr) {
	p := &w.state[ev.Port]
	q := &p.q[ev.Cls]
	load := ev.Kind == egress.KindLoad
	w.words.Hit(hits, cover.Bit(!load), int(ev.Addr), wordClass(int(ev.Addr), int(ev.Cls)), 0)
	if load {
		switch a := ev.Addr; a {
		case 9:
			q.deficit = uint64(ev.Data) & (1<<24 - 1)
		case 11:
			p.ptr = int(ev.Data & 3)
		case 13:
			hits[w.bins.lfsr.At1(2+cover.Bit(ev.Data != 0))]++
			w.lfsr = max(ev.Data, 1)
		default:
			q.counters[a-2] = ev.Data
		}
		return
	}
	var want uint64
	switch a := ev.Addr; a {
	case 0:
		want = q.bytes
	case 1:
		want = uint64(q.n())
	case 9:
		want = q.deficit
	case 10:
		want = p.bytes()
	case 11:
		want = uint64(p.ptr | cover.Bit(p.xoff)<<4)
	case 12:
		want = w.total
	case 13:
		want = uint64(w.lfsr)
	default:
		want = uint64(q.counters[a-2])
	}
	if uint64(r.Data) != want {
		w.Differ("word %d of port %d class %d: %d, followed %d", ev.Addr, ev.Port, ev.Cls, r.Data, want)
	}
}

// count adds to counter word 2+i of a queue.
func (w *watch) count(hits []uint64, q *fifo, cls, i int, n uint32) {
	before := q.counters[i]
	q.counters[i] += n
	if q.counters[i] < before {
		w.wrap.Hit(hits, i, cls, 0, 0)
	}
}

// Counters by their place in a fifo.
const (
	cntEnqPkts = iota
	cntEnqBytes
	cntDeqPkts
	cntDeqBytes
	cntTrims
	cntDrops
	cntMarks
)

// sortEnq follows the admission of a packet.
func (w *watch) sortEnq(hits []uint64, e *issued) {
	ev, r := &w.enq, &w.enqr
	p := &w.state[ev.Port]
	c, n := int(ev.Cls), uint64(ev.Len)
	if w.ports == 1 || ev.Port == 0 {
		hits[w.lastPort.At1(0)]++
	} else if int(ev.Port) == w.ports-1 {
		hits[w.lastPort.At1(1)]++
	}
	switch ev.Len {
	case 0, 1:
		hits[w.bins.len.At2(int(ev.Len), c)]++
	case 65535:
		hits[w.bins.len.At2(3, c)]++
	default:
		hits[w.bins.len.At2(2, c)]++
	}
	hits[w.trimWhat.At3(int(w.regs[egress.RegTrimEn]), cover.Bit(ev.Trimmable), c)]++
	trimmed, untrimmable := false, false
	if c == 0 && ev.Trimmable && w.regs[egress.RegTrimEn] == 1 {
		limit := w.regs[egress.RegTrim]
		if ev.LastHop {
			limit = w.regs[egress.RegTrimLasthop]
		}
		hits[w.trimSide.At2(cover.Side(int64(p.q[0].bytes+n), int64(limit)), cover.Bit(ev.LastHop))]++
		w.far(hits, highTrim+cover.Bit(ev.LastHop), p.q[0].bytes+n, limit)
		if p.q[0].bytes+n > limit {
			size := uint64(ev.TrimSize)
			hits[w.trimSize.At1(trimSizeClass(ev.TrimSize))]++
			if untrimmable = size == 0; !untrimmable {
				w.count(hits, &p.q[0], 0, cntTrims, 1)
				hits[w.trimLen.At1(1+cover.Bit(n > size)-cover.Bit(n < size))]++
				c, n, trimmed = 1, size, true
			}
		}
	}
	q := &p.q[c]
	limit := w.regs[egress.RegDropLow+c]
	verdict, cause := egress.VerdictAdmit, egress.CauseNone
	if !untrimmable {
		hits[w.dropSide.At2(cover.Side(int64(q.bytes+n), int64(limit)), c)]++
		w.far(hits, highDrop+c, q.bytes+n, limit)
		hits[w.fullSide.At2(queue.Level(q.n(), w.depth), c)]++
	}
	if e.same {
		w.sortPair(hits, e, q.n(), c)
	}
	switch {
	case untrimmable:
		verdict, cause = egress.VerdictDrop, egress.CauseUntrimmable
	case q.bytes+n > limit:
		verdict, cause = egress.VerdictDrop, egress.CauseLimit
	case w.total+n > w.regs[egress.RegShared]:
		verdict, cause = egress.VerdictDrop, egress.CauseShared
	case q.n() == w.depth:
		verdict, cause = egress.VerdictDrop, egress.CauseFull
	case trimmed:
		verdict = egress.VerdictTrim
	}
	if cause != egress.CauseLimit && !untrimmable {
		hits[w.sharedSide.At2(cover.Side(int64(w.total+n), int64(w.regs[egress.RegShared])), c)]++
		w.far(hits, highShared, w.total+n, w.regs[egress.RegShared])
	}
	w.verdict.Hit(hits, queue.Verdict(cause, trimmed), c, 0, 0)
	if verdict == egress.VerdictDrop {
		w.count(hits, q, c, cntDrops, 1)
		w.refusedBeside(hits, e, besideCause[cause], c)
	} else {
		w.sum(hits, carryQueue, q.bytes, q.bytes+n)
		w.sum(hits, carryPort, p.bytes(), p.bytes()+n)
		w.sum(hits, carryShared, w.total, w.total+n)
		w.sum(hits, carryEnq, uint64(q.counters[cntEnqBytes]), uint64(q.counters[cntEnqBytes])+n)
		q.packets = append(q.packets, packet{ev.Id, uint16(n), trimmed, ev.LastHop, ev.Ect})
		q.bytes += n
		w.total += n
		for k := range 2 {
			if mark := uint64(1) << (31 + k); q.passed < mark && q.passed+n >= mark {
				hits[w.passed.At1(k)]++
			}
		}
		q.passed += n
		w.count(hits, q, c, cntEnqPkts, 1)
		w.count(hits, q, c, cntEnqBytes, uint32(n))
	}
	if port := p.bytes(); !e.same && port > w.regs[egress.RegXon] && port < w.regs[egress.RegXoff] {
		w.found(hits, p, 1)
	}
	w.pause(hits, p, 0)
	want := egress.Enqr{Kind: ev.Kind, Port: ev.Port, Id: ev.Id, Verdict: verdict, Cause: cause, Cls: egress.Cls(c),
		Len:     uint16(n),
		Trimmed: trimmed, Depth: uint32(q.bytes), PortBytes: uint32(p.bytes()), Xoff: p.xoff}
	if *r != want {
		w.Differ("enqueue: %+v, followed %+v", *r, want)
	}
}

// refusedBeside sorts an event that changes nothing but a count, in the cycle of a grant; cls is the class of a packet
// that is not admitted, -1 for other events.
func (w *watch) refusedBeside(hits []uint64, e *issued, what, cls int) {
	if !e.same || w.lastServed.port < 0 {
		return
	}
	where := ofOther
	switch {
	case w.lastServed.port == int(w.enq.Port) && w.lastServed.cls == cls:
		where = ofQueue
	case w.lastServed.port == int(w.enq.Port):
		where = ofPort
	}
	w.beside.Hit(hits, what, where, 0, 0)
}

// trimSizeClass sorts the length that trimming would leave.
func trimSizeClass(size uint16) int {
	switch size {
	case 0, 1:
		return int(size)
	case 64:
		return 2
	case 65535:
		return 4
	}
	return 3
}

// sortPair sorts an enqueue that issued together with a grant, which took effect just before it.
func (w *watch) sortPair(hits []uint64, e *issued, n, c int) {
	if w.lastServed.port < 0 {
		return
	}
	switch {
	case w.lastServed.port != int(w.enq.Port):
		hits[w.pair.At2(2, queue.Level(n, w.depth))]++
	case w.lastServed.cls != c:
		hits[w.pair.At2(1, queue.Level(n, w.depth))]++
	default:
		hits[w.pair.At2(0, queue.Level(n, w.depth))]++
	}
}

// pause evaluates the pause request of a port.
func (w *watch) pause(hits []uint64, p *portState, by int) {
	n, before := p.bytes(), p.xoff
	w.far(hits, highXoff, n, w.regs[egress.RegXoff])
	if before && n < w.regs[egress.RegXoff] {
		w.far(hits, highXon, n, w.regs[egress.RegXon])
	}
	hits[w.xoffSide.At2(cover.Side(int64(n), int64(w.regs[egress.RegXoff])), cover.Bit(before))]++
	hits[w.xonSide.At2(cover.Side(int64(n), int64(w.regs[egress.RegXon])), cover.Bit(before))]++
	switch {
	case n >= w.regs[egress.RegXoff]:
		p.xoff = true
	case n <= w.regs[egress.RegXon]:
		p.xoff = false
	}
	move := 0
	switch {
	case before && p.xoff:
		move = 3
	case before:
		move = 2
	case p.xoff:
		move = 1
	}
	hits[w.xoffMove.At2(by, move)]++
	if by != 2 || move == 1 || move == 2 {
		p.byEmpty = by == 2
	}
}

// sortGrant follows a grant.
func (w *watch) sortGrant(hits []uint64, e *issued) {
	ev, r := &w.deq, &w.deqr
	w.lastServed.port, w.lastServed.cls = -1, 0
	want := egress.Deqr{Port: ev.Port}
	if int(ev.Port) >= w.ports {
		want.Refused = true
		hits[w.refused.At1(refuseGrant)]++
		hits[w.empty.At1(1)]++
	} else if p := &w.state[ev.Port]; p.q[0].n()+p.q[1].n()+p.q[2].n() == 0 {
		hits[w.empty.At1(0)]++
		w.pause(hits, p, 2)
		want.Empty, want.Xoff = true, p.xoff
	} else {
		hits[w.empty.At1(2)]++
		if int(ev.Port) == w.ports-1 {
			hits[w.empty.At1(3)]++
		}
		w.serve(hits, e, p, &want)
	}
	if *r != want {
		w.Differ("grant: %+v, followed %+v", *r, want)
	}
}

// serve follows the scheduler and ECN.
func (w *watch) serve(hits []uint64, e *issued, p *portState, want *egress.Deqr) {
	mode := int(w.regs[egress.RegSched])
	set := 0
	for c := range p.q {
		if p.q[c].n() > 0 {
			set |= 1 << c
		}
	}
	ptr := p.ptr
	enough := set>>ptr&1 != 0 && p.q[ptr].deficit >= p.q[ptr].first()
	c := serves(set, mode, ptr, enough)
	w.served.Hit(hits, set, mode, c, 0)
	q := &p.q[c]
	if mode == 1 || mode == 2 && set&4 == 0 {
		_, how := drrStep(set, mode, ptr, enough)
		w.drr.Hit(hits, ptr, how, mode-1, 0)
		l := q.first()
		if how == 0 {
			hits[w.stays.At1(cover.Side(int64(q.deficit), int64(l))-2)]++
			q.deficit -= l
		} else {
			p.ptr = c
			quantum := w.regs[egress.RegQuantumLow+c]
			d := min(q.deficit+quantum, 1<<24-1)
			if q.deficit+quantum > d {
				hits[w.saturated.At1(c)]++
			}
			hits[w.quanta.At1(1+cover.Bit(quantum >= l)+cover.Bit(quantum > l)-cover.Bit(quantum == 0 && l > 0))]++
			hits[w.spent.At1(cover.Side(int64(d), int64(l)))]++
			if d >= l {
				q.deficit = d - l
			} else {
				q.deficit = 0
			}
		}
	}
	pkt := q.pop()
	if (mode == 1 || mode == 2 && set&4 == 0) && q.n() > 0 && q.deficit > 0 {
		// The deficit stays and no bound hides it, so that a wrong bit of the length would show.
		for l := uint64(pkt.len); l != 0; l &= l - 1 {
			hits[w.charged.At2(bits.TrailingZeros64(l), c)]++
		}
	}
	w.sum(hits, carryQueue, q.bytes, q.bytes-uint64(pkt.len))
	w.sum(hits, carryPort, p.bytes(), p.bytes()-uint64(pkt.len))
	w.sum(hits, carryShared, w.total, w.total-uint64(pkt.len))
	w.sum(hits, carryDeq, uint64(q.counters[cntDeqBytes]), uint64(q.counters[cntDeqBytes])+uint64(pkt.len))
	q.bytes -= uint64(pkt.len)
	w.total -= uint64(pkt.len)
	if mode == 1 || mode == 2 && set&4 == 0 {
		if q.n() == 0 {
			q.deficit = 0
			hits[w.keeps.At1(1+cover.Bit(e.same && w.arrives(p, c)))]++
		} else {
			hits[w.keeps.At1(0)]++
		}
	}
	w.count(hits, q, c, cntDeqPkts, 1)
	w.count(hits, q, c, cntDeqBytes, uint32(pkt.len))
	lfsr := w.lfsr
	ce := c == 0 && pkt.ect && w.marks(hits, q.bytes)
	w.update.last = granted{ce, w.lfsr != lfsr, mode == 1 || mode == 2 && set&4 == 0}
	w.mark.Hit(hits, cover.Bit(ce), int(w.regs[egress.RegECNMode]), cover.Bit(pkt.ect), c)
	if ce {
		w.count(hits, q, 0, cntMarks, 1)
	}
	w.pause(hits, p, 1)
	w.lastServed.port, w.lastServed.cls = int(want.Port), c
	want.Cls, want.Id, want.Len, want.Ce = egress.Cls(c), pkt.id, pkt.len, ce
	want.Trimmed, want.LastHop = pkt.trimmed, pkt.lastHop
	want.Depth, want.PortBytes, want.Xoff = uint32(q.bytes), uint32(p.bytes()), p.xoff
}

// arrives reports whether the enq event issued together with the grant being sorted asks for a place in that
// class of the port.
func (w *watch) arrives(p *portState, c int) bool {
	if w.head+1 >= len(w.order) || w.order[w.head+1].grant {
		return false
	}
	var ev egress.Enq
	egress.UnpackEnq(w.order[w.head+1].in[:], &ev)
	return ev.Kind == egress.KindEnq && int(ev.Port) < w.ports && &w.state[ev.Port] == p && int(ev.Cls) == c
}

// marks is the ECN decision for a capable packet of the low class.
func (w *watch) marks(hits []uint64, d uint64) bool {
	switch w.regs[egress.RegECNMode] {
	case 1:
		hits[w.detSide.At1(cover.Side(int64(d), int64(w.regs[egress.RegKDet])))]++
		w.far(hits, highKDet, d, w.regs[egress.RegKDet])
		return d > w.regs[egress.RegKDet]
	case 2:
		kmin, kmax, pmax := w.regs[egress.RegKMin], w.regs[egress.RegKMax], w.regs[egress.RegPMax]
		hits[w.minSide.At1(cover.Side(int64(d), int64(kmin)))]++
		w.far(hits, highKMin, d, kmin)
		if d <= kmin {
			return false
		}
		hits[w.maxSide.At1(cover.Side(int64(d), int64(kmax)))]++
		w.far(hits, highKMax, d, kmax)
		if d >= kmax {
			return true
		}
		for range egress.DrawSteps {
			low := w.lfsr & 1
			w.lfsr >>= 1
			if low != 0 {
				w.lfsr ^= 0x80200003
			}
		}
		r := uint64(w.lfsr & 0xffff)
		hits[w.product.At1(cover.Bit(r*(kmax-kmin) >= 1<<38))]++
		ce := r*(kmax-kmin) < (d-kmin)*pmax
		w.draw.Hit(hits, cover.Bit(ce), cover.Bit(pmax > 0)+cover.Bit(pmax >= 65536), 0, 0)
		return ce
	}
	return false
}
