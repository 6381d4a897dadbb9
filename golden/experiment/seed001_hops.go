package experiment

import (
	"fmt"
	"math"
)

// hopQueue is the greatest queue where the flows meet.
func hopQueue(d *data, place, control string) sample {
	return d.wires(hopLabel(place, control), func(w *Wired) float64 { return w.greatest(second001, end001) })
}

// hopGain returns how far a control's greatest queue lies below HPCC's, as a share of it.
func hopGain(d *data, place, control string) sample {
	return apply(func(v ...float64) float64 { return 1 - v[0] }, ratio(hopQueue(d, place, control),
		hopQueue(d, place, "hpcc")))
}

// published001 are the source's gains, which are reported beside ours.
var published001 = map[string]float64{"first": 0.375, "middle": 0.295, "last": 0.084, "last lhcs": 0.385}

func gainCheck(d *data, place, control, name string, low, high float64) []Check {
	g := hopGain(d, place, control)
	claim := fmt.Sprintf("g(%s) in [%v,%v]", name, low, high)
	out := []Check{within(headline("gain "+name, claim), g, low, high)}
	key := place
	if control == "fncc-lhcs" {
		key += " lhcs"
	}
	source := within(weak("gain "+name+" of the source", fmt.Sprintf("%v, within a tenth", published001[key])), g,
		published001[key]*0.9, published001[key]*1.1)
	source.Reason = "a first window of one BDP bounds HPCC's queue by 0.974 BDP and two packets; the source's first " +
		"window is not known"
	return append(out, source)
}

// common are the checks of one place.
func hopChecks(d *data, place string) (out []Check) {
	util := func(control string) sample {
		return d.wires(hopLabel(place, control), func(w *Wired) float64 { return w.util(second001, end001) })
	}
	for _, control := range []string{"fncc", "fncc-lhcs"} {
		out = append(out, atLeast(plain("util "+control, "util("+control+") >= util(hpcc) - 0.01 in [300,1000] us"),
			minus(util(control), util("hpcc")), -0.01))
	}
	mean := func(control string) sample {
		return d.wires(hopLabel(place, control), func(w *Wired) float64 { return meanOf(w.queued(second001, end001)) })
	}
	out = append(out, below(weak("q_mean", "q_mean(fncc) < q_mean(hpcc), reported"), mean("fncc"), mean("hpcc")))
	if place != "last" {
		out = append(out, atMost(plain("firings", "LHCS does not fire"), firings(d, place, 0, end001), 0))
	}
	return out
}

// firings counts those of LHCS in [a,b]; a run without ACKs has none to count.
func firings(d *data, place string, a, b float64) sample {
	return d.wires(hopLabel(place, "fncc-lhcs"), func(w *Wired) float64 {
		if w.Acks == 0 {
			return math.NaN()
		}
		n := 0
		for _, f := range w.Fires {
			if f.Time >= a && f.Time <= b {
				n++
			}
		}
		return float64(n)
	})
}

func orderOf(d *data, far, near string) Check {
	return below(headline("gain "+far+" > "+near, "g(first) > g(middle) > g(last, no LHCS)"), hopGain(d, near, "fncc"),
		hopGain(d, far, "fncc"))
}

func judgeFirstHop(d *data) []Check {
	out := append(gainCheck(d, "first", "fncc", "first", 0.12, 0.55), orderOf(d, "first", "middle"))
	return append(out, hopChecks(d, "first")...)
}

func judgeMiddleHop(d *data) []Check {
	out := append(gainCheck(d, "middle", "fncc", "middle", 0.08, 0.45), orderOf(d, "middle", "last"))
	return append(out, hopChecks(d, "middle")...)
}

func judgeLastHop(d *data) []Check {
	out := append(gainCheck(d, "last", "fncc", "last, no LHCS", -0.02, 0.25),
		gainCheck(d, "last", "fncc-lhcs", "last, LHCS", 0.2, 0.65)...)
	without := hopGain(d, "last", "fncc")
	out = append(out, orderOf(d, "first", "middle"), orderOf(d, "middle", "last"),
		below(headline("gain of LHCS", "g(last, LHCS) > g(last, no LHCS) + 0.1"),
			apply(func(v ...float64) float64 { return v[0] + 0.1 }, without), hopGain(d, "last", "fncc-lhcs")))
	out = append(out, hopChecks(d, "last")...)
	lhcs := func(f func(*Wired) float64) sample { return d.wires(hopLabel("last", "fncc-lhcs"), f) }
	out = append(out,
		within(plain("window at a firing", "at every firing with N = 2 the window is B T 0.9 / 2 within 5 %, the farthest"),
			lhcs(func(w *Wired) float64 {
				var windows []float64
				for _, f := range w.Fires {
					if f.Flows == 2 {
						windows = append(windows, f.Window/(w.BDP*0.9/2))
					}
				}
				return farthest(1, windows)
			}), 0.95, 1.05))
	for f := range 2 {
		out = append(out, within(plain(fmt.Sprintf("rate of flow %d while it fires", f),
			"near 45 Gb/s (within a tenth) over 15 us from its first firing with N = 2"),
			lhcs(func(w *Wired) float64 {
				for _, x := range w.Fires {
					if x.Flow == f && x.Flows == 2 {
						_, rates := w.sampled(f, math.Ceil(x.Time), math.Ceil(x.Time)+15)
						return meanOf(rates)
					}
				}
				return math.NaN()
			}), 40.5, 49.5))
	}
	return append(out,
		within(plain("last firing", "in [320,480] us"), lhcs(func(w *Wired) float64 {
			if len(w.Fires) == 0 {
				return math.NaN()
			}
			return w.Fires[len(w.Fires)-1].Time
		}), 320, 480),
		atMost(plain("firings later", "none in [600,1000] us"), firings(d, "last", 600, end001), 0))
}
