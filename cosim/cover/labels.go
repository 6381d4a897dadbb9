package cover

import (
	"fmt"
	"strings"
)

// words splits labels at blanks.
func words(s string) []string { return strings.Fields(s) }

// numbers returns the labels lo..hi.
func numbers(lo, hi int) []string {
	var out []string
	for i := lo; i <= hi; i++ {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

// Labels of the sides of a threshold, and of the near ones alone.
var (
	sides     = words("far_below one_below equal one_above far_above")
	nearSides = words("one_below equal one_above")
)

// yesNo are the labels of a bit.
var yesNo = words("0 1")

// side places a against a threshold b: 0 far below to 4 far above.
func side(a, b int64) int {
	return int(min(max(a-b, -2), 2)) + 2 // no branch: traffic goes either way
}

// b2i is 1 for true.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
