package diff

import (
	"math"
	"slices"
)

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

// fine is the number of steps in which a tally counts each power of two.
const fine = 64

// tally gathers errors.
type tally struct {
	count, differ    uint64
	sum, max, maxRel float64
	bins             map[int]uint64 // by floor(fine * log2(|error|))
}

// add takes one comparison: the error, and the exact number.
func (t *tally) add(err, exact float64) {
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
	if t.bins == nil {
		t.bins = map[int]uint64{}
	}
	t.bins[int(math.Floor(fine*math.Log2(e)))]++
}

// quantile returns the least error that at least a share q of all comparisons do not exceed, to within a bin.
func (t *tally) quantile(q float64, keys []int) float64 {
	need := uint64(math.Ceil(q * float64(t.count)))
	n := t.count - t.differ
	if n >= need {
		return 0
	}
	for _, k := range keys {
		if n += t.bins[k]; n >= need {
			return min(math.Exp2(float64(k+1)/fine), t.max)
		}
	}
	return t.max
}

// result returns the figures; frac is the number of fraction bits of the value's format.
func (t *tally) result(frac uint8) Error {
	e := Error{Count: t.count, Differ: t.differ, Max: t.max, MaxRel: t.maxRel, MaxLSB: math.Ldexp(t.max, int(frac))}
	if t.count == 0 {
		return e
	}
	e.Bias = t.sum / float64(t.count)
	keys := make([]int, 0, len(t.bins))
	for k := range t.bins {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	e.Median, e.P99 = t.quantile(0.5, keys), t.quantile(0.99, keys)
	for _, k := range keys {
		log2 := int(math.Floor(float64(k) / fine))
		if n := len(e.Histogram); n > 0 && e.Histogram[n-1].Log2 == log2 {
			e.Histogram[n-1].Count += t.bins[k]
			continue
		}
		e.Histogram = append(e.Histogram, Bin{log2, t.bins[k]})
	}
	return e
}
