package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// controlsTree are the controls of the runs in the fat tree. The first is the one whose flows alone in the network
// measure slowdown: without the bytes of telemetry, so that these count against who needs them.
var controlsTree = []string{"dcqcn", "hpcc", "fncc-lhcs"}

// arrivals returns Poisson arrivals at half the load of 128 hosts of 100 Gb/s until a time in microseconds.
func arrivals(seed uint64, table string, until float64) ([]traffic.Message, error) {
	c, err := traffic.LoadCDF(table)
	if err != nil {
		return nil, err
	}
	mean := 128 * 0.5 * 100 * 125 * until / c.Mean()
	all := traffic.Poisson(draws(seed, table), 128, int(mean+10*math.Sqrt(mean)), c, 0.5, 100)
	end := int64(until * float64(units.Microsecond))
	for i := range all {
		if all[i].Start >= end {
			return all[:i], nil
		}
	}
	return nil, fmt.Errorf("arrivals of %s: %d flows end before %v us", table, len(all), until)
}

// addTree adds the runs of a table of sizes, with those of more controls. What it returns adds one with the same flows
// whose control leaves room for so many.
func (s *setup) addTree(table string, until float64, more ...string) (one func(label, control string, room float64)) {
	if s.full {
		until = 100_000
	}
	flows, err := arrivals(s.seed, table, until)
	one = func(label, control string, room float64) {
		spec := network001(control, 100, pauses001)
		spec.Workload, spec.K, spec.LB, spec.Retrace = settings.Permutation, 8, lb.ECMP, true
		if err != nil { // a run that cannot be made reports it
			spec.CC = err.Error()
		}
		s.addWired(label, spec, flows, wired{Room: room})
	}
	for _, control := range slices.Concat(controlsTree, more) {
		one(control, control, 100)
	}
	return one
}

// forTwo is the label of a run whose controls leave room for two flows, as in the source's chains, in place of 100.
func forTwo(control string) string { return control + ", room for two flows" }

func sizes001() []Experiment {
	tree := "fat tree of 128 hosts, 100 Gb/s, ECMP, ACKs by the data's way, Poisson arrivals at half load, uniform pairs; "
	return []Experiment{
		{
			ID: "001/websearch", Title: "WebSearch in a fat tree", Source: "seed 001, section 5.5",
			Claim: "FNCC below HPCC and DCQCN at all sizes; flows above 1 MB, median: 12.4 % and 42.8 % below",
			Small: tree + "WebSearch, arrivals of 2 ms; FNCC with LHCS, and without it as an ablation; " + setup001,
			Full:  "the same, arrivals of 100 ms",
			runs:  func(s *setup) { s.addTree("websearch", 2000, "fncc") },
			judge: judgeWebsearch, figures: figuresSizes,
		},
		{
			ID: "001/hadoop", Title: "FB_Hadoop in a fat tree", Source: "seed 001, section 5.5",
			Claim: "FNCC below HPCC and DCQCN at all sizes; flows below 100 KB, 95th percentile: 27.4 % and 88.9 % below",
			Small: tree + "FB_Hadoop, arrivals of 2 ms; FNCC with LHCS, and without it as an ablation; " + setup001,
			Full:  "the same, arrivals of 100 ms",
			runs: func(s *setup) {
				one := s.addTree("fb_hadoop", 2000, "fncc")
				for _, control := range []string{"hpcc", "fncc-lhcs"} {
					one(forTwo(control), control, 2)
				}
			},
			judge: judgeHadoop, figures: figuresSizes,
		},
	}
}

// bin is a range of flow sizes in bytes, the upper end not included.
type bin struct {
	name      string
	low, high int64
}

var bins001 = []bin{
	{"< 10 kB", 0, 10_000}, {"10-100 kB", 10_000, 100_000}, {"100 kB-1 MB", 100_000, 1_000_000},
	{"> 1 MB", 1_000_000, math.MaxInt64},
}

// fewest001 is the number of flows of a bin in each run below which the runs are pooled.
const fewest001 = 200

// slowdowns returns those of the flows of a bin in each run, nil for a run with a flow that did not end.
func (d *data) slowdowns(control string, b bin) [][]float64 {
	out := make([][]float64, len(d.runs[control]))
	for i, o := range d.runs[control] {
		base := d.runs[controlsTree[0]][i]
		if o.fct() == nil || len(base.Flows) != len(o.Flows) {
			return nil
		}
		for k := range o.Flows {
			f := &o.Flows[k]
			if f.Bytes >= b.low && f.Bytes < b.high {
				out[i] = append(out[i], (f.Acked-f.Start).Micros()/base.Flows[k].Ideal.Micros())
			}
		}
	}
	return out
}

// statistic returns a statistic of a bin's slowdowns for each run. Where a run has few flows it is that of all runs
// together, with the scatter that leaving one run out gives it.
func (d *data) statistic(control string, b bin, f func([]float64) float64) sample {
	runs := d.slowdowns(control, b)
	none := make(sample, max(1, len(d.seeds)))
	for i := range none {
		none[i] = math.NaN()
	}
	if len(runs) == 0 {
		return none
	}
	few := false
	var all []float64
	for _, r := range runs {
		few = few || len(r) < fewest001
		all = append(all, r...)
	}
	if len(all) == 0 {
		return none
	}
	out := make(sample, len(runs))
	if !few {
		for i, r := range runs {
			out[i] = f(r)
		}
		return out
	}
	whole, mean := f(all), 0.0
	if len(runs) == 1 {
		return sample{whole}
	}
	n := float64(len(runs))
	for i := range runs {
		var rest []float64
		for k, r := range runs {
			if k != i {
				rest = append(rest, r...)
			}
		}
		if len(rest) == 0 {
			return none
		}
		out[i] = -float64((n - 1) * f(rest))
		mean += out[i] / n
	}
	for i := range out {
		out[i] += whole - mean
	}
	return out
}

func percent(p int) func([]float64) float64 {
	return func(v []float64) float64 { return Percentile(v, p) }
}

// reduction returns how far a lies below b, as a share of b.
func reduction(a, b sample) sample {
	return apply(func(v ...float64) float64 { return 1 - v[0] }, ratio(a, b))
}

func judgeHadoop(d *data) []Check {
	small := bin{"< 100 kB", 0, 100_000}
	p95 := func(c string) sample { return d.statistic(c, small, percent(95)) }
	fncc, hpcc, dcqcn := p95("fncc-lhcs"), p95("hpcc"), p95("dcqcn")
	out := []Check{
		below(headline("p95 fncc < hpcc, < 100 kB", "p95(fncc) < p95(hpcc)"), fncc, hpcc),
		below(headline("p95 hpcc < dcqcn, < 100 kB", "p95(hpcc) < p95(dcqcn)"), hpcc, dcqcn),
		within(headline("reduction against hpcc, < 100 kB", "1 - p95(fncc)/p95(hpcc) in [0.05,0.5]"), reduction(fncc, hpcc),
			0.05, 0.5),
		within(headline("reduction against dcqcn, < 100 kB", "1 - p95(fncc)/p95(dcqcn) in [0.4,0.97]"),
			reduction(fncc, dcqcn), 0.4, 0.97),
	}
	for i := range out {
		if out[i].Verdict == Fail {
			plain, two := p95("fncc"), p95(forTwo("fncc-lhcs"))
			out[i].Reason = fmt.Sprintf("a flow below 100 kB is less than the first window of one BDP, 235 kB: it is sent "+
				"before any feedback, and a control changes only the queues of longer flows that it meets; the source does "+
				"not state for how many flows W_AI leaves room: the reduction against hpcc is %s for 2, as in its chains, in "+
				"place of 100; without LHCS it is %s", reduction(two, p95(forTwo("hpcc"))).words(), reduction(plain, hpcc).words())
		}
	}
	return append(out, judgeSizes(d)...)
}

func judgeWebsearch(d *data) []Check {
	large := bins001[3]
	p50 := func(c string) sample { return d.statistic(c, large, percent(50)) }
	fncc, hpcc, dcqcn := p50("fncc-lhcs"), p50("hpcc"), p50("dcqcn")
	out := []Check{
		atMost(headline("p50 fncc against hpcc, > 1 MB", "p50(fncc) <= p50(hpcc)"), ratio(fncc, hpcc), 1),
		within(headline("reduction against hpcc, > 1 MB", "1 - p50(fncc)/p50(hpcc) in [0,0.25]"),
			reduction(fncc, hpcc), 0, 0.25),
		within(headline("reduction against dcqcn, > 1 MB", "1 - p50(fncc)/p50(dcqcn) in [0.1,0.65]"), reduction(fncc, dcqcn),
			0.1, 0.65),
	}
	return append(out, judgeSizes(d)...)
}

// judgeSizes are the checks of both tables.
func judgeSizes(d *data) (out []Check) {
	for _, b := range bins001 {
		of := func(c string, f func([]float64) float64) sample { return d.statistic(c, b, f) }
		out = append(out,
			d.whySlower(atMost(plain("mean against hpcc, "+b.name, "mean(fncc) <= 1.02 mean(hpcc)"),
				ratio(of("fncc-lhcs", meanOf), of("hpcc", meanOf)), 1.02), b, meanOf),
			d.whyNotFaster(below(plain("mean against dcqcn, "+b.name, "mean(fncc) < mean(dcqcn)"),
				of("fncc-lhcs", meanOf), of("dcqcn", meanOf))),
			d.whySlower(atMost(plain("p99 against hpcc, "+b.name, "p99(fncc) <= 1.05 p99(hpcc)"),
				ratio(of("fncc-lhcs", percent(99)), of("hpcc", percent(99))), 1.05), b, percent(99)))
	}
	counted := func(c string, f func(*Outcome) uint64) sample {
		return d.each(c, func(o *Outcome) float64 {
			if o.Counters.Acks == 0 {
				return math.NaN()
			}
			return float64(f(o))
		})
	}
	for _, c := range controlsTree {
		out = append(out, allDone(d, c, c), atMost(plain("drops "+c, "no drop"),
			counted(c, func(o *Outcome) uint64 {
				return o.Counters.DataDrops + o.Counters.CtlDrops + o.Counters.PFCOverruns + o.Counters.Retransmits
			}), 0))
	}
	pauses := func(c string) sample { return counted(c, func(o *Outcome) uint64 { return o.Counters.Pauses }) }
	return append(out, atMost(weak("pauses fncc <= hpcc", "pauses(fncc) <= pauses(hpcc)"),
		minus(pauses("fncc-lhcs"), pauses("hpcc")), 0),
		atMost(weak("pauses hpcc <= dcqcn", "pauses(hpcc) <= pauses(dcqcn)"), minus(pauses("hpcc"), pauses("dcqcn")), 0))
}

// whySlower adds to a check that FNCC with LHCS fails against HPCC what FNCC without it has, where that was run.
func (d *data) whySlower(c Check, b bin, f func([]float64) float64) Check {
	if _, ok := d.runs["fncc"]; ok && c.Verdict == Fail {
		c.Reason = "without LHCS: " + ratio(d.statistic("fncc", b, f), d.statistic("hpcc", b, f)).words() +
			"; LHCS gives each flow 0.9 of an equal part of the last hop, counting flows that are held back elsewhere"
	}
	return c
}

// whyNotFaster adds to a check that FNCC fails against DCQCN what DCQCN pays for it.
func (d *data) whyNotFaster(c Check) Check {
	if c.Verdict == Fail || c.Verdict == Undecided {
		large := bins001[3]
		c.Reason = fmt.Sprintf("dcqcn has no window and begins at line rate: flows of this size send most of their bytes "+
			"before a second CNP may come, 50 us after the first, and those above 1 MB pay for it: mean %s, fncc %s",
			d.statistic("dcqcn", large, meanOf).words(), d.statistic("fncc-lhcs", large, meanOf).words())
	}
	return c
}

func figuresSizes(d *data) (out []Figure) {
	for _, x := range []struct {
		name string
		f    func([]float64) float64
	}{{"mean", meanOf}, {"median", percent(50)}, {"95th percentile", percent(95)}, {"99th percentile", percent(99)}} {
		f := plot(x.name+" of the slowdown", "flow size: below 10 kB, 100 kB, 1 MB, above")
		for _, c := range controlsTree {
			f.Lines = append(f.Lines, over(c, []float64{1, 2, 3, 4}, func(i int) sample {
				return d.statistic(c, bins001[i],
					x.f)
			}))
		}
		out = append(out, f)
	}
	return out
}
