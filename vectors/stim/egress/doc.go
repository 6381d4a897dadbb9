// Package egress has the sources of the block egress: directed cases at every threshold and of the scheduler, random
// phases of filling and draining, and the arrivals and departures at a simulated switch.
//
//	src, err := egress.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package egress
