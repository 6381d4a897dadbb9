package experiment

import (
	"fmt"
	"math"
	"slices"
)

// Mark is the weight of a check in its source.
type Mark string

// The marks. Headline checks are the claims that a source is known for; weak ones are reported and never fail.
const (
	Headline Mark = "headline"
	Plain    Mark = "plain"
	Weak     Mark = "weak"
)

// Verdict is the outcome of a check.
type Verdict string

// The verdicts.
const (
	Pass      Verdict = "pass"
	Fail      Verdict = "fail"
	Undecided Verdict = "undecided" // an order that differs by less than its standard error
	Vacuous   Verdict = "vacuous"   // some run measured nothing
	Reported  Verdict = "weak"      // a weak check, whether it holds or not
)

// Check is one claim and what was measured of it.
type Check struct {
	Name     string  `json:"name"`
	Mark     Mark    `json:"mark"`
	Claim    string  `json:"claim"`
	Measured string  `json:"measured"`
	Verdict  Verdict `json:"verdict"`
	Holds    bool    `json:"holds"`            // of a weak check, too
	Reason   string  `json:"reason,omitempty"` // why it differs from the source
}

// headline, plain and weak return a check of a mark that has still to be judged.
func headline(name, claim string) Check { return Check{Name: name, Mark: Headline, Claim: claim} }
func plain(name, claim string) Check    { return Check{Name: name, Mark: Plain, Claim: claim} }
func weak(name, claim string) Check     { return Check{Name: name, Mark: Weak, Claim: claim} }

// because returns the check with a reason, which is dropped when it passes.
func (c Check) because(reason string) Check {
	c.Reason = reason
	return c
}

// sample is one value for each seed, NaN for a run that measured nothing.
type sample []float64

// measured reports whether there is a value for every seed.
func (s sample) measured() bool {
	for _, v := range s {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return len(s) > 0
}

// words writes a sample as its mean and, of several values, the standard error.
func (s sample) words() string {
	mean, se := MeanSE(s)
	if len(s) < 2 || se == 0 {
		return short(mean)
	}
	return short(mean) + " ± " + short(se)
}

func short(v float64) string { return fmt.Sprintf("%.4g", v) }

// apply returns the sample with f applied to each value and its counterparts.
func apply(f func(...float64) float64, of ...sample) sample {
	out := make(sample, len(of[0]))
	for i := range out {
		args := make([]float64, len(of))
		for k, s := range of {
			args[k] = math.NaN()
			if len(s) == len(out) {
				args[k] = s[i]
			}
		}
		out[i] = f(args...)
	}
	return out
}

// ratio returns a/b for each seed; a division by 0 measures nothing.
func ratio(a, b sample) sample {
	return apply(func(v ...float64) float64 {
		if v[1] == 0 {
			return math.NaN()
		}
		return v[0] / v[1]
	}, a, b)
}

// spread returns max/min of several samples for each seed.
func spread(of ...sample) sample { return ratio(apply(maxOf, of...), apply(minOf, of...)) }

// maxOf and minOf return the greatest and the least, NaN when one is NaN.
func maxOf(v ...float64) float64 { return slices.Max(v) }
func minOf(v ...float64) float64 { return slices.Min(v) }

// minus returns a - b for each seed.
func minus(a, b sample) sample { return apply(func(v ...float64) float64 { return v[0] - v[1] }, a, b) }

// judge fills in the verdict: a check on samples that are not complete is vacuous whatever its mark.
func judge(c Check, v Verdict, of ...sample) Check {
	for _, s := range of {
		if !s.measured() {
			c.Verdict = Vacuous
			c.Measured = fmt.Sprintf("nothing in %d of %d runs", s.missing(), len(s))
			return c
		}
	}
	if v == Pass {
		c.Reason = "" // nothing differs
	}
	c.Holds = v == Pass
	c.Verdict = v
	if c.Mark == Weak {
		c.Verdict = Reported
	}
	return c
}

func passes(holds bool) Verdict {
	if holds {
		return Pass
	}
	return Fail
}

// missing returns the number of seeds without a value.
func (s sample) missing() (n int) {
	for i := range s {
		if !s[i : i+1].measured() {
			n++
		}
	}
	return n
}

// within checks that the mean over the seeds lies from low to high, both included.
func within(c Check, s sample, low, high float64) Check {
	mean, _ := MeanSE(s)
	c.Measured = s.words()
	return judge(c, passes(mean >= low && mean <= high), s)
}

// atLeast checks the mean over the seeds against a lower bound.
func atLeast(c Check, s sample, low float64) Check { return within(c, s, low, math.Inf(1)) }

// atMost checks the mean over the seeds against an upper bound.
func atMost(c Check, s sample, high float64) Check { return within(c, s, math.Inf(-1), high) }

// below checks that a is below b. The draws are paired, so that the slack is the standard error of the difference:
// from there on the check fails, and between it and equality it is undecided.
func below(c Check, a, b sample) Check {
	d := minus(a, b)
	mean, se := MeanSE(d)
	c.Measured = fmt.Sprintf("%s against %s, difference %s", a.words(), b.words(), d.words())
	v := Undecided
	switch {
	case mean < 0:
		v = Pass
	case mean >= se:
		v = Fail
	}
	return judge(c, v, a, b)
}
