// Package txstate covers the block txstate: what every kind of event finds in its row, samples and their RTTs,
// evictions and generations of packet sequence numbers.
//
// Its watcher keeps the rows of the tables, up to a number of them, and compares what is found with them.
package txstate

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Coverage is how txstate is covered.
var Coverage = cover.Block{Schema: txstate.Schema, Watcher: func() cover.Watcher { return &watch{} }}
