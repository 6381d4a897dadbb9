package ackparse

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
)

// Reasons to drop a packet, by the number of their counter.
const (
	passed = iota
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
	otherType
	short
	ccType
	ctlType
	pdcid
)

var reasons = cover.Labels(`PASSED TRUNCATED ETHERTYPE HEADER FRAGMENT EXTENSION PROTOCOL LENGTH IP_SUM UDP_SUM PORT
	TYPE SHORT CC_TYPE CTL_TYPE PDCID`)

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
	ipv6
)

// packet is what the headers of a packet say, as far as they were read.
type packet struct {
	reason, place int
	family, tags  int
	options       int // IPv4: words of options
	native        bool
	pds, end      int    // where the PDS header begins, and where the IP packet ends
	summed        bool   // the UDP checksum was looked at
	checksum      uint16 // of UDP
	length        int    // of the IP payload
	ipOff, udpOff uint16 // by how much the sums are off, 0 if right
	kind          int    // PDS type
	size          int    // of its header
	rec           ackparse.Rec
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

// judge decides on a whole frame by the registers.
func judge(b []byte, regs []uint64) (p packet) {
	drop := func(reason, place int) packet {
		p.reason, p.place = reason, place
		return p
	}
	n := len(b)
	if n < 14 {
		return drop(truncated, noEthernet)
	}
	for t := be.Uint16(b[12:]); p.tags < 2 && (t == 0x8100 || t == 0x88a8); t = be.Uint16(b[12+4*p.tags:]) {
		if n < 18+4*p.tags {
			return drop(truncated, noTag)
		}
		p.tags++
	}
	at := 14 + 4*p.tags
	ip := b[at:]
	var proto byte
	var payload, pseudo []byte
	r := &p.rec
	switch be.Uint16(b[at-2:]) {
	case 0x0800:
		p.family = ipv4
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
		r.ECN, r.Dscp, r.Src[0] = ip[1]&3, ip[1]>>2, uint64(be.Uint32(ip[12:]))
	case 0x86dd:
		p.family = ipv6
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
		r.Ipv6, r.ECN, r.Dscp = true, uint8(class&3), uint8(class>>2)&63
		r.Src = [2]uint64{be.Uint64(ip[16:]), be.Uint64(ip[8:])}
	default:
		return drop(ethertype, 0)
	}
	p.native = proto != 17
	if p.native && uint64(proto) != regs[ackparse.RegNative] {
		return drop(protocol, 0)
	}
	upper := 8
	if p.native {
		upper = 4
	}
	switch {
	case len(payload) < upper+2:
		return drop(wrongLength, noPrologue)
	case !p.native && int(be.Uint16(payload[4:])) != len(payload):
		return drop(wrongLength, udpLength)
	}
	if !p.native {
		p.summed, p.checksum, p.length = true, be.Uint16(payload[6:]), len(payload)
		if p.checksum != 0 {
			p.udpOff = 0xffff - sum(uint64(sum(17+uint64(len(payload)), pseudo)), payload)
		}
		switch {
		case p.checksum == 0 && regs[ackparse.RegControl]&1 != 0, p.udpOff != 0:
			return drop(udpSum, 0)
		case uint64(be.Uint16(payload[2:])) != regs[ackparse.RegUdpPort]:
			return drop(otherPort, 0)
		}
	}
	r.Native, r.Entropy = p.native, be.Uint16(payload)
	p.pds, p.end = at+upper, at+len(payload)
	return p.header(payload[upper:], regs)
}

// header decides on the PDS header, with which h begins.
func (p *packet) header(h []byte, regs []uint64) packet {
	r := &p.rec
	word := be.Uint16(h)
	p.kind = int(word >> 11)
	switch p.kind {
	case 7:
		p.size = 12
	case 8:
		p.size = 32
	case 9:
		p.size = 24 + int(regs[ackparse.RegAckState])
	case 10, 11:
		p.size = 16
	case 12:
		p.size = 16 + int(regs[ackparse.RegNackState])
	default:
		p.reason = otherType
		return *p
	}
	if r.Rest = uint16(len(h) - p.size); len(h) < p.size {
		p.reason = short
		return *p
	}
	r.PdsType, r.Next, r.Retx = ackparse.PdsType(p.kind), uint8(word>>7&15), word&0x10 != 0
	second := be.Uint16(h[2:])
	r.PSN, r.Spdcid, r.Dpdcid = be.Uint32(h[4:]), be.Uint16(h[8:]), be.Uint16(h[10:])
	reserved := r.Spdcid == 0 || r.Dpdcid == 0
	switch p.kind {
	case 7, 8, 9:
		r.Epsn, r.M, r.Probe, r.Req = word&0x40 != 0, word&0x20 != 0, word&8 != 0, uint8(word>>1&3)
		if r.Probe {
			r.Opaque = second
		} else {
			r.AckPSN = r.PSN + uint32(int32(int16(second)))
		}
	case 10, 12:
		r.M, r.Nt, r.NackCode, r.VendorCode, r.Payload = word&0x20 != 0, word&8 != 0, h[2], h[3], be.Uint32(h[12:])
		reserved = false
	default:
		r.Isrod, r.Ar, r.Syn, r.Opaque, r.Payload = word&0x20 != 0, word&8 != 0, word&4 != 0, second, be.Uint32(h[12:])
		if r.Syn {
			reserved = r.Spdcid == 0
			r.PDCInfo, r.PSNOffset, r.Dpdcid = uint8(r.Dpdcid>>12), r.Dpdcid&0xfff, 0
		}
		if r.Next > 9 {
			p.reason = ctlType
		}
	}
	switch p.kind {
	case 8, 9:
		r.CcType, r.CcFlags, r.Mpr = h[12]>>4, h[12]&15, h[13]
		r.SackBase, r.SackBitmap = r.PSN+uint32(int32(int16(be.Uint16(h[14:])))), be.Uint64(h[16:])
		if p.kind == 9 {
			r.State = stateOf(h[24:p.size])
			break
		}
		r.Ooo = be.Uint16(h[30:])
		switch r.CcType {
		case 0:
			r.ServiceTime, r.RC, r.RcvCwndPend = be.Uint16(h[24:]), h[26]>>7 != 0, h[26]&127
			r.RcvdBytes = be.Uint32(h[26:]) & 0xffffff
		case 1:
			r.Credit = be.Uint32(h[24:]) >> 8
		default:
			p.reason = ccType
		}
	case 12:
		r.CcType, r.State = h[16]>>4, stateOf(h[16:p.size])
	}
	if p.reason == passed && reserved {
		p.reason = pdcid
	}
	return *p
}

// stateOf packs the bytes of a state, the first in the lowest bits.
func stateOf(b []byte) (words [3]uint64) {
	for i, x := range b {
		words[i/8] |= uint64(x) << (8 * (i % 8))
	}
	return words
}
