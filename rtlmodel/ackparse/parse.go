package ackparse

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

const (
	protoUDP = 17
	protoFrg = 44

	udpHeader    = 8
	nativeHeader = 4
	prologue     = 2 // bytes of a PDS header that hold its type

	maxFrame = 131071 // F stops here
	// maxEnd is the greatest E, that of an IPv6 packet after two tags: no byte from it on is read.
	maxEnd = 14 + 2*4 + 40 + 65535
)

// Greatest codes that are passed on.
const (
	maxCcType  = 1
	maxCtlType = 9
)

// Parse returns the verdict on a whole frame. If the frame is passed on, it fills all of rec except tag. The frame has
// 0 or more bytes and no FCS; it is not changed. Source: contract.md.
func Parse(cfg *Config, frame []byte, rec *port.Rec) Verdict {
	var w walk
	v := w.decide(cfg, frame, min(len(frame), maxFrame))
	if v.Passed() {
		w.record(frame, rec)
	}
	return v
}

// walk holds what the decision has found in a packet so far. Offsets are in bytes from the start of the frame.
type walk struct {
	trimmer.Headers
	proto  uint8 // n
	native bool
	p      int    // P: start of the PDS header
	y      uint16 // its first two bytes
	o      int    // O: its length
}

// decide makes the decision. frame holds the bytes of a packet up to maxEnd or more, f is the length F.
func (w *walk) decide(cfg *Config, frame []byte, f int) Verdict {
	h, cause := trimmer.ParseNetwork(frame[:min(f, port.Window)])
	w.Headers = h
	if cause != pt.CauseNone {
		return network(cause)
	}
	if v := w.ip(frame, f); v != 0 {
		return v
	}
	if v := w.transport(cfg, frame); v != 0 {
		return v
	}
	return w.pds(cfg, frame)
}

// network returns the verdict for a header walk that ended early: steps 1 to 3 and the beginning of step 4.
func network(cause pt.Cause) Verdict {
	switch cause {
	case pt.CauseTruncated:
		return port.WordTruncated
	case pt.CauseEthertype:
		return port.WordEthertype
	case pt.CauseHeader:
		return port.WordBadHeader
	}
	panic("the header walk ended with " + cause.String())
}

// ip is the rest of step 4. It sets E and proto. The IP header is whole.
func (w *walk) ip(frame []byte, f int) Verdict {
	ip := frame[w.L2:w.H]
	if w.V6 {
		w.E = w.H + int(be16(ip, 4))
		if f < w.E {
			return port.WordTruncated
		}
		w.proto = ip[6]
		switch w.proto {
		case protoFrg:
			return port.WordFragment
		case 0, 43, 50, 51, 60, 135:
			return port.WordExtension
		}
		return 0
	}
	if fxp.Fold16(fxp.Sum16(ip)) != 0xFFFF {
		return port.WordIpSum
	}
	w.E = w.L2 + int(be16(ip, 2))
	switch {
	case w.E < w.H:
		return port.WordBadLength
	case f < w.E:
		return port.WordTruncated
	case be16(ip, 6)&0x3FFF != 0:
		return port.WordFragment
	}
	w.proto = ip[9]
	return 0
}

// transport is steps 5 to 8. It sets native and P.
func (w *walk) transport(cfg *Config, frame []byte) Verdict {
	payload := frame[w.H:w.E]
	switch {
	case w.proto == protoUDP:
		w.p = w.H + udpHeader
		if len(payload) < udpHeader+prologue || int(be16(payload, 4)) != len(payload) {
			return port.WordBadLength
		}
		c := be16(payload, 6)
		if c == 0 && cfg[port.RegControl]&1 != 0 || c != 0 && fxp.Fold16(w.sum(frame)) != 0xFFFF {
			return port.WordUdpSum
		}
		if be16(payload, 2) != uint16(cfg[port.RegUdpPort]) {
			return port.WordOtherPort
		}
	case w.proto == uint8(cfg[port.RegNative]):
		w.native = true
		w.p = w.H + nativeHeader
		if len(payload) < nativeHeader+prologue {
			return port.WordBadLength
		}
	default:
		return port.WordProtocol
	}
	return 0
}

// sum returns the plain sum over a datagram and its pseudo header.
func (w *walk) sum(frame []byte) uint64 {
	addresses := frame[w.L2+12 : w.L2+20]
	if w.V6 {
		addresses = frame[w.L2+8 : w.L2+40]
	}
	return fxp.Sum16(addresses) + protoUDP + uint64(w.PayloadLen()) + fxp.Sum16(frame[w.H:w.E])
}

// pds is steps 9 to 13. It sets y and O.
func (w *walk) pds(cfg *Config, frame []byte) Verdict {
	b := frame[w.p:w.E]
	w.y = be16(b, 0)
	var passed Verdict
	switch w.kind() {
	case port.PdsTypeAck:
		passed, w.o = port.WordAcks, 12
	case port.PdsTypeAckCc:
		passed, w.o = port.WordAckCcs, 32
	case port.PdsTypeAckCcx:
		passed, w.o = port.WordAckCcxs, 24+int(cfg[port.RegAckState])
	case port.PdsTypeNack:
		passed, w.o = port.WordNacks, 16
	case port.PdsTypeNackCcx:
		passed, w.o = port.WordNackCcxs, 16+int(cfg[port.RegNackState])
	case port.PdsTypeCp:
		passed, w.o = port.WordCps, 16
	default:
		return port.WordOtherType
	}
	if len(b) < w.o {
		return port.WordShort
	}
	spdcid, dpdcid := be16(b, 8), be16(b, 10)
	switch w.kind() {
	case port.PdsTypeAck, port.PdsTypeAckCc, port.PdsTypeAckCcx:
		if w.kind() == port.PdsTypeAckCc && b[12]>>4 > maxCcType {
			return port.WordCcType
		}
		if spdcid == 0 || dpdcid == 0 {
			return port.WordPdcid
		}
	case port.PdsTypeCp:
		if w.next() > maxCtlType {
			return port.WordCtlType
		}
		if spdcid == 0 || dpdcid == 0 && !w.flag(2) {
			return port.WordPdcid
		}
	}
	return passed
}

func (w *walk) kind() port.PdsType { return port.PdsType(w.y >> 11) }

func (w *walk) next() uint8 { return uint8(w.y >> 7 & 15) }

// flag returns bit i of the prologue.
func (w *walk) flag(i int) bool { return w.y>>i&1 != 0 }

func be16(b []byte, i int) uint16 { return binary.BigEndian.Uint16(b[i:]) }
