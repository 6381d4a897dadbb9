package settings

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// hop is one link of a path.
type hop struct {
	gbps    int
	latency units.Picos
}

func (s Spec) Shape() Topology {
	if s.Topology == "" {
		return FatTree
	}
	return s.Topology
}

// Topologies returns the names that Spec.Topology can take.
func Topologies() []Topology {
	return []Topology{FatTree, LeafSpine, Dumbbell, FirstHop, MiddleHop, LastHop, CustomFile, Custom}
}

func (s Spec) tiers() int {
	if s.Tiers == 0 {
		return 3
	}
	return s.Tiers
}

// Hosts returns the number of hosts of the topology, 0 when it has none yet: a
// file that has not been loaded.
func (s Spec) Hosts() int {
	switch s.Shape() {
	case FatTree:
		if s.tiers() == 2 {
			return s.K * s.K / 2
		}
		return s.K * s.K * s.K / 4
	case LeafSpine:
		return s.Leaves * s.LeafHosts
	case Dumbbell:
		return 2 * s.Senders
	case FirstHop, MiddleHop, LastHop:
		return 3
	}
	if s.Graph != nil {
		return s.Graph.Hosts
	}
	return 0
}

// Network returns the graph of the topology; it errors when that is impossible
// or its file cannot be read.
func (s Spec) Network() (*topo.Graph, error) {
	link := topo.Link{Gbps: s.LinkGbps, Latency: int64(s.LinkLatency)}
	up := [2]topo.Link{}
	for i := range up {
		up[i] = topo.Link{Gbps: s.TierGbps[i], Latency: int64(s.TierLatency[i])}
	}
	if s.Graph != nil {
		return s.Graph, nil
	}
	switch s.Shape() {
	case FatTree:
		return topo.FatTree(topo.Tree{K: s.K, Tiers: s.tiers(), Oversub: s.Oversub, Link: link, Up: up})
	case LeafSpine:
		return topo.LeafSpine(s.Leaves, s.LeafHosts, s.Spines, link, up[0])
	case Dumbbell:
		if s.Senders < 1 || s.Senders > 4096 {
			return nil, fmt.Errorf("senders = %d: want 1 to 4096", s.Senders)
		}
		at := make([]int, 2*s.Senders)
		for i := range s.Senders {
			at[s.Senders+i] = s.Switches - 1
		}
		return topo.Chain(s.Switches, at, link, up[0])
	case FirstHop:
		return topo.Chain(3, []int{0, 0, 2}, link, up[0])
	case MiddleHop:
		return topo.Chain(3, []int{0, 1, 2}, link, up[0])
	case LastHop:
		return topo.Chain(3, []int{0, 2, 2}, link, up[0])
	case CustomFile:
		if s.TopologyFile == "" {
			return nil, errors.New("want a file")
		}
		text, err := traffic.ReadRegular(s.TopologyFile)
		if err != nil {
			return nil, fmt.Errorf("topology file: %w", err)
		}
		g, err := topo.Parse(text, link)
		if err != nil {
			return nil, fmt.Errorf("topology file %s: %w", s.TopologyFile, err)
		}
		return g, nil
	case Custom:
		return nil, fmt.Errorf("topology = %s: there is no graph; set Graph", Custom)
	}
	return nil, fmt.Errorf("topology = %s: want one of %v", s.Topology, Topologies())
}

// Layout returns the directed form of the network: the numbers and names of the ports used by port taps and depth
// series. It errors as Network does.
func (s Spec) Layout() (*topo.Net, error) {
	g, err := s.Network()
	if err != nil {
		return nil, err
	}
	return g.Net()
}

// longest returns the links of the longest shortest path between two hosts.
func (s Spec) longest() []hop {
	host := hop{s.LinkGbps, s.LinkLatency}
	up := [2]hop{host, host}
	for i := range up {
		if s.TierGbps[i] > 0 {
			up[i].gbps = s.TierGbps[i]
		}
		if s.TierLatency[i] > 0 {
			up[i].latency = s.TierLatency[i]
		}
	}
	chain := func(switches int) []hop {
		path := []hop{host, host}
		for range switches - 1 {
			path = append(path, up[0])
		}
		return path
	}
	switch s.Shape() {
	case FatTree:
		if s.tiers() == 3 {
			return []hop{host, up[0], up[1], up[1], up[0], host}
		}
		return []hop{host, up[0], up[0], host}
	case LeafSpine:
		if s.Leaves == 1 {
			return []hop{host, host}
		}
		return []hop{host, up[0], up[0], host}
	case Dumbbell:
		return chain(max(s.Switches, 1))
	case FirstHop, MiddleHop, LastHop:
		return chain(3)
	}
	if s.Graph == nil {
		return []hop{host, host}
	}
	return longestOf(s.Graph)
}

// longestOf looks at the paths between all hosts, of which those at one switch
// with equal links count once.
func longestOf(g *topo.Graph) []hop {
	n, err := g.Net()
	if err != nil {
		return nil
	}
	r := n.Routes(nil)
	type end struct {
		sw, gbps int32
		latency  int64
	}
	seen, heads := map[end]int{}, []int32{}
	for h := range int32(g.Hosts) {
		p := n.Ports[h]
		e := end{p.To, int32(p.Gbps), p.Latency}
		// Two hosts of each kind, so that neighbours are seen too.
		if seen[e]++; seen[e] <= 2 {
			heads = append(heads, h)
		}
	}
	if len(heads) > 512 {
		heads = heads[:512]
	}
	var best []hop
	most := units.Picos(-1)
	for _, a := range heads {
		for _, b := range heads {
			path := walk(n, r, a, b)
			sum := units.Picos(0)
			for _, h := range path {
				sum += 2*h.latency + units.Picos(units.PerByte(h.gbps))*4160
			}
			if a != b && sum > most {
				best, most = path, sum
			}
		}
	}
	return best
}

// walk returns the links of a shortest path from host a to b, none when there is
// no way.
func walk(n *topo.Net, r *topo.Routes, a, b int32) []hop {
	var path []hop
	for port := a; ; {
		p := &n.Ports[port]
		path = append(path, hop{p.Gbps, units.Picos(p.Latency)})
		if p.To == b {
			return path
		}
		if p.To < int32(n.Hosts) {
			return nil
		}
		hops := r.Hops(p.To-int32(n.Hosts), b)
		if len(hops) == 0 {
			return nil
		}
		port = hops[0]
	}
}
