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
	"cosim/diff": 2, // it runs the rules of this block in other arithmetics
}

// long are the lines of Go with more than MaxColumns columns.
var long = Known{
	"bridge/conform":                   1,
	"bridge/serve":                     2,
	"ci":                               1,
	"ci/distrust":                      43,
	"ci/layout":                        8,
	"cosim/bind":                       4,
	"cosim/block":                      3,
	"cosim/capture":                    1,
	"cosim/cmd/goldwire":               104,
	"cosim/elastic":                    7,
	"cosim/fault":                      1,
	"cosim/loop":                       1,
	"cosim/precision":                  4,
	"cosim/report":                     2,
	"cosim/run":                        37,
	"golden/fabric":                    1,
	"rtlmodel/beats":                   1,
	"rtlmodel/ccc":                     8,
	"rtlmodel/clk":                     3,
	"rtlmodel/egress":                  8,
	"rtlmodel/fxp":                     2,
	"rtlmodel/intmd":                   5,
	"rtlmodel/switchport":              31,
	"rtlmodel/trimmer":                 4,
	"rtlmodel/trimmer/frames":          4,
	"rtlmodel/txstate":                 3,
	"vectors/event/internal/schemagen": 4,
	"vectors/record":                   2,
	"vectors/stim":                     5,
	"vectors/stim/casefile":            2,
	"vectors/stim/ccc":                 3,
	"vectors/stim/egress":              10,
	"vectors/stim/intmd":               8,
	"vectors/stim/schema":              21,
	"vectors/stim/switchport":          12,
	"vectors/stim/timing":              2,
	"vectors/stim/traffic":             1,
	"vectors/stim/trimmer":             4,
	"vectors/tool/suite":               1,
}
