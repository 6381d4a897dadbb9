package block_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/stim"
)

// mostCycles of a directed case at any size. A case that goes on only when the driver relieves it, every
// stim.StuckCycles cycles, takes a hundred times as many.
const mostCycles = 3_000_000

// count counts cycles.
type count struct {
	judges
	cycles int
}

func (c *count) Cycle(in, out []uint64) { c.cycles++ }

// Directed cases end in time at each combination of least and large parameters; without GOLDWIRE_LONG at the least and
// at the large ones.
func TestDirectedCasesEndAtEverySize(t *testing.T) {
	for _, name := range block.Blocks() {
		b := lookup(name)
		for corner := range 1 << len(b.Schema.Params) {
			if corner != 0 && corner != 1<<len(b.Schema.Params)-1 && !launchtest.Longer() {
				continue
			}
			params := map[string]int{}
			for i, p := range b.Schema.Params {
				params[p.Name] = p.Min
				if corner>>i&1 != 0 {
					params[p.Name] = min(p.Max, 64)
				}
			}
			t.Run(fmt.Sprint(name, "/", params), func(t *testing.T) {
				src, err := block.Open(name, "directed", stim.Options{Seed: 1, Params: params})
				require.NoError(t, err)
				defer src.Close()
				for ep, ok := src.Next(); ok; ep, ok = src.Next() {
					var c count
					judged(t, b, params, ep, &c)
					require.Less(t, c.cycles, mostCycles, ep.Name)
				}
			})
		}
	}
}
