package trace

// Window is the part of an episode that a wave shows.
type Window struct {
	Dump         string // file for the signals of the design
	From, Cycles uint64
}

// Cycles of a wave before and after a failing one, and in the wave of an episode that the user asked for.
const (
	before, after = 200, 40
	whole         = 2000
)

// Around is the window around a cycle.
func Around(at uint64) Window {
	from := at - min(at, before)
	return Window{From: from, Cycles: at + after - from}
}

// Beginning is the window at the start of an episode.
func Beginning() Window { return Window{Cycles: whole} }

// in reports whether the window has a cycle.
func (w *Window) in(n uint64) bool { return n >= w.From && n < w.From+w.Cycles }
