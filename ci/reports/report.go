package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// Report is a campaign, or a shard of one, in the content that all forms show.
type Report struct {
	*campaign.Summary
	// Result is the verdict of the summary, or error for a campaign that ended early without a failed run.
	Result campaign.Outcome
	Ended  string // why the campaign ended early; "" if it did not

	runs     []*plan.Run // of Summary.Runs
	failures []group     // failed runs by bucket
	errors   []group     // runs that ended in an error, by reason
	missing  []int
	missed   []missed
	tests    []test
}

// group is runs with something in common; the first one represents them.
type group struct {
	title string
	runs  []int // indices in Summary.Runs
}

// missed are the bins of a testpoint that no run hit, at one size of its block.
type missed struct {
	testpoint, block, size string
	bins                   []string
}

// test is the cost of a test's runs.
type test struct {
	name               string
	runs, taken        int
	cpu, seconds       float64
	memoryMB, unpassed int
}

// New returns the report of a summary. head is the head of its campaign, and ended the error that ended the campaign
// early, or nil. It errors if the summary's runs are not those of the campaign, or its counts do not cover all of them.
func New(sum *campaign.Summary, head *campaign.Head, ended error) (*Report, error) {
	r := &Report{Summary: sum, Result: sum.Verdict}
	if ended != nil {
		r.Ended = strings.Join(strings.Fields(ended.Error()), " ")
		if sum.Verdict == campaign.Passed {
			r.Result = campaign.Error
		}
	}
	known := map[string]*plan.Run{}
	for i := range head.Runs {
		known[head.Runs[i].ID] = &head.Runs[i]
	}
	n := map[campaign.Outcome]int{}
	for i := range sum.Runs {
		st := &sum.Runs[i]
		run := known[st.ID]
		if run == nil {
			return nil, fmt.Errorf("report: run %s is not one of the campaign", st.ID)
		}
		r.runs = append(r.runs, run)
		n[st.Outcome]++
		switch st.Outcome {
		case campaign.Failed:
			r.failures = add(r.failures, title(run, st), i)
		case campaign.Error:
			r.errors = add(r.errors, st.Reason, i)
		case campaign.Missing:
			r.missing = append(r.missing, i)
		}
		r.addTest(run, st)
	}
	if len(sum.Runs) != sum.Planned || n[campaign.Passed] != sum.Passed || n[campaign.Failed] != sum.Failed ||
		n[campaign.Error] != sum.Errors || n[campaign.Missing] != sum.Missing || n[campaign.Taken] != sum.TakenOver {
		return nil, fmt.Errorf("report: %s, but the list of runs does not add up to that", sum.Account())
	}
	for _, groups := range [][]group{r.failures, r.errors} {
		slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(len(b.runs), len(a.runs)) })
	}
	slices.SortStableFunc(r.tests, func(a, b test) int { return cmp.Compare(b.cpu, a.cpu) })
	r.addMissed(head.Goals.Testpoints)
	return r, nil
}

// add adds a run to the group with that title.
func add(groups []group, title string, run int) []group {
	i := slices.IndexFunc(groups, func(g group) bool { return g.title == title })
	if i < 0 {
		return append(groups, group{title, []int{run}})
	}
	groups[i].runs = append(groups[i].runs, run)
	return groups
}

func (r *Report) addTest(run *plan.Run, st *campaign.State) {
	i := slices.IndexFunc(r.tests, func(t test) bool { return t.name == run.Test })
	if i < 0 {
		i = len(r.tests)
		r.tests = append(r.tests, test{name: run.Test})
	}
	t := &r.tests[i]
	switch st.Outcome {
	case campaign.Taken:
		t.taken++
		return
	case campaign.Passed:
	default:
		t.unpassed++
	}
	t.runs++
	t.cpu, t.seconds, t.memoryMB = t.cpu+st.Cost.CPU, t.seconds+st.Cost.Seconds, max(t.memoryMB, st.Cost.MemoryMB)
}

// addMissed splits the missed bins of each block and size by testpoint. A bin of several testpoints appears at each.
func (r *Report) addMissed(points []plan.Goal) {
	for _, c := range r.Coverage {
		loose := slices.Clone(c.Missed)
		for i := range points {
			p := &points[i]
			if block, _, _ := strings.Cut(p.Name, "/"); block != c.Block {
				continue
			}
			other := func(bin string) bool { return !plan.MatchAny(p.Bins, bin) }
			if of := slices.DeleteFunc(slices.Clone(c.Missed), other); len(of) > 0 {
				r.missed = append(r.missed, missed{p.Name, c.Block, c.Size, of})
				loose = slices.DeleteFunc(loose, func(bin string) bool { return !other(bin) })
			}
		}
		if len(loose) > 0 {
			r.missed = append(r.missed, missed{testpoint: "(no testpoint)", block: c.Block, size: c.Size, bins: loose})
		}
	}
}

// line returns the counts of the campaign, and why it did not pass if no run shows it.
func (r *Report) line() string {
	out := fmt.Sprintf("stage %s, night %s: %s", r.Stage, r.Night, r.Account())
	if why := r.why(); why != "" {
		out += "; " + why
	}
	return out
}

// why returns why the campaign did not pass although its runs did, or why it ended early; else "".
func (r *Report) why() string {
	switch {
	case r.Ended != "":
		return "it ended early: " + r.Ended
	case r.Lacking() > 0:
		return fmt.Sprintf("%d of %d testpoints are open, in a stage that is closed", r.Lacking(), len(r.Testpoints))
	case r.Result != campaign.Passed && r.Failed+r.Errors+r.Missing == 0:
		return "no run failed, and it did not pass"
	}
	return ""
}

func (r *Report) word() string { return strings.ToUpper(string(r.Result)) }

// first returns the run that represents a group, and its state.
func (r *Report) first(g *group) (*plan.Run, *campaign.State) {
	return r.runs[g.runs[0]], &r.Runs[g.runs[0]]
}

// difference returns the first difference of a run, or the reason of its outcome.
func difference(st *campaign.State) string {
	f := st.Failure
	if f == nil || f.Field == "" {
		return st.Reason
	}
	out := fmt.Sprintf("%s: cycle %d, %s: want %s, got %s", f.Episode, f.Cycle, f.Field, f.Want, f.Got)
	if f.Event != "" {
		out += "; " + f.Event
	}
	if f.FoundBy != "" {
		out += "; " + f.FoundBy
	}
	return out
}

// open returns the testpoints that a closed stage did not show, and why.
func (r *Report) open() (out []string) {
	for _, p := range r.Testpoints {
		if r.Closed && !p.Shown {
			out = append(out, p.Name+": "+p.Why)
		}
	}
	return out
}

// who returns a run's block, source and seed.
func who(run *plan.Run) string {
	out := fmt.Sprintf("%s seed %d", strings.TrimSpace(run.Block+" "+run.Source), run.Seed)
	if !run.Cosim() {
		out = fmt.Sprintf("%s seed %d", run.Test, run.Seed)
	}
	return out
}

// title names what a failed run has in common with others. Runs of one title are shown as one.
func title(run *plan.Run, st *campaign.State) string {
	k := campaign.KeyOf(run, st.Failure)
	return k.Title()
}
