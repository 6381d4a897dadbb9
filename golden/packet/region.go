package packet

import (
	"encoding/binary"
	"fmt"
)

// part is a field of a header: the offset of its first byte, and its name.
type part struct {
	at   int
	name string
}

// Fields of headers, in order of their offset. Sources: IEEE 802.3 and 802.1Q, RFC 791, RFC 8200, RFC 768.
var (
	ethernetParts = []part{{0, "Ethernet destination"}, {6, "Ethernet source"}, {12, "EtherType"}}
	tagParts      = []part{{0, "VLAN tag"}, {2, "EtherType"}}
	ipv4Parts     = []part{{0, "IPv4 version and header length"}, {1, "IPv4 DSCP and ECN"}, {2, "IPv4 total length"},
		{4, "IPv4 identification"}, {6, "IPv4 flags and fragment offset"}, {8, "IPv4 TTL"}, {9, "IPv4 protocol"},
		{10, "IPv4 header checksum"}, {12, "IPv4 source"},
		{16, "IPv4 destination"}, {20, "IPv4 options"}}
	ipv6Parts = []part{{0, "IPv6 traffic class and flow label"}, {4, "IPv6 payload length"}, {6, "IPv6 next header"},
		{7, "IPv6 hop limit"},
		{8, "IPv6 source"}, {24, "IPv6 destination"}}
	udpParts = []part{{0, "UDP source port"}, {2, "UDP destination port"}, {4, "UDP length"}, {6, "UDP checksum"}}
)

// UETPort is the UDP destination port of UET (IANA).
const UETPort = 4793

// Region names the part of a frame to which byte at, counted from its Ethernet header, belongs: a field of a header, or
// the payload and the offset in it. It looks only at the bytes up to that one, and returns "" when they do not
// determine the part.
func Region(frame []byte, at int) string {
	if at < 0 || at >= len(frame) {
		return ""
	}
	parts, start, size := ethernetParts, 0, 14
	for at >= start+size {
		next := start + size
		switch kind := binary.BigEndian.Uint16(frame[next-2:]); {
		case kind == 0x8100 || kind == 0x88a8:
			parts, start, size = tagParts, next, 4
			continue
		case kind == 0x0800:
			return l3(frame, next, at, ipv4Parts, max(20, 4*int(frame[next]&15)), 9)
		case kind == 0x86dd:
			return l3(frame, next, at, ipv6Parts, 40, 6)
		}
		return fmt.Sprintf("Ethernet payload, byte %d", at-next)
	}
	return named(parts, at-start)
}

// l3 is Region starting at an IP header of size bytes, with its protocol in byte proto.
func l3(frame []byte, start, at int, parts []part, size, proto int) string {
	switch next := start + size; {
	case at < next:
		return named(parts, at-start)
	case frame[start+proto] != 17:
		return fmt.Sprintf("IP payload, byte %d", at-next)
	case at < next+8:
		return named(udpParts, at-next)
	case binary.BigEndian.Uint16(frame[next+2:]) == UETPort:
		return fmt.Sprintf("UET packet, byte %d", at-next-8)
	default:
		return fmt.Sprintf("UDP payload, byte %d", at-next-8)
	}
}

// named returns the name of the last part that starts at or before an offset.
func named(parts []part, at int) string {
	name := parts[0].name
	for _, p := range parts {
		if p.at <= at {
			name = p.name
		}
	}
	return name
}
