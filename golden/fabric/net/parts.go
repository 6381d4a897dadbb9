package net

import (
	"errors"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// border is what one part of a divided network knows of the others; empty for a whole one.
type border struct {
	owner []int32 // part of each node
	part  int32   // this one
	out   [][]crossing
}

// crossing is a packet on a link between two parts.
type crossing struct {
	at units.Picos // when it arrives
	k  Packet
}

// Owners divides a tree into pods, each the switches that share the hosts below them, with those hosts, and as many
// parts again of the switches above all hosts. It returns the part of each node and the number of parts; it errors when
// the network is not a tree of at least two pods.
func Owners(n *topo.Net) (owner []int32, parts int, err error) {
	if n.Ranges == nil {
		return nil, 0, errors.New("the network's file does not tell what its pods are")
	}
	var pods []topo.Range // the widest below the top
	for _, r := range n.Ranges {
		if int(r.Hi-r.Lo) == n.Hosts {
			continue
		}
		pods = slices.DeleteFunc(pods, func(p topo.Range) bool { return p.Lo >= r.Lo && p.Hi <= r.Hi })
		if !slices.ContainsFunc(pods, func(p topo.Range) bool { return r.Lo >= p.Lo && r.Hi <= p.Hi }) {
			pods = append(pods, r)
		}
	}
	if len(pods) < 2 {
		return nil, 0, errors.New("the network has no two pods")
	}
	podOf := func(host int32) int32 {
		return int32(slices.IndexFunc(pods, func(p topo.Range) bool { return host >= p.Lo && host < p.Hi }))
	}
	tops := int32(0)
	for i := range n.Names {
		if i < n.Hosts {
			owner = append(owner, podOf(int32(i)))
		} else if r := n.Ranges[i-n.Hosts]; int(r.Hi-r.Lo) < n.Hosts {
			owner = append(owner, podOf(r.Lo))
		} else {
			owner = append(owner, int32(len(pods))+tops%int32(len(pods)))
			tops++
		}
	}
	return owner, len(pods) + int(min(tops, int32(len(pods)))), nil
}

// Part returns part i of network s, which is laid out and empty. The parts share its ports and switches, of which
// each touches its own.
func Part(s *Network, i int, owner []int32, parts int, b Books) *Network {
	n := *s
	n.keep(b)
	n.border = border{owner: owner, part: int32(i), out: make([][]crossing, parts)}
	return &n
}

// Lookahead returns the least latency of the links between parts: what one sends arrives no sooner at another.
func Lookahead(s *Network, owner []int32) units.Picos {
	least := units.Picos(-1)
	for i := range s.Ports {
		p := &s.Ports[i]
		if owner[p.to] != owner[s.Ports[p.Rev].to] && (least < 0 || p.Latency < least) {
			least = p.Latency
		}
	}
	return least
}

// cross sends packet i, which port p has transmitted, to the part at the end of its link, where it arrives at a time.
func cross(s *Network, p *Port, at units.Picos, i int32) {
	to := s.owner[p.to]
	s.out[to] = append(s.out[to], crossing{at, *s.Pool.At(i)})
	s.Pool.Release(i)
}

// Take takes in what all parts have sent to part s since the last time: in the order of the parts and, of each, of
// sending, so that what arrives at one time does so in an order that depends on the simulation alone.
func Take(s *Network, parts []*Network) {
	for _, from := range parts {
		for _, c := range from.out[s.part] {
			s.wheel.Push(c.at, evArrive, s.Put(&c.k))
		}
		from.out[s.part] = from.out[s.part][:0]
	}
}
