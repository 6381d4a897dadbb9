package topo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

var link = Link{Gbps: 100, Latency: 1000}

// TestRangesAgreeWithRoutes walks the rules of a tree beside the shortest paths
// that a search finds: the ports are the same.
func TestRangesAgreeWithRoutes(t *testing.T) {
	trees := map[string]*Graph{}
	for name, tree := range map[string]Tree{
		"k4": {K: 4, Tiers: 3, Oversub: 1}, "k6-os3": {K: 6, Tiers: 3, Oversub: 3},
		"k8-2": {K: 8, Tiers: 2, Oversub: 2}, "k2": {K: 2, Tiers: 3, Oversub: 1},
	} {
		tree.Link = link
		g, err := FatTree(tree)
		require.NoError(t, err, name)
		trees[name] = g
	}
	g, err := LeafSpine(3, 5, 2, link, Link{})
	require.NoError(t, err)
	trees["leafspine"] = g
	for name, g := range trees {
		n, err := g.Net()
		require.NoError(t, err, name)
		r := n.Routes(nil)
		for w := range int32(len(g.Names) - g.Hosts) {
			first, end := n.First[int(w)+g.Hosts], n.First[int(w)+g.Hosts+1]
			rule := g.Ranges[w]
			ups := first + (rule.Hi-rule.Lo)/rule.Per
			for h := range int32(g.Hosts) {
				hops := r.Hops(w, h)
				if h >= rule.Lo && h < rule.Hi {
					require.Equal(t, []int32{first + (h-rule.Lo)/rule.Per}, hops, "%s switch %d host %d", name, w, h)
					continue
				}
				require.Len(t, hops, int(end-ups), "%s switch %d host %d", name, w, h)
				require.Equal(t, ups, hops[0])
			}
		}
	}
}

func TestFatTreeSizes(t *testing.T) {
	for _, c := range []struct{ k, tiers, oversub, hosts, switches, links int }{
		{8, 3, 1, 128, 80, 384}, {8, 3, 4, 128, 32 + 8 + 4, 128 + 32 + 32}, {8, 2, 1, 32, 12, 64},
		{16, 3, 1, 1024, 320, 3072},
	} {
		g, err := FatTree(Tree{K: c.k, Tiers: c.tiers, Oversub: c.oversub, Link: link})
		require.NoError(t, err)
		require.Equal(t, c.hosts, g.Hosts)
		require.Len(t, g.Names, c.hosts+c.switches)
		require.Len(t, g.Links, c.links)
	}
}

func TestTierRates(t *testing.T) {
	g, err := FatTree(Tree{K: 4, Tiers: 3, Oversub: 1, Link: link, Up: [2]Link{{Gbps: 400}, {Latency: 77}}})
	require.NoError(t, err)
	count := map[Link]int{}
	for _, l := range g.Links {
		count[Link{Gbps: l.Gbps, Latency: l.Latency}]++
	}
	require.Equal(t, map[Link]int{{Gbps: 100, Latency: 1000}: 16, {Gbps: 400, Latency: 1000}: 16,
		{Gbps: 100, Latency: 77}: 16}, count)
}

func TestDownLinks(t *testing.T) {
	g, err := FatTree(Tree{K: 4, Tiers: 3, Oversub: 1, Link: link})
	require.NoError(t, err)
	n, err := g.Net()
	require.NoError(t, err)
	down := make([]bool, len(g.Links))
	for _, name := range []string{"tor0-agg0", "agg3-tor2", "host9-tor4"} {
		l, err := g.FindLink(name)
		require.NoError(t, err)
		down[l] = true
	}
	r := n.Routes(down)
	require.Len(t, r.Hops(0, 15), 1, "one way up is left")
	require.Equal(t, "tor0->agg1", n.Name(r.Hops(0, 15)[0]))
	require.Empty(t, r.Hops(0, 9), "the host is cut off")
	// From tor 0 by agg 1 only, and from there to tor 2 by agg 2 only, which the
	// cores above agg 1 do not reach: there is no way of four links.
	for _, p := range r.Hops(1, 4) {
		require.Equal(t, "tor1->agg0", n.Name(p))
	}
	_, err = g.FindLink("tor0-tor1")
	require.ErrorContains(t, err, `link "tor0-tor1": no such link; names are like host0-tor0`)
}

func TestRefuses(t *testing.T) {
	for want, tree := range map[string]Tree{
		"k: 7": {K: 7, Tiers: 3, Oversub: 1}, "k: 66": {K: 66, Tiers: 3, Oversub: 1},
		"oversub: 3": {K: 8, Tiers: 3, Oversub: 3},
		"oversub: 0": {K: 8, Tiers: 3}, "tiers: 4": {K: 8, Tiers: 4, Oversub: 1},
	} {
		_, err := FatTree(tree)
		require.ErrorContains(t, err, want)
	}
	_, err := LeafSpine(1, 1, 1, link, link)
	require.ErrorContains(t, err, "leaf_hosts")
	_, err = Chain(0, nil, link, link)
	require.ErrorContains(t, err, "switches")
	_, err = Chain(2, []int{2}, link, link)
	require.ErrorContains(t, err, "switch 2 of 2")
}

const good = `
hosts: [a, b, c]
switches: [s, t]
links:
  - {a: a, b: s, gbps: 400, latency_us: 0.5}
  - {a: b, b: s}
  - {a: t, b: c}
  - {a: s, b: t}
  - {a: s, b: t, gbps: 50}
`

func TestFile(t *testing.T) {
	g, err := Parse([]byte(good), link)
	require.NoError(t, err)
	require.Equal(t, Link{0, 3, 400, 500_000}, g.Links[0])
	require.Equal(t, Link{1, 3, 100, 1000}, g.Links[1])
	n, err := g.Net()
	require.NoError(t, err)
	require.Len(t, n.Routes(nil).Hops(0, 2), 2, "parallel links")

	for _, c := range []struct{ text, want string }{
		{"hosts: [a, a]", `hosts[1]: the name "a" is empty or taken`},
		{"hosts: [a, b]\nswitches: [b]", `switches[0]: the name "b"`},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: a, b: x}]", `links[0].b: "x" is neither`},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: a, b: s}]", "hosts: b has 0 links"},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: a, b: b}]", "links[0]: joins two hosts"},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: a, b: s, gbps: 0.5}]", "links[0].gbps: 0.5: want from 1 to 100000"},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: a, b: s, latency_us: -1}]", "links[0].latency_us"},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: s, b: s}]", "both ends are s"},
		{"link: []", "unknown key link; known keys are hosts, switches, links; did you mean links?"},
		{"hosts: [a, b]\nswitches: [s]\nlinks: [{a: a, b: s, gbsp: 100}]",
			"line 3: unknown key gbsp; known keys are a, b, gbps, latency_us; did you mean gbps?"},
		{"links:\n  - {a: a, b: s, gbps: fast}", "line 2: fast: want a number"},
		{"links: 3", "line 1: 3: want a list of links"},
		{"hosts: [a, b]\nspeed: 3", "line 2: unknown key speed; known keys are hosts, switches, links"},
		{"", "empty; give hosts, switches and links"},
	} {
		_, err := Parse([]byte(c.text), link)
		require.ErrorContains(t, err, c.want)
	}
}
