package ccc

import port "github.com/goldwire/goldwire/vectors/event/ccc"

// nack executes a NACK up to, but not including, update_state. The numbers are the contract's steps.
func (x *exec) nack() {
	s, ev, r := x.st, x.ev, x.rsp
	s.Inflight = x.sats32(int64(s.Inflight) - int64(ev.Size)) // 1

	if raw, ok := x.rttSample(0); ok { // 2
		r.RTTValid = true
		x.lowerBase(raw)
	}

	first := ev.Reason == port.ReasonTrimmed
	lastHop := ev.Reason == port.ReasonTrimmedLasthop
	if first || lastHop { // 3
		x.ewma(x.reg[port.RegConfigBaseRTT])
		s.BytesIgnored = x.sat32(s.BytesIgnored, uint64(ev.Size))
	}

	r.Action = port.ActionNoop // 4
	if first || lastHop && !x.reg.creditOn() {
		s.TriggerQA = true
		if r.Action = x.quickAdapt(true, true, 0); r.Action == port.ActionNone {
			x.shrink(uint64(ev.Size))
			r.Action = port.ActionNackDec
		}
	}

	switch { // 5
	case first:
		r.LB = port.LBNack
	case ev.M:
		r.LB = port.LBECN
	default:
		r.LB = port.LBNoECN
	}

	x.mark() // 6
}

// loss executes an inferred loss up to, but not including, update_state.
func (x *exec) loss() {
	s, size := x.st, x.ev.Size
	x.shrink(uint64(size))
	s.BytesIgnored = x.sat32(s.BytesIgnored, uint64(size))
	s.Inflight = x.sats32(int64(s.Inflight) - int64(size))
	x.mark()
	x.rsp.LB = port.LBTimeout
	x.rsp.Action = port.ActionLossDec
}

// mark puts the packet on the retransmission list.
func (x *exec) mark() {
	s := x.st
	s.WaitingRtx = x.sat32(s.WaitingRtx, 1)
	s.RtxBacklog = x.sat32(s.RtxBacklog, uint64(x.ev.Size))
	s.InflightPkts = x.sub0(s.InflightPkts, 1)
}
