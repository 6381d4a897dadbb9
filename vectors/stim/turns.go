package stim

import "math"

// Turns numbers the episodes of a random source, which has no end, and counts the events that still fit into the run.
type Turns struct {
	next int
	last int // if there is only one episode, its number
	left int // events
}

// NewTurns returns the turns of a run of that many events, 0 for no end. It covers all episodes, or only episode number
// only if that is not negative.
func NewTurns(events, only int) Turns {
	t := Turns{last: math.MaxInt, left: events}
	if only >= 0 {
		t.next, t.last = only, only
	}
	if events == 0 {
		t.left = math.MaxInt
	}
	return t
}

// Next returns the number of the next episode, or false at the end of the run.
func (t *Turns) Next() (number int, ok bool) {
	if t.next > t.last || t.left <= 0 {
		return 0, false
	}
	t.next++
	return t.next - 1, true
}

// Room returns the number of events that still fit into the run.
func (t *Turns) Room() int { return t.left }

// Take takes events from the room.
func (t *Turns) Take(events int) {
	if t.left != math.MaxInt {
		t.left -= events
	}
}
