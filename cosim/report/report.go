package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report is the results of one command: one run, or one per source and seed. Plan makes it before the first run, with
// an entry for each.
type Report struct {
	Results []Result
	Failure string // why there is no plan, or which part of the command outside its runs failed; "" if neither
}

// Verdict returns the worst verdict of all results: it is Pass only if every planned run passed. Without results it is
// Errored or Empty.
func (r *Report) Verdict() Verdict {
	v, _ := r.judge()
	return v
}

// Reason returns in one line why the report has its verdict.
func (r *Report) Reason() string {
	_, why := r.judge()
	return why
}

func (r *Report) judge() (Verdict, string) {
	switch x := r.worst(); {
	case r.Failure != "" && (x == nil || !x.Verdict().Found()):
		return Errored, r.Failure
	case x == nil:
		return Empty, "no run was planned"
	case len(r.Results) == 1:
		return x.judge()
	case x.Verdict() == Pass:
		return Pass, "all of " + Plural(uint64(len(r.Results)), "planned run") + " passed: " + r.totals().compared.words() +
			" compared"
	case x.Verdict() == Interrupted, x.Verdict() == NotRun:
		return x.Verdict(), r.tally() + "; " + x.Name() + ": " + x.Reason()
	default:
		return x.Verdict(), x.Name() + ": " + x.Reason()
	}
}

// tally returns how many runs have each verdict, from best to worst, as in "1 pass, 1 interrupted, 2 not run".
func (r *Report) tally() string {
	count := map[Verdict]int{}
	for i := range r.Results {
		count[r.Results[i].Verdict()]++
	}
	var parts []string
	for _, v := range order {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	return strings.Join(parts, ", ")
}

// worst returns the first result with the worst verdict, or nil if there is none.
func (r *Report) worst() (x *Result) {
	for i := range r.Results {
		if y := &r.Results[i]; x == nil || y.Verdict().worse(x.Verdict()) {
			x = y
		}
	}
	return x
}

func (r *Report) notBegun() (out []*Result) {
	for i := range r.Results {
		if x := &r.Results[i]; x.Verdict() == NotRun {
			out = append(out, x)
		}
	}
	return out
}

// totals are the sums over all results, including seconds, because runs follow one another.
type totals struct {
	events, cycles, responses, mismatches uint64
	compared                              Compared
	episodes                              int
	seconds                               float64
}

func (r *Report) totals() (t totals) {
	for i := range r.Results {
		x := &r.Results[i]
		t.events += x.Events
		t.cycles += x.Cycles
		t.responses += x.Responses
		t.compared.Add(x.Compared)
		t.mismatches += x.Mismatches
		t.episodes += x.Episodes
		t.seconds += x.Seconds
	}
	return t
}

// shown returns the result that a report leads with: the first mismatch, or else the first with the worst verdict among
// those that began.
func (r *Report) shown() (x *Result) {
	for i := range r.Results {
		y := &r.Results[i]
		switch {
		case y.Verdict() == Mismatched:
			return y
		case y.Verdict() != NotRun && (x == nil || y.Verdict().worse(x.Verdict())):
			x = y
		}
	}
	if x == nil {
		x = r.worst()
	}
	return x
}

// same returns f of the results if all agree, else the zero value.
func same[T comparable](r *Report, f func(*Result) T) (v T) {
	for i := range r.Results {
		if x := f(&r.Results[i]); i == 0 {
			v = x
		} else if x != v {
			return *new(T)
		}
	}
	return v
}

// Coverage returns the coverage of all results together: a bin is missed if every run missed it. Results at another
// size of the block than the first have other bins and do not count. It is nil if the blocks differ or a run did not
// begin, because then there is no common count.
func (r *Report) Coverage() *Coverage {
	if len(r.Results) == 0 {
		return nil
	}
	for i := range r.Results {
		if r.Results[i].NotRun != "" {
			return nil
		}
	}
	first := &r.Results[0]
	missed := map[string]int{}
	proofs := map[string]string{}
	alike := 0
	for i := range r.Results {
		x := &r.Results[i]
		if x.Block == first.Block && !maps.Equal(x.Params, first.Params) {
			continue // another size has other bins
		}
		alike++
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
	for _, m := range slices.Sorted(maps.Keys(missed)) {
		if missed[m] == alike {
			c.Missed = append(c.Missed, m)
		}
	}
	for _, b := range slices.Sorted(maps.Keys(proofs)) {
		c.Unreachable = append(c.Unreachable, Unreachable{b, proofs[b]})
	}
	c.Hit = c.Bins - len(c.Missed)
	c.Groups = mergeGroups(first.Coverage.Groups, c.Missed)
	return c
}

// mergeGroups counts the missed bins of each group by the name's prefix. It returns nil if some bin belongs to no
// group: no table is better than a wrong one.
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

// neverBegan is the reason of a planned run until a result replaces it. A command that is killed leaves it in its
// report.
const neverBegan = "the command ended before this run began"

// Plan returns the report of the planned runs, each with what is known about it before it runs. Every run is NotRun
// until Settle replaces it, so that no way of ending a command omits a planned run.
func Plan(runs []Result) *Report {
	r := &Report{Results: runs}
	for i := range r.Results {
		r.Results[i].NotRun = neverBegan
	}
	return r
}

// Settle completes the entry of run number i with its result, which may be nil if err is not. A run that ended in an
// error is never a pass. interrupted is set if the error came from a signal.
func (r *Report) Settle(i int, res *Result, err error, interrupted bool) {
	x := &r.Results[i]
	if res != nil {
		due := x.Due
		*x = *res
		x.Due = due // what the plan requires, whatever the result holds
	}
	x.NotRun = ""
	switch {
	case err == nil && res == nil:
		x.Broken = "the run gave no result"
	case err == nil:
	case interrupted:
		x.Interrupted = true
	case x.Broken == "":
		x.Broken = err.Error()
	}
}

// Stop gives every run that did not begin the reason why the command ended before it.
func (r *Report) Stop(reason string) {
	for i := range r.Results {
		if x := &r.Results[i]; x.NotRun != "" {
			x.NotRun = reason
		}
	}
}
