package net

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// PortKind is what happened to a packet at a port.
type PortKind uint8

// Events at a port.
const (
	PortArrive PortKind = iota // came to the queues, before admission
	PortTrim                   // was cut; the packet is as it is after
	PortDrop
	PortDepart // began its transmission; ECN is decided
	PortPause  // the low class was paused; the event has no packet
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

// PacketKind is the kind of a packet.
type PacketKind uint8

// Packets.
const (
	PacketData PacketKind = iota
	PacketAck
	PacketNack
	PacketProbe
	PacketAckReq    // control packet that asks for an ACK
	PacketCNP       // congestion notification packet
	PacketClose     // control packet that ends a connection
	PacketCredit    // a pull
	PacketCreditReq // control packet that asks for credit
)

// PacketInfo is what the headers of a packet hold. Sizes are bytes on the link.
type PacketInfo struct {
	Kind     PacketKind
	Class    uint8 // 0 high, 1 medium, 2 low
	Src, Dst int32 // hosts
	Conn     int32 // connection in the run
	CCC      int32 // its context within the sender's NIC
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

	Syn       bool   // to the receiver: the sender has had no ACK
	PSNOffset uint16 // with Syn: PSN less the connection's first

	// Data and credit request: the credit target; credit: its number. Both have 24 bits.
	Credit uint32

	// ACK.
	CumPSN      uint32
	SackBase    uint32
	Sack        uint64
	RcvdBytes   uint32 // 24-bit units of 256 bytes
	ServiceTime uint16
	OOO         uint16
	CwndPend    uint8
	Restore     bool
	Flows       uint16 // that the receiver is getting, for a control that reads it; else 0
	MPR         uint8  // PSNs from CumPSN on that the receiver accepts, 255 for more
	Reason      uint8  // NACK

	// INT is the telemetry of a packet that departs, in the order of stamping, that of this port with it; nil for a
	// packet without a telemetry header. A consumer copies what it keeps.
	INT []uint64
}

// PortEvent is one event at a port, with the queues as they are before it. The
// struct is reused: a consumer copies what it keeps.
type PortEvent struct {
	Time   units.Picos
	Port   int32 // its name is Result.PortName or Layout's
	Kind   PortKind
	Queued [Classes]int64 // bytes waiting, by class
	Packet PacketInfo
}

// PacketTap is called with what happens to packet k at a port of a switch. The packet is the network's own: a consumer
// copies what it keeps, and changes nothing.
type PacketTap func(kind PortKind, port int32, k *Packet)

// In returns the port whose link a packet at a switch came in by.
func (k *Packet) In() int32 { return k.link }

// TapPort reports an event of packet k, nil for none, at port pi.
func (s *Network) TapPort(kind PortKind, pi int32, k *Packet) { tapPacket(s, kind, pi, k, nil) }

// tapPacket is TapPort of a packet with telemetry.
func tapPacket(s *Network, kind PortKind, pi int32, k *Packet, records []uint64) {
	if s.packets != nil && k != nil && int(pi) >= s.hosts {
		s.packets(kind, pi, k)
	}
	if s.tap == nil || s.tapped == nil && int(pi) < s.hosts || s.tapped != nil && !s.tapped[pi] {
		return
	}
	ev := &s.pev
	ev.Time, ev.Port, ev.Kind = s.wheel.Now(), pi, kind
	for c := range ev.Queued {
		ev.Queued[c] = s.Ports[pi].Q[c].bytes
	}
	if k != nil {
		inform(s, &ev.Packet, k)
		ev.Packet.INT = records
	} else {
		ev.Packet = PacketInfo{}
	}
	s.tap(ev)
}

// inform fills in the headers of packet k, field by field: a literal would be made elsewhere and copied.
func inform(s *Network, to *PacketInfo, k *Packet) {
	src, dst, ccc := s.NIC.Ends(k.PDC)
	switch k.Kind {
	case PacketAck, PacketNack, PacketCNP, PacketCredit:
		src = dst
	}
	to.Kind = k.Kind
	to.Class = k.Class
	to.Src = src
	to.Dst = k.Dst
	to.Conn = k.PDC
	to.CCC = ccc
	to.Flow = k.Flow
	to.PSN = k.PSN
	to.Size = k.Size
	to.Nominal = k.Nominal
	to.Entropy = k.Entropy
	to.Link = k.link
	to.CE = k.Flags&FlagCE != 0
	to.Retx = k.Flags&FlagRetx != 0
	to.AckReq = k.Flags&FlagAR != 0
	to.Trimmed = k.Flags&FlagTrimmed != 0
	to.LastHop = k.Flags&FlagLastHop != 0
	to.Probe = k.Kind == PacketAck && k.Flags&FlagProbe != 0
	to.Syn, to.PSNOffset, to.MPR = false, 0, 0
	if k.Kind == PacketAck {
		to.MPR = uint8(k.Span)
	} else if k.Opens() {
		to.Syn, to.PSNOffset = true, k.Span-1
	}
	to.CumPSN, to.Credit = k.Cum, 0
	if k.Kind == PacketCredit || k.Kind != PacketAck && k.Flags&FlagCredit != 0 {
		to.CumPSN, to.Credit = 0, k.Cum
	}
	to.SackBase = k.SackBase
	to.Sack = k.Sack
	to.RcvdBytes = cc.RcvdUnits(k.Rcvd)
	to.ServiceTime = k.Service
	to.OOO = k.OOO
	to.CwndPend = k.Pend
	to.Restore = k.Kind == PacketAck && k.Flags&FlagRestore != 0
	to.Reason = k.Reason
	to.Flows = k.Flows
}

// DepthPoint is the queueing of the switches at one time, in bytes over all classes.
type DepthPoint struct {
	Time  units.Picos `json:"time_ps"`
	Sum   int64       `json:"sum"`   // of all switch ports
	Max   int64       `json:"max"`   // of the fullest
	Ports []int64     `json:"ports"` // of the ports that were asked for, in their order
}

// DepthSeries is the queueing of the switches over time.
type DepthSeries struct {
	Every  units.Picos  `json:"every_ps"`
	Names  []string     `json:"names"` // of the ports in DepthPoint.Ports
	Points []DepthPoint `json:"points"`
}

// Depth samples queues while flows are under way.
type Depth struct {
	net    *Network
	Series DepthSeries
	ports  []int32
}

// NewDepth begins to sample the queues of a network every so often, and those of some ports one by
// one. Its events do not keep the run going.
func NewDepth(n *Network, every units.Picos, ports []int32) *Depth {
	d := &Depth{net: n, Series: DepthSeries{Every: every, Names: []string{}}}
	for _, p := range ports {
		if p >= 0 && int(p) < len(n.Ports) {
			d.ports = append(d.ports, p)
			d.Series.Names = append(d.Series.Names, n.Topo.Name(p))
		}
	}
	n.wheel.Push(0, EvSample, 0)
	return d
}

// Sample adds a point and schedules the next while anything else is to come.
func (d *Depth) Sample(now units.Picos) {
	s := d.net
	pt := DepthPoint{Time: now, Ports: make([]int64, 0, len(d.ports))}
	total := func(p *Port) int64 { return p.Q[ClassHigh].bytes + p.Q[ClassMedium].bytes + p.Q[ClassLow].bytes }
	for i := s.hosts; i < len(s.Ports); i++ {
		b := total(&s.Ports[i])
		pt.Sum += b
		pt.Max = max(pt.Max, b)
	}
	for _, p := range d.ports {
		pt.Ports = append(pt.Ports, total(&s.Ports[p]))
	}
	d.Series.Points = append(d.Series.Points, pt)
	if s.wheel.Busy() {
		s.wheel.Push(now+d.Series.Every, EvSample, 0)
	}
}

// WriteCSV writes the series with a header: time, sum and greatest queue over
// all switch ports, then the ports asked for, in bytes.
func (d *DepthSeries) WriteCSV(w io.Writer) error {
	rows := [][]string{append([]string{"time_ps", "sum", "max"}, d.Names...)}
	for _, p := range d.Points {
		row := make([]string, 0, len(rows[0]))
		for _, v := range append([]int64{int64(p.Time), p.Sum, p.Max}, p.Ports...) {
			row = append(row, strconv.FormatInt(v, 10))
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}
