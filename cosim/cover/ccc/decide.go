package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// decide follows steps 9 to 14 of an ACK with a sample, or with the average in its
// place; cwnd is the window after receiver flow control.
func (s *watch) decide(hits []uint64, t *track, delta uint64, cwnd uint32) {
	ev, r, w := &s.ev, &s.rsp, &t.w
	target := s.cfg[ccc.RegTargetQDelay]
	high := uint64(r.Delay) >= target
	th := &s.thDelay
	if !r.RTTValid {
		th = &s.thAverage
		hits[s.noSample.At1(int(r.Action-ccc.ActionFair))]++
		fraction := r.AvgDelay&(1<<16-1) != 0
		hits[s.fact.At1(factAverageFloored)] += uint64(cover.Bit(fraction && uint64(r.Delay)+1 == target))
	}
	hits[th.At3(cover.Side(int64(r.Delay), int64(target)), cover.Bit(ev.M), cover.Bit(ev.Pend > 0))]++
	if target == 0 {
		hits[s.fact.At1(factTargetZero)]++
	}
	if r.RTTValid {
		s.average(hits, t, cover.Bit(!ev.M && uint64(r.Delay) > target))
	}
	s.quickAdapt(hits, t, 0, ev.M)
	path := 0
	if r.Ignored {
		path = 1
	} else if r.QAFired {
		path = 2
	}
	hits[s.quad.At4(cover.Bit(ev.M), cover.Bit(high), cover.Bit(ev.Pend > 0), path)]++
	if path > 0 {
		return
	}
	switch r.Action {
	case ccc.ActionFair:
		s.grow(hits, w, scaled(s.cfg[ccc.RegFI], delta, 8), satIncFair, productFair)
	case ccc.ActionProp:
		s.fast(hits, t, delta, cwnd)
		// The exact product is below 2^96: scale its two parts apart.
		k := s.cfg[ccc.RegAlpha] * (delta >> 8)
		s.grow(hits, w, scaled(k, (target-uint64(r.Delay))<<8, 16), satIncProp, productProp)
	case ccc.ActionFast:
		s.fast(hits, t, delta, cwnd)
		step := delta * s.cfg[ccc.RegFIScale] >> 16
		grown := uint64(cwnd) + step
		if grown < uint64(w.MaxWnd) && !r.Fulfilled {
			s.bit(hits, productFast, step)
		}
		if cwnd > w.MaxWnd {
			hits[s.fact.At1(factGrowthLowers)]++
		}
		cwnd = uint32(min(grown, uint64(w.MaxWnd)))
		hits[s.atMax.At2(0, cover.Bit(cwnd == w.MaxWnd))]++
	case ccc.ActionMD:
		w.Increase, w.FICount = false, 0
		s.decrease(hits, t)
	}
	s.fulfilment(hits, t, cwnd)
}

// grow follows inc_bytes.
func (s *watch) grow(hits []uint64, w *ccc.Words, n uint64, point, product int) {
	v := w.IncBytes + n
	if v > top48 {
		s.saturate(hits, point)
		v = top48
	} else {
		s.bit(hits, product, n)
	}
	w.IncBytes = v
}

// fast follows fast_increase, which ran when the action is PROP or FAST.
func (s *watch) fast(hits []uint64, t *track, delta uint64, cwnd uint32) {
	r, w := &s.rsp, &t.w
	limit := s.cfg[ccc.RegFastDelay]
	hits[s.thFast.At2(cover.Bit(!r.RTTValid), cover.Side(int64(r.Delay), int64(limit)))]++
	if uint64(r.Delay) >= limit {
		hits[s.fact.At1(factFastOff-cover.Bit(w.Increase))]++
		w.FICount, w.Increase = 0, false
		return
	}
	s.add32(hits, &w.FICount, delta, satFI)
	if !w.Increase {
		hits[s.thFI.At1(cover.Side(int64(w.FICount), int64(cwnd)))]++
	}
	switch {
	case w.Increase:
		hits[s.fact.At1(factFastContinues)]++
	case r.Action == ccc.ActionFast:
		hits[s.fact.At1(factFastStarts)]++
	default:
		hits[s.fact.At1(factFastCounts)]++
	}
	w.Increase = r.Action == ccc.ActionFast
}

// decrease sorts the decision of the multiplicative decrease.
func (s *watch) decrease(hits []uint64, t *track) {
	ev, r, w := &s.ev, &s.rsp, &t.w
	target := s.cfg[ccc.RegTargetQDelay] << 16
	hits[s.thAvg.At1(cover.Side(int64(r.AvgDelay), int64(target)))]++
	if r.AvgDelay <= target {
		hits[s.fact.At1(factMDBelow)]++
		return
	}
	since := (ev.Now - w.LastDecTime) & top48
	hits[s.thDec.At1(cover.Side(int64(since), int64(r.BaseRTT)))]++
	if !r.MDApplied {
		hits[s.fact.At1(factMDGuard)]++
		return
	}
	if ev.Now < w.LastDecTime {
		hits[s.fact.At1(factWrapDec)]++
	}
	w.LastDecTime = ev.Now
	// The ratio in 16 bits is close enough to tell which bound held.
	ratio := uint64(float64(r.AvgDelay-target) / float64(r.AvgDelay) * 65536)
	factor := 1<<32 - s.cfg[ccc.RegGamma]*ratio
	switch least := s.cfg[ccc.RegMaxMDJump] << 16; {
	case factor < least:
		hits[s.fact.At1(factMDFloor)]++
	case s.cfg[ccc.RegGamma]*ratio == 0:
		hits[s.fact.At1(factMDNothing)]++
	default:
		hits[s.fact.At1(factMDRatio)]++
	}
	if !r.Fulfilled {
		hits[s.atMTU.At2(0, cover.Bit(uint64(r.Cwnd) == s.cfg[ccc.RegMTU]))]++
	}
}

// fulfilment follows step 14; cwnd is the window before it, unless a decrease cut
// it.
func (s *watch) fulfilment(hits []uint64, t *track, cwnd uint32) {
	ev, r, w := &s.ev, &s.rsp, &t.w
	period, bytes := s.cfg[ccc.RegAdjustPeriod], s.cfg[ccc.RegAdjustBytes]
	elapsed := (ev.Now - w.LastAdjustTime) & top48
	hits[s.thPeriod.At1(cover.Side(int64(elapsed), int64(period)))]++
	hits[s.thBytes.At1(cover.Side(int64(w.ReceivedBytes), int64(bytes)))]++
	if a := int(r.Action - ccc.ActionFair); a <= 5 {
		hits[s.fulfil.At2(a, cover.Bit(r.Fulfilled)+cover.Bit(r.Fulfilled && r.EtaApplied))]++
	}
	if !r.Fulfilled {
		return
	}
	switch {
	case elapsed >= period && uint64(w.ReceivedBytes) > bytes:
		hits[s.fact.At1(factFulfilBoth)]++
	case elapsed >= period:
		hits[s.fact.At1(factFulfilPeriod)]++
	default:
		hits[s.fact.At1(factFulfilBytes)]++
	}
	if r.EtaApplied {
		if ev.Now < w.LastAdjustTime {
			hits[s.fact.At1(factWrapAdjust)]++
		}
		w.LastAdjustTime = ev.Now
	}
	if !r.MDApplied && cwnd > 0 {
		switch q := w.IncBytes / uint64(cwnd); {
		case q > top32:
			s.saturate(hits, satQuotient)
		case q == 0:
			hits[s.fact.At1(factQuotient0)]++
		default:
			hits[s.fact.At1(factQuotientSome)]++
		}
	}
	if cwnd > w.MaxWnd && r.Action != ccc.ActionMD {
		hits[s.fact.At1(factGrowthLowers)]++
	}
	hits[s.atMax.At2(1, cover.Bit(r.Cwnd == w.MaxWnd))]++
	w.IncBytes, w.ReceivedBytes = 0, 0
}
