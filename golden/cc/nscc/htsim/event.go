package htsim

import "slices"

// Kind is what arrived at the sender.
type Kind uint8

// The kinds a trace knows. A NACK here is always a trim.
const (
	ACK Kind = iota
	NACK
	RTO
)

var kinds = []string{"ACK", "NACK", "RTO"}

// ParseKind returns the kind a trace names, and false for any other text.
func ParseKind(s string) (Kind, bool) {
	k := slices.Index(kinds, s)
	return Kind(max(k, 0)), k >= 0
}

// String returns the name a trace uses.
func (k Kind) String() string { return kinds[k] }

// Sample says how an event's round-trip sample may be used.
type Sample uint8

// The values of a trace's rtt_valid column.
const (
	NoSample    Sample = 0
	DataSample  Sample = 1
	ProbeSample Sample = 2
)

// Event is one row's inputs. Times are picoseconds, sizes bytes.
type Event struct {
	Kind     Kind
	Time     int64
	RTT      Sample
	RawRTT   int64
	ECN      bool
	IsRTS    bool
	Newly    int64 // newly received bytes, ACK only
	Lost     int64 // size of the trimmed or timed-out packet
	InFlight int64 // bytes as quick adapt sees them
}

// Action is the rule that decided an event, in the spelling of the traces.
type Action = string

// The actions.
const (
	FAIR    = "FAIR"
	PROP    = "PROP"
	FAST    = "FAST"
	MD      = "MD"
	NOOP    = "NOOP"
	IGNORE  = "IGNORE"
	QA      = "QA"
	NACKDec = "NACK_DEC"
	RTODec  = "RTO_DEC"
)

// Actions are all of them.
var Actions = []Action{FAIR, PROP, FAST, MD, NOOP, IGNORE, QA, NACKDec, RTODec}

// Values is the state of one sender. T is int64 in integer mode and float64 in
// real mode. Times are picoseconds, IncBytes is bytes squared, the rest bytes.
type Values[T int64 | float64] struct {
	BaseRTT       T
	MaxWnd        T
	AvgDelay      T
	Achieved      T
	Received      T
	BytesIgnored  T
	BytesToIgnore T
	QAEnd         T // 0 means no window has begun
	TriggerQA     bool
	IncBytes      T
	FiCount       T
	FiMode        bool
	LastAdjust    T
	LastDec       T
	Cwnd          T
}

// Outcome is what one event did: the state on both sides of it and the values
// that decided it.
type Outcome[T int64 | float64] struct {
	Before, After Values[T]
	Action        Action
	Delay         T // the delay the quadrant saw
	AchievedAtQA  T // what the window end compared; 0 unless QAWindow
	IncPeak       T // IncBytes before a fulfilment, or quick adapt, cleared it
	QAWindow      bool
	QAFired       bool
	QAIgnored     bool
	Fulfilled     bool
	EtaApplied    bool
	MDApplied     bool
}
