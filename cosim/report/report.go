package report

import (
	"sort"
	"strings"
)

// Report is the results of one command: one run, or one per source and seed.
type Report struct {
	Results []Result
}

// Verdict returns the worst verdict of all results; Empty when there is none.
func (r *Report) Verdict() Verdict {
	if len(r.Results) == 0 {
		return Empty
	}
	v := Pass
	for i := range r.Results {
		if w := r.Results[i].Verdict(); worse[w] > worse[v] {
			v = w
		}
	}
	return v
}

// totals are the sums over all results; seconds too, as runs follow one another.
type totals struct {
	events, cycles, responses, mismatches uint64
	episodes                              int
	seconds                               float64
}

func (r *Report) totals() (t totals) {
	for i := range r.Results {
		x := &r.Results[i]
		t.events += x.Events
		t.cycles += x.Cycles
		t.responses += x.Responses
		t.mismatches += x.Mismatches
		t.episodes += x.Episodes
		t.seconds += x.Seconds
	}
	return t
}

// firstFailed returns the first result with a mismatch, nil when there is none.
func (r *Report) firstFailed() *Result {
	for i := range r.Results {
		if r.Results[i].Verdict() == Mismatched {
			return &r.Results[i]
		}
	}
	return nil
}

// same returns f of the results when all agree, else the zero value.
func same[T comparable](r *Report, f func(*Result) T) T {
	var zero T
	for i := range r.Results {
		if v := f(&r.Results[i]); i > 0 && v != f(&r.Results[0]) {
			return zero
		}
	}
	if len(r.Results) == 0 {
		return zero
	}
	return f(&r.Results[0])
}

// Coverage returns the coverage of all results together: a bin is missed when
// every run missed it. It is nil when the results have different bins (another
// block or other parameters), for then there is no common count.
func (r *Report) Coverage() *Coverage {
	if len(r.Results) == 0 {
		return nil
	}
	first := &r.Results[0]
	missed := map[string]int{}
	proofs := map[string]string{}
	for i := range r.Results {
		x := &r.Results[i]
		if x.Block != first.Block || x.Coverage.Bins != first.Coverage.Bins {
			return nil
		}
		for _, m := range x.Coverage.Missed {
			missed[m]++
		}
		for _, u := range x.Coverage.Unreachable {
			proofs[u.Bin] = u.Proof
		}
	}
	c := &Coverage{Bins: first.Coverage.Bins}
	for m, n := range missed {
		if n == len(r.Results) {
			c.Missed = append(c.Missed, m)
		}
	}
	sort.Strings(c.Missed)
	for b, p := range proofs {
		c.Unreachable = append(c.Unreachable, Unreachable{b, p})
	}
	sort.Slice(c.Unreachable, func(i, j int) bool { return c.Unreachable[i].Bin < c.Unreachable[j].Bin })
	c.Hit = c.Bins - len(c.Missed)
	c.Groups = mergeGroups(first.Coverage.Groups, c.Missed)
	return c
}

// mergeGroups counts the missed bins of each group by the name's prefix. It
// returns nil when some bin belongs to no group: better no table than a wrong one.
func mergeGroups(groups []CoverageGroup, missed []string) []CoverageGroup {
	out := append([]CoverageGroup(nil), groups...)
	for i := range out {
		out[i].Hit = out[i].Bins
	}
	for _, m := range missed {
		best := -1
		for i, g := range out {
			if strings.HasPrefix(m, g.Name) && (best < 0 || len(g.Name) > len(out[best].Name)) {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
		out[best].Hit--
	}
	return out
}

func (c *Coverage) percent() float64 {
	if c.Bins == 0 {
		return 0
	}
	return 100 * float64(c.Hit) / float64(c.Bins)
}
