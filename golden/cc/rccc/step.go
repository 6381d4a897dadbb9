package rccc

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None    = ""
	Stop    = "STOP"    // speculation ended
	Granted = "GRANTED" // a pull brought credit
	Old     = "OLD"     // a pull brought none: a later one has overtaken it, or it granted nothing
)

// OnData adds packets of so many bytes to the backlog, or takes them away.
func (f *State) OnData(bytes int64) { f.Backlog = max(f.Backlog+bytes, 0) }

// OnSend accounts for a packet that is sent, new or again. All take credit but new credit requests.
func (f *State) OnSend(size int64, again, request bool) {
	if again {
		f.RtxBacklog = max(f.RtxBacklog-size, 0)
	} else {
		f.Backlog = max(f.Backlog-size, 0)
	}
	if !request {
		f.Credit -= size
	}
}

// OnAck accounts for an ACK, which may acknowledge packets of so many bytes that wait to be resent.
func (f *State) OnAck(unmarked int64) Action {
	f.RtxBacklog = max(f.RtxBacklog-unmarked, 0)
	return f.stop()
}

// OnNack makes a packet wait to be resent. Its credit is gone.
func (f *State) OnNack(size int64) Action {
	f.RtxBacklog += size
	return f.stop()
}

// OnLoss does so when a timer has given the packet up. Speculation ends when others wait already.
func (f *State) OnLoss(size int64) (did Action) {
	if f.RtxBacklog > 0 {
		did = f.stop()
	}
	f.RtxBacklog += size
	return did
}

// OnCredit takes a pull with a credit number.
func (f *State) OnCredit(s *Spec, n Number) Action {
	f.stop()
	more := n.Since(f.Last)
	if more <= 0 {
		return Old
	}
	f.Credit, f.Last = min(f.Credit+more*Quantum, s.MaxWnd), n
	return Granted
}

// stop ends the speculation: what is left of its credit is void, a debt stays.
func (f *State) stop() Action {
	if !f.Speculating {
		return None
	}
	f.Speculating, f.Credit = false, min(f.Credit, 0)
	return Stop
}

// CanSend reports whether there is any credit; a packet may be larger.
func (f *State) CanSend() bool { return f.Credit > 0 }

// AckReq reports whether the packet just sent asks for an ACK: with it the backlog or the credit ends.
func (f *State) AckReq() bool { return f.Backlog == 0 || f.Credit <= 0 }

// Want returns the credit in bytes that the context would have: what waits to be sent, at most a packet more than the
// window cwnd and at most the largest window, less the credit there is.
func (f *State) Want(s *Spec, cwnd int64) int64 {
	want := min(f.Backlog+f.RtxBacklog, cwnd+s.MTU, s.MaxWnd) - f.Credit
	if f.Speculating && f.Backlog > 0 {
		want = max(want, s.MTU)
	}
	return want
}

// Target returns the credit target: what the context wants, shared with the other contexts of the NIC that wait to
// send; sources counts all of them.
func (f *State) Target(s *Spec, cwnd int64, sources int) Number {
	want := f.Want(s, cwnd) / int64(max(sources, 1))
	return f.Last.Plus((want + Quantum - 1) >> 8)
}
