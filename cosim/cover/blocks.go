package cover

import "fmt"

// blocks are the covered blocks.
var blocks = []Block{cccCoverage, txCoverage, egressCoverage, trimmerCoverage, intmdCoverage, switchCoverage}

// Blocks returns the names of the covered blocks.
func Blocks() []string {
	var names []string
	for _, b := range blocks {
		names = append(names, b.Schema().Name)
	}
	return names
}

// New returns an empty collector for the block of that name with the given elaboration parameters; missing ones have
// their schema default. It errors when the block is unknown.
func New(block string, params map[string]int) (*Collector, error) {
	for _, b := range blocks {
		if b.Schema().Name == block {
			return newCollector(b, params), nil
		}
	}
	return nil, fmt.Errorf("coverage of block %q: unknown; known blocks: %v", block, Blocks())
}
