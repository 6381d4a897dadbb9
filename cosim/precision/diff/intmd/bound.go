package intmd

import (
	"math"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

// bounds are the errors that the formats of a table allow, worked out from their steps and ends alone.
type bounds struct {
	values [numFields]formats.Value
	units  [numFields]int64
}

func newBounds(w *wire) *bounds { return &bounds{w.values, w.units} }

// lsb returns a step of a value in ns, bytes or 1.
func (b *bounds) lsb(f field) float64 {
	return math.Ldexp(float64(b.units[f]), -int(b.values[f].Format.Frac))
}

// span returns after how much a value comes round, in ns, bytes or 1.
func (b *bounds) span(f field) float64 {
	return math.Ldexp(float64(b.units[f]), int(b.values[f].Format.Int))
}

// rounding returns what the rounding of a value does to numbers that are multiples of grain.
func (b *bounds) rounding(f field, grain float64) limits {
	lsb := b.lsb(f)
	if lsb <= grain && math.Mod(grain, lsb) == 0 {
		return limits{}
	}
	away := lsb // a number just above a step, floored
	if math.Mod(lsb, grain) == 0 {
		away -= grain
	}
	switch b.values[f].Round {
	case formats.Ceiling:
		return limits{0, away}
	case formats.NearestEven, formats.NearestAway:
		return limits{-lsb / 2, lsb / 2}
	}
	return limits{-away, 0} // nothing is negative
}

// tsGrain returns the steps of the clock.
func (b *bounds) tsGrain() float64 {
	return math.Ldexp(1, -max(timeFrac, int(b.values[clock].Format.Frac), int(b.values[step].Format.Frac)))
}

// stampWidth returns by how much the distance of two TS may be off, but for the clock.
func (b *bounds) stampWidth() float64 { return b.rounding(ts, b.tsGrain()).width() }

// sentWidth returns by how much the distance of two txBytes may be off.
func (b *bounds) sentWidth() float64 { return b.rounding(txBytes, 1).width() }

// turn returns after how much the differences of two readings come round: the field or what it is taken from.
func (b *bounds) turn(f, from field) float64 { return min(b.span(f), b.span(from)) }

// queued returns between which numbers qLen lies for so many bytes.
func (b *bounds) queued(bytes float64) limits {
	r := b.rounding(qLen, 1)
	return b.within(qLen, limits{bytes + r.lo, bytes + r.hi})
}

// within returns between which numbers a value lies whose rounded number lies between others.
func (b *bounds) within(f field, x limits) limits {
	span := b.span(f)
	top := span - b.lsb(f)
	if b.values[f].Over != formats.Wrap {
		return limits{min(max(x.lo, 0), top), min(max(x.hi, 0), top)}
	}
	turn := math.Floor(x.lo/span) * span
	if x.lo, x.hi = x.lo-turn, x.hi-turn; x.hi >= span { // it may have come round once more
		return limits{0, top}
	}
	return x
}

// register returns between which numbers a register lies into which x was written.
func (b *bounds) register(f field, x, grain float64) limits {
	r := b.rounding(f, grain)
	return b.within(f, limits{x + r.lo, x + r.hi})
}

// gap is how far two stamps of a hop may be apart as the wire has them, ns and bytes, and what else u_i follows from.
type gap struct {
	dt, sent, queue limits
	rate            float64 // Gb/s, on the wire
}

// rateAndShare returns bounds of 8 sent / dt and of the share u_i, without end where no time may pass on the wire.
func (g *gap) rateAndShare(rtt float64) (tx, share limits) {
	tx = limits{8 * g.sent.lo / g.dt.hi, math.Inf(1)}
	if g.dt.lo > 0 {
		tx.hi = 8 * g.sent.hi / g.dt.lo
	}
	return tx, limits{(8*g.queue.lo/rtt + tx.lo) / g.rate, (8*g.queue.hi/rtt + tx.hi) / g.rate}
}

// toward returns between which numbers an average lies that lay between others before: (1 - tau/T) U + tau/T u, with
// tau/T u = tau/T min(q', q)/(B T) + (tx' - tx)/(B T) min(1, T/dt). For one tau it grows with U, queue and bytes, and
// it is a straight line in tau, so its ends are at those of all.
func (g *gap) toward(u limits, rtt float64) limits {
	part := limits{min(g.dt.lo, rtt) / rtt, min(g.dt.hi, rtt) / rtt}
	late := limits{rtt / max(rtt, g.dt.hi), rtt / max(rtt, g.dt.lo)}
	scale := 8 / (g.rate * rtt)
	at := func(part, u, queue float64) float64 { return (1-part)*u + part*scale*queue }
	x := limits{
		min(at(part.lo, u.lo, g.queue.lo), at(part.hi, u.lo, g.queue.lo)) + scale*late.lo*g.sent.lo,
		max(at(part.lo, u.hi, g.queue.hi), at(part.hi, u.hi, g.queue.hi)) + scale*late.hi*g.sent.hi,
	}
	if g.dt.lo <= 0 { // no time may have passed: it stays
		return limits{min(x.lo, u.lo), max(x.hi, u.hi)}
	}
	return x
}
