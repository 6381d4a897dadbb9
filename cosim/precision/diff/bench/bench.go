package bench

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/report"
	memory "github.com/goldwire/goldwire/vectors/tool/bench"
)

// Spec says what to measure.
type Spec struct {
	Source string // of the events
	Seed   uint64
	Events int // of one round
	Rounds int
	Log    func(format string, args ...any) // nil: says nothing

	Sizes []int // of the runs whose memory is measured, in events
}

// The speeds asked of one-step mode, in events per second.
const (
	leastFloat = 500e3
	leastExact = 50e3
)

// MostGrowth is how much more memory the longest run may take than the shortest.
const MostGrowth = 1.25

// lane is one way of measuring.
type lane struct {
	name, what string
	spec       diff.Spec
	bound      report.Bound
}

func lanes() []lane {
	step, free := []diff.Mode{diff.Step}, []diff.Mode{diff.Free}
	return []lane{
		{"diff_float64_events_per_s", "one step, fixed point against float64",
			diff.Spec{Modes: step, Against: diff.Float64}, report.AtLeast(leastFloat)},
		{"diff_exact_events_per_s", "one step, fixed point and float64 against exact numbers",
			diff.Spec{Modes: step, NoCauses: true}, report.AtLeast(leastExact)},
		{"diff_causes_events_per_s", "the same with errors split by cause", diff.Spec{Modes: step}, report.Bound{}},
		{"diff_free_events_per_s", "free, fixed point and float64 against exact numbers", diff.Spec{Modes: free},
			report.Bound{}},
	}
}

// Run records events, measures them in each way once a round, and returns the figures. It errors when a round measures
// other figures than the one before it.
func Run(ctx context.Context, spec Spec) ([]report.Metric, error) {
	if spec.Log == nil {
		spec.Log = func(string, ...any) {}
	}
	held, err := spec.memory(ctx) // first, before events are kept
	if err != nil {
		return nil, err
	}
	rec, err := diff.Record(ctx, diff.Spec{Source: spec.Source, Seed: spec.Seed, Events: spec.Events})
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	all := lanes()
	rates := make([][]float64, len(all))
	compared := uint64(0)
	for round := range spec.Rounds {
		spec.Log("round %d of %d: %d events of %s", round+1, spec.Rounds, rec.Len(), spec.Source)
		for i, l := range all {
			begun := time.Now()
			m, err := rec.Replay(ctx, l.spec)
			if err != nil {
				return nil, fmt.Errorf("bench: %s: %w", l.name, err)
			}
			rates[i] = append(rates[i], float64(rec.Len())/time.Since(begun).Seconds())
			if compared == 0 {
				compared = m[0].Compared
			}
			if m[0].Compared != compared {
				return nil, fmt.Errorf("bench: %s: %d events compared, and %d before", l.name, m[0].Compared, compared)
			}
		}
	}
	var out []report.Metric
	for i, l := range all {
		m := report.Metric{Name: l.name, What: "events per second, " + l.what, Bound: l.bound}
		m.Median(rates[i])
		out = append(out, m)
	}
	return append(out, held...), nil
}

// memory plays runs of each size and returns the most memory that the process held in each, and how much more it was in
// the longest than in the shortest. A figure stays without samples where the system does not count.
func (spec *Spec) memory(ctx context.Context) (out []report.Metric, err error) {
	for _, n := range spec.Sizes {
		spec.Log("memory of a run of %d events", n)
		debug.FreeOSMemory()
		forgot := memory.ForgetPeak()
		if _, err := diff.Run(ctx, diff.Spec{Source: "random", Seed: spec.Seed, Events: n, Modes: []diff.Mode{diff.Step},
			NoCauses: true}); err != nil {
			return nil, fmt.Errorf("bench: memory of %d events: %w", n, err)
		}
		m := report.Metric{Name: fmt.Sprintf("diff_rss_%d_mb", n),
			What: fmt.Sprintf("most memory held in a run of %s events, MB", report.Count(uint64(n)))}
		if mb, ok := memory.PeakMemory(); ok && forgot {
			m.Median([]float64{mb})
		}
		out = append(out, m)
	}
	if n := len(out); n > 1 {
		m := report.Metric{Name: "diff_rss_growth", What: "of the longest run against the shortest",
			Bound: report.AtMost(MostGrowth)}
		if out[0].Samples > 0 && out[n-1].Samples > 0 {
			m.Median([]float64{out[n-1].Value / out[0].Value})
		}
		out = append(out, m)
	}
	return out, nil
}
