// Package switchport has the sources of the block switchport: directed cases at every threshold and with a full buffer,
// random packets and grants, and the packets that pass a simulated switch.
//
//	src, err := switchport.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package switchport
