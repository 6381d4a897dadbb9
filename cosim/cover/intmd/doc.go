// Package intmd covers the block intmd: why an entry is inserted or not and where, what it holds, the table and its
// periods, and its counters and registers.
//
// Its watcher works out in which cycle each packet is decided on and looks the table up, follows both, and compares
// what leaves.
package intmd

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// Coverage is how intmd is covered.
var Coverage = cover.Block{Schema: intmd.Schema, Watcher: func() cover.Watcher { return &watch{} }}
