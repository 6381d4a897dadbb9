// Package topo describes networks of hosts and switches, builds the usual ones,
// reads others from YAML and finds shortest paths.
//
//	g, err := topo.FatTree(topo.Tree{K: 8, Tiers: 3, Oversub: 1, Link: topo.Link{Gbps: 400, Latency: 957860}})
//	n, err := g.Net()                 // directed ports, those of a node in a row
//	r := n.Routes(nil)                // next hops of every switch
//
// Nodes are numbered hosts first; a host has one link. Latencies are
// picoseconds, rates Gb/s.
package topo
