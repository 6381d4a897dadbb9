package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/cubic"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// How Cubic's estimate of Reno's window grows: as its RFC says, or by a packet per round trip, as the simulator of
// seed 000 has it.
const (
	cubicRFC = "rfc"
	cubicS0  = "s0"
)

// cubicRow is Cubic with a timer that is looked at every 10 ms, so that none expires within a run.
func cubicRow(slope string) cc.Row {
	return cc.Row{Name: "cubic", Needs: cc.Needs{EveryAck: true, OneConnection: true}, New: cc.Cubic(func(s *cubic.Spec) {
		s.RTOScan, s.S0Slope = 10_000, slope == cubicS0
	})}
}

// propagation returns the base RTT of a path without the time of packet and ACK on its links, each of which is 1 us
// long at the rate of seed 000.
func propagation(cfg cc.Config) units.Picos {
	const there = units.Microsecond
	packets := cfg.LinkGbps.PerByte().Time(int64(cfg.MTU + settings.DefaultSpec().CtlBytes))
	return cfg.BaseRTT / (2*there + packets) * 2 * there
}

// coexistSpec is the set-up of seed 000 for NSCC beside Cubic.
func coexistSpec() settings.Spec {
	const queue = 100 * mtu000
	s := leafSpine()
	s.LB, s.Paths, s.QAGate, s.Target = lb.Oblivious, 16, 2, 5*units.Microsecond
	s.QueueBytes, s.KMinBytes, s.KMaxBytes = queue, queue/4, queue*97/100
	s.PerFlowRTT, s.MaxTime = true, cut
	return s
}

// scenarios000 are the workloads of NSCC beside Cubic.
var scenarios000 = []string{"A", "B", "C"}

// ratios000 are the percentages of the flows that run NSCC.
var ratios000 = []int{0, 25, 50, 75, 100}

// scenario returns the flows of a workload. The given percentage of them, from the start of the list, runs NSCC.
func scenario(seed uint64, name string, percent int) (out []traffic.Message) {
	switch name {
	case "A":
		out = permutation(seed, hosts000, hosts000, flow000)
	case "B":
		out = mixed(seed, hosts000, 256, 1e4, 1e7)
	case "C":
		out = incast(seed, hosts000, 16, 1_000_000)
		r := draws(seed, "pairs")
		for range 64 {
			src := r.IntN(hosts000)
			out = append(out, traffic.Message{Src: int32(src), Dst: int32((src + 1 + r.IntN(hosts000-1)) % hosts000),
				Bytes: flow000, Conn: int32(len(out))})
		}
	}
	for i := percent * len(out) / 100; i < len(out); i++ {
		out[i].CC, out[i].LB, out[i].NoTrim = "cubic", string(lb.ECMP), true
	}
	return out
}

func coexistLabel(scenario string, percent int) string {
	return fmt.Sprintf("%s r=%d", scenario, percent)
}

const beside000 = "leaf-spine of 128 hosts, 100 Gb/s, 1 us per link, queues of 415 kB, ECN from 25 to 97 % of them; " +
	"NSCC over 16 paths, target 5 us, gate 2, base RTT of propagation; Cubic on one path each, not trimmed; 200 us"

func coexist000() []Experiment {
	return []Experiment{
		{
			ID: "000/coexistence", Title: "NSCC beside TCP Cubic", Source: "seed 000, sections 9 and 11",
			Claim: "NSCC shares bandwidth fairly with Cubic; the published figure contradicts it",
			Small: beside000 + "; A: permutation of 128; B: 256 random pairs of 10 kB to 10 MB; C: incast of 16 beside " +
				"64 random pairs; 0 to 100 % of the flows NSCC",
			runs: func(s *setup) {
				for _, name := range scenarios000 {
					for _, r := range ratios000 {
						s.add(coexistLabel(name, r), coexistSpec(), scenario(s.seed, name, r)).cubic = cubicRFC
					}
					s.add(coexistLabel(name, 50)+" s0", coexistSpec(), scenario(s.seed, name, 50)).cubic = cubicS0
				}
			},
			judge: judgeCoexist, figures: figuresCoexist,
		},
		{
			ID: "000/trace_coexist", Title: "windows of NSCC beside TCP Cubic", Source: "seed 000, section 9",
			Claim: "NSCC gives way to Cubic in its first 100 us and takes back what Cubic leaves",
			Small: beside000 + "; permutation of 128, half of the flows NSCC",
			runs: func(s *setup) {
				r := s.add("A", coexistSpec(), scenario(s.seed, "A", 50))
				r.cubic, r.watch.trace = cubicRFC, true
			},
			judge: judgeTraceCoexist, figures: figuresTraceCoexist,
		},
	}
}

// isNSCC reports whether flow i of a run with so many percent of NSCC is one of them.
func isNSCC(o *Outcome, i, percent int) bool { return i < percent*len(o.Flows)/100 }

// nsccShare returns the share of the delivered bytes that were NSCC's.
func nsccShare(percent int) func(*Outcome) float64 {
	return func(o *Outcome) float64 {
		nscc, all := 0.0, 0.0
		for i := range o.Flows {
			all += float64(o.Flows[i].Got)
			if isNSCC(o, i, percent) {
				nscc += float64(o.Flows[i].Got)
			}
		}
		if all == 0 {
			return math.NaN()
		}
		return nscc / all
	}
}

// jainGot is the Jain index of the bytes that each flow delivered, of those that delivered any.
func jainGot(o *Outcome) float64 {
	var got []float64
	for i := range o.Flows {
		if g := o.Flows[i].Got; g > 0 {
			got = append(got, float64(g))
		}
	}
	return Jain(got)
}

func judgeCoexist(d *data) (out []Check) {
	part := func(name string, r int) sample { return d.each(coexistLabel(name, r), nsccShare(r)) }
	jain := func(name string, r int) sample { return d.each(coexistLabel(name, r), jainGot) }
	for _, name := range scenarios000 {
		for i := 1; i < len(ratios000); i++ {
			low, high := ratios000[i-1], ratios000[i]
			out = append(out, below(plain(fmt.Sprintf("share %s, %d to %d %%", name, low, high),
				"shares rise with r in each scenario"), part(name, low), part(name, high)))
		}
	}
	for _, x := range []struct {
		name      string
		low, high float64
	}{{"A", 0.45, 0.75}, {"B", 0.5, 0.75}, {"C", 0.35, 0.65}} {
		claim := fmt.Sprintf("share(%s,50 %%) in [%v,%v]", x.name, x.low, x.high)
		out = append(out,
			within(plain("share "+x.name, claim), part(x.name, 50), x.low, x.high),
			within(weak("share "+x.name+", slope of the source's Cubic", claim),
				d.each(coexistLabel(x.name, 50)+" s0", nsccShare(50)), x.low, x.high))
	}
	a100 := jain("A", 100)
	out = append(out,
		atLeast(headline("jain A, all NSCC", "jain(A,100) >= 0.95"), a100, 0.95),
		atLeast(headline("jain A, gain", "jain(A,100) - jain(A,0) >= 0.1"),
			minus(a100, jain("A", 0)), 0.1))
	for i := 1; i < len(ratios000); i++ {
		low, high := ratios000[i-1], ratios000[i]
		out = append(out, atLeast(headline(fmt.Sprintf("jain A, %d to %d %%", low, high),
			"jain(A,r) does not fall by more than 0.03 from one r to the next"),
			minus(jain("A", high), jain("A", low)), -0.03))
	}
	for _, r := range ratios000 {
		out = append(out,
			below(plain(label("jain C, r", r), "jain(C,r) < jain(A,100) for all r"), jain("C", r), a100),
			atMost(weak(label("jain B, r", r), "jain(B) < 0.5"), jain("B", r), 0.5))
	}
	return out
}

func figuresCoexist(d *data) []Figure {
	x := floats(ratios000)
	shares := Figure{Title: "share of the bytes by 200 µs that are NSCC's", X: "share of the flows that are NSCC's, %"}
	jain := Figure{Title: "Jain index of the bytes by 200 µs", X: shares.X}
	for _, name := range scenarios000 {
		shares.Lines = append(shares.Lines, over(name, x, func(i int) sample {
			return d.each(coexistLabel(name, ratios000[i]), nsccShare(ratios000[i]))
		}))
		jain.Lines = append(jain.Lines, over(name, x, func(i int) sample {
			return d.each(coexistLabel(name, ratios000[i]), jainGot)
		}))
	}
	return []Figure{shares, jain}
}

// crossMedian returns the median window, at a time in us, of the NSCC flows between leaves, bytes; NaN when one of them
// has had no ACK.
func crossMedian(at int) func(*Outcome) float64 {
	return func(o *Outcome) float64 {
		if len(o.Acks) == 0 || len(o.Flows) == 0 {
			return math.NaN()
		}
		var w []float64
		for i, v := range o.windows(at, at+1, unknown)[0] {
			if isNSCC(o, i, 50) && o.crossLeaf(i) {
				w = append(w, v)
			}
		}
		m := 0.0
		for _, v := range w {
			m += v
		}
		if math.IsNaN(m) {
			return m
		}
		return Percentile(w, 50)
	}
}

func judgeTraceCoexist(d *data) []Check {
	first := 1.5 * 8 * 100 * 125 // bytes: 1.5 BDP of 8 us
	in := func(from, to float64, a nscc.Action) sample {
		return d.each("A", func(o *Outcome) float64 { return o.actionsIn(from, to, a) })
	}
	const late = "marks begin at 104 kB of queue. A Cubic flow reaches the line rate after 28 us (10, 20, 40 packets in " +
		"round trips of 9.35 us), and an up-link that it shares with NSCC's 50 Gb/s then fills by 6.25 kB/us: it marks " +
		"from 45 us on and is full at 94 us. The figure has half of the ACKs marked at 27 us, when no queue of such a " +
		"network can mark; the same fall comes here when the queues are full"
	return []Check{
		atMost(plain("windows fall", "median window of cross-leaf flows at 100 us <= 0.65 of the first").because(late),
			d.each("A", crossMedian(100)).times(1/first), 0.65),
		atMost(weak("windows fall, later", "the same at 190 us"), d.each("A", crossMedian(190)).times(1/first), 0.65),
		atMost(weak("marks before 27 us", "MD share until 27 us, which the figure begins with"), in(0, 27, nscc.MD), 0.01),
		below(plain("decrease", "MD share in [25,80] us > 2 * that in [130,200] us").because(late),
			in(130, 200, nscc.MD).times(2), in(25, 80, nscc.MD)),
		atLeast(plain("increase", "PROP in [130,200] us >= 0.7").because(late), in(130, 200, nscc.PROP), 0.7),
	}
}

func figuresTraceCoexist(d *data) []Figure {
	w := Line{Name: "NSCC between leaves"}
	for t := range int(cut.Micros()) {
		if v := crossMedian(t)(d.runs["A"][0]); !math.IsNaN(v) {
			w.add(float64(t), v)
		}
	}
	return []Figure{
		{Title: "median window, bytes, first seed", Lines: []Line{w}},
		{Title: "share of classified ACKs, first seed", Lines: mix(d.runs["A"][0], 200)},
	}
}
