package stim

import "math"

// Turns numbers the episodes of a random source, which are without end, and counts the events that its run still has
// room for.
type Turns struct {
	next int
	last int // the only episode is the last
	left int // events
}

// NewTurns returns the turns of a run of that many events, 0 for no end, over all episodes or, if only is not negative,
// over that one.
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

// Next returns the number of the next episode, or false when the run ends here.
func (t *Turns) Next() (number int, ok bool) {
	if t.next > t.last || t.left <= 0 {
		return 0, false
	}
	t.next++
	return t.next - 1, true
}

// Room returns the number of events that the run has room for.
func (t *Turns) Room() int { return t.left }

// Take takes events from the room.
func (t *Turns) Take(events int) {
	if t.left != math.MaxInt {
		t.left -= events
	}
}
