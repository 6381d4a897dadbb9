package nscc

// OnNewData adds data to send (3.6.12, OnNewData).
func (s *StateOf[N]) OnNewData(p *ParamsOf[N], e *NewDataOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{Action: NOOP}
	s.floorWindows(p)
	s.Backlog = s.count(p, &r, ValBacklog, s.Backlog, e.Bytes)
	return s.finish(p, &r)
}

// OnSend accounts for a packet on the wire (3.6.12 and 3.6.13.5, OnSend). The
// response's AckRequest is the request for this very packet.
func (s *StateOf[N]) OnSend(p *ParamsOf[N], e *SendOf[N]) ResponseOf[N] {
	r := ResponseOf[N]{Action: NOOP}
	s.floorWindows(p)
	if e.IsRtx {
		s.WaitingRtx = s.take(p, &r, s.WaitingRtx, p.whole(1))
		s.RtxBacklog = s.take(p, &r, s.RtxBacklog, e.Size)
	} else {
		s.Backlog = s.take(p, &r, s.Backlog, e.Size)
	}
	s.addInflight(p, &r, e.Size)
	s.InflightPkts = s.count(p, &r, ValInflightPkts, s.InflightPkts, p.whole(1))
	return s.finish(p, &r)
}

// OnCreditUpdate records whether the receiver's credit lets the context send,
// where one CCC runs both algorithms (3.6.12, OnCreditUpdate).
func (s *StateOf[N]) OnCreditUpdate(p *ParamsOf[N], blocked bool) ResponseOf[N] {
	r := ResponseOf[N]{Action: NOOP}
	s.floorWindows(p)
	s.CreditBlocked = blocked
	return s.finish(p, &r)
}

// CanSend reports whether the window takes one more MTU, and the receiver's credit
// lets the context send.
func (s *StateOf[N]) CanSend(p *ParamsOf[N]) bool {
	fits := !p.less(s.Cwnd, p.add(s.Inflight, p.MTU))
	return (fits || p.NoWindow) && !(p.RCCC && s.CreditBlocked)
}

// AckRequest reports whether the window wants the next packet to ask for an
// acknowledgement: it is full after it, or too small to make the destination send
// one unasked. The packet must already be counted in Inflight.
func (s *StateOf[N]) AckRequest(p *ParamsOf[N]) bool {
	return !p.NoWindow && (p.less(p.sub(s.Cwnd, s.Inflight), p.MTU) || p.less(s.Cwnd, p.AckGenTrigger))
}

// updateState is update_state of 3.6.12.
func (s *StateOf[N]) updateState(p *ParamsOf[N]) {
	if p.isZero(s.Backlog) && p.isZero(s.WaitingRtx) {
		if p.isZero(s.InflightPkts) {
			s.CCC = Idle
		} else {
			s.CCC = Pending
		}
		return
	}
	if s.CCC == Idle || s.CCC == Pending {
		s.CCC = Active
	}
	allowed := s.CanSend(p)
	switch {
	case s.CCC == Active && allowed:
		s.CCC = Ready
	case s.CCC == Ready && !allowed:
		s.CCC = Active
	}
}

// finish runs update_state once and fills in the state a response shows.
func (s *StateOf[N]) finish(p *ParamsOf[N], r *ResponseOf[N]) ResponseOf[N] {
	p.settle(s)
	s.updateState(p)
	r.Cwnd = s.Cwnd
	r.Inflight = s.Inflight
	r.BaseRTT = s.BaseRTT
	r.AvgDelay = s.AvgDelay
	r.CanSend = s.CanSend(p)
	r.AckRequest = s.AckRequest(p)
	r.CCC = s.CCC
	return *r
}

// mark notes a packet for retransmission. The loss or NACK has already taken it
// out of inflight.
func (s *StateOf[N]) mark(p *ParamsOf[N], r *ResponseOf[N], size N) {
	s.WaitingRtx = s.count(p, r, ValWaitingRtx, s.WaitingRtx, p.whole(1))
	s.RtxBacklog = s.count(p, r, ValRtxBacklog, s.RtxBacklog, size)
	s.InflightPkts = s.take(p, r, s.InflightPkts, p.whole(1))
}

// unmark drops packets from retransmission that arrived after all.
func (s *StateOf[N]) unmark(p *ParamsOf[N], r *ResponseOf[N], pkts, bytes N) {
	s.WaitingRtx = s.take(p, r, s.WaitingRtx, pkts)
	s.RtxBacklog = s.take(p, r, s.RtxBacklog, bytes)
}

// count adds to a counter that stops at its end.
func (s *StateOf[N]) count(p *ParamsOf[N], r *ResponseOf[N], at Value, v, n N) N {
	v, clamped := p.fit(at, p.add(v, n))
	if clamped {
		r.Flags |= SatCounter
	}
	return v
}

// take subtracts from a counter that stops at 0.
func (s *StateOf[N]) take(p *ParamsOf[N], r *ResponseOf[N], v, n N) N {
	v = p.sub(v, n)
	if p.below0(v) {
		var zero N
		r.Flags |= Underflow
		return zero
	}
	return v
}

func (s *StateOf[N]) addInflight(p *ParamsOf[N], r *ResponseOf[N], n N) {
	s.Inflight = s.count(p, r, ValInflight, s.Inflight, n)
}
