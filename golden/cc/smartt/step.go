package smartt

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None  = ""
	MD    = "MD"     // marked and long: multiplicative and fair decrease
	FD    = "FD"     // marked and short: fair decrease
	Wait  = "WAIT"   // marked, but the average is too low to decrease
	FI    = "FI"     // clean and long: fair increase
	MI    = "MI"     // clean and short: proportional and fair increase
	Fast  = "FAST"   // fast increase
	Loss  = "LOSS"   // a packet less
	Quick = "QA"     // quick adapt
	Skip  = "IGNORE" // ignored after quick adapt
)

// fastBelow is the round trip, in base round trips, below which there is no congestion.
const fastBelow = 1.05

// Ack is an acknowledgement.
type Ack struct {
	Now      float64 // us
	RTT      float64 // the sample, us, 0 for none
	Marked   bool
	Bytes    float64 // p, newly acknowledged
	Inflight float64 // bytes, after it
}

// OnAck moves the window.
func (f *State) OnAck(s *Spec, e Ack) Action {
	mark := 0.0
	if e.Marked {
		mark = 1
	}
	f.Marks += (mark - f.Marks) * s.WaitGain
	if s.QuickAdapt {
		if did := f.quick(s, e); did != None {
			return did
		}
	}
	if e.RTT <= 0 {
		return None
	}
	if s.FastIncrease && f.fast(s, e) {
		f.C = min(f.C+2*e.Bytes, s.Most)
		return Fast
	}
	ok := !s.Wait || f.Marks >= s.WaitFrom
	p, long, did := e.Bytes, e.RTT >= s.Target, None
	switch {
	case e.Marked && !ok:
		did = Wait
	case e.Marked && long:
		did = MD
		f.C -= min(p, float64(s.MD*(e.RTT-s.Target))/e.RTT*p)
		f.C -= f.C / s.BDP * s.FD * p // of the window already reduced
	case e.Marked:
		did = FD
		f.C -= f.C / s.BDP * s.FD * p
	case long:
		did = FI
		f.C += p / f.C * s.MTU * s.FI
	default:
		did = MI
		fair := p / f.C * s.MTU * s.FI
		f.C += min(p, (s.Target-e.RTT)/e.RTT*(p/f.C)*s.MTU*s.MI) + fair // both of the old window
	}
	f.C = min(max(f.C, s.MTU), s.Most)
	return did
}

// OnLoss takes a lost packet of some bytes.
func (f *State) OnLoss(s *Spec, bytes float64) Action {
	f.C = max(f.C-bytes, s.MTU)
	f.Armed = true
	f.Clean, f.Fast = 0, false
	return Loss
}

// quick follows the windows of quick adapt. It returns None when the ACK is to be judged as any other.
func (f *State) quick(s *Spec, e Ack) Action {
	f.Achieved += e.Bytes
	did := None
	if f.Ignore > 0 {
		f.Ignore = max(f.Ignore-e.Bytes, 0)
		did = Skip
	}
	if e.Now >= f.End {
		if f.Armed {
			f.C = min(max(f.Achieved, s.MTU), s.Most)
			f.Ignore, f.Armed, did = max(e.Inflight, 0), false, Quick
		}
		f.Achieved, f.End = 0, e.Now+s.Target
	}
	return did
}

// fast reports whether the window grows fast: a window's bytes came in a row without congestion.
func (f *State) fast(s *Spec, e Ack) bool {
	if e.Marked || e.RTT >= fastBelow*s.RTT {
		f.Clean, f.Fast = 0, false
		return false
	}
	f.Clean += e.Bytes
	f.Fast = f.Fast || f.Clean > f.C
	return f.Fast
}
