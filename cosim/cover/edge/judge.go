package edge

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover"
)

// Reasons to drop a packet below its PDS header, in the order of the blocks' counters; those of a block follow.
const (
	Passed = iota
	truncated
	ethertype
	wrongHeader
	fragment
	extension
	protocol
	wrongLength
	ipSum
	udpSum
	otherPort
	Own
)

const reasons = "PASSED TRUNCATED ETHERTYPE HEADER FRAGMENT EXTENSION PROTOCOL LENGTH IP_SUM UDP_SUM PORT "

// Places within truncated, wrongHeader and wrongLength.
var places = cover.Labels(`no_ethernet_header ends_in_tag no_ip_header ends_in_options shorter_than_ip_says
	wrong_version ihl_below_5 total_below_header no_prologue udp_length_differs`)

const (
	noEthernet = iota
	noTag
	noIP
	noOptions
	shorter
	version
	ihl
	total
	noPrologue
	udpLength
)

// Families.
const (
	noFamily = iota
	ipv4
	IPv6
)

// Packet is what the headers of a packet hold, as far as they were read.
type Packet struct {
	Reason, place int
	Family, Tags  int
	options       int // IPv4: words of options
	Native        bool
	IP, Upper     int    // where the IP header and what follows it begin
	PDS, End      int    // where the PDS header begins, and where the IP packet ends
	summed        bool   // the UDP checksum was looked at
	checksum      uint16 // of UDP
	ipOff, udpOff uint16 // by how much the sums are off, 0 if right

	ECN, DSCP uint8
	Src       [2]uint64 // the low 64 bits first
}

var be = binary.BigEndian

// sum returns the ones' complement sum of 16-bit words.
func sum(start uint64, b []byte) uint16 {
	for ; len(b) > 1; b = b[2:] {
		start += uint64(be.Uint16(b))
	}
	if len(b) == 1 {
		start += uint64(b[0]) << 8
	}
	for start>>16 != 0 {
		start = start&0xffff + start>>16
	}
	return uint16(start)
}

// Judge decides on a whole frame, as far as its PDS header. h is that header with all that follows; empty where the
// packet is dropped. native is the IP protocol of native UET, port the UDP port; strict refuses a UDP checksum of 0.
func Judge(b []byte, native, port uint64, strict bool) (p Packet, h []byte) {
	drop := func(reason, place int) (Packet, []byte) {
		p.Reason, p.place = reason, place
		return p, nil
	}
	n := len(b)
	if n < 14 {
		return drop(truncated, noEthernet)
	}
	for t := be.Uint16(b[12:]); p.Tags < 2 && (t == 0x8100 || t == 0x88a8); t = be.Uint16(b[12+4*p.Tags:]) {
		if n < 18+4*p.Tags {
			return drop(truncated, noTag)
		}
		p.Tags++
	}
	at := 14 + 4*p.Tags
	p.IP = at
	ip := b[at:]
	var proto byte
	var payload, pseudo []byte
	switch be.Uint16(b[at-2:]) {
	case 0x0800:
		p.Family = ipv4
		switch {
		case len(ip) < 20:
			return drop(truncated, noIP)
		case ip[0]>>4 != 4:
			return drop(wrongHeader, version)
		case ip[0]&15 < 5:
			return drop(wrongHeader, ihl)
		case len(ip) < 4*int(ip[0]&15):
			return drop(truncated, noOptions)
		}
		head, all := 4*int(ip[0]&15), int(be.Uint16(ip[2:]))
		p.options = head/4 - 5
		if p.ipOff = 0xffff - sum(0, ip[:head]); p.ipOff != 0 {
			return drop(ipSum, 0)
		}
		switch {
		case all < head:
			return drop(wrongLength, total)
		case len(ip) < all:
			return drop(truncated, shorter)
		case be.Uint16(ip[6:])&0x3fff != 0:
			return drop(fragment, 0)
		}
		at, proto, payload, pseudo = at+head, ip[9], ip[head:all], ip[12:20]
		p.ECN, p.DSCP, p.Src[0] = ip[1]&3, ip[1]>>2, uint64(be.Uint32(ip[12:]))
	case 0x86dd:
		p.Family = IPv6
		switch {
		case len(ip) < 40:
			return drop(truncated, noIP)
		case ip[0]>>4 != 6:
			return drop(wrongHeader, version)
		case len(ip) < 40+int(be.Uint16(ip[4:])):
			return drop(truncated, shorter)
		}
		switch proto = ip[6]; proto {
		case 44:
			return drop(fragment, 0)
		case 0, 43, 50, 51, 60, 135:
			return drop(extension, 0)
		}
		at, payload, pseudo = at+40, ip[40:40+int(be.Uint16(ip[4:]))], ip[8:40]
		class := be.Uint16(ip) >> 4
		p.ECN, p.DSCP = uint8(class&3), uint8(class>>2)&63
		p.Src = [2]uint64{be.Uint64(ip[16:]), be.Uint64(ip[8:])}
	default:
		return drop(ethertype, 0)
	}
	p.Native = proto != 17
	if p.Native && uint64(proto) != native {
		return drop(protocol, 0)
	}
	upper := 8
	if p.Native {
		upper = 4
	}
	p.Upper, p.PDS, p.End = at, at+upper, at+len(payload)
	switch {
	case len(payload) < upper+2:
		return drop(wrongLength, noPrologue)
	case !p.Native && int(be.Uint16(payload[4:])) != len(payload):
		return drop(wrongLength, udpLength)
	}
	if !p.Native {
		p.summed, p.checksum = true, be.Uint16(payload[6:])
		if p.checksum != 0 {
			p.udpOff = 0xffff - sum(uint64(sum(17+uint64(len(payload)), pseudo)), payload)
		}
		switch {
		case p.checksum == 0 && strict, p.udpOff != 0:
			return drop(udpSum, 0)
		case uint64(be.Uint16(payload[2:])) != port:
			return drop(otherPort, 0)
		}
	}
	return p, payload[upper:]
}
