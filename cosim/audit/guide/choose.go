package guide

import "container/heap"

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

// queue holds entries, those worth most per event first.
type queue []entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i].gain*q[j].events, q[j].gain*q[i].events
	if a != b {
		return a > b
	}
	return q[i].of < q[j].of
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push appends an entry.
func (q *queue) Push(x any) { *q = append(*q, x.(entry)) }

// Pop takes the last one.
func (q *queue) Pop() any {
	n := len(*q) - 1
	x := (*q)[n]
	*q = (*q)[:n]
	return x
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
	q := make(queue, 0, len(pool))
	for i := range pool {
		q = append(q, entry{i, worth(i), pool[i].events})
	}
	heap.Init(&q)
	for len(q) > 0 {
		x := heap.Pop(&q).(entry)
		if x.events > events {
			continue
		}
		if now := worth(x.of); now < x.gain { // cases chosen since then have some of its bins
			if x.gain = now; now > 0 {
				heap.Push(&q, x)
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
