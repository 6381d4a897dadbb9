package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// flow is one message on a connection. Times are negative until they are known.
type flow struct {
	bytes     int64
	packets   int64
	last      int64 // payload of the last packet
	start     units.Picos
	doneAt    units.Picos // last byte at the receiver's application
	ackedAt   units.Picos // last byte acknowledged at the sender
	sum       uint64
	pdc       int32
	round     int32
	rtx       int32
	startPSN  uint32
	next      int32       // in its connection's queue
	waits     int32       // flows still to be delivered before this one begins
	notBefore units.Picos // when it may begin, of a list of messages
	name      int32       // in the file it came from
	mark      bool
	stopped   bool             // it ended before all its bytes were sent
	message   *traffic.Message // of a list of messages, nil for others

	delivered, acked int64 // payload bytes

	timeouts, nacks, probes, spurious int32 // as in FlowResult
}

// room makes the run's tables.
func (s *Hosts) room(contexts, pdcs, flows int) {
	s.ccc = make([]cccState, contexts)
	s.tx = make([]txPDC, pdcs)
	s.rx = make([]rxPDC, pdcs)
	s.flows = make([]flow, 0, flows)
	s.bound = make([]int64, pdcs)
}

// packetsOf returns the number of packets that carry that many bytes.
func (s *Hosts) packetsOf(bytes int64) int64 {
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	return (bytes + payload - 1) / payload
}

// addFlow appends a flow on connection ti and returns its number.
func (s *Hosts) addFlow(ti, round int32, bytes int64) int32 {
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	n := int32(len(s.flows))
	f := flow{bytes: bytes, pdc: ti, round: round, start: -1, doneAt: -1, ackedAt: -1, next: -1, name: n}
	f.packets = s.packetsOf(bytes)
	f.last = f.bytes - (f.packets-1)*payload
	s.flows = append(s.flows, f)
	s.tx[ti].left++
	return n
}

// startFlow gives flow fi to its connection, to be sent after those it has.
func (s sender) startFlow(fi int32) {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	c := &s.ccc[t.ccc]
	if t.ring == nil {
		s.giveMemory(f.pdc)
	}
	if c.cc == nil {
		if err := s.makeCC(c); err != nil {
			s.wheel.Fail(err)
			return
		}
	}
	if !c.opened {
		c.opened = true
		s.clearEvent(cc.KindOpen, t)
		s.step(t.ccc)
	}
	f.start = s.wheel.Now()
	idle := t.unsent == 0 && t.una == t.nxt
	if t.queue < 0 {
		t.queue = fi
	} else {
		s.flows[t.tail].next = fi
	}
	t.tail = fi
	if t.unsent == 0 {
		s.nextFlow(t)
	}
	ev := s.clearEvent(cc.KindNewData, t)
	ev.Size = f.bytes + f.packets*int64(s.spec.HeaderBytes)
	s.step(t.ccc)
	if c.credit && !c.out.CanSend {
		if idle {
			withCredit{s}.request(f.pdc)
		}
		withCredit{s}.await(c)
	}
	s.queueContext(t.ccc)
	s.net.Kick(c.host)
}

// stopFlow ends flow fi with the packets that have been sent. Those are all full: the last one was still to come. What
// is in flight is delivered and acknowledged as ever, resent when it is lost; a tail that the receiver may keep without
// an answer is asked for.
func (s sender) stopFlow(fi int32) {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	if t.flow != fi || t.unsent == 0 {
		return // all of it has been sent
	}
	f.stopped = true
	if s.ccc[t.ccc].credit {
		ev := s.clearEvent(cc.KindNewData, t) // its target must not ask for what will not be sent
		ev.Size = f.last + int64(s.spec.HeaderBytes) + (t.unsent-1)*int64(s.spec.MTU)
		ev.Size = -ev.Size
		s.step(t.ccc)
	}
	f.packets -= t.unsent
	f.last = int64(s.spec.MTU - s.spec.HeaderBytes)
	f.bytes = f.packets * f.last
	t.unsent = 0
	if f.doneAt < 0 && f.delivered == f.bytes {
		s.delivered(fi)
	}
	if f.acked == f.bytes {
		s.flowAcked(fi)
		return
	}
	s.askForTail(f.pdc)
}

// nextFlow lets connection t send the first of its waiting flows, if any.
func (s sender) nextFlow(t *txPDC) {
	if t.queue < 0 {
		return
	}
	f := &s.flows[t.queue]
	t.flow, t.unsent = t.queue, f.packets
	f.startPSN = t.nxt
	t.queue, f.next = f.next, -1
}

// flowAcked ends flow fi at its sender. It begins the connection's next round, or closes the connection when no other
// flow is to come.
func (s sender) flowAcked(fi int32) {
	f := &s.flows[fi]
	f.ackedAt = s.wheel.Now()
	s.count.FlowsAcked++
	ti, t := f.pdc, &s.tx[f.pdc]
	t.left--
	if !t.once && (s.spec.Rounds == 0 || int(f.round)+1 < s.spec.Rounds) {
		s.startFlow(s.addFlow(ti, f.round+1, s.spec.FlowBytes))
	}
	closer(s).close(ti)
}

// release starts the flows that waited for flow fi alone, each at its own time when that is still to come.
func (s *Hosts) release(fi int32) {
	if s.after == nil {
		return
	}
	for _, f := range s.after[fi] {
		if s.flows[f].waits--; s.flows[f].waits == 0 {
			s.wheel.Push(max(s.wheel.Now(), s.flows[f].notBefore), evStart, f)
		}
	}
}
