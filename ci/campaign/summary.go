package campaign

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Summary is the state of a campaign. Its JSON form is the same for the same runs wherever they ran, except for Cost.
type Summary struct {
	Stage       string `json:"stage"`
	Night       string `json:"night"`
	Fingerprint string `json:"fingerprint"`
	// Verdict is passed if all planned runs passed and a closed stage showed its testpoints, failed if one failed, else
	// error.
	Verdict    Outcome    `json:"verdict"`
	Planned    int        `json:"planned"`
	Passed     int        `json:"passed"`
	Failed     int        `json:"failed"`
	Errors     int        `json:"errors"`
	Missing    int        `json:"missing"`
	TakenOver  int        `json:"taken_over"` // not run and not counted as passed: their records are of earlier campaigns
	Judged     int        `json:"judged"`     // passed or taken over with values that had to be near, not equal
	Events     uint64     `json:"events"`     // of all co-simulations that were run
	Cycles     uint64     `json:"cycles"`
	Fields     uint64     `json:"fields"` // compared ones
	Coverage   []Coverage `json:"coverage"`
	Closed     bool       `json:"closed"`     // the stage passes only with every testpoint shown
	Testpoints []Point    `json:"testpoints"` // of the whole stage; empty for a shard
	Runs       []State    `json:"runs"`       // in the order of the plan
	Cost       Cost       `json:"cost"`       // sums over all runs, the largest memory
}

// State is one planned run.
type State struct {
	ID      string   `json:"id"`
	Outcome Outcome  `json:"outcome"`
	Reason  string   `json:"reason"`
	Judged  string   `json:"judged,omitempty"` // as Result.Judged
	Digest  string   `json:"digest,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	From    *Origin  `json:"from,omitempty"` // of a run that was taken over
	Repeat  string   `json:"repeat"`         // command line
	Cost    Cost     `json:"cost"`
}

// Coverage is what the runs of a block at one size hit together.
type Coverage struct {
	Block  string   `json:"block"`
	Size   string   `json:"size"` // as returned by Size
	Bins   int      `json:"bins"`
	Hit    int      `json:"hit"`
	Missed []string `json:"missed"`
}

func summarise(h *Head, runs []plan.Run, records map[string]*Record) *Summary {
	s := &Summary{Stage: h.Stage, Night: h.Night, Fingerprint: h.Fingerprint, Planned: len(runs)}
	cover := map[design]*Coverage{}
	count := map[Outcome]*int{Passed: &s.Passed, Failed: &s.Failed, Error: &s.Errors, Missing: &s.Missing,
		Taken: &s.TakenOver}
	for i := range runs {
		run := &runs[i]
		st := State{ID: run.ID, Outcome: Missing, Reason: "it has no record", Repeat: "goldwire " + repeat(run)}
		if r := records[run.ID]; r != nil {
			st.Outcome, st.Reason, st.Cost, st.From = r.Outcome, r.Reason, r.Cost, r.From
			if r.From != nil {
				st.Outcome = Taken
			}
			s.Cost.Add(r.Cost)
			if x := r.Result; x != nil {
				st.Judged, st.Digest, st.Failure = x.Judged, x.Digest, x.Failure
				if r.From == nil {
					s.Events, s.Cycles, s.Fields = s.Events+x.Events, s.Cycles+x.Cycles, s.Fields+x.Fields
				}
				if r.Outcome != Error { // results of an error are in doubt
					addCoverage(cover, run, x)
				}
			}
		}
		*count[st.Outcome]++
		if st.Judged != "" && (st.Outcome == Passed || st.Outcome == Taken) {
			s.Judged++
		}
		s.Runs = append(s.Runs, st)
	}
	for _, c := range slices.SortedFunc(maps.Values(cover), func(a, b *Coverage) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Size, b.Size))
	}) {
		c.Hit = c.Bins - len(c.Missed)
		s.Coverage = append(s.Coverage, *c)
	}
	s.Closed = h.Goals.Closed
	if len(runs) == len(h.Runs) { // a shard shows only a part
		s.Testpoints = points(h, cover, records)
	}
	switch {
	case s.Failed > 0:
		s.Verdict = Failed
	case s.Planned > 0 && s.Passed+s.TakenOver == s.Planned && s.Lacking() == 0:
		s.Verdict = Passed
	default:
		s.Verdict = Error
	}
	return s
}

// design is a block at one size.
type design struct{ block, size string }

// DefaultSize is the size of our design at its default parameters.
const DefaultSize = "default"

// Size returns the design of a run unless it is ours, and its parameters, or DefaultSize.
func Size(run *plan.Run) string {
	var parts []string
	for i, a := range run.Args {
		if a == "--dut" && i+1 < len(run.Args) { // another design, whose bins are not ours
			parts = append(parts, run.Args[i+1])
		}
	}
	for _, n := range slices.Sorted(maps.Keys(run.Params)) {
		parts = append(parts, fmt.Sprintf("%s=%d", n, run.Params[n]))
	}
	if len(parts) == 0 {
		return DefaultSize
	}
	return strings.Join(parts, " ")
}

// addCoverage removes the bins that a run hit from the missed bins of its block and size.
func addCoverage(all map[design]*Coverage, run *plan.Run, x *Result) {
	if x.Bins == 0 {
		return
	}
	key := design{x.Block, Size(run)}
	c := all[key]
	if c == nil {
		all[key] = &Coverage{Block: key.block, Size: key.size, Bins: x.Bins, Missed: slices.Clone(x.Missed)}
		return
	}
	c.Missed = slices.DeleteFunc(c.Missed, func(bin string) bool {
		_, missed := slices.BinarySearch(x.Missed, bin)
		return !missed
	})
}

// repeat returns the arguments of a run without its result files, as one would type them.
func repeat(r *plan.Run) string {
	var out []string
	for i := 0; i < len(r.Args); i++ {
		if strings.HasPrefix(r.Args[i], "--") && i+1 < len(r.Args) && strings.HasPrefix(r.Args[i+1], plan.JSON) {
			i++
			continue
		}
		out = append(out, r.Args[i])
	}
	return report.CommandLine(out)
}

// WriteText writes the summary for a terminal: every run that did not pass by name, coverage, and the counts of all
// runs.
func (s *Summary) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-6s  stage %s, night %s: %s\n", strings.ToUpper(string(s.Verdict)), s.Stage, s.Night, s.Account())
	for _, o := range s.Origins() {
		fmt.Fprintf(&b, "  not run   %s\n", o)
	}
	fmt.Fprintf(&b, "  compared  %s\n  cost      %s\n", s.Compared(), s.Spent())
	if s.Judged > 0 {
		fmt.Fprintf(&b, "  judged    %s\n", s.Near())
	}
	for _, c := range s.Coverage {
		fmt.Fprintf(&b, "  coverage  %s (%s): %d of %d bins\n", c.Block, c.Size, c.Hit, c.Bins)
	}
	s.writePoints(&b)
	for _, r := range slices.SortedStableFunc(slices.Values(s.Runs), func(a, b State) int {
		return cmp.Compare(slices.Index(shown, a.Outcome), slices.Index(shown, b.Outcome))
	}) {
		if r.Outcome != Passed && r.Outcome != Taken {
			fmt.Fprintf(&b, "%s  %s: %s\n    %s\n", strings.ToUpper(string(r.Outcome)), r.ID, r.Reason, r.Repeat)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shown is the order in which runs are listed.
var shown = []Outcome{Failed, Error, Missing, Taken, Passed}

// Compared describes what the runs compared.
func (s *Summary) Compared() string {
	return fmt.Sprintf("%s fields of %s events in %s cycles", report.Count(s.Fields), report.Count(s.Events),
		report.Count(s.Cycles))
}

// Spent describes the cost of the campaign.
func (s *Summary) Spent() string {
	return fmt.Sprintf("%.0f s of CPU in %.0f s of runs, at most %d MB", s.Cost.CPU, s.Cost.Seconds, s.Cost.MemoryMB)
}

// Near describes how many runs passed by more than equal values.
func (s *Summary) Near() string {
	return report.Plural(uint64(s.Judged), "run") + " passed with values that are near, not equal"
}

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
