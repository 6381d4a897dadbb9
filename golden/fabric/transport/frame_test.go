package transport

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/packet/uet"
)

// TestFrameOnArrival: a frame arrives with the mark or the cut that switches gave its packet, and sound; its other
// headers are those that were sent.
func TestFrameOnArrival(t *testing.T) {
	const payload = 1000
	sent := RequestTemplate(3, 70_000)
	udp := uint16(8 + requestBytes + payload)
	binary.BigEndian.PutUint16(sent[frameIP+2:], 20+udp)
	sumHeader(sent[frameIP:])
	sent = binary.BigEndian.AppendUint16(append(sent, 0xab, 0xcd, 4793>>8, 4793&255), udp)
	sent = append(sent, 0, 0, 13<<3, 1<<3, 0, 0, 0, 0, 0, 77, 0, 5, 0, 6, 0, 0, 0, 0)
	require.Len(t, sent, RequestEnd)
	require.Equal(t, uint32(77), RequestPSN(Frame{Head: sent}))
	for _, c := range []struct {
		flags     uint8
		size      int
		dscp, ecn uint8
		length    int
	}{
		{0, 64, 8, 2, RequestEnd + payload},
		{net.FlagCE, 64, 8, 3, RequestEnd + payload},
		{net.FlagTrimmed, 64, 16, 2, 64},
		{net.FlagTrimmed, 20, 16, 2, 60}, // its headers, and the least frame
		{net.FlagTrimmed | net.FlagLastHop | net.FlagCE, 256, 18, 3, 256},
		{net.FlagTrimmed, 2000, 16, 2, RequestEnd + payload},
	} {
		head := append(append([]byte(nil), sent...), make([]byte, FrameHead-len(sent))...)
		f := onArrival(head, &net.Packet{Kind: net.PacketData, Flags: c.flags}, c.size)
		require.Equal(t, c.length, f.Length, "%+v", c)
		require.LessOrEqual(t, len(f.Head), f.Length)
		p, err := uet.Decode(uet.DefaultSpec(), append(f.Head, make([]byte, f.Length-len(f.Head))...))
		require.NoError(t, err, "%+v", c)
		require.True(t, p.Sound(), p.Complaints)
		require.Equal(t, []uint8{c.dscp, c.ecn}, []uint8{p.Lower.DSCP, p.Lower.ECN}, "%+v", c)
		require.Equal(t, []int32{3, 70_000}, []int32{net.HostAt(p.Lower.Src), net.HostAt(p.Lower.Dst)})
		require.Equal(t, uint16(0xabcd), p.Lower.Entropy)
		require.Equal(t, uint32(77), p.Request.PSN)
		require.Len(t, p.Payload, c.length-RequestEnd-len(p.Padding))
		require.Equal(t, c.size < RequestEnd, len(p.Padding) > 0)
	}
	require.EqualValues(t, -1, net.HostAt(net.Address(1<<24)))
}
