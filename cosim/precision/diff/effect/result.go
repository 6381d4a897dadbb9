package effect

import (
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

type figure struct {
	name, unit string
	of         func(r *result.Result) float64
}

// ofSenders are the figures of runs with other senders, ofPacers those with other pacers.
var (
	ofSenders = []figure{
		{"mean completion time", "us", func(r *result.Result) float64 { return r.FCT().Mean }},
		{"p50 completion time", "us", func(r *result.Result) float64 { return r.FCT().P50 }},
		{"p99 completion time", "us", func(r *result.Result) float64 { return r.FCT().P99 }},
		{"largest queue", "bytes", func(r *result.Result) float64 {
			queue := int64(0)
			for _, q := range r.Queues {
				queue = max(queue, q.Peak)
			}
			return float64(queue)
		}},
		{"retransmissions", "packets", func(r *result.Result) float64 { return float64(r.Counters.Retransmits) }},
	}
	ofPacers = append(slices.Clone(ofSenders),
		figure{"credits", "pulls", func(r *result.Result) float64 { return float64(r.Counters.Credits) }},
		figure{"trims", "packets", func(r *result.Result) float64 { return float64(r.Counters.Trims) }})
)

// Result is what the runs gave.
type Result struct {
	Preset  string         `json:"preset"`
	Seeds   []uint64       `json:"seeds"`
	Kinds   string         `json:"kinds"`        // of what: senders or pacers
	TickNs  int            `json:"tick_ns"`      // of ccc's time stamps, or the cycle of a pacer
	CC      string         `json:"cc,omitempty"` // of the senders, where the pacers differ
	Changed []diff.Setting `json:"changed,omitempty"`
	Rates   []Rate         `json:"rate_errors,omitempty"` // of pacers
	Arms    []Arm          `json:"arms"`
	Pairs   []Pair         `json:"paired_differences"`

	figures []figure
}

// Arm is the runs of one kind of sender or pacer, in the order of the seeds.
type Arm struct {
	Name string    `json:"name"`
	Runs []Outcome `json:"runs"`
}

// Outcome is what one run gave: mean, p50 and p99 of the completion times of finished flows in microseconds, the
// largest queue in bytes and the number of retransmissions; with pacers also pulls and trims.
type Outcome struct {
	Seed       uint64    `json:"seed"`
	Flows      int       `json:"flows"`
	Unfinished int       `json:"unfinished"`
	Values     []float64 `json:"values"`

	digest uint64
}

// Pair is the differences between two kinds of senders, Of less Against.
type Pair struct {
	Of          string       `json:"of"`
	Against     string       `json:"against"`
	Equal       int          `json:"equal_runs"` // seeds with which both went the same way, packet by packet
	Unfinished  int          `json:"unfinished"` // flows, of both; their times are missing in the figures
	Differences []Difference `json:"differences"`
}

// Difference is the mean difference of one figure over the seeds, with its 95 % confidence interval.
type Difference struct {
	Name     string  `json:"name"`
	Unit     string  `json:"unit"`
	Base     float64 `json:"base"` // mean of the figure of Against
	Mean     float64 `json:"mean"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Largest  float64 `json:"largest"`  // absolute difference with any seed
	Seen     bool    `json:"seen"`     // the interval excludes 0
	Smallest float64 `json:"smallest"` // difference that as many seeds show in 80 % of the cases
}

// Verdict returns what can be said of a difference.
func (d *Difference) Verdict() string {
	switch {
	case d.Seen:
		return "differs"
	case d.Largest == 0:
		return "equal"
	}
	return "none seen"
}

// unseen returns what was not seen, and how large it would have to be.
func (p *Pair) unseen() (out []string) {
	for k := range p.Differences {
		if d := &p.Differences[k]; d.Verdict() == "none seen" {
			out = append(out, fmt.Sprintf("%s: no difference seen at this power (smallest difference that would be seen: %s %s)",
				d.Name, report.Short(d.Smallest), d.Unit))
		}
	}
	return out
}

// Headline returns the first line of a report.
func (res *Result) Headline() string {
	line := fmt.Sprintf("diff --loop %s: %d seeds, %d kinds of %s", res.Preset, len(res.Seeds), len(res.Arms), res.Kinds)
	if res.CC != "" {
		line += ", cc = " + res.CC
	}
	return line
}

func (res *Result) sheets() (out []report.Sheet) {
	out = diff.SettingSheets(res.Changed)
	if len(res.Rates) > 0 {
		out = append(out, res.rateSheet())
	}
	for i := range res.Pairs {
		p := &res.Pairs[i]
		s := report.Sheet{Title: p.Of + " less " + p.Against,
			Head: []string{"figure", "unit", p.Against, "difference", "percent", "95 % from", "to", ""},
			Note: fmt.Sprintf("paired over %d seeds; %d runs are equal packet by packet; each interval stands for itself: "+
				"of 20 figures that do not differ, one is expected to show a difference", len(res.Seeds), p.Equal),
			List: p.unseen()}
		for k := range p.Differences {
			d := &p.Differences[k]
			percent := any("-")
			if d.Base != 0 {
				percent = 100 * d.Mean / d.Base
			}
			s.Row(d.Name, d.Unit, d.Base, d.Mean, percent, d.Lo, d.Hi, d.Verdict())
		}
		if p.Unfinished > 0 {
			s.List = append(s.List, fmt.Sprintf("%d flows did not finish: their times are missing in the figures above, "+
				"which do not show what they cost", p.Unfinished))
		}
		out = append(out, s)
	}
	runs := report.Sheet{Title: "Runs", Head: []string{res.Kinds, "seed", "flows", "unfinished", "mean us", "p50 us",
		"p99 us"}}
	for _, f := range res.figures[3:] {
		runs.Head = append(runs.Head, f.name)
	}
	for _, a := range res.Arms {
		for _, r := range a.Runs {
			row := []any{a.Name, fmt.Sprint(r.Seed), r.Flows, r.Unfinished}
			for _, v := range r.Values {
				row = append(row, v)
			}
			runs.Row(row...)
		}
	}
	return append(out, runs)
}

// WriteText prints the result for a terminal.
func (res *Result) WriteText(w io.Writer) error {
	return report.WriteSheets(w, res.Headline(), res.sheets())
}

// WriteHTML writes the result as a page.
func (res *Result) WriteHTML(w io.Writer) error {
	return report.WritePage(w, "Goldwire diff: "+res.Preset,
		report.Banner{Word: "DONE", Class: "good", Line: res.Headline()}, res.sheets())
}
