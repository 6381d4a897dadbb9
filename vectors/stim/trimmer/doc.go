// Package trimmer has the sources of the block trimmer: directed cases with frames of every family and length, random
// packets among changes of configuration, and the packets that leave a simulated switch.
//
//	src, err := trimmer.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package trimmer
