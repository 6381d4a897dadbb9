package packet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every byte of a frame has a name, after tags and for both IP versions; a short frame has no wrong name.
func TestRegion(t *testing.T) {
	frame := make([]byte, 100)
	frame[12], frame[13] = 8, 0
	frame[14], frame[23] = 0x45, 17
	frame[36], frame[37] = UETPort>>8, UETPort&255
	for at, want := range map[int]string{
		-1: "", 100: "", 5: "Ethernet destination", 6: "Ethernet source", 13: "EtherType",
		14: "IPv4 version and header length", 15: "IPv4 DSCP and ECN", 17: "IPv4 total length",
		24: "IPv4 header checksum", 33: "IPv4 destination", 34: "UDP source port",
		39: "UDP length", 41: "UDP checksum", 42: "UET packet, byte 0", 99: "UET packet, byte 57",
	} {
		require.Equal(t, want, Region(frame, at), "byte %d", at)
	}
	frame[14], frame[38], frame[39], frame[40], frame[41] = 0x46, 0, 0, UETPort>>8, UETPort&255
	require.Equal(t, "IPv4 options", Region(frame, 37))
	require.Equal(t, "UDP source port", Region(frame, 38))
	frame[23] = 6
	require.Equal(t, "IP payload, byte 3", Region(frame, 41))

	tagged := append(append([]byte{}, frame[:12]...), 0x88, 0xa8, 0, 1, 0x81, 0, 0, 2, 0x86, 0xdd)
	tagged = append(tagged, make([]byte, 60)...)
	tagged[22+6] = 17
	for at, want := range map[int]string{14: "VLAN tag", 17: "EtherType", 18: "VLAN tag", 21: "EtherType",
		22: "IPv6 traffic class and flow label",
		29: "IPv6 hop limit", 61: "IPv6 destination", 69: "UDP checksum", 70: "UDP payload, byte 0"} {
		require.Equal(t, want, Region(tagged, at), "byte %d", at)
	}
	tagged[20] = 0
	require.Equal(t, "Ethernet payload, byte 1", Region(tagged, 23))
	for n := range frame {
		for at := range n {
			require.NotPanics(t, func() { Region(frame[:n], at) })
		}
	}
}
