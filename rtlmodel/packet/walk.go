package packet

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

const (
	// ProtoUDP is the number n of UDP.
	ProtoUDP = 17
	protoFrg = 44

	udpHeader    = 8
	nativeHeader = 4
	prologue     = 2 // bytes of a PDS header that hold its type
)

// Reason is why steps 1 to 8 drop a packet, in the order of the blocks' counters; 0 is none.
type Reason uint8

// The reasons of the contract.
const (
	Truncated Reason = 1 + iota
	Ethertype
	Header
	Fragment
	Extension
	Protocol
	Length
	IPSum
	UDPSum
	Port
)

// Filter has the registers that the steps use.
type Filter struct {
	UDPPort uint16
	Native  uint8
	Summed  bool // a UDP checksum of 0 is refused
}

// Walk holds what the decision has found in a packet so far. Offsets are in bytes from the start of the frame.
type Walk struct {
	trimmer.Headers
	Proto  uint8 // n
	Native bool
	P      int // start of the PDS header
}

// Decide makes steps 1 to 8 of the decision. frame holds the bytes of a packet as Frame.Bytes does, or more; f is the
// length F.
func (w *Walk) Decide(by *Filter, frame []byte, f int) Reason {
	h, cause := trimmer.ParseNetwork(frame[:min(f, port.Window)])
	w.Headers = h
	if cause != pt.CauseNone {
		return network(cause)
	}
	if r := w.ip(frame, f); r != 0 {
		return r
	}
	return w.transport(by, frame)
}

// network returns the reason for a header walk that ended early: steps 1 to 3 and the beginning of step 4.
func network(cause pt.Cause) Reason {
	switch cause {
	case pt.CauseTruncated:
		return Truncated
	case pt.CauseEthertype:
		return Ethertype
	case pt.CauseHeader:
		return Header
	}
	panic("the header walk ended with " + cause.String())
}

// ip is the rest of step 4. It sets E and Proto. The IP header is whole.
func (w *Walk) ip(frame []byte, f int) Reason {
	ip := frame[w.L2:w.H]
	if w.V6 {
		w.E = w.H + int(be16(ip, 4))
		if f < w.E {
			return Truncated
		}
		w.Proto = ip[6]
		switch w.Proto {
		case protoFrg:
			return Fragment
		case 0, 43, 50, 51, 60, 135:
			return Extension
		}
		return 0
	}
	if fxp.Fold16(fxp.Sum16(ip)) != 0xFFFF {
		return IPSum
	}
	w.E = w.L2 + int(be16(ip, 2))
	switch {
	case w.E < w.H:
		return Length
	case f < w.E:
		return Truncated
	case be16(ip, 6)&0x3FFF != 0:
		return Fragment
	}
	w.Proto = ip[9]
	return 0
}

// transport is steps 5 to 8. It sets Native and P.
func (w *Walk) transport(by *Filter, frame []byte) Reason {
	payload := frame[w.H:w.E]
	switch {
	case w.Proto == ProtoUDP:
		w.P = w.H + udpHeader
		if len(payload) < udpHeader+prologue || int(be16(payload, 4)) != len(payload) {
			return Length
		}
		c := be16(payload, 6)
		if c == 0 && by.Summed || c != 0 && fxp.Fold16(w.Sum(frame)) != 0xFFFF {
			return UDPSum
		}
		if be16(payload, 2) != by.UDPPort {
			return Port
		}
	case w.Proto == by.Native:
		w.Native = true
		w.P = w.H + nativeHeader
		if len(payload) < nativeHeader+prologue {
			return Length
		}
	default:
		return Protocol
	}
	return 0
}

// Addresses returns the source and the destination address of a packet that passes step 4, 8 or 32 bytes.
func (w *Walk) Addresses(frame []byte) []byte {
	if w.V6 {
		return frame[w.L2+8 : w.L2+40]
	}
	return frame[w.L2+12 : w.L2+20]
}

// Sum returns the plain sum over a datagram and its pseudo header.
func (w *Walk) Sum(frame []byte) uint64 {
	return fxp.Sum16(w.Addresses(frame)) + ProtoUDP + uint64(w.PayloadLen()) + fxp.Sum16(frame[w.H:w.E])
}

// Explain tells what the steps found in a packet that passed them, with the values in the order of the contract. rule
// names a step, beats the rule of "Beats".
func (w *Walk) Explain(d *event.Decision, by *Filter, frame []byte, f int, beats string, rule func(step int) string) {
	d.Value(beats, "A", uint64(min(f, port.Window)))
	d.Value(beats, "F", uint64(f))
	d.Value(rule(2), "v", uint64(w.L2-14)/4)
	d.Value(rule(2), "L2", uint64(w.L2))
	d.Value(rule(3), "be16[L2 - 2]", uint64(be16(frame, w.L2-2)))
	d.Value(rule(4), "HL", uint64(w.H-w.L2))
	d.Value(rule(4), "plen", uint64(w.PayloadLen()))
	d.Value(rule(4), "H", uint64(w.H))
	d.Value(rule(4), "E", uint64(w.E))
	d.Value(rule(4), "n", uint64(w.Proto))
	d.Value(rule(5), "NATIVE", uint64(by.Native))
	d.Value(rule(6), "P", uint64(w.P))
	if !w.Native {
		d.Value(rule(7), "C", uint64(be16(frame, w.H+6)))
		d.Value(rule(7), "sum of pseudo header and datagram", w.Sum(frame))
		d.Value(rule(8), "be16[H+2]", uint64(be16(frame, w.H+2)))
		d.Value(rule(8), "UDP_PORT", uint64(by.UDPPort))
	}
}

func be16(b []byte, i int) uint16 { return binary.BigEndian.Uint16(b[i:]) }
