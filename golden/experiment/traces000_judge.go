package experiment

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// rtt000 is the longest round trip of seed 000 in microseconds.
const rtt000 = 9.35

// converging returns eight flows from the second leaf to host 0, that last for more than 200 round trips.
func converging() (out []traffic.Message) {
	for i := range int32(convergers) {
		out = append(out, traffic.Message{Src: firstSender + i, Dst: 0, Bytes: 4_000_000, Conn: i})
	}
	return out
}

// largest000 is the first window without another, 1.5 BDP in bytes.
func largest000() float64 { return math.Floor(1.5 * float64(leafSpine().BDP())) }

// crossLeaf reports whether the ends of flow i are under different leaves.
func (o *Outcome) crossLeaf(i int) bool { return o.Flows[i].Src/16 != o.Flows[i].Dst/16 }

// windowSpread is the greatest (max - min)/mean of the windows from 3 round trips on until the first flow ends; NaN
// with fewer than two flows.
func windowSpread(o *Outcome, keep func(i int) bool) float64 {
	end, n := math.Inf(1), 0
	for i, t := range o.fct() {
		if keep(i) {
			end = min(end, t)
			n++
		}
	}
	if n < 2 || len(o.Acks) == 0 {
		return math.NaN()
	}
	worst := math.NaN()
	for _, row := range o.windows(int(math.Ceil(3*rtt000)), int(end), unknown) {
		low, high, sum := math.Inf(1), math.Inf(-1), 0.0
		for i, w := range row {
			if keep(i) {
				low, high, sum = min(low, w), max(high, w), sum+w
			}
		}
		if v := (high - low) / (sum / float64(n)); !(v <= worst) {
			worst = v
		}
	}
	return worst
}

// jainAt is the Jain index of the windows at a time, given the first windows.
func jainAt(us float64, first func(int32) float64) func(*Outcome) float64 {
	return func(o *Outcome) float64 {
		if len(o.Acks) == 0 || o.Time.Micros() < us {
			return math.NaN()
		}
		return Jain(o.windows(int(us), int(us)+1, first)[0])
	}
}

// jainReached is the first time at which the Jain index of the windows is 0.95, NaN for never.
func jainReached(o *Outcome) float64 {
	for t, row := range o.windows(0, int(200*rtt000), spreadFirst) {
		if Jain(row) >= 0.95 {
			return float64(t)
		}
	}
	return math.NaN()
}

func spreadFirst(h int32) float64 { return firstWindows["spread"](h, largest000()) }

func equalFirst(int32) float64 { return largest000() }

func judgeWindows(d *data) []Check {
	late := d.each("spread", jainAt(200*rtt000, spreadFirst))
	equal := d.each("equal", jainAt(200*rtt000, equalFirst))
	all := atMost(plain("spread", "spread (max - min)/mean of cwnd <= 5 % from 3 RTT on"),
		d.each("permutation", func(o *Outcome) float64 { return windowSpread(o, func(int) bool { return true }) }), 0.05)
	cross := atMost(plain("spread, across leaves", "added: the same without flows inside a leaf"),
		d.each("permutation", func(o *Outcome) float64 { return windowSpread(o, o.crossLeaf) }), 0.05)
	near := atLeast(plain("convergence",
		"8 flows, first windows 0.1 to 1.5 BDP: jain(cwnd) >= 0.95 within 200 RTT; taken at 200 RTT"), late, 0.95)
	if all.Verdict == Fail && cross.Verdict == Pass {
		all.Reason = "the random hosts include pairs inside a leaf, whose round trip is 5.35 us and not 9.35: max_wnd is " +
			"1.5 times rate times base RTT, 57 % of the others', and NSCC holds the window to it. Flows across leaves keep " +
			"the claim"
	}
	if near.Verdict == Fail {
		near.Reason = "the index passes 0.95 first after " + d.each("spread", jainReached).words() + " us, and does " +
			"not stay there. Flows that start with equal windows stand at " + equal.words() + " at 200 RTT: windows of " +
			"seven packets scatter by one or two"
	}
	return []Check{all, cross, near, below(plain("convergence, from the start", "jain(cwnd) higher than at the start"),
		d.each("spread", jainAt(0, spreadFirst)), late)}
}

func figuresWindows(d *data) []Figure {
	o := d.runs["spread"][0]
	f := Figure{Title: "Jain index of the windows of 8 flows, first seed"}
	w := Figure{Title: "windows of 8 flows, bytes, first seed"}
	l := Line{Name: "NSCC"}
	w.Lines = make([]Line, len(o.Flows))
	for t, row := range o.windows(0, int(200*rtt000), spreadFirst) {
		l.add(float64(t), Jain(row))
		for i, v := range row {
			x := &w.Lines[i]
			x.Name = hostName(o.Flows[i].Src)
			x.add(float64(t), v)
		}
	}
	f.Lines = []Line{l}
	return []Figure{f, w}
}

// gain is that of the average delay, target000 the target delay in microseconds.
const gain = 1.0 / 80

func target000() float64 { return 0.75 * leafSpine().EffectiveBaseRTT().Micros() }

// replayError applies the filter to the recorded delays, marks and base RTTs, and returns the greatest distance from
// the recorded averages in microseconds; NaN without a sample, and when an average is none.
func replayError(o *Outcome) float64 {
	avg := map[int32]float64{}
	var errors []float64
	for i := range o.Acks {
		a := &o.Acks[i]
		if a.Kind == cc.KindAck && a.HasRTT || a.Trim {
			delay := a.Delay
			if !a.Mark && delay > target000() { // a queue that has drained
				delay = a.Base / 4
			}
			avg[a.Host] += gain * (delay - avg[a.Host])
			errors = append(errors, math.Abs(avg[a.Host]-a.Avg))
		}
	}
	return farthest(0, errors)
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
		atMost(plain("replay, permutation", same), d.each("permutation", replayError), 1e-5),
		atMost(plain("replay, 64:1", same), d.each("64:1", replayError), 1e-5),
		atMost(plain("smoothing", "64:1 without each flow's first 160 samples: var(avg) <= 0.2 var(raw)"),
			d.each("64:1", smoothing), 0.2),
		within(plain("step", "63 % of a step after 80 +- 8 samples"), sample{stepSamples()}, 72, 88),
	}
}

func figuresDelay(d *data) []Figure {
	var out []Figure
	for _, run := range []string{"permutation", "64:1"} {
		o := d.runs[run][0]
		raw, avg := Line{Name: "raw", Dots: true}, Line{Name: "average"}
		for i := range o.Acks {
			if a := &o.Acks[i]; a.Host == o.Flows[1].Src && a.HasRTT && a.Kind == cc.KindAck {
				raw.add(a.Time, a.Delay)
				avg.add(a.Time, a.Avg)
			}
		}
		out = append(out, Figure{Title: "delay of flow 1, µs, " + run + ", first seed", Lines: []Line{raw, avg}})
	}
	return out
}
