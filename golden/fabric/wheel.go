package fabric

import (
	"math/bits"
	"slices"
)

// eventKind says what an event does and what its argument names.
type eventKind uint8

const (
	evArrive eventKind = iota // packet argument reaches the far end of its link
	evWake                    // port argument may start its next transmission
	evTimer                   // retransmission timer of PDC argument
	evStart                   // flow argument begins
	evEmit                    // packet argument (ACK, NACK) leaves the receiver's logic
)

// event is one entry of the queue.
type event struct {
	at   Picos
	arg  int32
	kind eventKind
}

// node is an event in the arena, linked into one slot.
type node struct {
	event
	next int32
}

// slot is a first-in first-out list of nodes; head < 0 when it is empty.
type slot struct{ head, tail int32 }

const (
	nearBits = 13 // slots of the near wheel: 8192
	farBits  = 10 // slots of the far wheel, each one turn of the near wheel
	nearSize = 1 << nearBits
	farSize  = 1 << farBits
)

// wheel is the event queue. The near wheel holds the events of the current turn
// in slots of 2^width picoseconds, the far wheel those of the current
// super-turn in slots of one turn each, and the rest wait in one list. Every
// list keeps insertion order and moves as a whole before anything newer can be
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

	arena []node
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
	w.arena = make([]node, 0, hint)
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
func (w *wheel) push(at Picos, kind eventKind, arg int32) {
	w.count++
	e := event{at: at, arg: arg, kind: kind}
	if int64(at)>>w.width <= w.slotNo {
		w.insertCurrent(e)
		return
	}
	var i int32
	if w.free >= 0 {
		i = w.free
		w.free = w.arena[i].next
		w.arena[i].event = e
	} else {
		i = int32(len(w.arena))
		w.arena = append(w.arena, node{event: e})
	}
	w.link(i)
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

// link appends node i to the slot of its time, which is later than the slot
// being drained or in a turn that has just begun.
func (w *wheel) link(i int32) {
	abs := int64(w.arena[i].at) >> w.width
	switch {
	case abs>>nearBits == w.slotNo>>nearBits:
		k := abs & (nearSize - 1)
		w.append(&w.near[k], i)
		w.nearSet[k>>6] |= 1 << (k & 63)
		w.nearSum[k>>12] |= 1 << (k >> 6 & 63)
	case abs>>(nearBits+farBits) == w.slotNo>>(nearBits+farBits):
		k := abs >> nearBits & (farSize - 1)
		w.append(&w.far[k], i)
		w.farSet[k>>6] |= 1 << (k & 63)
	default:
		w.append(&w.rest, i)
	}
}

func (w *wheel) append(s *slot, i int32) {
	w.arena[i].next = -1
	if s.head < 0 {
		s.head = i
	} else {
		w.arena[s.tail].next = i
	}
	s.tail = i
}

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
	if k := w.nextNear(int(w.slotNo & (nearSize - 1))); k >= 0 {
		w.slotNo = w.slotNo&^(nearSize-1) | int64(k)
		w.load(k)
		return
	}
	turn := w.slotNo >> nearBits
	if k := w.nextFar(int(turn & (farSize - 1))); k >= 0 {
		turn = turn&^(farSize-1) | int64(k)
		w.slotNo = turn << nearBits
		w.farSet[k>>6] &^= 1 << (k & 63)
		w.scatter(&w.far[k])
		return
	}
	// Everything left lies beyond the far wheel: begin the earliest super-turn.
	first := int64(-1)
	for i := w.rest.head; i >= 0; i = w.arena[i].next {
		if s := int64(w.arena[i].at) >> (w.width + nearBits + farBits); first < 0 || s < first {
			first = s
		}
	}
	w.slotNo = first << (nearBits + farBits)
	w.scatter(&w.rest)
}

// scatter links every node of a list anew, in order. The slot that slotNo
// names may be among the targets, so the near wheel is searched from there.
func (w *wheel) scatter(s *slot) {
	i := s.head
	*s = slot{-1, -1}
	for i >= 0 {
		next := w.arena[i].next
		w.link(i)
		i = next
	}
}

// load moves near slot k into the current list, sorted by time, ties in
// insertion order, and frees its nodes.
func (w *wheel) load(k int) {
	s := &w.near[k]
	for i := s.head; i >= 0; i = w.arena[i].next {
		w.cur = append(w.cur, w.arena[i].event)
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

// nextNear returns the first occupied near slot at or after from, or -1.
func (w *wheel) nextNear(from int) int {
	word := from >> 6
	if b := w.nearSet[word] >> (from & 63) << (from & 63); b != 0 {
		return word<<6 + bits.TrailingZeros64(b)
	}
	word++
	for s := word >> 6; s < len(w.nearSum); s++ {
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
