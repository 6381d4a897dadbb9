package nscc

// OnACK applies an acknowledgement (3.6.12 and 3.6.13.5, OnACK): unmark, delta,
// sample, penalty, base_rtt, average, quick adapt, quadrant, fulfilment, packet
// counters, in this order.
func (s *StateOf[N]) OnACK(p *ParamsOf[N], pdc *PDC, e *AckOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{LB: NoECN, Entropy: e.Entropy}
	s.floorWindows(p)
	if e.Marked {
		r.LB = ECN
	}
	bytes, old := pdc.Delta(e.RcvdBytes)
	delta := p.keep(ValDelta, p.whole(bytes))
	if old {
		r.Flags |= OldAck
	}
	r.Delta = delta
	s.unmark(p, &r, e.UnmarkedPkts, e.UnmarkedBytes)
	// The loss of the unmarked packets took them out of inflight and the delta does
	// it again, so they are put back once. The sum is clamped, not its terms.
	s.addInflight(p, &r, p.sub(e.UnmarkedBytes, delta))
	s.sourceACK(p, e, delta, &r)
	s.InflightPkts = s.take(p, &r, s.InflightPkts, e.AckedPkts)
	return s.finish(p, &r)
}

func (s *StateOf[N]) sourceACK(p *ParamsOf[N], e *AckOf[N], delta N, r *ResponseOf[N]) {
	s.BytesIgnored = s.count(p, r, ValBytesIgnored, s.BytesIgnored, delta)
	s.ReceivedBytes = s.count(p, r, ValReceivedBytes, s.ReceivedBytes, delta)
	s.AchievedBytes = s.count(p, r, ValAchievedBytes, s.AchievedBytes, delta)

	rtt, valid := p.RTT(e)
	limited := s.penalty(p, e, delta, r)
	r.RcvLimited = limited
	var delay N
	switch {
	case valid:
		s.updateBaseRTT(p, rtt, r)
		delay = p.keep(ValDelay, p.sub(rtt, s.BaseRTT))
		r.HasRTT, r.RTT = true, rtt
		s.updateDelay(p, delay, e.Marked, r)
	case p.AvgWithoutSample:
		delay = p.floor(ValDelay, s.AvgDelay)
	default:
		r.Action = NoRTT
		return
	}
	r.Delay = delay

	if s.quickAdapt(p, e.Time, false, e.Marked, delay, r) {
		return
	}
	above := !p.below0(r.compare(p, DelayTarget, delay, p.Target))
	switch {
	case !e.Marked && limited:
		r.Action = RcvLimit
	case !e.Marked && above:
		r.Action = FAIR
		s.increase(p, ValFairInc, p.mul(p.Fi, delta), r)
	case !e.Marked:
		s.proportional(p, delta, delay, r)
	case above:
		r.Action = MD
		s.decrease(p, e.Time, r)
	default:
		r.Action = NOOP
	}

	elapsed := p.elapsed(s.LastAdjust, e.Time)
	due := !p.below0(r.compare(p, SinceAdjust, elapsed, p.AdjustPeriod))
	full := p.above0(r.compare(p, ReceivedBytes, s.ReceivedBytes, p.AdjustBytes))
	if due || full {
		s.fulfil(p, e.Time, due, r)
	}
}

// RTT returns the sample of an acknowledgement, less its service time, and whether it is valid.
func (p *ParamsOf[N]) RTT(e *AckOf[N]) (N, bool) {
	service := p.keep(ValService, p.mul(p.whole(int64(e.Service)), p.ServiceUnit))
	rtt, valid := p.sample(&e.TxOf, e.Time, service)
	// A sample that stands at 0 or at the top of service_time would be wrong by an unknown amount.
	if e.TxOf.Sample == FromTx && (e.Service == serviceNone || e.Service == serviceOver) {
		valid = false
	}
	return rtt, valid
}

// OnNACK applies a negative acknowledgement (3.6.12 and 3.6.13.5, OnNACK). Only
// trims touch the average delay and the bytes ignored; only trims that are not
// the receiver's own business (last hop under RCCC) touch the window.
func (s *StateOf[N]) OnNACK(p *ParamsOf[N], e *NackOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{Action: NOOP, LB: NoECN, Entropy: e.Entropy}
	s.floorWindows(p)
	switch {
	case e.Reason == Trimmed:
		r.LB = NACK
	case e.Marked:
		r.LB = ECN
	}
	s.addInflight(p, &r, p.sub(p.whole(0), e.Size))
	if rtt, valid := p.sample(&e.TxOf, e.Time, p.whole(0)); valid {
		r.HasRTT, r.RTT = true, rtt
		s.updateBaseRTT(p, rtt, &r)
	}
	trim := e.Reason == Trimmed || e.Reason == TrimmedLastHop
	if trim {
		s.updateDelay(p, p.ConfigBaseRTT, true, &r)
		s.BytesIgnored = s.count(p, &r, ValBytesIgnored, s.BytesIgnored, e.Size)
	}
	if trim && !(e.Reason == TrimmedLastHop && p.RCCC) {
		s.TriggerQA = true
		if !s.quickAdapt(p, e.Time, true, true, p.whole(0), &r) {
			s.Cwnd = p.greater(p.sub(s.Cwnd, e.Size), p.MTU)
			r.Action = NackDec
		}
	}
	s.mark(p, &r, e.Size)
	return s.finish(p, &r)
}

// OnInferredLoss applies a loss no one reported (3.6.12 and 3.6.13.5).
func (s *StateOf[N]) OnInferredLoss(p *ParamsOf[N], e *LossOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{Action: LossDec, LB: TIMEOUT, Entropy: e.Entropy}
	s.floorWindows(p)
	s.Cwnd = p.greater(p.sub(s.Cwnd, e.Size), p.MTU)
	s.BytesIgnored = s.count(p, &r, ValBytesIgnored, s.BytesIgnored, e.Size)
	s.addInflight(p, &r, p.sub(p.whole(0), e.Size))
	s.mark(p, &r, e.Size)
	return s.finish(p, &r)
}

// OnSample applies an RTT measured without an acknowledgement (3.6.13.7): it may
// lower base_rtt and max_wnd and touches nothing else. A sample that is not above 0
// or too long to be one is ignored.
func (s *StateOf[N]) OnSample(p *ParamsOf[N], e *SampleOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{Action: NOOP}
	s.floorWindows(p)
	if p.above0(e.RTT) && p.less(e.RTT, p.MaxSample) {
		r.HasRTT, r.RTT = true, e.RTT
		s.updateBaseRTT(p, p.keep(ValRaw, e.RTT), &r)
	}
	return s.finish(p, &r)
}

// OnBind gives a PDC's place in the context to a new PDC. rcvd_bytes counts per PDC
// (3.6.13.8), so its counter starts anew; the window stays.
func (s *StateOf[N]) OnBind(p *ParamsOf[N], pdc *PDC, e *BindOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{Action: NOOP}
	s.floorWindows(p)
	pdc.LastRcvd = e.RcvdBytes & (rcvdMod - 1)
	s.addInflight(p, &r, e.Surplus)
	return s.finish(p, &r)
}

// sample is calculate_rtt of 3.6.13.6: an echo is trusted when it can only belong
// to the last transmission, that is a first one not echoed as resent, or the only
// resend echoed as such.
func (p *ParamsOf[N]) sample(t *TxOf[N], now, service N) (N, bool) {
	var zero N
	rtt := t.RawRTT
	switch t.Sample {
	case None:
		return zero, false
	case FromTx:
		if !(t.RtxCount == 0 && !t.Retx || t.RtxCount == 1 && t.Retx) {
			return zero, false
		}
		rtt = p.sub(p.since(t.TxTime, now), service)
	}
	if !p.above0(rtt) || !p.less(rtt, p.MaxSample) {
		return rtt, false
	}
	return p.keep(ValRaw, rtt), true
}
