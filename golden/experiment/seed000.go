package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// The network and the flows of seed 000, section 11.
const (
	hosts000 = 128
	flow000  = 2_000_000
	line000  = 162.5 // microseconds that a flow occupies a link
)

// leafSpine returns the shared set-up of seed 000: 8 leaves of 16 hosts, 16 spines, 100 Gb/s and 1 us per link, whose
// longest round trip is 9.35 us. Queues, marks and trimming are those of the reference simulator.
func leafSpine() settings.Spec {
	s := settings.DefaultSpec()
	s.Topology, s.Leaves, s.LeafHosts, s.Spines = settings.LeafSpine, 8, 16, 16
	s.LinkGbps, s.LinkLatency, s.MTU = 100, units.Microsecond, 4150
	s.LB, s.Paths, s.QAGate = lb.Mixed, 64, 3
	s.Trim, s.TrimAt, s.TrimAtLastHop, s.CtlDropAt, s.WholePackets = true, 1, 1, 2, true
	s.ECN, s.KMin, s.KMax = settings.ECNProbabilistic, 0.2, 0.8
	return s
}

const setup000 = "leaf-spine of 128 hosts, 100 Gb/s, 1 us per link, MTU 4150, mixed balancer over 64 paths, run to " +
	"completion"

// seed000 returns the experiments with aggregate figures.
func seed000() []Experiment {
	return []Experiment{
		{
			ID: "000/fairness", Title: "fairness of NSCC", Source: "seed 000, sections 3 and 11",
			Claim: "Jain index above 0.99 for 8 to 128 random pairs",
			Small: setup000 + "; permutation among N = 8, 16, 32, 64, 128 random hosts, 2 MB each",
			runs: func(s *setup) {
				for _, n := range sizes(8, 128) {
					s.add(label("N", n), leafSpine(), permutation(s.seed, hosts000, n, flow000))
				}
			},
			judge: judgeFairness, figures: figuresFairness,
		},
		{
			ID: "000/qa_gate", Title: "gate of quick adapt", Source: "seed 000, sections 5 and 11",
			Claim: "gate 3 is the best balance; the published figure shows nothing, since no flow ends within its 200 us",
			Small: setup000 + "; incast of 32, 16 and 8 to host 0, gates 0 to 4",
			runs: func(s *setup) {
				for _, n := range []int{8, 16, 32} {
					for g := range gates {
						spec := leafSpine()
						spec.QAGate = g
						s.add(gateLabel(n, g), spec, incast(s.seed, hosts000, n, flow000))
					}
				}
			},
			judge: judgeGate, figures: figuresGate,
		},
		{
			ID: "000/incast_degree", Title: "degree of incast", Source: "seed 000, sections 5 and 11",
			Claim: "throughput scales well, the tail degrades gracefully, quick adapt matters more with N",
			Small: setup000 + "; incast of N = 8, 16, 32, 64 to host 0",
			runs: func(s *setup) {
				for _, n := range sizes(8, 64) {
					s.add(label("N", n), leafSpine(), incast(s.seed, hosts000, n, flow000))
				}
			},
			judge: judgeDegree, figures: figuresDegree,
		},
		{
			ID: "000/target_delay", Title: "target queueing delay", Source: "seed 000, sections 4, 7 and 11",
			Claim: "a lower target gives lower latency and may cost throughput under load",
			Small: setup000 + "; permutation of 128, targets 3, 5, 7, 9 us, 2 MB",
			Full:  "the same, and 8 MB",
			runs: func(s *setup) {
				for _, size := range targetSizes(s.full) {
					for _, t := range targets {
						spec := leafSpine()
						spec.Target = units.Picos(t) * units.Microsecond
						s.add(targetLabel(size, t), spec, permutation(s.seed, hosts000, hosts000, size)).watch.up = true
					}
				}
			},
			judge: judgeTarget, figures: figuresTarget,
		},
		{
			ID: "000/traffic_pattern", Title: "patterns of traffic", Source: "seed 000, sections 10 and 11",
			Claim: "NSCC copes with permutation, incast and mixed sizes",
			Small: setup000 + "; permutation of 128, incast of 32, 256 random pairs of 10 kB to 10 MB",
			runs: func(s *setup) {
				s.add("permutation", leafSpine(), permutation(s.seed, hosts000, hosts000, flow000))
				s.add("incast", leafSpine(), incast(s.seed, hosts000, 32, flow000))
				s.add("mixed", leafSpine(), mixed(s.seed, hosts000, 256, 1e4, 1e7))
			},
			judge: judgePattern, figures: figuresPattern,
		},
	}
}

// sizes returns the powers of two from low to high.
func sizes(low, high int) (out []int) {
	for n := low; n <= high; n *= 2 {
		out = append(out, n)
	}
	return out
}

func label(name string, n int) string { return fmt.Sprintf("%s=%d", name, n) }

func labels(name string, of []int) (out []string) {
	for _, n := range of {
		out = append(out, label(name, n))
	}
	return out
}

// allDone is the check that every flow finished, at whatever time.
func allDone(d *data, run, name string) Check {
	return within(plain("all done "+name, "all flows done"), d.each(run, doneBy(math.MaxInt64)), 1, 1)
}

func doneBy(t units.Picos) func(*Outcome) float64 {
	return func(o *Outcome) float64 { return o.done(t) }
}

// fctAt is a percentile of the completion times, 0 for the least.
func fctAt(percent int) func(*Outcome) float64 {
	return func(o *Outcome) float64 { return o.fctAt(percent) }
}

// at returns a percentile of the completion times of a run.
func (d *data) at(run string, percent int) sample { return d.each(run, fctAt(percent)) }

// quickAdapts counts those of a run, which needs ACKs to have any.
func quickAdapts(o *Outcome) float64 {
	if o.Counters.Acks == 0 {
		return math.NaN()
	}
	return float64(len(o.Fires))
}

func (s sample) times(f float64) sample {
	return apply(func(v ...float64) float64 { return f * v[0] }, s)
}

// mean returns the mean over the seeds, for figures.
func (s sample) mean() float64 { return meanOf(s) }

// over returns a line of the means of one sample for each abscissa.
func over(name string, x []float64, of func(i int) sample) Line {
	l := Line{Name: name, X: x, Dots: true}
	for i := range x {
		l.Y = append(l.Y, of(i).mean())
	}
	return l
}

// curve returns a line of the means of a measure, of a run for each abscissa.
func (d *data) curve(name string, x []int, runs []string, f func(*Outcome) float64) Line {
	return over(name, floats(x), func(i int) sample { return d.each(runs[i], f) })
}

func plot(title, x string, lines ...Line) Figure { return Figure{Title: title, X: x, Lines: lines} }

// add adds a point.
func (l *Line) add(x, y float64) { l.X, l.Y = append(l.X, x), append(l.Y, y) }

// distribution returns the line of the shares of the flows that are done over completion times.
func distribution(name string, at func(percent int) sample) Line {
	l := Line{Name: name}
	for p := range 101 {
		l.add(at(p).mean(), float64(p)/100)
	}
	return l
}

func floats(of []int) (out []float64) {
	for _, n := range of {
		out = append(out, float64(n))
	}
	return out
}
