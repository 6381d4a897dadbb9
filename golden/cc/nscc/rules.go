package nscc

// penalty is apply_cwnd_penalty of 3.6.13.6, destination flow control. It reports
// whether the destination limits the source.
func (s *State) penalty(p *Params, e *Ack, delta float64, r *Response) bool {
	if e.Pend > 0 {
		if s.SavedCwnd == 0 {
			s.SavedCwnd = s.Cwnd
			r.Saved = true
		}
		cut := p.floor(float64(e.Pend) * delta / 128)
		s.Cwnd = min(s.Cwnd, max(s.Inflight, 0))
		s.Cwnd = max(p.MTU, s.Cwnd-cut)
		return true
	}
	if e.Restore && s.SavedCwnd > 0 {
		s.Cwnd = min(s.SavedCwnd, s.MaxWnd)
		s.SavedCwnd = 0
		r.Restored = true
	}
	return false
}

// updateBaseRTT is update_base_rtt: the smallest sample ever, which also scales
// the largest window. The window itself is left to the next growth.
func (s *State) updateBaseRTT(p *Params, rtt float64, r *Response) {
	if r.compare(RTTBase, rtt, s.BaseRTT) >= 0 {
		return
	}
	s.BaseRTT = rtt
	r.BaseFell = true
	s.MaxWnd = max(p.MTU, min(p.InitWnd, p.floorBytes(p.WndRate*rtt)))
}

// updateDelay is update_delay, a running average. An unmarked long delay is a
// queue that has already drained, so a quarter of base_rtt stands for it.
func (s *State) updateDelay(p *Params, delay float64, marked bool, r *Response) {
	if !marked && delay > p.Target {
		delay = p.floor(s.BaseRTT / 4)
	}
	r.AvgStepped = true
	s.AvgDelay += float64(p.EWMAGain * (delay - s.AvgDelay))
}

// quickAdapt is quick_adapt: once per window it may set cwnd to what was achieved
// in it. It reports whether the event is used up.
func (s *State) quickAdapt(p *Params, now float64, loss, marked bool, delay float64, r *Response) bool {
	if p.QADisabled {
		return false
	}
	if marked && r.compare(IgnoredBytes, s.BytesIgnored, s.BytesToIgnore) < 0 {
		r.Ignored = true
		r.Action = IGNORE
		s.IncBytes = 0
		s.ReceivedBytes = 0
		return true
	}
	if s.QAValid && !s.windowOver(p, now, r) {
		return false
	}
	r.QAWindow = true
	if s.QAValid && s.qaDue(p, loss, delay, r) {
		s.Cwnd = max(s.AchievedBytes, p.MTU)
		s.BytesToIgnore = max(s.Inflight, 0)
		s.BytesIgnored = 0
		s.TriggerQA = false
		s.IncBytes = 0
		s.ReceivedBytes = 0
		r.QAFired = true
		r.Action = QA
	}
	s.AchievedBytes = 0
	s.QAValid = true
	s.QAEnd = p.after(now, s.BaseRTT+p.Target)
	return r.QAFired
}

// windowOver reports whether the quick-adapt window has ended. Time stamps wrap: an
// end further ahead than any window reaches is from before the last wrap. base_rtt
// starts at its configured value and falls, also within a window.
func (s *State) windowOver(p *Params, now float64, r *Response) bool {
	ahead := p.elapsed(now, s.QAEnd)
	reach := max(s.BaseRTT, p.ConfigBaseRTT) + p.Target
	if ahead > 0 && ahead <= reach {
		r.compare(WindowQA, -ahead, 0)
		return false
	}
	r.compare(WindowQA, min(p.elapsed(s.QAEnd, now), max(ahead-reach, 0)), 0)
	return true
}

// qaDue reports whether a window that ended calls for quick adapt: heavy
// congestion was seen, and little was achieved.
func (s *State) qaDue(p *Params, loss bool, delay float64, r *Response) bool {
	slow := r.compare(DelayQA, delay, p.QAThreshold) > 0
	little := r.compare(AchievedGate, s.AchievedBytes, p.floor(s.MaxWnd/p.QAGateDiv)) < 0
	return (s.TriggerQA || loss || slow) && little
}

// increase adds to the accumulator that fulfil divides by the window. Products
// are floored to whole bytes squared, as stored.
func (s *State) increase(p *Params, inc float64, r *Response) {
	s.IncBytes += p.floor(inc)
	if s.IncBytes > maxIncBytes {
		s.IncBytes = maxIncBytes
		r.Flags |= SatInc
	}
}

// proportional is proportional_increase with fast_increase inside it.
func (s *State) proportional(p *Params, delta, delay float64, r *Response) {
	if r.compare(DelayFast, delay, p.FastDelay) < 0 {
		s.FiCount = s.count(r, s.FiCount, delta)
		if r.compare(FiCwnd, s.FiCount, s.Cwnd) > 0 || s.Increase {
			s.Cwnd = min(s.Cwnd+p.floor(float64(delta*p.FiScale)), s.MaxWnd)
			s.Increase = true
			r.Action = FAST
			return
		}
	} else {
		s.FiCount = 0
	}
	s.Increase = false
	r.Action = PROP
	s.increase(p, float64(p.Alpha*delta*(p.Target-delay)), r)
}

// decrease is multiplicative_decrease: by the share of the average delay above
// the target, at most once per base_rtt.
func (s *State) decrease(p *Params, now float64, r *Response) {
	s.Increase = false
	s.FiCount = 0
	over := r.compare(AvgTarget, s.AvgDelay, p.Target)
	rested := r.compare(SinceDec, p.elapsed(s.LastDec, now), s.BaseRTT) > 0
	if over <= 0 || !rested {
		return
	}
	f := max(1-float64(p.Gamma*over)/s.AvgDelay, p.MaxMDJump)
	s.Cwnd = max(p.floor(s.Cwnd*f), p.MTU)
	s.LastDec = now
	r.MDApplied = true
}

// fulfil is fulfill_adjustment: spend the accumulated increase, and once per
// period a constant that keeps small windows growing.
func (s *State) fulfil(p *Params, now float64, due bool, r *Response) {
	r.Fulfilled = true
	r.Fulfilling, r.FulfillingBy = s.IncBytes, s.Cwnd
	s.Cwnd += saturate(r, p.floor(s.IncBytes/s.Cwnd), maxCounter)
	if due {
		s.LastAdjust = now
		s.Cwnd += p.floor(p.Eta)
		r.EtaApplied = true
	}
	s.Cwnd = min(s.Cwnd, s.MaxWnd)
	s.IncBytes = 0
	s.ReceivedBytes = 0
}
