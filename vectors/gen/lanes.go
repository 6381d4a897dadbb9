package gen

import "github.com/goldwire/goldwire/vectors/event"

// Item is one transfer that an episode wants on one of the block's input streams.
//
// An episode lists its items in one order for all streams. A stream's items are offered in that order; what
// two streams do in which cycle is up to gates and back-pressure, unless an item waits for others.
type Item struct {
	Lane int // input stream, by its place among the schema's input streams

	// Wait is a set of streams (bit Lane): the item is offered only after every item of those streams that is
	// listed before it has been accepted.
	Wait uint8

	// Pair makes it wait as if it were listed before the item that it follows, so that two streams can begin
	// together.
	Pair bool

	// Gap is the number of cycles for which the stream stays quiet before the item, from the moment it could
	// be offered.
	Gap uint16

	// More says that the stream's next item belongs to this one, as the beats of a packet do.
	More bool

	// Late says that the item was given beyond the episode's own, to get other streams going again (see
	// DriveSpec.ByLane).
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

// stuckCycles is for how long nothing must have been accepted before a driver turns to DriveSpec.Relief. No
// gate is likely to stay closed for as long, and an item too many does no harm.
const stuckCycles = 3000

// lateCycles is for how long nothing must have been accepted, after the last item of an episode whose streams
// take their items by themselves, before streams without an item offer further ones.
const lateCycles = 256

// lateGap is the least Item.Gap of these: a stream that is stuck for good must not cost an event a cycle.
const lateGap = 16

// quietCycles is how long a block is watched after its last input before it counts as done, where its
// outputs are not one for each input. It is more than any block needs from an input to the first output.
const quietCycles = 80

// lane is one input stream of the driver.
type lane struct {
	valid, ready uint64   // control bits, of input and of output records
	mask         []uint64 // bits of its fields
	from, to     int      // words that hold them
	whole        [2]int   // words from, to that hold nothing else
	at           int      // number of its oldest item not accepted; -1: none known
	item         *Item    // that item
	shown        bool     // valid has been high for that item, so it must stay
	met          bool     // it waits for no other lane any more
	gap          int      // cycles to wait before it is offered
	closed       bool     // gate state
	relief       *Item    // offered in place of the item, nil: none
}

func newLane(valid, ready uint64, mask []uint64) lane {
	l := lane{valid: valid, ready: ready, mask: mask, from: len(mask)}
	for w, m := range mask {
		if m == 0 {
			continue
		}
		l.from, l.to = min(l.from, w), w+1
		switch {
		case m != ^uint64(0):
		case l.whole[1] == w && w > 0:
			l.whole[1] = w + 1
		case l.whole[1] == 0:
			l.whole = [2]int{w, w + 1}
		}
	}
	return l
}

// put writes the lane's fields of a packed item into an input record.
func (l *lane) put(in, words []uint64) {
	for w := l.from; w < l.whole[0]; w++ {
		m := l.mask[w]
		in[w] = in[w]&^m | words[w]&m
	}
	w := l.from
	if l.whole[1] > 0 {
		copy(in[l.whole[0]:l.whole[1]], words[l.whole[0]:l.whole[1]])
		w = l.whole[1]
	}
	for ; w < l.to; w++ {
		m := l.mask[w]
		in[w] = in[w]&^m | words[w]&m
	}
}

// outlet is one output stream of the driver.
type outlet struct {
	ready, valid uint64 // control bits, of input and of output records
	closed       bool
}

// lanesOf returns the input and output streams of a block.
func lanesOf(l *event.Layout) (ins []lane, outs []outlet) {
	streams := func(r *event.Record) (names []string) {
		for i := range r.Slots {
			if n := len(names); n == 0 || names[n-1] != r.Slots[i].Stream {
				names = append(names, r.Slots[i].Stream)
			}
		}
		return names
	}
	for _, s := range streams(&l.In) {
		ins = append(ins, newLane(l.In.Control(s+"_valid"), l.Out.Control(s+"_ready"), l.In.StreamMask(s)))
	}
	for _, s := range streams(&l.Out) {
		outs = append(outs, outlet{ready: l.In.Control(s + "_ready"), valid: l.Out.Control(s + "_valid")})
	}
	return ins, outs
}
