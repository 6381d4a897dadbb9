package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/rtt"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// rttSample sorts the RTT of an ACK (k 0) or NACK (k 1) into bins.
func (s *watch) rttSample(hits []uint64, t *track, k int) {
	ev, r := &s.ev, &s.rsp
	if k == 0 {
		hits[s.service.At2(rtt.Service(ev.ServiceTime), int(s.cfg[ccc.RegTimeShift]))]++
	} else {
		hits[s.fact.At1(factNackService)] += uint64(cover.Bit(ev.ServiceTime != 0 && r.RTTValid))
	}
	hits[s.rtx.At4(k, int(ev.RtxCount), cover.Bit(ev.Retx), cover.Bit(ev.TxValid))]++
	if ev.RtxCount == 3 {
		hits[s.fact.At1(factRtx3)]++
	}
	retx := uint8(cover.Bit(ev.Retx))
	if !ev.TxValid || ev.RtxCount > 1 || ev.RtxCount != retx ||
		k == 0 && (ev.ServiceTime == 0 || ev.ServiceTime == 0xffff) {
		return
	}
	raw := ev.Now - ev.TxTime
	if k == 0 {
		raw -= uint64(ev.ServiceTime) << s.cfg[ccc.RegTimeShift]
	}
	raw &= top48
	hits[s.raw.At2(k, rtt.Value(raw))]++
	if !r.RTTValid {
		return
	}
	hits[s.flag.At1(10+k)]++
	hits[s.flag.At1(12+k)] += uint64(cover.Bit(r.BaseFell))
	hits[s.thBase.At2(k, cover.Side(int64(raw), int64(t.w.BaseRTT)))]++
	if k == 0 {
		hits[s.shift.At1(int(s.cfg[ccc.RegTimeShift]))]++
	}
	if ev.Now < ev.TxTime {
		hits[s.fact.At1(factWrapRTT)]++
	}
	if r.BaseFell {
		s.maxWnd(hits, t)
	}
}

// maxWnd follows max_wnd when base_rtt falls.
func (s *watch) maxWnd(hits []uint64, t *track) {
	mtu, limit := s.cfg[ccc.RegMTU], s.cfg[ccc.RegMaxWnd]
	w := scaled(s.cfg[ccc.RegMwndRate], uint64(s.rsp.BaseRTT), 16)
	switch {
	case max(mtu, min(limit, w)) == mtu && min(limit, w) < mtu:
		hits[s.fact.At1(factMWNDFloor)]++
	case w > limit:
		hits[s.fact.At1(factMWNDCapped)]++
	default:
		hits[s.fact.At1(factMWNDRate)]++
	}
	t.w.MaxWnd = uint32(max(mtu, min(limit, w)))
}

// average sorts the step of the average delay; sample 0 delay, 1 base/4, 2 trim.
func (s *watch) average(hits []uint64, t *track, sample int) {
	dir := 1
	if s.rsp.AvgDelay < t.w.AvgDelay {
		dir = 0
	} else if s.rsp.AvgDelay > t.w.AvgDelay {
		dir = 2
	}
	hits[s.ewma.At2(sample, dir)]++
}

// nack follows a NACK in the order of the contract.
func (s *watch) nack(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	rccc := s.cfg[ccc.RegCtrl]>>1&1 != 0
	hits[s.reason.At2(int(reasonIndex[ev.Reason]), cover.Bit(rccc))]++
	hits[s.ctrl.At1(int(s.cfg[ccc.RegCtrl]))]++
	class := 2
	switch ev.Reason {
	case ccc.ReasonTrimmed:
		class = 0
	case ccc.ReasonTrimmedLasthop:
		class = 1
	}
	hits[s.markNack.At2(cover.Bit(ev.M), class)]++
	switch r.LB {
	case ccc.LBNoECN:
		hits[s.lb.At1(2)]++
	case ccc.LBECN:
		hits[s.lb.At1(3)]++
	case ccc.LBNack:
		hits[s.lb.At1(4)]++
	}
	if int64(t.w.Inflight)-int64(ev.Size) < -1<<31 {
		s.saturate(hits, satInflightNack)
	}
	s.rttSample(hits, t, 1)
	if class < 2 {
		s.average(hits, t, 2)
		s.add32(hits, &t.w.BytesIgnored, uint64(ev.Size), satIgnoredNack)
	}
	if class == 0 || class == 1 && !rccc {
		t.w.TriggerQA = true
		hits[s.fact.At1(factTriggerDisabled)] += s.cfg[ccc.RegCtrl] & 1
		s.quickAdapt(hits, t, 1, true)
	}
	switch r.Action {
	case ccc.ActionNoop:
		hits[s.action.At1(10)]++
	case ccc.ActionIgnore:
		hits[s.action.At1(11)]++
		hits[s.nackActed.At2(class&1, 1)]++
	case ccc.ActionQA:
		hits[s.action.At1(12)]++
		hits[s.nackActed.At2(class&1, 2)]++
	case ccc.ActionNackDec:
		hits[s.action.At1(13)]++
		hits[s.nackActed.At2(class&1, 0)]++
		hits[s.atMTU.At2(1, cover.Bit(uint64(r.Cwnd) == s.cfg[ccc.RegMTU]))]++
		s.floor(hits, t, 0)
	}
	s.add32(hits, &t.w.WaitingRtx, 1, satWaitingNack)
	s.add32(hits, &t.w.RtxBacklog, uint64(ev.Size), satRtxNack)
	s.sub32(hits, &t.w.InflightPkts, 1, undPktsNack)
	hits[s.flag.At1(3)] += uint64(cover.Bit(r.Saturated))
	hits[s.flag.At1(7)] += uint64(cover.Bit(r.Underflow))
}

// ack follows an ACK in the order of the contract.
func (s *watch) ack(hits []uint64, t *track) {
	ev, r := &s.ev, &s.rsp
	w := &t.w
	delta := s.counters(hits, t)
	hits[s.lb.At1(cover.Bit(ev.M))]++
	if ev.PDC != t.lastPDC {
		hits[s.fact.At1(factTwoPDCs)]++
		t.lastPDC = ev.PDC
	}
	cwnd := s.flowControl(hits, t, delta)
	s.rttSample(hits, t, 0)
	average := s.cfg[ccc.RegCtrl]>>2&1 != 0
	if !r.RTTValid {
		hits[s.noSampleCtrl.At1(int(s.cfg[ccc.RegCtrl]))]++
	}
	if r.RTTValid || average {
		s.decide(hits, t, delta, cwnd)
	}
	s.sub32(hits, &w.InflightPkts, uint32(ev.AckedPkts), undPktsAck)

	if r.Action >= ccc.ActionFair && r.Action <= ccc.ActionQA {
		a := int(r.Action - ccc.ActionFair)
		hits[s.action.At1(1+a)]++
		f := s.ackFlag.At2(a, 0)
		hits[f+fStale] += uint64(cover.Bit(r.Stale))
		hits[f+fSaturated] += uint64(cover.Bit(r.Saturated))
		hits[f+fUnderflow] += uint64(cover.Bit(r.Underflow))
		hits[f+fBaseFell] += uint64(cover.Bit(r.BaseFell))
		hits[f+fSaved] += uint64(cover.Bit(r.Saved))
		hits[f+fRestored] += uint64(cover.Bit(r.Restored))
		hits[f+fQAWindow] += uint64(cover.Bit(r.QAWindow))
		hits[f+fFulfilled] += uint64(cover.Bit(r.Fulfilled))
		hits[f+fEta] += uint64(cover.Bit(r.EtaApplied))
	}
	for i, on := range [...]bool{2: r.Saturated, 6: r.Underflow, 9: r.Stale, 14: r.RcvLimit, 15: r.Saved, 16: r.Restored,
		23: r.MDApplied, 24: r.Fulfilled, 25: r.EtaApplied} {
		if on {
			hits[s.flag.At1(i)]++
		}
	}
}

// counters follows steps 1 to 4 and returns delta in bytes.
func (s *watch) counters(hits []uint64, t *track) uint64 {
	ev, w := &s.ev, &t.w
	last := &t.rcvd[ev.PDC]
	units := (ev.RcvdBytes - *last) & top24
	class := 2
	switch {
	case units == 0:
		class = 0
	case units == 1:
		class = 1
	case units == 1<<23-1:
		class = 3
	case units == 1<<23:
		class = 4
	case units == top24:
		class = 6
	case units > 1<<23:
		class = 5
	}
	hits[s.rcvd.At2(class, int(ev.PDC))]++
	if t.bound>>ev.PDC&1 != 0 {
		t.bound &^= 1 << ev.PDC
		freed := units < 1<<23 && (ev.RcvdBytes-t.before[ev.PDC])&top24 >= 1<<23
		hits[s.fact.At1(factBindFrees)] += uint64(cover.Bit(freed))
	}
	delta := uint64(0)
	if units < 1<<23 {
		delta = uint64(units) << 8
		if ev.RcvdBytes < *last {
			hits[s.rcvdWrap.At1(int(ev.PDC))]++
		}
		*last = ev.RcvdBytes
	}
	s.sub32(hits, &w.WaitingRtx, uint32(ev.UnmarkPkts), undAckWaiting)
	s.sub32(hits, &w.RtxBacklog, ev.UnmarkBytes, undAckRtx)
	switch v := int64(w.Inflight) + int64(ev.UnmarkBytes) - int64(delta); {
	case v > 1<<31-1:
		s.saturate(hits, satInflightAckHigh)
	case v < -1<<31:
		s.saturate(hits, satInflightAckLow)
	}
	s.add32(hits, &w.BytesIgnored, delta, satIgnoredAck)
	s.add32(hits, &w.ReceivedBytes, delta, satReceived)
	s.add32(hits, &w.AchievedBytes, delta, satAchieved)
	return delta
}

// flowControl follows step 7 and returns the window after it.
func (s *watch) flowControl(hits []uint64, t *track, delta uint64) uint32 {
	ev, r, w := &s.ev, &s.rsp, &t.w
	class := 4
	switch ev.Pend {
	case 0:
		class = 0
	case 1:
		class = 1
	case 64:
		class = 2
	case 127:
		class = 3
	}
	hits[s.pend.At2(class, cover.Bit(ev.RC))]++
	hits[s.saved.At3(cover.Bit(w.SavedCwnd > 0), cover.Bit(ev.Pend > 0), cover.Bit(ev.RC))]++
	cwnd, mtu := w.Cwnd, s.cfg[ccc.RegMTU]
	if ev.Pend > 0 {
		if w.SavedCwnd == 0 {
			w.SavedCwnd = cwnd
		}
		fly := uint32(max(r.Inflight, 0))
		switch {
		case r.Inflight < 0:
			hits[s.fact.At1(factPenaltyNegative)]++
		case fly < cwnd:
			hits[s.fact.At1(factPenaltyInflight)]++
		default:
			hits[s.fact.At1(factPenaltyCwnd)]++
		}
		cwnd = min(cwnd, fly)
		less := uint64(ev.Pend) * delta >> 7
		if less > uint64(cwnd) {
			cwnd = 0
		} else {
			cwnd -= uint32(less)
		}
		if uint64(cwnd) > mtu {
			s.bit(hits, productPenalty, less)
		}
		cwnd = max(cwnd, uint32(mtu))
		hits[s.atMTU.At2(3, cover.Bit(uint64(cwnd) == mtu))]++
	}
	if r.Restored {
		hits[s.thSaved.At1(cover.Side(int64(w.SavedCwnd), int64(w.MaxWnd)))]++
		cwnd = min(w.SavedCwnd, w.MaxWnd)
		hits[s.atMax.At2(2, cover.Bit(cwnd == w.MaxWnd))]++
		hits[s.fact.At1(factRestoreBaseFell)] += uint64(cover.Bit(r.BaseFell))
		w.SavedCwnd = 0
	}
	return cwnd
}
