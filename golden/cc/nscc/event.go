package nscc

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

// Action names the rule that decided an event.
type Action uint8

// The actions. Sends, new data and NACKs that are not trims are NOOP.
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

// Codes of service_time that give no sample.
const (
	serviceNone = 0      // the destination does not report
	serviceOver = 0xFFFF // longer than the field can say
)
