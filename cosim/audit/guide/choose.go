package guide

import (
	"cmp"
	"slices"
)

// depth is how many cases of a corpus a bin counts in: a fault that acts rarely in a bin is seen in the second or
// third case that hits it.
const depth = 3

// share holds the worth of a bin in its first case, in its second, and so on.
var share = [depth]int{5, 2, 1}

// entry is a case with the bins that it hits.
type entry struct {
	of     int // its place in the pool
	gain   int
	events int
}

// choose returns the cases to keep in a corpus of so many events, as places in the pool. It chooses greedily: the case
// that adds most per event comes first, and a case that adds nothing to those before it is left out.
func choose(pool []tried, events int) (kept []int) {
	count := make([]uint8, 1<<binBits)
	worth := func(i int) (sum int) {
		for _, b := range pool[i].bins {
			if count[b] < depth {
				sum += share[count[b]]
			}
		}
		return sum
	}
	// Those worth most per event come last.
	order := func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.gain*b.events, b.gain*a.events), cmp.Compare(b.of, a.of))
	}
	var q []entry
	for i := range pool {
		q = append(q, entry{i, worth(i), pool[i].events})
	}
	slices.SortFunc(q, order)
	for len(q) > 0 {
		x := q[len(q)-1]
		q = q[:len(q)-1]
		if x.events > events {
			continue
		}
		if now := worth(x.of); now < x.gain { // cases chosen since then have some of its bins
			if x.gain = now; now > 0 {
				at, _ := slices.BinarySearchFunc(q, x, order)
				q = slices.Insert(q, at, x)
			}
			continue
		}
		if x.gain == 0 {
			break
		}
		kept = append(kept, x.of)
		events -= x.events
		for _, b := range pool[x.of].bins {
			if count[b] < depth {
				count[b]++
			}
		}
	}
	return kept
}
