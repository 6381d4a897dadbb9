package ccc

import (
	"cmp"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/rtt"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// rttSample sorts the RTT of an ACK (k 0) or NACK (k 1) into bins.
func (s *watch) rttSample(hits cover.Hits, t *track, k int) {
	ev, r := &s.ev, &s.rsp
	if k == 0 {
		hits[s.service.At2(rtt.Service(ev.ServiceTime), int(s.cfg[ccc.RegTimeShift]))]++
	}
	hits.If(k == 1 && ev.ServiceTime != 0 && r.RTTValid, s.fact.NackService)
	hits[s.rtx.At4(k, int(ev.RtxCount), cover.Bit(ev.Retx), cover.Bit(ev.TxValid))]++
	hits.If(ev.RtxCount == 3, s.fact.Rtx3)
	if !ev.TxValid || ev.RtxCount > 1 || int(ev.RtxCount) != cover.Bit(ev.Retx) ||
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
	hits[s.flag.RTTValid[k]]++
	hits.If(r.BaseFell, s.flag.BaseFell[k])
	hits[s.thBase.At2(k, cover.Side(int64(raw), int64(t.w.BaseRTT)))]++
	hits.If(k == 0, s.shift.At1(int(s.cfg[ccc.RegTimeShift])))
	hits.If(ev.Now < ev.TxTime, s.fact.WrapRTT)
	if r.BaseFell {
		s.maxWnd(hits, t)
	}
}

// maxWnd follows max_wnd when base_rtt falls.
func (s *watch) maxWnd(hits cover.Hits, t *track) {
	mtu, limit := s.cfg[ccc.RegMTU], s.cfg[ccc.RegMaxWnd]
	w := scaled(s.cfg[ccc.RegMwndRate], uint64(s.rsp.BaseRTT), 16)
	hits[[...]int{s.fact.MWNDFloor, s.fact.MWNDCapped, s.fact.MWNDRate}[cover.First(min(limit, w) < mtu, w > limit)]]++
	t.w.MaxWnd = uint32(max(mtu, min(limit, w)))
}

// average sorts the step of the average delay; sample 0 delay, 1 base/4, 2 trim.
func (s *watch) average(hits cover.Hits, t *track, sample int) {
	hits[s.ewma.At2(sample, 1+cmp.Compare(s.rsp.AvgDelay, t.w.AvgDelay))]++
}

// nack follows a NACK in the order of the contract.
func (s *watch) nack(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	s.credit.stop(s, hits, t, 1)
	rccc := s.cfg[ccc.RegCtrl]>>1&1 != 0
	hits[s.reason.At2(reasonIndex(ev.Reason), cover.Bit(rccc))]++
	hits[s.ctrl.At1(int(s.cfg[ccc.RegCtrl]))]++
	class := cover.Among(ev.Reason, ccc.ReasonTrimmed, ccc.ReasonTrimmedLasthop)
	hits[s.markNack.At2(cover.Bit(ev.M), class)]++
	lb := cover.Among(r.LB, ccc.LBNoECN, ccc.LBECN, ccc.LBNack)
	hits.If(lb < 3, s.lb.At1(2+lb))
	if int64(t.w.Inflight)-int64(ev.Size) < -1<<31 {
		s.saturate(hits, s.sat.InflightNack)
	}
	s.rttSample(hits, t, 1)
	if class < 2 {
		s.average(hits, t, 2)
		s.add32(hits, &t.w.BytesIgnored, uint64(ev.Size), s.sat.IgnoredNack)
	}
	if class == 0 || class == 1 && !rccc {
		t.w.TriggerQA = true
		hits[s.fact.TriggerDisabled] += s.cfg[ccc.RegCtrl] & 1
		s.quickAdapt(hits, t, 1, true)
	}
	if a := cover.Among(r.Action, ccc.ActionNackDec, ccc.ActionIgnore, ccc.ActionQA, ccc.ActionNoop); a < 4 {
		hits[s.action.At1([...]int{13, 11, 12, 10}[a])]++
		hits.If(a < 3, s.nackActed.At2(class&1, a))
	}
	if r.Action == ccc.ActionNackDec {
		s.atFloor(hits, 1)
		s.floor(hits, t, 0)
	}
	s.add32(hits, &t.w.WaitingRtx, 1, s.sat.WaitingNack)
	s.add32(hits, &t.w.RtxBacklog, uint64(ev.Size), s.sat.RtxNack)
	s.sub32(hits, &t.w.InflightPkts, 1, s.und.PktsNack)
	hits.If(r.Saturated, s.flag.NackSaturated)
	hits.If(r.Underflow, s.flag.NackUnderflow)
}

// ack follows an ACK in the order of the contract.
func (s *watch) ack(hits cover.Hits, t *track) {
	ev, r := &s.ev, &s.rsp
	w := &t.w
	s.credit.stop(s, hits, t, 0)
	delta := s.counters(hits, t)
	hits[s.lb.At1(cover.Bit(ev.M))]++
	if ev.PDC != t.lastPDC {
		hits[s.fact.TwoPDCs]++
		t.lastPDC = ev.PDC
	}
	cwnd := s.flowControl(hits, t, delta)
	s.rttSample(hits, t, 0)
	average := s.cfg[ccc.RegCtrl]>>2&1 != 0
	hits.If(!r.RTTValid, s.noSampleCtrl.At1(int(s.cfg[ccc.RegCtrl])))
	if r.RTTValid || average {
		s.decide(hits, t, delta, cwnd)
	}
	s.sub32(hits, &w.InflightPkts, uint32(ev.AckedPkts), s.und.PktsAck)

	if r.Action >= ccc.ActionFair && r.Action <= ccc.ActionQA {
		a := int(r.Action - ccc.ActionFair)
		hits[s.action.At1(1+a)]++
		hits.Each(s.ackFlag.At2(a, 0), r.Stale, r.Saturated, r.Underflow, r.BaseFell, r.Saved, r.Restored, r.QAWindow,
			r.Fulfilled, r.EtaApplied) // as ackFlags
	}
	hits.If(r.Saturated, s.flag.AckSaturated)
	hits.If(r.Underflow, s.flag.AckUnderflow)
	hits.If(r.Stale, s.flag.Stale)
	hits.Each(s.flag.RcvLimit, r.RcvLimit, r.Saved, r.Restored)
	hits.Each(s.flag.MDApplied, r.MDApplied, r.Fulfilled, r.EtaApplied)
}

// counters follows steps 1 to 4 and returns delta in bytes.
func (s *watch) counters(hits cover.Hits, t *track) uint64 {
	ev, w := &s.ev, &t.w
	last := &t.rcvd[ev.PDC]
	units := (ev.RcvdBytes - *last) & top24
	hits[s.rcvd.At2(cover.Band(units, 1, 2, 1<<23-1, 1<<23, 1<<23+1, top24), int(ev.PDC))]++
	if t.bound>>ev.PDC&1 != 0 {
		t.bound &^= 1 << ev.PDC
		freed := units < 1<<23 && (ev.RcvdBytes-t.before[ev.PDC])&top24 >= 1<<23
		hits.If(freed, s.fact.BindFrees)
	}
	delta := uint64(0)
	if units < 1<<23 {
		delta = uint64(units) << 8
		hits.If(ev.RcvdBytes < *last, s.rcvdWrap.At1(int(ev.PDC)))
		*last = ev.RcvdBytes
	}
	s.sub32(hits, &w.WaitingRtx, uint32(ev.UnmarkPkts), s.und.AckWaiting)
	s.sub32(hits, &w.RtxBacklog, ev.UnmarkBytes, s.und.AckRtx)
	switch v := int64(w.Inflight) + int64(ev.UnmarkBytes) - int64(delta); {
	case v > 1<<31-1:
		s.saturate(hits, s.sat.InflightAckHigh)
	case v < -1<<31:
		s.saturate(hits, s.sat.InflightAckLow)
	}
	s.add32(hits, &w.BytesIgnored, delta, s.sat.IgnoredAck)
	s.add32(hits, &w.ReceivedBytes, delta, s.sat.Received)
	s.add32(hits, &w.AchievedBytes, delta, s.sat.Achieved)
	return delta
}

// flowControl follows step 7 and returns the window after it.
func (s *watch) flowControl(hits cover.Hits, t *track, delta uint64) uint32 {
	ev, r, w := &s.ev, &s.rsp, &t.w
	hits[s.pend.At2(cover.Among(ev.Pend, 0, 1, 64, 127), cover.Bit(ev.RC))]++
	hits[s.saved.At3(cover.Bit(w.SavedCwnd > 0), cover.Bit(ev.Pend > 0), cover.Bit(ev.RC))]++
	cwnd, mtu := w.Cwnd, s.cfg[ccc.RegMTU]
	if ev.Pend > 0 {
		if w.SavedCwnd == 0 {
			w.SavedCwnd = cwnd
		}
		fly := uint32(max(r.Inflight, 0))
		hits.If(r.Inflight < 0, s.fact.PenaltyNegative)
		hits.If(r.Inflight >= 0, s.fact.PenaltyInflight+cover.Bit(fly >= cwnd))
		less := uint64(ev.Pend) * delta >> 7
		cwnd = uint32(max(int64(min(cwnd, fly))-int64(less), 0))
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
		hits.If(r.BaseFell, s.fact.RestoreBaseFell)
		w.SavedCwnd = 0
	}
	return cwnd
}
