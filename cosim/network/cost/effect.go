package cost

import (
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/experiment"
)

// Effect is the difference that a value makes, over the seeds.
type Effect struct {
	Diff    float64 // mean
	Scatter float64 // standard deviation
	Share   float64 // Diff over the mean of what it is compared with
	Same    bool    // no packet of any run differs
}

// Within reports whether the difference is at most twice its scatter.
func (e Effect) Within() bool { return math.Abs(e.Diff) <= 2*e.Scatter }

// effect returns how a value differs from the base in one of the lists of numbers of a Point.
func effect(base, p *Point, of func(*Point) []float64) Effect {
	b := of(base)
	d := slices.Clone(of(p))
	for i := range d {
		d[i] -= b[i]
	}
	mean, se := experiment.MeanSE(d)
	all, _ := experiment.MeanSE(b)
	return Effect{Diff: mean, Scatter: se * math.Sqrt(float64(len(d))), Share: mean / all,
		Same: slices.Equal(base.digests, p.digests)}
}

func means(p *Point) []float64 { return p.Mean }
func p99s(p *Point) []float64  { return p.P99 }

// String writes an effect, in microseconds.
func (e Effect) String() string {
	text := fmt.Sprintf("%+.3f ± %.3f", e.Diff, e.Scatter)
	switch {
	case e.Same:
		return "no packet differs"
	case e.Within():
		return text + ", within scatter"
	}
	return fmt.Sprintf("%s, %+.1f %%", text, 100*e.Share)
}
