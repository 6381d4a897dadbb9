package campaign

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Origin is where the record of a run comes from if it was not run.
type Origin struct {
	Dir      string `json:"dir"`      // folder of the campaign
	Revision string `json:"revision"` // at which the campaign was run
	Inputs   string `json:"inputs"`   // fingerprint of the files that can affect the run; the same at Revision and now
}

// TakeOver returns the records of an earlier campaign, read from the folder dir, for runs of a new one: for each run
// whose inputs are known, if the earlier campaign passed the same command line. inputs holds the fingerprints of the
// runs' inputs, which are the same for both campaigns, by run name.
func TakeOver(dir string, earlier *Campaign, head *Head, inputs map[string]string) map[string]*Record {
	known := map[string]*Record{}
	for _, r := range earlier.Records {
		if r != nil && r.Outcome == Passed {
			known[r.Run.ID] = r
		}
	}
	out := map[string]*Record{}
	for i := range head.Runs {
		run := &head.Runs[i]
		r, sum := known[run.ID], inputs[run.ID]
		if r == nil || sum == "" || !sameRun(&r.Run, run) {
			continue
		}
		from := &Origin{Dir: dir, Revision: earlier.Head.Revision, Inputs: sum}
		if r.From != nil { // it was not run there either
			if r.From.Inputs != sum {
				continue
			}
			from.Revision = r.From.Revision
		}
		out[run.ID] = &Record{Fingerprint: head.Fingerprint, Run: *run, Outcome: Passed, Reason: r.Reason, Result: r.Result,
			Figures: r.Figures, From: from}
	}
	return out
}

// sameRun reports whether two runs are the same.
func sameRun(a, b *plan.Run) bool {
	return a.ID == b.ID && a.Test == b.Test && a.Block == b.Block && a.Source == b.Source && a.Seed == b.Seed &&
		a.Events == b.Events && maps.Equal(a.Params, b.Params) && slices.Equal(a.Args, b.Args)
}

// Account describes how the planned runs ended.
func (s *Summary) Account() string {
	out := fmt.Sprintf("%d planned = %d passed + %d failed + %d errors + %d missing", s.Planned, s.Passed, s.Failed,
		s.Errors, s.Missing)
	if s.TakenOver > 0 {
		out += fmt.Sprintf(" + %d taken over", s.TakenOver)
	}
	return out
}

// Origins returns a line for each origin of runs that were taken over.
func (s *Summary) Origins() (out []string) {
	n := map[Origin]int{}
	for i := range s.Runs {
		if f := s.Runs[i].From; f != nil {
			n[*f]++
		}
	}
	for _, o := range slices.SortedFunc(maps.Keys(n), func(a, b Origin) int {
		return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Revision, b.Revision), cmp.Compare(n[b], n[a]),
			strings.Compare(a.Inputs, b.Inputs))
	}) {
		out = append(out, fmt.Sprintf("%s taken over from %s, revision %s, inputs %s", report.Plural(uint64(n[o]), "run"),
			o.Dir, o.Revision, o.Inputs))
	}
	return out
}
