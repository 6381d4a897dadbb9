package cover

import "github.com/goldwire/goldwire/vectors/event/trimmer"

// parsed is what the decision of trimmer and intmd finds in the first bytes of a frame: steps 2 to 7 of the
// trimmer's contract, which both follow.
type parsed struct {
	cause  int    // 0: none of the steps ended it; else the code that both blocks share
	why    int    // of causes with several reasons, which
	family int    // none, ipv4, ipv6
	tags   int    // 0 to 2
	kinds  int    // of the tags, outer first: a place in tagKinds, -1 without tags
	reach  int    // where the IP packet ends by its header; 0 if that was not looked at
	l2, h  int    // where IP and UDP start
	ipOK   bool   // the IP header is there and of the right version: its traffic class can be marked
	class  uint8  // traffic class
	end    int    // where the IP packet ends
	plen   int    // bytes of UDP
	kind   int    // UET type
	sum    uint16 // UDP checksum
	words  int    // IPv4: words of options
}

// Codes that both blocks share.
const (
	whyNone = iota
	codeTruncated
	codeEthertype
	codeHeader
	codeFragment
	codeExtension
	codeProtocol
	codeLength
	codePort
)

// Codes beyond those of the headers, of the trimmer alone.
const (
	trimmerType  = int(trimmer.CauseType)
	trimmerShort = int(trimmer.CauseShort)
)

// trimmerCauses are the labels of the trimmer's codes.
var trimmerCauses = words("NONE TRUNCATED ETHERTYPE HEADER FRAGMENT EXTENSION PROTOCOL LENGTH PORT TYPE SHORT")

// Reasons within TRUNCATED, HEADER and LENGTH, in the order of failureNames.
const (
	rNoEthernet = iota
	rNoTag
	rNoIP
	rNoOptions
	rShorter
	rVersion
	rIHL
	rTotal
	rNoPrologue
	rUDPLength
	rOther
)

var failureNames = words("no_ethernet_header ends_in_tag no_ip_header ends_in_options shorter_than_ip_says wrong_version ihl_below_5 total_below_header no_uet_prologue udp_length_differs")

// Families.
const (
	famNone = iota
	famIPv4
	famIPv6
)

// tagKinds are the types of tags, outer first.
var tagKinds = words("8100 88a8 8100+8100 8100+88a8 88a8+8100 88a8+88a8")

var familyNames = words("none ipv4 ipv6")

func be16(b []byte, i int) int { return int(b[i])<<8 | int(b[i+1]) }

// anyPort is the port of a block that does not look at it.
const anyPort = -1

// parse looks at the first bytes b of a frame of f bytes in all, as far as the block believes.
func parse(b []byte, f, port int) (p parsed) {
	a := len(b)
	p.kinds = -1
	fail := func(cause, why int) parsed {
		p.cause, p.why = cause, why
		return p
	}
	if a < 14 {
		return fail(codeTruncated, rNoEthernet)
	}
	for p.tags < 2 {
		if t := be16(b, 12+4*p.tags); t != 0x8100 && t != 0x88a8 {
			break
		}
		if a < 18+4*p.tags {
			return fail(codeTruncated, rNoTag)
		}
		service := b2i(be16(b, 12+4*p.tags) == 0x88a8)
		if p.kinds = 2*max(p.kinds+1, 0) + service; p.tags == 0 {
			p.kinds = service
		}
		p.tags++
	}
	p.l2 = 14 + 4*p.tags
	var proto byte
	switch be16(b, p.l2-2) {
	case 0x0800:
		p.family = famIPv4
		if a < p.l2+20 {
			return fail(codeTruncated, rNoIP)
		}
		v := b[p.l2]
		if v>>4 != 4 {
			return fail(codeHeader, rVersion)
		}
		if v&15 < 5 {
			return fail(codeHeader, rIHL)
		}
		hl := 4 * int(v&15)
		if a < p.l2+hl {
			return fail(codeTruncated, rNoOptions)
		}
		p.words = hl/4 - 5
		p.ipOK, p.class = true, b[p.l2+1]
		total := be16(b, p.l2+2)
		if total < hl {
			return fail(codeLength, rTotal)
		}
		if p.reach = p.l2 + total; f < p.reach {
			return fail(codeTruncated, rShorter)
		}
		if be16(b, p.l2+6)&0x3fff != 0 {
			return fail(codeFragment, 0)
		}
		proto = b[p.l2+9]
		p.plen, p.h = total-hl, p.l2+hl
		if proto != 17 {
			return fail(codeProtocol, 0)
		}
	case 0x86dd:
		p.family = famIPv6
		if a < p.l2+40 {
			return fail(codeTruncated, rNoIP)
		}
		if b[p.l2]>>4 != 6 {
			return fail(codeHeader, rVersion)
		}
		p.ipOK, p.class = true, b[p.l2]<<4|b[p.l2+1]>>4
		p.plen, p.h = be16(b, p.l2+4), p.l2+40
		if p.reach = p.h + p.plen; f < p.reach {
			return fail(codeTruncated, rShorter)
		}
		switch proto = b[p.l2+6]; proto {
		case 17:
		case 44:
			return fail(codeFragment, 0)
		case 0, 43, 50, 51, 60, 135:
			return fail(codeExtension, 0)
		default:
			return fail(codeProtocol, 0)
		}
	default:
		return fail(codeEthertype, 0)
	}
	p.end = p.h + p.plen
	if p.plen < 10 {
		return fail(codeLength, rNoPrologue)
	}
	if be16(b, p.h+4) != p.plen {
		return fail(codeLength, rUDPLength)
	}
	p.sum = uint16(be16(b, p.h+6))
	if port != anyPort && be16(b, p.h+2) != port {
		return fail(codePort, 0)
	}
	p.kind = int(b[p.h+8] >> 3)
	return p
}

// cut returns the length that trimming to size bytes leaves and why the packet is not trimmed, 0 if it is. The length is that of
// a packet that is too short for it, too; it is 0 for every other cause.
func (p *parsed) cut(size int) (length, cause int) {
	switch {
	case p.cause != 0:
		return 0, p.cause
	case p.kind != 2 && p.kind != 3 && p.kind != 13 && p.kind != 14:
		return 0, trimmerType
	}
	if length = max(size, p.h+trimmer.UetMin); length >= p.end {
		return length, trimmerShort
	}
	return length, 0
}

// shared says which causes a family can have.
func causeOfFamily(cause, family int) bool {
	switch cause {
	case codeEthertype:
		return family == famNone
	case codeTruncated:
		return true
	case codeExtension:
		return family == famIPv6
	}
	return family != famNone
}
