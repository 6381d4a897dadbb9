package experiment

import (
	"math"
	"slices"
)

// MeanSE returns the mean of values and its standard error, which is 0 for fewer than two; NaN without values.
func MeanSE(values []float64) (mean, se float64) {
	n := float64(len(values))
	if n == 0 {
		return math.NaN(), 0
	}
	equal := true
	for _, v := range values {
		mean += v
		equal = equal && v == values[0]
	}
	if equal || n < 2 {
		return values[0], 0 // and no rounding of a sum
	}
	mean /= n
	return mean, math.Sqrt(Variance(values) * n / (n - 1) / n)
}

func meanOf(v []float64) float64 {
	m, _ := MeanSE(v)
	return m
}

// Variance returns the mean squared distance from the mean; NaN without values.
func Variance(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return sum / float64(len(values))
}

// farthest returns the value that is farthest from another; NaN without values, and when one of them is NaN.
func farthest(from float64, values []float64) float64 {
	far := math.NaN()
	for i, v := range values {
		if math.IsNaN(v) {
			return v
		}
		if i == 0 || math.Abs(v-from) > math.Abs(far-from) {
			far = v
		}
	}
	return far
}

// Percentile returns the smallest value that so many percent do not exceed; NaN without values.
func Percentile(values []float64, percent int) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(1, (n*percent+99)/100)-1]
}

// Jain returns the Jain index of values, from 1/n to 1 when all are equal; NaN without a value above 0.
func Jain(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += float64(v * v)
	}
	if squares == 0 {
		return math.NaN()
	}
	return sum * sum / (float64(len(values)) * squares)
}

// Inflation returns the completion of a collective over its zero-queue bound, less 1; NaN without a bound.
func Inflation(cct, bound float64) float64 {
	if !(bound > 0) {
		return math.NaN()
	}
	return cct/bound - 1
}

// SlowTime returns the time from event to the first sample of a rate below 0.9 of its mean over the 20 us before the
// event, infinity when it never is, and NaN when nothing was sampled before. Times ascend, in microseconds.
func SlowTime(times, rates []float64, event float64) float64 {
	sum, n := 0.0, 0
	for i, t := range times {
		if t >= event-20 && t < event {
			sum += rates[i]
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	for i, t := range times {
		if t >= event && rates[i] < 0.9*sum/float64(n) {
			return t - event
		}
	}
	return math.Inf(1)
}

// ConvergeTime returns the first of the times from which on every flow stays within 15 % of the fair share until the
// end, infinity when there is none. means[f][i] is flow f's rate in the interval that begins at times[i].
func ConvergeTime(times []float64, means [][]float64, fair float64) float64 {
	if len(times) == 0 || len(means) == 0 {
		return math.NaN()
	}
	at := math.Inf(1)
	for i := len(times) - 1; i >= 0; i-- {
		for _, f := range means {
			if math.Abs(f[i]-fair) > 0.15*fair {
				return at
			}
		}
		at = times[i]
	}
	return at
}

// Slot is the transmission of a packet that begins at From and ends at To, in microseconds.
type Slot struct {
	From, To float64
	Bytes    float64
}

// Utilisation returns the share of [a,b] in which a port sends; NaN for an empty window.
func Utilisation(slots []Slot, a, b float64) float64 {
	if !(b > a) {
		return math.NaN()
	}
	busy := 0.0
	for _, s := range slots {
		busy += max(0, min(s.To, b)-max(s.From, a))
	}
	return busy / (b - a)
}
