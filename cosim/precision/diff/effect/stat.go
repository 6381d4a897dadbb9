package effect

import "math"

// interval is the mean of paired differences with what can be said of it.
type interval struct {
	mean   float64
	lo, hi float64 // 95 % confidence interval of the mean
	// smallest is the difference that as many pairs would show with a probability of 80 %.
	smallest float64
}

// paired returns the interval of differences by Student's t; there are at least two.
func paired(d []float64) (x interval) {
	n := float64(len(d))
	for _, v := range d {
		x.mean += v / n
	}
	sum := 0.0
	for _, v := range d {
		sum += float64((v - x.mean) * (v - x.mean))
	}
	se := math.Sqrt(sum/(n-1)) / math.Sqrt(n)
	t := quantile(0.975, n-1)
	x.lo, x.hi = x.mean-t*se, x.mean+t*se
	x.smallest = (t + quantile(0.8, n-1)) * se
	return x
}

// quantile returns the p-quantile, p > 1/2, of Student's t with df degrees of freedom, to about six digits.
func quantile(p, df float64) float64 {
	a, _ := math.Lgamma((df + 1) / 2)
	b, _ := math.Lgamma(df / 2)
	scale := math.Exp(a-b) / math.Sqrt(df*math.Pi)
	// With t = sqrt(df) tan(u) the density becomes scale * sqrt(df) * cos(u)^(df-1), which is smooth up to the end.
	area := func(u float64) float64 {
		const n = 2000
		sum := 0.0
		for i := range n + 1 {
			w := 2.0
			switch {
			case i == 0 || i == n:
				w = 1
			case i%2 == 1:
				w = 4
			}
			sum += float64(w * math.Pow(math.Cos(u*float64(i)/n), df-1))
		}
		return 0.5 + scale*math.Sqrt(df)*sum*u/(3*n)
	}
	lo, hi := 0.0, math.Pi/2
	for range 60 {
		if mid := (lo + hi) / 2; area(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Sqrt(df) * math.Tan((lo+hi)/2)
}
