package layout

import (
	"fmt"
	"sort"
)

// Known is how often folders, or types, break a rule that is younger than they are. A count may fall and never rise.
type Known map[string]int

// Over returns one line, sorted, for each name with more findings than limit and than is known of it. What is what a
// count counts, and cure is what to do.
func (k Known) Over(found map[string]int, limit int, what, cure string) (out []string) {
	for name, n := range found {
		if most := max(k[name], limit); n > most {
			out = append(out, fmt.Sprintf("%s: %d %s, at most %d: %s", name, n, what, most, cure))
		}
	}
	sort.Strings(out)
	return out
}

// Fallen returns one line for each count that can be lowered, sorted.
func (k Known) Fallen(found map[string]int) (out []string) {
	for name, n := range k {
		if found[name] < n {
			out = append(out, fmt.Sprintf("%s: %d, now %d: lower the count in ci/layout/known.go", name, n, found[name]))
		}
	}
	sort.Strings(out)
	return out
}

// crowded are the packages with more than MaxFiles source files.
var crowded = Known{}

// broad are the types with more than MaxMethods methods.
var broad = Known{}

// naming are the lines that name a block in packages that all blocks share.
var naming = Known{
	"cosim/loop": 1, // a sender of the fabric on hardware is this block
}

// long are the lines of Go with more than MaxColumns columns.
var long = Known{"cosim/run": 6} // texts of tests that read worse in pieces
