package triage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Triage is the failures of a campaign in buckets, and everything else that keeps it from passing.
type Triage struct {
	Stage     string           `json:"stage"`
	Night     string           `json:"night"`
	Revision  string           `json:"revision"`
	Verdict   campaign.Outcome `json:"verdict"` // of the campaign
	Planned   int              `json:"planned"`
	Passed    int              `json:"passed"`
	Failed    int              `json:"failed"`
	Errors    int              `json:"errors"`
	Open      int              `json:"open"`       // testpoints that a closed stage did not show
	Missing   []string         `json:"missing"`    // runs without a record
	TakenOver int              `json:"taken_over"` // not run: their records are of an earlier campaign
	Buckets   []Bucket         `json:"buckets"`    // buckets with the most runs first
	Harness   []Reason         `json:"harness"`    // errors of the harness
	account   string
}

// Bucket is failures with the same key.
type Bucket struct {
	Name string `json:"bucket"`
	campaign.Key
	Count int `json:"count"`
	// IDs are its runs in the order of the plan. The fields below are those of the first run whose failure was shrunk, or
	// else of the first.
	IDs       []string          `json:"runs"`
	Run       plan.Run          `json:"run"`
	Seed      uint64            `json:"seed"`
	Revision  string            `json:"revision"`
	Failure   *campaign.Failure `json:"failure,omitempty"` // nil if the result was lost
	Reason    string            `json:"reason"`
	Reproduce string            `json:"reproduce"` // command line
	Case      json.RawMessage   `json:"case,omitempty"`
}

// Reason is errors of the harness with the same reason.
type Reason struct {
	Reason    string   `json:"reason"`
	Count     int      `json:"count"`
	IDs       []string `json:"runs"`
	Reproduce string   `json:"reproduce"` // command line of the first
}

// New sorts the failures of a campaign.
func New(c *campaign.Campaign) *Triage {
	s := c.Summary
	t := &Triage{Stage: s.Stage, Night: s.Night, Revision: c.Head.Revision, Verdict: s.Verdict, Planned: s.Planned,
		Passed: s.Passed, Failed: s.Failed, Errors: s.Errors, TakenOver: s.TakenOver, account: s.Account(),
		Missing: []string{}, Buckets: []Bucket{}, Harness: []Reason{}}
	if s.Closed {
		t.Open = s.Open()
	}
	for i := range c.Head.Runs {
		run, r := &c.Head.Runs[i], c.Records[i]
		command := s.Runs[i].Repeat
		switch {
		case r == nil:
			t.Missing = append(t.Missing, run.ID)
		case r.Outcome == campaign.Failed:
			var f *campaign.Failure
			if r.Result != nil {
				f = r.Result.Failure
			}
			key := campaign.KeyOf(run, f)
			name := key.Name()
			at := slices.IndexFunc(t.Buckets, func(b Bucket) bool { return b.Name == name })
			if at < 0 {
				at, t.Buckets = len(t.Buckets), append(t.Buckets, Bucket{Name: name, Key: key})
			}
			t.Buckets[at].add(run, r, f, command, c.Head.Revision)
		case r.Outcome == campaign.Error:
			why := reasonOf(run, r.Reason)
			at := slices.IndexFunc(t.Harness, func(x Reason) bool { return x.Reason == why })
			if at < 0 {
				at, t.Harness = len(t.Harness), append(t.Harness, Reason{Reason: why, Reproduce: command})
			}
			t.Harness[at].Count++
			t.Harness[at].IDs = append(t.Harness[at].IDs, run.ID)
		}
	}
	slices.SortStableFunc(t.Buckets, func(a, b Bucket) int { return cmp.Compare(b.Count, a.Count) })
	slices.SortStableFunc(t.Harness, func(a, b Reason) int { return cmp.Compare(b.Count, a.Count) })
	return t
}

func (b *Bucket) add(run *plan.Run, r *campaign.Record, f *campaign.Failure, command, revision string) {
	b.Count++
	b.IDs = append(b.IDs, run.ID)
	if b.Count > 1 && (f == nil || len(f.Shrunk) == 0 || b.Failure != nil && len(b.Failure.Shrunk) > 0) {
		return
	}
	b.Run, b.Seed, b.Revision, b.Failure, b.Reason, b.Case = *run, run.Seed, revision, f, r.Reason, r.Case
	b.Reproduce = command
	if f != nil && f.Episode != "" && run.Cosim() {
		b.Reproduce += " --episode " + report.Quoted(f.Episode)
	}
}

// reasonOf returns the reason of an error without what is specific to this run: its name, its seed and its figures.
func reasonOf(run *plan.Run, reason string) string {
	reason = regexp.MustCompile(`\b`+regexp.QuoteMeta(run.ID)+`\b`).ReplaceAllString(reason, "RUN")
	return numbers.ReplaceAllString(reason, "N")
}

// Found reports whether a run of the campaign failed.
func (t *Triage) Found() bool { return t.Failed > 0 }

// Incomplete returns why a campaign without a failure has not passed, or nil if it has.
func (t *Triage) Incomplete() error {
	switch {
	case len(t.Missing) > 0 || t.Errors > 0:
		return fmt.Errorf("campaign of stage %s is not whole: of %d planned runs %d are missing and %d ended in errors of "+
			"the harness; goldwire ci run --retry runs them", t.Stage, t.Planned, len(t.Missing), t.Errors)
	case t.Open > 0:
		return fmt.Errorf("stage %s is closed and %d of its testpoints are open; goldwire ci run lists them", t.Stage, t.Open)
	case t.Verdict != campaign.Passed && !t.Found():
		return fmt.Errorf("campaign of stage %s has the verdict %s", t.Stage, t.Verdict)
	}
	return nil
}

// Find returns the bucket of a name, or of the only name with that beginning. Its error lists the names.
func (t *Triage) Find(name string) (*Bucket, error) {
	var names []string
	var found []*Bucket
	for i := range t.Buckets {
		b := &t.Buckets[i]
		if b.Name == name {
			return b, nil
		}
		if name != "" && strings.HasPrefix(b.Name, name) {
			found = append(found, b)
		}
		names = append(names, b.Name)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(names) == 0:
		return nil, fmt.Errorf("bucket %q: no run of the campaign failed, so there is none", name)
	case len(found) > 1:
		return nil, fmt.Errorf("bucket %q: %d begin so; give more of one of %s", name, len(found), strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("bucket %q: unknown; give one of %s", name, strings.Join(names, ", "))
}

// numbers matches what differs between runs in the reason of an error.
var numbers = regexp.MustCompile(`\b([0-9]{3,}(\.[0-9]+)?|[0-9]+\.[0-9]+)\b`)

// How much of a list is printed; the JSON form has all.
const (
	shownEvents = 12
	shownRuns   = 6
)

// WriteText writes the buckets for a terminal.
func (t *Triage) WriteText(w io.Writer) error {
	var b strings.Builder
	verdict := "PASSED"
	switch {
	case t.Found():
		verdict = "FAILED"
	case t.Incomplete() != nil:
		verdict = "ERROR"
	}
	fmt.Fprintf(&b, "%-6s  stage %s, night %s, revision %s: %s\n", verdict, t.Stage, t.Night,
		cmp.Or(t.Revision, "unknown"), report.Plural(uint64(len(t.Buckets)), "bucket"))
	fmt.Fprintf(&b, "  %s\n", t.account)
	for i := range t.Buckets {
		t.Buckets[i].write(&b)
	}
	for _, r := range t.Harness {
		fmt.Fprintf(&b, "\nERROR   %s: %s\n", report.Plural(uint64(r.Count), "run"), r.Reason)
		fmt.Fprintf(&b, "  runs       %s\n  reproduce  %s\n", some(r.IDs), r.Reproduce)
	}
	if len(t.Missing) > 0 {
		fmt.Fprintf(&b, "\nMISSING %s\n", some(t.Missing))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (x *Bucket) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nBUCKET  %s: %s\n", x.Name, report.Plural(uint64(x.Count), "run"))
	fmt.Fprintf(b, "  runs       %s\n  seed       %d, revision %s\n", some(x.IDs), x.Seed, cmp.Or(x.Revision, "unknown"))
	f := x.Failure
	if f == nil {
		fmt.Fprintf(b, "  reason     %s\n", x.Reason)
	} else {
		if f.Field != "" {
			fmt.Fprintf(b, "  differs    %s: want %s, got %s, cycle %d of %s\n", f.Field, f.Want, f.Got, f.Cycle, f.Episode)
		} else {
			fmt.Fprintf(b, "  differs    cycle %d of %s: %s\n", f.Cycle, f.Episode, x.Reason)
		}
		if f.FoundBy != "" {
			fmt.Fprintf(b, "  found by   %s\n", f.FoundBy)
		}
		if p := f.Parting; p != nil {
			fmt.Fprintf(b, "  parts      %s\n", p)
		} else {
			b.WriteString("  parts      not looked for: no good design was given (goldwire ci run --good)\n")
		}
		for i, e := range f.Shrunk {
			head, last := "", len(f.Shrunk)-1
			if i == 0 {
				head = "shrunk"
			}
			switch { // The last event shows the failure, so it is always listed.
			case i < shownEvents-1 || i == last:
				fmt.Fprintf(b, "  %-11s%s\n", head, e)
			case i == shownEvents-1:
				fmt.Fprintf(b, "  %-11s... %d between; --json lists them all\n", head, last-i)
			}
		}
	}
	fmt.Fprintf(b, "  reproduce  %s\n", x.Reproduce)
}

// some returns the first names of a list, and how many more there are.
func some(names []string) string {
	if n := len(names); n > shownRuns {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shownRuns], ", "), n-shownRuns)
	}
	return strings.Join(names, ", ")
}
