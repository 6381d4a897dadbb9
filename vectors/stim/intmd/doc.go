// Package intmd has the sources of the block intmd: directed cases with frames of every family and length, random
// packets with counter reports, and the packets that leave a simulated switch.
//
//	src, err := intmd.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package intmd
