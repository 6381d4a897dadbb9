package stim

// Episode is one short run of a block: a reset, a list of items for its input
// streams and the manner in which the ports are driven. Episodes are independent
// of each other: nothing that happens in one is needed to reproduce the next.
type Episode struct {
	Name  string // source and case, for example "random/17" or "directed/qa/fires-by-delay"
	Block string
	Seed  uint64 // of the cycle driver and of the block's initial register values
	Drive DriveSpec

	// Len is the number of items, or 0 when it is not known beforehand.
	Len int

	// Judge knows the answers that the text of a directed case demands; nil for any other episode. It is valid until
	// the next episode is asked for.
	Judge Judge

	// Tap, when it is set, is shown every item taken from the episode; the item is
	// valid during the call only.
	Tap func(*Item)

	Events func(dst []uint64) bool                  // of a block with one input stream, or nil
	Items  func(*Item) bool                         // of any block, or nil
	Lanes  func(lane int, late bool, it *Item) bool // next item of one stream, where Drive.ByLane is set
	Times  func() (now, tx int64, ok bool)
	one    Item // of Next
}

// Judge compares the answers of a block, cycle by cycle, with those that were worked out by hand.
type Judge interface {
	// Holds reports whether the answers hold for a block with these parameters; no verdict counts where they do not.
	Holds(params map[string]int) bool

	Cycle(in, out []uint64)

	// Wrong returns how many values were not as demanded so far.
	Wrong() int

	// Verdict returns how many values were compared, and what was not as demanded. Having compared nothing is wrong
	// too.
	Verdict() (compared int, wrong []string)
}

// NextItem fills in the next item, whose Words the caller has made as long as the
// block's input record, and returns true, or returns false at the end. Afterwards Words may belong to the source: they
// are read-only and stay unchanged for the next Lookahead items. It does not allocate.
func (e *Episode) NextItem(it *Item) bool {
	*it = Item{Words: it.Words}
	ok := false
	if e.Items != nil {
		ok = e.Items(it)
	} else {
		ok = e.Events(it.Words)
	}
	if ok && e.Tap != nil {
		e.Tap(it)
	}
	return ok
}

// NextOf fills in the next item of one stream, as NextItem does of all; late asks for one beyond the episode's
// own.
func (e *Episode) NextOf(lane int, late bool, it *Item) bool {
	*it = Item{Lane: lane, Late: late, Words: it.Words}
	ok := e.Lanes(lane, late, it)
	if it.Late = late; late {
		it.Gap = max(it.Gap, lateGap)
	}
	if ok && e.Tap != nil {
		e.Tap(it)
	}
	return ok
}

// Next packs the event of the next item into dst, for readers that do not care
// for the rest.
func (e *Episode) Next(dst []uint64) bool {
	e.one.Words = dst
	if !e.NextItem(&e.one) {
		return false
	}
	copy(dst, e.one.Words) // onto itself where the source has filled dst in
	return true
}

// Picos returns the time stamp and the transmission time of the event last
// packed in picoseconds, as the simulator had them before they became ticks.
// ok is false for sources that work in ticks only and for events, such as configuration, that do not exist in the
// simulation.
func (e *Episode) Picos() (now, tx int64, ok bool) {
	if e.Times == nil {
		return 0, 0, false
	}
	return e.Times()
}

// Source yields episodes until it returns false. An episode must be drained or given up before the next one is
// requested.
type Source interface {
	Next() (*Episode, bool)

	// Err returns what ended the source early, or nil.
	Err() error

	// Close releases what the source holds; it may be called at any time.
	Close()
}

// DriveSpec describes how a driver plays the events of an episode.
type DriveSpec struct {
	Idle   Gate    // closed: valid of the first input stream stays low although there is an item
	Stall  Gate    // closed: ready of the first output stream is low
	Resets []Reset // in order; the first brings the block up

	// Gaps are the Item.Gap of item i, for sources that give it here; items beyond
	// its end keep their own.
	Gaps []uint16

	// IdleMore and StallMore are the gates of the second stream and those after it;
	// streams beyond their ends are always open.
	IdleMore, StallMore []Gate

	// ByLane lets each stream take its items by itself, without an order among streams: none is held back because
	// another is refused. The episode then ends when Len items were accepted. While an offered item is still refused,
	// streams that have none left offer further ones, as their sources in hardware would.
	ByLane bool

	// Yield is after how many cycles without an item accepted the items stop to wait for those of other streams,
	// until one is accepted; 0 for never.
	Yield int

	// Ahead is how many items are looked at, at most Lookahead; 0 stands for Lookahead. The fewer, the closer the
	// streams keep to the order of the list.
	Ahead int

	// Relief are items offered in addition to the list, over and over, when nothing of the list has been accepted for
	// long: grants, for example, where a full buffer stops the stream of the next item. They do not count as items of
	// the episode.
	Relief []Item
}

// Calm returns the drive with all ports open.
func (d DriveSpec) Calm() DriveSpec {
	d.Idle, d.Stall, d.IdleMore, d.StallMore = Gate{}, Gate{}, nil, nil
	return d
}

// Gate is a two-state Markov chain that opens and closes a port, one step a
// cycle. The zero Gate is always open.
type Gate struct {
	Close uint16 // probability of open -> closed, in 1/65536
	Open  uint16 // probability of closed -> open, in 1/65536
}

// Step advances a gate by a cycle with 16 random bits; the result is true when it is closed.
func (g Gate) Step(closed bool, draw uint16) bool {
	if closed {
		return draw >= g.Open
	}
	return draw < g.Close
}

// Reset is a time at which rst_n goes low.
type Reset struct {
	After int // items of the episode accepted so far
	Delay int // cycles since then, or since the end of the Reset before it where that has the same After; no valid is high
	Low   int // cycles of rst_n low, at least 1
}

// minOpen is the least Open of Density and Bursts: a Gate with Open = 0 would stay shut once closed and hang its
// driver.
const minOpen = 64

// Density returns a gate that is closed in p of 256 cycles, drawn cycle by
// cycle; p is clamped so that the gate always opens again.
func Density(p int) Gate {
	p = min(max(p, 0), 252)
	if p == 0 {
		return Gate{}
	}
	return Gate{Close: uint16(p * 256), Open: uint16(65536 - p*256)}
}

// Bursts returns a gate that is open for about on cycles and then closed for
// about off cycles.
func Bursts(on, off int) Gate {
	return Gate{Close: uint16(65535 / max(on, 1)), Open: uint16(max(65535/max(off, 1), minOpen))}
}
