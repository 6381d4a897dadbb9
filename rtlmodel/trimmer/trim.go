package trimmer

import (
	"bytes"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// UET types of requests.
const (
	uetRUD   = 2
	uetROD   = 3
	uetRUDCC = 13
	uetRODCC = 14
)

// Trim returns the frame as it leaves the block, and what was done to it. The frame has 0 or more bytes and no FCS; it
// is not changed. Side.Len is used only when the frame is longer than HeadBytes. Source: contract.md.
func Trim(cfg *Config, frame []byte, side Side) ([]byte, Result) {
	out := bytes.Clone(frame)
	head, f := out, len(out)
	if f > HeadBytes {
		head, f = out[:HeadBytes], int(side.Len)
	}
	r := treat(cfg, head, f, &side)
	if r.Trimmed {
		out = out[:r.Size]
	}
	return out, r
}

// treat decides on a packet from its first bytes, head, and its length f, and changes those bytes accordingly. In a
// trimmed packet, the bytes from Size on are meaningless afterwards.
func treat(cfg *Config, head []byte, f int, side *Side) (r Result) {
	if !side.Trim && !side.CE {
		return r
	}
	h, cause := ParseNetwork(head)
	parsed := cause == port.CauseNone
	if side.CE && parsed {
		ecn := h.Class(head) & 3
		r.Marked = ecn == 1 || ecn == 2
	}
	if side.Trim {
		if parsed {
			r.Size, cause = cut(cfg, head, f, side.TrimSize, &h)
		}
		r.Cause = cause
		r.Trimmed = cause == port.CauseNone
	}
	switch {
	case r.Trimmed:
		rewrite(cfg, head[:r.Size], &h, side.LastHop, r.Marked)
	case r.Marked:
		mark(head, &h)
	}
	return r
}

// Size decides on a packet without a size decided elsewhere, from its first bytes, head, and its length f. It returns
// the number of bytes after trimming, or 0 and the reason why the packet cannot be trimmed.
func Size(cfg *Config, head []byte, f int) (int, port.Cause) {
	h, cause := ParseNetwork(head)
	if cause != port.CauseNone {
		return 0, cause
	}
	return cut(cfg, head, f, 0, &h)
}

// cut continues where ParseNetwork ended and returns the size to trim to, or the cause not to trim. told is the size
// decided elsewhere; if it is 0, the registers decide.
func cut(cfg *Config, head []byte, f int, told uint16, h *Headers) (int, port.Cause) {
	if cause := h.ParseUDP(head, f); cause != port.CauseNone {
		return 0, cause
	}
	size := min(int(told), port.MaxTrim)
	if told == 0 {
		if h.UDPPort(head) != uint16(cfg[port.RegUdpPort]) {
			return 0, port.CausePort
		}
		size = max(int(cfg[port.RegTrimSize]), int(cfg[port.RegMinSize]))
	}
	switch h.UETType(head) {
	case uetRUD, uetROD, uetRUDCC, uetRODCC:
	default:
		return 0, port.CauseType
	}
	size = max(size, h.H+port.UetMin)
	if size >= h.E {
		return 0, port.CauseShort
	}
	return size, port.CauseNone
}

func setTrafficClass(head []byte, h *Headers, class uint8) {
	if h.V6 {
		putBE16(head, h.L2, be16(head, h.L2)&0xF00F|uint16(class)<<4)
	} else {
		head[h.L2+1] = class
	}
}

// mark sets ECN to CE in a packet that keeps its length.
func mark(head []byte, h *Headers) {
	old := be16(head, h.L2)
	setTrafficClass(head, h, h.Class(head)|3)
	if !h.V6 {
		sum := comp(be16(head, h.L2+10)) + comp(old) + uint64(be16(head, h.L2))
		putBE16(head, h.L2+10, ^fxp.Fold16(sum))
	}
}

// comp returns the 16-bit complement.
func comp(v uint16) uint64 { return uint64(^v) }

// rewrite corrects the headers for a frame that ends with head.
func rewrite(cfg *Config, head []byte, h *Headers, lastHop, marked bool) {
	m, n := be16(head, h.L2), be16(head, h.L2+2)
	class := uint8(cfg[port.RegDscpTrimmed]) << 2
	if lastHop {
		class = uint8(cfg[port.RegDscpLasthop]) << 2
	}
	class |= h.Class(head) & 3
	if marked {
		class |= 3
	}
	setTrafficClass(head, h, class)

	segment := head[h.H:]
	size := uint16(len(segment))
	var addresses []byte
	if h.V6 {
		putBE16(head, h.L2+4, size)
		addresses = head[h.L2+8 : h.L2+40]
	} else {
		putBE16(head, h.L2+2, uint16(len(head)-h.L2))
		sum := comp(be16(head, h.L2+10)) +
			comp(m) + uint64(be16(head, h.L2)) +
			comp(n) + uint64(be16(head, h.L2+2))
		putBE16(head, h.L2+10, ^fxp.Fold16(sum))
		addresses = head[h.L2+12 : h.L2+20]
	}
	putBE16(segment, 4, size)
	if be16(segment, 6) == 0 {
		return // sent without a checksum
	}
	putBE16(segment, 6, 0)
	c := ^fxp.Fold16(fxp.Sum16(addresses) + protoUDP + uint64(size) + fxp.Sum16(segment))
	if c == 0 {
		c = 0xFFFF
	}
	putBE16(segment, 6, c)
}
