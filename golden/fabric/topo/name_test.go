package topo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParallelLinks: several links between the same nodes have numbers, the same
// in both directions, and no name without one stands for any of them.
func TestParallelLinks(t *testing.T) {
	g := &Graph{Hosts: 2, Names: []string{"a", "b", "s", "t"}}
	for _, ends := range [][2]int32{{0, 2}, {2, 3}, {3, 2}, {1, 3}, {2, 3}} {
		g.Links = append(g.Links, Link{A: ends[0], B: ends[1], Gbps: 100, Latency: 1})
	}
	n, err := g.Net()
	require.NoError(t, err)
	for name, want := range map[string]int32{"a-s": 0, "s-a": 0, "a-s#1": 0, "s-t#1": 1, "t-s#1": 1, "s-t#2": 2,
		"t-s#3": 4, "t-b": 3} {
		l, err := g.FindLink(name)
		require.NoError(t, err, name)
		require.Equal(t, want, l, name)
	}
	for i, want := range []string{"", "#1", "#2", "", "#3"} {
		require.Equal(t, want, n.Which(int32(i)))
	}
	names := map[string]bool{}
	for i := range n.Ports {
		name := n.Name(int32(i))
		require.False(t, names[name], name)
		names[name] = true
		p, err := n.FindPort(name)
		require.NoError(t, err)
		require.Equal(t, int32(i), p)
	}
	require.True(t, names["a->s"] && names["s->t#2"] && names["t->s#2"], "%v", names)
	p, err := n.FindPort("t->s#3")
	require.NoError(t, err)
	require.Equal(t, int32(4), n.Ports[p].Link)
	_, err = g.FindLink("t-s")
	require.EqualError(t, err, `link "t-s": there are 3 of that name; say which, from t-s#1 to t-s#3`)
	_, err = n.FindPort("s->t")
	require.EqualError(t, err, `port "s->t": there are 3 of that name; say which, from s->t#1 to s->t#3`)
	for _, bad := range []string{"s-t#0", "s-t#4", "s-t#01", "s-t#", "s-t#x", "a-s#2", "a-t"} {
		_, err = g.FindLink(bad)
		require.ErrorContains(t, err, "no such link; names are like a-s", bad)
	}
}
