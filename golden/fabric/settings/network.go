package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// longest is a second of simulated time in picoseconds, far beyond any use.
const longest = 1e12

// PauseBytes is the size of a priority flow control frame.
const PauseBytes = 64

// Shape returns the topology, of which the empty one is a fat tree.
func (s Spec) Shape() Topology {
	if s.Topology == "" {
		return FatTree
	}
	return s.Topology
}

func (s *Spec) tiers() int {
	if s.Tiers == 0 {
		return 3
	}
	return s.Tiers
}

// graph reports whether the topology is a graph with links of its own.
func (s *Spec) graph() bool { t := s.Shape(); return t == CustomFile || t == Custom }

// Hosts returns the number of hosts of the topology, 0 when it has none yet: a file that has not been loaded.
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

// hostLimit is the number of hosts, or a bound of it while the network's file is not read.
func (s *Spec) hostLimit() int {
	if s.Shape() == CustomFile && s.Graph == nil {
		return topo.MaxHosts
	}
	return s.Hosts()
}

// SenderCount is the number of hosts that converge.
func (s Spec) SenderCount() int {
	if s.Senders == 0 && s.Shape() != Dumbbell {
		return s.Hosts() - 1
	}
	return s.Senders
}

// MediumElephants reports whether some data has queues of its own, in the medium class.
func (s Spec) MediumElephants() bool { return s.Workload == Elephants && s.ElephantClass == "medium" }

// OnePath reports whether there is only one path between any two hosts.
func (s *Spec) OnePath() bool {
	switch s.Shape() {
	case Dumbbell, FirstHop, MiddleHop, LastHop:
		return true
	case LeafSpine:
		return s.Spines == 1 || s.Leaves == 1
	case FatTree:
		return s.tiers() == 2 && s.K/2 == s.Oversub
	}
	// Of a graph: as many links as make a tree, which Net has found connected or not.
	return s.Graph != nil && len(s.Graph.Links) < len(s.Graph.Names)
}

// links returns the kinds of links: of the hosts, and above the first and the second tier of switches.
func (s *Spec) links() (host topo.Link, up [2]topo.Link) {
	host = topo.Link{Gbps: s.LinkGbps, Latency: int64(s.LinkLatency)}
	for i := range up {
		up[i] = topo.Link{Gbps: s.TierGbps[i], Latency: int64(s.TierLatency[i])}.Or(host)
	}
	return host, up
}

// threeSwitches are the switches of the hosts in a chain of three.
var threeSwitches = map[Topology][]int{FirstHop: {0, 0, 2}, MiddleHop: {0, 1, 2}, LastHop: {0, 2, 2}}

// Network returns the graph of the topology; it errors when that is impossible or its file cannot be read.
func (s Spec) Network() (*topo.Graph, error) {
	if s.Graph != nil {
		return s.Graph, nil
	}
	link, up := s.links()
	switch shape := s.Shape(); shape {
	case FatTree:
		return topo.FatTree(topo.Tree{K: s.K, Tiers: s.tiers(), Oversub: s.Oversub, Link: link, Up: up})
	case LeafSpine:
		return topo.LeafSpine(s.Leaves, s.LeafHosts, s.Spines, link, up[0])
	case Dumbbell:
		if s.Senders < 1 || s.Senders > 4096 {
			return nil, fmt.Errorf("senders = %d: want 1 to 4096", s.Senders)
		}
		at := slices.Concat(make([]int, s.Senders), slices.Repeat([]int{s.Switches - 1}, s.Senders))
		return topo.Chain(s.Switches, at, link, up[0])
	case FirstHop, MiddleHop, LastHop:
		return topo.Chain(3, threeSwitches[shape], link, up[0])
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
func (s *Spec) longest() []topo.Link {
	host, up := s.links()
	switches := 3
	switch s.Shape() {
	case FatTree:
		if s.tiers() == 3 {
			return []topo.Link{host, up[0], up[1], up[1], up[0], host}
		}
	case LeafSpine:
		if s.Leaves == 1 {
			switches = 1
		}
	case Dumbbell:
		switches = max(s.Switches, 1)
	case FirstHop, MiddleHop, LastHop:
	default:
		if s.Graph != nil {
			return longestOf(s.Graph)
		}
		switches = 1
	}
	return append(slices.Repeat(up[:1], switches-1), host, host)
}

// longestOf looks at the paths between all hosts, of which those at one switch with equal links count once.
func longestOf(g *topo.Graph) (best []topo.Link) {
	n, err := g.Net()
	if err != nil {
		return nil
	}
	r := n.Routes(nil)
	seen, heads := map[topo.Link]int{}, []int32{}
	for h := range int32(g.Hosts) {
		p := n.Ports[h]
		// Two hosts of each kind, so that neighbours are seen too.
		end := topo.Link{B: p.To, Gbps: p.Gbps, Latency: p.Latency}
		if seen[end]++; seen[end] <= 2 {
			heads = append(heads, h)
		}
	}
	heads = heads[:min(len(heads), 512)]
	most := units.Picos(-1)
	for _, a := range heads {
		for _, b := range heads {
			path := walk(n, r, a, b)
			if sum := roundTrip(path, 4160); a != b && sum > most {
				best, most = path, sum
			}
		}
	}
	return best
}

// walk returns the links of a shortest path from host a to b, none when there is no way.
func walk(n *topo.Net, r *topo.Routes, a, b int32) []topo.Link {
	var path []topo.Link
	for port := a; ; {
		p := &n.Ports[port]
		path = append(path, n.Links[p.Link])
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

// roundTrip returns the time on a path of two packets that have so many bytes together, one there and one back.
func roundTrip(path []topo.Link, bytes int) units.Picos {
	sum := units.Picos(0)
	for _, l := range path {
		sum += units.Picos(2*l.Latency) + l.Gbps.PerByte().Time(int64(bytes))
	}
	return sum
}

// RoundTrip returns the unloaded round trip of one MTU and its ACK over the
// longest path, store and forward, in picoseconds.
func (s Spec) RoundTrip() units.Picos { return roundTrip(s.longest(), s.MTU+s.CtlBytes) }

// EffectiveBaseRTT returns config_base_rtt: BaseRTT or, when that is 0, RoundTrip.
func (s Spec) EffectiveBaseRTT() units.Picos {
	if s.BaseRTT > 0 {
		return s.BaseRTT
	}
	return s.RoundTrip()
}

// BDP returns link rate times base RTT in bytes, rounded down.
func (s Spec) BDP() int64 { return s.LinkGbps.PerByte().Bytes(s.EffectiveBaseRTT()) }

// Scaled returns f times n bytes, rounded down.
func Scaled(f float64, n int64) int64 { return int64(f * float64(n)) }

// EffectiveRTO returns RTO or, when that is 0, the base RTT and the time that full data queues on the whole path take
// to drain; with PFC, the time that the slowest link takes for what all lossless queues can hold, at most a second.
func (s Spec) EffectiveRTO() units.Picos {
	if s.RTO > 0 {
		return s.RTO
	}
	if s.PFC {
		if n, err := s.Layout(); err == nil {
			return s.losslessRTO(n)
		}
	}
	return s.PathRTO()
}

// PathRTO is the timeout of queues that drop or trim.
func (s Spec) PathRTO() units.Picos {
	links := float64(len(s.longest()))
	depth := s.DropAt * links
	if s.Trim {
		depth = float64(s.TrimAt*max(links-2, 0)) + s.TrimAtLastHop
	}
	base := s.EffectiveBaseRTT()
	if s.QueueBytes > 0 {
		depth = links * float64(s.QueueBytes) / float64(s.BDP())
	}
	sum := base + units.Picos(math.Ceil(depth))*base + s.ServiceTime + s.ServiceJitter
	if s.ReorderProb > 0 {
		sum += 2 * units.Picos(links) * s.ReorderBy
	}
	return sum
}

// losslessRTO returns the timeout that no packet in a lossless network outlasts when links serve their inputs alike:
// the base RTT and what every switch can hold over the slowest link, at most a second.
func (s *Spec) losslessRTO(n *topo.Net) units.Picos {
	sum, slowest := 0.0, n.Ports[0].Gbps
	for i := range n.Ports {
		p := &n.Ports[i]
		slowest = min(slowest, p.Gbps)
		if int(p.To) >= n.Hosts {
			sum += float64(s.RoomOf(p.Gbps.PerByte(), units.Picos(p.Latency)))
		}
	}
	perByte := slowest.PerByte()
	if sum*perByte.Float() >= longest {
		return longest
	}
	return min(longest, s.EffectiveBaseRTT()+perByte.Time(int64(sum))+s.ServiceTime+s.ServiceJitter)
}

// RoomOf returns the bytes that a link of that rate and latency may have waiting at its far end.
func (s *Spec) RoomOf(perByte units.PerByte, latency units.Picos) int64 {
	headroom := s.PFCHeadroom
	if headroom == 0 {
		headroom = 2*perByte.Spanning(latency) + 3*int64(max(s.MTU, s.CtlBytes)) + PauseBytes
	}
	return s.XOff + headroom
}

// SlotWidth returns the width of the wheel's slots as a power of two in picoseconds: the span in which one of so many
// parts of the busy network has about four events, when six links lie between hosts.
func (s *Spec) SlotWidth(parts int) uint {
	ports := float64(max(s.Hosts(), 1) * 6)
	perPort := float64(s.MTU) * s.LinkGbps.PerByte().Float() / 3
	w := math.Log2(4 * perPort / ports * float64(parts))
	return uint(min(max(w, 4), 20))
}
