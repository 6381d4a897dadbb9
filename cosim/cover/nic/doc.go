// Package nic covers the block nic: what its host commands and gets back, what leaves at tx and in what order.
//
// Its watcher follows what a host writes, which depends on the order of the commands alone. It builds each packet
// again, byte by byte, from its note and from every template and register that was in force in a cycle in which the
// packet may have started.
package nic

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/nic"
)

// Coverage is how nic is covered.
var Coverage = cover.Block{Schema: nic.Schema, Watcher: func() cover.Watcher { return &watch{} }}
