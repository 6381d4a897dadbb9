package ackgen

import (
	"math"

	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// outcome is what a job decides.
type outcome struct {
	k       int // of the PDC, -1 without one
	opened  bool
	verdict port.Verdict
	nack    port.NackCode
	answer  uint8 // type of the answer, 0 for none
}

// refused returns the outcome with a NACK.
func (o outcome) refused(nack port.NackCode) outcome {
	o.verdict, o.nack, o.answer = port.VerdictRefused, nack, typeNack
	return o
}

// find is step 1: it looks for the packet's PDC and changes nothing. Without a verdict the job goes on, with PDC k,
// which is to be opened first where opened is set.
func (r *Receiver) find(q *request) outcome {
	none := outcome{k: -1}
	if !q.syn {
		k := int(q.dpdcid) - 1
		switch {
		case k >= r.spec.Pdcs || !r.pdcs.rows.Row(k).valid:
			return none.refused(port.NackCodeInvDpdcid)
		case r.pdcs.rows.Row(k).key != q.key:
			return none.refused(port.NackCodePDCHdrMismatch)
		}
		return outcome{k: k}
	}
	if k := r.pdcs.find(&q.key); k >= 0 {
		if r.pdcs.rows.Row(k).start != q.start() {
			return outcome{k: k}.refused(port.NackCodeNewStartPSN)
		}
		return outcome{k: k}
	}
	if q.kind == typeCP {
		none.verdict = port.VerdictEarly
		return none
	}
	if k := r.pdcs.free(); k >= 0 {
		return outcome{k: k, opened: true}
	}
	return none.refused(port.NackCodeNoPDC)
}

// start returns the PSN with which the source of a packet with syn began.
func (q *request) start() uint32 { return q.psn - uint32(q.psnOffset) }

// opens returns the PDC that the packet opens.
func (q *request) opens() pdc {
	return pdc{key: q.key, valid: true, rod: q.rod, start: q.start(), cack: q.start() - 1}
}

// job executes the job of a packet, but for the answer: call build for that if there is one.
func (r *Receiver) job(q *request) outcome {
	o := r.find(q)
	if o.verdict == 0 {
		p := r.pdcs.rows.Row(o.k)
		if o.opened {
			*p = q.opens()
			r.pdcs.changed(o.k)
			r.counters[port.WordOpens]++
		}
		switch {
		case p.rod != q.rod:
			o = o.refused(port.NackCodePDCModeMismatch)
		case q.kind == typeCP:
			o = r.control(q, p, o)
		default:
			o = r.data(q, p, o)
		}
	}
	r.counters[verdictWords[o.verdict]]++
	switch o.answer {
	case typeAck:
		r.counters[port.WordAcks]++
	case typeAckCC:
		r.counters[port.WordAckCcs]++
	}
	return o
}

// verdictWords are the counters of the verdicts.
var verdictWords = [...]uint8{port.VerdictAccepted: port.WordAccepted, port.VerdictDuplicate: port.WordDuplicates,
	port.VerdictAsked: port.WordAsks, port.VerdictProbed: port.WordProbes, port.VerdictClosed: port.WordCloses,
	port.VerdictRefused: port.WordNacks, port.VerdictEarly: port.WordEarly}

// data is step 3.
func (r *Receiver) data(q *request, p *pdc, o outcome) outcome {
	d := p.distance(q)
	switch {
	case d < 0 || d < port.Seen && p.seen.has(d):
		o.verdict, o.answer = port.VerdictDuplicate, r.form(p)
		p.ce = p.ce || q.ce
	case d >= int32(r.cfg[port.RegMpr]):
		return o.refused(port.NackCodePSNOor)
	case p.refuse && !p.seen.above(d):
		return o.refused(port.NackCodeClosing)
	case uint32(q.dscp) == r.cfg[port.RegTrimmed]:
		return o.refused(port.NackCodeTrimmed)
	case uint32(q.dscp) == r.cfg[port.RegTrimmedLasthop]:
		return o.refused(port.NackCodeTrimmedLasthop)
	case p.rod && d != 0:
		return o.refused(port.NackCodeRodOoo)
	default:
		o.verdict = port.VerdictAccepted
		if r.accept(q, p, d) {
			o.answer = r.form(p)
		}
	}
	return o
}

// distance returns d.
func (p *pdc) distance(q *request) int32 { return int32(q.psn - (p.cack + 1)) }

// accept takes new data and reports whether it is acknowledged.
func (r *Receiver) accept(q *request, p *pdc, d int32) bool {
	p.seen.set(d)
	p.cack += p.seen.advance()
	size := r.size(q)
	p.rcvd += size
	p.pending = uint32(min(uint64(p.pending)+uint64(max(size, r.cfg[port.RegMinAdd])), math.MaxUint32))
	p.ce = p.ce || q.ce
	due := !p.started || q.ar || r.option(1) && p.ce || r.option(2) && q.syn ||
		p.pending >= r.cfg[port.RegTrigger] || p.asking && before(q.psn, p.asked)
	p.started = true
	if q.ar {
		p.ask(q.psn)
	}
	p.asking = p.asking && before(p.cack+1, p.asked)
	return due
}

// size returns the bytes that a packet counts.
func (r *Receiver) size(q *request) uint32 { return q.payload + r.cfg[port.RegNominal] }

// option returns bit i of CONTROL.
func (r *Receiver) option(i int) bool { return r.cfg[port.RegControl]>>i&1 != 0 }

// form returns the type of an acknowledgement of data and of a CLOSE.
func (r *Receiver) form(p *pdc) uint8 {
	if r.option(3) && p.seen.empty() {
		return typeAck
	}
	return typeAckCC
}

// control is step 4.
func (r *Receiver) control(q *request, p *pdc, o outcome) outcome {
	d := p.distance(q)
	if q.ctl == ctlClose && (d != 0 || !p.seen.empty()) {
		return o.refused(port.NackCodePktNotRcvd)
	}
	p.ce = p.ce || q.ce
	o.answer = typeAckCC
	switch q.ctl {
	case ctlAckReq:
		o.verdict = port.VerdictAsked
		if d >= 0 && d < port.Seen {
			p.ask(q.psn + 1)
		}
	case ctlProbe:
		o.verdict = port.VerdictProbed
	case ctlClose:
		o.verdict, o.answer = port.VerdictClosed, r.form(p)
		p.cack, p.valid = q.psn, false
		r.pdcs.changed(o.k)
	}
	return o
}

// ask notes that what comes before PSN x is to be acknowledged at once.
func (p *pdc) ask(x uint32) {
	if !p.asking || before(p.asked, x) {
		p.asking, p.asked = true, x
	}
}

// before compares PSNs.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// indication returns what the host learns of a job.
func (o *outcome) indication(q *request) port.Ind {
	return port.Ind{Tag: q.tag, Verdict: o.verdict, NackCode: o.nack, Pdcid: uint16(o.k + 1), PSN: q.psn,
		Opened: o.opened, Answered: o.answer != 0}
}
