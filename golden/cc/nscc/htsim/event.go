package htsim

// Kind is what arrived at the sender.
type Kind uint8

// The kinds a trace knows. A NACK here is always a trim.
const (
	ACK Kind = iota
	NACK
	RTO
)

// ParseKind returns the kind a trace names, and false for any other text.
func ParseKind(s string) (Kind, bool) {
	switch s {
	case "ACK":
		return ACK, true
	case "NACK":
		return NACK, true
	case "RTO":
		return RTO, true
	}
	return 0, false
}

// String returns the name a trace uses.
func (k Kind) String() string { return [...]string{"ACK", "NACK", "RTO"}[k] }

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

// Action names the rule that decided an event.
type Action uint8

// The actions, in the spelling of the traces.
const (
	FAIR Action = iota
	PROP
	FAST
	MD
	NOOP
	IGNORE
	QA
	NACKDec
	RTODec
)

var actionNames = [...]string{"FAIR", "PROP", "FAST", "MD", "NOOP", "IGNORE", "QA", "NACK_DEC", "RTO_DEC"}

// String returns the trace's name of the action.
func (a Action) String() string { return actionNames[a] }

// ParseAction returns the action a trace names, and false for any other text.
func ParseAction(s string) (Action, bool) {
	for i, n := range actionNames {
		if n == s {
			return Action(i), true
		}
	}
	return 0, false
}

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
