package htsim

// RealState is the same sender in real arithmetic: nothing is truncated and
// nothing wraps, so its distance from IntState is the cost of the stores.
type RealState struct{ Values[float64] }

// NewRealState returns a sender as the simulator creates it, untruncated.
func NewRealState(p *Params) *RealState {
	w := 1.5 * p.bdp(float64(p.NetworkRTT))
	return &RealState{Values[float64]{BaseRTT: float64(p.NetworkRTT), MaxWnd: w, Cwnd: w}}
}

// Step applies one event and returns what it did. It allocates nothing.
func (s *RealState) Step(p *Params, e *Event) Outcome[float64] {
	o := Outcome[float64]{Before: s.Values}
	switch e.Kind {
	case ACK:
		s.ack(p, e, &o)
	case NACK:
		s.nack(p, e, &o)
	case RTO:
		s.Cwnd = max(s.Cwnd-float64(e.Lost), float64(p.MTU))
		o.Action = RTODec
		o.IncPeak = s.IncBytes
	}
	o.After = s.Values
	return o
}

func (s *RealState) updateBase(p *Params, raw float64) {
	if raw >= s.BaseRTT {
		return
	}
	s.BaseRTT = raw
	s.MaxWnd = 1.5 * p.bdp(raw)
}

func (s *RealState) updateDelay(p *Params, d float64, ecn bool) {
	if !ecn && d > float64(p.Target) {
		d = s.BaseRTT / 4
	}
	s.AvgDelay += float64(p.EWMAGain * (d - s.AvgDelay))
}

func (s *RealState) ack(p *Params, e *Event, o *Outcome[float64]) {
	newly, raw := float64(e.Newly), float64(e.RawRTT)
	s.Achieved += newly
	s.Received += newly
	s.BytesIgnored += newly

	delay := s.AvgDelay
	if e.RTT == DataSample && !e.IsRTS {
		s.updateBase(p, raw)
	}
	if e.RTT != NoSample && raw >= s.BaseRTT {
		delay = raw - s.BaseRTT
		s.updateDelay(p, delay, e.ECN)
	} else if e.RTT == ProbeSample {
		delay = 0
	}
	o.Delay = delay
	if s.quickAdapt(p, e, false, e.ECN, delay, o) {
		return
	}
	target := float64(p.Target)
	switch {
	case !e.ECN && delay >= target:
		o.Action = FAIR
		s.IncBytes += float64(p.Fi * newly)
	case !e.ECN:
		s.proportional(p, newly, delay, o)
	case delay >= target:
		o.Action = MD
		s.decrease(p, float64(e.Time), o)
	default:
		o.Action = NOOP
	}
	s.clamp(p)
	o.IncPeak = s.IncBytes
	if s.Received > float64(p.AdjustBytes) || float64(e.Time)-s.LastAdjust > float64(p.AdjustPeriod) {
		s.fulfil(p, float64(e.Time), o)
	}
	s.clamp(p)
}

func (s *RealState) clamp(p *Params) { s.Cwnd = max(float64(p.MTU), min(s.Cwnd, s.MaxWnd)) }

func (s *RealState) proportional(p *Params, newly, delay float64, o *Outcome[float64]) {
	if delay < float64(p.FastDelay) {
		s.FiCount += newly
		if s.FiCount > s.Cwnd || s.FiMode {
			s.Cwnd += float64(newly * p.FiScale)
			s.FiMode = true
			o.Action = FAST
			return
		}
	} else {
		s.FiCount = 0
	}
	s.FiMode = false
	o.Action = PROP
	s.IncBytes += float64(p.Alpha * newly * (float64(p.Target) - delay))
}

func (s *RealState) decrease(p *Params, now float64, o *Outcome[float64]) {
	s.FiMode = false
	s.FiCount = 0
	target := float64(p.Target)
	if s.AvgDelay > target && now-s.LastDec > s.BaseRTT {
		f := 1 - float64(p.Gamma*(s.AvgDelay-target))/s.AvgDelay
		s.Cwnd = max(float64(s.Cwnd*max(f, p.MaxMDJump)), float64(p.MTU))
		s.LastDec = now
		o.MDApplied = true
	}
}

func (s *RealState) fulfil(p *Params, now float64, o *Outcome[float64]) {
	o.Fulfilled = true
	s.Cwnd += s.IncBytes / s.Cwnd
	if now-s.LastAdjust >= float64(p.AdjustPeriod) {
		s.Cwnd += p.Eta
		s.LastAdjust = now
		o.EtaApplied = true
	}
	s.IncBytes = 0
	s.Received = 0
}

func (s *RealState) quickAdapt(p *Params, e *Event, loss, ecn bool, delay float64, o *Outcome[float64]) bool {
	now := float64(e.Time)
	switch {
	case s.BytesIgnored < s.BytesToIgnore && ecn:
		o.QAIgnored = true
		o.Action = IGNORE
	case now > s.QAEnd:
		o.QAWindow = true
		o.AchievedAtQA = s.Achieved
		limit := s.MaxWnd / float64(uint64(1)<<p.QAGate)
		if s.QAEnd != 0 && (s.TriggerQA || loss || delay > float64(p.QAThreshold)) && s.Achieved < limit {
			s.Cwnd = max(s.Achieved, float64(p.MTU))
			s.BytesToIgnore = float64(e.InFlight)
			s.BytesIgnored = 0
			s.TriggerQA = false
			o.QAFired = true
			o.Action = QA
		}
		s.Achieved = 0
		s.QAEnd = now + s.BaseRTT + float64(p.Target)
	}
	if o.QAIgnored || o.QAFired {
		o.IncPeak = s.IncBytes
		s.IncBytes = 0
		s.Received = 0
		return true
	}
	return false
}

func (s *RealState) nack(p *Params, e *Event, o *Outcome[float64]) {
	if e.RTT == DataSample {
		s.updateBase(p, float64(e.RawRTT))
	}
	s.BytesIgnored += float64(e.Lost)
	s.updateDelay(p, float64(p.NetworkRTT), true)
	s.TriggerQA = true
	if !s.quickAdapt(p, e, true, true, 0, o) {
		s.Cwnd -= float64(e.Lost)
		s.clamp(p)
		o.Action = NACKDec
		o.IncPeak = s.IncBytes
	}
}
