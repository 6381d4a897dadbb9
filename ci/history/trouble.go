package history

import (
	"cmp"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/ci/campaign"
)

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
			Reason: r.Reason, First: x.Night,
			Last: x.Night, Nights: 1, Runs: 1, Command: r.Command}
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		out = append(out, *byReason[reason])
	}
	return out
}
