// Package txstate has the sources of the block txstate: directed cases as text (directed/), cases about its ports,
// constrained random episodes, and the connections of simulated NICs.
//
//	src, err := txstate.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package txstate
