package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Point is what the runs of our own design, at its default size, showed of a testpoint.
type Point struct {
	Name    string   `json:"name"`
	Shown   bool     `json:"shown"`
	Why     string   `json:"why,omitempty"`     // reason why it is not shown
	Missing []string `json:"missing,omitempty"` // bins that no run hit
}

// points compares the bins hit and the cases played with the goals.
func points(h *Head, cover map[design]*Coverage, records map[string]*Record) []Point {
	cases := map[string][]string{} // by block, as sources: directed stands for all of them
	for i := range h.Runs {
		run := &h.Runs[i]
		if r := records[run.ID]; r != nil && r.Outcome == Passed && Size(run) == DefaultSize {
			cases[run.Block] = append(cases[run.Block], run.Source)
		}
	}
	out := []Point{}
	for _, g := range h.Goals.Testpoints {
		block, _, _ := strings.Cut(g.Name, "/")
		p := Point{Name: g.Name, Shown: true}
		open := func(why string) { p.Shown, p.Why = false, why }
		if c := cover[design{block, DefaultSize}]; len(g.Bins) > 0 && c == nil {
			open("no run of its block gave coverage")
		} else if len(g.Bins) > 0 {
			for _, bin := range c.Missed {
				if plan.MatchAny(g.Bins, bin) {
					p.Missing = append(p.Missing, bin)
				}
			}
			if n := len(p.Missing); n > 0 {
				open(report.Plural(uint64(n), "bin") + " missed")
			}
		}
		if p.Shown && len(g.Cases) > 0 && !played(g.Cases, cases[block]) {
			open("no run played its directed cases and passed")
		}
		out = append(out, p)
	}
	return out
}

// played reports whether the passed sources include the cases that the patterns name, as a whole or one by one.
func played(patterns, sources []string) bool {
	if slices.Contains(sources, "directed") {
		return true
	}
	for _, p := range patterns {
		if !slices.Contains(sources, "directed/"+p) { // a pattern with a * needs all of them
			return false
		}
	}
	return true
}

// Open returns the number of testpoints that are not shown.
func (s *Summary) Open() (n int) {
	for _, p := range s.Testpoints {
		if !p.Shown {
			n++
		}
	}
	return n
}

// Lacking returns the number of testpoints that a closed stage did not show, or 0 if the stage is not closed.
func (s *Summary) Lacking() int {
	if !s.Closed {
		return 0
	}
	return s.Open()
}

// listed is how many missed bins of a testpoint are printed.
const listed = 4

// writePoints writes the testpoints: how many are shown, and each open one. For a stage that is not closed it only
// counts them, because such a stage need not show them all.
func (s *Summary) writePoints(b *strings.Builder) {
	if len(s.Testpoints) == 0 {
		return
	}
	fmt.Fprintf(b, "  shown     %d of %d testpoints\n", len(s.Testpoints)-s.Open(), len(s.Testpoints))
	for _, p := range s.Testpoints {
		if p.Shown || !s.Closed {
			continue
		}
		fmt.Fprintf(b, "OPEN  %s: %s", p.Name, p.Why)
		if n := len(p.Missing); n > 0 {
			b.WriteString(": " + strings.Join(p.Missing[:min(n, listed)], ", "))
			if n > listed {
				b.WriteString(", ...")
			}
		}
		b.WriteByte('\n')
	}
}
