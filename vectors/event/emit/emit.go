// Package emit generates at build time, for a block of a user's schema, what `make gen` generates for the blocks of
// this tree.
//
//	ports := emit.Ports(b) // text of <block>_ports.h: how cycle records meet the Verilated model's ports
package emit

import (
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/internal/schemagen"
)

// Ports returns the text of the C++ port table of a block that Validate accepts.
func Ports(b *event.Block) string { return string(schemagen.Ports(b)) }
