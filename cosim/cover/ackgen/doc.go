// Package ackgen covers the block ackgen: why packets are dropped, what becomes of the others and why, every field of
// the answers, and its words, counters and registers.
//
// Its watcher works out when each packet ends and when its job runs, keeps PDCs of its own, and compares every byte of
// the answers and every indication.
package ackgen

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Coverage is how ackgen is covered.
var Coverage = cover.Block{Schema: ackgen.Schema, Watcher: func() cover.Watcher { return &watch{} }}
