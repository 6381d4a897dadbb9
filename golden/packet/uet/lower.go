package uet

import (
	"encoding/binary"
	"net/netip"

	"github.com/goldwire/goldwire/golden/packet"
)

// Values of EtherType and of the IP protocol.
const (
	etherIPv4 = 0x0800
	etherIPv6 = 0x86dd
	etherTag  = 0x8100 // IEEE 802.1Q
	etherSTag = 0x88a8 // IEEE 802.1ad
	protoUDP  = 17
)

// maxTags is the most VLAN tags that a frame may have.
const maxTags = 2

// Lower holds the layers below UET. Sources: IEEE 802.1Q, RFC 791, RFC 8200, RFC 768.
type Lower struct {
	Tags     []uint16 // priority, DEI and VLAN identifier of each tag, outermost first
	Version  int      // of IP: 4 or 6
	DSCP     uint8
	ECN      uint8
	TTL      uint8 // or the hop limit
	Src, Dst netip.Addr
	Native   bool   // UET follows IP directly
	Entropy  uint16 // the UDP source port, or that of the entropy header
	DstPort  uint16 // UDP only
	NoSum    bool   // the UDP checksum is 0, which means none
	IPStart  int    // offsets of the headers
	L4Start  int    // of UDP or the entropy header
	UETStart int
	end      int // of the IP packet
}

// lower reads the layers up to the UET prologue.
func (d *decoder) lower() *Error {
	f, l := d.frame, &d.p.Lower
	if len(f) < 14 {
		return fault(len(f), "the frame ends in its Ethernet header of 14 bytes")
	}
	at := 12
	for {
		kind := binary.BigEndian.Uint16(f[at:])
		switch {
		case kind == etherTag || kind == etherSTag:
			if len(l.Tags) == maxTags {
				return fault(at, "a third VLAN tag; at most %d are read", maxTags)
			}
			if len(f) < at+6 {
				return fault(len(f), "the frame ends in a VLAN tag")
			}
			l.Tags = append(l.Tags, binary.BigEndian.Uint16(f[at+2:]))
			at += 4
		case kind == etherIPv4:
			return d.ipv4(at + 2)
		case kind == etherIPv6:
			return d.ipv6(at + 2)
		default:
			return fault(at, "EtherType 0x%04x is neither IPv4 nor IPv6", kind)
		}
	}
}

func (d *decoder) ipv4(at int) *Error {
	ip, l := d.frame[at:], &d.p.Lower
	if len(ip) < 20 {
		return fault(len(d.frame), "the frame ends in its IPv4 header of 20 bytes")
	}
	header, total := 4*int(ip[0]&15), int(binary.BigEndian.Uint16(ip[2:]))
	switch {
	case ip[0]>>4 != 4:
		return fault(at, "IP version %d after the EtherType of IPv4", ip[0]>>4)
	case header < 20:
		return fault(at, "an IPv4 header of %d bytes, at least 20", header)
	case total < header:
		return fault(at+2, "an IPv4 total length of %d bytes, below that of its header, %d", total, header)
	case total > len(ip):
		return fault(at+2, "an IPv4 total length of %d bytes, and %d are left in the frame", total, len(ip))
	case binary.BigEndian.Uint16(ip[6:])&0x3fff != 0: // more fragments, and the offset
		return fault(at+6, "an IPv4 fragment")
	}
	l.Version, l.IPStart, l.end = 4, at, at+total
	l.DSCP, l.ECN, l.TTL = ip[1]>>2, ip[1]&3, ip[8]
	l.Src, l.Dst = netip.AddrFrom4([4]byte(ip[12:16])), netip.AddrFrom4([4]byte(ip[16:20]))
	return d.l4(at+header, int(ip[9]), at+9)
}

func (d *decoder) ipv6(at int) *Error {
	ip, l := d.frame[at:], &d.p.Lower
	if len(ip) < 40 {
		return fault(len(d.frame), "the frame ends in its IPv6 header of 40 bytes")
	}
	length := int(binary.BigEndian.Uint16(ip[4:]))
	switch {
	case ip[0]>>4 != 6:
		return fault(at, "IP version %d after the EtherType of IPv6", ip[0]>>4)
	case length > len(ip)-40:
		return fault(at+4, "an IPv6 payload length of %d bytes, and %d are left in the frame", length, len(ip)-40)
	}
	l.Version, l.IPStart, l.end = 6, at, at+40+length
	class := ip[0]<<4 | ip[1]>>4
	l.DSCP, l.ECN, l.TTL = class>>2, class&3, ip[7]
	l.Src, l.Dst = netip.AddrFrom16([16]byte(ip[8:24])), netip.AddrFrom16([16]byte(ip[24:40]))
	return d.l4(at+40, int(ip[6]), at+6)
}

// l4 reads UDP or the entropy header. The protocol was read from the byte at protoAt.
func (d *decoder) l4(at, protocol, protoAt int) *Error {
	l := &d.p.Lower
	l.L4Start = at
	b := d.frame[at:l.end]
	switch protocol {
	case protoUDP:
		if len(b) < 8 {
			return fault(l.end, "the IP packet ends in its UDP header of 8 bytes")
		}
		l.Entropy, l.DstPort = binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
		if l.DstPort != d.spec.Port {
			return fault(at+2, "UDP destination port %d is not that of UET, %d", l.DstPort, d.spec.Port)
		}
		if n := int(binary.BigEndian.Uint16(b[4:])); n != len(b) {
			return fault(at+4, "a UDP length of %d bytes in an IP packet that carries %d", n, len(b))
		}
		l.NoSum = b[6] == 0 && b[7] == 0
		l.UETStart = at + 8
	case int(d.spec.Protocol):
		if len(b) < 4 {
			return fault(l.end, "the IP packet ends in its entropy header of 4 bytes")
		}
		l.Native, l.Entropy = true, binary.BigEndian.Uint16(b)
		if binary.BigEndian.Uint16(b[2:]) != 0 {
			d.complain("byte %d: reserved bits of the entropy header are set", at+2)
		}
		l.UETStart = at + 4
	default:
		return fault(protoAt, "IP protocol %d is neither UDP nor native UET, %d", protocol, d.spec.Protocol)
	}
	return d.checksums()
}

// checksums complains of wrong ones. The packet library computes them, and must find the same headers; else its
// silence would mean nothing. It does not know native UET.
func (d *decoder) checksums() *Error {
	l, v := &d.p.Lower, packet.Judge(d.frame)
	sameIP := v.IPv4 == (l.Version == 4) && v.IPv6 == (l.Version == 6) && v.IPStart == l.IPStart
	sameUDP := v.Err == nil && v.UDP && v.UDPStart == l.L4Start && v.Lengths
	if !sameIP || !l.Native && !sameUDP {
		return fault(l.IPStart, "the packet library reads other headers here: %v, %v", v.LayerNames, v.Err)
	}
	if !v.HeaderSum {
		d.complain("byte %d: the IPv4 header checksum is wrong", l.IPStart+10)
	}
	if !l.Native && !v.UDPSum {
		d.complain("byte %d: the UDP checksum is wrong", l.L4Start+6)
	}
	return nil
}
