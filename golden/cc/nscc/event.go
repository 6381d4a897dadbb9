package nscc

import "math"

// SampleSource says where an event's RTT sample comes from.
type SampleSource uint8

// FromTx computes it by the rule with rtx_count; Given takes RawRTT as it is, as
// from a block that keeps the transmit state; None means the packet's transmit
// state is gone.
const (
	FromTx SampleSource = iota
	Given
	None
)

// Tx is the stored transmit state of the packet an event refers to
// (pkt_tx_state) and what the event says about it.
type Tx struct {
	Sample   SampleSource
	TxTime   float64 // time stamp of the last transmission
	RtxCount uint8   // 0 never, 1 once, 2 more than once
	Retx     bool    // pds.flags.retx as echoed
	RawRTT   float64 // Sample == Given only
}

// Ack is an acknowledgement with NSCC state.
type Ack struct {
	Time float64
	Tx
	Service   uint16 // raw service_time, 128 ns; 0 and 0xFFFF give no sample
	RcvdBytes uint32 // raw field, 24 bits, 256 bytes
	Marked    bool   // pds.flags.m, for all bytes of the delta
	Pend      uint8  // rcv_cwnd_pend, 0 to 127
	Restore   bool   // rc
	AckedPkts float64
	// UnmarkedPkts and UnmarkedBytes are packets this acknowledges that were
	// marked for retransmission and had not been resent.
	UnmarkedPkts  float64
	UnmarkedBytes float64
	Entropy       uint16
}

// Reason is a NACK code of the packet delivery sublayer.
type Reason uint8

// The codes NSCC tells apart or a CCC may see.
const (
	Trimmed        Reason = 0x01
	TrimmedLastHop Reason = 0x02
	NoPDC          Reason = 0x04
	NoCCC          Reason = 0x05
	NoBitmap       Reason = 0x06
	NoPktBuffer    Reason = 0x07
	PSNOutOfRange  Reason = 0x0B
	RODOutOfOrder  Reason = 0x0D
	RcvrInferLoss  Reason = 0x1A
)

// Nack is a negative acknowledgement of one packet.
type Nack struct {
	Time float64
	Tx
	Reason  Reason
	Size    float64 // nominal packet size
	Marked  bool
	Entropy uint16
}

// Loss is a packet inferred lost, by timeout or otherwise.
type Loss struct {
	Time    float64
	Size    float64
	Entropy uint16
}

// Send is a packet handed to the wire.
type Send struct {
	Time  float64
	Size  float64
	IsRtx bool
}

// Bind gives a PDC's place in a context to a new PDC.
type Bind struct {
	Time      float64
	RcvdBytes uint32 // what the new PDC's counter starts from, 256 bytes
	// Surplus is what the former PDC took too much from inflight, because
	// rcvd_bytes is rounded up to 256 bytes: 0 to 255 bytes.
	Surplus float64
}

// Sample is an RTT measured without an acknowledgement: by a probe, or cached
// from an earlier context to the same destination.
type Sample struct {
	Time float64
	RTT  float64
}

// NewData adds to what a context has to send.
type NewData struct {
	Time  float64
	Bytes float64
}

// Action names the rule that decided an event.
type Action uint8

// The actions. Sends, new data and NACKs that are no trims are NOOP.
const (
	FAIR     Action = iota // additive increase
	PROP                   // proportional increase
	FAST                   // fast increase
	MD                     // multiplicative decrease, see Response.MDApplied
	NOOP                   // marked but short delay
	RcvLimit               // increase withheld: the destination limits the rate
	NoRTT                  // no valid sample
	IGNORE                 // feedback from before the last quick adapt
	QA                     // quick adapt fired
	NackDec                // trimmed packet taken off the window
	LossDec                // lost packet taken off the window
)

// NumActions is the number of actions.
const NumActions = int(LossDec) + 1

// String returns the action's name in reports.
func (a Action) String() string {
	return [...]string{"FAIR", "PROP", "FAST", "MD", "NOOP", "RCV_LIMIT", "NO_RTT",
		"IGNORE", "QA", "NACK_DEC", "LOSS_DEC"}[a]
}

// Feedback is what the load balancer is told about a path.
type Feedback uint8

// The feedback of process_ev. NoFeedback is for events that reach no balancer.
const (
	NoFeedback Feedback = iota
	NoECN
	ECN
	NACK
	TIMEOUT
)

// String returns the feedback's name in reports.
func (f Feedback) String() string {
	return [...]string{"NONE", "NO_ECN", "ECN", "NACK", "TIMEOUT"}[f]
}

// Flags are conditions an event met.
type Flags uint8

// SatCounter is a counter or inflight that stopped at its upper (or lower) end,
// SatInc the increase accumulator, Underflow a subtraction that stopped at 0,
// OldAck a reordered rcvd_bytes.
const (
	SatCounter Flags = 1 << iota
	SatInc
	Underflow
	OldAck
)

// Threshold names one comparison that can decide an event.
type Threshold uint8

// The thresholds. The first group compares times, the second bytes. Each margin
// is the compared quantity minus what it is compared with.
const (
	DelayTarget   Threshold = iota // delay against target
	DelayFast                      // delay against the fast-increase bound
	DelayQA                        // delay against qa_threshold
	AvgTarget                      // average delay against target
	WindowQA                       // now against the end of the QA window
	SinceDec                       // time since the last decrease against base_rtt
	SinceAdjust                    // time since the last eta against its period
	RTTBase                        // sample against base_rtt
	AchievedGate                   // achieved bytes against max_wnd >> gate
	IgnoredBytes                   // bytes ignored against bytes to ignore
	ReceivedBytes                  // received bytes against adjust_bytes
	FiCwnd                         // fi_count against cwnd
	NumThresholds = int(FiCwnd) + 1
	numTimes      = int(RTTBase) + 1
)

// String returns the threshold's name in reports.
func (t Threshold) String() string {
	return [...]string{"delay-target", "delay-fast", "delay-qa", "avg-target", "qa-window",
		"since-dec", "since-adjust", "rtt-base", "achieved-gate", "ignored", "received", "fi-cwnd"}[t]
}

// Response is what an event did. Sizes are bytes, times in the unit of Params.
type Response struct {
	Action     Action
	MDApplied  bool
	Fulfilled  bool
	EtaApplied bool
	QAFired    bool
	QAWindow   bool // the QA window ended in this event
	Ignored    bool // feedback from before the last quick adapt
	RcvLimited bool // rcv_cwnd_pend was not 0
	CanSend    bool
	AckRequest bool
	LB         Feedback
	CCC        CCCState
	Flags      Flags
	HasRTT     bool // RTT holds a sample
	AvgStepped bool // a sample, or the configured base RTT of a trim, entered the average
	BaseFell   bool // base_rtt was lowered
	Saved      bool // the window was saved for the end of receiver flow control
	Restored   bool // and taken back
	Entropy    uint16
	evaluated  uint16

	Cwnd     float64
	Inflight float64
	BaseRTT  float64
	AvgDelay float64
	RTT      float64
	Delay    float64 // what the event was judged by
	Delta    float64 // newly received bytes
	// Fulfilling is the accumulated increase that was applied, bytes squared, FulfillingBy the window that divided it.
	Fulfilling, FulfillingBy float64

	margins [NumThresholds]float64
}

// Margin returns how far a comparison was from its threshold, positive above it,
// and whether the event made that comparison at all.
func (r *Response) Margin(t Threshold) (float64, bool) {
	return r.margins[t], r.evaluated>>t&1 == 1
}

// NearestTime returns the time comparison that was closest to its threshold and
// its distance in units of time, +Inf when the event compared no times. An action
// that differs between two senders with a large distance is no rounding.
func (r *Response) NearestTime() (Threshold, float64) { return r.nearest(0, numTimes) }

// NearestBytes is NearestTime for the comparisons of bytes.
func (r *Response) NearestBytes() (Threshold, float64) { return r.nearest(numTimes, NumThresholds) }

func (r *Response) nearest(lo, hi int) (Threshold, float64) {
	best, at := math.Inf(1), Threshold(lo)
	for t := lo; t < hi; t++ {
		if m := math.Abs(r.margins[t]); r.evaluated>>t&1 == 1 && m < best {
			best, at = m, Threshold(t)
		}
	}
	return at, best
}

func (r *Response) compare(t Threshold, v, threshold float64) float64 {
	m := v - threshold
	r.margins[t] = m
	r.evaluated |= 1 << t
	return m
}
