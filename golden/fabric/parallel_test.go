package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// TestOneOfParallelLinks: of two links between the same switches one fails by its
// number, and what goes on goes over the other; without a number no name is taken.
func TestOneOfParallelLinks(t *testing.T) {
	g := &topo.Graph{Hosts: 4, Names: []string{"a", "b", "c", "d", "s", "t"}}
	for _, ends := range [][2]int32{{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 5}, {4, 5}} {
		g.Links = append(g.Links, topo.Link{A: ends[0], B: ends[1], Gbps: 100, Latency: 1_000_000})
	}
	s := settings.DefaultSpec()
	s.Topology, s.Graph, s.LinkGbps = settings.Custom, g, 100
	require.NoError(t, s.Set("fail.links", "s-t"))
	require.ErrorContains(t, s.Validate(), `fail.links[0]: link "s-t": there are 2 of that name; `+
		`say which, from s-t#1 to s-t#2`)
	list := []traffic.Message{{Src: 0, Dst: 2, Bytes: 500_000}, {Src: 1, Dst: 3, Bytes: 500_000, Conn: 1}}
	for _, failed := range []string{"s-t#1", "s-t#2"} {
		require.NoError(t, s.Set("fail.links", failed))
		seen := map[string]int{}
		n, err := s.Layout()
		require.NoError(t, err)
		books(t, s, WithMessages(list), WithPortTap(func(ev *net.PortEvent) {
			if ev.Kind == net.PortDepart {
				seen[n.Name(ev.Port)]++
			}
		}))
		one, other := "s->t#1", "s->t#2"
		if failed == "s-t#1" {
			one, other = other, one
		}
		require.NotZero(t, seen[one])
		require.Zero(t, seen[other], failed)
	}
}
