package egress

import port "github.com/goldwire/goldwire/vectors/event/egress"

const (
	maxDeficit = 1<<24 - 1
	lfsrTaps   = 0x80200003 // x^32 + x^22 + x^2 + x + 1
)

// Deq executes one grant and fills all of rsp. Source: contract.md, "Grants".
func (q *Queues) Deq(ev *port.Deq, rsp *port.Deqr) {
	*rsp = port.Deqr{Port: ev.Port}
	if int(ev.Port) >= len(q.ports) {
		rsp.Refused = true
		return
	}
	x := &q.ports[ev.Port]
	if !x.busy() {
		rsp.Empty = true
		q.evaluateXoff(x)
		rsp.PortBytes, rsp.Xoff = x.bytes, x.xoff
		return
	}

	c := q.schedule(x)
	k := &x.class[c]
	d := *k.first()
	k.rd++
	k.deqPkts++
	k.deqBytes += uint32(d.Len)
	k.bytes -= uint32(d.Len)
	x.bytes -= uint32(d.Len)
	q.shared -= uint32(d.Len)

	if c == 0 && d.ECT && q.mark(k.bytes) {
		rsp.Ce = true
		k.marks++
	}
	q.evaluateXoff(x)
	rsp.Cls, rsp.Id, rsp.Len = port.Cls(c), d.ID, d.Len
	rsp.Trimmed, rsp.LastHop = d.Trimmed, d.LastHop
	rsp.Depth, rsp.PortBytes, rsp.Xoff = k.bytes, x.bytes, x.xoff
}

// schedule chooses the class that a busy port serves and updates the scheduler's state to the one after the removal of
// that class's first packet.
func (q *Queues) schedule(x *egressPort) int {
	switch port.Sched(q.cfg[port.RegSched]) {
	case port.SchedDrr:
		return q.roundRobin(x, 3)
	case port.SchedHighDrr:
		if x.class[port.ClsHigh].busy() {
			return int(port.ClsHigh)
		}
		return q.roundRobin(x, 2)
	}
	for c := port.Classes - 1; c > 0; c-- {
		if x.class[c].busy() {
			return c
		}
	}
	return 0
}

// roundRobin executes one step of DRR over the classes below n, at least one of which is busy.
func (q *Queues) roundRobin(x *egressPort, n int) int {
	c := int(x.ptr)
	if k := &x.class[c]; c < n && k.busy() && k.deficit >= uint32(k.first().Len) {
		k.deficit -= uint32(k.first().Len)
	} else {
		for { // the pointer's own class comes last
			if c++; c == port.Classes {
				c = 0
			}
			if c < n && x.class[c].busy() {
				break
			}
		}
		x.ptr = uint8(c)
		k := &x.class[c]
		d := min(k.deficit+q.cfg[port.RegQuantumLow+c], maxDeficit)
		k.deficit = d - min(d, uint32(k.first().Len))
	}
	if k := &x.class[c]; k.packets() == 1 { // not busy after the removal
		k.deficit = 0
	}
	return c
}

// mark decides on ECN with depth bytes in the low queue after the packet. It draws only when the thresholds alone do
// not decide.
func (q *Queues) mark(depth uint32) bool {
	switch port.ECNMode(q.cfg[port.RegECNMode]) {
	case port.ECNModeDeterministic:
		return depth > q.cfg[port.RegKDet]
	case port.ECNModeProbabilistic:
		kMin, kMax := q.cfg[port.RegKMin], q.cfg[port.RegKMax]
		if depth <= kMin {
			return false
		}
		if depth >= kMax {
			return true
		}
		q.lfsr = Draw(q.lfsr)
		r := uint64(q.lfsr & 0xffff)
		return r*uint64(kMax-kMin) < uint64(depth-kMin)*uint64(q.cfg[port.RegPMax])
	}
	return false
}

// Draw returns the state of the LFSR after one draw; the low 16 bits are the number drawn.
func Draw(lfsr uint32) uint32 {
	for range port.DrawSteps {
		lfsr = lfsr>>1 ^ -(lfsr&1)&lfsrTaps
	}
	return lfsr
}
