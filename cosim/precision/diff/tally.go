package diff

import "math"

// Error is how far numbers of one party were from the exact ones.
type Error struct {
	Count  uint64  `json:"count"`  // comparisons
	Differ uint64  `json:"differ"` // of them with any difference
	Median float64 `json:"median"` // of the absolute error, rounded up by at most 1.1 %; so is P99
	P99    float64 `json:"p99"`
	Max    float64 `json:"max"`
	MaxRel float64 `json:"max_rel"` // against an exact number that is not 0
	MaxLSB float64 `json:"max_lsb"` // in steps of the value's format
	Bias   float64 `json:"bias"`    // mean of number - exact number
	// Histogram counts absolute errors above 0 by powers of two.
	Histogram []Bin `json:"histogram,omitempty"`
}

// Bin counts absolute errors from 2^Log2 to below 2^(Log2+1).
type Bin struct {
	Log2  int    `json:"log2"`
	Count uint64 `json:"count"`
}

// fine is the number of steps in which a Tally counts each power of two.
const fine = 64

// Errors from 2^leastLog to below 2^mostLog have bins of their own; those beyond count in the outermost bins.
const leastLog, mostLog = -256, 256

// Tally gathers errors, in the same memory for any number of them.
type Tally struct {
	count, differ    uint64
	sum, max, maxRel float64
	// octaves count, by floor(log2(|error|)) - leastLog, the errors of a power of two in fine steps; nil for none.
	octaves [mostLog - leastLog]*[fine]uint64
}

// bounds[i] is 2^(i/fine), from which on a number of 1 to below 2 counts in step i.
var bounds = func() (b [fine]float64) {
	for i := range b {
		b[i] = math.Exp2(float64(i) / fine)
	}
	return b
}()

// place returns the power of two of an error above 0, and the step in it.
func place(e float64) (log2, step int) {
	f, exp := math.Frexp(e) // 0.5 to below 1
	log2 = exp - 1
	switch {
	case log2 < leastLog:
		return leastLog, 0
	case log2 >= mostLog:
		return mostLog - 1, fine - 1
	}
	f *= 2
	lo, hi := 0, fine
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; bounds[mid] <= f {
			lo = mid
		} else {
			hi = mid
		}
	}
	return log2, lo
}

// course is the largest error in each of a number of stretches of the run, in the same memory for any number of events:
// where they no longer fit, two stretches become one.
type course struct {
	width uint64 // events of a stretch
	max   []float64
}

// stretches is how many a course has at most.
const stretches = 128

// add takes the error of one comparison in an event.
func (c *course) add(event uint64, err float64) {
	if c.width == 0 {
		c.width = 64
	}
	for event/c.width >= stretches {
		for i := range c.max {
			if x := c.max[i]; i%2 == 0 {
				c.max[i/2] = x
			} else {
				c.max[i/2] = max(c.max[i/2], x)
			}
		}
		c.max = c.max[:(len(c.max)+1)/2]
		c.width *= 2
	}
	at := int(event / c.width)
	for len(c.max) <= at {
		c.max = append(c.max, 0)
	}
	c.max[at] = max(c.max[at], math.Abs(err))
}

// Add takes one comparison: the error, and the exact number.
func (t *Tally) Add(err, exact float64) {
	t.count++
	if err == 0 {
		return
	}
	t.differ++
	t.sum += err
	e := math.Abs(err)
	t.max = max(t.max, e)
	if exact != 0 {
		t.maxRel = max(t.maxRel, e/math.Abs(exact))
	}
	log2, step := place(e)
	o := &t.octaves[log2-leastLog]
	if *o == nil {
		*o = new([fine]uint64)
	}
	(*o)[step]++
}

// quantile returns the least error that at least a share q of all comparisons do not exceed, to within a bin.
func (t *Tally) quantile(q float64) float64 {
	need := uint64(math.Ceil(q * float64(t.count)))
	n := t.count - t.differ
	if n >= need {
		return 0
	}
	for i, o := range t.octaves {
		if o == nil {
			continue
		}
		for step, c := range o {
			if n += c; c > 0 && n >= need {
				return min(math.Exp2(float64(fine*(i+leastLog)+step+1)/fine), t.max)
			}
		}
	}
	return t.max
}

// Result returns the figures; lsb is the size of a step of the value's format, 0 where it has none.
func (t *Tally) Result(lsb float64) Error {
	e := Error{Count: t.count, Differ: t.differ, Max: t.max, MaxRel: t.maxRel}
	if lsb > 0 {
		e.MaxLSB = t.max / lsb
	}
	if t.count == 0 {
		return e
	}
	e.Bias = t.sum / float64(t.count)
	e.Median, e.P99 = t.quantile(0.5), t.quantile(0.99)
	for i, o := range t.octaves {
		if o == nil {
			continue
		}
		b := Bin{Log2: i + leastLog}
		for _, c := range o {
			b.Count += c
		}
		e.Histogram = append(e.Histogram, b)
	}
	return e
}

// lsbOf returns the size of a step of numbers with so many fraction bits.
func lsbOf(frac uint8) float64 { return math.Ldexp(1, -int(frac)) }
