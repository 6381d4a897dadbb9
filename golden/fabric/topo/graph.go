// Package topo describes networks of hosts and switches, builds the usual ones,
// reads others from YAML and finds shortest paths.
//
//	g, err := topo.FatTree(topo.Tree{K: 8, Tiers: 3, Oversub: 1, Link: topo.Link{Gbps: 400, Latency: 957860}})
//	n, err := g.Net()                 // directed ports, those of a node in a row
//	r := n.Routes(nil)                // next hops of every switch
//
// Nodes are numbered hosts first; a host has one link. Latencies are picoseconds, rates Gb/s.
package topo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/golden/units"
)

// Link joins nodes A and B in both directions.
type Link struct {
	A, B    int32
	Gbps    units.Gbps // rate of each direction
	Latency int64      // picoseconds
}

// Range is the routing rule of a switch in a tree: hosts Lo to Hi-1 are reached through its first ports, one for each
// Per of them, all others through any of the ports after those.
type Range struct{ Lo, Hi, Per int32 }

// Graph is a network. Names are those of the nodes, hosts first. Ranges, one
// for each switch, is nil if the network is not a tree of host ranges.
type Graph struct {
	Hosts  int
	Names  []string
	Links  []Link
	Ranges []Range
}

// MaxLinks bounds what one run can simulate in reasonable memory.
const MaxLinks = 1 << 19

// MaxHosts bounds the size of a network.
const MaxHosts = 1 << 16

// Port is one direction of a link.
type Port struct {
	From, To int32
	Rev      int32 // the other direction
	Link     int32 // index in Graph.Links
	Gbps     units.Gbps
	Latency  int64
}

// Net is a graph as directed ports: port h is that of host h, and those of a
// switch follow one another in the order of the links.
type Net struct {
	*Graph
	Ports []Port
	First []int32 // of node i: its ports are First[i] to First[i+1]-1

	single []int32 // the numbers of the ports, as storage for sets of one
}

// Net returns the directed form of the graph. It errors when a link has an end that does not exist, an impossible rate
// or latency, or when a host has not exactly one link, or a link joins two hosts.
func (g *Graph) Net() (*Net, error) {
	nodes := len(g.Names)
	if g.Hosts < 2 || g.Hosts > MaxHosts || nodes <= g.Hosts {
		return nil, fmt.Errorf("hosts: %d hosts and %d switches: want 2 to %d hosts and a switch", g.Hosts,
			nodes-g.Hosts, MaxHosts)
	}
	degree := make([]int32, nodes+1)
	for i, l := range g.Links {
		at := func(what string) error { return fmt.Errorf("links[%d]: %s", i, what) }
		switch {
		case l.A < 0 || int(l.A) >= nodes || l.B < 0 || int(l.B) >= nodes:
			return nil, at("an end that is no node")
		case l.A == l.B:
			return nil, at("both ends are " + g.Names[l.A])
		case int(l.A) < g.Hosts && int(l.B) < g.Hosts:
			return nil, at("joins two hosts; put a switch between them")
		case !l.Gbps.Valid():
			return nil, fmt.Errorf("links[%d].gbps: %v: want %s", i, l.Gbps, units.RateWant)
		case l.Latency <= 0 || l.Latency > 1e12:
			return nil, fmt.Errorf("links[%d].latency: %d ps: want 1 to 10^12", i, l.Latency)
		}
		degree[l.A]++
		degree[l.B]++
	}
	n := &Net{Graph: g, First: make([]int32, nodes+1), Ports: make([]Port, 2*len(g.Links))}
	for i := range nodes {
		if i < g.Hosts && degree[i] != 1 {
			return nil, fmt.Errorf("hosts: %s has %d links: want one", g.Names[i], degree[i])
		}
		n.First[i+1] = n.First[i] + degree[i]
	}
	next := append([]int32(nil), n.First...)
	for i, l := range g.Links {
		a, b := next[l.A], next[l.B]
		next[l.A]++
		next[l.B]++
		n.Ports[a] = Port{From: l.A, To: l.B, Rev: b, Link: int32(i), Gbps: l.Gbps, Latency: l.Latency}
		n.Ports[b] = Port{From: l.B, To: l.A, Rev: a, Link: int32(i), Gbps: l.Gbps, Latency: l.Latency}
	}
	return n, nil
}

// Name returns the name of a port, as in "tor0->agg1"; of several between the same
// nodes it ends in their number in the order of the links, as in "tor0->agg1#2".
func (n *Net) Name(port int32) string {
	p := &n.Ports[port]
	return n.Names[p.From] + "->" + n.Names[p.To] + n.number(port)
}

// Which returns the number that the name of a link ends in, as in "#2", empty when
// the link is the only one between its nodes.
func (n *Net) Which(link int32) string {
	from := n.Links[link].A
	for i := n.First[from]; i < n.First[from+1]; i++ {
		if n.Ports[i].Link == link {
			return n.number(i)
		}
	}
	return ""
}

// number returns what tells a port from others between the same nodes.
func (n *Net) number(port int32) string {
	p := &n.Ports[port]
	number, all := 0, 0
	for i := n.First[p.From]; i < n.First[p.From+1]; i++ {
		if n.Ports[i].To != p.To {
			continue
		}
		if all++; i <= port {
			number++
		}
	}
	if all == 1 {
		return ""
	}
	return "#" + strconv.Itoa(number)
}

// FindLink returns the link of that name, its two ends joined by "-" in either order; of several between the same nodes
// the name ends in their number, as in "tor0-agg1#2". It errors when there is none, and when there are several and no
// number says which.
func (g *Graph) FindLink(name string) (int32, error) {
	all := func(name string) (out []int32) {
		for i, l := range g.Links {
			a, b := g.Names[l.A], g.Names[l.B]
			if name == a+"-"+b || name == b+"-"+a {
				out = append(out, int32(i))
			}
		}
		return out
	}
	like := g.Names[g.Links[0].A] + "-" + g.Names[g.Links[0].B]
	return find("link", name, like, all)
}

// FindPort returns the port of that name, as in "tor0->agg1", or "tor0->agg1#2" of several; it errors when there is
// none, and when there are several and no number says which.
func (n *Net) FindPort(name string) (int32, error) {
	all := func(name string) (out []int32) {
		for i := range n.Ports {
			if p := &n.Ports[i]; n.Names[p.From]+"->"+n.Names[p.To] == name {
				out = append(out, int32(i))
			}
		}
		return out
	}
	return find("port", name, n.Name(0), all)
}

// find returns what a name stands for; all are the candidates for the name without its number.
func find(what, name, like string, all func(string) []int32) (int32, error) {
	switch one := all(name); {
	case len(one) == 1:
		return one[0], nil
	case len(one) > 1:
		return 0, fmt.Errorf("%s %q: there are %d of that name; say which, from %s#1 to %s#%d", what, name, len(one),
			name, name, len(one))
	}
	if at := strings.LastIndexByte(name, '#'); at >= 0 {
		some := all(name[:at])
		if k, err := strconv.Atoi(name[at+1:]); err == nil && k >= 1 && k <= len(some) && strconv.Itoa(k) == name[at+1:] {
			return some[k-1], nil
		}
	}
	return 0, fmt.Errorf("%s %q: no such %s; names are like %s", what, name, what, like)
}
