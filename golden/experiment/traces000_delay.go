package experiment

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// gain is that of the average delay, target000 the target delay in microseconds.
const gain = 1.0 / 80

func target000() float64 { return 0.75 * leafSpine().EffectiveBaseRTT().Micros() }

// replayError applies the filter to the recorded delays, marks and base RTTs, and returns the greatest distance from
// the recorded averages in microseconds; NaN without a sample.
func replayError(o *Outcome) float64 {
	avg := map[int32]float64{}
	worst := math.NaN()
	for i := range o.Acks {
		a := &o.Acks[i]
		if a.Kind == cc.KindAck && a.HasRTT || a.Trim {
			delay := a.Delay
			if !a.Mark && delay > target000() { // a queue that has drained
				delay = a.Base / 4
			}
			avg[a.Host] += gain * (delay - avg[a.Host])
			if v := math.Abs(avg[a.Host] - a.Avg); !(v <= worst) {
				worst = v
			}
		}
	}
	return worst
}

// skipped is the number of samples that the average of a flow takes to forget its start.
const skipped = 160

// smoothing is the variance of the average delay over that of the raw delay, both within flows, without the first
// samples of each; NaN when no flow has more.
func smoothing(o *Outcome) float64 {
	raw, avg := map[int32][]float64{}, map[int32][]float64{}
	for i := range o.Acks {
		if a := &o.Acks[i]; a.Kind == cc.KindAck && a.HasRTT {
			raw[a.Host], avg[a.Host] = append(raw[a.Host], a.Delay), append(avg[a.Host], a.Avg)
		}
	}
	vr, va, n := 0.0, 0.0, 0
	for i := range o.Flows {
		h := o.Flows[i].Src
		if len(raw[h]) > skipped+1 {
			k := float64(len(raw[h]) - skipped)
			vr += k * Variance(raw[h][skipped:])
			va += k * Variance(avg[h][skipped:])
			n++
		}
	}
	if n == 0 || vr == 0 {
		return math.NaN()
	}
	return va / vr
}

// stepSamples is the number of samples after which the average of an NSCC context has come 63 % of the way to a delay
// that begins at once; NaN when it does not within a thousand.
func stepSamples() float64 {
	p, err := nscc.DefaultSpec().Params(nscc.Picosecond)
	if err != nil {
		return math.NaN()
	}
	s := nscc.NewState(&p, 0)
	const base, delay = 12e6, 5e6 // ps; the delay is below the target
	now, pdc := base*1000, nscc.PDC{}
	for i := range 1000 {
		now += base
		r := s.OnACK(&p, &pdc, &nscc.Ack{Time: now, Tx: nscc.Tx{Sample: nscc.Given, RawRTT: base + delay},
			Service: 1, Marked: true})
		if r.AvgDelay >= 0.63*delay {
			return float64(i + 1)
		}
	}
	return math.NaN()
}

func judgeDelay(d *data) []Check {
	same := "the filter applied to the recorded (raw, mark, base RTT) equals the recorded average, to 10 ps"
	return []Check{
		atMost(Check{Name: "replay, permutation", Mark: Plain, Claim: same}, d.each("permutation", replayError), 1e-5),
		atMost(Check{Name: "replay, 64:1", Mark: Plain, Claim: same}, d.each("64:1", replayError), 1e-5),
		atMost(Check{Name: "smoothing", Mark: Plain,
			Claim: "64:1 without each flow's first 160 samples: var(avg) <= 0.2 var(raw)"}, d.each("64:1", smoothing), 0.2),
		within(Check{Name: "step", Mark: Plain, Claim: "63 % of a step after 80 +- 8 samples"},
			sample{stepSamples()}, 72, 88),
	}
}

func figuresDelay(d *data) []Figure {
	var out []Figure
	for _, run := range []string{"permutation", "64:1"} {
		o := d.runs[run][0]
		raw, avg := Line{Name: "raw", Dots: true}, Line{Name: "average"}
		for i := range o.Acks {
			if a := &o.Acks[i]; a.Host == o.Flows[1].Src && a.HasRTT && a.Kind == cc.KindAck {
				raw.X, raw.Y = append(raw.X, a.Time), append(raw.Y, a.Delay)
				avg.X, avg.Y = append(avg.X, a.Time), append(avg.Y, a.Avg)
			}
		}
		out = append(out, Figure{Title: "delay of flow 1, µs, " + run + ", first seed", Lines: []Line{raw, avg}})
	}
	return out
}
