package swift

// Action is the rule that decided an event, by its name in reports.
type Action = string

// The rules.
const (
	None   = ""
	Grow   = "GROW"    // the delay is below the target
	Cut    = "CUT"     // the delay is not, and the last cut is a round trip ago
	Hold   = "HOLD"    // ... it is not
	Halve  = "HALVE"   // a hole, or adjacent holes
	Expire = "TIMEOUT" // a timeout cut the window
	Reset  = "RESET"   // timeouts in a row set the window to the least
)

// Ack is an acknowledgement.
type Ack struct {
	Now   float64 // us
	Delay float64 // the sample, us, 0 for none
	N     float64 // packets newly acknowledged
	// Before is the smoothed round trip without this sample, 0 for none, and Srtt the one with it, us.
	Before, Srtt float64
}

// may reports whether a cut is allowed: a round trip has passed since the last one.
func (f *State) may(s *Spec, now, srtt float64) bool {
	if srtt <= 0 {
		srtt = s.RTT
	}
	return now-f.LastCut >= srtt
}

// OnAck moves the window by the delay of an acknowledged packet.
func (f *State) OnAck(s *Spec, e Ack) Action {
	if e.N > 0 || e.Delay > 0 {
		f.Timeouts = 0
	}
	if e.Delay <= 0 {
		return None
	}
	f.Last, f.Seen = e.Delay, e.Delay
	may := f.may(s, e.Now, e.Before)
	if s.Kind == Median {
		f.Seen = f.rank(s, e)
	}
	d, target, before, did := f.Seen, f.Target(s), f.W, Hold
	switch {
	case d < target:
		did = Grow
		if f.W >= 1 {
			f.W += float64(s.AI*e.N) / f.W
		} else {
			f.W += float64(s.AI * e.N)
		}
	case may:
		did = Cut
		f.W *= max(1-float64(s.Beta*(d-target))/d, 1-s.MaxMDF)
	}
	f.settle(s, e.Now, before)
	return did
}

// settle keeps the window within its bounds and notes a cut.
func (f *State) settle(s *Spec, now, before float64) {
	f.W = min(max(f.W, s.Least), s.Most)
	if f.W < before {
		f.LastCut = now
	}
}

// halve is the cut for a loss.
func (f *State) halve(s *Spec, now, srtt float64, did Action) Action {
	if !f.may(s, now, srtt) {
		return None
	}
	before := f.W
	f.W *= 1 - s.MaxMDF
	f.settle(s, now, before)
	return did
}

// OnHole takes a hole, which Swift cuts for.
func (f *State) OnHole(s *Spec, now, srtt float64) Action {
	f.Timeouts = 0
	if s.Kind != Plain {
		return None
	}
	return f.halve(s, now, srtt, Halve)
}

// OnHoles takes packet numbers that have become holes at once, of which LSwift and MSwift count adjacent ones; isHole
// reports whether any other is one.
func (f *State) OnHoles(s *Spec, now, srtt float64, holes []uint32, isHole func(uint32) bool) Action {
	if s.Kind == Plain || len(holes) == 0 {
		return None
	}
	f.Timeouts = 0
	did := None
	for _, h := range holes {
		low, high := h, h
		counts := func(psn uint32) bool { return isHole(psn) && !f.used[psn] }
		if !counts(h) {
			continue
		}
		for counts(low - 1) {
			low--
		}
		for counts(high + 1) {
			high++
		}
		if int(high-low)+1 < s.Adjacent {
			continue
		}
		if f.used == nil {
			f.used = map[uint32]bool{}
		}
		for psn := low; psn != high+1; psn++ {
			f.used[psn] = true
		}
		if a := f.halve(s, now, srtt, Halve); a != None {
			did = a
		}
	}
	return did
}

// Forget ends what is known of a packet's hole: it was acknowledged, or is resent.
func (f *State) Forget(psn uint32) { delete(f.used, psn) }

// OnTimeout takes an expiry of the retransmission timer.
func (f *State) OnTimeout(s *Spec, now, srtt float64) Action {
	f.Timeouts++
	if f.Timeouts < s.ResetAt {
		return f.halve(s, now, srtt, Expire)
	}
	before := f.W
	f.W = s.Least
	f.settle(s, now, before)
	return Reset
}

// rank keeps a sample and returns the order statistic of the newest: as many as half the window holds packets, none
// older than Age smoothed round trips.
func (f *State) rank(s *Spec, e Ack) float64 {
	most := min(max(int(f.W/2), 1), s.History)
	f.seen.add(e.Now, e.Delay)
	for e.Now-f.seen.oldest() > float64(s.Age*e.Srtt) {
		f.seen.drop()
	}
	for f.seen.kept() > s.History { // no window looks further back
		f.seen.drop()
	}
	n := min(most, f.seen.kept())
	return f.seen.newest(n)[Rank(s.Percentile, n)-1]
}

// Rank returns the place, from 1, of percentile p of n sorted samples: p*n/100 rounded up, in integers.
func Rank(p, n int) int { return max(1, (p*n+99)/100) }
