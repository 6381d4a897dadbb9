package stim

// Item is one transfer that an episode offers on one of the block's input streams.
//
// An episode lists its items in one order for all streams. A stream's items are offered in that order. When items of
// different streams move depends on gates and back-pressure, unless an item waits for others.
type Item struct {
	Lane int // input stream, by its place among the schema's input streams

	// Wait is a set of streams (bit Lane): the item is offered only after every item of those streams that is
	// listed before it has been accepted.
	Wait uint8

	// Pair makes it wait as if it were listed before the preceding item, so that two streams can begin together.
	Pair bool

	// Gap is the number of cycles for which the stream stays quiet before the item, from the moment it could
	// be offered.
	Gap uint16

	// More marks an item whose successor on the stream belongs to it, as the beats of a packet do.
	More bool

	// Late marks an item given in addition to the episode's own, to unblock other streams (see DriveSpec.ByLane).
	Late bool

	Words []uint64 // packed event, control bits zero
}

// WaitAll waits for all streams.
const WaitAll uint8 = 0xff

// Clone returns a copy with storage of its own.
func (it *Item) Clone() Item {
	c := *it
	c.Words = append([]uint64(nil), it.Words...)
	return c
}

// Lookahead is how many items a driver holds at most, so that one stream runs ahead of another by no more,
// unless the episode asks for less.
const Lookahead = 64

// StuckCycles is for how long nothing must have been accepted before a driver turns to DriveSpec.Relief. No gate is
// likely to stay closed that long, and an extra item does no harm.
const StuckCycles = 3000

// lateGap is the least Item.Gap of late items: a stream that is stuck for good must not cost an event per cycle.
const lateGap = 16
