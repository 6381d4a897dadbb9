package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc/swift"
	"github.com/goldwire/goldwire/golden/pathmodel"
)

func shareOf(n int) float64 { return 1 / float64(n) }

// shares are the q of numbers of paths.
func shares(of []int) (out []float64) {
	for _, n := range of {
		out = append(out, shareOf(n))
	}
	return out
}

// closed002 are the closed forms, in packets per round trip of a fast path.
var closed002 = map[string]func(q float64) float64{
	"newreno": pathmodel.Reno, "dctcp": pathmodel.Reno,
	"swift": func(q float64) float64 { return pathmodel.Swift(q, 0.5, 1) },
	"lswift": func(q float64) float64 {
		return pathmodel.Swift(q, pathmodel.DelayCut(13.5, target002, 0.8, 0.5), 1)
	},
}

// slopes returns the slope of a control's throughput over numbers of paths.
func (d *data) slopes(control string, paths []int) sample {
	var all []sample
	for _, n := range paths {
		all = append(all, d.each(pathLabel(control, n), perFast))
	}
	return apply(func(y ...float64) float64 { return pathmodel.Slope(shares(paths), y) }, all...)
}

// levels returns the least and the greatest ratio of the throughput of runs to a closed form.
func (d *data) levels(runs string, form func(q float64) float64, paths []int) (least, most sample) {
	var all []sample
	for _, n := range paths {
		all = append(all, d.each(pathLabel(runs, n), perFast).times(1/form(shareOf(n))))
	}
	return apply(minOf, all...), apply(maxOf, all...)
}

func judgeTable(d *data) (out []Check) {
	for _, c := range []string{"newreno", "dctcp", "swift", "lswift"} {
		least, most := d.levels(c, closed002[c], paths002)
		why := ""
		if slices.Contains(cutInHalf, c) {
			low, high := d.levels(ahead(c), closed002[c], paths002)
			why = fmt.Sprintf("a sender held to one window per round trip loses a quarter of a window with each cut, which the "+
				"closed form does not know: after the cut the window is full for half a round trip, and the pace cannot make up "+
				"for it; at a pace of %v windows the slope is %s and the levels are %s to %s", catchUp,
				d.slopes(ahead(c), paths002).words(), low.words(), high.words())
		}
		out = append(out,
			within(headline("slope "+c, "fitted slope over q in [0.001,0.02] in [-0.56,-0.44]").because(why),
				d.slopes(c, paths002), -0.56, -0.44),
			atLeast(headline("level "+c+", least", "level within 15 % of the closed form up to q = 0.02").because(why), least,
				0.85),
			atMost(headline("level "+c+", most", "level within 15 % of the closed form up to q = 0.02"), most, 1.15))
	}
	drawn, _ := d.levels("newreno drawn", pathmodel.Reno, []int{100})
	out = append(out, within(weak("level newreno, paths at random, q=0.01", "1.04 to 1.11 of the closed form"), drawn,
		1.04, 1.11))
	return append(out, judgeSMaRTT(d)...)
}

// judgeSMaRTT holds SMaRTT against its closed form, which is per mean round trip.
func judgeSMaRTT(d *data) []Check {
	paths := slices.Concat(paths002, []int{30, 25, 20})
	var ratios, all []sample
	for _, n := range paths {
		s := d.each(pathLabel("smartt", n), perMean)
		all = append(all, s)
		ratios = append(ratios, s.times(1/pathmodel.SMaRTT(shareOf(n), 1.2, bdp002)))
	}
	// Slopes between points a factor of about ten, and then four, apart, from frequent to rare marks.
	at := func(n int) sample { return d.each(pathLabel("smartt", n), perMean) }
	local := func(from, to int) sample {
		return apply(func(y ...float64) float64 { return pathmodel.Slope([]float64{shareOf(from), shareOf(to)}, y) },
			at(from), at(to))
	}
	steep, mid, flat := local(20, 70), local(70, 264), local(264, 1000)
	level := "against the closed form within 15 % for q in [0.001,0.05]"
	slope := "slope in [-1.0,-0.5], monotone towards -0.5"
	return []Check{
		atLeast(plain("level smartt, least", level), apply(minOf, ratios...), 0.85),
		atMost(plain("level smartt, most", level), apply(maxOf, ratios...), 1.15),
		atLeast(plain("slope smartt, steepest", slope), apply(minOf, steep, mid, flat), -1),
		atMost(plain("slope smartt, flattest", slope), apply(maxOf, steep, mid, flat), -0.5),
		below(plain("slope smartt 0.05-0.014 steeper than 0.014-0.004", slope), steep, mid),
		below(plain("slope smartt 0.014-0.004 steeper than 0.004-0.001", slope), mid, flat),
	}
}

func judgeFig2(d *data) (out []Check) {
	at := func(c string, n int) sample { return d.each(pathLabel(c, n), perFast) }
	for _, c := range []string{"newreno", "dctcp", "swift", "lswift"} {
		out = append(out, within(plain("1 to 2 % "+c, "thr(0.01)/thr(0.02) in [1.3,1.55]"),
			ratio(at(c, 100), at(c, 50)), 1.3, 1.55))
	}
	for _, n := range all002 {
		q := fmt.Sprintf(" q=%.3g", shareOf(n))
		out = append(out,
			below(plain("lswift > swift"+q, "thr(lswift) > thr(swift) at each q"), at("swift", n), at("lswift", n)),
			below(plain("smartt > tcp"+q, "thr(smartt) > thr(tcp) at each q"), at("newreno", n), at("smartt", n)),
			atMost(plain("dctcp marked"+q, "thr(dctcp, marked) <= 1.02 thr(tcp)"),
				ratio(at("dctcp marked", n), at("newreno", n)), 1.02))
	}
	return append(out, atMost(weak("dctcp marked, paths at random, q=0.1", "thr(dctcp, marked) <= 1.02 thr(tcp)"),
		ratio(at("dctcp marked drawn", 10), at("newreno drawn", 10)), 1.02))
}

func figuresTable(d *data) []Figure {
	f := Figure{Title: "log10 of packets per round trip of a fast path", X: "log10 of the share of slow packets"}
	var x []float64
	for _, q := range shares(all002) {
		x = append(x, math.Log10(q))
	}
	for _, c := range []string{"newreno", "dctcp marked", "swift", "lswift", "smartt"} {
		f.Lines = append(f.Lines, over(c, x, func(i int) sample {
			return apply(func(v ...float64) float64 { return math.Log10(v[0]) }, d.each(pathLabel(c, all002[i]), perFast))
		}))
	}
	closed := Line{Name: "1.22/sqrt(q)", X: x}
	for _, q := range shares(all002) {
		closed.Y = append(closed.Y, math.Log10(pathmodel.Reno(q)))
	}
	f.Lines = append(f.Lines, closed)
	return []Figure{f}
}

// congested returns the share of the medians of the last h ACKs that are those of a slow packet.
func congested(h int, upper bool) func(*Outcome) float64 {
	return func(o *Outcome) float64 {
		if o.Path == nil {
			return math.NaN()
		}
		rank := swift.Rank(50, h)
		if upper {
			rank = h/2 + 1
		}
		hit, n := pathmodel.SlowRanks(o.Path.SlowAcks, h, rank)
		if n == 0 {
			return math.NaN()
		}
		return float64(hit) / float64(n)
	}
}

func judgeSafe(d *data) (out []Check) {
	const first, last = 3, 32 // lengths of the history
	at := func(n, h int, upper bool) sample { return d.each(label("ACKs", n), congested(h, upper)) }
	count := func(n int, upper bool, want func(h int) bool) sample {
		var wrong []sample
		for h := first; h <= last; h++ {
			wrong = append(wrong, apply(func(v ...float64) float64 {
				if math.IsNaN(v[0]) {
					return v[0]
				}
				if (v[0] > 0) != want(h) {
					return 1
				}
				return 0
			}, at(n, h, upper)))
		}
		return apply(func(v ...float64) float64 {
			sum := 0.0
			for _, x := range v {
				sum += x
			}
			return sum
		}, wrong...)
	}
	none := func(int) bool { return false }
	exact := func(name, claim string, s sample) Check {
		return within(plain(name, claim), s, 0, 0)
	}
	var many []sample
	for n := 4; n <= 64; n++ {
		many = append(many, count(n, false, none), count(n, true, none))
	}
	out = append(out,
		exact("median, n=4..64", "uncongested at every ACK for H = 3..32", apply(maxOf, many...)),
		exact("median, n=3", "never congested with the lower middle", count(3, false, none)),
		exact("upper middle, n=3", "congested for H = 4 only", count(3, true, func(h int) bool { return h == 4 })),
		exact("median, n=2", "congested for every odd H", count(2, false, func(h int) bool { return h%2 == 1 })),
		exact("upper middle, n=2", "congested for every H", count(2, true, func(int) bool { return true })))
	thr := func(c string, n int) sample { return d.each(pathLabel(c, n), perMean) }
	for _, n := range []int{100, 25, 10, 5, 4} {
		out = append(out, atLeast(headline(fmt.Sprintf("mswift q=%.3g", shareOf(n)),
			"thr(mswift,q) * T_avg / T_s >= 0.97 thr(mswift,0) for q <= 0.25"),
			ratio(thr("mswift", n), thr("mswift", 0)), 0.97))
	}
	raw := func(c string, n int) sample {
		return ratio(d.each(pathLabel(c, n), perFast), d.each(pathLabel(c, 0), perFast))
	}
	out = append(out,
		atLeast(weak("mswift q=0.333", "the same at 1/3, where the theorem ends"),
			ratio(thr("mswift", 3), thr("mswift", 0)), 0.97),
		atMost(headline("mswift q=0.5", "thr(mswift,0.5) <= 0.1 thr(mswift,0)"), raw("mswift", 2), 0.1),
		atMost(headline("lswift q=0.25", "thr(lswift,0.25) <= 0.1 thr(lswift,0)"), raw("lswift", 4), 0.1))
	why := "slow ACKs fall evenly between the fast ones here, and two of them seldom follow one another; of independent " +
		"ones 3 q^2 (1-q) + q^3 is 2.3 %"
	drawn := func(h int) sample { return d.each("drawn", congested(h, false)) }
	return append(out, within(weak("random paths, H=3", "congested in 2.3 % of the ACKs at q = 0.09").because(why),
		drawn(3), 0.02, 0.026),
		within(weak("random paths, H=4", "0.3 %").because(why), drawn(4), 0.0022, 0.0038),
		atMost(weak("random paths, H=8", "below 0.1 %"), drawn(8), 0.001))
}

func figuresSafe(d *data) []Figure {
	f := Figure{Title: "packets per round trip of a fast path", X: "share of slow packets"}
	var x []float64
	for _, n := range safeShares {
		s := spec002(n)
		x = append(x, s.Slowness())
	}
	for _, c := range []string{"mswift", "lswift"} {
		f.Lines = append(f.Lines, over(c, x, func(i int) sample {
			return d.each(pathLabel(c, safeShares[i]), perFast)
		}))
	}
	return []Figure{f}
}
