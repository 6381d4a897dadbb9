// Package nic covers the block nic: what its host commands and gets back, what leaves at tx and in what order.
//
// Its watcher follows what a host writes, as the order of the commands alone decides it, and makes each packet anew,
// byte by byte, from its note and from every template and register that was in force in some cycle in which the packet
// can have been begun.
package nic

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/nic"
)

// Coverage is how nic is covered.
var Coverage = cover.Block{Schema: nic.Schema, Watcher: func() cover.Watcher { return &watch{} }}
