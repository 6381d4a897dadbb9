package intmd

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// plan is the result of the decision on a packet.
type plan struct {
	Result
	at    int    // I: bytes of the frame before the new entry
	sumAt int    // position of the UDP checksum; 0 when the datagram has none
	sum   uint64 // its sum without the entry

	why *event.Decision // for the model's tell
}

// Insert returns the frame as it leaves the block, and what was done to it. lookup returns the table entry of a port;
// Insert calls it once, with a port below numPorts, when it inserts an entry. The frame has no FCS and is not changed.
// Side.Len is used only when the frame is longer than HeadBytes. numPorts is the module's parameter. Source:
// contract.md.
func Insert(cfg *Config, numPorts int, frame []byte, side Side, lookup func(p int) uint64) ([]byte, Result) {
	out := make([]byte, len(frame), len(frame)+port.HopBytes)
	copy(out, frame)
	head, f := out, len(out)
	if f > HeadBytes {
		head, f = out[:HeadBytes], int(side.Len)
	}
	p := decide(cfg, numPorts, head, f, &side)
	if !p.Inserted {
		return out, p.Result
	}
	entry := lookup(int(p.Index))
	if p.sumAt != 0 {
		putBE16(out, p.sumAt, p.checksum(entry))
	}
	if p.at <= len(out) {
		out = out[:len(out)+port.HopBytes]
		copy(out[p.at+port.HopBytes:], out[p.at:])
		binary.BigEndian.PutUint64(out[p.at:], entry)
	}
	return out, p.Result
}

// decide decides on a packet from its first bytes, head, and its length f. When an entry is to be inserted it corrects
// the headers in head, except for the UDP checksum.
func decide(cfg *Config, numPorts int, head []byte, f int, side *Side) (p plan) {
	h, cause := trimmer.ParseNetwork(head)
	if cause == 0 {
		cause = h.ParseUDP(head, f)
	}
	if cause == 0 && h.UDPPort(head) != uint16(cfg[port.RegUdpPort]) {
		cause = pt.CausePort
	}
	if cause != 0 { // both blocks give these causes the same codes
		p.Cause = port.Cause(cause)
		return p
	}

	var o int
	if p.Sort, o = telemetry(h.UETType(head)); p.Sort == Other {
		p.Cause, p.Index = port.CauseType, side.OutPort
		return p
	}
	p.Index = side.index(p.Sort)
	g := h.H + 8 + o
	if p.Cause = check(cfg, numPorts, head, &h, g, &p); p.Cause != port.CauseNone {
		return p
	}

	p.Inserted = true
	hops := head[g+2]
	p.Hops = hops + 1
	p.at = g + port.IntBytes + port.HopBytes*int(hops)
	if c := be16(head, h.H+6); c != 0 {
		p.sumAt, p.sum = h.H+6, comp(c)
	}
	oldG := be16(head, g+2)
	head[g+2] = p.Hops
	p.sum += comp(oldG) + uint64(be16(head, g+2))

	oldL := be16(head, h.H+4)
	putBE16(head, h.H+4, oldL+port.HopBytes)
	p.sum += 2 * (comp(oldL) + uint64(oldL+port.HopBytes))

	if h.V6 {
		putBE16(head, h.L2+4, be16(head, h.L2+4)+port.HopBytes)
	} else {
		n := be16(head, h.L2+2)
		putBE16(head, h.L2+2, n+port.HopBytes)
		sum := comp(be16(head, h.L2+10)) + comp(n) + uint64(n+port.HopBytes)
		putBE16(head, h.L2+10, ^fxp.Fold16(sum))
	}
	return p
}

// telemetry returns where the entry of a packet with a UET type comes from, and the length of its UET header.
func telemetry(uetType uint8) (s Sort, header int) {
	switch uetType {
	case 7:
		return Ack, 12
	case 8:
		return Ack, 32
	case 2, 3:
		return Data, 12
	case 13, 14:
		return Data, 16
	}
	return Other, 0
}

// index returns the port whose entry a packet takes.
func (s *Side) index(of Sort) uint8 {
	if of == Ack {
		return s.InPort
	}
	return s.OutPort
}

// check executes steps 3 to 8 of the decision for a packet of a sort that can take an entry. g is where its INT header
// would start.
func check(cfg *Config, numPorts int, head []byte, h *trimmer.Headers, g int, p *plan) port.Cause {
	if cfg[port.RegMode]>>(p.Sort-Ack)&1 == 0 {
		return port.CauseOff
	}
	room := h.E - g - port.IntBytes // for entries and payload
	if room < 0 || be16(head, g) != uint16(cfg[port.RegMagic]) {
		return port.CauseAbsent
	}
	hops, hmax := head[g+2], head[g+3]
	switch {
	case head[g+4] != port.Form, head[g+5] != ^hmax, hops > hmax:
		return port.CauseMalformed
	case room < port.HopBytes*int(hops):
		return port.CauseLength
	case hops == hmax, h.E+port.HopBytes > int(cfg[port.RegMaxFrame]):
		return port.CauseNoRoom
	case int(p.Index) >= numPorts:
		return port.CauseRange
	}
	return port.CauseNone
}

// checksum returns the UDP checksum of the packet including the entry.
func (p *plan) checksum(entry uint64) uint16 {
	sum := p.sum + entry>>48 + entry>>32&0xFFFF + entry>>16&0xFFFF + entry&0xFFFF
	if c := ^fxp.Fold16(sum); c != 0 {
		return c
	}
	return 0xFFFF
}

// comp returns the 16-bit complement.
func comp(v uint16) uint64 { return uint64(^v) }

func be16(b []byte, i int) uint16 { return binary.BigEndian.Uint16(b[i:]) }

func putBE16(b []byte, i int, v uint16) { binary.BigEndian.PutUint16(b[i:], v) }
