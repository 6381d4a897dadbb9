// Package ackparse covers the block ackparse: why packets are dropped, what records they give, and its counters and
// registers.
//
// Its watcher works out in which cycle each packet ends, judges it itself, and compares every field of the records.
package ackparse

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
)

// Coverage is how ackparse is covered.
var Coverage = cover.Block{Schema: ackparse.Schema, Watcher: func() cover.Watcher { return &watch{} }}
