package device

import (
	"fmt"
	"hash/fnv"
)

// Seed returns the simulator's seed for an episode of a run with the given seed: never 0, and different for every
// episode and every run.
func Seed(run uint64, episode string) uint32 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", run, episode)
	return uint32(h.Sum64()>>32) | 1
}
