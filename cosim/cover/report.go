package cover

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Report is the result of a collector.
type Report struct {
	Block       string   `json:"block"`
	Bins        int      `json:"bins"`        // all, the unreachable ones among them
	Unreachable int      `json:"unreachable"` // bins that carry a proof
	Hit         int      `json:"hit"`         // reachable bins hit at least once
	Missed      []string `json:"missed"`      // reachable bins not hit, in order
	Impossible  []string `json:"impossible"`  // bins hit against their proof: a fault
	Groups      []Group  `json:"groups"`
}

// Group is one cross of a report.
type Group struct {
	Name        string `json:"name"`
	Bins        int    `json:"bins"`
	Hit         int    `json:"hit"`
	Unreachable int    `json:"unreachable"`
	Hits        uint64 `json:"hits"` // of all its bins together
}

// Percent returns the share of reachable bins hit, 100 when all are.
func (r *Report) Percent() float64 {
	if r.Bins == r.Unreachable {
		return 100
	}
	return 100 * float64(r.Hit) / float64(r.Bins-r.Unreachable)
}

// Report sums up the collector. Slices are never nil.
func (c *Collector) Report() *Report {
	hits := c.Counts()
	r := &Report{Block: c.block, Bins: len(hits), Missed: []string{}, Impossible: []string{}, Groups: []Group{}}
	g := -1
	for i, b := range c.plan.bins {
		if g+1 < len(c.plan.starts) && c.plan.starts[g+1] == i {
			g++
			r.Groups = append(r.Groups, Group{Name: c.plan.groups[g]})
		}
		group := &r.Groups[g]
		group.Bins++
		group.Hits += hits[i]
		switch {
		case b.proof != nil:
			r.Unreachable++
			group.Unreachable++
			if hits[i] > 0 {
				r.Impossible = append(r.Impossible, b.name)
			}
		case hits[i] > 0:
			r.Hit++
			group.Hit++
		default:
			r.Missed = append(r.Missed, b.name)
		}
	}
	return r
}

// Write prints the report as a table, a line for each group, and the missed bins.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-42s %5s %5s %11s %12s\n", "coverage of "+r.Block, "bins", "hit", "unreachable", "hits")
	for _, g := range r.Groups {
		mark := ""
		if g.Hit+g.Unreachable < g.Bins {
			mark = fmt.Sprintf("  %d missed", g.Bins-g.Hit-g.Unreachable)
		}
		fmt.Fprintf(&b, "%-42s %5d %5d %11d %12d%s\n", g.Name, g.Bins, g.Hit, g.Unreachable, g.Hits, mark)
	}
	fmt.Fprintf(&b, "%-42s %5d %5d %11d  %.2f %% of reachable\n", "all", r.Bins, r.Hit, r.Unreachable, r.Percent())
	for _, m := range r.Missed {
		fmt.Fprintf(&b, "missed: %s\n", m)
	}
	for _, m := range r.Impossible {
		fmt.Fprintf(&b, "hit although proved unreachable: %s\n", m)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Hits returns how often the bin of that name was hit, and whether there is one.
func (c *Collector) Hits(name string) (uint64, bool) {
	if i := slices.IndexFunc(c.plan.bins, func(b bin) bool { return b.name == name }); i >= 0 {
		return c.Counts()[i], true
	}
	return 0, false
}
