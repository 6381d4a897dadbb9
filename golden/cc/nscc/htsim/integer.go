package htsim

import "math"

// IntState is a sender in the simulator's own arithmetic: reals are truncated
// when stored, and the 32-bit members wrap.
type IntState struct{ Values[int64] }

// NewIntState returns a sender as the simulator creates it: the window at 1.5
// BDP, every counter and time at 0.
func NewIntState(p *Params) *IntState {
	w := int64(1.5 * p.InitBDP)
	return &IntState{Values[int64]{BaseRTT: p.NetworkRTT, MaxWnd: w, Cwnd: w}}
}

// wrap32 is a store to a uint32: the fraction is cut and the high bits fall off.
func wrap32(v float64) int64 { return int64(uint32(uint64(v))) }

// Step applies one event and returns what it did. It allocates nothing.
func (s *IntState) Step(p *Params, e *Event) Outcome[int64] {
	o := Outcome[int64]{Before: s.Values}
	switch e.Kind {
	case ACK:
		s.ack(p, e, &o)
	case NACK:
		s.nack(p, e, &o)
	case RTO:
		s.Cwnd = max(s.Cwnd-e.Lost, p.MTU)
		o.Action = RTODec
		o.IncPeak = s.IncBytes
	}
	o.After = s.Values
	return o
}

func (s *IntState) updateBase(p *Params, raw int64) {
	if raw >= s.BaseRTT {
		return
	}
	s.BaseRTT = raw
	s.MaxWnd = int64(1.5 * math.Floor(p.bdp(float64(raw))))
}

func (s *IntState) updateDelay(p *Params, sample int64, ecn bool) {
	d := float64(sample)
	if !ecn && sample > p.Target {
		d = float64(s.BaseRTT) * 0.25
	}
	s.AvgDelay = int64(float64(p.EWMAGain*d) + float64((1-p.EWMAGain)*float64(s.AvgDelay)))
}

func (s *IntState) ack(p *Params, e *Event, o *Outcome[int64]) {
	s.Achieved += e.Newly
	s.Received += e.Newly
	s.BytesIgnored = int64(uint32(s.BytesIgnored + e.Newly))

	delay := s.AvgDelay
	if e.RTT != NoSample {
		if e.RTT == DataSample && !e.IsRTS {
			s.updateBase(p, e.RawRTT)
		}
		switch {
		case e.RawRTT >= s.BaseRTT:
			delay = e.RawRTT - s.BaseRTT
			s.updateDelay(p, delay, e.ECN)
		case e.RTT == ProbeSample:
			delay = 0
		default: // the ACK of an RTS below the base: the average stands in
		}
	}
	o.Delay = delay
	if s.quickAdapt(p, e, false, e.ECN, delay, o) {
		return
	}
	switch {
	case !e.ECN && delay >= p.Target:
		o.Action = FAIR
		s.IncBytes = wrap32(float64(s.IncBytes) + float64(p.Fi*float64(e.Newly)))
	case !e.ECN:
		s.proportional(p, e.Newly, delay, o)
	case delay >= p.Target:
		o.Action = MD
		s.decrease(p, e.Time, o)
	default:
		o.Action = NOOP
	}
	s.clamp(p)
	o.IncPeak = s.IncBytes
	if s.Received > p.AdjustBytes || e.Time-s.LastAdjust > p.AdjustPeriod {
		s.fulfil(p, e.Time, o)
	}
	s.clamp(p)
}

func (s *IntState) clamp(p *Params) { s.Cwnd = max(p.MTU, min(s.Cwnd, s.MaxWnd)) }

func (s *IntState) proportional(p *Params, newly, delay int64, o *Outcome[int64]) {
	if delay < p.FastDelay {
		s.FiCount = int64(uint32(s.FiCount + newly))
		if s.FiCount > s.Cwnd || s.FiMode {
			s.Cwnd = int64(float64(s.Cwnd) + float64(float64(newly)*p.FiScale))
			s.FiMode = true
			o.Action = FAST
			return
		}
	} else {
		s.FiCount = 0
	}
	s.FiMode = false
	o.Action = PROP
	s.IncBytes = wrap32(float64(s.IncBytes) + float64(float64(p.Alpha*float64(newly))*float64(p.Target-delay)))
}

func (s *IntState) decrease(p *Params, now int64, o *Outcome[int64]) {
	s.FiMode = false
	s.FiCount = 0
	if s.AvgDelay > p.Target && now-s.LastDec > s.BaseRTT {
		f := 1 - float64(p.Gamma*float64(s.AvgDelay-p.Target))/float64(s.AvgDelay)
		s.Cwnd = max(int64(float64(s.Cwnd)*max(f, p.MaxMDJump)), p.MTU)
		s.LastDec = now
		o.MDApplied = true
	}
}

func (s *IntState) fulfil(p *Params, now int64, o *Outcome[int64]) {
	o.Fulfilled = true
	s.Cwnd += s.IncBytes / s.Cwnd
	if now-s.LastAdjust >= p.AdjustPeriod {
		s.Cwnd = int64(float64(s.Cwnd) + p.Eta)
		s.LastAdjust = now
		o.EtaApplied = true
	}
	s.IncBytes = 0
	s.Received = 0
}

// quickAdapt reports whether the event is used up, by a fire or by the phase
// that ignores feedback from before the last fire.
func (s *IntState) quickAdapt(p *Params, e *Event, loss, ecn bool, delay int64, o *Outcome[int64]) bool {
	switch {
	case s.BytesIgnored < s.BytesToIgnore && ecn:
		o.QAIgnored = true
		o.Action = IGNORE
	case e.Time > s.QAEnd:
		o.QAWindow = true
		o.AchievedAtQA = s.Achieved
		if s.QAEnd != 0 && (s.TriggerQA || loss || delay > p.QAThreshold) && s.Achieved < s.MaxWnd>>p.QAGate {
			s.Cwnd = max(s.Achieved, p.MTU)
			s.BytesToIgnore = int64(uint32(e.InFlight))
			s.BytesIgnored = 0
			s.TriggerQA = false
			o.QAFired = true
			o.Action = QA
		}
		s.Achieved = 0
		s.QAEnd = e.Time + s.BaseRTT + p.Target
	}
	if o.QAIgnored || o.QAFired {
		o.IncPeak = s.IncBytes
		s.IncBytes = 0
		s.Received = 0
		return true
	}
	return false
}

func (s *IntState) nack(p *Params, e *Event, o *Outcome[int64]) {
	if e.RTT == DataSample {
		s.updateBase(p, e.RawRTT)
	}
	s.BytesIgnored = int64(uint32(s.BytesIgnored + e.Lost))
	s.updateDelay(p, p.NetworkRTT, true)
	s.TriggerQA = true
	if !s.quickAdapt(p, e, true, true, 0, o) {
		s.Cwnd -= e.Lost
		s.clamp(p)
		o.Action = NACKDec
		o.IncPeak = s.IncBytes
	}
}
