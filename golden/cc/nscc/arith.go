package nscc

// Arith is an arithmetic that the rules can run in: float64, exact numbers, fixed point. Sums, differences and products
// are not rounded, or no more than the number type itself does; what a rule rounds goes through Quo, Quantise and Fit,
// which know by the value's name how.
//
// The zero N must be the number 0.
type Arith[N any] interface {
	Whole(v int64) N
	Add(x, y N) N
	Sub(x, y N) N
	Mul(x, y N) N
	Cmp(x, y N) int // -1, 0 or 1 as x is less than, equal to or greater than y
	Sign(x N) int

	// Quo returns x / y with the fraction bits of a value and no ends.
	Quo(at Value, x, y N) N
	// Share returns k times Quo(at, x, y).
	Share(at Value, k, x, y N) N
	// Quantise returns x as the value holds it.
	Quantise(at Value, x N) N
	// Fit is Quantise where the rules clamp, and reports whether it clamped.
	Fit(at Value, x N) (N, bool)
	// Mod returns x modulo m, at least 0, as the value holds it.
	Mod(at Value, x, m N) N
}

// The operations of the rules. Those of Params do the same in float64, where they part into three: keep rounds nothing
// there, floor rounds to whole units, which the settled rules ask for, and floorRate forgives float64 its last bit.

func (p *ParamsOf[N]) whole(v int64) N                   { return p.Arith.Whole(v) }
func (p *ParamsOf[N]) add(x, y N) N                      { return p.Arith.Add(x, y) }
func (p *ParamsOf[N]) sub(x, y N) N                      { return p.Arith.Sub(x, y) }
func (p *ParamsOf[N]) mul(x, y N) N                      { return p.Arith.Mul(x, y) }
func (p *ParamsOf[N]) less(x, y N) bool                  { return p.Arith.Cmp(x, y) < 0 }
func (p *ParamsOf[N]) isZero(x N) bool                   { return p.Arith.Sign(x) == 0 }
func (p *ParamsOf[N]) above0(x N) bool                   { return p.Arith.Sign(x) > 0 }
func (p *ParamsOf[N]) below0(x N) bool                   { return p.Arith.Sign(x) < 0 }
func (p *ParamsOf[N]) keep(at Value, x N) N              { return p.Arith.Quantise(at, x) }
func (p *ParamsOf[N]) floor(at Value, x N) N             { return p.Arith.Quantise(at, x) }
func (p *ParamsOf[N]) floorRate(at Value, x N) N         { return p.Arith.Quantise(at, x) }
func (p *ParamsOf[N]) fit(at Value, x N) (N, bool)       { return p.Arith.Fit(at, x) }
func (p *ParamsOf[N]) quo(at Value, x, y N) N            { return p.keep(at, p.Arith.Quo(at, x, y)) }
func (p *ParamsOf[N]) share(at Value, k, x, y N) N       { return p.Arith.Share(at, k, x, y) }
func (p *ParamsOf[N]) quoFit(at Value, x, y N) (N, bool) { return p.fit(at, p.Arith.Quo(at, x, y)) }

func (p *ParamsOf[N]) lesser(x, y N) N {
	if p.less(y, x) {
		return y
	}
	return x
}

func (p *ParamsOf[N]) greater(x, y N) N {
	if p.less(x, y) {
		return y
	}
	return x
}

// elapsed is the time from a to b on a clock that wraps.
func (p *ParamsOf[N]) elapsed(a, b N) N { return p.Arith.Mod(ValSince, p.sub(b, a), p.TimeMod) }

// since is elapsed as a signed distance: negative when b is before a.
func (p *ParamsOf[N]) since(a, b N) N {
	d := p.elapsed(a, b)
	if p.less(p.add(d, d), p.TimeMod) {
		return d
	}
	return p.sub(d, p.TimeMod)
}

// after adds a duration to a time stamp.
func (p *ParamsOf[N]) after(t, d N) N { return p.Arith.Mod(ValQAEnd, p.add(t, d), p.TimeMod) }

// settle brings the state after an event to what its words hold.
func (p *ParamsOf[N]) settle(s *StateOf[N]) {
	for v, w := range s.words() {
		*w = p.Arith.Quantise(Value(v), *w)
	}
}

// words are the numbers of the state in the order of their values.
func (s *StateOf[N]) words() [ValInflightPkts + 1]*N {
	return [...]*N{
		&s.Cwnd, &s.MaxWnd, &s.Inflight, &s.SavedCwnd, &s.BaseRTT, &s.AchievedBytes, &s.ReceivedBytes, &s.FiCount,
		&s.BytesIgnored, &s.BytesToIgnore, &s.QAEnd, &s.LastAdjust, &s.LastDec, &s.IncBytes, &s.AvgDelay, &s.Backlog,
		&s.RtxBacklog, &s.WaitingRtx, &s.InflightPkts,
	}
}

// Word returns the number of the state that a value names, or nil for a value that is not stored.
func (s *StateOf[N]) Word(v Value) *N {
	if words := s.words(); int(v) < len(words) {
		return words[v]
	}
	return nil
}
