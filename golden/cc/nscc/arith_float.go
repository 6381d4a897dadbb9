package nscc

import "math"

// The operations of the rules in float64, as short as the compiler inlines them: what runs is what one would write
// with operators. Only what the settled rules floor is rounded, and with Real not even that.

func (p *Params) whole(v int64) float64                  { return float64(v) }
func (p *Params) add(x, y float64) float64               { return x + y }
func (p *Params) sub(x, y float64) float64               { return x - y }
func (p *Params) mul(x, y float64) float64               { return float64(x * y) }
func (p *Params) less(x, y float64) bool                 { return x < y }
func (p *Params) isZero(x float64) bool                  { return x == 0 }
func (p *Params) above0(x float64) bool                  { return x > 0 }
func (p *Params) below0(x float64) bool                  { return x < 0 }
func (p *Params) lesser(x, y float64) float64            { return min(x, y) }
func (p *Params) greater(x, y float64) float64           { return max(x, y) }
func (p *Params) keep(_ Value, x float64) float64        { return x }
func (p *Params) quo(at Value, x, y float64) float64     { return p.floor(at, x/y) }
func (p *Params) share(_ Value, k, x, y float64) float64 { return float64(k*x) / y }
func (p *Params) settle(*State)                          {}

// floor is a rounding that the settled rules contain and Real leaves out.
func (p *Params) floor(_ Value, v float64) float64 {
	if p.Real {
		return v
	}
	return math.Floor(v)
}

// floorRate is floor for a product of a rate and a time: a result that is whole
// in exact arithmetic must not fall to the byte below by its last bit.
func (p *Params) floorRate(_ Value, v float64) float64 {
	if p.Real {
		return v
	}
	return math.Floor(float64(v * (1 + 0x1p-44)))
}

// fit clamps a value to its ends and reports whether it was beyond.
func (p *Params) fit(at Value, v float64) (float64, bool) {
	if l := &limits[at]; v > l.hi {
		return l.hi, true
	} else if v < l.lo {
		return l.lo, true
	}
	return v, false
}

func (p *Params) quoFit(at Value, x, y float64) (float64, bool) { return p.fit(at, p.floor(at, x/y)) }

// elapsed is the time from a to b on a clock that wraps.
func (p *Params) elapsed(a, b float64) float64 {
	d := b - a
	if d < 0 {
		d += p.TimeMod
	}
	return d
}

// since is elapsed as a signed distance: negative when b is before a.
func (p *Params) since(a, b float64) float64 {
	d := p.elapsed(a, b)
	if d >= p.TimeMod/2 {
		d -= p.TimeMod
	}
	return d
}

// after adds a duration to a time stamp.
func (p *Params) after(t, d float64) float64 { return math.Mod(t+d, p.TimeMod) }
