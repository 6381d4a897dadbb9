package nscc

// OnNewData adds data to send (3.6.12, OnNewData).
func (s *State) OnNewData(p *Params, e *NewData) Response {
	r := Response{Action: NOOP}
	s.floorWindows(p)
	s.Backlog = saturate(&r, s.Backlog+e.Bytes, maxBacklog)
	return s.finish(p, &r)
}

// OnSend accounts for a packet on the wire (3.6.12 and 3.6.13.5, OnSend). The
// response's AckRequest is the request for this very packet.
func (s *State) OnSend(p *Params, e *Send) Response {
	r := Response{Action: NOOP}
	s.floorWindows(p)
	if e.IsRtx {
		s.WaitingRtx = s.take(&r, s.WaitingRtx, 1)
		s.RtxBacklog = s.take(&r, s.RtxBacklog, e.Size)
	} else {
		s.Backlog = s.take(&r, s.Backlog, e.Size)
	}
	s.addInflight(&r, e.Size)
	s.InflightPkts = s.count(&r, s.InflightPkts, 1)
	return s.finish(p, &r)
}

// OnCreditUpdate records whether the receiver's credit lets the context send,
// where one CCC runs both algorithms (3.6.12, OnCreditUpdate).
func (s *State) OnCreditUpdate(p *Params, blocked bool) Response {
	r := Response{Action: NOOP}
	s.floorWindows(p)
	s.CreditBlocked = blocked
	return s.finish(p, &r)
}

// CanSend reports whether the window takes one more MTU.
func (s *State) CanSend(p *Params) bool { return s.Inflight+p.MTU <= s.Cwnd }

// AckRequest reports whether the next packet should ask for an acknowledgement:
// the window is full after it, or too small to make the destination send one
// unasked. The packet must already be counted in Inflight.
func (s *State) AckRequest(p *Params) bool {
	return s.Cwnd-s.Inflight < p.MTU || s.Cwnd < p.AckGenTrigger
}

// updateState is update_state of 3.6.12.
func (s *State) updateState(p *Params) {
	if s.Backlog == 0 && s.WaitingRtx == 0 {
		if s.InflightPkts == 0 {
			s.CCC = Idle
		} else {
			s.CCC = Pending
		}
		return
	}
	if s.CCC == Idle || s.CCC == Pending {
		s.CCC = Active
	}
	allowed := s.CanSend(p) && !(p.RCCC && s.CreditBlocked)
	switch {
	case s.CCC == Active && allowed:
		s.CCC = Ready
	case s.CCC == Ready && !allowed:
		s.CCC = Active
	}
}

// finish runs update_state once and fills in the state a response shows.
func (s *State) finish(p *Params, r *Response) Response {
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
func (s *State) mark(r *Response, size float64) {
	s.WaitingRtx = s.count(r, s.WaitingRtx, 1)
	s.RtxBacklog = s.count(r, s.RtxBacklog, size)
	s.InflightPkts = s.take(r, s.InflightPkts, 1)
}

// unmark drops packets from retransmission that arrived after all.
func (s *State) unmark(r *Response, pkts, bytes float64) {
	s.WaitingRtx = s.take(r, s.WaitingRtx, pkts)
	s.RtxBacklog = s.take(r, s.RtxBacklog, bytes)
}

func (s *State) count(r *Response, v, n float64) float64 { return saturate(r, v+n, maxCounter) }

func saturate(r *Response, v, top float64) float64 {
	if v > top {
		r.Flags |= SatCounter
		return top
	}
	return v
}

func (s *State) take(r *Response, v, n float64) float64 {
	if v -= n; v < 0 {
		r.Flags |= Underflow
		return 0
	}
	return v
}

func (s *State) addInflight(r *Response, n float64) {
	s.Inflight += n
	if s.Inflight > maxInflight || s.Inflight < minInflight {
		r.Flags |= SatCounter
		s.Inflight = max(minInflight, min(s.Inflight, maxInflight))
	}
}
