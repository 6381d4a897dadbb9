package trimmer

import (
	"encoding/binary"

	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

const (
	typeIPv4 = 0x0800
	typeIPv6 = 0x86DD
	tagC     = 0x8100
	tagS     = 0x88A8

	protoUDP = 17
	protoFrg = 44
)

// Headers holds the offsets of the parts of a frame, in bytes from its start.
type Headers struct {
	V6 bool
	L2 int // start of the IP header
	H  int // start of the UDP header
	E  int // end of the IP packet; set by ParseUDP
}

// PayloadLen returns the length of the payload after the IP header, according to the IP header.
func (h *Headers) PayloadLen() int { return h.E - h.H }

// Class returns the traffic class, DSCP and ECN. Call it only after ParseNetwork returned NONE.
func (h *Headers) Class(head []byte) uint8 {
	if h.V6 {
		return uint8(be16(head, h.L2) >> 4)
	}
	return head[h.L2+1]
}

func be16(b []byte, i int) uint16 { return binary.BigEndian.Uint16(b[i:]) }

func putBE16(b []byte, i int, v uint16) { binary.BigEndian.PutUint16(b[i:], v) }

// ParseNetwork walks from the start of a frame to a whole IP header of the right version: steps 2
// to 4 of the decision and the beginning of step 5. head holds the A bytes that were seen. It returns NONE and all of
// Headers except E, or the cause that ended the walk.
func ParseNetwork(head []byte) (h Headers, cause port.Cause) {
	a := len(head)
	if a < 14 {
		return h, port.CauseTruncated
	}
	h.L2 = 14
	kind := be16(head, 12)
	for tags := 0; tags < 2 && (kind == tagC || kind == tagS); tags++ {
		h.L2 += 4
		if a < h.L2 {
			return h, port.CauseTruncated
		}
		kind = be16(head, h.L2-2)
	}
	switch kind {
	case typeIPv4:
		if a < h.L2+20 {
			return h, port.CauseTruncated
		}
		b := head[h.L2]
		if b>>4 != 4 || b&15 < 5 {
			return h, port.CauseHeader
		}
		h.H = h.L2 + 4*int(b&15)
		if a < h.H {
			return h, port.CauseTruncated
		}
	case typeIPv6:
		h.V6 = true
		h.H = h.L2 + 40
		if a < h.H {
			return h, port.CauseTruncated
		}
		if head[h.L2]>>4 != 6 {
			return h, port.CauseHeader
		}
	default:
		return h, port.CauseEthertype
	}
	return h, port.CauseNone
}

// ParseUDP continues where ParseNetwork ended with NONE: the rest of step 5, and step 6. f is the frame length F. It
// sets E. It returns NONE when the frame is a whole UDP datagram, to any port, with room for a UET prologue; otherwise
// it returns the cause that ended the walk.
func (h *Headers) ParseUDP(head []byte, f int) port.Cause {
	ip := head[h.L2:]
	if h.V6 {
		h.E = h.H + int(be16(ip, 4))
		if f < h.E {
			return port.CauseTruncated
		}
		switch ip[6] {
		case protoUDP:
		case protoFrg:
			return port.CauseFragment
		case 0, 43, 50, 51, 60, 135:
			return port.CauseExtension
		default:
			return port.CauseProtocol
		}
	} else {
		h.E = h.L2 + int(be16(ip, 2))
		if h.E < h.H {
			return port.CauseLength
		}
		if f < h.E {
			return port.CauseTruncated
		}
		if be16(ip, 6)&0x3FFF != 0 {
			return port.CauseFragment
		}
		if ip[9] != protoUDP {
			return port.CauseProtocol
		}
	}
	if n := h.PayloadLen(); n < 10 || int(be16(head, h.H+4)) != n {
		return port.CauseLength
	}
	return port.CauseNone
}

// UDPPort returns the destination port. Call it only after ParseUDP returned NONE.
func (h *Headers) UDPPort(head []byte) uint16 { return be16(head, h.H+2) }

// UETType returns the packet type in the first byte of the UET header. Call it only after ParseUDP returned NONE.
func (h *Headers) UETType(head []byte) uint8 { return head[h.H+8] >> 3 }
