package fabric

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// PortKind says what happened to a packet at a port.
type PortKind uint8

// Events at a port.
const (
	PortArrive PortKind = iota // came to the queues, before admission
	PortTrim                   // was cut; the packet is as it is after
	PortDrop
	PortDepart // began its transmission; ECN is decided
	PortPause  // the low class was paused: no packet
	PortResume
)

var portKindNames = [...]string{"arrive", "trim", "drop", "depart", "pause", "resume"}

// String returns the name of the kind, as in "arrive".
func (k PortKind) String() string {
	if int(k) < len(portKindNames) {
		return portKindNames[k]
	}
	return "invalid"
}

// PacketKind says what a packet is.
type PacketKind uint8

// Packets.
const (
	PacketData PacketKind = iota
	PacketAck
	PacketNack
	PacketProbe
	PacketAckReq // control packet that asks for an ACK
	PacketCNP    // congestion notification packet
)

// PacketInfo is what the headers of a packet hold. Sizes are bytes on the link.
type PacketInfo struct {
	Kind     PacketKind
	Class    uint8 // 0 high, 1 medium, 2 low
	Src, Dst int32 // hosts
	Conn     int32 // connection in the run
	Flow     int32
	PSN      uint32
	Size     int32
	Nominal  int32 // before trimming
	Entropy  uint16
	Link     int32 // at a switch: the port whose link it came in by
	CE       bool
	Retx     bool
	AckReq   bool // asks for an ACK; ACK: of an ACK request
	Trimmed  bool
	LastHop  bool // trimmed in front of the destination
	Probe    bool // ACK of a probe: PSN is the probe's number

	// ACK.
	CumPSN      uint32
	SackBase    uint32
	Sack        uint64
	RcvdBytes   uint32 // 24-bit units of 256 bytes
	ServiceTime uint16
	OOO         uint16
	CwndPend    uint8
	Restore     bool
	Reason      uint8 // NACK
}

// PortEvent is one event at a port, with the queues as they are before it. The
// struct is reused: a consumer copies what it keeps.
type PortEvent struct {
	Time   units.Picos
	Port   int32 // its name is Result.PortName or Layout's
	Kind   PortKind
	Queued [classes]int64 // bytes waiting, by class
	Packet PacketInfo
}

// WithPortTap calls f for every event at the ports whose numbers are given, or
// at all ports of switches when none is. The event is reused by the next call.
func WithPortTap(f func(*PortEvent), ports ...int32) Option {
	return func(o *options) { o.ptap, o.ptapPorts = f, ports }
}

// tapPort reports an event of packet k, nil for none, at port pi.
func (s *sim) tapPort(kind PortKind, pi int32, k *packet) {
	if s.ptapOn != nil {
		if !s.ptapOn[pi] {
			return
		}
	} else if int(pi) < len(s.hosts) {
		return
	}
	ev := &s.pev
	*ev = PortEvent{Time: s.now, Port: pi, Kind: kind}
	for c := range ev.Queued {
		ev.Queued[c] = s.ports[pi].q[c].bytes
	}
	if k != nil {
		ev.Packet = s.info(k)
	}
	s.ptap(ev)
}

// info returns the headers of packet k.
func (s *sim) info(k *packet) PacketInfo {
	t := &s.tx[k.pdc]
	src := s.ccc[t.ccc].host
	if k.kind == pkAck || k.kind == pkNack || k.kind == pkCNP {
		src = t.dst
	}
	return PacketInfo{
		Kind: PacketKind(k.kind), Class: k.class, Src: src, Dst: k.dst, Conn: k.pdc, Flow: k.flow,
		PSN: k.psn, Size: k.size, Nominal: k.nominal, Entropy: k.entropy, Link: k.link,
		CE: k.flags&flagCE != 0, Retx: k.flags&flagRetx != 0, AckReq: k.flags&flagAR != 0,
		Trimmed: k.flags&flagTrimmed != 0, LastHop: k.flags&flagLastHop != 0,
		Probe:  k.kind == pkAck && k.flags&flagProbe != 0,
		CumPSN: k.cum, SackBase: k.sackBase, Sack: k.sack, RcvdBytes: cc.RcvdUnits(k.rcvd), ServiceTime: k.service,
		OOO: k.ooo, CwndPend: k.pend, Restore: k.flags&flagRestore != 0, Reason: k.reason,
	}
}
