package nscc

import "math"

// NearestTime returns the time comparison that was closest to its threshold and
// its distance in units of time, +Inf when the event compared no times. An action
// that differs between two senders with a large distance is not rounding.
func (r *Response) NearestTime() (Threshold, float64) { return r.nearest(0, numTimes) }

// NearestBytes is NearestTime for the comparisons of bytes.
func (r *Response) NearestBytes() (Threshold, float64) { return r.nearest(numTimes, NumThresholds) }

func (r *Response) nearest(lo, hi int) (Threshold, float64) {
	best, at := math.Inf(1), Threshold(lo)
	for t := lo; t < hi; t++ {
		if m := math.Abs(r.margins[t]); r.evaluated>>t&1 == 1 && m < best {
			best, at = m, Threshold(t)
		}
	}
	return at, best
}
