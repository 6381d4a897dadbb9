package elastic

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/vectors/event"
)

// Device is a design under test that is stepped cycle by cycle on packed records (see vectors/event).
type Device interface {
	// Restart starts again, with initial register contents drawn from seed.
	Restart(seed uint32) error
	// Step runs the cycles of in, whole records, and fills out with as many output records.
	Step(in, out []uint64) error
	// StepUntil runs the cycles of in, then repeats the last, until a bit of watch shows in word 0 of an
	// output record or out is full, at most 1,024 cycles. It returns how many were run.
	StepUntil(in, out []uint64, watch uint64) (int, error)
	// End errors with what the RTL reported at the clock edge that ended the last cycle: a step returns before it.
	End() error
}

// Expect returns the responses that a device owes. The package comment has its rules.
type Expect interface {
	// Reset forgets everything accepted and everything owed.
	Reset() error
	// Accept takes one transfer on an input stream, by its place among the schema's input streams; words is
	// a packed event whose other streams' bits have no meaning. pair is set when the device accepted it in the
	// cycle of the transfer before.
	Accept(stream int, pair bool, words []uint64) error
	// Next returns the next response owed on an output stream, a packed response, which is the caller's; or
	// false when nothing is owed on it for what was accepted so far.
	Next(stream int) ([]uint64, bool, error)
}

// Follower is an Expect that runs along with the device.
type Follower interface {
	Expect
	// Follow gets the cycles that the device has run, before their transfers: the input records, of which the
	// last was repeated when there are fewer, and the output records. The error is ErrParted when it cannot.
	Follow(in, out []uint64) error
	// Settle announces that what is owed is asked for now, before any further cycle.
	Settle()
	// End returns what broke at the end of the last cycle, which no call follows.
	End() error
}

// Order is how responses are matched with what is owed.
type Order string

// The orders. Context and Tag need Spec.Key: both match in order among equal values of it, which for a tag
// that is in flight once is the one response.
const (
	Stream  Order = "stream"  // in the order of acceptance, on each output stream
	Context Order = "context" // in order among the responses of one context
	Tag     Order = "tag"     // by the tag that the response carries
)

// Errors that callers branch on. They mean that the binding is wrong, not an answer.
var (
	ErrNeverReady  = errors.New("the design never became ready")
	ErrNeverAnswer = errors.New("the design never answered")
	ErrStopped     = errors.New("the design stopped taking events")
)

// Refused returns the error of a design that never took an event: the control, the design's port and how long the run
// waited.
func (s *Spec) Refused(f *Finding) error {
	return fmt.Errorf("%w: %s stayed low for %d cycles after reset with an event offered; check the reset's polarity "+
		"and the clock of the binding, or raise patience", ErrNeverReady, s.control(event.In, f.Stream, "_ready"), s.Patience)
}

// Stopped returns the error of a design that refuses an event for too long: Refused, unless it took others before.
func (s *Spec) Stopped(f *Finding, took bool) error {
	if !took {
		return s.Refused(f)
	}
	return fmt.Errorf("%w: %s stayed low for %d cycles with an event offered, after it took others; raise patience "+
		"when it may take longer", ErrStopped, s.control(event.In, f.Stream, "_ready"), s.Patience)
}

// Silent returns the error of a design that took events and never answered.
func (s *Spec) Silent(events uint64) error {
	return fmt.Errorf("%w: %s stayed low for %d accepted events and %d cycles after the last; check the reset's "+
		"polarity of the binding, or raise flush", ErrNeverAnswer, s.control(event.Out, 0, "_valid"), events, s.Flush)
}

// Control returns the name of a stream's control with the design's port, for messages.
func (s *Spec) Control(name string) string {
	if s.Port == nil || s.Port(name) == name {
		return name
	}
	return name + " (" + s.Port(name) + ")"
}

// control does so for the valid or ready of a stream, by its place among those of a direction.
func (s *Spec) control(dir event.Dir, stream int, what string) string {
	return s.Control(s.Block.StreamsOf(dir)[stream].Name + what)
}

// Spec is how a device is played. Start from DefaultSpec.
type Spec struct {
	Block *event.Block
	Order Order
	Key   string // field of the output streams that Context and Tag match by; streams without it are in order

	// Flush is how many cycles a response may still take, counted from the last event or response.
	Flush int
	// Patience is how many cycles a device may refuse an offered event before it counts as stuck.
	Patience int
	// ResetCycles is the least length of a reset.
	ResetCycles int

	// Packets is set where the device's edge gives and takes packets whose bytes count, not their beats (see packeted).
	Packets bool

	// Params are the parameters of the block, for the conditions of its masks; nil for their defaults.
	Params map[string]int
	// Skip has, word by word of an output record, the bits that are not compared; nil for none.
	Skip []uint64
	// Uncounted has likewise the bits that are left out of the count of compared fields: those of Skip, and those that
	// are compared but do not come from the design; nil for none.
	Uncounted []uint64
	// MayDrop and MayChange have, by output stream, whether a response may be withdrawn or changed before it is
	// taken: rules of the handshake that the design breaks on purpose; nil for none.
	MayDrop, MayChange []bool
	// NoStall has, by output stream, whether its ready is kept high: the device has none there; nil for none.
	NoStall []bool
	// Judge judges the responses that need not be equal; nil where every bit that is compared is to be equal. Of Play
	// only.
	Judge *tolerance.Judge
	// Resync makes the reference take the device's state after each event: events that read it are inserted, which no
	// count of events and responses has. It needs a Judge.
	Resync bool
	// Took and Gave, where they are not nil, get every accepted transfer and every response that agrees, by the place
	// of its stream among the inputs or outputs; the words belong to the caller.
	Took, Gave func(stream int, words []uint64)
	// Judged, where it is not nil, gets every comparison: each response of Play, and each cycle of PlayExact.
	Judged func(Verdict)
	// NoReset marks a device without a reset: only power-on starts it again.
	NoReset bool
	// Port names the device's own port of a control such as ev_ready, for messages; may be nil.
	Port func(control string) string
	// RefPort does the same for the second design of PlayExact; may be nil.
	RefPort func(control string) string
}

// DefaultSpec returns a block's responses in order, 512 cycles of flush, 200,000 of patience, 4 of reset.
func DefaultSpec(b *event.Block) Spec {
	return Spec{Block: b, Order: Stream, Flush: 512, Patience: 200_000, ResetCycles: 4}
}

// Validate errors when the spec cannot be played.
func (s *Spec) Validate() error {
	switch s.Order {
	case Stream:
	case Context, Tag:
		found := false
		for _, o := range s.Block.StreamsOf(event.Out) {
			f := o.Field(s.Key)
			found = found || f != nil
			if f != nil && f.Width > 64 {
				return fmt.Errorf("order %s: key %s has %d bits, at most 64", s.Order, s.Key, f.Width)
			}
		}
		if !found {
			return fmt.Errorf("order %s: no output stream of block %s has the field %q", s.Order, s.Block.Name, s.Key)
		}
	default:
		return fmt.Errorf("order %q: give stream, context or tag", s.Order)
	}
	if s.Resync && (s.Judge == nil || s.Judge.Access.Lacks() != nil || s.Order != Stream) {
		return fmt.Errorf("block %s: resync needs a judge, state words and answers in order", s.Block.Name)
	}
	if _, err := event.NewMasks(s.Block, event.NewLayout(s.Block), s.Params); err != nil {
		return fmt.Errorf("block %s: %w", s.Block.Name, err)
	}
	if s.Flush < 1 || s.Patience < 1 || s.ResetCycles < 1 {
		return fmt.Errorf("flush %d, patience %d, reset cycles %d: each must be 1 or more", s.Flush, s.Patience,
			s.ResetCycles)
	}
	return nil
}

// Kind is what is wrong with a device.
type Kind string

// The kinds of a Finding.
const (
	Wrong    Kind = "wrong"    // a response differs from what is owed
	Extra    Kind = "extra"    // a response that nothing is owed for
	Missing  Kind = "missing"  // a response that did not come
	Stuck    Kind = "stuck"    // an event was refused for longer than Spec.Patience
	Unstable Kind = "unstable" // a response was withdrawn or changed before it was taken; Text is which
	RTL      Kind = "rtl"      // the RTL reported an error
	Differs  Kind = "differs"  // a cycle of PlayExact; Want and Got are whole output records
)

// Finding is the first thing wrong in an episode.
type Finding struct {
	Kind   Kind
	Cycle  uint64   // of the device, since the start of the episode
	Stream int      // output stream of a response, or input stream that is stuck
	Want   []uint64 // packed response owed, of Unstable that shown before; nil for Extra, Stuck and RTL
	Got    []uint64 // packed response received; nil for Missing, Stuck and RTL
	Lane   int      // input stream of Event
	Event  []uint64 // packed event that it answers, or that is refused; nil when unknown
	After  []uint64 // packed event of the episode after which Event was inserted to read the state; nil when it was not
	Text   string   // of RTL: as the simulator printed it; of Unstable: how; of Wrong: what it looks like, Unheld, NoNear
	Never  bool     // of Stuck: ready was not seen high in the whole episode
	Early  bool     // of Extra: no event was accepted since the reset
	Window []Cycle  // the last cycles up to this one
	Frames []Frame  // by output stream: the packet on its way out
}

// Cycle is one clock cycle at the device's ports.
type Cycle struct {
	N       uint64
	In, Out []uint64
}

// Verdict is one comparison. The records are the caller's.
type Verdict struct {
	Cycle    uint64   // of the device, since the start of the episode
	Want     []uint64 // output record, of which the bits of Compared have a meaning
	Compared []uint64
	Excused  bool // differences are within the tolerances
}

// Outcome is the result of an episode.
type Outcome struct {
	Finding   *Finding          // nil when everything agrees
	Cycles    uint64            // of the device
	Events    uint64            // accepted; packets count where they end
	Responses uint64            // matched, likewise
	Fields    uint64            // of them that were compared and are equal
	Differing Differing         // what was compared of the response of a finding
	LastLane  int               // input stream of Last
	Last      []uint64          // packed event accepted last; nil for none
	Masked    []event.MaskCount // what the masks of the schema hid; nil without any
	Digest    uint64            // over the accepted events and matched responses, in the device's order
}

// Differing counts what a finding compared: nothing where no response came.
type Differing struct{ Responses, Fields uint64 }
