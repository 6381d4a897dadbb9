// Package switchport covers the block switchport, the switch's port made of egress, trimmer and intmd: verdicts and
// thresholds, what packets wait for and in what order, what is booked and what leaves.
//
// Its watcher follows packets from rx to note, answer and tx. It sees what happens inside only by its effects at the
// ports, so it leaves out what a register or a grant may have changed meanwhile.
package switchport

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// Coverage is how switchport is covered.
var Coverage = cover.Block{Schema: switchport.Schema, Watcher: func() cover.Watcher { return &watch{} }}
