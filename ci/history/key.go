package history

import (
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
)

// Key is what failures that count as one have in common.
type Key struct {
	Block string `json:"block"`
	Field string `json:"field"` // the first that differs; of a run without fields, its test
	Kind  string `json:"kind"`  // of the event; "-" where there is none
}

// kind matches the kind in the text of an event, such as "accepted last: ACK ctx=5".
var kind = regexp.MustCompile(`\b[A-Z][A-Z0-9_]+\b`)

// KeyOf returns the key of a failed run.
func KeyOf(block, test string, f *campaign.Failure) Key {
	if f == nil || f.Field == "" {
		k := Key{Block: block, Field: "(" + test + ")", Kind: "-"}
		if f != nil {
			k.Kind = kindOf(f.Event)
		}
		return k
	}
	return Key{Block: block, Field: f.Field, Kind: kindOf(f.Event)}
}

func kindOf(event string) string {
	if k := kind.FindString(event); k != "" {
		return k
	}
	if words := strings.Fields(event); len(words) > 0 {
		return words[0]
	}
	return "-"
}
