package egress

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/queue"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// sort puts an event with its response into bins and follows what it did.
func (w *watch) sort(hits cover.Hits, e *issued) {
	w.long.Count(hits)
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
		want = w.refused.Kind
	case ev.Kind == egress.KindCfgWrite || ev.Kind == egress.KindCfgRead:
		if ev.Addr >= egress.NumRegs {
			want = w.refused.Reg
		}
	case int(ev.Port) >= w.ports:
		want = w.refused.Port
	case ev.Cls == 3:
		want = w.refused.Class
	case ev.Kind == egress.KindEnq:
	case ev.Addr >= egress.NumWords:
		want = w.refused.Word
	case ev.Kind == egress.KindLoad && (ev.Addr < 2 || ev.Addr == 10 || ev.Addr == 12):
		want = w.refused.ReadOnly
	case ev.Kind == egress.KindLoad && ev.Addr == 11 && ev.Data&3 == 3:
		want = w.refused.Pointer
	}
	if r.Refused != (want >= 0) {
		w.Differ("%+v refused %v", *ev, r.Refused)
	}
	if want >= 0 {
		hits[want]++
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

func (w *watch) access(hits cover.Hits, ev *egress.Enq, r *egress.Enqr) {
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
	words := [egress.NumWords]uint64{0: q.bytes, 1: uint64(q.n()), 9: q.deficit, 10: p.bytes(),
		11: uint64(p.ptr | cover.Bit(p.xoff)<<4), 12: w.total, 13: uint64(w.lfsr)}
	for i, n := range q.counters {
		words[2+i] = uint64(n)
	}
	want := words[ev.Addr]
	if uint64(r.Data) != want {
		w.Differ("word %d of port %d class %d: %d, followed %d", ev.Addr, ev.Port, ev.Cls, r.Data, want)
	}
}

// count adds to counter word 2+i of a queue.
func (w *watch) count(hits cover.Hits, q *fifo, cls, i int, n uint32) {
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

func (w *watch) sortEnq(hits cover.Hits, e *issued) {
	ev, r := &w.enq, &w.enqr
	p := &w.state[ev.Port]
	c, n := int(ev.Cls), uint64(ev.Len)
	hits.Each(w.lastPort.At1(0), ev.Port == 0, ev.Port > 0 && int(ev.Port) == w.ports-1)
	hits[w.bins.len.At2(cover.Band(ev.Len, 1, 2, 65535), c)]++
	hits[w.trimWhat.At3(int(w.regs[egress.RegTrimEn]), cover.Bit(ev.Trimmable), c)]++
	trimmed, untrimmable := false, false
	if c == 0 && ev.Trimmable && w.regs[egress.RegTrimEn] == 1 {
		limit := w.regs[egress.RegTrim]
		if ev.LastHop {
			limit = w.regs[egress.RegTrimLasthop]
		}
		queue.Against(hits, &w.trimSide, cover.Bit(ev.LastHop), w.High.Trim[cover.Bit(ev.LastHop)], p.q[0].bytes+n, limit)
		if p.q[0].bytes+n > limit {
			size := uint64(ev.TrimSize)
			hits[w.trimSize.At1([...]int{0, 1, 2, 4, 3}[cover.Among(ev.TrimSize, 0, 1, 64, 65535)])]++
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
		queue.Against(hits, &w.dropSide, c, w.High.Drop[c], q.bytes+n, limit)
		hits[w.fullSide.At2(queue.Level(q.n(), w.depth), c)]++
	}
	if e.same && w.lastServed.port >= 0 { // the grant took effect just before it
		hits[w.pair.At2(w.servedIn(c), queue.Level(q.n(), w.depth))]++
	}
	if k := cover.First(untrimmable, q.bytes+n > limit, w.total+n > w.regs[egress.RegShared], q.n() == w.depth); k < 4 {
		verdict = egress.VerdictDrop
		cause = [...]egress.Cause{egress.CauseUntrimmable, egress.CauseLimit, egress.CauseShared, egress.CauseFull}[k]
	} else if trimmed {
		verdict = egress.VerdictTrim
	}
	if cause != egress.CauseLimit && !untrimmable {
		queue.Against(hits, &w.sharedSide, c, w.High.Shared, w.total+n, w.regs[egress.RegShared])
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
		q.passed += n
		for k, mark := range []uint64{1 << 31, 1 << 32} {
			hits.If(q.passed >= mark && q.passed-n < mark, w.passed.At1(k))
		}
		w.count(hits, q, c, cntEnqPkts, 1)
		w.count(hits, q, c, cntEnqBytes, uint32(n))
	}
	if port := p.bytes(); !e.same && port > w.regs[egress.RegXon] && port < w.regs[egress.RegXoff] {
		w.found(hits, p, 1)
	}
	w.pause(hits, p, 0)
	want := egress.Enqr{Kind: ev.Kind, Port: ev.Port, Id: ev.Id, Verdict: verdict, Cause: cause, Cls: egress.Cls(c),
		Len: uint16(n), Trimmed: trimmed, Depth: uint32(q.bytes), PortBytes: uint32(p.bytes()), Xoff: p.xoff}
	if *r != want {
		w.Differ("enqueue: %+v, followed %+v", *r, want)
	}
}

// refusedBeside sorts an event that changes nothing but a count, in the cycle of a grant; cls is the class of a packet
// that is not admitted, -1 for other events.
func (w *watch) refusedBeside(hits cover.Hits, e *issued, what, cls int) {
	if !e.same || w.lastServed.port < 0 {
		return
	}
	w.beside.Hit(hits, what, w.servedIn(cls), 0, 0)
}

// servedIn returns where the grant of the cycle was served, as besideWhere: in the queue of the event's port and a
// class, in another of its port, or at another port.
func (w *watch) servedIn(cls int) int {
	own := w.lastServed.port == int(w.enq.Port)
	return cover.First(own && w.lastServed.cls == cls, own)
}

func (w *watch) pause(hits cover.Hits, p *portState, by int) {
	n, before := p.bytes(), p.xoff
	queue.Far(hits, w.High.Xoff, n, w.regs[egress.RegXoff])
	if before && n < w.regs[egress.RegXoff] {
		queue.Far(hits, w.High.Xon, n, w.regs[egress.RegXon])
	}
	hits[w.xoffSide.At2(cover.Side(int64(n), int64(w.regs[egress.RegXoff])), cover.Bit(before))]++
	hits[w.xonSide.At2(cover.Side(int64(n), int64(w.regs[egress.RegXon])), cover.Bit(before))]++
	p.xoff = n >= w.regs[egress.RegXoff] || before && n > w.regs[egress.RegXon]
	move := 2*cover.Bit(before) + cover.Bit(p.xoff)
	hits[w.xoffMove.At2(by, move)]++
	if by != 2 || move == 1 || move == 2 {
		p.byEmpty = by == 2
	}
}

func (w *watch) sortGrant(hits cover.Hits, e *issued) {
	ev, r := &w.deq, &w.deqr
	w.lastServed.port, w.lastServed.cls = -1, 0
	want := egress.Deqr{Port: ev.Port}
	if int(ev.Port) >= w.ports {
		want.Refused = true
		hits[w.refused.Grant]++
		hits[w.empty.At1(1)]++
	} else if p := &w.state[ev.Port]; p.q[0].n()+p.q[1].n()+p.q[2].n() == 0 {
		hits[w.empty.At1(0)]++
		w.pause(hits, p, 2)
		want.Empty, want.Xoff = true, p.xoff
	} else {
		hits[w.empty.At1(2)]++
		hits.If(int(ev.Port) == w.ports-1, w.empty.At1(3))
		w.serve(hits, e, p, &want)
	}
	if *r != want {
		w.Differ("grant: %+v, followed %+v", *r, want)
	}
}

// serve follows the scheduler and ECN.
func (w *watch) serve(hits cover.Hits, e *issued, p *portState, want *egress.Deqr) {
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
	drr := mode == 1 || mode == 2 && set&4 == 0
	if drr {
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
			hits.If(q.deficit+quantum > d, w.saturated.At1(c))
			hits[w.quanta.At1(1+cover.Bit(quantum >= l)+cover.Bit(quantum > l)-cover.Bit(quantum == 0 && l > 0))]++
			hits[w.spent.At1(cover.Side(int64(d), int64(l)))]++
			q.deficit = max(d, l) - l
		}
	}
	pkt := q.pop()
	if drr && q.n() > 0 && q.deficit > 0 {
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
	if drr {
		hits[w.keeps.At1(cover.Bit(q.n() == 0)+cover.Bit(q.n() == 0 && e.same && w.arrives(p, c)))]++
		if q.n() == 0 {
			q.deficit = 0
		}
	}
	w.count(hits, q, c, cntDeqPkts, 1)
	w.count(hits, q, c, cntDeqBytes, uint32(pkt.len))
	lfsr := w.lfsr
	ce := c == 0 && pkt.ect && w.marks(hits, q.bytes)
	w.update.last = granted{ce, w.lfsr != lfsr, drr}
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

// found notes that an event looks at a pause request as an empty port left it.
func (w *watch) found(hits cover.Hits, p *portState, by int) {
	hits.If(p.byEmpty, w.byEmpty.At2(cover.Bit(!p.xoff), by))
}

// marks is the ECN decision for a capable packet of the low class.
func (w *watch) marks(hits cover.Hits, d uint64) bool {
	switch w.regs[egress.RegECNMode] {
	case 1:
		queue.Against(hits, &w.detSide, 0, w.High.KDet, d, w.regs[egress.RegKDet])
		return d > w.regs[egress.RegKDet]
	case 2:
		kmin, kmax, pmax := w.regs[egress.RegKMin], w.regs[egress.RegKMax], w.regs[egress.RegPMax]
		queue.Against(hits, &w.minSide, 0, w.High.KMin, d, kmin)
		if d <= kmin {
			return false
		}
		queue.Against(hits, &w.maxSide, 0, w.High.KMax, d, kmax)
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
