// Package trimmer covers the block trimmer: why packets are trimmed or not, to what length, what is rewritten, and its
// counters and registers.
//
// Its watcher works out in which cycle each packet is decided on, decides itself, and compares what leaves.
package trimmer

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Coverage is how trimmer is covered.
var Coverage = cover.Block{Schema: trimmer.Schema, Watcher: func() cover.Watcher { return &watch{} }}
