package tolerance

import (
	"cmp"
	"slices"
	"strconv"
)

// Call is a value that differed within its bound.
type Call struct {
	Where
	Rule      int
	Want, Got uint64
	Diff      uint64  // LSBs
	Bound     float64 // LSBs
	Share     float64 // of the bound, 0 to 1
}

// mostCalls is how many of the closest calls of one value are kept.
const mostCalls = 3

// seen is what was seen of a value with a rule.
type seen struct {
	compared, differed uint64
	flips              uint64
	largest            uint64  // difference in LSBs
	sum                float64 // of the differences with their signs, got - want
	calls              []Call  // closest first
}

// add counts a value of a response that agrees.
func (s *seen) add(r *Rule, l *look, at Where) {
	s.compared++
	if !l.differs {
		return
	}
	s.differed++
	if r.Kind != Bounded {
		return
	}
	diff, below := r.difference(l.want, l.got)
	s.largest = max(s.largest, diff)
	if d := float64(diff); below {
		s.sum -= d
	} else {
		s.sum += d
	}
	c := Call{Where: at, Want: l.want, Got: l.got, Diff: diff, Bound: r.bound(l.want)}
	c.Share = min(float64(diff)/c.Bound, 1)
	if n := len(s.calls); n == mostCalls && s.calls[n-1].Share >= c.Share {
		return
	}
	c.Event, c.After = slices.Clone(at.Event), slices.Clone(at.After)
	s.calls = append(s.calls, c)
	slices.SortStableFunc(s.calls, func(a, b Call) int { return cmp.Compare(b.Share, a.Share) })
	s.calls = s.calls[:min(len(s.calls), mostCalls)]
}

// Calls returns the closest calls of all values, closest first.
func (j *Judge) Calls() (out []Call) {
	for i := range j.seen {
		for _, c := range j.seen[i].calls {
			c.Rule = i
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Call) int { return cmp.Compare(b.Share, a.Share) })
	return out[:min(len(out), mostListed)]
}

func digits(n uint64) string { return strconv.FormatUint(n, 10) }
