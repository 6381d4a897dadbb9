package cover

import (
	"cmp"
	"fmt"
	"strings"
)

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
