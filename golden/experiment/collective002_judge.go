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
	return f.each(combination(name, control, b), of)
}

// add adds checks; one that passes needs no reason.
func (f *fig) add(all ...Check) {
	for _, c := range all {
		if c.Verdict == Pass {
			c.Reason = ""
		}
		f.out = append(f.out, c)
	}
}

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
	v := Fail
	if n >= want {
		v = Pass
	}
	return judge(c, v, all...)
}

func named(name string, m Mark, claim, why string) Check {
	return Check{Name: name, Mark: m, Claim: claim, Reason: why}
}

// bestOf checks that MSwift is the least of the controls with each balancer.
func (f *fig) bestOf(claim string) {
	for _, b := range f.over {
		for _, c := range []string{"lswift", "nscc", "mnscc"} {
			f.add(below(named(fmt.Sprintf("mswift < %s, %s", c, b), Headline, claim, ""),
				f.infl("mswift", b), f.infl(c, b)))
		}
	}
}

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
	f.add(below(named("mswift, REPS", Headline, claim, f.whyNotREPS()), f.infl("mswift", lb.REPS),
		least(others...)))
}

// gains returns the ratio of LSwift to MSwift with each balancer.
func (f *fig) gains() (out []sample) {
	for _, b := range f.over {
		out = append(out, means(f.infl("lswift", b), f.infl("mswift", b)))
	}
	return out
}

// nsccs checks MNSCC against a multiple of NSCC with each balancer.
func (f *fig) nsccs() {
	for _, b := range f.over {
		f.add(atMost(named("mnscc / nscc, "+string(b), Plain, "mnscc <= 1.05 nscc each L", ""),
			means(f.infl("mnscc", b), f.infl("nscc", b)), 1.05))
	}
}

// near checks each control with each balancer against figure 4.
func (f *fig) near(low, high float64) {
	for _, c := range resilient {
		for _, b := range f.over {
			f.add(within(named(fmt.Sprintf("%s/%s against fig 4", c, b), Plain,
				fmt.Sprintf("within %v..%v of fig 4", low, high), ""), means(f.infl(c, b), f.four(c, b)), low, high))
		}
	}
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
	f.add(within(named("swift, most", Headline, "max_L cct(swift)/lb in [4,30]", ""), most(swift...), 4, 30))
	for _, b := range f.over {
		f.add(apart(named("swift >> lswift, "+string(b), Headline, "swift >> lswift each L", ""),
			f.infl("lswift", b), f.infl("swift", b)))
	}
	for _, b := range f.over {
		f.add(below(named("mswift < lswift, "+string(b), Headline, "mswift < lswift each L", ""),
			f.infl("mswift", b), f.infl("lswift", b)))
	}
	gains := f.gains()
	f.add(apart(named("mswift << lswift, reps", Headline, "<< with REPS", whyREPS), f.infl("mswift", lb.REPS),
		f.infl("lswift", lb.REPS)),
		within(named("lswift / mswift, most", Headline, "max_L lswift/mswift in [3,20]", ""), most(gains...), 3, 20),
		atLeast(named("lswift / mswift, reps", Weak, "reached with REPS (introduction)", whyREPS),
			apply(func(v ...float64) float64 { return v[0] / v[1] }, gains[len(gains)-1], most(gains...)), 1))
	f.bestREPS(append([]string{"swift"}, resilient...), "mswift,REPS = min over all 15")
	f.nsccs()
	f.add(below(named("nscc, ar < reps", Plain, "nscc,AR < nscc,REPS", ""),
		f.infl("nscc", lb.AR), f.infl("nscc", lb.REPS)))
	for _, b := range []lb.Kind{lb.OPS, lb.AR} {
		f.add(below(named("mswift < 1.15 nscc, "+string(b), Plain, "mswift < 1.15 nscc for OPS, AR", ""),
			f.infl("mswift", b), f.infl("nscc", b).times(1.15)))
	}
	f.add(below(named("mswift < nscc, reps", Plain, "< nscc for REPS", ""), f.infl("mswift", lb.REPS),
		f.infl("nscc", lb.REPS)),
		within(named("share that meets an elephant", Plain,
			"share of sprayed packets on a link with an elephant, mean over seeds, in [0.06,0.11]", ""),
			f.of("fig4", "mswift", lb.OPS, met), 0.06, 0.11))
	const once = "when adjacent holes count at once, packets that others overtook by 0.3 us cut the window; spraying " +
		"overtakes so far all the time, and MSwift takes ten such cuts for one by its median"
	for _, c := range []string{"lswift", "mswift"} {
		f.add(atMost(named(c+", holes at once, reps", Weak, "no worse than holes counted when they are resent", once),
			means(f.infl(atOnce(c), lb.REPS), f.infl(c, lb.REPS)), 1))
	}
	f.add(below(named("mswift < lswift, holes at once, reps", Plain, "mswift < lswift, << with REPS", once),
		f.infl(atOnce("mswift"), lb.REPS), f.infl(atOnce("lswift"), lb.REPS)))
	return f.out
}

func judgeFig5(d *data) []Check {
	f := figure(d, "fig4")
	for _, b := range f.over {
		for _, x := range []struct {
			name    string
			percent int
		}{{"fct_p50", 50}, {"fct_max", 100}} {
			at := func(c string) sample { return f.of("fig4", c, b, measured(x.percent)) }
			others := apply(maxOf, at("mswift"), at("nscc"), at("mnscc"))
			f.add(below(named(x.name+", "+string(b), Plain, "lswift largest of the four each L", ""),
				others, at("lswift")))
		}
	}
	for _, b := range []lb.Kind{lb.OPS, lb.AR} {
		f.add(within(named("tail, "+string(b), Plain, "fct_p99(mswift)/fct_p99(nscc) in [0.85,1.15] for OPS, AR",
			"the source's introduction has MSwift ahead of NSCC with each balancer, its text on this figure alike with two"),
			means(f.of("fig4", "mswift", b, measured(99)), f.of("fig4", "nscc", b, measured(99))), 0.85, 1.15))
	}
	f.add(below(named("tail, reps", Plain, "fct_p99(mswift) < fct_p99(nscc) for REPS", ""),
		f.of("fig4", "mswift", lb.REPS, measured(99)), f.of("fig4", "nscc", lb.REPS, measured(99))))
	return f.out
}

func judgeFig6(d *data) []Check {
	f := figure(d, "fig6")
	f.add(count(named("fig6 < fig4", Plain, "fig6 < fig4 in >= 11 of 12", ""), 11, f.pairs(resilient)))
	for _, b := range f.over {
		f.add(below(named("mswift <= lswift, "+string(b), Headline, "mswift <= lswift each L", ""),
			f.infl("mswift", b), f.infl("lswift", b)))
	}
	f.add(within(named("lswift / mswift, most", Headline, "max ratio in [1.2,2.6]", ""), most(f.gains()...), 1.2, 2.6))
	f.bestREPS(resilient, "mswift,REPS = min of 12")
	f.add(below(named("mswift, REPS, ECN at 5 kB", Weak, "REPS comes to AR as the threshold of its marks falls", whyREPS),
		f.early(eighth, "mswift", lb.REPS), f.infl("mswift", lb.AR).times(1.05)))
	var ahead, steeper [][2]sample
	for _, b := range f.over {
		ahead = append(ahead, [2]sample{f.infl("lswift", b), f.infl("nscc", b)})
		steeper = append(steeper, [2]sample{f.infl(steep("lswift"), b), f.infl("nscc", b)})
	}
	f.add(count(named("lswift < nscc", Plain, "lswift < nscc in >= 2 of 3 L",
		whyBehind("lswift is ahead in "+count(Check{}, 2, steeper).Measured)), 2, ahead))
	for _, b := range f.over {
		f.add(below(named("mswift < mnscc, "+string(b), Plain, "mswift < mnscc each L", ""),
			f.infl("mswift", b), f.infl("mnscc", b)))
	}
	for _, b := range f.over {
		f.add(atMost(named("mnscc / nscc, "+string(b), Plain, "mnscc <= 1.03 nscc each L",
			fmt.Sprintf("with the threshold of NSCC's marks at 10 kB the ratio is %s",
				means(f.early(quarter, "mnscc", b), f.early(quarter, "nscc", b)).words())),
			means(f.infl("mnscc", b), f.infl("nscc", b)), 1.03))
	}
	return f.out
}

func judgeFig7(d *data) []Check {
	f := figure(d, "fig7")
	f.bestOf("mswift = min each L")
	f.add(
		within(named("lswift / mswift, reps", Headline, "REPS: lswift/mswift in [1.2,3]", whyREPS),
			means(f.infl("lswift", lb.REPS), f.infl("mswift", lb.REPS)), 1.2, 3),
		within(named("nscc / mswift, reps", Headline, "REPS: nscc/mswift in [1.4,4]", f.whyRatio("nscc", "mswift")),
			means(f.infl("nscc", lb.REPS), f.infl("mswift", lb.REPS)), 1.4, 4))
	for _, b := range f.over {
		f.add(within(named("mnscc / nscc, "+string(b), Plain, "mnscc/nscc in [0.75,1.1]", ""),
			means(f.infl("mnscc", b), f.infl("nscc", b)), 0.75, 1.1))
	}
	return f.out
}

func judgeFig8(d *data) []Check {
	f := figure(d, "fig8")
	f.bestOf("mswift = min each L")
	f.nsccs()
	f.near(0.6, 1.7)
	return f.out
}

func judgeFig9(d *data) []Check {
	f, four := figure(d, "fig9"), figure(d, "fig4")
	gain := most(f.gains()...)
	f.add(within(named("lswift / mswift, most", Headline, "max_L lswift/mswift in [4,25]", ""), gain, 4, 25),
		below(named("gain above fig 4's", Headline, "> that of fig 4", ""), most(four.gains()...), gain),
		count(named("lswift, nscc >= fig4", Plain, "lswift, nscc >= fig4 in >= 4 of 6",
			f.whyLonger([]string{"lswift", "nscc"})), 4, swapped(f.pairs([]string{"lswift", "nscc"}))))
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
				f.add(below(named(fmt.Sprintf("%s < %s, %s", low, high, b), Plain, "order of fig 4 kept", ""),
					f.infl(low, b), f.infl(high, b)))
			}
		}
	}
	return f.out
}

func judgeFig11(d *data) []Check {
	f := figure(d, "fig11")
	for _, c := range resilient {
		for _, b := range f.over {
			f.add(below(named(fmt.Sprintf("%s/%s above fig 4", c, b), Plain, "fig11 > fig4 each", ""),
				f.four(c, b), f.infl(c, b)))
		}
	}
	for _, b := range f.over {
		for _, c := range []string{"lswift", "nscc", "mnscc"} {
			why := ""
			if c == "mnscc" {
				after := f.paired(Check{}, f.infl(steep("mswift"), b), f.infl(c, b))
				why = whyBehind("mswift is ahead in " + after.Measured)
			}
			f.add(f.paired(named(fmt.Sprintf("mswift < %s, %s", c, b), Headline,
				"paired by draw mswift < lswift, nscc, mnscc in >= 4 of 5 draws", why), f.infl("mswift", b), f.infl(c, b)))
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
	v := Fail
	if 5*n >= 4*all {
		v = Pass
	}
	if all == 0 {
		return judge(c, v, alone(math.NaN()))
	}
	return judge(c, v, a, b)
}

func judgeFig12(d *data) []Check {
	f := figure(d, "fig4")
	f.add(below(named("p10 < mswift, ops", Plain, "p10 < mswift for OPS", ""),
		f.infl("mswift-p10", lb.OPS), f.infl("mswift", lb.OPS)))
	for _, b := range []lb.Kind{lb.AR, lb.REPS} {
		why := ""
		if b == lb.REPS {
			why = fmt.Sprintf("%s; with the threshold at 10 kB the ratio is %s", whyREPS, means(f.early(quarter, "mswift", b),
				least(f.early(quarter, "mswift-p10", b), f.early(quarter, "mswift-p90", b))).words())
		}
		f.add(atMost(named("median, "+string(b), Plain, "mswift <= 1.05 min(p10,p90) for AR, REPS", why),
			means(f.infl("mswift", b), least(f.infl("mswift-p10", b), f.infl("mswift-p90", b))), 1.05))
	}
	return f.out
}

func judgeFig13(d *data) []Check {
	f := figure(d, "fig13")
	for _, b := range f.over {
		f.add(below(named("mswift < lswift, "+string(b), Headline, "mswift < lswift each L", ""),
			f.infl("mswift", b), f.infl("lswift", b)))
	}
	f.add(count(named("lswift, mswift >= fig4", Weak, "lswift,mswift >= fig4 in >= 4 of 6", ""), 4,
		swapped(f.pairs([]string{"lswift", "mswift"}))),
		count(named("nscc, mnscc <= fig4", Weak, "nscc,mnscc <= fig4 in >= 4 of 6", ""), 4,
			f.pairs([]string{"nscc", "mnscc"})))
	for _, b := range f.over {
		f.add(atLeast(named("mnscc / nscc, "+string(b), Plain, "mnscc >= 0.95 nscc", f.whyHelps(b)),
			means(f.infl("mnscc", b), f.infl("nscc", b)), 0.95))
	}
	return f.out
}

func judgeFig14(d *data) []Check {
	f := figure(d, "fig14")
	for _, c := range resilient {
		for _, b := range f.over {
			f.add(atMost(named(fmt.Sprintf("%s/%s", c, b), Plain, "infl <= 0.3 all", ""), f.infl(c, b), 0.3))
		}
	}
	for _, b := range f.over {
		for _, x := range [][2]string{{"mswift", "lswift"}, {"mnscc", "nscc"}} {
			f.add(atMost(named(fmt.Sprintf("%s - %s, %s", x[0], x[1], b), Headline,
				"mswift - lswift <= 0.05, mnscc - nscc <= 0.05", ""),
				apply(func(v ...float64) float64 { return v[0] - v[1] }, f.infl(x[0], b), f.infl(x[1], b)), 0.05))
		}
	}
	f.add(within(named("bound", Plain, "lb = 2.60 ms", ""), f.of("fig14", "nscc", lb.OPS, func(o *Outcome) float64 {
		_, bound := o.cct()
		return bound
	}), 2595, 2605))
	return f.out
}
