package history

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// Ranking is what the tests of a stage add to its coverage.
type Ranking struct {
	Stage     string   `json:"stage"`
	Nights    []*Night `json:"campaigns"` // the campaigns considered
	Bins      int      `json:"bins_hit"`  // by all tests together, separately for each block and size
	Tests     []Ranked `json:"tests"`     // highest number of new bins per CPU second first
	Set       []string `json:"set"`       // tests that hit all these bins
	Nothing   []string `json:"adds_nothing"`
	NotRanked []string `json:"not_ranked"` // without coverage
}

// Ranked is a test with one source.
type Ranked struct {
	Test   string  `json:"test"`
	Source string  `json:"source"`
	Block  string  `json:"block"`
	Size   string  `json:"size"`
	CPU    float64 `json:"cpu_seconds"` // per campaign, on average
	Hit    int     `json:"hit"`
	Own    int     `json:"own"` // hit by no other test
	// New are the bins that no test above hits.
	New          int     `json:"new"`
	NewPerSecond float64 `json:"new_per_cpu_second"`
	// Faults are those that fault campaigns of these nights caught first in this source of this block, on average.
	Faults          float64 `json:"faults_caught"`
	FaultsPerSecond float64 `json:"faults_caught_per_cpu_second"`
	InSet           bool    `json:"in_set"`
	hit             set
}

func (r *Ranked) title() string { return (&Test{Name: r.Test, Source: r.Source}).title() }

// set is a set of elements. An element is a bin that some run hit and some run missed, or all bins of a block and size
// that every run hit: their names are unknown, and every test of the block and size hits them.
type set []uint64

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

// weigh returns the weight of the elements of s that are not in t.
func (s set) weigh(weights []int, t set) (n int) {
	for w := range s {
		for x := s[w] &^ t[w]; x != 0; x &= x - 1 {
			n += weights[w*64+bits.TrailingZeros64(x)]
		}
	}
	return n
}

func (s set) join(t set) {
	for w := range s {
		s[w] |= t[w]
	}
}

// NewRanking ranks the tests of a stage by the nights of a past that covers only this stage. An earlier night counts
// for a block if it has as many bins as in the newest night.
func NewRanking(p *Past) *Ranking {
	newest := p.Nights[len(p.Nights)-1]
	r := &Ranking{Stage: newest.Stage, Nights: p.Nights, Tests: []Ranked{}, Set: []string{}, Nothing: []string{},
		NotRanked: []string{}}
	weights := r.collect(p, newest)
	if len(r.Tests) == 0 {
		return r
	}
	all := make(set, len(r.Tests[0].hit))
	for i := range r.Tests {
		x := &r.Tests[i]
		others := make(set, len(all))
		for k := range r.Tests {
			if k != i {
				others.join(r.Tests[k].hit)
			}
		}
		x.Hit, x.Own = x.hit.weigh(weights, make(set, len(all))), x.hit.weigh(weights, others)
		all.join(x.hit)
	}
	r.Bins = all.weigh(weights, make(set, len(all)))
	r.order(weights)
	r.cover(weights)
	r.credit(p)
	for i := range r.Tests {
		x := &r.Tests[i]
		switch {
		case x.InSet:
			r.Set = append(r.Set, x.title())
		case x.Faults == 0:
			r.Nothing = append(r.Nothing, x.title())
		}
	}
	return r
}

type rankKey struct {
	testName
	group
}

// collect finds the tests of the newest campaign with their hits, and returns the weights of the elements.
func (r *Ranking) collect(p *Past, newest *Night) (weights []int) {
	size := map[group]int{} // bins
	tests := map[rankKey]bool{}
	for i := range newest.Runs {
		x := &newest.Runs[i]
		g := group{x.Block, x.Size}
		size[g] = max(size[g], x.Bins)
		tests[rankKey{testName{x.Test, x.Source}, g}] = true
	}
	missed := map[rankKey]*cover{} // by all runs of a test
	any := map[group]map[int]bool{}
	cpu, nights := map[rankKey]float64{}, map[rankKey]map[*Night]bool{}
	for _, night := range p.Nights {
		for i := range night.Runs {
			x := &night.Runs[i]
			g := group{x.Block, x.Size}
			k := rankKey{testName{x.Test, x.Source}, g}
			if !tests[k] || x.Bins == 0 || x.Outcome == campaign.Error || x.Bins != size[g] {
				continue
			}
			if missed[k] == nil {
				missed[k], nights[k] = &cover{}, map[*Night]bool{}
			}
			if any[g] == nil {
				any[g] = map[int]bool{}
			}
			missed[k].add(x)
			for _, bin := range x.Missed {
				any[g][bin] = true
			}
			cpu[k] += x.Cost.CPU
			nights[k][night] = true
		}
	}
	groups := slices.SortedFunc(maps.Keys(any), group.compare)
	first, named := map[group]int{}, map[group][]int{} // element of the bins that every run hit; bins of those after it
	for _, g := range groups {
		first[g], named[g] = len(weights), slices.Sorted(maps.Keys(any[g]))
		weights = append(weights, size[g]-len(named[g]))
		for range named[g] {
			weights = append(weights, 1)
		}
	}
	for k := range tests {
		x := Ranked{Test: k.test, Source: k.source, Block: k.block, Size: k.size}
		c := missed[k]
		if c == nil {
			r.NotRanked = append(r.NotRanked, x.title())
			continue
		}
		x.CPU = cpu[k] / float64(len(nights[k]))
		x.hit = make(set, (len(weights)+63)/64)
		x.hit.add(first[k.group])
		for i, bin := range named[k.group] {
			if _, no := slices.BinarySearch(c.missed, bin); !no {
				x.hit.add(first[k.group] + 1 + i)
			}
		}
		r.Tests = append(r.Tests, x)
	}
	slices.Sort(r.NotRanked)
	slices.SortFunc(r.Tests, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Size, b.Size))
	})
	return weights
}

// seconds returns the cost of a test; clocks have no finer resolution.
func (r *Ranked) seconds() float64 { return max(r.CPU, 0.001) }

// order repeatedly puts the test with the most new bins per CPU second first; ties go by name.
func (r *Ranking) order(weights []int) {
	seen := make(set, len(r.Tests[0].hit))
	for at := range r.Tests {
		best, most := at, -1.0
		for i := at; i < len(r.Tests); i++ {
			if v := float64(r.Tests[i].hit.weigh(weights, seen)) / r.Tests[i].seconds(); v > most {
				best, most = i, v
			}
		}
		x := r.Tests[best]
		r.Tests = slices.Insert(slices.Delete(r.Tests, best, best+1), at, x) // the others keep their order
		r.Tests[at].New = x.hit.weigh(weights, seen)
		r.Tests[at].NewPerSecond = most
		seen.join(x.hit)
	}
}

// cover marks a small set of tests that hits all bins. It repeatedly takes the test with the most new bins, the cheaper
// one in a tie, then removes tests whose bins the others hit.
func (r *Ranking) cover(weights []int) {
	seen := make(set, len(r.Tests[0].hit))
	var chosen []*Ranked
	for {
		var best *Ranked
		most := 0
		for i := range r.Tests {
			x := &r.Tests[i]
			n := x.hit.weigh(weights, seen)
			if n > most || n == most && n > 0 && cmp.Or(cmp.Compare(x.CPU, best.CPU), cmp.Compare(x.title(), best.title())) < 0 {
				best, most = x, n
			}
		}
		if best == nil {
			break
		}
		best.InSet = true
		chosen = append(chosen, best)
		seen.join(best.hit)
	}
	slices.SortStableFunc(chosen, func(a, b *Ranked) int { return cmp.Compare(b.CPU, a.CPU) }) // expensive ones first
	for _, x := range chosen {
		others := make(set, len(seen))
		for _, y := range chosen {
			if y != x && y.InSet {
				others.join(y.hit)
			}
		}
		x.InSet = x.hit.weigh(weights, others) > 0
	}
}

// credit assigns caught faults to the tests of the source that caught them. A fault campaign plays our design at its
// default size, each fault until it is caught.
func (r *Ranking) credit(p *Past) {
	type at struct{ block, source string }
	caught, nights := map[at]float64{}, map[string]map[*Night]bool{}
	for _, night := range p.Nights {
		for i := range night.Runs {
			for _, f := range night.Runs[i].Figures {
				block, source, ok := f.CaughtIn()
				if !ok {
					continue
				}
				caught[at{block, source}] += f.Value
				if nights[block] == nil {
					nights[block] = map[*Night]bool{}
				}
				nights[block][night] = true
			}
		}
	}
	for i := range r.Tests {
		x := &r.Tests[i]
		if n := caught[at{x.Block, x.Source}]; n > 0 && x.Size == campaign.DefaultSize {
			x.Faults = n / float64(len(nights[x.Block]))
			x.FaultsPerSecond = x.Faults / x.seconds()
		}
	}
}

// WriteText writes the ranking for a terminal.
func (r *Ranking) WriteText(w io.Writer) error {
	newest := r.Nights[len(r.Nights)-1]
	headline := fmt.Sprintf("stage %s, %s to night %s: %s hit by %s", r.Stage,
		report.Plural(uint64(len(r.Nights)), "campaign"), newest.Night, report.Plural(uint64(r.Bins), "bin"),
		report.Plural(uint64(len(r.Tests)), "test"))
	if v := newest.Verdict(); v != "passed" {
		headline += fmt.Sprintf("; the newest campaign ended as %s, and runs that did not pass may have hit less", v)
	}
	table := report.Sheet{Title: "Tests", Note: "By new bins per CPU second: new are those that no test above hits, own " +
		"those that no other test hits. Each block and size has bins of its own. Faults are those that fault campaigns " +
		"caught first in the source, at its block's default size.",
		Head: []string{"test", "block", "size", "CPU s", "hit", "own", "new", "new/s", "faults", "faults/s", "set"}}
	cpu, all := 0.0, 0.0
	for i := range r.Tests {
		x := &r.Tests[i]
		in := "-"
		all += x.CPU
		if x.InSet {
			in = "yes"
			cpu += x.CPU
		}
		table.Rows = append(table.Rows, []string{x.title(), x.Block, x.Size, fmt.Sprintf("%.1f", x.CPU), fmt.Sprint(x.Hit),
			fmt.Sprint(x.Own), fmt.Sprint(x.New), report.Short(x.NewPerSecond), report.Short(x.Faults),
			report.Short(x.FaultsPerSecond), in})
	}
	sheets := []report.Sheet{table}
	add := func(title, note string, names []string) {
		if len(names) > 0 {
			sheets = append(sheets, report.Sheet{Title: title, Note: note, List: []string{strings.Join(names, ", ")}})
		}
	}
	add("Smallest set that keeps all bins", fmt.Sprintf("%d of %d tests, %.1f of %.1f CPU seconds.", len(r.Set),
		len(r.Tests), cpu, all), r.Set)
	add("Tests that add nothing", "The set hits all their bins, and no fault was caught in them first. Bins are not "+
		"all: a test of another design, of a tick or "+
		"of assertions may be worth its time.", r.Nothing)
	add("Not ranked", "They have no coverage, or none of the size that their block has now.", r.NotRanked)
	return report.WriteSheets(w, headline, sheets)
}
