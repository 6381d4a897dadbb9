// Package blocks is the list of the covered blocks.
//
//	c, err := blocks.New("ccc", nil)
package blocks

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/ccc"
	"github.com/goldwire/goldwire/cosim/cover/egress"
	"github.com/goldwire/goldwire/cosim/cover/intmd"
	"github.com/goldwire/goldwire/cosim/cover/switchport"
	"github.com/goldwire/goldwire/cosim/cover/trimmer"
	"github.com/goldwire/goldwire/cosim/cover/txstate"
)

// list are the covered blocks.
var list = []cover.Block{ccc.Coverage, txstate.Coverage, egress.Coverage, trimmer.Coverage, intmd.Coverage,
	switchport.Coverage}

// Names returns the names of the covered blocks.
func Names() []string {
	var names []string
	for _, b := range list {
		names = append(names, b.Schema().Name)
	}
	return names
}

// New returns an empty collector for the block of that name with the given elaboration parameters; missing ones have
// their schema default. It errors when the block is unknown.
func New(block string, params map[string]int) (*cover.Collector, error) {
	for _, b := range list {
		if b.Schema().Name == block {
			return cover.New(b, params), nil
		}
	}
	return nil, fmt.Errorf("coverage of block %q: unknown; known blocks: %v", block, Names())
}
