package experiment

import (
	"fmt"
)

// jainOf is the Jain index of the flows' own rates.
func jainOf(o *Outcome) float64 {
	var rates []float64
	for i, t := range o.fct() {
		rates = append(rates, float64(o.Flows[i].Bytes)/t)
	}
	return Jain(rates)
}

func judgeFairness(d *data) (out []Check) {
	for _, n := range sizes(8, 128) {
		run := label("N", n)
		out = append(out,
			atLeast(headline("jain "+run, "jain(2MB/fct) >= 0.99"), d.each(run, jainOf), 0.99),
			atLeast(plain("done by 200 us "+run, "share of flows done by 200 us >= 0.95"), d.each(run, doneBy(cut)), 0.95),
			atMost(plain("spread "+run, "fct_max/fct_min <= 1.25"), ratio(d.at(run, 100), d.at(run, 0)), 1.25),
			atLeast(plain("least "+run, "min(fct) >= 166 us"), d.at(run, 0), 166),
			within(plain("median "+run, "median in [168,200] us"), d.at(run, 50), 168, 200))
	}
	return out
}

func figuresFairness(d *data) []Figure {
	n := sizes(8, 128)
	runs := labels("N", n)
	return []Figure{
		plot("Jain index of the flows' rates", "flows", d.curve("NSCC", n, runs, jainOf)),
		plot("completion time, µs", "flows", d.curve("least", n, runs, fctAt(0)), d.curve("median", n, runs, fctAt(50)),
			d.curve("greatest", n, runs, fctAt(100))),
	}
}

// gates is the number of gates tried, from 0 on.
const gates = 5

func gateLabel(n, gate int) string { return fmt.Sprintf("N=%d gate=%d", n, gate) }

func judgeGate(d *data) (out []Check) {
	var p99 []sample
	for g := range gates {
		run := gateLabel(32, g)
		p99 = append(p99, d.at(run, 99))
		out = append(out, allDone(d, run, label("gate", g)),
			within(plain("fct_max "+label("gate", g), "fct_max in [1.0, 1.15] * 5.2 ms"), d.at(run, 100), 5200, 1.15*5200))
	}
	fires := func(n, g int) sample { return d.each(gateLabel(n, g), quickAdapts) }
	return append(out,
		atMost(plain("p99 over gates", "max over gates fct_p99 / min over gates fct_p99 <= 1.05"), spread(p99...), 1.05),
		below(plain("fires N=16", "fires(g=4,N=16) < 0.75 * fires(g=0,N=16)"), fires(16, 4), fires(16, 0).times(0.75)),
		below(plain("fires N=8", "fires(g=4,N=8) < 0.35 * fires(g=0,N=8)"), fires(8, 4), fires(8, 0).times(0.35)),
		below(weak("fires gate 3 N=8", "fires(g=3,N=8) < 0.85 * fires(g=0,N=8)"), fires(8, 3), fires(8, 0).times(0.85)))
}

func figuresGate(d *data) []Figure {
	x := []int{0, 1, 2, 3, 4}
	line := func(name string, n int, f func(*Outcome) float64) Line {
		return over(name, floats(x), func(g int) sample { return d.each(gateLabel(n, g), f) })
	}
	return []Figure{
		plot("99th percentile of completion times, µs, 32 to 1", "gate", line("NSCC", 32, fctAt(99))),
		plot("quick adapts of the whole run", "gate", line("8 to 1", 8, quickAdapts), line("16 to 1", 16, quickAdapts),
			line("32 to 1", 32, quickAdapts)),
	}
}

// hostUtil is the utilisation of the link to host 0 from 10 to 200 us.
func hostUtil(o *Outcome) float64 {
	if len(o.Host0) == 0 {
		return Utilisation(nil, 0, 0)
	}
	return Utilisation(o.Host0, 10, cut.Micros())
}

// firesPerFlow counts quick adapts by 200 us.
func firesPerFlow(o *Outcome) float64 {
	n := 0
	for _, f := range o.Fires {
		if f.Time <= cut.Micros() {
			n++
		}
	}
	return float64(n) / float64(len(o.Flows))
}

func judgeDegree(d *data) (out []Check) {
	var utils []sample
	for _, n := range sizes(8, 64) {
		run := label("N", n)
		utils = append(utils, d.each(run, hostUtil))
		line := float64(n) * line000
		out = append(out, allDone(d, run, run), atLeast(headline("util "+run, "util(receiver link, 10 us, 200 us) >= 0.97"),
			d.each(run, hostUtil), 0.97),
			within(plain("fct_max "+run, "fct_max(N) in [1.0,1.15] * N * 162.5 us"), d.at(run, 100), line, 1.15*line))
		if n > 8 {
			out = append(out, within(plain("p99 "+run, "fct_p99(2N)/fct_p99(N) in [1.8,2.2]"),
				ratio(d.at(run, 99), d.at(label("N", n/2), 99)), 1.8, 2.2))
		}
	}
	difference := apply(func(v ...float64) float64 { return maxOf(v...) - minOf(v...) }, utils...)
	return append(out, atMost(headline("util over N", "util: max - min <= 0.02"), difference, 0.02),
		below(plain("fires", "fires per flow by 200 us: N = 64 above N = 8"),
			d.each(label("N", 8), firesPerFlow), d.each(label("N", 64), firesPerFlow)))
}

func figuresDegree(d *data) []Figure {
	n := sizes(8, 64)
	line := func(f func(*Outcome) float64) Line { return d.curve("NSCC", n, labels("N", n), f) }
	return []Figure{
		plot("utilisation of the receiver's link, 10 to 200 µs", "senders", line(hostUtil)),
		plot("99th percentile of completion times, µs", "senders", line(fctAt(99))),
		plot("quick adapts per flow by 200 µs", "senders", line(firesPerFlow)),
	}
}

// targets are the target delays tried, in microseconds.
var targets = []int{3, 5, 7, 9}

func targetSizes(full bool) []int64 {
	if full {
		return []int64{flow000, 4 * flow000}
	}
	return []int64{flow000}
}

func targetLabel(bytes int64, target int) string {
	return fmt.Sprintf("%d MB, %d us", bytes/1e6, target)
}

// received is what reached the receivers by 200 us, in bytes per flow.
func received(o *Outcome) float64 { return meanOf(o.Received) }

func upQueue(o *Outcome) float64 { return meanOf(o.UpQueue) }

func judgeTarget(d *data) (out []Check) {
	for _, size := range targetSizes(d.full) {
		run := func(t int) string { return targetLabel(size, t) }
		name := fmt.Sprintf(" %d MB", size/1e6)
		p99 := func(t int) sample { return d.at(run(t), 99) }
		for _, t := range targets {
			out = append(out, allDone(d, run(t), run(t)))
		}
		out = append(out,
			within(plain("bytes by 200 us"+name, "bytes by 200 us at 3 us / at 9 us in [0.97,1.0]"),
				ratio(d.each(run(3), received), d.each(run(9), received)), 0.97, 1),
			below(headline("q_mean"+name, "q_mean(3) < q_mean(9) over up-links"),
				d.each(run(3), upQueue), d.each(run(9), upQueue)),
			below(headline("p99"+name, "fct_p99(3) > fct_p99(9)"), p99(9), p99(3)),
			within(weak("p99 at 5 us"+name, "fct_p99(5) within 1 % of fct_p99(9)"), ratio(p99(5), p99(9)), 0.99, 1.01))
	}
	return out
}

func figuresTarget(d *data) []Figure {
	var runs []string
	for _, t := range targets {
		runs = append(runs, targetLabel(flow000, t))
	}
	line := func(f func(*Outcome) float64) Line { return d.curve("NSCC", targets, runs, f) }
	return []Figure{
		plot("bytes received by 200 µs, per flow", "target, µs", line(received)),
		plot("99th percentile of completion times, µs", "target, µs", line(fctAt(99))),
		plot("mean queue of an up-link, bytes", "target, µs", line(upQueue)),
	}
}

func judgePattern(d *data) (out []Check) {
	bytes := func(run string) sample { return d.each(run, received) }
	for _, run := range []string{"permutation", "incast", "mixed"} {
		out = append(out, allDone(d, run, run))
	}
	published := func(run string, want, slack float64, claim string) Check {
		return within(plain("bytes "+run, claim), bytes(run), (1-slack)*want, (1+slack)*want)
	}
	return append(out, below(plain("bytes permutation > mixed", "bytes(200 us) per flow: permutation > mixed"),
		bytes("mixed"), bytes("permutation")),
		below(plain("bytes mixed > incast", "bytes(200 us) per flow: mixed > incast"), bytes("incast"), bytes("mixed")),
		published("permutation", 2.03e6, 0.1, "within 10 % of 2.03 MB"),
		published("incast", 77e3, 0.1, "within 10 % of 77 kB"),
		published("mixed", 0.49e6, 0.25, "within 25 % of 0.49 MB"),
		below(weak("p99 incast > mixed", "fct_p99(incast) > fct_p99(mixed)"), d.at("mixed", 99), d.at("incast", 99)),
		below(plain("p99 mixed > permutation", "fct_p99(mixed) > fct_p99(permutation)"),
			d.at("permutation", 99), d.at("mixed", 99)))
}

func figuresPattern(d *data) []Figure {
	done := plot("share of the flows that are done", "completion time, µs")
	for _, run := range []string{"permutation", "mixed", "incast"} {
		done.Lines = append(done.Lines, distribution(run, func(p int) sample { return d.at(run, p) }))
	}
	return []Figure{done}
}
