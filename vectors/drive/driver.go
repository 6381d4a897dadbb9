package drive

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// inRstN is the reset's control bit in word 0 of every block's input record.
const inRstN = 1 << 0

// Driver turns an episode into input records, one a cycle. It is fed the output records that a cycle-true model gives,
// since what to drive next depends on ready: valid and payload hold until they are taken.
//
//	d.Begin(ep)
//	for d.Drive(in) {
//		model.Cycle(in, out)
//		d.Observe(out)
//	}
type Driver struct {
	words   int
	control uint64 // control bits of an input record
	answers bool   // every event has one response, so counting them finds the end
	ins     []lane
	outs    []outlet
	items   []stim.Item // ring of those taken from the episode, by number
	store   []uint64    // for their words, where the episode has none of its own
	ahead   int         // most items taken and not all accepted

	// A bit for each input stream, and for each output stream: the ready and the valid in word 0 of an output record,
	// which are the valid and the ready in that of an input record shifted right by one.
	inSet, outSet uint64

	ep       *stim.Episode
	r        stim.Rand
	empty    uint64 // input streams, a bit each, without an item to offer
	head     int    // oldest item not accepted
	tail     int    // items taken from the episode
	done     []bool
	drawn    int  // of them those that count as items of the episode
	dry      bool // the episode has no more
	accepted int  // items of the episode
	open     int  // accepted and not answered since the last reset
	quiet    int  // cycles without an input or output
	swept    bool // an input has been ready since the reset
	stuck    int  // cycles in which no item was accepted
	relieved int  // items of DriveSpec.Relief accepted
	resets   []stim.Reset
	wait     int // cycles to the next reset once its After is met; -1: not met
	low      int // cycles of reset left
	drove    uint64
	cycles   uint64
}

// NewDriver returns a driver for the records of a block.
func NewDriver(l *event.Layout) *Driver {
	d := &Driver{words: l.In.Words, control: l.In.ControlMask()}
	d.ins, d.outs = lanesOf(l)
	d.answers = len(d.ins) == 1 && len(d.outs) == 1
	for i := range d.ins {
		d.inSet |= d.ins[i].Ready
	}
	for i := range d.outs {
		d.outSet |= d.outs[i].Valid
	}
	d.items = make([]stim.Item, stim.Lookahead)
	d.done = make([]bool, stim.Lookahead)
	d.store = make([]uint64, stim.Lookahead*d.words)
	return d
}

// Begin starts an episode.
func (d *Driver) Begin(ep *stim.Episode) {
	d.ep = ep
	d.drawn = 0
	d.head, d.tail, d.dry, d.accepted, d.open, d.quiet, d.stuck, d.relieved = 0, 0, false, 0, 0, 0, 0, 0
	d.low, d.drove, d.cycles, d.swept = 0, 0, 0, false
	for i := range d.ins {
		l := &d.ins[i]
		l.at, l.item, l.shown, l.met, l.gap, l.closed, l.relief = -1, nil, false, false, 0, false, nil
	}
	d.empty = 1<<len(d.ins) - 1
	for i := range d.outs {
		d.outs[i].closed = false
	}
	for i := range d.items {
		d.items[i].Words = d.store[i*d.words : (i+1)*d.words]
	}
	d.ahead = stim.Lookahead
	if ep.Drive.Ahead > 0 {
		d.ahead = min(ep.Drive.Ahead, stim.Lookahead)
	}
	d.resets, d.wait = ep.Drive.Resets, -1
	d.r = stim.Seeded(ep.Seed, ep.Block, ep.Name, 0)
	d.arm()
}

// arm checks whether the next reset is due and starts its delay.
func (d *Driver) arm() {
	if d.wait < 0 && len(d.resets) > 0 && d.accepted >= d.resets[0].After {
		d.wait = d.resets[0].Delay
	}
}

func (d *Driver) item(n int) *stim.Item { return &d.items[n&(stim.Lookahead-1)] }

// pullLanes takes the next item of each stream that has none, and beyond those of the episode while one that was
// offered is refused.
func (d *Driver) pullLanes() {
	for i := range d.ins {
		late := d.drawn >= d.ep.Len
		if d.empty>>i&1 == 0 || late && (d.head == d.tail || d.stuck < lateCycles) {
			continue
		}
		if it := &d.items[i]; d.ep.NextOf(i, late, it) {
			d.offer(i, d.tail, it)
			d.tail++
			if !late {
				d.drawn++
			}
		}
	}
	if d.dry = d.drawn >= d.ep.Len; d.dry && d.head == d.tail {
		d.cut()
	}
}

// pull takes items from the episode until every lane has one to offer, as far as looking ahead goes.
func (d *Driver) pull() {
	for d.hungry() {
		it := d.item(d.tail)
		if !d.ep.NextItem(it) {
			d.dry = true
			break
		}
		if d.tail < len(d.ep.Drive.Gaps) {
			it.Gap = d.ep.Drive.Gaps[d.tail]
		}
		d.done[d.tail&(stim.Lookahead-1)] = false
		if d.empty>>it.Lane&1 != 0 {
			d.offer(it.Lane, d.tail, it)
		}
		d.tail++
	}
	if d.dry && d.head == d.tail {
		d.cut()
	}
}

// hungry reports whether a lane has nothing to offer and there is room for more items.
func (d *Driver) hungry() bool { return d.empty != 0 && d.tail-d.head < d.ahead }

// offer makes item n the one that lane i offers next.
func (d *Driver) offer(i, n int, it *stim.Item) {
	l := &d.ins[i]
	d.empty &^= 1 << i
	l.at, l.item, l.shown, l.met, l.gap = n, it, false, false, int(it.Gap)
}

// cut drops resets beyond the last item, which would never be due.
func (d *Driver) cut() {
	for i := range d.resets {
		if d.resets[i].After > d.accepted {
			d.resets = d.resets[:i]
			return
		}
	}
}

// over reports whether everything is accepted and answered and every reset done.
func (d *Driver) over() bool {
	if !d.dry || d.head != d.tail || d.low != 0 || d.wait >= 0 {
		return false
	}
	if d.answers {
		return d.open == 0
	}
	return d.quiet >= quietCycles
}

// Drive fills in with the next cycle's input record and returns true, or returns false when every item has been
// accepted, every output taken, and every reset done.
func (d *Driver) Drive(in []uint64) bool {
	switch {
	case d.ep.Drive.ByLane && d.empty != 0:
		d.pullLanes()
	case !d.ep.Drive.ByLane && !d.dry && d.hungry():
		d.pull()
	}
	if d.over() {
		return false
	}
	draw := d.step()
	word := uint64(inRstN)
	hold := false
	switch {
	case d.low > 0:
		word = 0
	case d.wait > 0:
		d.wait--
		hold = true
	case d.wait == 0:
		d.low = max(d.resets[0].Low, 1)
		d.resets = d.resets[1:]
		d.wait = -1
		word = 0
	}
	rst := word == 0
	if rst {
		d.low--
		d.open = 0
		if d.low == 0 {
			d.arm()
		}
	}
	for i := range d.outs {
		if o := &d.outs[i]; !o.closed {
			word |= o.Ready
		}
	}
	// Payload without valid has no meaning: leave noise on it.
	single := len(d.ins) == 1
	if !single {
		d.noise(in, draw)
	}
	for i := range d.ins {
		l := &d.ins[i]
		switch {
		case len(d.ep.Drive.Relief) > 0 && d.relieve(l, i, rst || hold):
			word |= l.Valid
			l.put(in, l.relief.Words)
		case l.at < 0 || !l.shown && !d.ready(l, rst, hold):
			if single {
				d.noise(in, draw)
			}
		default:
			l.shown = true
			word |= l.Valid
			if words := l.item.Words; single {
				copy(in, words)
			} else {
				l.put(in, words)
			}
		}
	}
	in[0] = in[0]&^d.control | word
	d.drove = word
	d.cycles++
	return true
}

// relieve reports whether a lane offers an item that is to unblock the others.
func (d *Driver) relieve(l *lane, i int, quiet bool) bool {
	if l.relief != nil {
		return true
	}
	relief := d.ep.Drive.Relief
	if len(relief) == 0 || d.stuck <= stim.StuckCycles || quiet || l.shown || d.head == d.tail {
		return false
	}
	if it := &relief[d.relieved%len(relief)]; it.Lane == i {
		l.relief = it
	}
	return l.relief != nil
}

// ready reports whether a lane may begin to offer its item; it counts its gap down.
func (d *Driver) ready(l *lane, rst, hold bool) bool {
	if !l.met {
		it, n := l.item, l.at
		if it.Pair {
			n--
		}
		yields := d.ep.Drive.Yield > 0 && d.stuck >= d.ep.Drive.Yield
		for k := 0; it.Wait != 0 && !yields && k < len(d.ins); k++ {
			if o := d.ins[k].at; it.Wait>>k&1 != 0 && o >= 0 && o < n {
				return false
			}
		}
		l.met = true
	}
	if l.gap > 0 {
		if !rst && !hold {
			l.gap--
		}
		// Counted also in a reset's delay, which holds the lane anyway.
		if !rst {
			return false
		}
	}
	return !l.closed && !hold
}

// step advances the gates and returns random bits for noise.
func (d *Driver) step() uint64 {
	draw := d.r.U64()
	dr := &d.ep.Drive
	d.ins[0].closed = dr.Idle.Step(d.ins[0].closed, uint16(draw))
	d.outs[0].closed = dr.Stall.Step(d.outs[0].closed, uint16(draw>>16))
	more, left := draw>>32, 2
	for i := 1; i < len(d.ins) && i <= len(dr.IdleMore); i++ {
		if left == 0 {
			more, left = d.r.U64(), 4
		}
		d.ins[i].closed = dr.IdleMore[i-1].Step(d.ins[i].closed, uint16(more))
		more, left = more>>16, left-1
	}
	for i := 1; i < len(d.outs) && i <= len(dr.StallMore); i++ {
		if left == 0 {
			more, left = d.r.U64(), 4
		}
		d.outs[i].closed = dr.StallMore[i-1].Step(d.outs[i].closed, uint16(more))
		more, left = more>>16, left-1
	}
	return draw
}

func (d *Driver) noise(in []uint64, draw uint64) {
	draw *= 0x2545f4914f6cdd1d
	for i := range in {
		in[i] = draw + uint64(i)
	}
}

// Rewind makes in the input record that the next Observe belongs to: a player that lets a device run ahead calls Drive
// several times before it.
func (d *Driver) Rewind(in []uint64) { d.drove = in[0] & d.control }

// Observe takes the output record of the cycle that Drive began. In a cycle that it did not begin nothing moved.
func (d *Driver) Observe(out []uint64) {
	drove := d.drove
	d.drove = 0
	if drove&inRstN == 0 {
		d.quiet, d.swept = 0, false
		return
	}
	d.stuck++
	d.swept = d.swept || out[0]&d.inSet != 0
	moved := drove >> 1 & out[0]
	for set := moved & d.inSet; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if l := &d.ins[i]; l.relief != nil {
			l.relief = nil
			d.relieved++
			continue
		}
		if !d.ins[i].item.Late { // otherwise the next would wait for as long as the first
			d.stuck = 0
		}
		d.accept(i)
	}
	d.open -= bits.OnesCount64(moved & d.outSet)
	d.quiet++
	if moved&d.inSet|out[0]&d.outSet != 0 {
		d.quiet = 0
	}
}

// accept notes that a lane's item was taken and finds its next one.
func (d *Driver) accept(i int) {
	l := &d.ins[i]
	n := l.at
	if d.ep.Drive.ByLane {
		l.at, l.shown = -1, false
		d.empty |= 1 << i
		d.head++
		d.accepted++
		d.open++
		d.arm()
		return
	}
	d.done[n&(stim.Lookahead-1)] = true
	for d.head < d.tail && d.done[d.head&(stim.Lookahead-1)] {
		d.head++
	}
	l.at, l.shown = -1, false
	d.empty |= 1 << i
	for n++; n < d.tail; n++ {
		if d.item(n).Lane == i {
			d.offer(i, n, d.item(n))
			break
		}
	}
	d.accepted++
	d.open++
	d.arm()
}

// Drained reports whether every item has been accepted and every reset done, answered or not.
func (d *Driver) Drained() bool { return d.dry && d.head == d.tail && d.low == 0 && d.wait < 0 }

// What a model may refuse or be silent for before it stalls: cycles without any transfer, the same while no input has
// been ready since the reset, and cycles without an item accepted. The longest sweep after a reset is half of
// stallSweep.
const stallQuiet, stallSweep, stallStuck = 1 << 20, 1 << 22, 1 << 23

// Stalled reports whether the episode has made no progress for so long that it never will.
func (d *Driver) Stalled() bool {
	return d.quiet >= stallQuiet && (d.swept || d.quiet >= stallSweep) || d.stuck >= stallStuck
}

// Accepted returns the number of items of the episode accepted so far.
func (d *Driver) Accepted() int { return d.accepted }

// Cycles returns the number of cycles driven since Begin.
func (d *Driver) Cycles() uint64 { return d.cycles }

// String returns how far the episode is.
func (d *Driver) String() string {
	open := ""
	if d.answers { // elsewhere the streams do not answer item by item
		open = fmt.Sprintf(" %d not answered,", d.open)
	}
	return fmt.Sprintf("%d events taken,%s %d offered and refused; no event taken for %d cycles, nothing moved for %d",
		d.accepted, open, d.tail-d.head, d.stuck, d.quiet)
}
