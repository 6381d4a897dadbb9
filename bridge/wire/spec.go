package wire

// Version is the protocol version. A peer with another version is refused: messages carry no negotiation.
const Version = 1

// Magic opens every frame: "GWB1" as a little-endian word.
const Magic uint32 = 'G' | 'W'<<8 | 'B'<<16 | '1'<<24

// HeaderSize is the size of a frame header in bytes.
const HeaderSize = 32

// Limits bound what a Reader accepts, in bytes. A frame that announces more is refused with ErrTooLarge
// before any memory is taken for it.
type Limits struct {
	Ctrl uint32 // control message
	Bulk uint32 // bulk payload
}

// DefaultLimits returns 64 KiB of control and 256 MiB of bulk, the limits of the shell too.
func DefaultLimits() Limits { return Limits{Ctrl: 64 << 10, Bulk: 256 << 20} }

// Type is the kind of a frame.
type Type uint8

// The frame types. Requests go from the client to the DUT, replies the other way; Hello, Error and Bye go
// both ways.
const (
	TypeHello      Type = 1  // who speaks, which version, which block
	TypeConfigure  Type = 2  // client: build the model anew with this seed
	TypeConfigured Type = 3  // DUT: done
	TypeBatch      Type = 4  // client: replay and compare these cycles
	TypeResult     Type = 5  // DUT: one batch done, its buffer is free
	TypeMismatch   Type = 6  // DUT: the first differing cycle of a run and its neighbourhood
	TypeFinish     Type = 7  // client: the run is over
	TypeFinished   Type = 8  // DUT: totals of the run
	TypeStep       Type = 9  // client: run these cycles and return the outputs
	TypeStepped    Type = 10 // DUT: the outputs
	TypeBench      Type = 11 // client: replay a vector file natively
	TypeBenched    Type = 12 // DUT: cycles and time
	TypeTrace      Type = 13 // client: dump waves of a window of cycles
	TypeTraced     Type = 14 // DUT: done
	TypeProgress   Type = 15 // DUT: still at work
	TypeDoorbell   Type = 16 // client: the step mailbox has a request
	TypeError      Type = 17 // either: what went wrong
	TypeBye        Type = 18 // either: end of the conversation
	TypeAsk        Type = 19 // client: what are the responses to these events
	TypeAnswer     Type = 20 // DUT: the responses
	TypeDescribe   Type = 21 // client: where do the fields lie
	TypeDescribed  Type = 22 // DUT: the layout of its records as text
	lastType            = TypeDescribed
)

var typeNames = [...]string{"?", "hello", "configure", "configured", "batch", "result", "mismatch", "finish",
	"finished", "step", "stepped", "bench", "benched", "trace", "traced", "progress", "doorbell", "error", "bye",
	"ask", "answer", "describe", "described"}

// String returns the lower-case name of the type, "?" for one that does not exist.
func (t Type) String() string {
	if t > lastType {
		t = 0
	}
	return typeNames[t]
}
