// Package credit covers the block credit: what each event does, pulls of both lists, and the pace of pulls.
//
// Its watcher keeps senders and lists of its own, works out when each job runs, and compares every response and pull.
package credit

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/credit"
)

// Coverage is how credit is covered.
var Coverage = cover.Block{Schema: credit.Schema, Watcher: func() cover.Watcher { return &watch{} }}
