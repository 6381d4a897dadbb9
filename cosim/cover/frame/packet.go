// Package frame is what the coverage of blocks that carry packets shares: the headers of a frame and the classes that
// they put it in, the way of beats through a store, counters and registers.
package frame

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Packet is what the decision of trimmer and intmd finds in the first bytes of a frame: steps 2 to 7 of the
// trimmer's contract, which both follow.
type Packet struct {
	Cause   int    // 0: none of the steps ended it; else the code that both blocks share
	Why     int    // of causes with several reasons, which
	Family  int    // none, ipv4, ipv6
	Tags    int    // 0 to 2
	kinds   int    // of the tags, outer first: a place in tagKinds, -1 without tags
	need    int    // where a header with options ends
	ipLen   int    // the length in the IP header
	reach   int    // where the IP packet ends by its header; 0 if that was not looked at
	IP, UDP int    // where IP and UDP start
	HasIP   bool   // the IP header is there and of the right version: its traffic class can be marked
	Class   uint8  // traffic class
	End     int    // where the IP packet ends
	UDPLen  int    // bytes of UDP
	Kind    int    // UET type
	Sum     uint16 // UDP checksum
	Options int    // IPv4: words of options
}

// Codes that both blocks share.
const (
	causeNone = iota
	CauseTruncated
	CauseEthertype
	CauseHeader
	CauseFragment
	CauseExtension
	CauseProtocol
	CauseLength
	CausePort
)

// Codes beyond those of the headers, of the trimmer alone.
const (
	CauseType  = int(trimmer.CauseType)
	CauseShort = int(trimmer.CauseShort)
)

// Causes are the labels of the trimmer's codes.
var Causes = cover.Labels("NONE TRUNCATED ETHERTYPE HEADER FRAGMENT EXTENSION PROTOCOL LENGTH PORT TYPE SHORT")

// Reasons within TRUNCATED, HEADER and LENGTH, in the order of Failures.
const (
	whyNoEthernet = iota
	whyNoTag
	whyNoIP
	whyNoOptions
	whyShorter
	whyVersion
	whyIHL
	whyTotal
	whyNoPrologue
	whyUDPLength
	WhyOther
)

var Failures = cover.Labels(`no_ethernet_header ends_in_tag no_ip_header ends_in_options shorter_than_ip_says
	wrong_version ihl_below_5 total_below_header no_uet_prologue udp_length_differs`)

// Families.
const (
	NoFamily = iota
	IPv4
	IPv6
)

// tagKinds are the types of tags, outer first.
var tagKinds = cover.Labels("8100 88a8 8100+8100 8100+88a8 88a8+8100 88a8+88a8")

var Families = cover.Labels("none ipv4 ipv6")

func BE16(b []byte, i int) int { return int(b[i])<<8 | int(b[i+1]) }

// AnyPort is the port of a block that does not look at it.
const AnyPort = -1

// Parse looks at the first bytes b of a frame of f bytes in all, as far as the block believes.
func Parse(b []byte, f, port int) (p Packet) {
	a := len(b)
	p.kinds = -1
	fail := func(cause, why int) Packet {
		p.Cause, p.Why = cause, why
		return p
	}
	if a < 14 {
		return fail(CauseTruncated, whyNoEthernet)
	}
	for p.Tags < 2 {
		if t := BE16(b, 12+4*p.Tags); t != 0x8100 && t != 0x88a8 {
			break
		}
		if a < 18+4*p.Tags {
			return fail(CauseTruncated, whyNoTag)
		}
		service := cover.Bit(BE16(b, 12+4*p.Tags) == 0x88a8)
		if p.kinds = 2*max(p.kinds+1, 0) + service; p.Tags == 0 {
			p.kinds = service
		}
		p.Tags++
	}
	p.IP = 14 + 4*p.Tags
	var proto byte
	switch BE16(b, p.IP-2) {
	case 0x0800:
		p.Family = IPv4
		if a < p.IP+20 {
			return fail(CauseTruncated, whyNoIP)
		}
		v := b[p.IP]
		if v>>4 != 4 {
			return fail(CauseHeader, whyVersion)
		}
		if v&15 < 5 {
			return fail(CauseHeader, whyIHL)
		}
		hl := 4 * int(v&15)
		p.need = p.IP + hl
		if a < p.IP+hl {
			return fail(CauseTruncated, whyNoOptions)
		}
		p.Options = hl/4 - 5
		p.HasIP, p.Class = true, b[p.IP+1]
		total := BE16(b, p.IP+2)
		p.ipLen = total
		if total < hl {
			return fail(CauseLength, whyTotal)
		}
		if p.reach = p.IP + total; f < p.reach {
			return fail(CauseTruncated, whyShorter)
		}
		if BE16(b, p.IP+6)&0x3fff != 0 {
			return fail(CauseFragment, 0)
		}
		proto = b[p.IP+9]
		p.UDPLen, p.UDP = total-hl, p.IP+hl
		if proto != 17 {
			return fail(CauseProtocol, 0)
		}
	case 0x86dd:
		p.Family = IPv6
		if a < p.IP+40 {
			return fail(CauseTruncated, whyNoIP)
		}
		if b[p.IP]>>4 != 6 {
			return fail(CauseHeader, whyVersion)
		}
		p.HasIP, p.Class = true, b[p.IP]<<4|b[p.IP+1]>>4
		p.UDPLen, p.UDP = BE16(b, p.IP+4), p.IP+40
		p.ipLen = p.UDPLen
		if p.reach = p.UDP + p.UDPLen; f < p.reach {
			return fail(CauseTruncated, whyShorter)
		}
		switch proto = b[p.IP+6]; proto {
		case 17:
		case 44:
			return fail(CauseFragment, 0)
		case 0, 43, 50, 51, 60, 135:
			return fail(CauseExtension, 0)
		default:
			return fail(CauseProtocol, 0)
		}
	default:
		return fail(CauseEthertype, 0)
	}
	p.End = p.UDP + p.UDPLen
	if p.UDPLen < 10 {
		return fail(CauseLength, whyNoPrologue)
	}
	if BE16(b, p.UDP+4) != p.UDPLen {
		return fail(CauseLength, whyUDPLength)
	}
	p.Sum = uint16(BE16(b, p.UDP+6))
	if port != AnyPort && BE16(b, p.UDP+2) != port {
		return fail(CausePort, 0)
	}
	p.Kind = int(b[p.UDP+8] >> 3)
	return p
}

// Cut returns the length that trimming to size bytes leaves and why the packet is not trimmed, 0 if it is. The length
// is that of a packet that is too short for it, too; it is 0 for every other cause.
func (p *Packet) Cut(size int) (length, cause int) {
	switch {
	case p.Cause != 0:
		return 0, p.Cause
	case p.Kind != 2 && p.Kind != 3 && p.Kind != 13 && p.Kind != 14:
		return 0, CauseType
	}
	if length = max(size, p.UDP+trimmer.UetMin); length >= p.End {
		return length, CauseShort
	}
	return length, 0
}

// CauseOfFamily reports whether a packet of a family can have a cause.
func CauseOfFamily(cause, family int) bool {
	switch cause {
	case CauseEthertype:
		return family == NoFamily
	case CauseTruncated:
		return true
	case CauseExtension:
		return family == IPv6
	}
	return family != NoFamily
}
