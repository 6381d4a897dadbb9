package cover

import (
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
