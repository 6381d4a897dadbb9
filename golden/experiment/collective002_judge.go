package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/fabric/lb"
)

// fig is the outcomes of a figure.
type fig struct {
	*data
	name string
	over []lb.Kind // balancers that were run
	out  []Check
}

func figure(d *data, name string) *fig {
	f := &fig{data: d, name: name}
	for _, b := range balancers {
		if _, ok := d.runs[combination(name, "mswift", b)]; ok {
			f.over = append(f.over, b)
		}
	}
	return f
}

// infl is the inflation of a control with a balancer, for each seed.
func (f *fig) infl(control string, b lb.Kind) sample { return f.of(f.name, control, b, infl) }

// four is that of figure 4.
func (f *fig) four(control string, b lb.Kind) sample { return f.of("fig4", control, b, infl) }

func (f *fig) of(name, control string, b lb.Kind, of func(*Outcome) float64) sample {
	return f.data.each(combination(name, control, b), of)
}

// add adds checks.
func (f *fig) add(all ...Check) { f.out = append(f.out, all...) }

// mark is headline, plain or weak.
type mark func(name, claim string) Check

// less adds a check for each balancer, which completes its name, that the inflation of a is below that of b.
func (f *fig) less(m mark, name, claim, a, b string) {
	for _, l := range f.over {
		f.add(below(m(name+string(l), claim), f.infl(a, l), f.infl(b, l)))
	}
}

// ratio returns that of the inflation of a to that of b.
func (f *fig) ratio(a, b string, l lb.Kind) sample { return means(f.infl(a, l), f.infl(b, l)) }

// nsccs adds a check for each balancer that the ratio of MNSCC to NSCC lies from low to high.
func (f *fig) nsccs(claim string, low, high float64, why func(b lb.Kind) string) {
	for _, b := range f.over {
		f.add(within(plain("mnscc / nscc, "+string(b), claim).because(why(b)), f.ratio("mnscc", "nscc", b), low, high))
	}
}

// noReason is of checks that hold, or fail for no known reason.
func noReason(lb.Kind) string { return "" }

// alone is a sample of one value.
func alone(v float64) sample { return sample{v} }

// means is the ratio of two means; what was not measured stays so.
func means(a, b sample) sample {
	if !a.measured() || !b.measured() || b.mean() == 0 {
		return alone(math.NaN())
	}
	return alone(a.mean() / b.mean())
}

// least returns the sample of the least mean; one that was not measured comes first.
func least(of ...sample) sample {
	best := of[0]
	for _, s := range of {
		if !s.measured() {
			return s
		}
		if s.mean() < best.mean() {
			best = s
		}
	}
	return best
}

// most returns the greatest of single values, NaN when one is.
func most(of ...sample) sample { return apply(maxOf, of...) }

// apart checks that a is far below b: their means and twice their standard errors do not meet.
func apart(c Check, a, b sample) Check {
	ma, ea := MeanSE(a)
	mb, eb := MeanSE(b)
	c.Measured = fmt.Sprintf("%s against %s", a.words(), b.words())
	v := Fail
	switch {
	case ma+2*ea < mb-2*eb:
		v = Pass
	case ma < mb:
		v = Undecided
	}
	return judge(c, v, a, b)
}

// count checks that at least so many of pairs have a mean of the first below that of the second.
func count(c Check, want int, pairs [][2]sample) Check {
	n := 0
	var all []sample
	for _, p := range pairs {
		all = append(all, p[0], p[1])
		if p[0].mean() < p[1].mean() {
			n++
		}
	}
	c.Measured = fmt.Sprintf("%d of %d", n, len(pairs))
	return judge(c, passes(n >= want), all...)
}

// bestOf checks that MSwift is the least of the controls with each balancer.
func (f *fig) bestOf(claim string) {
	for _, b := range f.over {
		for _, c := range rivals {
			f.add(below(headline(fmt.Sprintf("mswift < %s, %s", c, b), claim), f.infl("mswift", b), f.infl(c, b)))
		}
	}
}

// rivals are the controls that MSwift is held against.
var rivals = []string{"lswift", "nscc", "mnscc"}

// bestREPS checks that MSwift with REPS is the least of all.
func (f *fig) bestREPS(controls []string, claim string) {
	var others []sample
	for _, c := range controls {
		for _, b := range f.over {
			if c != "mswift" || b != lb.REPS {
				others = append(others, f.infl(c, b))
			}
		}
	}
	f.add(below(headline("mswift, REPS", claim).because(f.whyNotREPS()), f.infl("mswift", lb.REPS), least(others...)))
}

// gains returns the ratio of LSwift to MSwift with each balancer.
func (f *fig) gains() (out []sample) {
	for _, b := range f.over {
		out = append(out, f.ratio("lswift", "mswift", b))
	}
	return out
}

// each adds a check for each control with each balancer, which are its name.
func (f *fig) each(check func(name, control string, b lb.Kind) Check) {
	for _, c := range resilient {
		for _, b := range f.over {
			f.add(check(c+"/"+string(b), c, b))
		}
	}
}

// near checks each control with each balancer against figure 4.
func (f *fig) near(low, high float64) {
	claim := fmt.Sprintf("within %v..%v of fig 4", low, high)
	f.each(func(name, c string, b lb.Kind) Check {
		return within(plain(name+" against fig 4", claim), means(f.infl(c, b), f.four(c, b)), low, high)
	})
}

// four pairs this figure, first, with figure 4 for some controls.
func (f *fig) pairs(controls []string) (out [][2]sample) {
	for _, c := range controls {
		for _, b := range f.over {
			out = append(out, [2]sample{f.infl(c, b), f.four(c, b)})
		}
	}
	return out
}

func swapped(pairs [][2]sample) (out [][2]sample) {
	for _, p := range pairs {
		out = append(out, [2]sample{p[1], p[0]})
	}
	return out
}

func judgeFig4(d *data) []Check {
	f := figure(d, "fig4")
	var swift []sample
	for _, b := range f.over {
		swift = append(swift, alone(1+f.infl("swift", b).mean()))
	}
	f.add(within(headline("swift, most", "max_L cct(swift)/lb in [4,30]"), most(swift...), 4, 30))
	for _, b := range f.over {
		f.add(apart(headline("swift >> lswift, "+string(b), "swift >> lswift each L"),
			f.infl("lswift", b), f.infl("swift", b)))
	}
	f.less(headline, "mswift < lswift, ", "mswift < lswift each L", "mswift", "lswift")
	gains := f.gains()
	f.add(
		apart(headline("mswift << lswift, reps", "<< with REPS").because(whyREPS),
			f.infl("mswift", lb.REPS), f.infl("lswift", lb.REPS)),
		within(headline("lswift / mswift, most", "max_L lswift/mswift in [3,20]"), most(gains...), 3, 20),
		atLeast(weak("lswift / mswift, reps", "reached with REPS (introduction)").because(whyREPS),
			apply(func(v ...float64) float64 { return v[0] / v[1] }, gains[len(gains)-1], most(gains...)), 1))
	f.bestREPS(append([]string{"swift"}, resilient...), "mswift,REPS = min over all 15")
	f.nsccs("mnscc <= 1.05 nscc each L", math.Inf(-1), 1.05, noReason)
	f.add(below(plain("nscc, ar < reps", "nscc,AR < nscc,REPS"), f.infl("nscc", lb.AR), f.infl("nscc", lb.REPS)))
	for _, b := range []lb.Kind{lb.OPS, lb.AR} {
		f.add(below(plain("mswift < 1.15 nscc, "+string(b), "mswift < 1.15 nscc for OPS, AR"),
			f.infl("mswift", b), f.infl("nscc", b).times(1.15)))
	}
	f.add(
		below(plain("mswift < nscc, reps", "< nscc for REPS"), f.infl("mswift", lb.REPS), f.infl("nscc", lb.REPS)),
		within(plain("share that meets an elephant",
			"share of sprayed packets on a link with an elephant, mean over seeds, in [0.06,0.11]"),
			f.of("fig4", "mswift", lb.OPS, met), 0.06, 0.11))
	const once = "when adjacent holes count at once, packets that others overtook by 0.3 us cut the window; spraying " +
		"overtakes so far all the time, and MSwift takes ten such cuts for one by its median"
	for _, c := range []string{"lswift", "mswift"} {
		f.add(atMost(weak(c+", holes at once, reps", "no worse than holes counted when they are resent").because(once),
			f.ratio(atOnce(c), c, lb.REPS), 1))
	}
	f.add(below(plain("mswift < lswift, holes at once, reps", "mswift < lswift, << with REPS").because(once),
		f.infl(atOnce("mswift"), lb.REPS), f.infl(atOnce("lswift"), lb.REPS)))
	return f.out
}

func judgeFig5(d *data) []Check {
	f := figure(d, "fig4")
	at := func(c string, b lb.Kind, percent int) sample { return f.of("fig4", c, b, measured(percent)) }
	for _, b := range f.over {
		for _, percent := range []int{50, 100} {
			name := map[int]string{50: "fct_p50", 100: "fct_max"}[percent]
			others := apply(maxOf, at("mswift", b, percent), at("nscc", b, percent), at("mnscc", b, percent))
			f.add(below(plain(name+", "+string(b), "lswift largest of the four each L"), others, at("lswift", b, percent)))
		}
	}
	const why = "the source's introduction has MSwift ahead of NSCC with each balancer, its text on this figure alike " +
		"with two"
	for _, b := range []lb.Kind{lb.OPS, lb.AR} {
		f.add(within(plain("tail, "+string(b), "fct_p99(mswift)/fct_p99(nscc) in [0.85,1.15] for OPS, AR").because(why),
			means(at("mswift", b, 99), at("nscc", b, 99)), 0.85, 1.15))
	}
	f.add(below(plain("tail, reps", "fct_p99(mswift) < fct_p99(nscc) for REPS"),
		at("mswift", lb.REPS, 99), at("nscc", lb.REPS, 99)))
	return f.out
}

func judgeFig6(d *data) []Check {
	f := figure(d, "fig6")
	f.add(count(plain("fig6 < fig4", "fig6 < fig4 in >= 11 of 12"), 11, f.pairs(resilient)))
	f.less(headline, "mswift <= lswift, ", "mswift <= lswift each L", "mswift", "lswift")
	f.add(within(headline("lswift / mswift, most", "max ratio in [1.2,2.6]"), most(f.gains()...), 1.2, 2.6))
	f.bestREPS(resilient, "mswift,REPS = min of 12")
	f.add(below(weak("mswift, REPS, ECN at 5 kB", "REPS comes to AR as the threshold of its marks falls").because(whyREPS),
		f.early(eighth, "mswift", lb.REPS), f.infl("mswift", lb.AR).times(1.05)))
	var ahead, steeper [][2]sample
	for _, b := range f.over {
		ahead = append(ahead, [2]sample{f.infl("lswift", b), f.infl("nscc", b)})
		steeper = append(steeper, [2]sample{f.infl(steep("lswift"), b), f.infl("nscc", b)})
	}
	why := whyBehind("lswift is ahead in " + count(Check{}, 2, steeper).Measured)
	f.add(count(plain("lswift < nscc", "lswift < nscc in >= 2 of 3 L").because(why), 2, ahead))
	f.less(plain, "mswift < mnscc, ", "mswift < mnscc each L", "mswift", "mnscc")
	f.nsccs("mnscc <= 1.03 nscc each L", math.Inf(-1), 1.03, func(b lb.Kind) string {
		return "with the threshold of NSCC's marks at 10 kB the ratio is " +
			means(f.early(quarter, "mnscc", b), f.early(quarter, "nscc", b)).words()
	})
	return f.out
}

func judgeFig7(d *data) []Check {
	f := figure(d, "fig7")
	f.bestOf("mswift = min each L")
	f.add(
		within(headline("lswift / mswift, reps", "REPS: lswift/mswift in [1.2,3]").because(whyREPS),
			f.ratio("lswift", "mswift", lb.REPS), 1.2, 3),
		within(headline("nscc / mswift, reps", "REPS: nscc/mswift in [1.4,4]").because(f.whyRatio("nscc", "mswift")),
			f.ratio("nscc", "mswift", lb.REPS), 1.4, 4))
	f.nsccs("mnscc/nscc in [0.75,1.1]", 0.75, 1.1, noReason)
	return f.out
}

func judgeFig8(d *data) []Check {
	f := figure(d, "fig8")
	f.bestOf("mswift = min each L")
	f.nsccs("mnscc <= 1.05 nscc each L", math.Inf(-1), 1.05, noReason)
	f.near(0.6, 1.7)
	return f.out
}

func judgeFig9(d *data) []Check {
	f, two := figure(d, "fig9"), []string{"lswift", "nscc"}
	gain := most(f.gains()...)
	f.add(within(headline("lswift / mswift, most", "max_L lswift/mswift in [4,25]"), gain, 4, 25),
		below(headline("gain above fig 4's", "> that of fig 4"), most(figure(d, "fig4").gains()...), gain),
		count(plain("lswift, nscc >= fig4", "lswift, nscc >= fig4 in >= 4 of 6").because(f.whyLonger(two)), 4,
			swapped(f.pairs(two))))
	return f.out
}

func judgeFig10(d *data) []Check {
	f := figure(d, "fig10")
	f.near(0.7, 1.7)
	for _, b := range f.over {
		for i, x := range resilient {
			for _, y := range resilient[i+1:] {
				low, high := x, y
				if f.four(x, b).mean() > f.four(y, b).mean() {
					low, high = y, x
				}
				f.add(below(plain(fmt.Sprintf("%s < %s, %s", low, high, b), "order of fig 4 kept"),
					f.infl(low, b), f.infl(high, b)))
			}
		}
	}
	return f.out
}

func judgeFig11(d *data) []Check {
	f := figure(d, "fig11")
	f.each(func(name, c string, b lb.Kind) Check {
		return below(plain(name+" above fig 4", "fig11 > fig4 each"), f.four(c, b), f.infl(c, b))
	})
	for _, b := range f.over {
		for _, c := range rivals {
			check := headline(fmt.Sprintf("mswift < %s, %s", c, b),
				"paired by draw mswift < lswift, nscc, mnscc in >= 4 of 5 draws")
			if c == "mnscc" {
				after := f.paired(Check{}, f.infl(steep("mswift"), b), f.infl(c, b))
				check.Reason = whyBehind("mswift is ahead in " + after.Measured)
			}
			f.add(f.paired(check, f.infl("mswift", b), f.infl(c, b)))
		}
	}
	return f.out
}

// paired checks that a is below b in four of five draws, without those whose failed links changed nothing.
func (f *fig) paired(c Check, a, b sample) Check {
	n, all := 0, 0
	for i := range a {
		same := true
		for _, control := range resilient {
			for _, over := range f.over {
				same = same && f.infl(control, over)[i] == f.four(control, over)[i]
			}
		}
		if same {
			continue
		}
		all++
		if a[i] < b[i] {
			n++
		}
	}
	c.Measured = fmt.Sprintf("%d of %d draws with a failed link, %s against %s", n, all, a.words(), b.words())
	if all == 0 {
		return judge(c, Vacuous, alone(math.NaN()))
	}
	return judge(c, passes(5*n >= 4*all), a, b)
}

func judgeFig12(d *data) []Check {
	f := figure(d, "fig4")
	f.add(below(plain("p10 < mswift, ops", "p10 < mswift for OPS"), f.infl("mswift-p10", lb.OPS),
		f.infl("mswift", lb.OPS)))
	for _, b := range []lb.Kind{lb.AR, lb.REPS} {
		why := ""
		if b == lb.REPS {
			why = fmt.Sprintf("%s; with the threshold at 10 kB the ratio is %s", whyREPS, means(f.early(quarter, "mswift", b),
				least(f.early(quarter, "mswift-p10", b), f.early(quarter, "mswift-p90", b))).words())
		}
		f.add(atMost(plain("median, "+string(b), "mswift <= 1.05 min(p10,p90) for AR, REPS").because(why),
			means(f.infl("mswift", b), least(f.infl("mswift-p10", b), f.infl("mswift-p90", b))), 1.05))
	}
	return f.out
}

func judgeFig13(d *data) []Check {
	f := figure(d, "fig13")
	f.less(headline, "mswift < lswift, ", "mswift < lswift each L", "mswift", "lswift")
	f.add(count(weak("lswift, mswift >= fig4", "lswift,mswift >= fig4 in >= 4 of 6"), 4,
		swapped(f.pairs([]string{"lswift", "mswift"}))),
		count(weak("nscc, mnscc <= fig4", "nscc,mnscc <= fig4 in >= 4 of 6"), 4, f.pairs([]string{"nscc", "mnscc"})))
	f.nsccs("mnscc >= 0.95 nscc", 0.95, math.Inf(1), f.whyHelps)
	return f.out
}

func judgeFig14(d *data) []Check {
	f := figure(d, "fig14")
	f.each(func(name, c string, b lb.Kind) Check {
		return atMost(plain(name, "infl <= 0.3 all"), f.infl(c, b), 0.3)
	})
	for _, b := range f.over {
		for _, x := range [][2]string{{"mswift", "lswift"}, {"mnscc", "nscc"}} {
			f.add(atMost(headline(fmt.Sprintf("%s - %s, %s", x[0], x[1], b),
				"mswift - lswift <= 0.05, mnscc - nscc <= 0.05"), minus(f.infl(x[0], b), f.infl(x[1], b)), 0.05))
		}
	}
	bound := func(o *Outcome) float64 {
		_, bound := o.cct()
		return bound
	}
	f.add(within(plain("bound", "lb = 2.60 ms"), f.of("fig14", "nscc", lb.OPS, bound), 2595, 2605))
	return f.out
}
