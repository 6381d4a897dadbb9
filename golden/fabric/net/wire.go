package net

import (
	"encoding/binary"
	"net/netip"
)

// Default DSCP values. The operator of a network sets them. The first four are the defaults of UET 1.0, section 3.6.17;
// data kept apart has the codepoint AF11 of RFC 2597; the last is the default codepoint of RFC 2474.
const (
	DSCPControl        = 46
	DSCPTrimmable      = 8
	DSCPTrimmed        = 16
	DSCPTrimmedLastHop = 18
	DSCPApart          = 10
	DSCPPlain          = 0
)

// firstAddress is the address of host 0.
const firstAddress = 10<<24 + 1

// Address returns the IPv4 address of a host.
func Address(host int32) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, firstAddress+uint32(host))))
}

// HostAt returns the host of an address, -1 for none.
func HostAt(a netip.Addr) int32 {
	if !a.Is4() {
		return -1
	}
	b := a.As4()
	if b[0] != firstAddress>>24 {
		return -1
	}
	return int32(binary.BigEndian.Uint32(b[:]) - firstAddress)
}

// MAC returns the locally administered Ethernet address of a node.
func MAC(node int32) (mac [6]byte) {
	mac[0] = 2
	binary.BigEndian.PutUint32(mac[2:], uint32(node))
	return mac
}
