package event

import (
	"slices"
	"strings"
)

// Cause returns the input stream whose events the transfers of an output stream answer one by one, by its
// name, or -1.
func Cause(ins, outs []string, out int) int {
	known := map[string]string{"rsp": "ev", "gr": "grant", "note": "rx", "tx": "rx"}
	name := outs[out]
	from, ok := known[name]
	switch {
	case len(ins) == 1 && len(outs) == 1:
		return 0
	case !ok:
		from = strings.TrimSuffix(name, "r")
	case name == "tx" && slices.Contains(outs, "note"):
		return -1 // packets leave in another order than they came
	}
	return slices.Index(ins, from)
}
