package traffic

import (
	"context"
	"fmt"
	"sync"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Feed is a source of one episode whose items a simulation makes while it runs.
type Feed struct {
	Episode stim.Episode
	given   bool
	Context context.Context
	cancel  context.CancelFunc
	full    chan []stim.Item
	empty   chan []stim.Item
	done    sync.WaitGroup
	ended   bool
	err     error

	words  int
	in     []stim.Item // batch being filled
	used   int
	out    []stim.Item // batch being read
	read   []stim.Item // the previous batch, of which items may still be in use
	pos    int
	events int
	want   int
	inside [8]bool
}

// feedBatch is the number of items that pass between the simulation and its reader at once, at least Lookahead.
const feedBatch = 1024

// NewFeed returns a feed whose simulation run starts. It calls event for what happens at the ports of the
// simulated network and ends when enough events are made or event returns false.
func NewFeed(block, name string, words int, o *stim.Options, run func(f *Feed) error) (*Feed, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 is no end; give a number of events", name)
	}
	f := &Feed{words: words, want: o.Events, full: make(chan []stim.Item, 3), empty: make(chan []stim.Item, 5)}
	for range 5 {
		b := make([]stim.Item, feedBatch)
		store := make([]uint64, feedBatch*words)
		for i := range b {
			b[i].Words = store[i*words : (i+1)*words]
		}
		f.empty <- b
	}
	f.Context, f.cancel = context.WithCancel(context.Background())
	f.in = <-f.empty
	r := stim.Seeded(o.Seed, block, "fabric:"+name, 0)
	f.Episode = stim.Episode{Name: "fabric:" + name, Block: block, Seed: o.Seed, Items: f.next, Drive: stim.DriveSpec{
		Idle:      stim.Gate{Close: uint16(200 + r.N(400)), Open: 20000},
		Stall:     stim.Pick(&r, stim.Density(20), stim.Density(60), stim.Bursts(200, 20), stim.Bursts(2000, 120)),
		StallMore: []stim.Gate{stim.Density(30), stim.Density(30), stim.Density(30)},
		Resets:    []stim.Reset{{Low: 2}},
	}}
	f.done.Add(1)
	go func() {
		defer f.done.Done()
		defer close(f.full)
		if err := run(f); err != nil && f.Context.Err() == nil {
			f.err = fmt.Errorf("fabric run: %w", err)
			return
		}
		f.flush()
	}()
	return f, nil
}

// Put returns the words of the next item, all 0, or nil when the feed is to end; more says that the stream's
// next item belongs to it.
func (f *Feed) Put(lane int, wait uint8, more bool) []uint64 {
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
	*it = stim.Item{Lane: lane, Wait: wait, More: more, Words: it.Words}
	return it.Words
}

// Gap makes the last item wait that many cycles longer.
func (f *Feed) Gap(cycles uint16) { f.in[f.used-1].Gap = cycles }

// Enough reports whether enough events were made.
func (f *Feed) Enough() bool { return f.events >= f.want || f.Context.Err() != nil }

// flush hands the batch being filled to the reader; it returns false when the source is closed.
func (f *Feed) flush() bool {
	select {
	case f.full <- f.in[:f.used]:
	case <-f.Context.Done():
		return false
	}
	select {
	case f.in = <-f.empty:
		f.used = 0
	case <-f.Context.Done():
		return false
	}
	return true
}

func (f *Feed) Next() (*stim.Episode, bool) {
	if f.given {
		return nil, false
	}
	f.given = true
	return &f.Episode, true
}

func (f *Feed) next(it *stim.Item) bool {
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
func (f *Feed) Err() error {
	if !f.ended {
		return nil
	}
	f.done.Wait()
	return f.err
}

// Close ends the simulation and waits for it.
func (f *Feed) Close() {
	f.cancel()
	f.done.Wait()
}
