package gen

import (
	"context"
	"fmt"
	"sync"
)

// feed is a source of one episode whose items a simulation makes while it runs.
type feed struct {
	ep     Episode
	given  bool
	ctx    context.Context
	cancel context.CancelFunc
	full   chan []Item
	empty  chan []Item
	done   sync.WaitGroup
	ended  bool
	err    error

	words  int
	in     []Item // batch being filled
	used   int
	out    []Item // batch being read
	read   []Item // the one before, of which items may still be in use
	pos    int
	events int
	want   int
	inside [8]bool
}

// feedBatch is the number of items that pass between the simulation and its reader at once, at least Lookahead.
const feedBatch = 1024

// newFeed returns a feed whose simulation run starts. It calls event for what happens at the ports of the
// simulated network and ends when enough events are made or event returns false.
func newFeed(block, name string, words int, o *Options, run func(f *feed) error) (*feed, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 is no end; give a number of events", name)
	}
	f := &feed{words: words, want: o.Events, full: make(chan []Item, 3), empty: make(chan []Item, 5)}
	for range 5 {
		b := make([]Item, feedBatch)
		store := make([]uint64, feedBatch*words)
		for i := range b {
			b[i].Words = store[i*words : (i+1)*words]
		}
		f.empty <- b
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	f.in = <-f.empty
	r := seeded(o.Seed, block, "fabric:"+name, 0)
	f.ep = Episode{Name: "fabric:" + name, Block: block, Seed: o.Seed, items: f.next, Drive: DriveSpec{
		Idle:      Gate{Close: uint16(200 + r.n(400)), Open: 20000},
		Stall:     pick(&r, Density(20), Density(60), Bursts(200, 20), Bursts(2000, 120)),
		StallMore: []Gate{Density(30), Density(30), Density(30)},
		Resets:    []Reset{{Low: 2}},
	}}
	f.done.Add(1)
	go func() {
		defer f.done.Done()
		defer close(f.full)
		if err := run(f); err != nil && f.ctx.Err() == nil {
			f.err = fmt.Errorf("fabric run: %w", err)
			return
		}
		f.flush()
	}()
	return f, nil
}

// put returns the words of the next item, all 0, or nil when the feed is to end; more says that the stream's
// next item belongs to it.
func (f *feed) put(lane int, wait uint8, more bool) []uint64 {
	if !f.inside[lane] {
		if f.events == f.want {
			return nil
		}
		f.events++
	}
	f.inside[lane] = more
	if f.used == len(f.in) && !f.flush() {
		return nil
	}
	it := &f.in[f.used]
	f.used++
	clear(it.Words)
	*it = Item{Lane: lane, Wait: wait, More: more, Words: it.Words}
	return it.Words
}

// gap makes the last item wait so many cycles more.
func (f *feed) gap(cycles uint16) { f.in[f.used-1].Gap = cycles }

// enough reports whether enough events were made.
func (f *feed) enough() bool { return f.events >= f.want || f.ctx.Err() != nil }

// flush hands the batch being filled to the reader; it returns false when the source is closed.
func (f *feed) flush() bool {
	select {
	case f.full <- f.in[:f.used]:
	case <-f.ctx.Done():
		return false
	}
	select {
	case f.in = <-f.empty:
		f.used = 0
	case <-f.ctx.Done():
		return false
	}
	return true
}

func (f *feed) Next() (*Episode, bool) {
	if f.given {
		return nil, false
	}
	f.given = true
	return &f.ep, true
}

func (f *feed) next(it *Item) bool {
	for f.pos == len(f.out) {
		if f.read != nil {
			f.empty <- f.read[:cap(f.read)]
		}
		f.read, f.out, f.pos = f.out, nil, 0
		b, ok := <-f.full
		if !ok {
			f.ended = true
			return false
		}
		f.out = b
	}
	*it = f.out[f.pos]
	f.pos++
	return true
}

// Err returns why the simulation failed, once the episode has ended.
func (f *feed) Err() error {
	if !f.ended {
		return nil
	}
	f.done.Wait()
	return f.err
}

// Close ends the simulation and waits for it.
func (f *feed) Close() {
	f.cancel()
	f.done.Wait()
}
