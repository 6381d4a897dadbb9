// Package traffic makes workloads: lists of messages between hosts, each with a
// size, a start or messages to wait for, and the connection that carries it.
//
//	r := rand.New(rand.NewPCG(seed, 1))
//	msgs := traffic.Ring(r.Perm(128), 8<<20, 2*127)
//
// Messages of one connection are sent in the order of the list. Times are
// picoseconds, sizes payload bytes. The flow-size tables are those published
// with the traffic generator of the HPCC authors' simulator.
package traffic
