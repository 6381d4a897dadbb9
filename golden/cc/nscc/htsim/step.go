package htsim

// Step applies one event and returns what it did. It allocates nothing.
func (s *State[T]) Step(p *Params, e *Event) Outcome[T] {
	o := Outcome[T]{Before: s.Values}
	switch e.Kind {
	case ACK:
		s.ack(p, e, &o)
	case NACK:
		s.nack(p, e, &o)
	case RTO:
		s.Cwnd = max(s.Cwnd-T(e.Lost), T(p.MTU))
		o.Action = RTODec
		o.IncPeak = s.IncBytes
	}
	o.After = s.Values
	return o
}

func (s *State[T]) updateBase(p *Params, raw T) {
	if raw >= s.BaseRTT {
		return
	}
	s.BaseRTT = raw
	s.MaxWnd = s.to.window(p.bdp(float64(raw)))
}

func (s *State[T]) updateDelay(p *Params, sample T, ecn bool) {
	d := float64(sample)
	if !ecn && sample > T(p.Target) {
		d = float64(s.BaseRTT) * 0.25
	}
	s.AvgDelay = s.to.average(p, float64(s.AvgDelay), d)
}

func (s *State[T]) ack(p *Params, e *Event, o *Outcome[T]) {
	newly, raw, target := T(e.Newly), T(e.RawRTT), T(p.Target)
	s.Achieved += newly
	s.Received += newly
	s.BytesIgnored = s.to.wrap(s.BytesIgnored + newly)

	delay := s.AvgDelay
	if e.RTT == DataSample && !e.IsRTS {
		s.updateBase(p, raw)
	}
	if e.RTT != NoSample && raw >= s.BaseRTT {
		delay = raw - s.BaseRTT
		s.updateDelay(p, delay, e.ECN)
	} else if e.RTT == ProbeSample { // for the ACK of an RTS below the base the average stands in
		delay = 0
	}
	o.Delay = delay
	if s.quickAdapt(p, e, false, e.ECN, delay, o) {
		return
	}
	switch {
	case !e.ECN && delay >= target:
		o.Action = FAIR
		s.IncBytes = s.to.wrap32(float64(s.IncBytes) + float64(p.Fi*float64(newly)))
	case !e.ECN:
		s.proportional(p, newly, delay, o)
	case delay >= target:
		o.Action = MD
		s.decrease(p, T(e.Time), o)
	default:
		o.Action = NOOP
	}
	s.clamp(p)
	o.IncPeak = s.IncBytes
	if s.Received > T(p.AdjustBytes) || T(e.Time)-s.LastAdjust > T(p.AdjustPeriod) {
		s.fulfil(p, T(e.Time), o)
	}
	s.clamp(p)
}

func (s *State[T]) clamp(p *Params) { s.Cwnd = max(T(p.MTU), min(s.Cwnd, s.MaxWnd)) }

func (s *State[T]) proportional(p *Params, newly, delay T, o *Outcome[T]) {
	if delay < T(p.FastDelay) {
		s.FiCount = s.to.wrap(s.FiCount + newly)
		if s.FiCount > s.Cwnd || s.FiMode {
			s.Cwnd = s.to.store(float64(s.Cwnd) + float64(float64(newly)*p.FiScale))
			s.FiMode = true
			o.Action = FAST
			return
		}
	} else {
		s.FiCount = 0
	}
	s.FiMode = false
	o.Action = PROP
	inc := float64(float64(p.Alpha*float64(newly)) * float64(T(p.Target)-delay))
	s.IncBytes = s.to.wrap32(float64(s.IncBytes) + inc)
}

func (s *State[T]) decrease(p *Params, now T, o *Outcome[T]) {
	s.FiMode = false
	s.FiCount = 0
	target := T(p.Target)
	if s.AvgDelay > target && now-s.LastDec > s.BaseRTT {
		f := 1 - float64(p.Gamma*float64(s.AvgDelay-target))/float64(s.AvgDelay)
		s.Cwnd = max(s.to.store(float64(float64(s.Cwnd)*max(f, p.MaxMDJump))), T(p.MTU))
		s.LastDec = now
		o.MDApplied = true
	}
}

func (s *State[T]) fulfil(p *Params, now T, o *Outcome[T]) {
	o.Fulfilled = true
	s.Cwnd += s.IncBytes / s.Cwnd
	if now-s.LastAdjust >= T(p.AdjustPeriod) {
		s.Cwnd = s.to.store(float64(s.Cwnd) + p.Eta)
		s.LastAdjust = now
		o.EtaApplied = true
	}
	s.IncBytes = 0
	s.Received = 0
}

// quickAdapt reports whether the event is used up, by a fire or by the phase
// that ignores feedback from before the last fire.
func (s *State[T]) quickAdapt(p *Params, e *Event, loss, ecn bool, delay T, o *Outcome[T]) bool {
	now := T(e.Time)
	switch {
	case s.BytesIgnored < s.BytesToIgnore && ecn:
		o.QAIgnored = true
		o.Action = IGNORE
	case now > s.QAEnd:
		o.QAWindow = true
		o.AchievedAtQA = s.Achieved
		due := s.TriggerQA || loss || delay > T(p.QAThreshold)
		if s.QAEnd != 0 && due && s.Achieved < s.MaxWnd/T(uint64(1)<<p.QAGate) {
			s.Cwnd = max(s.Achieved, T(p.MTU))
			s.BytesToIgnore = s.to.wrap(T(e.InFlight))
			s.BytesIgnored = 0
			s.TriggerQA = false
			o.QAFired = true
			o.Action = QA
		}
		s.Achieved = 0
		s.QAEnd = now + s.BaseRTT + T(p.Target)
	}
	if o.QAIgnored || o.QAFired {
		o.IncPeak = s.IncBytes
		s.IncBytes = 0
		s.Received = 0
		return true
	}
	return false
}

func (s *State[T]) nack(p *Params, e *Event, o *Outcome[T]) {
	if e.RTT == DataSample {
		s.updateBase(p, T(e.RawRTT))
	}
	s.BytesIgnored = s.to.wrap(s.BytesIgnored + T(e.Lost))
	s.updateDelay(p, T(p.NetworkRTT), true)
	s.TriggerQA = true
	if !s.quickAdapt(p, e, true, true, 0, o) {
		s.Cwnd -= T(e.Lost)
		s.clamp(p)
		o.Action = NACKDec
		o.IncPeak = s.IncBytes
	}
}
