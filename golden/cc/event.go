package cc

import "github.com/goldwire/goldwire/golden/units"

// Kind is the kind of an Event.
type Kind uint8

// Kinds of events. Open creates a context; the others are the events of the
// specification's section 3.6.12.3.
const (
	KindOpen Kind = iota
	KindNewData
	KindSend
	KindAck
	KindNack
	KindLoss
	// KindCNP is a congestion notification packet from the receiver, KindTimer the time that the
	// control asked for. The NIC hardware of the specification has neither.
	KindCNP
	KindTimer
	KindCredit // a pull: credit from the receiver
)

var kindNames = [...]string{"open", "new_data", "send", "ack", "nack", "loss", "cnp", "timer", "credit"}

// String returns the name of the kind, as in "new_data".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Cause is how a loss was found.
type Cause uint8

// Causes of losses. The first is the network's: its timer ran out. A control with Losses finds the others itself.
const (
	CauseTimeout Cause = iota
	CauseHole          // three packets sent later have arrived
	CauseGivenUp       // the control's own timer: the rule for it has run already
)

// Hop is the telemetry of one switch output, exact.
type Hop struct {
	Gbps  float64 // rate of the link
	TS    float64 // ns
	Tx    float64 // bytes sent
	Queue float64 // bytes waiting
}

// NACK codes on the wire.
const (
	ReasonTrimmed        uint8 = 0x01
	ReasonTrimmedLastHop uint8 = 0x02
	ReasonOutOfRange     uint8 = 0x0B // PSN_OOR
)

// Event is one event of one congestion-control context, in wire units where
// it crosses the wire and picoseconds elsewhere. It is what the congestion
// control is given and what the tap sees, in the global order of time. The
// struct and its slice are reused: a consumer copies what it keeps.
//
// Fields that an event does not carry are zero.
type Event struct {
	Time units.Picos
	NIC  int32 // host number
	CCC  int32 // context within the NIC, from 0
	// PDC is the connection within its context, 0..3; NICPDC is its number
	// within the NIC.
	PDC    uint8
	NICPDC int32
	Kind   Kind

	// PSN of the packet sent, lost, refused, or referenced by the ACK.
	PSN uint32
	// Size in bytes: nominal packet size of Send, Nack and Loss; for NewData, bytes added to the backlog (nominal sizes
	// of the packets to come).
	Size    int64
	IsRtx   bool   // Send: a retransmission
	Entropy uint16 // of the packet, or of the packet the ACK or NACK references
	M       bool   // ECN mark echoed by ACK or NACK
	Retx    bool   // retransmission flag echoed by ACK or NACK
	Reason  uint8  // NACK code

	// Stored transmit state of the referenced packet. TxValid is false when the
	// PSN has been freed before. RtxCount is 0 never, 1 once, 2 more often.
	TxValid  bool
	TxTime   units.Picos
	RtxCount uint8

	// ACK state. RcvdBytes is the raw 24-bit value in units of 256 bytes of this
	// PDC; ServiceTime is in units of 128 ns, at least 1.
	RcvdBytes   uint32
	ServiceTime uint16
	RcvCwndPend uint8
	RestoreCwnd bool
	MPR         uint8    // the PSN range that the receiver accepts, 255 for more
	AckedPkts   int32    // newly acknowledged packets that were in flight
	UnmarkPkts  int32    // newly acknowledged packets that waited to be resent
	UnmarkBytes int64    // their nominal sizes
	AckedPSNs   []uint32 // every PSN that this ACK frees, in freeing order

	// Beyond the hardware's event: RcvdExact is what RcvdBytes rounds up, in bytes
	// modulo 2^32; Probe marks the ACK of a probe, which was sent at ProbeTime, and
	// Sample is the round trip that it gives, less the service time, 0 for none; Asked
	// marks the ACK of an ACK request, which refers to no transmission; OOO is the
	// receiver's count of packets out of order; INT is the telemetry the ACK carries,
	// in the order of stamping.
	RcvdExact uint32
	Asked     bool
	Probe     bool
	ProbeTime units.Picos
	Sample    units.Picos
	OOO       uint16
	INT       []uint64

	// Una and Nxt are the lowest PSN of the connection that is not acknowledged and the next new one, after what the
	// event brings and before anything that it lets go.
	Una, Nxt uint32
	Cause    Cause // Loss: how it was found

	// Hops is telemetry with exact numbers, in place of INT. Flows is the number of flows to the receiver that an ACK
	// carries, for controls that need it, and Port and Fair the queue and the rate, in units of 10 Mb/s, of a CNP that a
	// switch sends.
	Hops  []Hop
	Flows uint16
	Port  int32
	Fair  float64

	// Credit is the number of a pull, 24 bits. Request marks the Send of a credit request, and Sources is the number of
	// contexts of the NIC that wait to send, with the one of the Send.
	Credit  uint32
	Request bool
	Sources int32

	// Out is the answer of the congestion control to this event. It is set when
	// the tap is called, and zero when the congestion control is.
	Out Out
}
