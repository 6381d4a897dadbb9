package kernel

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/golden/units"
)

// Kind is what an event does, and what its argument is. Each layer has its own: those of
// the network, of hosts, and, from idleKinds on, those that do not keep a run going.
type Kind uint8

// First kinds of hosts, and of events that do not keep a run going.
const (
	HostKinds Kind = 32
	IdleKinds Kind = 64
)

// Event is one entry of the queue.
type Event struct {
	At   units.Picos
	Arg  int32
	Kind Kind
}

// chunkLen is the number of events that are kept together: a busy slot has about
// four, and two lines of the cache hold seven.
const chunkLen = 7

// chunk is a piece of one list of events.
type chunk struct {
	ev   [chunkLen]Event
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

// Wheel is the event queue. The near wheel holds the events of the turn under way and of the next one in slots of
// 2^width picoseconds, so that what is scheduled a link's latency ahead is linked once. The far wheel holds those of
// the other turns of one super-turn, and the rest wait in one list. Every list keeps insertion order and moves as a
// whole before anything newer can be inserted beside it, so a stable sort of one slot by time alone leaves ties in
// insertion order.
//
// Cost: an event is linked at most three times and sorted once among the
// events of its slot. Nothing depends on how many are pending.
type Wheel struct {
	width  uint
	cur    []Event // events of the slot being drained, from pos on, ascending
	pos    int
	slotNo int64 // absolute number of that slot
	count  int
	idle   int // of them, those that do not keep the run going

	time units.Picos
	stop bool
	more bool // events are pending elsewhere that keep the run going
	err  error

	arena Table[chunk]
	free  int32

	near    [nearSize]slot
	nearSet [nearSize / 64]uint64
	nearSum [nearSize / 4096]uint64
	far     [farSize]slot
	farSet  [farSize / 64]uint64
	rest    slot
}

// NewWheel returns an empty queue at time 0 whose near slots are 2^width picoseconds wide.
func NewWheel(width uint) *Wheel {
	w := &Wheel{width: width, free: -1, rest: slot{-1, -1}}
	w.cur = make([]Event, 0, 1024)
	for i := range w.near {
		w.near[i] = slot{-1, -1}
	}
	for i := range w.far {
		w.far[i] = slot{-1, -1}
	}
	return w
}

// Now is the time of the run.
func (w *Wheel) Now() units.Picos { return w.time }

// Advance sets the time of the run, which the loop does with each event that is part of it.
func (w *Wheel) Advance(at units.Picos) { w.time = at }

// Busy reports whether an event is pending that keeps the run going.
func (w *Wheel) Busy() bool { return w.count > w.idle || w.more }

// Elsewhere tells the queue of one part of a run whether an event is pending in another that keeps the run going.
func (w *Wheel) Elsewhere(more bool) { w.more = more }

// BusyHere reports whether an event is pending in this queue that keeps the run going.
func (w *Wheel) BusyHere() bool { return w.count > w.idle }

// Halt ends the run after the event under way.
func (w *Wheel) Halt() { w.stop = true }

// Fail ends the run with an error; the first one counts.
func (w *Wheel) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
	w.stop = true
}

// Resume lets a run that was to end go on.
func (w *Wheel) Resume() { w.stop = false }

// Halted reports whether the run is to end.
func (w *Wheel) Halted() bool { return w.stop }

// Fault returns the error that ends the run, nil for none.
func (w *Wheel) Fault() error { return w.err }

// Push schedules an event; at must not lie before the last popped event.
func (w *Wheel) Push(at units.Picos, kind Kind, arg int32) {
	w.count++
	if kind >= IdleKinds {
		w.idle++
	}
	e := Event{At: at, Arg: arg, Kind: kind}
	if int64(at)>>w.width <= w.slotNo {
		w.insertCurrent(e)
		return
	}
	w.link(e)
}

// insertCurrent places an event into the slot being drained, after every event that is not later than it.
func (w *Wheel) insertCurrent(e Event) {
	w.cur = append(w.cur, e)
	i := len(w.cur) - 1
	for ; i > w.pos && w.cur[i-1].At > e.At; i-- {
		w.cur[i] = w.cur[i-1]
	}
	w.cur[i] = e
}

// link appends an event to the slot of its time, which is later than the slot
// being drained or in a turn that has just begun.
func (w *Wheel) link(e Event) {
	abs := int64(e.At) >> w.width
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

func (w *Wheel) append(s *slot, e Event) {
	if s.head >= 0 {
		if c := w.arena.At(s.tail); c.n < chunkLen {
			c.ev[c.n] = e
			c.n++
			return
		}
	}
	i := w.free
	if i >= 0 {
		w.free = w.arena.At(i).next
	} else {
		i = w.arena.Add()
	}
	c := w.arena.At(i)
	c.ev[0], c.n, c.next = e, 1, -1
	if s.head < 0 {
		s.head = i
	} else {
		w.arena.At(s.tail).next = i
	}
	s.tail = i
}

// turn is the turn under way; far holds turns of the super-turn of the one after.
func (w *Wheel) turn() int64 { return w.slotNo >> nearBits }

// Coming returns the next events, in order: up to n, and none when Pop, or Ready, would have to search for the next.
// They stay in the queue, and may be preceded by what is scheduled before they leave it. The list is valid until the
// next call.
func (w *Wheel) Coming(n int) []Event { return w.cur[w.pos:min(w.pos+n, len(w.cur))] }

// Ready reports whether the next event is before a time. The queue does not look beyond it: what is scheduled before
// that time later on is as cheap as ever.
func (w *Wheel) Ready(end units.Picos) bool {
	if w.pos == len(w.cur) {
		if at, ok := w.NextAt(); !ok || at >= end {
			return false
		}
		w.fill()
	}
	return w.cur[w.pos].At < end
}

// NextAt returns the time of the next event; it returns false when the queue is empty.
func (w *Wheel) NextAt() (units.Picos, bool) {
	if w.pos < len(w.cur) {
		return w.cur[w.pos].At, true
	}
	if w.count == 0 {
		return 0, false
	}
	list, _, _ := w.next()
	return w.first(list), true
}

// next returns the list that holds the next event, its turn, and its number when it is a near slot of the turn under
// way, else -1. There must be an event.
func (w *Wheel) next() (list *slot, turn int64, k int) {
	at, turn := int(w.slotNo&(nearSize-1)), w.turn()
	end := at&turnSize + turnSize
	if k := w.nextNear(at, end); k >= 0 {
		return &w.near[k], turn, k
	}
	other := end & (nearSize - 1)
	if k := w.nextNear(other, other+turnSize); k >= 0 {
		return &w.near[k], turn + 1, -1
	}
	if k := w.nextFar(int((turn + 1) & (farSize - 1))); k >= 0 {
		return &w.far[k], (turn+1)&^(farSize-1) | int64(k), -1
	}
	// Everything left lies beyond the far wheel: begin the earliest turn of it.
	return &w.rest, int64(w.first(&w.rest)) >> (w.width + nearBits), -1
}

// first returns the earliest time in a list, which holds an event.
func (w *Wheel) first(s *slot) units.Picos {
	least := w.arena.At(s.head).ev[0].At
	for i := s.head; i >= 0; i = w.arena.At(i).next {
		c := w.arena.At(i)
		for _, e := range c.ev[:c.n] {
			least = min(least, e.At)
		}
	}
	return least
}

// fill loads the next slot when the current one is drained; it returns false when the queue is empty.
func (w *Wheel) fill() bool {
	for w.pos == len(w.cur) {
		if w.count == 0 {
			return false
		}
		w.cur, w.pos = w.cur[:0], 0
		w.turnOn()
	}
	return true
}

// Pop removes and returns the earliest event, the first scheduled among equals;
// it returns false when the queue is empty.
func (w *Wheel) Pop() (Event, bool) {
	if w.pos == len(w.cur) && !w.fill() {
		return Event{}, false
	}
	e := w.cur[w.pos]
	w.pos++
	w.count--
	if e.Kind >= IdleKinds {
		w.idle--
	}
	return e, true
}

// turnOn moves to the next slot that holds an event and loads it, or begins the next turn that holds one.
func (w *Wheel) turnOn() {
	_, turn, k := w.next()
	if k < 0 {
		w.enter(turn)
		return
	}
	w.slotNo += int64(k) - w.slotNo&(nearSize-1)
	w.load(k)
}

// enter begins a turn: its events and those of the next turn move to the near wheel, and when the next begins a
// super-turn the rest is searched.
func (w *Wheel) enter(turn int64) {
	super := (w.turn() + 1) >> farBits
	w.slotNo = turn << nearBits
	w.farToNear(turn, super)
	if now := (turn + 1) >> farBits; now != super {
		w.scatter(&w.rest)
		return // nothing of a super-turn is in the far wheel before it begins
	}
	w.farToNear(turn+1, super)
}

// farToNear brings the events of a turn to the near wheel, if it belongs to the super-turn that the far wheel holds.
func (w *Wheel) farToNear(turn, super int64) {
	k := turn & (farSize - 1)
	if turn>>farBits == super && w.farSet[k>>6]>>(k&63)&1 != 0 {
		w.farSet[k>>6] &^= 1 << (k & 63)
		w.scatter(&w.far[k])
	}
}

// scatter links every event of a list again, in order. The slot that slotNo names
// may be among the targets, so the near wheel is searched from there.
func (w *Wheel) scatter(s *slot) {
	i := s.head
	*s = slot{-1, -1}
	for i >= 0 {
		// Its own list may take the events back: the chunk is freed first, and read from a copy.
		c := *w.arena.At(i)
		w.arena.At(i).next = w.free
		w.free = i
		for _, e := range c.ev[:c.n] {
			w.link(e)
		}
		i = c.next
	}
}

// load moves near slot k into the current list, sorted by time, ties in insertion order, and frees its chunks.
func (w *Wheel) load(k int) {
	s := &w.near[k]
	for i := s.head; i >= 0; i = w.arena.At(i).next {
		c := w.arena.At(i)
		w.cur = append(w.cur, c.ev[:c.n]...)
	}
	w.arena.At(s.tail).next = w.free
	w.free = s.head
	*s = slot{-1, -1}
	w.nearSet[k>>6] &^= 1 << (k & 63)
	if w.nearSet[k>>6] == 0 {
		w.nearSum[k>>12] &^= 1 << (k >> 6 & 63)
	}
	if len(w.cur) > 48 {
		slices.SortStableFunc(w.cur, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
		return
	}
	for i := 1; i < len(w.cur); i++ {
		e, j := w.cur[i], i
		for ; j > 0 && w.cur[j-1].At > e.At; j-- {
			w.cur[j] = w.cur[j-1]
		}
		w.cur[j] = e
	}
}

// nextNear returns the first occupied near slot from from to before end, which is a multiple of a turn, or -1.
func (w *Wheel) nextNear(from, end int) int {
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
func (w *Wheel) nextFar(from int) int {
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
