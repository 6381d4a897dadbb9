package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// turn plays the turn of the first context of the list.
func (x *nic) turn(f *effect) {
	c := x.list.Pop()
	k := &x.contexts[c]
	k.queued = false
	f.count = txpdc.WordTurns
	if !x.eligible(c) {
		return
	}
	f.distance, f.at = -1, -1
	for d := range txpdc.Slots {
		p := &x.pdcs[c*txpdc.Slots+(k.next+d)%txpdc.Slots]
		if !p.work() {
			continue
		}
		if i := p.again(); i >= 0 {
			f.skipped = f.distance >= 0
			f.distance, f.at = d, i
			break
		}
		if f.distance < 0 {
			f.distance = d
		}
	}
	slot := (k.next + f.distance) % txpdc.Slots
	k.next = (slot + 1) % txpdc.Slots
	no := c*txpdc.Slots + slot
	p := &x.pdcs[no]
	f.before = *p
	a := x.act(txpdc.ActionSent, no)
	a.IsRtx = f.at >= 0
	if a.IsRtx {
		p.marked[f.at], p.resent[f.at] = false, true
		a.Size = uint32(p.size[p.row(f.at)])
		f.more = txpdc.WordResends
	} else {
		f.at = p.n
		body := min(p.left, 1<<x.regs[txpdc.RegPayload])
		a.Size = body + uint32(x.regs[txpdc.RegHeader])
		p.left -= body
		p.acked[f.at], p.marked[f.at], p.resent[f.at] = false, false, false
		p.n++
		p.size[p.row(f.at)] = uint16(a.Size)
		p.sum += a.Size
		a.Eom = p.left == 0
	}
	a.PSN = p.una + uint32(f.at)
	p.stamp[p.row(f.at)] = uint32(x.tick)
	k.waits = true
	a.Tx, a.Syn = true, p.syn
	if p.syn {
		a.PSNOffset = uint16((a.PSN - p.start) & 0xfff)
	} else {
		a.Peer = p.peer
	}
	a.Ar = a.IsRtx || a.Eom || p.n >= p.limit()
	f.act = a
}

// Why a record is stray.
const (
	toZero = iota
	toNone
	toFree
	toStopped
	ofType
	ofPeer
	notStray
)

func isAck(r *txpdc.Rec) bool {
	return r.PdsType >= txpdc.PdsTypeAck && r.PdsType <= txpdc.PdsTypeAckCcx
}

func hasSack(r *txpdc.Rec) bool {
	return r.PdsType == txpdc.PdsTypeAckCc || r.PdsType == txpdc.PdsTypeAckCcx
}

// stray returns why a record is of no PDC.
func (x *nic) stray(r *txpdc.Rec) int {
	if r.Dpdcid == 0 {
		return toZero
	}
	if int(r.Dpdcid) > len(x.pdcs) {
		return toNone
	}
	p := &x.pdcs[r.Dpdcid-1]
	switch {
	case !p.valid:
		return toFree
	case p.stopped:
		return toStopped
	case !isAck(r) && r.PdsType != txpdc.PdsTypeNack && r.PdsType != txpdc.PdsTypeNackCcx:
		return ofType
	case isAck(r) && !p.syn && r.Spdcid != p.peer:
		return ofPeer
	}
	return notStray
}

// covers reports what of an ACK covers the i-th PSN: its PSN, its bitmap.
func (p *pdc) covers(r *txpdc.Rec, i int) (byPSN, byMap bool) {
	d := int32(r.PSN + 1 - p.una)
	z := p.una + uint32(i) - r.SackBase
	return int64(i) < int64(d), hasSack(r) && z < 64 && r.SackBitmap>>z&1 != 0
}

// oldest is how far behind una an ACK may be.
const oldest = -4096

// stale reports whether an ACK is of what was not sent, or of a former PDC.
func (p *pdc) stale(r *txpdc.Rec) bool {
	d := int64(int32(r.PSN + 1 - p.una))
	return d > int64(p.n) || d < oldest || p.syn && p.n == 0
}

// unmarks returns how many packets that wait to be sent again a record acknowledges.
func (x *nic) unmarks(r *txpdc.Rec) (u int) {
	if x.stray(r) != notStray || !isAck(r) {
		return 0
	}
	p := &x.pdcs[r.Dpdcid-1]
	if p.closing || p.stale(r) {
		return 0
	}
	for i := range p.n {
		if a, b := p.covers(r, i); (a || b) && p.marked[i] && !p.acked[i] {
			u++
		}
	}
	return u
}

// retires returns how many packets that wait to be sent again the timer retires.
func (x *nic) retires() (u int) {
	p := &x.pdcs[x.scan]
	for i := 0; p.valid && p.stopped && i < p.n; i++ {
		if p.marked[i] && !p.acked[i] {
			u++
		}
	}
	return u
}

// record plays the job of a record.
func (x *nic) record(r *txpdc.Rec, f *effect) {
	if f.why = x.stray(r); f.why != notStray {
		f.count = txpdc.WordStray
		return
	}
	k := int(r.Dpdcid) - 1
	p := &x.pdcs[k]
	f.before = *p
	if isAck(r) {
		x.ack(r, k, f)
	} else {
		x.nack(r, k, f)
	}
	if f.count == 0 {
		f.count = txpdc.WordStale
	}
}

func (x *nic) ack(r *txpdc.Rec, k int, f *effect) {
	p := &x.pdcs[k]
	if p.closing {
		if r.PSN == p.una {
			p.valid = false
			f.act, f.count = x.act(txpdc.ActionFreed, k), txpdc.WordAcks
		}
		return
	}
	if p.stale(r) {
		return
	}
	if p.syn {
		p.syn, p.peer = false, r.Spdcid
	}
	if hasSack(r) {
		p.mpr = r.Mpr
	}
	a := x.act(txpdc.ActionAcked, k)
	for i := range p.n {
		byPSN, byMap := p.covers(r, i)
		if !byPSN && !byMap || p.acked[i] {
			continue
		}
		switch {
		case byPSN && byMap:
			f.covered[2]++
		case byMap:
			f.covered[1]++
		default:
			f.covered[0]++
		}
		if !r.Probe && r.AckPSN == p.una+uint32(i) {
			a.Tx, a.PSN = true, r.AckPSN
		}
		if p.marked[i] {
			a.UnmarkPkts++
			a.UnmarkBytes += uint32(p.size[p.row(i)])
		} else {
			a.AckedPkts++
		}
		p.acked[i], p.marked[i] = true, false
		p.tries = 0
	}
	for z := range uint32(64) {
		f.beyond = f.beyond || hasSack(r) && r.SackBitmap>>z&1 != 0 && r.SackBase+z-p.una >= uint32(p.n)
	}
	if r.PdsType == txpdc.PdsTypeAckCc && r.CcType == 0 {
		if (r.RcvdBytes-p.rcvd)&0xffffff < 1<<23 {
			p.rcvd = r.RcvdBytes
		}
		a.RcvdBytes, a.ServiceTime, a.Pend, a.RC = r.RcvdBytes, r.ServiceTime, r.Pend, r.RC
	} else {
		a.RcvdBytes = p.rcvd
	}
	for f.shift < p.n && p.acked[f.shift] {
		f.shift++
	}
	p.una += uint32(f.shift)
	p.n -= f.shift
	p.acked.down(f.shift)
	p.marked.down(f.shift)
	p.resent.down(f.shift)
	a.Done = p.n == 0 && p.left == 0
	a.M, a.Retx, a.Entropy = r.M, r.Retx, r.Entropy
	f.act, f.count = a, txpdc.WordAcks
	f.joined = x.join(k / txpdc.Slots)
}

// fatal are the codes with which a destination refuses a PDC.
var fatal = [...]uint8{uint8(ackgen.NackCodeInvDpdcid), uint8(ackgen.NackCodePDCHdrMismatch), codeClosing, 0x11, 0x15,
	uint8(ackgen.NackCodePDCModeMismatch), uint8(ackgen.NackCodeNewStartPSN)}

// fatalAt returns the place of a code among fatal, -1 where it is not there.
func fatalAt(code uint8) int {
	for i, c := range fatal {
		if c == code {
			return i
		}
	}
	return -1
}

// codeClosing is the fatal code of a destination that still takes what is missing.
const codeClosing = uint8(ackgen.NackCodeClosing)

// misses reports whether a PSN below the i-th is not acknowledged.
func (p *pdc) misses(i int) bool {
	for k := range i {
		if !p.acked[k] {
			return true
		}
	}
	return false
}

// Why a NACK is stale.
const (
	nackClosing = iota
	nackBelow
	nackBeyond
	nackAcked
	nackMarked
	nackOfFirst // a resend is under way
	nackOfResend
	nackFits
)

func (x *nic) nack(r *txpdc.Rec, k int, f *effect) {
	p := &x.pdcs[k]
	i := r.PSN - p.una
	switch {
	case p.closing:
		f.why = nackClosing
		if i == 0 && (r.NackCode == fatal[0] || r.NackCode == fatal[1]) {
			p.valid = false
			f.act, f.count = x.act(txpdc.ActionFreed, k), txpdc.WordNacks
		}
		return
	case int32(i) < 0:
		f.why = nackBelow
	case i >= uint32(p.n):
		f.why = nackBeyond
	case fatalAt(r.NackCode) >= 0 && !(r.NackCode == codeClosing && p.misses(int(i))):
		p.stopped = true
		f.act, f.count = x.act(txpdc.ActionStopped, k), txpdc.WordNacks
		f.act.Code = r.NackCode
		return
	case p.acked[i]:
		f.why = nackAcked
	case p.marked[i]:
		f.why = nackMarked
	case p.resent[i] && !r.Retx:
		f.why = nackOfFirst
	case !p.resent[i] && r.Retx:
		f.why = nackOfResend
	default:
		f.why = nackFits
		p.marked[i] = true
		f.at = int(i)
		a := x.act(txpdc.ActionNacked, k)
		a.PSN, a.Size, a.Tx, a.Code = r.PSN, uint32(p.size[p.row(int(i))]), true, r.NackCode
		a.M, a.Retx, a.Entropy = r.M, r.Retx, r.Entropy
		f.act, f.count = a, txpdc.WordNacks
		f.joined = x.join(k / txpdc.Slots)
	}
}

// What the timer finds.
const (
	findsFree = iota
	findsStopped
	findsRest
	findsEarlyClose
	findsLateClose
	findsEndOfCloses
	findsNone
	findsEarly
	findsLate
	findsLateResend
	findsEndOfResends
)

// timer plays the job of the timer.
func (x *nic) timer(f *effect) {
	k := x.scan
	x.scan = (k + 1) % len(x.pdcs)
	p := &x.pdcs[k]
	f.before = *p
	stop := func() {
		p.stopped = true
		f.act = x.act(txpdc.ActionStopped, k)
	}
	late := false
	last := uint64(p.tries) >= x.regs[txpdc.RegTries]
	once, again := p.flight(false), p.flight(true)
	isLate := func(i int) bool {
		if i >= 0 {
			f.over, late = x.late(p.stamp[p.row(i)], p.tries)
		}
		return i >= 0 && late
	}
	switch {
	case !p.valid:
		f.why = findsFree
	case p.stopped:
		if f.why = findsStopped; p.n > 0 {
			f.why = findsRest
			f.act = x.retire(k)
		}
	case p.closing:
		f.over, late = x.late(p.closedAt, p.tries)
		switch {
		case !late:
			f.why = findsEarlyClose
		case last:
			f.why = findsEndOfCloses
			stop()
		default:
			f.why = findsLateClose
			p.tries, p.closedAt = min(p.tries+1, 15), uint32(x.tick)
			f.act = x.closing(k)
			f.act.IsRtx = true
		}
	case once < 0 && again < 0:
		f.why = findsNone
	case !isLate(once) && !isLate(again):
		f.why, f.at = findsEarly, again // whose age f.over holds
		if again < 0 {
			f.at = once
		}
	case isLate(once):
		f.why = findsLate
		x.lose(k, once, f)
	case isLate(again) && last:
		f.why, f.at = findsEndOfResends, again
		stop()
	default:
		f.why = findsLateResend
		p.tries = min(p.tries+1, 15)
		x.lose(k, again, f)
	}
}

// lose marks a packet.
func (x *nic) lose(k, i int, f *effect) {
	p := &x.pdcs[k]
	f.at = i
	p.marked[i] = true
	f.act = x.act(txpdc.ActionLost, k)
	f.act.PSN, f.act.Size = p.una+uint32(i), uint32(p.size[p.row(i)])
	f.count = txpdc.WordLosses
	f.joined = x.join(k / txpdc.Slots)
}

// retire ends what is outstanding of a PDC that stopped.
func (x *nic) retire(k int) txpdc.Act {
	p := &x.pdcs[k]
	a := x.act(txpdc.ActionAcked, k)
	for i := range p.n {
		switch {
		case p.acked[i]:
		case p.marked[i]:
			a.UnmarkPkts++
			a.UnmarkBytes += uint32(p.size[p.row(i)])
		default:
			a.AckedPkts++
		}
	}
	p.rcvd = uint32((uint64(p.sum)+255)/256) & 0xffffff
	a.RcvdBytes, a.Done = p.rcvd, p.left == 0
	p.una += uint32(p.n)
	p.n = 0
	p.acked, p.marked, p.resent = span{}, span{}, span{}
	return a
}
