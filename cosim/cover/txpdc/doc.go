// Package txpdc covers the block txpdc: what commands, records, views, turns and the timer do, and which of them runs.
//
// Its watcher keeps PDCs, contexts and their list of its own, works out when each job runs, and compares every action
// and response.
package txpdc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Coverage is how txpdc is covered.
var Coverage = cover.Block{Schema: txpdc.Schema, Watcher: func() cover.Watcher { return &watch{} }}
