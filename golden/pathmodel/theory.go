package pathmodel

import "math"

// Reno returns the throughput of TCP, and of DCTCP without marks, in packets per round trip of a fast path, when the
// share q of the packets is late: 1.22/sqrt(q) (seed 002, table I).
func Reno(q float64) float64 { return Swift(q, 0.5, 1) }

// Swift returns the throughput of Swift in packets per round trip of a fast path when each late packet cuts the window
// to 1-cut of it, and ai is its increase: sqrt((1/cut - 1/2) ai/q) (seed 002, table I).
func Swift(q, cut, ai float64) float64 { return math.Sqrt((1/cut - 0.5) * ai / q) }

// DelayCut returns the cut that LSwift takes for a delay of slow us: what exceeds the target, times beta, at most mdf.
func DelayCut(slow, target, beta, mdf float64) float64 {
	return min(beta*max(slow-target, 0)/slow, mdf)
}

// SMaRTT returns the throughput of SMaRTT in packets per mean round trip when the share q of the packets is late and
// marked, fast paths take a base round trips, and the bandwidth-delay product is so many packets, with wait to
// decrease and fast increase off and no cap (seed 002, appendix A).
func SMaRTT(q, a, bdp float64) float64 {
	up, g := (12-7*a)/(4*a), 1-0.8/bdp
	w := (-g*g + math.Sqrt(g*g*(1-2*up/q)+2*up/q)) / (1 - g*g)
	return up / (q * (g + (1-g)*w))
}

// Slope returns the slope of the line through the points in double logarithms, by least squares; NaN for fewer than
// two points or one that is not positive.
func Slope(x, y []float64) float64 {
	n, sx, sy, sxx, sxy := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range min(len(x), len(y)) {
		u, v := math.Log(x[i]), math.Log(y[i])
		n++
		sx += u
		sy += v
		sxx += float64(u * u)
		sxy += float64(u * v)
	}
	return (float64(n*sxy) - float64(sx*sy)) / (float64(n*sxx) - float64(sx*sx))
}

// SlowRanks returns in how many of the windows of the last h of a series of ACKs the sample of a rank, counted from 1,
// was slow, and the number of windows.
func SlowRanks(slow []bool, h, rank int) (hit, windows int) {
	count := 0
	for i, s := range slow {
		if s {
			count++
		}
		if i >= h && slow[i-h] {
			count--
		}
		if i < h-1 {
			continue
		}
		windows++
		if rank > h-count { // the fast ones come first
			hit++
		}
	}
	return hit, windows
}
