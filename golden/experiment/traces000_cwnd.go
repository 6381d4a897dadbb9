package experiment

import (
	"math"

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
	all := atMost(Check{Name: "spread", Mark: Plain, Claim: "spread (max - min)/mean of cwnd <= 5 % from 3 RTT on"},
		d.each("permutation", func(o *Outcome) float64 { return windowSpread(o, func(int) bool { return true }) }), 0.05)
	cross := atMost(Check{Name: "spread, across leaves", Mark: Plain,
		Claim: "added: the same without flows inside a leaf"},
		d.each("permutation", func(o *Outcome) float64 { return windowSpread(o, o.crossLeaf) }), 0.05)
	near := atLeast(Check{Name: "convergence", Mark: Plain,
		Claim: "8 flows, first windows 0.1 to 1.5 BDP: jain(cwnd) >= 0.95 within 200 RTT; taken at 200 RTT"}, late, 0.95)
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
	return []Check{all, cross, near,
		below(Check{Name: "convergence, from the start", Mark: Plain, Claim: "jain(cwnd) higher than at the start"},
			d.each("spread", jainAt(0, spreadFirst)), late)}
}

func figuresWindows(d *data) []Figure {
	o := d.runs["spread"][0]
	f := Figure{Title: "Jain index of the windows of 8 flows, first seed"}
	w := Figure{Title: "windows of 8 flows, bytes, first seed"}
	l := Line{Name: "NSCC"}
	w.Lines = make([]Line, len(o.Flows))
	for t, row := range o.windows(0, int(200*rtt000), spreadFirst) {
		l.X, l.Y = append(l.X, float64(t)), append(l.Y, Jain(row))
		for i, v := range row {
			x := &w.Lines[i]
			x.Name = hostName(o.Flows[i].Src)
			x.X, x.Y = append(x.X, float64(t)), append(x.Y, v)
		}
	}
	f.Lines = []Line{l}
	return []Figure{f, w}
}
