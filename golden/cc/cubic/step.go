package cubic

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/newreno"
)

// Names of the rules beyond those of New Reno.
const (
	HyStart = "HYSTART" // slow start ends
	Reno    = "RENO"    // the estimate of Reno is above the cubic function
	Cubic   = "CUBIC"   // the cubic function
	Cut     = "CUT"     // a hole
)

const (
	hyWindow  = 16 // packets
	hySamples = 8
)

// Ack is an acknowledgement. Times are us.
type Ack struct {
	Now, N   float64
	RTT      float64 // the sample, 0 for none
	Srtt     float64 // with the sample
	Una, Nxt uint32
}

// OnAck grows the window. It returns the rule that decided.
func (f *State) OnAck(s *Spec, e Ack) string {
	fired := f.observe(s, e)
	switch was, is := f.Recovered(e.Una); {
	case is:
		return newreno.Recovery
	case was:
		return newreno.Exit
	}
	if f.Cwnd < f.Ssthresh {
		f.Cwnd += e.N
		if fired {
			f.Ssthresh = f.Cwnd
			return HyStart
		}
		return newreno.SlowStart
	}
	if !f.Growing {
		f.begin(s, e.Now)
	}
	slope := 1.0
	if f.WEst < f.Prior {
		slope = s.slope()
	}
	f.WEst += slope * e.N / f.Cwnd
	t := (e.Now - f.Epoch) / 1e6
	if f.at(s, t) < f.WEst {
		f.Cwnd = max(f.Cwnd, f.WEst)
		return Reno
	}
	target := min(max(f.at(s, t+e.Srtt/1e6), f.Cwnd), 1.5*f.Cwnd)
	f.Cwnd += e.N * (target - f.Cwnd) / f.Cwnd
	return Cubic
}

func (f *State) begin(s *Spec, now float64) {
	f.Growing, f.Epoch, f.WEst = true, now, f.Cwnd
	if f.Expired || f.WMax <= f.Cwnd {
		f.WMax, f.K = f.Cwnd, 0
	} else {
		f.K = math.Cbrt((f.WMax - f.Cwnd) / s.C)
	}
	f.Expired = false
}

// at returns the cubic function, packets, at a time in s after the start of the epoch.
func (f *State) at(s *Spec, t float64) float64 {
	d := t - f.K
	return float64(s.C*d*d*d) + f.WMax
}

// leave notes the window that a cut leaves, lower when it had not come back to that of the cut before (fast
// convergence), and returns the new threshold.
func (f *State) leave(s *Spec) float64 {
	f.Prior = f.Cwnd
	if f.Cwnd < f.WMax {
		f.WMax = f.Cwnd * (1 + s.Beta) / 2
	} else {
		f.WMax = f.Cwnd
	}
	f.Growing = false
	return max(s.Beta*f.Cwnd, s.Spec.Least)
}

// OnHole takes a hole, nxt being the next new packet.
func (f *State) OnHole(s *Spec, psn, nxt uint32) string {
	if !f.Begins(psn) {
		return ""
	}
	f.Enter(f.leave(s), nxt)
	f.Expired = false
	return Cut
}

// OnTimeout takes an expiry of the retransmission timer.
func (f *State) OnTimeout(s *Spec, nxt uint32) string {
	f.Restart(f.leave(s), nxt)
	f.Expired = true
	return newreno.Timeout
}

// observe follows the rounds of HyStart and reports whether it fires.
func (f *State) observe(s *Spec, e Ack) bool {
	if !newreno.Before(e.Una, f.RoundEnd) {
		f.RoundEnd, f.RoundStart, f.LastAck = e.Nxt, e.Now, e.Now
		f.Samples, f.RoundLeast, f.NoTrain = 0, math.Inf(1), false
	}
	if e.RTT > 0 {
		f.Least = min(f.Least, e.RTT)
		if f.Samples++; f.Samples <= hySamples {
			f.RoundLeast = min(f.RoundLeast, e.RTT)
		}
	}
	f.NoTrain = f.NoTrain || e.Now-f.LastAck > s.RTT/4
	f.LastAck = e.Now
	if !s.HyStart || f.Cwnd < hyWindow || f.Recovering {
		return false
	}
	train := s.DataCentre && !f.NoTrain && e.Now-f.RoundStart > f.Least/2
	return train || f.Samples >= hySamples && f.RoundLeast > f.Least+s.threshold(f.Least)
}
