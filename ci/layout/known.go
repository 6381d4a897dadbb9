package layout

import (
	"fmt"
	"slices"
)

// Known counts violations that are older than their rule, by folder or type. A count may fall but never rise.
type Known map[string]int

// Over returns a sorted list with a line for each name with more findings than both limit and its known count. what
// names the findings, cure the fix.
func (k Known) Over(found map[string]int, limit int, what, cure string) (out []string) {
	for name, n := range found {
		if most := max(k[name], limit); n > most {
			out = append(out, fmt.Sprintf("%s: %d %s, at most %d: %s", name, n, what, most, cure))
		}
	}
	slices.Sort(out)
	return out
}

// Fallen returns a sorted list with a line for each count that can be lowered.
func (k Known) Fallen(found map[string]int) (out []string) {
	for name, n := range k {
		if found[name] < n {
			out = append(out, fmt.Sprintf("%s: %d, now %d: lower the count in ci/layout/known.go", name, n, found[name]))
		}
	}
	slices.Sort(out)
	return out
}

// naming are the lines that name a block in packages that all blocks share.
var naming = Known{
	"cosim/network/loop": 1, // a simulated sender on hardware is one block
}

// long are the lines of Go with more than MaxColumns columns.
var long = Known{"cosim/engine/run": 6} // test texts that are harder to read in pieces
