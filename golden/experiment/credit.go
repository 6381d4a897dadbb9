package experiment

import "math"

// creditModes are NSCC, receiver credit, and both.
var creditModes = []string{"nscc", "rccc", "nscc+rccc"}

// creditSizes are the degrees of incast.
var creditSizes = []int{8, 32, 64}

// creditFlow is the size of the flows, and creditLine the microseconds that one occupies a link of 100 Gb/s.
const (
	creditFlow = 1_000_000
	creditLine = (creditFlow + 245*64) * 8e-5
)

func creditLabel(mode string, n int) string { return label(mode+" N", n) }

// credit returns the experiment with receiver credit.
func credit() []Experiment {
	return []Experiment{{
		ID: "htsim/credit", Title: "receiver credit in an incast", Source: "runs of the reference simulator, rccc.csv",
		Claim: "with credit the flows of an incast end together, at 99 % of the link, and fewer packets are trimmed; NSCC " +
			"beside it changes little",
		Small: setup000 + "; incast of N = 8, 32, 64 to host 0, 1 MB each, with NSCC, RCCC and both; no marks at the last " +
			"hop with credit",
		runs: func(s *setup) {
			for _, mode := range creditModes {
				for _, n := range creditSizes {
					spec := leafSpine()
					spec.CC, spec.ECNLastHop = mode, mode == "nscc"
					s.add(creditLabel(mode, n), spec, incast(s.seed, hosts000, n, creditFlow))
				}
			}
		},
		judge: judgeCredit, figures: figuresCredit,
	}}
}

// trims are the packets trimmed; NaN without flows.
func trims(o *Outcome) float64 {
	if len(o.Flows) == 0 {
		return math.NaN()
	}
	return float64(o.Counters.Trims)
}

// fctSpread is the last completion time over the first.
func fctSpread(o *Outcome) float64 { return o.fctAt(100) / o.fctAt(0) }

// fctMean is the mean of the completion times; NaN when a flow did not finish.
func fctMean(o *Outcome) float64 { return meanOf(o.fct()) }

func judgeCredit(d *data) (out []Check) {
	for _, n := range creditSizes {
		at := label("N", n)
		nscc, alone, both := creditLabel("nscc", n), creditLabel("rccc", n), creditLabel("nscc+rccc", n)
		line := float64(n) * creditLine / 0.99
		for _, run := range []string{nscc, alone, both} {
			out = append(out, allDone(d, run, run))
		}
		for _, run := range []string{alone, both} {
			out = append(out, within(headline("last "+run, "the last flow ends at 99 % of the link: fct_max in [0.99,1.03] * "+
				"N * 81.3 us / 0.99"), d.at(run, 100), 0.99*line, 1.03*line),
				below(plain("spread "+run, "fct_max/fct_min below that of NSCC alone"), d.each(run, fctSpread),
					d.each(nscc, fctSpread)),
				below(headline("trims "+run, "fewer packets trimmed than with NSCC alone"), d.each(run, trims),
					d.each(nscc, trims)))
		}
		out = append(out, within(plain("both, "+at, "NSCC beside credit changes the mean by at most 1 %"),
			ratio(d.each(both, fctMean), d.each(alone, fctMean)), 0.99, 1.01))
	}
	return out
}

func figuresCredit(d *data) []Figure {
	lines := func(f func(*Outcome) float64) (out []Line) {
		for _, mode := range creditModes {
			out = append(out, d.curve(mode, creditSizes, labels(mode+" N", creditSizes), f))
		}
		return out
	}
	return []Figure{
		plot("mean completion time, µs", "senders", lines(fctMean)...),
		plot("99th percentile of completion times, µs", "senders", lines(fctAt(99))...),
		plot("first completion time, µs", "senders", lines(fctAt(0))...),
		plot("packets trimmed", "senders", lines(trims)...),
		plot("data waiting at the last hop, bytes, mean over data packets", "senders",
			lines(func(o *Outcome) float64 { return o.Queue0 })...),
	}
}
