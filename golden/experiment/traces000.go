package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// firstWindows are the first windows of a host by name, given the largest, which is 1.5 BDP.
var firstWindows = map[string]func(host int32, largest float64) float64{
	// From 0.1 to 1.5 BDP over eight hosts of the second leaf.
	"spread": func(host int32, largest float64) float64 {
		return largest * math.Pow(15, float64(host-firstSender)/float64(convergers-1)-1)
	},
}

// firstSender is the first of the hosts with their own first windows, convergers their number.
const (
	firstSender = 16
	convergers  = 8
)

// traces000 returns the experiments of seed 000 that follow single flows.
func traces000() []Experiment {
	severe := func(s *setup) {
		s.add("64:1", leafSpine(), incast(s.seed, hosts000, 64, flow000)).watch.trace = true
	}
	pairs := func(s *setup, n int) {
		s.add("permutation", leafSpine(), permutation(s.seed, hosts000, n, flow000)).watch.trace = true
	}
	return []Experiment{
		{
			ID: "000/trace_quadrant", Title: "quadrants", Source: "seed 000, section 2",
			Claim: "flows move between quadrants; the published figure shows proportional increase alone",
			Small: setup000 + "; permutation of 4; for the transitions 64 to 1, and a permutation of 128 over 4 spines (4:1)",
			runs: func(s *setup) {
				pairs(s, 4)
				severe(s)
				narrow := leafSpine()
				narrow.Spines = 4
				s.add("4:1", narrow, permutation(s.seed, hosts000, hosts000, flow000)).watch.trace = true
			}, judge: judgeQuadrant, figures: figuresQuadrant,
		},
		{
			ID: "000/trace_cwnd", Title: "convergence of windows", Source: "seed 000, section 3",
			Claim: "different first windows converge; in the published figure all start equal and stay so",
			Small: setup000 + "; permutation of 16; 8 flows of one link whose first windows are 0.1 to 1.5 BDP, " +
				"and the same with equal ones",
			runs: func(s *setup) {
				pairs(s, 16)
				spread := s.add("spread", leafSpine(), converging())
				spread.first, spread.watch.trace = "spread", true
				s.add("equal", leafSpine(), converging()).watch.trace = true
			}, judge: judgeWindows, figures: figuresWindows,
		},
		{
			ID: "000/trace_delay", Title: "filter of the delay", Source: "seed 000, section 4",
			Claim: "a slow filter of gain 1/80 smooths the raw delay",
			Small: setup000 + "; permutation of 32; 64 to 1",
			runs:  func(s *setup) { pairs(s, 32); severe(s) }, judge: judgeDelay, figures: figuresDelay,
		},
		{
			ID: "000/trace_qa", Title: "quick adapt", Source: "seed 000, section 5",
			Claim: "resets bring the window to what was achieved within one round trip",
			Small: setup000 + "; 64 to 1, the first 200 us, with and without quick adapt",
			runs: func(s *setup) {
				severe(s)
				off := s.add("off", leafSpine(), incast(s.seed, hosts000, 64, flow000))
				off.noQA, off.watch.trace = true, true
			}, judge: judgeQA, figures: figuresQA,
		},
	}
}

// classified are the actions of ACKs that were judged by their delay and mark.
var classified = []nscc.Action{nscc.FAIR, nscc.PROP, nscc.FAST, nscc.MD, nscc.NOOP}

// actions returns the share of the classified ACKs until a time that took one of the actions; NaN without any.
func (o *Outcome) actions(until float64, want ...nscc.Action) float64 {
	return o.actionsIn(0, until, want...)
}

// actionsIn returns it for the ACKs from a time to another.
func (o *Outcome) actionsIn(from, until float64, want ...nscc.Action) float64 {
	n, all := 0, 0
	for i := range o.Acks {
		a := &o.Acks[i]
		if a.Kind != cc.KindAck || a.Time < from || a.Time > until {
			continue
		}
		for _, c := range classified {
			if a.Action == c {
				all++
			}
		}
		for _, w := range want {
			if a.Action == w {
				n++
			}
		}
	}
	if all == 0 {
		return math.NaN()
	}
	return float64(n) / float64(all)
}

func judgeQuadrant(d *data) []Check {
	share := func(run string, want ...nscc.Action) sample {
		return d.each(run, func(o *Outcome) float64 { return o.actions(math.Inf(1), want...) })
	}
	least := d.each("permutation", func(o *Outcome) float64 {
		shares := make([]float64, len(o.Acks))
		for i := range o.Acks {
			shares[i] = o.Acks[i].Cwnd / o.Acks[i].MaxWnd
		}
		if len(shares) == 0 {
			return math.NaN()
		}
		return slices.Min(shares)
	})
	out := []Check{
		atLeast(plain("increase", "PROP + FAST >= 95 % of classified ACKs"),
			share("permutation", nscc.PROP, nscc.FAST), 0.95),
		atMost(plain("decrease", "MD = 0"), share("permutation", nscc.MD), 0),
		atLeast(plain("window", "cwnd >= 0.9 max_wnd"), least, 0.9),
		within(plain("done", "done in [168,180] us"), d.at("permutation", 100), 168, 180),
	}
	for _, a := range []nscc.Action{nscc.FAIR, nscc.PROP, nscc.MD, nscc.NOOP} {
		severe, narrow := share("64:1", a), share("4:1", a)
		c := atLeast(plain("transitions "+a.String(),
			"64:1 or a 4:1 oversubscribed tree: each of FAIR, PROP, MD, NOOP >= 1 % of ACKs"),
			apply(maxOf, severe, narrow), 0.01)
		if c.Verdict != Vacuous {
			c.Measured = fmt.Sprintf("%s at 64:1, %s at 4:1", severe.words(), narrow.words())
		}
		out = append(out, c)
	}
	return out
}

// mix returns the shares of actions over time in intervals of 10 us, of the first seed.
func mix(o *Outcome, until float64) []Line {
	const width = 10
	out := make([]Line, len(classified))
	for k, c := range classified {
		out[k].Name = c.String()
	}
	counts := map[int][]float64{}
	for i := range o.Acks {
		a := &o.Acks[i]
		for k, c := range classified {
			if a.Kind == cc.KindAck && a.Action == c && a.Time < until {
				at := int(a.Time / width)
				if counts[at] == nil {
					counts[at] = make([]float64, len(classified))
				}
				counts[at][k]++
			}
		}
	}
	for at := range int(until / width) {
		sum := 0.0
		for _, n := range counts[at] {
			sum += n
		}
		for k := range out {
			if sum > 0 {
				out[k].add(float64(at*width), counts[at][k]/sum)
			}
		}
	}
	return out
}

func figuresQuadrant(d *data) []Figure {
	return []Figure{
		{Title: "share of classified ACKs, permutation of 4, first seed", Lines: mix(d.runs["permutation"][0], 200)},
		{Title: "share of classified ACKs, 64 to 1, first seed", Lines: mix(d.runs["64:1"][0], 1000)},
		{Title: "share of classified ACKs, 4:1 oversubscribed, first seed", Lines: mix(d.runs["4:1"][0], 1000)},
	}
}

// windows returns the congestion windows of each host, sampled each microsecond in [from, to); a host without an ACK
// yet has first.
func (o *Outcome) windows(from, to int, first func(host int32) float64) (out [][]float64) {
	now := map[int32]int{}
	var row []float64
	for i := range o.Flows {
		h := o.Flows[i].Src
		now[h] = i
		row = append(row, first(h))
	}
	k := 0
	for t := range to {
		for ; k < len(o.Acks) && o.Acks[k].Time <= float64(t); k++ {
			row[now[o.Acks[k].Host]] = o.Acks[k].Cwnd
		}
		if t >= from {
			out = append(out, append([]float64(nil), row...))
		}
	}
	return out
}

// unknown is the window of a host without an ACK yet, where it is not known.
func unknown(int32) float64 { return math.NaN() }

// figuresQA draws the mix and the windows.
func figuresQA(d *data) []Figure {
	w := Figure{Title: "median window, bytes, first seed"}
	for _, run := range []string{"64:1", "off"} {
		l := Line{Name: map[string]string{"64:1": "quick adapt", "off": "without"}[run]}
		for t, row := range d.runs[run][0].windows(0, 1000, unknown) {
			if v := Percentile(row, 50); !math.IsNaN(v) {
				l.add(float64(t), v)
			}
		}
		w.Lines = append(w.Lines, l)
	}
	return []Figure{{Title: "share of classified ACKs, first seed", Lines: mix(d.runs["64:1"][0], 200)}, w}
}

// mtu000 is the MTU of seed 000, bytes.
const mtu000 = 4150

func judgeQA(d *data) []Check {
	run := "64:1"
	fires := func(until float64, f func([]Fire, *Outcome) float64) sample {
		return d.each(run, func(o *Outcome) float64 {
			var early []Fire
			for _, x := range o.Fires {
				if x.Time <= until {
					early = append(early, x)
				}
			}
			if len(early) == 0 {
				return math.NaN()
			}
			return f(early, o)
		})
	}
	share := func(want ...nscc.Action) sample {
		return d.each(run, func(o *Outcome) float64 { return o.actions(cut.Micros(), want...) })
	}
	reach := func(run string) sample {
		return d.each(run, func(o *Outcome) float64 {
			if len(o.Acks) == 0 {
				return math.NaN()
			}
			end := int(o.Time.Micros())
			for t, row := range o.windows(0, end, unknown) {
				if v := Percentile(row, 50); !math.IsNaN(v) && v <= 2*mtu000 {
					return float64(t)
				}
			}
			return float64(end) // not before the end of the run
		})
	}
	return []Check{
		within(headline("first fire", "first fire in [16,40] us"),
			fires(cut.Micros(), func(f []Fire, _ *Outcome) float64 { return f[0].Time }), 16, 40),
		atMost(headline("window after a fire", "median window after a fire <= 2 MTU"),
			fires(cut.Micros(), func(f []Fire, _ *Outcome) float64 {
				var w []float64
				for _, x := range f {
					w = append(w, x.Cwnd)
				}
				return Percentile(w, 50)
			}), 2*mtu000),
		atLeast(headline("flows fired", ">= 50 % of flows fired by 100 us"),
			fires(100, func(f []Fire, o *Outcome) float64 {
				hosts := map[int32]bool{}
				for _, x := range f {
					hosts[x.Host] = true
				}
				return float64(len(hosts)) / float64(len(o.Flows))
			}), 0.5),
		atLeast(headline("MD + NOOP", "MD + NOOP >= 70 % of classified ACKs"), share(nscc.MD, nscc.NOOP), 0.7),
		atMost(headline("PROP", "PROP <= 10 %"), share(nscc.PROP), 0.1),
		below(weak("without quick adapt", "quick adapt off: the median window reaches 2 MTU later"), reach(run),
			reach("off")),
	}
}

// hostName is the name of a host's line in a figure.
func hostName(h int32) string { return fmt.Sprintf("host %d", h) }
