package credit

import (
	_ "embed"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

//go:embed formats.yaml
var formatsText []byte

// Formats returns the number formats that contract.md gives the block, a new copy at each call.
func Formats() *formats.Table {
	t, err := formats.Parse(formatsText, Schema())
	if err != nil {
		panic(err) // a test parses the embedded text
	}
	return t
}
