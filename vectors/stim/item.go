package stim

// Item is one transfer that an episode offers on one of the block's input streams.
//
// An episode lists its items in one order for all streams, and each stream offers its items in that order. Between
// streams, gates and back-pressure decide which item moves first, unless an item waits for others.
type Item struct {
	Lane int // input stream, by its place among the schema's input streams

	// Wait is a set of streams (bit Lane): the item is offered only after all earlier items of those streams were
	// accepted.
	Wait uint8

	// Pair makes the item wait as if it were listed before the preceding item, so that two streams can begin together.
	Pair bool

	// Gap is the number of cycles that the stream stays quiet before the item, counted from when it could be offered.
	Gap uint16

	// More marks an item that the next item of the stream continues, as the beats of a packet do.
	More bool

	// Late marks an item given in addition to the episode's own, to unblock other streams (see DriveSpec.ByLane).
	Late bool

	Words []uint64 // packed event, control bits zero
}

// WaitAll waits for all streams.
const WaitAll uint8 = 0xff

// Clone returns a copy with its own storage.
func (it *Item) Clone() Item {
	c := *it
	c.Words = append([]uint64(nil), it.Words...)
	return c
}

// Lookahead is the most items that a driver holds, and so how far one stream can run ahead of another. An episode can
// ask for less.
const Lookahead = 64

// StuckCycles is the number of cycles without an accepted item after which a driver turns to DriveSpec.Relief. A gate
// is unlikely to stay closed that long, and an extra item does no harm.
const StuckCycles = 3000

// lateGap is the least Item.Gap of late items, so that a stream that is stuck for good does not cost an event per
// cycle.
const lateGap = 16
