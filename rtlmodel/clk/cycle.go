package clk

// Cycle counts clock cycles since power-on.
type Cycle uint64

// Class says how an event stands in the order of issue.
type Class uint8

const (
	Free      Class = iota // no key: waits for no other event
	Keyed                  // waits for the events of its own key
	Exclusive              // waits for every event
)

// Timing holds the constants of a stream block, from its schema.
type Timing struct {
	Latency Cycle // L: from issue to the response being visible
	Stall   Cycle // S: least distance of two issues with one key
	InDepth int   // events the input FIFO holds; a power of two
	Credits int   // D: events issued and not yet taken; a power of two
	Sweep   int   // W: cycles after reset until the first event may be accepted
}
