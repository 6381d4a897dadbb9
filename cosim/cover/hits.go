package cover

import (
	"cmp"
	"fmt"
	"strings"
)

// Hits are the counts of all bins, by their place in the plan.
type Hits []uint64

// If counts a bin if the condition holds.
func (h Hits) If(on bool, bin int) {
	if on {
		h[bin]++
	}
}

// Each counts, of the bins from one on, those whose condition holds.
func (h Hits) Each(bin int, on ...bool) {
	for i, x := range on {
		if x {
			h[bin+i]++
		}
	}
}

// Near counts, of three bins from one on, that of the difference -1, 0 or 1, and no bin for any other.
func (h Hits) Near(bin int, difference int64) {
	if difference >= -1 && difference <= 1 {
		h[bin+1+int(difference)]++
	}
}

// Long counts what an episode has of something, once that is 2^16 or more.
type Long struct {
	bins Cross
	n    uint64
}

// Define adds the bins.
func (l *Long) Define(p *Plan, name string) { l.bins = p.Add(name, Labels("2^16 2^17")) }

// Count takes one more.
func (l *Long) Count(hits Hits) {
	if l.n++; l.n >= 1<<16 {
		hits[l.bins.At1(Bit(l.n >= 1<<17))]++
	}
}

// Clear is what a reset does.
func (l *Long) Clear() { l.n = 0 }

// Labels splits labels at blanks.
func Labels(s string) []string { return strings.Fields(s) }

// Numbers returns the labels lo..hi.
func Numbers(lo, hi int) []string {
	var out []string
	for i := lo; i <= hi; i++ {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

// Labels of the sides of a threshold, and of the near ones alone.
var (
	Sides     = Labels("far_below one_below equal one_above far_above")
	NearSides = Labels("one_below equal one_above")
)

// YesNo are the labels of a bit.
var YesNo = Labels("0 1")

// Side places a against a threshold b: 0 far below to 4 far above.
func Side(a, b int64) int {
	return int(min(max(a-b, -2), 2)) + 2 // no branch: traffic goes either way
}

// Bit is 1 for true.
func Bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// First returns the place of the first condition that holds, and their number where none does.
func First(on ...bool) int {
	for i, x := range on {
		if x {
			return i
		}
	}
	return len(on)
}

// Among returns the place of x among values, and their number where it is none of them.
func Among[T comparable](x T, values ...T) int {
	for i, v := range values {
		if v == x {
			return i
		}
	}
	return len(values)
}

// Band returns how many of the limits x has reached, which stand in ascending order.
func Band[T cmp.Ordered](x T, limits ...T) (n int) {
	for _, l := range limits {
		if x >= l {
			n++
		}
	}
	return n
}
