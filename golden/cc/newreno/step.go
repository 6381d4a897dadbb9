package newreno

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None      = ""
	SlowStart = "SLOW_START" // below the threshold
	Avoid     = "AVOID"      // congestion avoidance
	Recovery  = "RECOVERY"   // an ACK in recovery, which does not grow
	Exit      = "EXIT"       // the ACK that ends it
	Halve     = "HALVE"      // a hole began a recovery
	Timeout   = "TIMEOUT"    // the timer expired
)

// Recovered takes the lowest packet that is not acknowledged and reports whether the flow was in recovery, and whether
// it still is.
func (f *State) Recovered(una uint32) (was, is bool) {
	if !f.Recovering {
		return false, false
	}
	f.Recovering = Before(una, f.Recover)
	return true, f.Recovering
}

// OnAck takes an ACK of n packets, una being the lowest packet that is not acknowledged.
func (f *State) OnAck(_ *Spec, n float64, una uint32) Action {
	switch was, is := f.Recovered(una); {
	case is:
		return Recovery
	case was:
		return Exit
	}
	return f.Grow(n)
}

// Grow adds n packets below the threshold, and n/cwnd from it on.
func (f *State) Grow(n float64) Action {
	if f.Cwnd < f.Ssthresh {
		f.Cwnd += n
		return SlowStart
	}
	f.Cwnd += n / f.Cwnd
	return Avoid
}

// Begins reports whether the hole of a packet begins a recovery.
func (f *State) Begins(psn uint32) bool { return !f.Recovering && !Before(psn, f.Recover) }

// OnHole takes a hole, nxt being the next new packet.
func (f *State) OnHole(s *Spec, psn, nxt uint32) Action {
	if !f.Begins(psn) {
		return None
	}
	f.Enter(max(f.Cwnd/2, s.Least), nxt)
	return Halve
}

// Enter begins a recovery with a threshold.
func (f *State) Enter(ssthresh float64, nxt uint32) {
	f.Ssthresh, f.Cwnd = ssthresh, ssthresh
	f.Recovering, f.Recover = true, nxt
}

// OnTimeout takes an expiry of the retransmission timer: all packets that are not acknowledged are lost.
func (f *State) OnTimeout(s *Spec, nxt uint32) Action {
	f.Restart(max(f.Cwnd/2, s.Least), nxt)
	return Timeout
}

// Restart starts again with one packet and a threshold.
func (f *State) Restart(ssthresh float64, nxt uint32) {
	f.Ssthresh, f.Cwnd = ssthresh, 1
	f.Recovering, f.Recover = false, nxt
}
