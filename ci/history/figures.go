package history

import (
	"cmp"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// Figure is a number of a test with one source over the campaigns of a stage: a metric of a co-simulation, caught
// faults, flips. If a campaign has several runs, it is the largest value.
type Figure struct {
	Stage  string `json:"stage"`
	Test   string `json:"test"`
	Source string `json:"source"`
	Name   string `json:"figure"`
	Series
}

// figures returns the figures of a stage that the newest campaign has.
func (p *Past) figures(stage string, nights []int) (out []Figure) {
	type name struct {
		testName
		figure string
	}
	all := map[name]*Figure{}
	last := nights[len(nights)-1]
	for _, n := range nights {
		most := map[name]float64{}
		for i := range p.Nights[n].Runs {
			r := &p.Nights[n].Runs[i]
			if r.Outcome == campaign.Error {
				continue
			}
			for _, f := range r.Figures {
				k := name{testName{r.Test, r.Source}, f.Name}
				if old, ok := most[k]; !ok || f.Value > old {
					most[k] = f.Value
				}
			}
		}
		for k, v := range most {
			if all[k] == nil {
				all[k] = &Figure{Stage: stage, Test: k.test, Source: k.source, Name: k.figure}
			}
			all[k].At, all[k].Values = append(all[k].At, n), append(all[k].Values, v)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(all), func(a, b name) int {
		return cmp.Or(a.compare(b.testName), cmp.Compare(a.figure, b.figure))
	}) {
		if f := all[k]; f.At[len(f.At)-1] == last {
			f.band(true)
			out = append(out, *f)
		}
	}
	return out
}

// figures shows the figures.
func (t *Trends) figures() report.Sheet {
	s := report.Sheet{Title: "Figures", Note: "What the results give beside pass or fail: metrics of co-simulations, " +
		"caught faults, flips. Of several runs in a campaign the largest value.",
		Head: []string{"test", "figure", "stage", "newest", "median", "band", "change"}}
	for i := range t.Figures {
		f := &t.Figures[i]
		test := (&Test{Name: f.Test, Source: f.Source}).title()
		s.Rows = append(s.Rows, append([]string{test, f.Name, f.Stage}, f.cells()...))
	}
	if len(s.Rows) == 0 {
		s.Head, s.Note = nil, "None: no run of the newest campaigns has any."
	}
	return s
}
