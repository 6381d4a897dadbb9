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
		Coverage: []Coverage{}, Tests: []Test{}, Figures: []Figure{}}
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

// Trouble is the runs of a stage that did not pass for the same reason.
type Trouble struct {
	Stage string `json:"stage"`
	// Bucket is its name in triage; empty for an error.
	Bucket string `json:"bucket,omitempty"`
	campaign.Key
	Reason string `json:"reason,omitempty"` // of an error
	Status Status `json:"status,omitempty"` // of a failure
	First  string `json:"first_night"`
	Last   string `json:"last_night"`
	Nights int    `json:"campaigns"` // in which it was seen
	Runs   int    `json:"runs"`      // in the last of them
	// Command repeats the first run of the last campaign that saw it.
	Command string `json:"reproduce"`
}

// Status is the state of a failure in the newest campaign of its stage.
type Status string

// The states of failures, in the order in which they are listed. A failure that is not seen is mended only if every run
// that last showed it was repeated and passed: runs of other seeds prove nothing.
const (
	New     Status = "new"
	Again   Status = "again" // campaigns that did not see it are between
	Lasting Status = "lasting"
	Unseen  Status = "not seen" // and not every run that had shown it was repeated and passed
	Mended  Status = "mended"
)

var statuses = []Status{New, Again, Lasting, Unseen, Mended}

// failures returns the failures that a stage ever had.
func (p *Past) failures(stage string, newest *Night) []Trouble {
	seen := map[string][]Failed{} // by bucket
	for _, f := range p.Failed {
		if f.Stage == stage {
			seen[f.Key.Name()] = append(seen[f.Key.Name()], f)
		}
	}
	again := map[string]*Run{} // runs of the newest campaign
	for i := range newest.Runs {
		again[newest.Runs[i].Name] = &newest.Runs[i]
	}
	var out []Trouble
	for bucket, runs := range seen {
		last := runs[len(runs)-1]
		x := Trouble{Stage: stage, Bucket: bucket, Key: runs[0].Key, First: runs[0].Night, Last: last.Night}
		campaigns := map[int64]int{}
		mended := true
		for _, f := range runs {
			campaigns[f.campaign]++
			if f.campaign != last.campaign {
				continue
			}
			if x.Command == "" {
				x.Command = f.Command
			}
			r := again[f.Name]
			mended = mended && r != nil && r.Command == f.Command && r.Outcome == campaign.Passed
		}
		x.Nights, x.Runs = len(campaigns), campaigns[last.campaign]
		switch {
		case last.campaign == newest.id && x.Nights == 1:
			x.Status = New
		case last.campaign == newest.id && campaigns[p.before[stage]] == 0:
			x.Status = Again
		case last.campaign == newest.id:
			x.Status = Lasting
		case mended:
			x.Status = Mended
		default:
			x.Status = Unseen
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Trouble) int {
		return cmp.Or(cmp.Compare(slices.Index(statuses, a.Status), slices.Index(statuses, b.Status)),
			cmp.Compare(a.Bucket, b.Bucket))
	})
	return out
}

// errors returns the errors of the harness in a campaign by their reason.
func (x *Night) errors() (out []Trouble) {
	byReason := map[string]*Trouble{}
	for i := range x.Runs {
		r := &x.Runs[i]
		if r.Outcome != campaign.Error {
			continue
		}
		if t := byReason[r.Reason]; t != nil {
			t.Runs++
			continue
		}
		byReason[r.Reason] = &Trouble{Stage: x.Stage, Key: campaign.Key{Block: r.Block, Shape: []string{}},
			Reason: r.Reason, First: x.Night, Last: x.Night, Nights: 1, Runs: 1, Command: r.Command}
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		out = append(out, *byReason[reason])
	}
	return out
}
