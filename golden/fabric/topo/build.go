package topo

import (
	"cmp"
	"fmt"
)

// Tree says how to build a tree: Link holds rate and latency of the host links, Up those above the first and the second
// tier of switches, where 0 takes the host links'.
type Tree struct {
	K       int // ports of a switch, even
	Tiers   int // 2 or 3
	Oversub int // a divisor of K/2: host bandwidth over up-link bandwidth of a tier-1 switch
	Link    Link
	Up      [2]Link
}

// builder collects nodes and links.
type builder struct{ Graph }

func (b *builder) nodes(format string, n int) int32 {
	first := int32(len(b.Names))
	for i := range n {
		b.Names = append(b.Names, fmt.Sprintf(format, i))
	}
	return first
}

func (b *builder) link(from, to int32, like Link) {
	like.A, like.B = from, to
	b.Links = append(b.Links, like)
}

// Or fills the zero fields of an upper link from the host link.
func (l Link) Or(d Link) Link {
	l.Gbps, l.Latency = cmp.Or(l.Gbps, d.Gbps), cmp.Or(l.Latency, d.Latency)
	return l
}

// FatTree returns a fat tree of two tiers (K leaves, K^2/2 hosts) or three (K pods, K^3/4 hosts). It errors when K is
// not even from 2 to 64, Oversub no divisor of K/2, or Tiers neither 2 nor 3.
func FatTree(t Tree) (*Graph, error) {
	half := t.K / 2
	switch {
	case t.K < 2 || t.K > 64 || t.K%2 != 0:
		return nil, fmt.Errorf("k: %d: want an even number from 2 to 64", t.K)
	case t.Oversub < 1 || half%t.Oversub != 0:
		return nil, fmt.Errorf("oversub: %d: want a divisor of k/2 = %d", t.Oversub, half)
	case t.Tiers == 2:
		return LeafSpine(t.K, half, half/t.Oversub, t.Link, t.Up[0])
	case t.Tiers != 3:
		return nil, fmt.Errorf("tiers: %d: want 2 or 3", t.Tiers)
	}
	aggs := half / t.Oversub // per pod
	var b builder
	b.Hosts = t.K * half * half
	b.nodes("host%d", b.Hosts)
	tor := b.nodes("tor%d", t.K*half)
	agg := b.nodes("agg%d", t.K*aggs)
	core := b.nodes("core%d", aggs*half)
	b.attach(tor, half, t.Link)
	low, high := t.Up[0].Or(t.Link), t.Up[1].Or(t.Link)
	for i := range t.K * half {
		for a := range aggs {
			b.link(tor+int32(i), agg+int32(i/half*aggs+a), low)
		}
	}
	for i := range t.K * aggs {
		for c := range half {
			b.link(agg+int32(i), core+int32(i%aggs*half+c), high)
		}
	}
	b.rules(t.K*half, 1, half, 1)
	b.rules(t.K*aggs, aggs, half*half, half)
	b.rules(aggs*half, aggs*half, b.Hosts, half*half)
	return &b.Graph, nil
}

// attach links hosts to the switches from first on, so many to each.
func (b *builder) attach(first int32, each int, like Link) {
	for h := range b.Hosts {
		b.link(int32(h), first+int32(h/each), like)
	}
}

// rules appends the rules of n switches, of which each group of so many has the next hosts below, one port for each
// per.
func (b *builder) rules(n, group, hosts, per int) {
	for i := range n {
		lo := i / group * hosts
		b.Ranges = append(b.Ranges, Range{int32(lo), int32(lo + hosts), int32(per)})
	}
}

// LeafSpine returns leaves of hosts each, every one linked to each spine. It
// errors when one of the numbers is below 1 or there are not two hosts.
func LeafSpine(leaves, hosts, spines int, link, up Link) (*Graph, error) {
	switch {
	case leaves < 1 || leaves > 4096:
		return nil, fmt.Errorf("leaves: %d: want 1 to 4096", leaves)
	case hosts < 1 || hosts > 4096 || leaves*hosts < 2 || leaves*hosts > MaxHosts:
		return nil, fmt.Errorf("leaf_hosts: %d: want 1 or more, 2 to %d over all leaves", hosts, MaxHosts)
	case spines < 1 || spines > 4096:
		return nil, fmt.Errorf("spines: %d: want 1 to 4096", spines)
	}
	var b builder
	b.Hosts = leaves * hosts
	b.nodes("host%d", b.Hosts)
	leaf, spine := b.nodes("leaf%d", leaves), b.nodes("spine%d", spines)
	b.attach(leaf, hosts, link)
	for i := range leaves {
		for s := range spines {
			b.link(leaf+int32(i), spine+int32(s), up.Or(link))
		}
	}
	b.rules(leaves, 1, hosts, 1)
	b.rules(spines, spines, b.Hosts, hosts)
	return &b.Graph, nil
}

// Chain returns a chain of switches; host i sits at switch at[i], counted from
// 0. It errors when there is no switch or a host sits at none of them.
func Chain(switches int, at []int, link, trunk Link) (*Graph, error) {
	if switches < 1 || switches > 1024 {
		return nil, fmt.Errorf("switches: %d: want 1 to 1024", switches)
	}
	var b builder
	b.Hosts = len(at)
	b.nodes("host%d", len(at))
	sw := b.nodes("sw%d", switches)
	for h, s := range at {
		if s < 0 || s >= switches {
			return nil, fmt.Errorf("hosts: host %d sits at switch %d of %d", h, s, switches)
		}
		b.link(int32(h), sw+int32(s), link)
	}
	for s := range switches - 1 {
		b.link(sw+int32(s), sw+int32(s+1), trunk.Or(link))
	}
	return &b.Graph, nil
}
