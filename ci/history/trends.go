package history

import (
	"cmp"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// Trends is what the history shows of the nights read.
type Trends struct {
	// Verdict is the worst of the newest campaigns of the stages.
	Verdict  campaign.Outcome `json:"verdict"`
	Total    int              `json:"campaigns_in_history"`
	Nights   []*Night         `json:"campaigns"` // shown, oldest first
	Failures []Trouble        `json:"failures"`
	Errors   []Trouble        `json:"errors"` // of the newest campaigns
	Coverage []Coverage       `json:"coverage"`
	Tests    []Test           `json:"tests"`
	Figures  []Figure         `json:"figures"`
}

// Coverage is the coverage of a block at one size in the campaigns of a stage.
type Coverage struct {
	Stage  string  `json:"stage"`
	Block  string  `json:"block"`
	Size   string  `json:"size"`
	Nights []Cover `json:"campaigns"` // oldest first
	// Known is false if no run of the newest campaign got as far as coverage.
	Known bool `json:"known"`
	// Missing are the bins that the newest campaign missed, by testpoint.
	Missing []Missing `json:"missing"`
}

// Cover is the coverage of one campaign; At is its index among those shown.
type Cover struct {
	At    int    `json:"-"`
	Night string `json:"night"`
	Bins  int    `json:"bins"`
	Hit   int    `json:"hit"`
}

// Missing is the missed bins of a testpoint. Bins of no testpoint have an empty name.
type Missing struct {
	Testpoint string   `json:"testpoint"`
	Bins      []string `json:"bins"`
}

// NewTrends computes the trends of a past. The testpoints are those of the current plan.
func NewTrends(p *Past, points []plan.Testpoint) *Trends {
	t := &Trends{Verdict: campaign.Passed, Total: p.Total, Nights: p.Nights, Failures: []Trouble{}, Errors: []Trouble{},
		Coverage: []Coverage{}, Tests: []Test{},
		Figures: []Figure{}}
	for _, stage := range p.stages() {
		nights := p.of(stage)
		newest := p.Nights[nights[len(nights)-1]]
		if v := newest.Verdict(); rank[v] > rank[t.Verdict] {
			t.Verdict = v
		}
		t.Failures = append(t.Failures, p.failures(stage, newest)...)
		t.Errors = append(t.Errors, newest.errors()...)
		t.Coverage = append(t.Coverage, p.coverage(stage, nights, points)...)
		t.Tests = append(t.Tests, p.tests(stage, nights)...)
		t.Figures = append(t.Figures, p.figures(stage, nights)...)
	}
	return t
}

// rank orders verdicts from best to worst: a difference that was found stays one, whatever broke besides.
var rank = map[campaign.Outcome]int{campaign.Passed: 0, campaign.Error: 1, campaign.Failed: 2}

// Verdict returns how a campaign ended.
func (x *Night) Verdict() campaign.Outcome {
	switch {
	case x.Failed > 0:
		return campaign.Failed
	case x.Planned > 0 && x.Passed == x.Planned && x.Open == 0:
		return campaign.Passed
	}
	return campaign.Error
}

// stages returns the stages of the nights, in order of name.
func (p *Past) stages() []string {
	set := map[string]bool{}
	for _, x := range p.Nights {
		set[x.Stage] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// of returns the nights of a stage by index, oldest first.
func (p *Past) of(stage string) (out []int) {
	for i, x := range p.Nights {
		if x.Stage == stage {
			out = append(out, i)
		}
	}
	return out
}

// group is a block at one size, with its own bins.
type group struct{ block, size string }

func (g group) compare(h group) int {
	return cmp.Or(cmp.Compare(g.block, h.block), cmp.Compare(g.size, h.size))
}

// cover is what runs of a group hit together: all but the missed bins.
type cover struct {
	bins   int
	missed []int
}

// add adds a run.
func (c *cover) add(r *Run) {
	if c.bins == 0 {
		c.bins, c.missed = r.Bins, slices.Clone(r.Missed)
		return
	}
	c.bins = max(c.bins, r.Bins)
	c.missed = slices.DeleteFunc(c.missed, func(bin int) bool {
		_, missed := slices.BinarySearch(r.Missed, bin)
		return !missed
	})
}

// covers returns the coverage of a campaign's groups.
func (x *Night) covers() map[group]*cover {
	out := map[group]*cover{}
	for i := range x.Runs {
		r := &x.Runs[i]
		if r.Bins == 0 || r.Outcome == campaign.Error { // its result is in doubt
			continue
		}
		g := group{r.Block, r.Size}
		if out[g] == nil {
			out[g] = &cover{}
		}
		out[g].add(r)
	}
	return out
}

// coverage returns the coverage of a stage's groups. It leaves out groups of which the newest campaign planned no run,
// but not those of which no run got as far as coverage.
func (p *Past) coverage(stage string, nights []int, points []plan.Testpoint) (out []Coverage) {
	all := make([]map[group]*cover, len(nights))
	for i, n := range nights {
		all[i] = p.Nights[n].covers()
	}
	newest := all[len(all)-1]
	known := map[group]bool{}
	for _, r := range p.Nights[nights[len(nights)-1]].Runs {
		g := group{r.Block, r.Size}
		known[g] = slices.ContainsFunc(all, func(covers map[group]*cover) bool { return covers[g] != nil })
	}
	maps.DeleteFunc(known, func(_ group, covered bool) bool { return !covered })
	for _, g := range slices.SortedFunc(maps.Keys(known), group.compare) {
		c := Coverage{Stage: stage, Block: g.block, Size: g.size, Missing: []Missing{}}
		if x := newest[g]; x != nil {
			c.Known, c.Missing = true, p.missing(g.block, x.missed, points)
		}
		for i, n := range nights {
			if x := all[i][g]; x != nil {
				c.Nights = append(c.Nights, Cover{At: n, Night: p.Nights[n].Night, Bins: x.bins, Hit: x.bins - len(x.missed)})
			}
		}
		out = append(out, c)
	}
	return out
}

// missing lists missed bins by testpoint, in the order of the plan, and those of no testpoint at the end.
func (p *Past) missing(block string, missed []int, points []plan.Testpoint) []Missing {
	var bins []string
	for _, bin := range missed {
		bins = append(bins, p.Bins[bin])
	}
	slices.Sort(bins)
	out, loose := []Missing{}, slices.Clone(bins)
	for i := range points {
		t := &points[i]
		if t.Block() != block {
			continue
		}
		other := func(bin string) bool { return !plan.MatchAny(t.Bins, bin) }
		if of := slices.DeleteFunc(slices.Clone(bins), other); len(of) > 0 {
			out = append(out, Missing{Testpoint: t.Name, Bins: of})
			loose = slices.DeleteFunc(loose, func(bin string) bool { return !other(bin) })
		}
	}
	if len(loose) > 0 {
		out = append(out, Missing{Bins: loose})
	}
	return out
}
