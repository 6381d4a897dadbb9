// Package ccc has the sources of the block ccc: directed cases as text (directed/), cases about its ports, constrained
// random episodes, aimed at thresholds by a shadow of the block's state, and the contexts of simulated NICs.
//
//	src, err := ccc.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package ccc
