package gen

import (
	"fmt"
	"strings"
)

// suites are those of all blocks, in the order in which they are listed.
var suites = []*Suite{&cccSuite, &txSuite, &egressSuite, &intmdSuite, &switchSuite, &trimmerSuite}

func suiteOf(block string) *Suite {
	for _, su := range suites {
		if su.Schema.Name == block {
			return su
		}
	}
	return nil
}

// Blocks returns the names of the blocks that have sources.
func Blocks() (names []string) {
	for _, su := range suites {
		names = append(names, su.Schema.Name)
	}
	return names
}

// Sources returns the names of the sources of a block, in order. An unknown block has none.
func Sources(block string) []string {
	if su := suiteOf(block); su != nil {
		return su.Names()
	}
	return nil
}

// Open returns a source of a block by its name, as Suite.Open does.
func Open(block, source string, o Options) (Source, error) {
	su := suiteOf(block)
	if su == nil {
		return nil, fmt.Errorf("block %q: unknown; known blocks: %s", block, strings.Join(Blocks(), ", "))
	}
	return su.Open(source, o)
}
