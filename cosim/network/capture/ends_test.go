package capture

import (
	"bytes"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestLinkAddresses: in both directions, the addresses of a frame are the sending node of the link and the node at its
// far end.
func TestLinkAddresses(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.K = 4
	n, err := spec.Layout()
	require.NoError(t, err)
	ports, err := Ports(n, "host3-tor1")
	require.NoError(t, err)
	require.Len(t, ports, 2)
	var file bytes.Buffer
	w, err := NewWriter(&file, DefaultSpec(), n, ports)
	require.NoError(t, err)
	for _, p := range ports {
		w.Tap(&net.PortEvent{Port: p, Kind: net.PortDepart,
			Packet: net.PacketInfo{Src: 3, Dst: 9, Size: 4096, Nominal: 4096}})
	}
	require.NoError(t, w.Flush())
	r, err := pcapgo.NewNgReader(&file, pcapgo.DefaultNgReaderOptions)
	require.NoError(t, err)
	for _, p := range ports {
		data, _, err := r.ReadPacketData()
		require.NoError(t, err)
		eth := gopacket.NewPacket(data, layers.LayerTypeEthernet,
			gopacket.Default).Layer(layers.LayerTypeEthernet).(*layers.Ethernet)
		from, to := n.Ports[p].From, n.Ports[p].To
		require.Less(t, max(from, to), int32(256))
		require.Equal(t, []byte{2, 0, 0, 0, 0, byte(from)}, []byte(eth.SrcMAC), n.Name(p))
		require.Equal(t, []byte{2, 0, 0, 0, 0, byte(to)}, []byte(eth.DstMAC), n.Name(p))
	}
}
