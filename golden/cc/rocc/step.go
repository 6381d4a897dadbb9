package rocc

import "math"

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None   = ""
	Set    = "SET"    // a fair rate was taken
	Pass   = "PASS"   // a higher one of another port was not
	Double = "DOUBLE" // silence
)

// OnCNP takes the fair rate of a port of a switch at a time in us.
func (f *State) OnCNP(s *Spec, now float64, port int, fair float64) Action {
	if port <= 0 || !(fair > 0) {
		return None
	}
	r := fair * s.Unit
	if r > f.Rate && port != f.Port {
		return Pass
	}
	f.Rate = min(max(r, s.MinGbps), s.LineGbps)
	f.Port, f.Due = port, now+s.Timer
	return Set
}

// OnTimer runs the timer at a time in us; it does nothing before it is due.
func (f *State) OnTimer(s *Spec, now float64) Action {
	if now < f.Due {
		return None
	}
	f.Rate = min(2*f.Rate, s.LineGbps)
	f.Due = now + s.Timer
	if f.Rate == s.LineGbps {
		f.Port, f.Due = 0, math.Inf(1)
	}
	return Double
}
