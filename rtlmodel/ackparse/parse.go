package ackparse

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/packet"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
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
	v := w.decide(cfg, frame, min(len(frame), packet.MaxFrame))
	if v.Passed() {
		w.record(frame, rec)
	}
	return v
}

// walk holds what the decision has found in a packet so far.
type walk struct {
	packet.Walk
	y uint16 // the first two bytes of the PDS header
	o int    // O: its length
}

// decide makes the decision. frame holds the bytes of a packet as packet.Frame has them, or more; f is the length F.
func (w *walk) decide(cfg *Config, frame []byte, f int) Verdict {
	if r := w.Decide(filter(cfg), frame, f); r != 0 {
		return Verdict(r) // the reasons have the order of the counters
	}
	return w.pds(cfg, frame)
}

func filter(cfg *Config) *packet.Filter {
	return &packet.Filter{UDPPort: uint16(cfg[port.RegUdpPort]), Native: uint8(cfg[port.RegNative]),
		Summed: cfg[port.RegControl]&1 != 0}
}

// pds is steps 9 to 13. It sets y and O.
func (w *walk) pds(cfg *Config, frame []byte) Verdict {
	b := frame[w.P:w.E]
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
