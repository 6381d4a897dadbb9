package nscc

const (
	serviceNone = 0      // the destination does not report
	serviceOver = 0xFFFF // longer than the field can say
)

// OnACK applies an acknowledgement (3.6.12 and 3.6.13.5, OnACK): unmark, delta,
// sample, penalty, base_rtt, average, quick adapt, quadrant, fulfilment, packet
// counters, in this order.
func (s *State) OnACK(p *Params, pdc *PDC, e *Ack) Response {
	r := Response{LB: NoECN, Entropy: e.Entropy}
	s.floorWindows(p)
	if e.Marked {
		r.LB = ECN
	}
	delta, old := pdc.Delta(e.RcvdBytes)
	if old {
		r.Flags |= OldAck
	}
	r.Delta = delta
	s.unmark(&r, e.UnmarkedPkts, e.UnmarkedBytes)
	// The loss of the unmarked packets took them out of inflight and the delta does
	// it again, so they are put back once. The sum is clamped, not its terms.
	s.addInflight(&r, e.UnmarkedBytes-delta)
	s.sourceACK(p, e, delta, &r)
	s.InflightPkts = s.take(&r, s.InflightPkts, e.AckedPkts)
	return s.finish(p, &r)
}

func (s *State) sourceACK(p *Params, e *Ack, delta float64, r *Response) {
	s.BytesIgnored = s.count(r, s.BytesIgnored, delta)
	s.ReceivedBytes = s.count(r, s.ReceivedBytes, delta)
	s.AchievedBytes = s.count(r, s.AchievedBytes, delta)

	// A sample that stands at 0 or at the top of service_time would be wrong by
	// an unknown amount.
	service := float64(float64(e.Service) * p.ServiceUnit)
	rtt, valid := p.sample(&e.Tx, e.Time, service)
	if e.Tx.Sample == FromTx && (e.Service == serviceNone || e.Service == serviceOver) {
		valid = false
	}
	limited := s.penalty(p, e, delta, r)
	r.RcvLimited = limited
	var delay float64
	switch {
	case valid:
		s.updateBaseRTT(p, rtt, r)
		delay = rtt - s.BaseRTT
		r.HasRTT, r.RTT = true, rtt
		s.updateDelay(p, delay, e.Marked, r)
	case p.AvgWithoutSample:
		delay = p.floor(s.AvgDelay)
	default:
		r.Action = NoRTT
		return
	}
	r.Delay = delay

	if s.quickAdapt(p, e.Time, false, e.Marked, delay, r) {
		return
	}
	above := r.compare(DelayTarget, delay, p.Target) >= 0
	switch {
	case !e.Marked && limited:
		r.Action = RcvLimit
	case !e.Marked && above:
		r.Action = FAIR
		s.increase(p, float64(p.Fi*delta), r)
	case !e.Marked:
		s.proportional(p, delta, delay, r)
	case above:
		r.Action = MD
		s.decrease(p, e.Time, r)
	default:
		r.Action = NOOP
	}

	elapsed := p.elapsed(s.LastAdjust, e.Time)
	due := r.compare(SinceAdjust, elapsed, p.AdjustPeriod) >= 0
	full := r.compare(ReceivedBytes, s.ReceivedBytes, p.AdjustBytes) > 0
	if due || full {
		s.fulfil(p, e.Time, due, r)
	}
}

// OnNACK applies a negative acknowledgement (3.6.12 and 3.6.13.5, OnNACK). Only
// trims touch the average delay and the bytes ignored; only trims that are not
// the receiver's own business (last hop under RCCC) touch the window.
func (s *State) OnNACK(p *Params, e *Nack) Response {
	r := Response{Action: NOOP, LB: NoECN, Entropy: e.Entropy}
	s.floorWindows(p)
	switch {
	case e.Reason == Trimmed:
		r.LB = NACK
	case e.Marked:
		r.LB = ECN
	}
	s.addInflight(&r, -e.Size)
	if rtt, valid := p.sample(&e.Tx, e.Time, 0); valid {
		r.HasRTT, r.RTT = true, rtt
		s.updateBaseRTT(p, rtt, &r)
	}
	trim := e.Reason == Trimmed || e.Reason == TrimmedLastHop
	if trim {
		s.updateDelay(p, p.ConfigBaseRTT, true, &r)
		s.BytesIgnored = s.count(&r, s.BytesIgnored, e.Size)
	}
	if trim && !(e.Reason == TrimmedLastHop && p.RCCC) {
		s.TriggerQA = true
		if !s.quickAdapt(p, e.Time, true, true, 0, &r) {
			s.Cwnd = max(s.Cwnd-e.Size, p.MTU)
			r.Action = NackDec
		}
	}
	s.mark(&r, e.Size)
	return s.finish(p, &r)
}

// OnInferredLoss applies a loss no one reported (3.6.12 and 3.6.13.5).
func (s *State) OnInferredLoss(p *Params, e *Loss) Response {
	r := Response{Action: LossDec, LB: TIMEOUT, Entropy: e.Entropy}
	s.floorWindows(p)
	s.Cwnd = max(s.Cwnd-e.Size, p.MTU)
	s.BytesIgnored = s.count(&r, s.BytesIgnored, e.Size)
	s.addInflight(&r, -e.Size)
	s.mark(&r, e.Size)
	return s.finish(p, &r)
}

// OnSample applies an RTT measured without an acknowledgement (3.6.13.7): it may
// lower base_rtt and max_wnd and touches nothing else. A sample that is not above 0
// or too long to be one is ignored.
func (s *State) OnSample(p *Params, e *Sample) Response {
	r := Response{Action: NOOP}
	s.floorWindows(p)
	if e.RTT > 0 && e.RTT < p.MaxSample {
		r.HasRTT, r.RTT = true, e.RTT
		s.updateBaseRTT(p, e.RTT, &r)
	}
	return s.finish(p, &r)
}

// OnBind gives a PDC's place in the context to a new PDC. rcvd_bytes counts per PDC
// (3.6.13.8), so its counter starts anew; the window stays.
func (s *State) OnBind(p *Params, pdc *PDC, e *Bind) Response {
	r := Response{Action: NOOP}
	s.floorWindows(p)
	pdc.LastRcvd = e.RcvdBytes & (rcvdMod - 1)
	s.addInflight(&r, e.Surplus)
	return s.finish(p, &r)
}

// sample is calculate_rtt of 3.6.13.6: an echo is trusted when it can only belong
// to the last transmission, that is a first one not echoed as resent, or the only
// resend echoed as such.
func (p *Params) sample(t *Tx, now, service float64) (float64, bool) {
	rtt := t.RawRTT
	switch t.Sample {
	case None:
		return 0, false
	case FromTx:
		if !(t.RtxCount == 0 && !t.Retx || t.RtxCount == 1 && t.Retx) {
			return 0, false
		}
		rtt = p.since(t.TxTime, now) - service
	}
	return rtt, rtt > 0 && rtt < p.MaxSample
}
