package nscc

// penalty is apply_cwnd_penalty of 3.6.13.6, destination flow control. It reports
// whether the destination limits the source.
func (s *StateOf[N]) penalty(p *ParamsOf[N], e *AckOf[N], delta N, r *ResponseOf[N]) bool {
	var zero N
	if e.Pend > 0 {
		if p.isZero(s.SavedCwnd) {
			s.SavedCwnd = s.Cwnd
			r.Saved = true
		}
		cut := p.quo(ValPenalty, p.mul(p.whole(int64(e.Pend)), delta), p.whole(128))
		s.Cwnd = p.lesser(s.Cwnd, p.greater(s.Inflight, zero))
		s.Cwnd = p.greater(p.MTU, p.sub(s.Cwnd, cut))
		return true
	}
	if e.Restore && p.above0(s.SavedCwnd) {
		s.Cwnd = p.lesser(s.SavedCwnd, s.MaxWnd)
		s.SavedCwnd = zero
		r.Restored = true
	}
	return false
}

// updateBaseRTT is update_base_rtt: the smallest sample ever, which also scales
// the largest window. The window itself is left to the next growth.
func (s *StateOf[N]) updateBaseRTT(p *ParamsOf[N], rtt N, r *ResponseOf[N]) {
	if !p.below0(r.compare(p, RTTBase, rtt, s.BaseRTT)) {
		return
	}
	s.BaseRTT = rtt
	r.BaseFell = true
	s.MaxWnd = p.greater(p.MTU, p.lesser(p.InitWnd, p.floorRate(ValRateWnd, p.mul(p.WndRate, rtt))))
}

// updateDelay is update_delay, a running average. An unmarked long delay is a
// queue that has already drained, so a quarter of base_rtt stands for it.
func (s *StateOf[N]) updateDelay(p *ParamsOf[N], delay N, marked bool, r *ResponseOf[N]) {
	if !marked && p.less(p.Target, delay) {
		delay = p.quo(ValOutlier, s.BaseRTT, p.whole(4))
	}
	r.AvgStepped = true
	step := p.keep(ValAvgStep, p.mul(p.EWMAGain, p.sub(delay, s.AvgDelay)))
	s.AvgDelay = p.keep(ValAvgDelay, p.add(s.AvgDelay, step))
}

// quickAdapt is quick_adapt: once per window it may set cwnd to what was achieved
// in it. It reports whether the event is used up.
func (s *StateOf[N]) quickAdapt(p *ParamsOf[N], now N, loss, marked bool, delay N, r *ResponseOf[N]) bool {
	var zero N
	if p.QADisabled {
		return false
	}
	if marked && p.below0(r.compare(p, IgnoredBytes, s.BytesIgnored, s.BytesToIgnore)) {
		r.Ignored = true
		r.Action = IGNORE
		s.IncBytes = zero
		s.ReceivedBytes = zero
		return true
	}
	if s.QAValid && !s.windowOver(p, now, r) {
		return false
	}
	r.QAWindow = true
	if s.QAValid && s.qaDue(p, loss, delay, r) {
		s.Cwnd = p.greater(s.AchievedBytes, p.MTU)
		s.BytesToIgnore = p.greater(s.Inflight, zero)
		s.BytesIgnored = zero
		s.TriggerQA = false
		s.IncBytes = zero
		s.ReceivedBytes = zero
		r.QAFired = true
		r.Action = QA
	}
	s.AchievedBytes = zero
	s.QAValid = true
	s.QAEnd = p.after(now, p.add(s.BaseRTT, p.Target))
	return r.QAFired
}

// windowOver reports whether the quick-adapt window has ended. Time stamps wrap: an
// end further ahead than any window reaches is from before the last wrap. base_rtt
// starts at its configured value and falls, also within a window.
func (s *StateOf[N]) windowOver(p *ParamsOf[N], now N, r *ResponseOf[N]) bool {
	var zero N
	ahead := p.elapsed(now, s.QAEnd)
	reach := p.keep(ValWindow, p.add(p.greater(s.BaseRTT, p.ConfigBaseRTT), p.Target))
	if p.above0(ahead) && !p.less(reach, ahead) {
		r.compare(p, WindowQA, p.sub(zero, ahead), zero)
		return false
	}
	r.compare(p, WindowQA, p.lesser(p.elapsed(s.QAEnd, now), p.greater(p.sub(ahead, reach), zero)), zero)
	return true
}

// qaDue reports whether a window that ended calls for quick adapt: heavy
// congestion was seen, and little was achieved.
func (s *StateOf[N]) qaDue(p *ParamsOf[N], loss bool, delay N, r *ResponseOf[N]) bool {
	slow := p.above0(r.compare(p, DelayQA, delay, p.QAThreshold))
	little := p.below0(r.compare(p, AchievedGate, s.AchievedBytes, p.quo(ValGate, s.MaxWnd, p.QAGateDiv)))
	return (s.TriggerQA || loss || slow) && little
}

// increase adds to the accumulator that fulfil divides by the window. Products
// are floored to whole bytes squared, as stored.
func (s *StateOf[N]) increase(p *ParamsOf[N], at Value, inc N, r *ResponseOf[N]) {
	sum, clamped := p.fit(ValIncBytes, p.add(s.IncBytes, p.floor(at, inc)))
	s.IncBytes = sum
	if clamped {
		r.Flags |= SatInc
	}
}

// proportional is proportional_increase with fast_increase inside it.
func (s *StateOf[N]) proportional(p *ParamsOf[N], delta, delay N, r *ResponseOf[N]) {
	if p.below0(r.compare(p, DelayFast, delay, p.FastDelay)) {
		s.FiCount = s.count(p, r, ValFiCount, s.FiCount, delta)
		if p.above0(r.compare(p, FiCwnd, s.FiCount, s.Cwnd)) || s.Increase {
			s.Cwnd = p.lesser(p.add(s.Cwnd, p.floor(ValFastInc, p.mul(delta, p.FiScale))), s.MaxWnd)
			s.Increase = true
			r.Action = FAST
			return
		}
	} else {
		var zero N
		s.FiCount = zero
	}
	s.Increase = false
	r.Action = PROP
	s.increase(p, ValPropInc, p.mul(p.mul(p.Alpha, delta), p.sub(p.Target, delay)), r)
}

// decrease is multiplicative_decrease: by the share of the average delay above
// the target, at most once per base_rtt.
func (s *StateOf[N]) decrease(p *ParamsOf[N], now N, r *ResponseOf[N]) {
	var zero N
	s.Increase = false
	s.FiCount = zero
	over := r.compare(p, AvgTarget, s.AvgDelay, p.Target)
	rested := p.above0(r.compare(p, SinceDec, p.elapsed(s.LastDec, now), s.BaseRTT))
	if !p.above0(over) || !rested {
		return
	}
	f := p.sub(p.whole(1), p.share(ValRatio, p.Gamma, over, s.AvgDelay))
	f = p.keep(ValFactor, p.greater(f, p.MaxMDJump))
	s.Cwnd = p.greater(p.floor(ValDecreased, p.mul(s.Cwnd, f)), p.MTU)
	s.LastDec = now
	r.MDApplied = true
}

// fulfil is fulfill_adjustment: spend the accumulated increase, and once per
// period a constant that keeps small windows growing.
func (s *StateOf[N]) fulfil(p *ParamsOf[N], now N, due bool, r *ResponseOf[N]) {
	var zero N
	r.Fulfilled = true
	r.Fulfilling, r.FulfillingBy = s.IncBytes, s.Cwnd
	growth, clamped := p.quoFit(ValQuotient, s.IncBytes, s.Cwnd)
	if clamped {
		r.Flags |= SatCounter
	}
	s.Cwnd = p.add(s.Cwnd, growth)
	if due {
		s.LastAdjust = now
		s.Cwnd = p.add(s.Cwnd, p.floor(ValEtaBytes, p.Eta))
		r.EtaApplied = true
	}
	s.Cwnd = p.lesser(s.Cwnd, s.MaxWnd)
	s.IncBytes = zero
	s.ReceivedBytes = zero
}
