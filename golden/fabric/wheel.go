package fabric

import (
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/golden/units"
)

// eventKind says what an event does and what its argument names.
type eventKind uint8

const (
	evArrive  eventKind = iota // packet argument reaches the far end of its link
	evWake                     // port argument may start its next transmission
	evTimer                    // retransmission timer of PDC argument
	evStart                    // flow argument begins
	evEmit                     // packet argument (ACK, NACK) leaves the receiver's logic
	evProbe                    // probe timer of PDC argument
	evPause                    // port argument must hold back its low class
	evResume                   // port argument may send its low class again
	evFail                     // the links of failure argument go down
	evSample                   // queue depths are sampled
	evStall                    // pauses are looked through for a cycle
	evPace                     // context argument may send by its rate
	evControl                  // timer of the congestion control of context argument
	evNotify                   // an interval between CNPs of connection argument ends
)

// event is one entry of the queue.
type event struct {
	at   units.Picos
	arg  int32
	kind eventKind
}

// chunkLen is the number of events that are kept together: a busy slot has about
// four, and two lines of the cache hold seven.
const chunkLen = 7

// chunk is a piece of one list of events.
type chunk struct {
	ev   [chunkLen]event
	next int32
	n    int32
	_    [8]byte
}

// slot is a first-in first-out list of chunks; head < 0 when it is empty.
type slot struct{ head, tail int32 }

const (
	nearBits = 16 // slots of one turn of the near wheel
	farBits  = 10 // slots of the far wheel, each one turn of the near wheel
	turnSize = 1 << nearBits
	nearSize = 2 * turnSize // the turn under way and the next
	farSize  = 1 << farBits
)

// wheel is the event queue. The near wheel holds the events of the turn under
// way and of the next one in slots of 2^width picoseconds, so that what is
// scheduled a link's latency ahead is linked once. The far wheel holds those of
// the other turns of one super-turn, and the rest wait in one list. Every list
// keeps insertion order and moves as a whole before anything newer can be
// inserted beside it, so a stable sort of one slot by time alone leaves ties in
// insertion order.
//
// Cost: an event is linked at most three times and sorted once among the
// events of its slot. Nothing depends on how many are pending.
type wheel struct {
	width  uint
	cur    []event // events of the slot being drained, from pos on, ascending
	pos    int
	slotNo int64 // absolute number of that slot
	count  int

	arena []chunk
	free  int32

	near    [nearSize]slot
	nearSet [nearSize / 64]uint64
	nearSum [nearSize / 4096]uint64
	far     [farSize]slot
	farSet  [farSize / 64]uint64
	rest    slot
}

// newWheel returns an empty queue at time 0 whose near slots are 2^width
// picoseconds wide, with room for hint events before it allocates again.
func newWheel(width uint, hint int) *wheel {
	w := &wheel{width: width, free: -1, rest: slot{-1, -1}}
	w.arena = make([]chunk, 0, hint/2)
	w.cur = make([]event, 0, 1024)
	for i := range w.near {
		w.near[i] = slot{-1, -1}
	}
	for i := range w.far {
		w.far[i] = slot{-1, -1}
	}
	return w
}

// push schedules an event; at must not lie before the last popped event.
func (w *wheel) push(at units.Picos, kind eventKind, arg int32) {
	w.count++
	e := event{at: at, arg: arg, kind: kind}
	if int64(at)>>w.width <= w.slotNo {
		w.insertCurrent(e)
		return
	}
	w.link(e)
}

// insertCurrent places an event into the slot being drained, after every event
// that is not later than it.
func (w *wheel) insertCurrent(e event) {
	w.cur = append(w.cur, e)
	i := len(w.cur) - 1
	for ; i > w.pos && w.cur[i-1].at > e.at; i-- {
		w.cur[i] = w.cur[i-1]
	}
	w.cur[i] = e
}

// link appends an event to the slot of its time, which is later than the slot
// being drained or in a turn that has just begun.
func (w *wheel) link(e event) {
	abs := int64(e.at) >> w.width
	turn, next := abs>>nearBits, w.turn()+1
	switch {
	case turn <= next:
		k := abs & (nearSize - 1)
		w.append(&w.near[k], e)
		w.nearSet[k>>6] |= 1 << (k & 63)
		w.nearSum[k>>12] |= 1 << (k >> 6 & 63)
	case turn>>farBits == next>>farBits:
		k := turn & (farSize - 1)
		w.append(&w.far[k], e)
		w.farSet[k>>6] |= 1 << (k & 63)
	default:
		w.append(&w.rest, e)
	}
}

func (w *wheel) append(s *slot, e event) {
	if s.head >= 0 {
		if c := &w.arena[s.tail]; c.n < chunkLen {
			c.ev[c.n] = e
			c.n++
			return
		}
	}
	i := w.free
	if i >= 0 {
		w.free = w.arena[i].next
	} else {
		i = int32(len(w.arena))
		w.arena = append(w.arena, chunk{})
	}
	c := &w.arena[i]
	c.ev[0], c.n, c.next = e, 1, -1
	if s.head < 0 {
		s.head = i
	} else {
		w.arena[s.tail].next = i
	}
	s.tail = i
}

// turn is the turn under way; far holds turns of the super-turn of the one after.
func (w *wheel) turn() int64 { return w.slotNo >> nearBits }

// pop removes and returns the earliest event, the first scheduled among equals;
// it returns false when the queue is empty.
func (w *wheel) pop() (event, bool) {
	for w.pos == len(w.cur) {
		if w.count == 0 {
			return event{}, false
		}
		w.cur, w.pos = w.cur[:0], 0
		w.advance()
	}
	e := w.cur[w.pos]
	w.pos++
	w.count--
	return e, true
}

// advance moves to the next slot that holds an event and loads it, or begins
// the next turn that holds one.
func (w *wheel) advance() {
	at := int(w.slotNo & (nearSize - 1))
	end := at&turnSize + turnSize
	if k := w.nextNear(at, end); k >= 0 {
		w.slotNo += int64(k - at)
		w.load(k)
		return
	}
	turn := w.turn()
	other := end & (nearSize - 1)
	if w.nextNear(other, other+turnSize) >= 0 {
		w.enter(turn + 1)
		return
	}
	if k := w.nextFar(int((turn + 1) & (farSize - 1))); k >= 0 {
		w.enter((turn+1)&^(farSize-1) | int64(k))
		return
	}
	// Everything left lies beyond the far wheel: begin the earliest turn of it.
	first := int64(-1)
	for i := w.rest.head; i >= 0; i = w.arena[i].next {
		c := &w.arena[i]
		for _, e := range c.ev[:c.n] {
			if t := int64(e.at) >> (w.width + nearBits); first < 0 || t < first {
				first = t
			}
		}
	}
	w.enter(first)
}

// enter begins a turn: the events of it and of the next come to the near wheel,
// and when the next begins a super-turn the rest is looked through.
func (w *wheel) enter(turn int64) {
	super := (w.turn() + 1) >> farBits
	w.slotNo = turn << nearBits
	w.farToNear(turn, super)
	if now := (turn + 1) >> farBits; now != super {
		w.scatter(&w.rest)
		return // nothing of a super-turn is in the far wheel before it begins
	}
	w.farToNear(turn+1, super)
}

// farToNear brings the events of a turn to the near wheel, if it belongs to the
// super-turn that the far wheel holds.
func (w *wheel) farToNear(turn, super int64) {
	k := turn & (farSize - 1)
	if turn>>farBits == super && w.farSet[k>>6]>>(k&63)&1 != 0 {
		w.farSet[k>>6] &^= 1 << (k & 63)
		w.scatter(&w.far[k])
	}
}

// scatter links every event of a list anew, in order. The slot that slotNo names
// may be among the targets, so the near wheel is searched from there.
func (w *wheel) scatter(s *slot) {
	i := s.head
	*s = slot{-1, -1}
	for i >= 0 {
		// Its own list may take the events back: the chunk is freed first, and
		// read from a copy.
		c := w.arena[i]
		w.arena[i].next = w.free
		w.free = i
		for _, e := range c.ev[:c.n] {
			w.link(e)
		}
		i = c.next
	}
}

// load moves near slot k into the current list, sorted by time, ties in
// insertion order, and frees its chunks.
func (w *wheel) load(k int) {
	s := &w.near[k]
	for i := s.head; i >= 0; i = w.arena[i].next {
		c := &w.arena[i]
		w.cur = append(w.cur, c.ev[:c.n]...)
	}
	w.arena[s.tail].next = w.free
	w.free = s.head
	*s = slot{-1, -1}
	w.nearSet[k>>6] &^= 1 << (k & 63)
	if w.nearSet[k>>6] == 0 {
		w.nearSum[k>>12] &^= 1 << (k >> 6 & 63)
	}
	if len(w.cur) > 48 {
		slices.SortStableFunc(w.cur, func(a, b event) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
		return
	}
	for i := 1; i < len(w.cur); i++ {
		e, j := w.cur[i], i
		for ; j > 0 && w.cur[j-1].at > e.at; j-- {
			w.cur[j] = w.cur[j-1]
		}
		w.cur[j] = e
	}
}

// nextNear returns the first occupied near slot from from to before end, which
// is a multiple of a turn, or -1.
func (w *wheel) nextNear(from, end int) int {
	word := from >> 6
	if b := w.nearSet[word] >> (from & 63) << (from & 63); b != 0 {
		return word<<6 + bits.TrailingZeros64(b)
	}
	word++
	for s := word >> 6; s < end>>12; s++ {
		sum := w.nearSum[s]
		if s == word>>6 {
			sum = sum >> (word & 63) << (word & 63)
		}
		if sum != 0 {
			word = s<<6 + bits.TrailingZeros64(sum)
			return word<<6 + bits.TrailingZeros64(w.nearSet[word])
		}
	}
	return -1
}

// nextFar returns the first occupied far slot at or after from, or -1.
func (w *wheel) nextFar(from int) int {
	for word := from >> 6; word < len(w.farSet); word++ {
		b := w.farSet[word]
		if word == from>>6 {
			b = b >> (from & 63) << (from & 63)
		}
		if b != 0 {
			return word<<6 + bits.TrailingZeros64(b)
		}
	}
	return -1
}
