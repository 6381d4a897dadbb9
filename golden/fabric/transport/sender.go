package transport

import (
	"math/bits"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// States of a transmit entry.
const (
	txFree     uint8 = iota // never sent, or acknowledged
	txInflight              // sent, neither acknowledged nor given up
	txMarked                // given up, waits to be sent again
)

// txEntry is the transmit state of one packet: what txstate holds in hardware
// (time, retransmission count) and what the sender needs to build it again.
//
// There is one for each packet of each window, so it is kept at 16 bytes.
type txEntry struct {
	time    units.Picos
	flow    int32
	entropy uint16
	state   uint8
	marks   uint8 // of those below
}

// Marks of a transmit entry; the retransmission count is 0 for never, 1 for once, 2 for more than once.
const (
	txCount = 3      // retransmission count
	txAsks  = 1 << 2 // its last transmission asked for an ACK
	txLast  = 1 << 3 // it is the last of its flow; all others are full
	txEmpty = 1 << 4 // it is a credit request: a header without payload
)

// rtx returns the entry's retransmission count.
func (e *txEntry) rtx() uint8 { return e.marks & txCount }

// nominal returns the nominal size of the packet of entry e in bytes.
func (s *Hosts) nominal(e *txEntry) int64 {
	if e.marks&txEmpty != 0 {
		return int64(s.spec.HeaderBytes)
	}
	if e.marks&txLast != 0 {
		return s.flows[e.flow].last + int64(s.spec.HeaderBytes)
	}
	return int64(s.spec.MTU)
}

// txPDC is the sending side of a connection. PSNs from una on are in the ring.
type txPDC struct {
	ring   []txEntry
	marked []uint64 // bit psn & mask: waits to be sent again
	mask   uint32
	una    uint32 // lowest PSN not acknowledged
	nxt    uint32 // next new PSN
	nmark  int32

	askedTo uint32

	ccc    int32
	dst    int32
	nicPDC int32
	flow   int32  // being sent, or -1
	span   uint32 // PSNs from una on that may be outstanding
	unsent int64  // packets of it not sent yet
	queue  int32  // flows that wait to be sent after it, linked by flow.next, or -1
	tail   int32
	left   int32  // flows not acknowledged yet, of those known
	first  uint32 // PSN

	requests []uint32 // PSNs of credit requests

	lb     lb.Balancer
	sleek  sleek
	kind   lb.Kind
	index  uint8 // within the context
	class  uint8 // of its data
	steer  uint8 // flagSteer when switches choose its path
	noTrim bool  // its data is dropped where other data is trimmed
	armed  bool  // an evTimer is scheduled
	once   bool  // its memory is given back when the last flow is acknowledged
	tries  uint8 // timeouts in a row
	asked  bool  // every PSN before askedTo is acknowledged when it arrives
	life   life
	last   uint16      // entropy, that of its CLOSE
	timer  units.Picos // when the evTimer that counts is due; others are of the past
	tryAt  units.Picos // when the next timeout counts as another
}

func (t *txPDC) hasWork() bool {
	if t.tries > maxTries {
		return false
	}
	return t.nmark > 0 && !t.beyond() || t.unsent > 0 && !t.full()
}

// lowestMarked returns the first PSN at or after una that waits to be resent; there must be one.
func (t *txPDC) lowestMarked() uint32 {
	base := t.una & t.mask
	words := uint32(len(t.marked))
	w := base >> 6
	b := t.marked[w] >> (base & 63) << (base & 63)
	for b == 0 {
		// After a whole turn the first word is searched below una's bit too.
		w = (w + 1) & (words - 1)
		b = t.marked[w]
	}
	slot := w<<6 | uint32(bits.TrailingZeros64(b))
	return t.una + (slot-base)&t.mask
}

// sendData builds the next packet of connection ti: the lowest PSN that waits to
// be resent, or a new one. The context has been asked and may send.
func (s sender) sendData(c *cccState, ti int32) int32 {
	t := &s.tx[ti]
	entropy := t.lb.Next(int64(s.wheel.Now()))
	if c.out.Inflight+int64(s.spec.MTU) > c.out.Cwnd {
		s.count.WindowBreaks++
	}
	rtx := t.nmark > 0
	var psn uint32
	var e *txEntry
	flags := uint8(0)
	if rtx {
		psn = t.lowestMarked()
		slot := psn & t.mask
		e = &t.ring[slot]
		t.marked[slot>>6] &^= 1 << (slot & 63)
		t.nmark--
		if e.rtx() < 2 {
			e.marks++
		}
		flags = net.FlagRetx | net.FlagAR
		s.flows[e.flow].rtx++
		s.count.Retransmits++
	} else {
		psn = t.nxt
		t.nxt++
		t.unsent--
		e = &t.ring[psn&t.mask]
		*e = txEntry{flow: t.flow}
		if t.unsent == 0 {
			e.marks = txLast
			flags = net.FlagAR
		}
		s.count.NewPackets++
		if t.unsent == 0 {
			s.nextFlow(t)
		}
	}
	e.time, e.entropy, e.state = s.wheel.Now(), entropy, txInflight

	size := s.nominal(e)
	ev := s.clearEvent(cc.KindSend, t)
	ev.PSN, ev.Size, ev.IsRtx, ev.Entropy = psn, size, rtx, entropy
	ev.TxValid, ev.TxTime, ev.RtxCount = true, e.time, e.rtx()
	ev.Sources = s.hosts[c.host].waiting + 1
	s.step(t.ccc)
	target := uint32(0)
	if c.credit {
		flags |= net.FlagCredit
		target = c.out.Target
	}
	if c.out.AckReq || c.everyAck || t.short() {
		flags |= net.FlagAR
	}
	c.sentAt, c.sentSize = s.wheel.Now(), int32(size)
	e.marks &^= txAsks
	if flags&net.FlagAR != 0 {
		e.marks |= txAsks
		t.ask(psn)
	}
	if !t.armed && c.losses == nil {
		s.arm(ti, s.wheel.Now()+c.rto<<t.backoff())
	}

	s.bytes.Sent += size - int64(s.spec.HeaderBytes)
	return s.net.Put(&net.Packet{
		Dst: t.dst, PDC: ti, Flow: e.flow, PSN: psn, Kind: net.PacketData, Class: t.class, Cum: target,
		Size: int32(size), Nominal: int32(size), Entropy: entropy, Flags: flags | t.steer, NoTrim: t.noTrim,
		Span: t.opening(psn),
	})
}

// holds reports whether psn is between una and nxt.
func (t *txPDC) holds(psn uint32) bool { return psn-t.una < t.nxt-t.una }

// acknowledge frees the entry of psn and accounts for it in the run's event.
func (s sender) acknowledge(t *txPDC, psn uint32) {
	slot := psn & t.mask
	e := &t.ring[slot]
	if e.state == txFree {
		return
	}
	if e.state == txMarked {
		t.marked[slot>>6] &^= 1 << (slot & 63)
		t.nmark--
		s.ev.UnmarkPkts++
		s.ev.UnmarkBytes += s.nominal(e)
	} else {
		s.ev.AckedPkts++
	}
	e.state = txFree
	s.ev.AckedPSNs = append(s.ev.AckedPSNs, psn)
	f := &s.flows[e.flow]
	payload := s.nominal(e) - int64(s.spec.HeaderBytes)
	if f.acked += payload; payload > 0 && f.acked == f.bytes {
		s.finished = append(s.finished, e.flow)
	}
}

// onAck handles an ACK at the sender.
func (s sender) onAck(i int32) {
	k := s.net.Pool.At(i)
	ti := k.PDC
	t := &s.tx[ti]
	if t.closed(k) || t.ring == nil {
		s.count.AcksStale++
		return // the connection is over
	}
	if t.life == lifeNew {
		t.opened(k, s.spec.MPR > 0)
	}
	ev := s.clearEvent(cc.KindAck, t)
	ev.PSN, ev.Entropy = k.PSN, k.Entropy
	ev.M, ev.Retx = k.Flags&net.FlagCE != 0, k.Flags&net.FlagRetx != 0
	ev.RcvdBytes, ev.RcvdExact, ev.ServiceTime = cc.RcvdUnits(k.Rcvd), k.Rcvd, k.Service
	ev.RcvCwndPend, ev.RestoreCwnd = k.Pend, k.Flags&net.FlagRestore != 0
	ev.OOO, ev.Flows, ev.MPR = k.OOO, k.Flows, uint8(k.Span)
	probe := k.Flags&net.FlagProbe != 0
	switch {
	case probe:
		s.probeState(t, k)
	case k.Flags&net.FlagAR != 0:
		ev.Asked = true // it does not refer to the packet with that PSN
	default:
		s.transmitState(t, k.PSN)
	}
	if s.spec.INT != settings.INTOff {
		ev.INT, ev.Hops = s.net.Ints.Of(i), s.net.Exact.Of(i)
	}

	for before(t.una, k.Cum) {
		s.acknowledge(t, t.una)
		t.una++
	}
	for b := k.Sack; b != 0; b &= b - 1 {
		if psn := k.SackBase + uint32(bits.TrailingZeros64(b)); t.holds(psn) {
			s.acknowledge(t, psn)
		}
	}
	for t.una != t.nxt && t.ring[t.una&t.mask].state == txFree {
		t.una++
	}
	if len(ev.AckedPSNs) > 0 && t.tries > 0 {
		s.recovered(ti)
	}
	ev.Una = t.una
	s.step(t.ccc)
	s.giveUp(t)
	if !probe && !ev.Asked {
		f := lb.Good
		if k.Flags&net.FlagCE != 0 {
			f = lb.ECN
		}
		t.lb.Feedback(k.Entropy, f, int64(s.wheel.Now()))
	}
	if s.spec.Recovery == settings.RecoverSLEEK && s.ccc[t.ccc].losses == nil {
		s.runSleek(ti, k)
	}
	for _, f := range s.finished {
		s.flowAcked(f)
	}
	s.finished = s.finished[:0]
	closer(s).close(ti)
	if t.short() {
		s.askForTail(ti)
	}
	s.goOn(t.ccc)
}

// transmitState fills in the stored state of the packet that an ACK or NACK references, when it is still stored. A
// credit request, which passes the data in the queues, gives none.
func (s sender) transmitState(t *txPDC, psn uint32) {
	if !t.holds(psn) {
		return
	}
	if e := &t.ring[psn&t.mask]; e.state != txFree && (e.marks&txEmpty == 0 || e.rtx() > 0) {
		s.ev.TxValid, s.ev.TxTime, s.ev.RtxCount = true, e.time, e.rtx()
	}
}

// onNack handles a NACK at the sender. One for a packet that is not in flight brings nothing new and is ignored; so is
// a late one for the first transmission while a retransmission is in flight, whose fate is open.
func (s sender) onNack(k *net.Packet) {
	t := &s.tx[k.PDC]
	if t.ring == nil || !t.holds(k.PSN) || t.ring[k.PSN&t.mask].state != txInflight ||
		(k.Flags&net.FlagRetx != 0) != (t.ring[k.PSN&t.mask].rtx() > 0) {
		s.count.NacksStale++
		return
	}
	e := &t.ring[k.PSN&t.mask]
	s.flows[e.flow].nacks++
	t.refused(k)
	switch { // a trim at the last hop gives no information about the path
	case k.Reason == cc.ReasonTrimmed:
		t.lb.Feedback(k.Entropy, lb.Nack, int64(s.wheel.Now()))
	case k.Flags&net.FlagCE != 0:
		t.lb.Feedback(k.Entropy, lb.ECN, int64(s.wheel.Now()))
	}
	ev := s.clearEvent(cc.KindNack, t)
	ev.PSN, ev.Entropy, ev.Reason, ev.Size = k.PSN, k.Entropy, k.Reason, s.nominal(e)
	ev.M, ev.Retx = k.Flags&net.FlagCE != 0, k.Flags&net.FlagRetx != 0
	s.transmitState(t, k.PSN)
	s.markLost(t, k.PSN)
	s.step(t.ccc)
	if t.beyond() {
		s.askForTail(k.PDC)
	}
	s.goOn(t.ccc)
}

// markLost makes an entry in flight wait for its retransmission.
func (s sender) markLost(t *txPDC, psn uint32) {
	slot := psn & t.mask
	if t.ring[slot].marks&txAsks != 0 && psn+1 == t.askedTo {
		t.asked = false // what asked for an ACK has not arrived
	}
	t.ring[slot].state = txMarked
	t.marked[slot>>6] |= 1 << (slot & 63)
	t.nmark++
}

// arm schedules the retransmission timer of connection ti in place of any other.
func (s sender) arm(ti int32, at units.Picos) {
	t := &s.tx[ti]
	t.armed, t.timer = true, max(at, s.wheel.Now())
	s.wheel.Push(t.timer, evTimer, ti)
}

// recovered ends a series of timeouts: an answer has come, and what is in flight waits no longer than the plain
// timeout.
func (s sender) recovered(ti int32) {
	t := &s.tx[ti]
	stretched := t.backoff() > 0
	t.tries, t.tryAt = 0, 0
	if !stretched {
		return // the timer is due in time for the oldest packet
	}
	oldest := forever
	for psn := t.una; psn != t.nxt; psn++ {
		if e := &t.ring[psn&t.mask]; e.state == txInflight {
			oldest = min(oldest, e.time)
		}
	}
	if oldest < forever {
		s.arm(ti, oldest+s.ccc[t.ccc].rto)
	}
}

// onTimer infers the loss of every packet of connection ti that has been in
// flight for the timeout, and waits for the oldest of the others.
func (s sender) onTimer(ti int32) {
	t := &s.tx[ti]
	if !t.armed || s.wheel.Now() < t.timer {
		return // another has taken its place
	}
	t.armed = false
	if t.ring == nil || t.tries > maxTries {
		return
	}
	base := s.ccc[t.ccc].rto
	oldest, lost, rto := forever, false, base<<t.backoff()
	for psn := t.una; psn != t.nxt; psn++ {
		e := &t.ring[psn&t.mask]
		if e.state != txInflight {
			continue
		}
		if e.time+rto > s.wheel.Now() {
			oldest = min(oldest, e.time)
			continue
		}
		s.count.Timeouts++
		s.flows[e.flow].timeouts++
		s.inferLoss(t, psn, cc.CauseTimeout)
		lost = true
	}
	if lost {
		if s.wheel.Now() >= t.tryAt {
			t.tries++
			t.tryAt = s.wheel.Now() + base<<t.backoff()
		}
		if t.tries > maxTries {
			s.count.GaveUp++
			return
		}
	}
	if oldest < forever {
		s.arm(ti, oldest+base<<t.backoff())
	}
	if lost {
		s.goOn(t.ccc)
	}
	if s.ccc[t.ccc].credit {
		withCredit{s}.miss(ti, lost)
	}
}

// maxTries is the number of timeouts in a row, without a packet acknowledged
// between them, after which a connection gives up: its way is gone.
const maxTries = 24

// backoff is the power of two by which timeouts in a row stretch the next.
func (t *txPDC) backoff() uint8 { return min(max(t.tries, 1)-1, 6) }

// inferLoss gives up a packet in flight.
func (s sender) inferLoss(t *txPDC, psn uint32, cause cc.Cause) {
	e := &t.ring[psn&t.mask]
	ev := s.clearEvent(cc.KindLoss, t)
	ev.PSN, ev.Size, ev.Entropy, ev.Cause = psn, s.nominal(e), e.entropy, cause
	ev.TxValid, ev.TxTime, ev.RtxCount = true, e.time, e.rtx()
	s.markLost(t, psn)
	s.count.InferredLosses++
	s.step(t.ccc)
	t.lb.Feedback(e.entropy, lb.Timeout, int64(s.wheel.Now()))
}
