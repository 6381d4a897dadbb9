package dcqcn

import "github.com/goldwire/goldwire/golden/units"

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None     = ""
	Cut      = "CUT"      // a CNP cut the rate
	Decay    = "ALPHA"    // alpha fell
	Fast     = "FAST"     // fast recovery: half way to the target
	Additive = "ADDITIVE" // the target rose by the small step
	Hyper    = "HYPER"    // ... by the large one
)

// OnCNP cuts the rate by half of alpha, which rises after the cut, and restarts the recovery.
func (f *State) OnCNP(s *Spec, now units.Picos) Action {
	f.Target = f.Rate
	f.Rate = max(s.MinGbps, f.Rate*(1-f.Alpha/2))
	f.Alpha = float64((1-s.Gain)*f.Alpha) + s.Gain
	f.TimerSteps, f.ByteSteps, f.Sent = 0, 0, 0
	f.RateDue, f.AlphaDue = now+s.Timer, now+s.AlphaTimer
	return Cut
}

// OnTimer runs the timers that are due. When both are, alpha falls first; no rate depends on it before the next CNP.
// The action is that of the rate timer when it was due.
func (f *State) OnTimer(s *Spec, now units.Picos) Action {
	did := None
	if f.AlphaDue >= 0 && now >= f.AlphaDue {
		f.Alpha *= 1 - s.Gain
		f.AlphaDue = now + s.AlphaTimer
		did = Decay
	}
	if f.RateDue >= 0 && now >= f.RateDue {
		f.TimerSteps++
		f.RateDue = now + s.Timer
		did = f.step(s)
	}
	return did
}

// OnSend counts bytes sent, and steps once for each full count.
func (f *State) OnSend(s *Spec, bytes int64) Action {
	did := None
	for f.Sent += bytes; f.Sent >= s.Bytes; f.Sent -= s.Bytes {
		f.ByteSteps++
		did = f.step(s)
	}
	return did
}

// step raises the rate; the counter that caused it has been raised before.
func (f *State) step(s *Spec) Action {
	did := Additive
	most, least := max(f.TimerSteps, f.ByteSteps), min(f.TimerSteps, f.ByteSteps)
	switch {
	case most < s.FastSteps || s.FastToF && most == s.FastSteps:
		did = Fast
	case least > s.FastSteps:
		did = Hyper
		f.Target += s.HAIGbps
	default:
		f.Target += s.AIGbps
	}
	f.Target = min(f.Target, s.LineGbps)
	f.Rate = min((f.Target+f.Rate)/2, s.LineGbps)
	return did
}
