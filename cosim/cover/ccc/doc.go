// Package ccc covers the block ccc: kinds of events and their answers, thresholds and their sides, flags, saturations
// and underflows, the paths through quick adapt, profiles and registers.
//
// Its watcher keeps an account of every context and of the registers of every profile. It copies what a response shows
// and works out from the flags what stays hidden. Each READ is compared with the account.
package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Coverage is how ccc is covered.
var Coverage = cover.Block{Schema: ccc.Schema, Watcher: func() cover.Watcher { return &watch{} }}
