// Package near finds the name that the user most likely meant.
package near

import (
	"fmt"
	"slices"
	"strings"
)

// Name returns the name that was most likely meant: one that differs by one edit, or that name is the beginning or the
// end of, or the one with the fewest edits, at most a third of its letters. It returns "" when none is near.
func Name(name string, all []string) string {
	name = strings.ToLower(name)
	if name == "" {
		return ""
	}
	best, edits := "", max(1, len(name)/3)+1
	for _, x := range all {
		if d := Distance(name, strings.ToLower(x)); d < edits {
			best, edits = x, d
		}
	}
	if best != "" && edits <= 1 || len(name) < 3 {
		return best
	}
	for _, x := range all {
		if l := strings.ToLower(x); strings.HasPrefix(l, name) || strings.HasSuffix(l, name) {
			return x
		}
	}
	return best
}

// Distance counts the letters to insert, delete, replace or swap with a neighbour to get from a to b.
func Distance(a, b string) int {
	prev2, prev, cur := []int(nil), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, make([]int, len(b)+1)
	}
	return prev[len(b)]
}

// Known returns nil when name is one of all, else an error with the nearest name, or all of them when they are few;
// listing is the command that prints them.
func Known(what, name string, all []string, listing string) error {
	if slices.Contains(all, name) {
		return nil
	}
	s := fmt.Sprintf("unknown %s %q", what, name)
	if meant := Name(name, all); meant != "" {
		s += fmt.Sprintf("; did you mean %q?", meant)
	} else if len(all) <= 8 {
		s += "; known: " + strings.Join(all, ", ")
	}
	return fmt.Errorf("%s (%s shows all)", s, listing)
}
