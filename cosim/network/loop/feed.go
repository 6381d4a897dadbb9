package loop

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// origin is where an event of the device comes from.
type origin struct {
	NIC, CCC int32
	Time     units.Picos
}

// item is an event on its way to the device, and the answer that the network was given.
type item struct {
	words  [ccc.InWords]uint64
	want   [ccc.OutWords]uint64
	number uint64 // in the order of the network, from 1
	from   origin
	kind   ccc.Kind
	row    uint16
	next   int32 // item of the same row after this one, in its batch; -1: none
}

// batchLen is the number of events in a batch. In a longer batch, more rows take turns. batches is the number of
// batches in use: one is being filled, one waits, one is being played, and one holds events that await their answers.
const batchLen, batches = 1 << 12, 4

// batch holds some of the events, and the order in which they are played.
type batch struct {
	items []item
	order []int32

	head, tail [ccc.DefaultNumContexts]int32 // items of each row, while the order is made
	rows       []uint16                      // with items left
	left       int                           // items without a place in the order
}

// arrange makes the order. Events of one row keep theirs: their answers depend on each other. The rows take turns, so
// that the pipeline does not wait for one of them. A write of a register, which all rows can see, stays where it is.
// When too few rows are left to fill the pipeline, at most keep events are left for the next batch.
func (b *batch) arrange(keep int) {
	b.order = b.order[:0]
	for i := range b.items {
		it := &b.items[i]
		if it.kind == ccc.KindCfgWrite {
			b.turns(0)
			b.order = append(b.order, int32(i))
			continue
		}
		it.next = -1
		if b.left++; b.head[it.row] < 0 {
			b.head[it.row] = int32(i)
			b.rows = append(b.rows, it.row)
		} else {
			b.items[b.tail[it.row]].next = int32(i)
		}
		b.tail[it.row] = int32(i)
	}
	b.turns(keep)
}

// turns appends items of all rows to the order, one of each row in each turn.
func (b *batch) turns(keep int) {
	for b.left > keep || b.left > 0 && len(b.rows) >= ccc.Stall {
		b.left -= len(b.rows)
		more := b.rows[:0]
		for _, row := range b.rows {
			i := b.head[row]
			b.order = append(b.order, i)
			if b.head[row] = b.items[i].next; b.head[row] >= 0 {
				more = append(more, row)
			}
		}
		b.rows = more
	}
}

// move puts what arrange has left into an empty batch.
func (b *batch) move(to *batch) {
	for _, row := range b.rows {
		for i := b.head[row]; i >= 0; i = b.items[i].next {
			to.items = append(to.items, b.items[i])
		}
		b.head[row] = -1
	}
	b.rows, b.left = b.rows[:0], 0
}

// errEnded is the error of an event that comes after the device has ended; the device's own error holds the cause.
var errEnded = errors.New("the device has ended")

// feed hands events from the network to the player, in batches. It allocates nothing for an event.
type feed struct {
	free, full chan *batch
	ended      chan struct{} // closed by the player when it takes no more
	cur        *batch        // that the network fills
	given      uint64        // events so far

	now *batch // that the player takes from
	pos int    // items of now taken
	old []*batch
}

func newFeed() *feed {
	f := &feed{free: make(chan *batch, batches), full: make(chan *batch, batches), ended: make(chan struct{})}
	for range batches {
		b := &batch{items: make([]item, 0, batchLen), order: make([]int32, 0, batchLen)}
		for i := range b.head {
			b.head[i] = -1
		}
		f.free <- b
	}
	return f
}

// put takes an event and the answer that the network is given. It returns errEnded when the device has ended.
func (f *feed) put(ev *ccc.Event, rsp *ccc.Response, from *origin) error {
	if f.cur == nil {
		if f.cur = f.empty(); f.cur == nil {
			return errEnded
		}
	}
	b := f.cur
	b.items = b.items[:len(b.items)+1]
	it := &b.items[len(b.items)-1]
	ccc.PackEvent(ev, it.words[:])
	ccc.PackResponse(rsp, it.want[:])
	f.given++
	it.number, it.from, it.kind, it.row = f.given, *from, ev.Kind, ev.Ctx
	if len(b.items) == batchLen {
		f.hand(batchLen / 2)
	}
	return nil
}

// empty returns an empty batch, or nil when the device has ended.
func (f *feed) empty() *batch {
	select {
	case <-f.ended:
		return nil
	case b := <-f.free:
		b.items = b.items[:0]
		return b
	}
}

// hand gives the batch being filled to the player, and leaves at most keep events of it for the next one. full has room
// for every batch.
func (f *feed) hand(keep int) {
	b := f.cur
	b.arrange(keep)
	f.cur = nil
	if b.left > 0 {
		if f.cur = f.empty(); f.cur == nil {
			return // put returns the error
		}
		b.move(f.cur)
	}
	f.full <- b
}

func (f *feed) close() {
	if f.cur != nil {
		f.hand(0)
	}
	close(f.full)
}

// next fills in the next event to play, for an episode, and waits for the network when it has none. It returns false
// after the last one and when ctx ends. The player calls it.
func (f *feed) next(ctx context.Context, it *stim.Item) bool {
	for f.now == nil || f.pos == len(f.now.order) {
		select {
		case b, ok := <-f.full:
			if !ok {
				return false
			}
			f.old = append(f.old, b)
			f.now, f.pos = b, 0
		case <-ctx.Done():
			return false
		}
	}
	it.Words = f.now.items[f.now.order[f.pos]].words[:]
	f.pos++
	return true
}
