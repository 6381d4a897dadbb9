package history

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// Test is the cost of a test with one source in the campaigns of a stage, and the speed of its runs.
type Test struct {
	Stage  string `json:"stage"`
	Name   string `json:"test"`
	Source string `json:"source"`
	Runs   int    `json:"runs"`        // in the newest campaign
	CPU    Series `json:"cpu_seconds"` // of all its runs in a campaign
	// Speed is events per CPU second: for a campaign, the median over the passed runs.
	Speed    Series `json:"events_per_cpu_second"`
	MemoryMB int    `json:"memory_mb"` // most, in the newest campaign
}

// Series is a figure over campaigns. The band is the range of values that differ only by noise, from the campaigns
// before the newest.
type Series struct {
	At      []int     `json:"-"` // indices of the campaigns among those shown
	Values  []float64 `json:"values"`
	Newest  float64   `json:"newest"` // 0 if the newest campaign has none
	Median  float64   `json:"median"` // of the earlier campaigns
	Low     float64   `json:"low"`
	High    float64   `json:"high"`
	Verdict Change    `json:"change"`
}

// Change is the position of the newest value relative to the band.
type Change string

// The changes.
const (
	Same   Change = "~" // within the band
	Higher Change = "higher"
	Lower  Change = "lower"
	Few    Change = "too few" // too few campaigns for a band
	None   Change = "-"       // the newest campaign has no value
)

const (
	// leastBand is how many campaigns a band needs.
	leastBand = 4
	// leastWidth is the smallest width of a band to each side, as a share: clocks of CPU time are not finer.
	leastWidth = 0.02
)

// band computes the band from all values but the newest: three standard deviations around the median, estimated from
// the median distance to it, so that single outliers (a build, a busy machine) do not move it.
func (s *Series) band(newest bool) {
	before := s.Values
	if newest {
		before = s.Values[:len(s.Values)-1]
		s.Newest = s.Values[len(s.Values)-1]
	}
	if len(before) > 0 {
		s.Median = median(before)
		away := make([]float64, len(before))
		for i, v := range before {
			away[i] = math.Abs(v - s.Median)
		}
		width := max(3*1.4826*median(away), leastWidth*s.Median)
		s.Low, s.High = max(0, s.Median-width), s.Median+width
	}
	switch {
	case !newest:
		s.Verdict = None
	case len(before) < leastBand:
		s.Verdict = Few
	case s.Newest < s.Low:
		s.Verdict = Lower
	case s.Newest > s.High:
		s.Verdict = Higher
	default:
		s.Verdict = Same
	}
}

// median returns the median; for an even number of values, the mean of the middle two.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

type testName struct{ test, source string }

func (n testName) compare(m testName) int {
	return cmp.Or(cmp.Compare(n.test, m.test), cmp.Compare(n.source, m.source))
}

// tests returns the tests of a stage's newest campaign.
func (p *Past) tests(stage string, nights []int) (out []Test) {
	all := map[testName]*Test{}
	last := nights[len(nights)-1]
	for _, n := range nights {
		cpu, speed := map[testName]float64{}, map[testName][]float64{}
		for i := range p.Nights[n].Runs {
			r := &p.Nights[n].Runs[i]
			name := testName{r.Test, r.Source}
			t := all[name]
			if t == nil {
				t = &Test{Stage: stage, Name: r.Test, Source: r.Source}
				all[name] = t
			}
			cpu[name] += r.Cost.CPU
			if r.Outcome == campaign.Passed && r.Events > 0 && r.Cost.CPU > 0 { // others ran twice, or not to the end
				speed[name] = append(speed[name], float64(r.Events)/r.Cost.CPU)
			}
			if n == last {
				t.Runs++
				t.MemoryMB = max(t.MemoryMB, r.Cost.MemoryMB)
			}
		}
		for name, t := range all {
			if c, ok := cpu[name]; ok {
				t.CPU.At, t.CPU.Values = append(t.CPU.At, n), append(t.CPU.Values, c)
			}
			if v := speed[name]; len(v) > 0 {
				t.Speed.At, t.Speed.Values = append(t.Speed.At, n), append(t.Speed.Values, median(v))
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(all), testName.compare) {
		t := all[name]
		if t.Runs == 0 {
			continue
		}
		for _, s := range []*Series{&t.CPU, &t.Speed} {
			s.Values = report.NotNull(s.Values)
			s.band(len(s.At) > 0 && s.At[len(s.At)-1] == last)
		}
		out = append(out, *t)
	}
	return out
}

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
