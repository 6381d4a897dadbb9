package triage

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

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
	fmt.Fprintf(&b, "%-6s  stage %s, night %s, revision %s: %s\n", verdict, t.Stage, t.Night, cmp.Or(t.Revision, "unknown"),
		report.Plural(uint64(len(t.Buckets)), "bucket"))
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
