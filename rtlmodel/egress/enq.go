package egress

import port "github.com/goldwire/goldwire/vectors/event/egress"

// Enq executes one enq event and fills all of rsp. Source: contract.md, "enq events".
func (q *Queues) Enq(ev *port.Enq, rsp *port.Enqr) {
	*rsp = port.Enqr{Kind: ev.Kind, Port: ev.Port, Id: ev.Id}
	switch ev.Kind {
	case port.KindCfgWrite, port.KindCfgRead:
		rsp.Refused = !q.configure(ev, rsp)
		return
	case port.KindEnq, port.KindLoad, port.KindRead:
	default:
		rsp.Refused = true
		return
	}
	if int(ev.Port) >= len(q.ports) || ev.Cls >= port.Classes {
		rsp.Refused = true
		return
	}
	switch ev.Kind {
	case port.KindEnq:
		q.admit(ev, rsp)
	case port.KindLoad:
		rsp.Refused = !q.load(ev)
	case port.KindRead:
		if rsp.Refused = ev.Addr >= port.NumWords; !rsp.Refused {
			w := q.Words(int(ev.Port), int(ev.Cls))
			rsp.Data = uint32(w.Word(int(ev.Addr)))
		}
	}
}

// configure executes CFG_WRITE and CFG_READ. It returns false when the event is refused.
func (q *Queues) configure(ev *port.Enq, rsp *port.Enqr) bool {
	addr := int(ev.Addr)
	if addr >= port.NumRegs {
		return false
	}
	if ev.Kind == port.KindCfgRead {
		rsp.Data = q.cfg[addr]
		return true
	}
	q.cfg[addr] = ev.Data & regMask(addr)
	if addr == port.RegSeed {
		q.cfg[addr] = nonZero(ev.Data)
		q.lfsr = q.cfg[addr]
	}
	return true
}

// nonZero returns a valid state of the LFSR: the state 0 would never change.
func nonZero(v uint32) uint32 { return max(v, 1) }

// load executes LOAD on a port and class that exist. It returns false when the event is refused.
func (q *Queues) load(ev *port.Enq) bool {
	x := &q.ports[ev.Port]
	k := &x.class[ev.Cls]
	switch ev.Addr {
	case port.WordEnqPkts:
		k.enqPkts = ev.Data
	case port.WordEnqBytes:
		k.enqBytes = ev.Data
	case port.WordDeqPkts:
		k.deqPkts = ev.Data
	case port.WordDeqBytes:
		k.deqBytes = ev.Data
	case port.WordTrims:
		k.trims = ev.Data
	case port.WordDrops:
		k.drops = ev.Data
	case port.WordMarks:
		k.marks = ev.Data
	case port.WordDeficit:
		k.deficit = ev.Data & maxDeficit
	case port.WordDrrPtr:
		if ev.Data&3 == 3 {
			return false
		}
		x.ptr = uint8(ev.Data & 3)
	case port.WordLfsr:
		q.lfsr = nonZero(ev.Data)
	default: // words that follow from the packets held, and addresses beyond the last word
		return false
	}
	return true
}

// admit queues, trims or drops a packet. Sums use 64 bits, in which they are exact.
func (q *Queues) admit(ev *port.Enq, rsp *port.Enqr) {
	x := &q.ports[ev.Port]
	c, n := ev.Cls, ev.Len

	limit := q.cfg[port.RegTrim]
	if ev.LastHop {
		limit = q.cfg[port.RegTrimLasthop]
	}
	due := c == port.ClsLow && ev.Trimmable && q.cfg[port.RegTrimEn] == 1 &&
		uint64(x.class[0].bytes)+uint64(n) > uint64(limit)
	if due && ev.TrimSize > 0 {
		x.class[0].trims++
		c = port.ClsMedium
		n = ev.TrimSize
		rsp.Trimmed = true
	}

	k := &x.class[c]
	switch {
	case due && !rsp.Trimmed:
		rsp.Cause = port.CauseUntrimmable
	case uint64(k.bytes)+uint64(n) > uint64(q.cfg[port.RegDropLow+int(c)]):
		rsp.Cause = port.CauseLimit
	case uint64(q.shared)+uint64(n) > uint64(q.cfg[port.RegShared]):
		rsp.Cause = port.CauseShared
	case k.packets() == uint32(len(k.desc)):
		rsp.Cause = port.CauseFull
	}
	if rsp.Cause != port.CauseNone {
		rsp.Verdict = port.VerdictDrop
		k.drops++
	} else {
		rsp.Verdict = port.VerdictAdmit
		if rsp.Trimmed {
			rsp.Verdict = port.VerdictTrim
		}
		k.desc[k.wr&uint32(len(k.desc)-1)] = Descriptor{
			ID: ev.Id, Len: n, Trimmed: rsp.Trimmed, LastHop: ev.LastHop, ECT: ev.Ect,
		}
		k.wr++
		k.enqPkts++
		k.enqBytes += uint32(n)
		k.bytes += uint32(n)
		x.bytes += uint32(n)
		q.shared += uint32(n)
	}
	q.evaluateXoff(x)
	rsp.Cls, rsp.Len = c, n
	rsp.Depth, rsp.PortBytes, rsp.Xoff = k.bytes, x.bytes, x.xoff
}
