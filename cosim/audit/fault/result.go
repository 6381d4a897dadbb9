package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Verdict is the outcome of one fault.
type Verdict struct {
	*Fault
	Finding  *Finding // nil for a survivor
	Argument string   // of a survivor: why it is equivalent; empty when there is no argument
}

// Score counts the faults of one class.
type Score struct {
	Total  int            `json:"total"`
	Caught int            `json:"caught"`
	Check  int            `json:"check"` // of them by the check of goldwire cosim alone
	By     map[string]int `json:"by"`    // how
	In     map[string]int `json:"in"`    // sources that caught them
}

// Percent returns the percentage of faults caught; 100 if there are no faults.
func (s Score) Percent() float64 {
	if s.Total == 0 {
		return 100
	}
	return 100 * float64(s.Caught) / float64(s.Total)
}

func (s *Score) add(f *Finding) {
	s.Total++
	if f != nil {
		s.Caught++
		if f.Check {
			s.Check++
		}
		s.By[f.By]++
		s.In[f.Source]++
	}
}

// Result is the outcome of a campaign on one block.
type Result struct {
	Block    string
	Seed     uint64
	Hand     Score
	Drawn    Score
	Verdicts []Verdict // hand-written faults first, by name; then drawn faults, by number
	Refused  []*Fault  // drawn faults that do not compile; others replaced them
	Problems []string  // reasons why the campaign does not pass, one line each
	Broken   string    // why the campaign did not end, or ""; Verdicts then holds the faults that were played
	Seconds  float64
}

// Unfinished returns the result of a campaign that was planned and did not end, for the reports of the others: without
// it they would show a pass of all.
func Unfinished(block string, seed uint64, why string) *Result {
	return &Result{Block: block, Seed: seed, Broken: why, Problems: []string{"the campaign did not end: " + why}}
}

// broke records the error that ended a campaign before all its faults were played.
func (r *Result) broke(err error, all int) {
	r.Broken = strings.Join(strings.Fields(err.Error()), " ")
	r.Problems = append([]string{fmt.Sprintf("the campaign did not end: %d of %d faults were played: %s", len(r.Verdicts),
		all, r.Broken)}, r.Problems...)
}

// wanted is the minimum percentage of drawn faults that must be caught.
const wanted = 95

// OK reports whether every hand-written fault and enough drawn faults were caught, and every survivor has an argument.
func (r *Result) OK() bool { return len(r.Problems) == 0 }

// Survivors returns the verdicts of the faults that were not caught.
func (r *Result) Survivors() (out []Verdict) {
	for _, v := range r.Verdicts {
		if v.Finding == nil {
			out = append(out, v)
		}
	}
	return out
}

func (c *campaign) result(verdicts []Verdict, book *Book) *Result {
	slices.SortStableFunc(verdicts, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(b.Class, a.Class), cmp.Compare(a.Name, b.Name), a.Number-b.Number)
	})
	score := func() Score { return Score{By: map[string]int{}, In: map[string]int{}} }
	r := &Result{Block: c.Block, Seed: c.Seed, Hand: score(), Drawn: score(), Verdicts: verdicts, Refused: c.refused}
	problem := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	for i := range verdicts {
		v := &verdicts[i]
		if v.Class == Hand {
			r.Hand.add(v.Finding)
			if v.Finding == nil {
				problem("hand-written fault %s was not caught", v.Fault)
			}
			continue
		}
		r.Drawn.add(v.Finding)
		v.Argument = book.Why(v.Fault)
		switch {
		case v.Finding == nil && v.Argument == "":
			problem("survivor %s has no argument in survivors.yaml for its equivalence", v.Fault)
		case v.Finding != nil && v.Argument != "":
			problem("fault %s is caught (%s %s), but survivors.yaml argues that it is equivalent", v.Fault,
				v.Finding.Source, v.Finding.Episode)
			v.Argument = ""
		}
	}
	if r.Drawn.Percent() < wanted {
		problem("%.1f %% of the drawn faults were caught, %d %% are required", r.Drawn.Percent(), wanted)
	}
	for _, stale := range book.stale(c.d.All()) {
		problem("survivors.yaml: %s: the RTL no longer holds this place, or the generator no longer produces this "+
			"fault; write a new argument", stale)
	}
	return r
}
