package swift

import "slices"

// sample is a delay and when it was seen, us.
type sample struct{ at, delay float64 }

// window keeps the newest samples sorted. A sort for every ACK would cost as much as all else that a control does.
type window struct {
	past   []sample // the oldest first; those before old are dropped
	old    int
	from   int // sorted holds the delays of past[from:]
	sorted []float64
}

func (w *window) add(at, delay float64) {
	if w.old > 0 && len(w.past) == cap(w.past) {
		w.past = w.past[:copy(w.past, w.past[w.old:])]
		w.from -= w.old
		w.old = 0
	}
	w.past = append(w.past, sample{at, delay})
	w.insert(delay)
}

// kept returns the number of samples that are not dropped.
func (w *window) kept() int { return len(w.past) - w.old }

// oldest returns when the oldest sample that is not dropped was seen.
func (w *window) oldest() float64 { return w.past[w.old].at }

func (w *window) drop() {
	if w.from == w.old {
		w.remove()
	}
	w.old++
}

// newest returns the delays of the n newest samples, sorted, which must be there. They hold until the next call.
func (w *window) newest(n int) []float64 {
	for len(w.past)-w.from > n {
		w.remove()
	}
	for len(w.past)-w.from < n {
		w.from--
		w.insert(w.past[w.from].delay)
	}
	return w.sorted
}

func (w *window) insert(delay float64) {
	at, _ := slices.BinarySearch(w.sorted, delay)
	w.sorted = slices.Insert(w.sorted, at, delay)
}

func (w *window) remove() {
	at, _ := slices.BinarySearch(w.sorted, w.past[w.from].delay)
	w.sorted = slices.Delete(w.sorted, at, at+1)
	w.from++
}
