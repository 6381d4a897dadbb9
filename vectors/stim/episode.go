package stim

// Episode is one short run of a block: a reset, a list of items for its input streams, and how the ports are driven.
// Episodes are independent: reproducing one needs nothing from those before it.
type Episode struct {
	Name  string // source and case, for example "random/17" or "directed/qa/fires-by-delay"
	Block string
	Seed  uint64 // of the cycle driver and of the block's initial register values
	Drive DriveSpec

	// Len is the number of items, or 0 if it is not known in advance.
	Len int

	// Judge knows the answers that the text of a directed case demands; it is nil for any other episode. It is valid until
	// the next episode is requested.
	Judge Judge

	// Tap, if set, is called with every item taken from the episode. The item is valid only during the call.
	Tap func(*Item)

	Items func(*Item) bool                         // next item; nil if there are only Lanes
	Lanes func(lane int, late bool, it *Item) bool // next item of one stream, if Drive.ByLane is set
	Times func() (now, tx int64, ok bool)
	one   Item // for Next
}

// Judge compares the answers of a block, cycle by cycle, with answers that were worked out by hand.
type Judge interface {
	// Holds reports whether the answers apply to a block with these parameters. If not, the verdict does not count.
	Holds(params map[string]int) bool

	Cycle(in, out []uint64)

	// Wrong returns the number of wrong values so far.
	Wrong() int

	// Verdict returns how many values were compared, and a message for each wrong one. Comparing nothing is wrong too.
	Verdict() (compared int, wrong []string)
}

// NextItem fills in the next item and returns true, or returns false at the end. The caller makes Words as long as the
// block's input record. Afterwards Words may belong to the source: they are read-only and stay unchanged for the next
// Lookahead items. It does not allocate.
func (e *Episode) NextItem(it *Item) bool {
	*it = Item{Words: it.Words}
	ok := e.Items(it)
	if ok && e.Tap != nil {
		e.Tap(it)
	}
	return ok
}

// NextOf fills in the next item of one stream, as NextItem does for all streams; late asks for an item beyond the
// episode's own.
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

// Next packs the event of the next item into dst, for readers that need nothing else of the item.
func (e *Episode) Next(dst []uint64) bool {
	e.one.Words = dst
	if !e.NextItem(&e.one) {
		return false
	}
	copy(dst, e.one.Words) // a no-op if the source has filled in dst
	return true
}

// Picos returns the time stamp and the transmission time, in picoseconds, of the last event packed, as the simulator
// had them before they became ticks. ok is false for sources that work in ticks only, and for events that do not exist
// in the simulation, such as configuration.
func (e *Episode) Picos() (now, tx int64, ok bool) {
	if e.Times == nil {
		return 0, 0, false
	}
	return e.Times()
}

// Source yields episodes until it returns false. The caller drains or abandons an episode before it requests the next.
type Source interface {
	Next() (*Episode, bool)

	// Err returns what ended the source early, or nil.
	Err() error

	// Close releases the source's resources; it may be called at any time.
	Close()
}

// DriveSpec describes how a driver plays the events of an episode.
type DriveSpec struct {
	Idle   Gate    // closed: valid of the first input stream stays low even if there is an item
	Stall  Gate    // closed: ready of the first output stream is low
	Resets []Reset // in order; the first one initializes the block

	// Gaps holds Item.Gap of item i, for sources that set it here. Items beyond its end keep their own Gap.
	Gaps []uint16

	// IdleMore and StallMore are the gates of the second and later streams. Streams beyond their ends are always open.
	IdleMore, StallMore []Gate

	// ByLane lets each stream take its items independently, without an order among streams: no stream waits because
	// another is refused. The episode ends when Len items were accepted. While an offered item is still refused, streams
	// that have run out offer further items, as their sources in hardware would.
	ByLane bool

	// Yield is the number of cycles without an accepted item after which items no longer wait for other streams, until one
	// is accepted; 0 for never.
	Yield int

	// Ahead is how many items the driver looks ahead, at most Lookahead; 0 means Lookahead. A small value keeps the
	// streams closer to the order of the list.
	Ahead int

	// Relief are items offered in addition to the list, over and over, when no item of the list has been accepted for a
	// long time: for example grants, when a full buffer stops the next item's stream. They do not count as items of the
	// episode.
	Relief []Item
}

// Calm returns the drive with all ports open.
func (d DriveSpec) Calm() DriveSpec {
	d.Idle, d.Stall, d.IdleMore, d.StallMore = Gate{}, Gate{}, nil, nil
	return d
}

// Gate is a two-state Markov chain that opens and closes a port, one step a cycle. The zero Gate is always open.
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
	Delay int // cycles after that, or after the end of the previous Reset if it has the same After; no valid is high
	Low   int // cycles of rst_n low, at least 1
}

// minOpen is the least Open of Density and Bursts: a Gate with Open = 0 would never open again once closed and would
// hang its driver.
const minOpen = 64

// Density returns a gate that is closed in p of 256 cycles, drawn for each cycle. p is clamped so that the gate always
// opens again.
func Density(p int) Gate {
	p = min(max(p, 0), 252)
	if p == 0 {
		return Gate{}
	}
	return Gate{Close: uint16(p * 256), Open: uint16(65536 - p*256)}
}

// Bursts returns a gate that is open for about on cycles, then closed for about off cycles.
func Bursts(on, off int) Gate {
	return Gate{Close: uint16(65535 / max(on, 1)), Open: uint16(max(65535/max(off, 1), minOpen))}
}

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

// Recorded returns an episode of the given items, for example an earlier episode without the items that do not matter.
// Equal name, seed and drive give equal idles and back-pressure. The items are not copied.
func Recorded(name, block string, seed uint64, drive DriveSpec, items []Item) *Episode {
	pos := 0
	ep := &Episode{
		Name: name, Block: block, Seed: seed, Drive: drive, Len: len(items),
		Items: func(it *Item) bool {
			if pos == len(items) {
				return false
			}
			*it = items[pos]
			pos++
			return true
		},
	}
	if drive.ByLane {
		ep.Len, ep.Lanes = byLane(items)
	}
	return ep
}

// byLane returns the number of items that are not late, and a function that gives each stream its items in order.
func byLane(items []Item) (own int, next func(lane int, late bool, it *Item) bool) {
	lanes := map[int][]*Item{}
	for i := range items {
		it := &items[i]
		lanes[it.Lane] = append(lanes[it.Lane], it)
		if !it.Late {
			own++
		}
	}
	return own, func(lane int, late bool, it *Item) bool {
		q := lanes[lane]
		if len(q) == 0 || q[0].Late != late {
			return false
		}
		*it, lanes[lane] = *q[0], q[1:]
		return true
	}
}

// Again returns an episode of the items already taken from ep, followed by the rest of ep.
func Again(ep *Episode, taken []Item) *Episode {
	first := Recorded(ep.Name, ep.Block, ep.Seed, ep.Drive, taken)
	again := &Episode{Name: ep.Name, Block: ep.Block, Seed: ep.Seed, Drive: ep.Drive, Len: ep.Len}
	again.Items = func(it *Item) bool { return first.NextItem(it) || ep.NextItem(it) }
	if ep.Drive.ByLane {
		again.Lanes = func(lane int, late bool, it *Item) bool {
			return first.NextOf(lane, late, it) || ep.NextOf(lane, late, it)
		}
	}
	return again
}

// Streamed returns an episode whose items come from next; it is Recorded without a list.
func Streamed(name, block string, seed uint64, drive DriveSpec, next func(*Item) bool) *Episode {
	return &Episode{Name: name, Block: block, Seed: seed, Drive: drive, Items: next}
}
