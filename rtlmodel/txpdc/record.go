package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// NACK codes that the rules name. ackgen sends all but two of them.
const (
	codeInvDpdcid       = uint8(ackgen.NackCodeInvDpdcid)
	codePdcHdrMismatch  = uint8(ackgen.NackCodePDCHdrMismatch)
	codeClosing         = uint8(ackgen.NackCodeClosing)
	codeClosingInErr    = 0x11
	codeInvalidSyn      = 0x15
	codePdcModeMismatch = uint8(ackgen.NackCodePDCModeMismatch)
	codeNewStartPsn     = uint8(ackgen.NackCodeNewStartPSN)
)

// ccNscc is the type of a congestion-control state that can be read.
const ccNscc = 0

// refuses reports whether a destination that answers with code for PSN una + i refuses the PDC.
func (p *pdc) refuses(code uint8, i int) bool {
	switch code {
	case codeInvDpdcid, codePdcHdrMismatch, codeClosingInErr, codeInvalidSyn, codePdcModeMismatch, codeNewStartPsn:
		return true
	case codeClosing: // what is missing below may still come
		return below(i).andNot(p.acked).empty()
	}
	return false
}

// unknown reports whether a destination that answers with code has no such PDC.
func unknown(code uint8) bool { return code == codeInvDpdcid || code == codePdcHdrMismatch }

func isAck(t port.PdsType) bool {
	return t == port.PdsTypeAck || withSack(t)
}

func withSack(t port.PdsType) bool { return t == port.PdsTypeAckCc || t == port.PdsTypeAckCcx }

func isNack(t port.PdsType) bool { return t == port.PdsTypeNack || t == port.PdsTypeNackCcx }

// find returns the PDC of a record, -1 where it is a stray.
func (s *Source) find(r *port.Rec) int {
	k := int(r.Dpdcid) - 1
	if k < 0 || k >= s.spec.Pdcs() {
		return -1
	}
	p := s.pdcs.Row(k)
	switch {
	case !p.valid || p.stopped:
	case isAck(r.PdsType) && (p.syn || r.Spdcid == p.peer), isNack(r.PdsType):
		return k
	}
	return -1
}

// Record executes the job of a record. Source: contract.md, "Record".
func (s *Source) Record(r *port.Rec, now uint64, act *port.Act) bool {
	k := s.find(r)
	if k < 0 {
		s.counters[port.WordStray]++
		return false
	}
	*act = port.Act{PDC: uint16(k), Now: now}
	switch {
	case isAck(r.PdsType) && s.ack(k, r, act):
		s.counters[port.WordAcks]++
	case isNack(r.PdsType) && s.nack(k, r, act):
		s.counters[port.WordNacks]++
	default:
		s.counters[port.WordStale]++
		return false
	}
	s.list(k / port.Slots)
	return true
}

// advance returns d of an ACK: how far beyond una it acknowledges all, negative where it does not reach it.
func (p *pdc) advance(r *port.Rec) int { return int(int32(r.PSN + 1 - p.una)) }

// former is the greatest distance below una that an ACK of the same PDC has.
const former = 4096

// stale reports whether an ACK acknowledges what was not sent, or is of a former PDC.
func (p *pdc) stale(r *port.Rec) bool {
	d := p.advance(r)
	if p.closing {
		return d != 1
	}
	return d > p.n || d < -former || p.syn && p.n == 0
}

// covered returns the PSNs that an ACK acknowledges and that were not: N of the contract.
func (p *pdc) covered(r *port.Rec) bitmap {
	n := below(p.advance(r))
	if withSack(r.PdsType) {
		n = n.or(at(r.SackBitmap, int(int32(r.SackBase-p.una))))
	}
	return n.and(below(p.n)).andNot(p.acked)
}

// Unmarks returns the number of packets that a record unmarks, which make its job longer.
func (s *Source) Unmarks(r *port.Rec) int {
	k := s.find(r)
	if k < 0 || !isAck(r.PdsType) {
		return 0
	}
	p := s.pdcs.Row(k)
	if p.closing || p.stale(r) {
		return 0
	}
	return p.covered(r).and(p.marked).ones()
}

// ack executes an ACK, unless it is stale.
func (s *Source) ack(k int, r *port.Rec, act *port.Act) bool {
	p := s.pdcs.Row(k)
	if p.stale(r) {
		return false
	}
	if p.closing {
		p.valid = false
		act.Kind = port.ActionFreed
		return true
	}
	act.Kind, act.M, act.Retx, act.Entropy = port.ActionAcked, r.M, r.Retx, r.Entropy
	if p.syn {
		p.syn, p.peer = false, r.Spdcid
	}
	if withSack(r.PdsType) {
		p.mpr = r.Mpr
	}
	n := p.covered(r)
	s.tally(k, n, act)
	if i := r.AckPSN - p.una; !r.Probe && i < uint32(p.n) && n.has(int(i)) {
		act.Tx, act.PSN = true, r.AckPSN
	}
	if !n.empty() {
		p.acked, p.marked, p.tries = p.acked.or(n), p.marked.andNot(n), 0
	}
	p.state(r, act)
	p.move()
	act.Done = p.n == 0 && p.left == 0
	return true
}

// tally fills in what leaves the network: n are PSNs that were not acknowledged.
func (s *Source) tally(k int, n bitmap, act *port.Act) {
	p := s.pdcs.Row(k)
	unmark := n.and(p.marked)
	act.UnmarkPkts, act.AckedPkts = uint8(unmark.ones()), uint8(n.andNot(p.marked).ones())
	for !unmark.empty() {
		i := unmark.lowest()
		unmark.clear(i)
		act.UnmarkBytes += uint32(s.row(k, p.una+uint32(i)).size)
	}
}

// state takes the congestion-control state of an ACK.
func (p *pdc) state(r *port.Rec, act *port.Act) {
	act.RcvdBytes = p.rcvd
	if r.PdsType == port.PdsTypeAckCc && r.CcType == ccNscc {
		if (r.RcvdBytes-p.rcvd)&numbers < 1<<(port.WordRcvdWidth-1) {
			p.rcvd = r.RcvdBytes
		}
		act.RcvdBytes, act.ServiceTime, act.Pend, act.RC = r.RcvdBytes, r.ServiceTime, r.Pend, r.RC
	}
}

// move moves una to the lowest PSN that is not acknowledged.
func (p *pdc) move() {
	s := below(p.n).andNot(p.acked).lowest()
	s = min(s, p.n)
	p.una += uint32(s)
	p.n -= s
	p.acked.down(s)
	p.marked.down(s)
	p.resent.down(s)
}

// nack executes a NACK, unless it is stale.
func (s *Source) nack(k int, r *port.Rec, act *port.Act) bool {
	p := s.pdcs.Row(k)
	if p.closing {
		if r.PSN != p.una || !unknown(r.NackCode) {
			return false
		}
		p.valid = false
		act.Kind = port.ActionFreed
		return true
	}
	if r.PSN-p.una >= uint32(p.n) {
		return false
	}
	i, flight := int(r.PSN-p.una), p.flight()
	if p.refuses(r.NackCode, i) {
		p.stopped = true
		act.Kind, act.Code = port.ActionStopped, r.NackCode
		return true
	}
	if !flight.has(i) || p.resent.has(i) != r.Retx {
		return false
	}
	p.marked.set(i)
	act.Kind, act.PSN, act.Size, act.Tx = port.ActionNacked, r.PSN, uint32(s.row(k, r.PSN).size), true
	act.Code, act.M, act.Retx, act.Entropy = r.NackCode, r.M, r.Retx, r.Entropy
	return true
}
