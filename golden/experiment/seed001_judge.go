package experiment

import (
	"fmt"
	"math"
)

// wires returns f of what each run of a label gave; runs that were not watched measured nothing.
func (d *data) wires(run string, f func(*Wired) float64) sample {
	return d.each(run, func(o *Outcome) float64 {
		if o.Wired == nil {
			return math.NaN()
		}
		return f(o.Wired)
	})
}

// response is what the runs of one rate measured.
type response struct {
	d    *data
	gbps int
	xoff int64
}

func (r response) of(control string, f func(*Wired) float64) sample {
	return r.d.wires(rateLabel(control, r.gbps, r.xoff), f)
}

func (r response) slow(c string) sample {
	return r.of(c, func(w *Wired) float64 { return w.slow(second001, end001) })
}

func (r response) queue(c string) sample {
	return r.of(c, func(w *Wired) float64 { return w.greatest(second001, end001) })
}

func (r response) converged(c string) sample {
	return r.of(c, func(w *Wired) float64 { return w.converged(second001, end001) })
}

func (r response) util(c string) sample {
	return r.of(c, func(w *Wired) float64 { return w.util(320, end001) })
}

// pauses are those because of the watched port; a run without ACKs has none to count.
func (r response) pauses(c string) sample {
	return r.d.each(rateLabel(c, r.gbps, r.xoff), func(o *Outcome) float64 {
		if o.Wired == nil || o.Counters.Acks == 0 {
			return math.NaN()
		}
		return o.Wired.Caused
	})
}

func (r response) rate(c string, flow int) sample {
	return r.of(c, func(w *Wired) float64 {
		_, rates := w.sampled(flow, end001-200, end001)
		return meanOf(rates) / w.Gbps
	})
}

func (r response) jitter(c string, a, b float64, moving bool) sample {
	return r.of(c, func(w *Wired) float64 { return w.jitter(a, b, moving) })
}

func (r response) name(what string) string {
	if r.xoff != pauses001 {
		return fmt.Sprintf("%s, %dG, %d KB", what, r.gbps, r.xoff/1000)
	}
	return fmt.Sprintf("%s, %dG", what, r.gbps)
}

func (r response) check(what string, m Mark, claim string) Check {
	return Check{Name: r.name(what), Mark: m, Claim: claim}
}

// both returns a check of DCQCN for either reading of its thresholds.
func (r response) both(what string, m Mark, claim string, of func(c Check, dcqcn string) Check) []Check {
	return []Check{
		of(r.check(what, m, claim), "dcqcn"),
		of(r.check(what+", scaled", m, claim+", thresholds of DCQCN scaled"), "dcqcn-scaled"),
	}
}

// orders are the checks that hold at each rate.
func (r response) orders() (out []Check) {
	out = append(out, below(r.check("t_slow fncc < hpcc", Headline, "t_slow(fncc) < t_slow(hpcc)"), r.slow("fncc"),
		r.slow("hpcc")))
	if r.gbps == 100 {
		out = append(out, r.both("t_slow hpcc < dcqcn", Headline, "t_slow(hpcc) < t_slow(dcqcn)",
			func(c Check, dcqcn string) Check { return below(c, r.slow("hpcc"), r.slow(dcqcn)) })...)
	} else {
		out = append(out, below(r.check("t_slow hpcc < dcqcn, scaled", Weak,
			"t_slow(hpcc) < t_slow(dcqcn), thresholds of DCQCN scaled"), r.slow("hpcc"), r.slow("dcqcn-scaled")))
	}
	out = append(out, below(r.check("q_max fncc < hpcc", Headline, "q_max(fncc) < q_max(hpcc)"), r.queue("fncc"),
		r.queue("hpcc")))
	out = append(out, r.both("q_max hpcc < dcqcn", Headline, "q_max(hpcc) < q_max(dcqcn)",
		func(c Check, dcqcn string) Check { return below(c, r.queue("hpcc"), r.queue(dcqcn)) })...)
	out = append(out,
		below(r.check("q_max fncc < rocc", Plain, "q_max(fncc) < q_max(rocc)"), r.queue("fncc"), r.queue("rocc")))
	for _, x := range controls001[1:] {
		m := Weak
		if x == "hpcc" {
			m = Headline
		}
		out = append(out, atLeast(r.check("util fncc against "+x, m,
			fmt.Sprintf("util(fncc,320,1000) >= util(%s,320,1000) - 0.01", x)), minus(r.util("fncc"), r.util(x)), -0.01))
	}
	for _, x := range []string{"fncc", "hpcc"} {
		out = append(out, atMost(r.check("t_conv "+x, Headline, "t_conv("+x+") <= 150 us"), r.converged(x), 150))
		out = append(out, r.both("t_conv "+x+" < dcqcn", Plain,
			"t_conv("+x+") < t_conv(dcqcn), 700 us where it does not converge",
			func(c Check, dcqcn string) Check { return below(c, r.converged(x), r.converged(dcqcn)) })...)
	}
	out = append(out,
		atMost(r.check("t_conv fncc against hpcc", Weak, "t_conv(fncc) <= 1.2 * t_conv(hpcc)"),
			ratio(r.converged("fncc"), r.converged("hpcc")), 1.2),
		r.noMore("smooth at first", "std of rate 0 in [310,400] us: fncc <= hpcc", 310, 400, false),
		r.noMore("smooth later", "std of rate 0 less its 100 us mean in [400,1000] us: fncc <= hpcc", 400, end001, true),
		atLeast(r.check("rocc has not converged", Weak, "not at 1 ms"), r.converged("rocc"), end001-second001))
	for _, x := range []string{"fncc", "hpcc"} {
		for f := range 2 {
			out = append(out, within(r.check(fmt.Sprintf("rate of flow %d, %s", f, x), Plain,
				"mean over the last 200 us in [0.4,0.6] of the link"), r.rate(x, f), 0.4, 0.6))
		}
	}
	return out
}

func (r response) noMore(what, claim string, a, b float64, moving bool) Check {
	return atMost(r.check(what, Headline, claim), minus(r.jitter("fncc", a, b, moving), r.jitter("hpcc", a, b, moving)), 0)
}

func judgeResponse(d *data) []Check {
	r := response{d, 100, pauses001}
	out := r.orders()
	out = append(out,
		within(r.check("t_slow fncc", Plain, "t_slow(fncc) in [2,15] us"), r.slow("fncc"), 2, 15),
		within(r.check("t_slow hpcc", Plain, "t_slow(hpcc) in [10,40] us"), r.slow("hpcc"), 10, 40),
		atLeast(r.check("t_slow hpcc - fncc", Plain, "t_slow(hpcc) - t_slow(fncc) >= 5 us"),
			minus(r.slow("hpcc"), r.slow("fncc")), 5))
	out = append(out, r.both("t_slow dcqcn", Weak, "t_slow(dcqcn) in [20,110] us",
		func(c Check, dcqcn string) Check { return within(c, r.slow(dcqcn), 20, 110) })...)
	out = append(out, within(r.check("t_slow rocc", Weak, "t_slow(rocc) in [25,75] us"), r.slow("rocc"), 25, 75))
	out = append(out, r.both("t_slow dcqcn < rocc", Weak, "t_slow(rocc) later than t_slow(dcqcn)",
		func(c Check, dcqcn string) Check { return below(c, r.slow(dcqcn), r.slow("rocc")) })...)
	return append(out, within(r.check("q_max fncc/hpcc", Headline, "q_max(fncc)/q_max(hpcc) in [0.4,0.9]"),
		ratio(r.queue("fncc"), r.queue("hpcc")), 0.4, 0.9))
}

func judgeLineRates(d *data) (out []Check) {
	var fewer []sample // least of the others less FNCC, at 100 KB
	for _, gbps := range fast001 {
		r := response{d, gbps, pauses001}
		out = append(out, r.orders()...)
		few := response{d, gbps, few001}
		for _, x := range []response{r, few} {
			out = append(out, x.both("pauses", Headline, "pauses(fncc) <= min(pauses(hpcc), pauses(dcqcn))",
				func(c Check, dcqcn string) Check { return x.fewest(c, dcqcn) })...)
		}
		out = append(out, atMost(r.check("pauses fncc", Plain, "pauses(fncc, 500 KB) = 0"), r.pauses("fncc"), 0))
		fewer = append(fewer, apply(func(v ...float64) float64 { return math.Min(v[1], v[2]) - v[0] }, few.pauses("fncc"),
			few.pauses("hpcc"), few.pauses("dcqcn")))
	}
	return append(out,
		atLeast(headline("fewer pauses, 100 KB",
			"pauses(fncc) < min(pauses(hpcc), pauses(dcqcn)) for at least one rate, 100 KB per ingress"),
			apply(maxOf, fewer...), 1))
}

// fewest checks that FNCC pauses no more often than the others. When none pauses at all, nothing was measured.
func (r response) fewest(c Check, dcqcn string) Check {
	f, h, q := r.pauses("fncc"), r.pauses("hpcc"), r.pauses(dcqcn)
	diff := apply(func(v ...float64) float64 {
		if v[0]+v[1]+v[2] == 0 {
			return math.NaN()
		}
		return v[0] - math.Min(v[1], v[2])
	}, f, h, q)
	out := atMost(c, diff, 0)
	if out.Verdict == Fail {
		out.Reason = r.whyPauses(dcqcn)
	}
	if out.Verdict != Vacuous {
		out.Measured = fmt.Sprintf("fncc %s, hpcc %s, dcqcn %s", f.words(), h.words(), q.words())
	} else if f.measured() && h.measured() && q.measured() {
		out.Measured = fmt.Sprintf("fncc %s, hpcc %s, dcqcn %s: a run without any pause compares nothing", f.words(),
			h.words(), q.words())
	}
	return out
}

// whyPauses returns the evidence beside a DCQCN that pauses less often than FNCC.
func (r response) whyPauses(dcqcn string) string {
	cut := func(c string) sample {
		return r.of(c, func(w *Wired) float64 {
			times, rates := w.sampled(0, second001-20, end001)
			for i, v := range rates {
				if times[i] >= second001 && v <= w.Gbps/2 {
					return times[i] - second001
				}
			}
			return math.NaN()
		})
	}
	scaled := ""
	if dcqcn == "dcqcn" {
		scaled = "; with thresholds that grow with the rate, which the source does not exclude, dcqcn pauses " +
			r.pauses("dcqcn-scaled").words() + " times"
	}
	return fmt.Sprintf("one pause takes the queue beyond %s's upper threshold, where every packet is marked: flow 0 "+
		"has half the link %s us after flow 1 began, before the second pause; fncc, whose average runs over a round trip "+
		"of 12 us, has it after %s us, hpcc after %s%s", dcqcn, cut(dcqcn).words(), cut("fncc").words(), cut("hpcc").words(),
		scaled)
}

// judgeAge takes the age that is farthest from the expected one.
func judgeAge(d *data) (out []Check) {
	age := func(control string, sw int) sample {
		return d.wires(control, func(w *Wired) float64 {
			if len(w.Ages) != 3 {
				return math.NaN()
			}
			hop := sw - 1
			if control == "fncc" {
				hop = 3 - sw // the last hop is stamped first
			}
			return farthest(ages001[control][sw-1], w.Ages[hop])
		})
	}
	var gains []sample
	for sw := 1; sw <= 3; sw++ {
		for _, control := range []string{"hpcc", "fncc"} {
			want := ages001[control][sw-1]
			out = append(out, within(headline(fmt.Sprintf("age %s sw%d", control, sw),
				fmt.Sprintf("within 2 %% of %v us, the farthest of all ACKs", want)), age(control, sw), 0.98*want,
				1.02*want))
		}
		gains = append(gains, minus(age("hpcc", sw), age("fncc", sw)))
	}
	for i := range 2 {
		out = append(out, below(headline(fmt.Sprintf("gain sw%d > sw%d", i+1, i+2), "gain(1) > gain(2) > gain(3)"),
			gains[i+1], gains[i]))
	}
	zero := apply(func(...float64) float64 { return 0 }, gains[2])
	return append(out, below(headline("gain sw3 > 0", "gain(3) > 0"), zero, gains[2]))
}

// active are the flows of each segment of 001/fairness.
var active = [7][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}}

func judgeJoining(d *data) (out []Check) {
	step := step001(d.full)
	for _, control := range []string{"fncc-lhcs", "hpcc"} {
		m := Headline
		if control == "hpcc" {
			m = Weak
		}
		check := func(what string, seg int, claim string) Check {
			return Check{Name: fmt.Sprintf("%s %s, segment %d", what, control, seg+1), Mark: m, Claim: claim}
		}
		for seg, flows := range active {
			a, b := float64(seg)*step, float64(seg+1)*step
			half := func(w *Wired) []float64 {
				all := w.shares((a+b)/2, b)
				if len(all) != 4 {
					return nil
				}
				return all[flows[0]:flows[1]]
			}
			out = append(out,
				atLeast(check("jain", seg, "jain >= 0.99 in the second half"),
					d.wires(control, func(w *Wired) float64 { return Jain(half(w)) }), 0.99),
				within(check("shares", seg, "each share in [0.85,1.15] of util/n, the farthest"),
					d.wires(control, func(w *Wired) float64 { return unequal(half(w), w.util((a+b)/2, b)) }), 0.85, 1.15),
				atLeast(check("util", seg, "util >= 0.90"), d.wires(control, func(w *Wired) float64 { return w.util(a, b) }), 0.9))
			if seg >= 4 {
				out = append(out, atLeast(check("util after a leave", seg, "util >= 0.9 from 40 to 50 RTT after it"),
					d.wires(control, func(w *Wired) float64 {
						rtt := w.BDP / w.Gbps / 125
						return w.util(a+40*rtt, a+50*rtt)
					}), 0.9))
			}
		}
	}
	return out
}

// unequal returns the share that is farthest from its part of a utilisation, over that part.
func unequal(shares []float64, util float64) float64 {
	parts := make([]float64, len(shares))
	for i, s := range shares {
		parts[i] = s * float64(len(shares)) / util
	}
	return farthest(1, parts)
}
