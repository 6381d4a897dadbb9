package ackgen

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/packet"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Types of PDS headers.
const (
	typeRUD   = 2
	typeROD   = 3
	typeAck   = 7
	typeAckCC = 8
	typeNack  = 10
	typeCP    = 11
	typeRUDCC = 13
	typeRODCC = 14
)

// Types of control packets that are answered.
const (
	ctlAckReq = 1
	ctlClose  = 4
	ctlProbe  = 6
)

// maxHead is the number of bytes of a frame that hold its addresses: after two tags, all of an IPv6 header.
const maxHead = 14 + 2*4 + 40

// request is a packet that is not dropped, in the fields of the contract.
type request struct {
	key
	tag  uint32
	came Instant // stamp and phase

	kind, ctl                 uint8 // type, ctl_type of a CP
	retx, ar, syn, rod, ce    bool
	dscp                      uint8
	psn, base                 uint32
	dpdcid, psnOffset, opaque uint16
	payload                   uint32 // E - H, bytes

	// For the answer.
	native bool
	proto  uint8
	l2     int
	ports  [4]byte       // from H on
	head   [maxHead]byte // the first bytes of the frame

	why *event.Decision // for tell
}

// walk is what the decision has found in a packet.
type walk struct {
	packet.Walk
	y, o int // the first two bytes of the PDS header, and its length
}

func (w *walk) kind() int       { return w.y >> 11 }
func (w *walk) ctl() int        { return w.y >> 7 & 15 }
func (w *walk) flag(i int) bool { return w.y>>i&1 != 0 }

func filter(cfg *Config) *packet.Filter {
	return &packet.Filter{UDPPort: uint16(cfg[port.RegUdpPort]), Native: uint8(cfg[port.RegNative]),
		Summed: cfg[port.RegControl]&1 != 0}
}

// decide makes the decision. frame holds the bytes of a packet as packet.Frame has them, or more; f is the length F.
func (w *walk) decide(cfg *Config, frame []byte, f int) Reason {
	if r := w.Decide(filter(cfg), frame, f); r != 0 {
		return Reason(r) + port.WordFrames // the reasons have the order of the counters
	}
	b := frame[w.P:w.E]
	w.y = int(be16(b, 0))
	switch w.kind() {
	case typeRUD, typeROD:
		w.o = 12
	case typeCP, typeRUDCC, typeRODCC:
		w.o = 16
	default:
		return port.WordOtherType
	}
	if len(b) < w.o {
		return port.WordShort
	}
	if w.kind() == typeCP && w.ctl() != ctlAckReq && w.ctl() != ctlClose && w.ctl() != ctlProbe {
		return port.WordCtlType
	}
	if be16(b, 8) == 0 || be16(b, 10) == 0 && !w.flag(2) {
		return port.WordPdcid
	}
	return port.WordFrames
}

// fields fills all of q but tag, came and why, for a packet that is not dropped.
func (w *walk) fields(frame []byte, q *request) {
	b, class := frame[w.P:w.E], w.Class(frame)
	*q = request{
		key: key{v6: w.V6, spdcid: be16(b, 8)}, kind: uint8(w.kind()),
		retx: w.flag(4), ar: w.flag(3), syn: w.flag(2), ce: class&3 == 3, dscp: class >> 2,
		psn: be32(b, 4), dpdcid: be16(b, 10), payload: uint32(w.PayloadLen()),
		native: w.Native, proto: w.Proto, l2: w.L2, ports: [4]byte(frame[w.H:]),
	}
	copy(q.head[:], frame)
	if w.V6 {
		q.src = [2]uint64{be64(frame, w.L2+16), be64(frame, w.L2+8)}
	} else {
		q.src[0] = uint64(be32(frame, w.L2+12))
	}
	if q.syn {
		q.dpdcid, q.psnOffset = 0, q.dpdcid&0xFFF
	}
	q.rod = q.kind == typeROD || q.kind == typeRODCC
	if q.kind == typeCP {
		q.ctl, q.rod, q.opaque, q.base = uint8(w.ctl()), w.flag(5), be16(b, 2), be32(b, 12)
	}
}

// keepsTime reports whether the answer has p = 1: an ACK request or a probe refers to no packet with a time of sending.
func (q *request) keepsTime() bool { return q.kind == typeCP && q.ctl != ctlClose }

func be16(b []byte, i int) uint16 { return binary.BigEndian.Uint16(b[i:]) }

func be32(b []byte, i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }

func be64(b []byte, i int) uint64 { return binary.BigEndian.Uint64(b[i:]) }
