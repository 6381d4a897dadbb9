package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A packet comes in at the port that faces its sender, and the ports that face hosts are the last hop.
func TestPlacesFaceTheirNeighbours(t *testing.T) {
	spec, err := Switch.Spec("permutation", 1)
	require.NoError(t, err)
	net, err := spec.Layout()
	require.NoError(t, err)
	const ports = 64
	p, err := placesOf(spec, ports)
	require.NoError(t, err)
	hosts := 0
	for b := range ports {
		port := int(p.first[0]) + b
		out := &net.Ports[port]
		require.EqualValues(t, b, p.inside(0, out.Rev), "what comes back on the link of port %d", b)
		require.Equal(t, out.To < int32(net.Hosts), p.lastHop[port-net.Hosts], "port %d", b)
		if p.lastHop[port-net.Hosts] {
			hosts++
			require.EqualValues(t, port, net.Ports[out.To].Rev, "the port of host %d", out.To)
		}
	}
	require.NotZero(t, hosts)
	require.Less(t, hosts, ports)
}

// Every switch has places. A switch of 8 ports is one place or as many as its ports fill; eight switches share one
// place of a block with 64 ports. No port has two places.
func TestPlacesTakeEverySwitch(t *testing.T) {
	spec, err := Switch.Spec("permutation", 1)
	require.NoError(t, err)
	net, err := spec.Layout()
	require.NoError(t, err)
	switches := len(net.First) - 1 - net.Hosts
	all := len(net.Ports) - net.Hosts
	require.Equal(t, 8*switches, all)
	for ports, want := range map[int]struct{ places, used int }{
		1: {all, all}, 4: {2 * switches, all}, 5: {switches, 5 * switches}, 8: {switches, all}, 64: {all / 64, all},
		12: {(all + 11) / 12, all},
	} {
		p, err := placesOf(spec, ports)
		require.NoError(t, err)
		require.Len(t, p.first, want.places, "%d ports", ports)
		used := 0
		for port, place := range p.of {
			if place >= 0 {
				used++
				at := int32(port+net.Hosts) - p.first[place]
				require.True(t, at >= 0 && at < int32(ports), "%d ports: port %d at place %d", ports, port, place)
			}
		}
		require.Equal(t, want.used, used, "%d ports", ports)
	}
	_, err = placesOf(spec, all+1)
	require.ErrorContains(t, err, "give a larger network")
}
