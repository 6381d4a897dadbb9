package diff

// Result is what a run measured.
type Result struct {
	Block   string    `json:"block"`
	Source  string    `json:"source"`
	Seed    uint64    `json:"seed"`
	Against Reference `json:"against"` // what the errors and wrong decisions are against
	Events  uint64    `json:"events"`  // of the source
	Changed []Setting `json:"changed,omitempty"`
	// Model is the number of events on which fixed point was held against the cycle-true model; 0 where formats were
	// changed. Parted is the first difference between them.
	Model  uint64    `json:"model"`
	Parted string    `json:"parted,omitempty"`
	Modes  []Measure `json:"modes"` // that were measured to the end
}

// Measure is what one mode gave.
type Measure struct {
	Mode     Mode   `json:"mode"`
	Compared uint64 `json:"compared"` // events that the rules decided
	// Apart is the number of events that the parties decided differently; in one-step mode the errors leave them out.
	Apart     uint64     `json:"apart"`
	Signals   []Signal   `json:"signals"`
	Decisions []Decision `json:"decisions"`
	// Judged counts all flips by cause and by whom exact numbers confirm; a cause without flips is left out.
	Judged []CauseCount `json:"flips_by_cause,omitempty"`
	// Unexplained are the first flips without a cause.
	Unexplained []Flip `json:"flips_without_cause,omitempty"`

	Flips []Flip `json:"flips,omitempty"` // the first ones
	Lost  uint64 `json:"flips_not_listed,omitempty"`
	// Worst is the event of one-step mode that costs cwnd most; nil where none does, and against float64.
	Worst *Worst `json:"worst,omitempty"`
	// Causes splits the errors of one-step mode; nil in free mode, in which each party errs from a state of its own.
	Causes *Causes `json:"causes,omitempty"`
}

// Causes is the error of fixed point against the rules in real numbers, with the constants and the times that the
// source knows, split by what causes it. Each error is between two parties that differ in that cause alone, so that
// arithmetic, constants and tick of an event sum to the whole.
type Causes struct {
	// Constants reports whether the source knows constants beyond the words of registers, Tick whether it knows times
	// beyond whole ticks. Where it does not, the error of a constant is that of a changed format alone, and the tick's is
	// not known.
	Constants bool   `json:"constants_known"`
	Tick      bool   `json:"tick_known"`
	Compared  uint64 `json:"compared"` // events
	Apart     uint64 `json:"apart"`    // of them decided differently by two of the parties; the errors leave them out
	Untimed   uint64 `json:"untimed"`  // events with times in whole ticks where others have finer ones; not compared

	Signals   []CausedError `json:"signals"`
	Decisions []CausedFlips `json:"decisions"`
}

// CausedError is the error of one value by cause.
type CausedError struct {
	Name       string `json:"name"`
	Format     string `json:"format"`
	Unit       string `json:"unit,omitempty"`
	Arithmetic Error  `json:"arithmetic"` // the rules' own roundings and ends
	Constants  Error  `json:"constants"`  // real constants as registers
	Tick       Error  `json:"tick"`       // times as whole ticks
	Whole      Error  `json:"whole"`
}

// CausedFlips counts, for one decision, the events that two parties decided differently, by what they differ in.
type CausedFlips struct {
	Name       string `json:"name"`
	Arithmetic uint64 `json:"arithmetic"`
	Constants  uint64 `json:"constants"`
	Tick       uint64 `json:"tick"`
}

// Signal is one value of the rules.
type Signal struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Format string `json:"format"`
	Unit   string `json:"unit,omitempty"`
	Fixed  Error  `json:"fixed"`   // fixed point against exact
	Float  Error  `json:"float64"` // float64 against exact

	// Course is the largest absolute error of fixed point in each stretch of so many events, from the first event on; none
	// for a signal without an error.
	Course  []float64 `json:"error_over_time,omitempty"`
	Stretch uint64    `json:"events_per_stretch,omitempty"`

	Count     uint64  `json:"quantised"` // numbers brought to the format
	Inexact   uint64  `json:"inexact"`
	Saturated uint64  `json:"saturated"`
	Wrapped   uint64  `json:"wrapped"`
	Lo        float64 `json:"lo"`
	Hi        float64 `json:"hi"`
	TopBits   int     `json:"unused_top_bits"`
}

// Decision is one thing that events decide.
type Decision struct {
	Name       string `json:"name"`
	Compared   uint64 `json:"compared"`
	FixedWrong uint64 `json:"fixed_wrong"`   // fixed point differs from exact
	FloatWrong uint64 `json:"float64_wrong"` // float64 differs from exact
	Apart      uint64 `json:"apart"`         // fixed point differs from float64
}

// Flip is one decision that the parties did not take alike.
type Flip struct {
	Event     uint64 `json:"event"`
	Context   int    `json:"context"`
	Kind      string `json:"kind"`
	Fields    string `json:"fields"` // of the event
	Decision  string `json:"decision"`
	Fixed     string `json:"fixed"`
	Float     string `json:"float64"`
	Exact     string `json:"exact"`
	Right     string `json:"right"` // whom exact confirms: fixed, float64 or neither
	Cause     Cause  `json:"cause"`
	Threshold string `json:"threshold"` // the comparison that flipped, or the one nearest to its threshold
	// Distance is how far the exact number was from it, OtherDistance that of the party that errs, which is fixed point
	// unless the cause is float64; positive above it.
	Distance      float64 `json:"distance"`
	OtherDistance float64 `json:"other_distance"`
}

// mostUnexplained is how many flips without a cause are kept.
const mostUnexplained = 20

// Without returns the number of flips without a cause.
func (m *Measure) Without() (n uint64) {
	for _, c := range m.Judged {
		if c.Cause == NoCause {
			n += c.Flips
		}
	}
	return n
}
