// Package egress covers the block egress: verdicts and thresholds of packets, trims, ECN, the scheduler, the pause
// request, registers and state words.
//
// Its watcher works out from the handshakes in which order the events of both streams take effect, plays queues and
// scheduler in that order, and compares every response.
package egress

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// Coverage is how egress is covered.
var Coverage = cover.Block{Schema: egress.Schema, Watcher: func() cover.Watcher { return &watch{} }}
