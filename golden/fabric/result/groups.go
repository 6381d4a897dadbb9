package result

import (
	"cmp"
	"math"
	"slices"
)

// Group is the completion times, in microseconds, of the finished flows of one kind and size.
type Group struct {
	CC         string `json:"cc,omitempty"` // that the flows name, "" for that of the run
	LB         string `json:"lb,omitempty"`
	Mark       bool   `json:"mark,omitempty"`
	Background bool   `json:"background,omitempty"`
	Bytes      int64  `json:"bytes_up_to"` // a power of ten
	Spread
}

// Spread is a distribution: percentiles are the smallest value that at least that share does not exceed.
type Spread struct {
	Flows int     `json:"flows"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// spread sorts values, of which there must be some, and returns their distribution.
func spread(v []float64) Spread {
	slices.Sort(v)
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return Spread{len(v), sum / float64(len(v)), rank(v, 50), rank(v, 99), v[len(v)-1]}
}

// rank returns the smallest of sorted values that at least percent of them do not exceed.
func rank(sorted []float64, percent int) float64 { return sorted[(len(sorted)*percent+99)/100-1] }

// powerOfTen returns the least power of ten that is no less than n.
func powerOfTen(n int64) int64 {
	k := int64(1)
	for k < n {
		k *= 10
	}
	return k
}

// compare orders groups by kind, then by size.
func (g Group) compare(o Group) int {
	kind := func(g Group) int { return 2*bit(g.Background) + bit(g.Mark) }
	return cmp.Or(cmp.Compare(kind(g), kind(o)), cmp.Compare(g.CC, o.CC), cmp.Compare(g.LB, o.LB),
		cmp.Compare(g.Bytes, o.Bytes))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// groups returns the finished flows by kind and size, nil when all flows are of one kind.
func groups(flows []*FlowResult) (out []Group) {
	times := map[Group][]float64{}
	kinds := map[Group]bool{}
	for _, f := range flows {
		g := Group{CC: f.CC, LB: f.LB, Mark: f.Mark, Background: f.Background}
		kinds[g] = true
		if !f.Done() {
			continue
		}
		g.Bytes = powerOfTen(f.Bytes)
		times[g] = append(times[g], (f.Acked - f.Start).Micros())
	}
	if len(kinds) < 2 {
		return nil
	}
	for g, v := range times {
		g.Spread = spread(v)
		g.Mean = withError(v).Mean
		out = append(out, g)
	}
	slices.SortFunc(out, Group.compare)
	return out
}

// ErrorOver is the mean over seeds of figures, and the standard error of that mean; microseconds.
type ErrorOver struct {
	Seeds int       `json:"seeds"` // that finished a flow
	Mean  WithError `json:"mean"`
	P50   WithError `json:"p50"`
	P99   WithError `json:"p99"`
	Max   WithError `json:"max"`
	CCT   WithError `json:"cct"`
}

// WithError is a mean and its standard error.
type WithError struct {
	Mean  float64 `json:"mean"`
	Error float64 `json:"error"`
}

// errorOver returns nil when fewer than two runs finished a flow.
func errorOver(runs []Summary) *ErrorOver {
	var v [5][]float64
	for i := range runs {
		if r := &runs[i]; r.FCT.Flows > 0 {
			for k, x := range []float64{r.FCT.Mean, r.FCT.P50, r.FCT.P99, r.FCT.Max, float64(r.CCT)} {
				v[k] = append(v[k], x)
			}
		}
	}
	if len(v[0]) < 2 {
		return nil
	}
	return &ErrorOver{len(v[0]), withError(v[0]), withError(v[1]), withError(v[2]), withError(v[3]), withError(v[4])}
}

func withError(v []float64) (w WithError) {
	n := float64(len(v))
	for _, x := range v {
		w.Mean += x / n
	}
	squares := 0.0
	for _, x := range v {
		squares += float64((x - w.Mean) * (x - w.Mean))
	}
	w.Error = math.Sqrt(squares / (n - 1) / n)
	return w
}
