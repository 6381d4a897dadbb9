package clk

// Cycle counts clock cycles since power-on.
type Cycle uint64

// Class is the issue class of an event: which other events it waits for.
type Class uint8

const (
	Free      Class = iota // no key; waits for no other event
	Keyed                  // waits for the events with the same key
	Exclusive              // waits for every event
)

// Timing holds the timing constants of a stream block, taken from its schema.
type Timing struct {
	Latency Cycle // L: from issue to a visible response
	Stall   Cycle // S: minimum distance between two issues with the same key
	InDepth int   // depth of the input FIFO in events; a power of two
	Credits int   // D: maximum number of events issued and not yet taken; a power of two
	Sweep   int   // W: cycles from reset until the first event may be accepted
}
