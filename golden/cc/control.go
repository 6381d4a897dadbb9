package cc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// MaxPDCs is the number of connections (packet delivery contexts) that one context can own.
const MaxPDCs = 4

// NoWindow is the window of a control that has none. It leaves room for sums and multiples.
const NoWindow = int64(1) << 60

// Out is the state of a congestion-control context after an event.
type Out struct {
	Cwnd     int64 // window, bytes; NoWindow for none
	Inflight int64 // bytes in flight, may be slightly negative
	// Rate is the pacing rate in Gb/s of bytes on the wire: a packet begins no earlier than the one
	// before it began plus that one's size over the rate. 0 does not pace.
	Rate float64
	// Timer is when the control wants a KindTimer event, 0 for never. It replaces any earlier request.
	Timer   units.Picos
	CanSend bool // one more MTU fits the window, and there is credit where it is needed
	AckReq  bool // the next packet should ask for an ACK
	// Target is the credit target of the packet just sent, 24 bits, of a control that needs credit.
	Target uint32
	// Action is the rule that decided the event, for reports; empty when the control names none.
	Action string
}

// Control is one congestion-control context at the sender: float64, fixed point or hardware. Step
// is given every event of the context in order, the first of them KindOpen, and returns the state
// after it. The event is read-only and reused. Step must be deterministic. A Control that fails keeps its error, and
// the tap, which is called after each step, ends the run.
type Control interface {
	Step(ev *Event) Out
}

// Losses is a Control that finds losses itself, from the ACKs of single packets and with a timer of its own. The sender
// then has no retransmission timer. It asks for losses after each ACK and each timer event, and gives every packet that
// is still in flight back as a KindLoss event with its cause, in this order. The slice is reused.
type Losses interface {
	Control
	Lost() []Loss
}

// Loss is a packet that a control gives up.
type Loss struct {
	PSN   uint32
	Cause Cause
}

// Inspector is a Control that shows its parameters and its state by name. Parameters that are changed take effect with
// the next KindOpen; Validate returns what is wrong with them. State may be changed between events.
type Inspector interface {
	Control
	Params() []param.Field
	State() []param.Field
	Validate() error
}

// Config is what a context is created with.
type Config struct {
	NIC, CCC   int32
	MaxWnd     int64 // 1.5 BDP, bytes; also the first window
	AckTrigger int64 // bytes after which the receiver acknowledges unasked

	LinkGbps    units.Gbps  `param:"link_gbps" unit:"Gb/s" in:"1 1e5"` // the slower of sender and receiver
	BaseRTT     units.Picos `param:"base_rtt" unit:"us" in:"1e-3 1e7"` // config_base_rtt
	MTU         int         `param:"mtu" unit:"bytes" in:"64 65535"`   // largest nominal packet
	HeaderBytes int         `param:"header" unit:"bytes" in:"0 1024"`  // of the MTU
	Target      units.Picos `param:"target" unit:"us" in:"0 1e7"`      // target queueing delay, 0 for the default
	QAGate      int         `param:"qa_gate" in:"-1 15"`               // below 0 for the default
	Trim        bool        `param:"trim"`                             // switches trim
	// AvgWithoutSample judges ACKs without an RTT sample by the average delay.
	AvgWithoutSample bool
}

// Factory creates the congestion control of one context.
type Factory func(Config) (Control, error)
