package timely

import "github.com/goldwire/goldwire/golden/units"

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None     = ""
	First    = "FIRST"    // the first RTT, which is only recorded
	Low      = "LOW"      // below the lower threshold: one step up
	High     = "HIGH"     // above the upper threshold: a cut by the RTT
	Additive = "ADDITIVE" // the gradient is not positive: one step up
	Hyper    = "HYPER"    // ... for the fifth time in a row and more: five steps
	Gradient = "GRADIENT" // the gradient is positive: a cut by it
)

// OnAck takes an ACK of some bytes with its RTT sample, 0 for none, and decides about the rate once for each segment.
// A segment that ends with an ACK without a sample waits for the next one that has a sample.
func (f *State) OnAck(s *Spec, bytes int64, rtt units.Picos) Action {
	f.Acked += bytes
	if f.Acked < s.Segment || rtt <= 0 {
		return None
	}
	f.Acked = 0
	if f.Prev == 0 {
		f.Prev = rtt
		return First
	}
	d := float64(rtt - f.Prev)
	f.Prev = rtt
	f.Diff = float64((1-s.Gain)*f.Diff) + float64(s.Gain*d)
	did := f.decide(s, rtt)
	f.Rate = min(max(f.Rate, s.MinGbps), s.LineGbps)
	return did
}

// decide changes the rate; the gradient is already up to date.
func (f *State) decide(s *Spec, rtt units.Picos) Action {
	switch g := f.Gradient(s); {
	case rtt < s.Low:
		f.Rises = 0
		f.Rate += s.StepGbps
		return Low
	case rtt > s.High:
		f.Rises = 0
		f.Rate *= 1 - float64(s.Cut*(1-float64(s.High)/float64(rtt)))
		return High
	case g > 0:
		f.Rises = 0
		f.Rate *= max(0, 1-float64(s.Cut*g))
		return Gradient
	}
	f.Rises++
	if f.Rises >= s.HyperAfter {
		f.Rate += float64(s.HyperSteps * s.StepGbps)
		return Hyper
	}
	f.Rate += s.StepGbps
	return Additive
}
