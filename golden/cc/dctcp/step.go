package dctcp

import "github.com/goldwire/goldwire/golden/cc/newreno"

// Cut is the name of the rule that a mark invoked; the others are those of New Reno.
const Cut = "CUT"

// OnAck takes an ACK of n packets with the mark of the one that caused it, the lowest packet that is not acknowledged
// and the next new one. It returns the rule that decided.
func (f *State) OnAck(s *Spec, n float64, marked bool, una, nxt uint32) string {
	f.Acked += n
	if marked {
		f.Marked += n
	}
	if newreno.Before(f.WindowEnd, una) {
		if f.Acked > 0 {
			f.Alpha = float64((1-s.Gain)*f.Alpha) + float64(s.Gain*f.Marked)/f.Acked
		}
		f.Acked, f.Marked, f.WindowEnd = 0, 0, nxt
	}
	if f.CWR && newreno.Before(f.CWREnd, una) {
		f.CWR = false
	}
	if marked && !f.CWR {
		f.Recovered(una)
		f.Cwnd = max(f.Cwnd*(1-f.Alpha/2), s.Least)
		f.Ssthresh = f.Cwnd
		f.CWR, f.CWREnd = true, nxt
		return Cut
	}
	return f.State.OnAck(&s.Spec, n, una)
}
