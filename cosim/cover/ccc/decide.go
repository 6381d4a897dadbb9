package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// decide follows steps 9 to 14 of an ACK with a sample, or with the average in its
// place; cwnd is the window after receiver flow control.
func (s *watch) decide(hits cover.Hits, t *track, delta uint64, cwnd uint32) {
	ev, r, w := &s.ev, &s.rsp, &t.w
	target := s.cfg[ccc.RegTargetQDelay]
	high := uint64(r.Delay) >= target
	th := &s.thDelay
	if !r.RTTValid {
		th = &s.thAverage
		hits[s.noSample.At1(int(r.Action-ccc.ActionFair))]++
		fraction := r.AvgDelay&(1<<16-1) != 0
		hits.If(fraction && uint64(r.Delay)+1 == target, s.fact.AverageFloored)
	}
	hits[th.At3(cover.Side(int64(r.Delay), int64(target)), cover.Bit(ev.M), cover.Bit(ev.Pend > 0))]++
	hits.If(target == 0, s.fact.TargetZero)
	if r.RTTValid {
		s.average(hits, t, cover.Bit(!ev.M && uint64(r.Delay) > target))
	}
	s.quickAdapt(hits, t, 0, ev.M)
	path := (cover.First(r.Ignored, r.QAFired) + 1) % 3
	hits[s.quad.At4(cover.Bit(ev.M), cover.Bit(high), cover.Bit(ev.Pend > 0), path)]++
	if path > 0 {
		return
	}
	switch r.Action {
	case ccc.ActionFair:
		s.grow(hits, w, scaled(s.cfg[ccc.RegFI], delta, 8), s.sat.IncFair, productFair)
	case ccc.ActionProp:
		s.fast(hits, t, delta, cwnd)
		// The exact product is below 2^96: scale its two parts apart.
		k := s.cfg[ccc.RegAlpha] * (delta >> 8)
		s.grow(hits, w, scaled(k, (target-uint64(r.Delay))<<8, 16), s.sat.IncProp, productProp)
	case ccc.ActionFast:
		s.fast(hits, t, delta, cwnd)
		step := delta * s.cfg[ccc.RegFIScale] >> 16
		grown := uint64(cwnd) + step
		if grown < uint64(w.MaxWnd) && !r.Fulfilled {
			s.bit(hits, productFast, step)
		}
		hits.If(cwnd > w.MaxWnd, s.fact.GrowthLowers)
		cwnd = uint32(min(grown, uint64(w.MaxWnd)))
		hits[s.atMax.At2(0, cover.Bit(cwnd == w.MaxWnd))]++
	case ccc.ActionMD:
		w.Increase, w.FICount = false, 0
		s.decrease(hits, t)
	}
	s.fulfilment(hits, t, cwnd)
}

// grow follows inc_bytes.
func (s *watch) grow(hits cover.Hits, w *ccc.Words, n uint64, point, product int) {
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
func (s *watch) fast(hits cover.Hits, t *track, delta uint64, cwnd uint32) {
	r, w := &s.rsp, &t.w
	limit := s.cfg[ccc.RegFastDelay]
	hits[s.thFast.At2(cover.Bit(!r.RTTValid), cover.Side(int64(r.Delay), int64(limit)))]++
	if uint64(r.Delay) >= limit {
		hits[s.fact.FastEnds+cover.Bit(!w.Increase)]++
		w.FICount, w.Increase = 0, false
		return
	}
	s.add32(hits, &w.FICount, delta, s.sat.FI)
	hits.If(!w.Increase, s.thFI.At1(cover.Side(int64(w.FICount), int64(cwnd))))
	hits[s.fact.FastContinues-cover.First(w.Increase, r.Action == ccc.ActionFast)]++
	w.Increase = r.Action == ccc.ActionFast
}

// decrease sorts the decision of the multiplicative decrease.
func (s *watch) decrease(hits cover.Hits, t *track) {
	ev, r, w := &s.ev, &s.rsp, &t.w
	target := s.cfg[ccc.RegTargetQDelay] << 16
	hits[s.thAvg.At1(cover.Side(int64(r.AvgDelay), int64(target)))]++
	if r.AvgDelay <= target {
		hits[s.fact.MDBelow]++
		return
	}
	since := (ev.Now - w.LastDecTime) & top48
	hits[s.thDec.At1(cover.Side(int64(since), int64(r.BaseRTT)))]++
	if !r.MDApplied {
		hits[s.fact.MDGuard]++
		return
	}
	hits.If(ev.Now < w.LastDecTime, s.fact.WrapDec)
	w.LastDecTime = ev.Now
	// The ratio in 16 bits is close enough to tell which bound held.
	ratio := uint64(float64(r.AvgDelay-target) / float64(r.AvgDelay) * 65536)
	factor := 1<<32 - s.cfg[ccc.RegGamma]*ratio
	hits[[...]int{s.fact.MDFloor, s.fact.MDNothing, s.fact.MDRatio}[cover.First(
		factor < s.cfg[ccc.RegMaxMDJump]<<16, s.cfg[ccc.RegGamma]*ratio == 0)]]++
	if !r.Fulfilled {
		s.atFloor(hits, 0)
	}
}

// fulfilment follows step 14; cwnd is the window before it, unless a decrease cut it.
func (s *watch) fulfilment(hits cover.Hits, t *track, cwnd uint32) {
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
	hits[s.fact.FulfilBoth-cover.First(elapsed >= period && uint64(w.ReceivedBytes) > bytes, elapsed < period)]++
	if r.EtaApplied {
		hits.If(ev.Now < w.LastAdjustTime, s.fact.WrapAdjust)
		w.LastAdjustTime = ev.Now
	}
	if !r.MDApplied && cwnd > 0 {
		if q := w.IncBytes / uint64(cwnd); q > top32 {
			s.saturate(hits, s.sat.Quotient)
		} else {
			hits[s.fact.Quotient0+cover.Bit(q > 0)]++
		}
	}
	hits.If(cwnd > w.MaxWnd && r.Action != ccc.ActionMD, s.fact.GrowthLowers)
	hits[s.atMax.At2(1, cover.Bit(r.Cwnd == w.MaxWnd))]++
	w.IncBytes, w.ReceivedBytes = 0, 0
}
