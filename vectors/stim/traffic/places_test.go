package traffic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A packet comes in at the port that faces the neighbour it comes from, and the ports that face hosts are the last hop.
func TestSwitchPortsFaceTheirNeighbours(t *testing.T) {
	spec, err := Switch.Spec("permutation", 1)
	require.NoError(t, err)
	net, err := spec.Layout()
	require.NoError(t, err)
	const ports = 64
	p, err := switchPortsOf(spec, ports)
	require.NoError(t, err)
	hosts := 0
	for b := range ports {
		out := &net.Ports[p.ports[b]]
		require.Equal(t, b, p.inside[out.Rev], "what comes back on the link of port %d", b)
		require.Equal(t, out.To < int32(net.Hosts), p.lastHop[b], "port %d", b)
		if p.lastHop[b] {
			hosts++
			require.EqualValues(t, p.ports[b], net.Ports[out.To].Rev, "the port of host %d", out.To)
		}
	}
	require.NotZero(t, hosts)
	require.Less(t, hosts, ports)
}
