package fabric

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// SwitchBlock describes to a simulation the switch block that it feeds.
type SwitchBlock struct {
	Schema *event.Block
	Ports  int         // of the block
	Relief []stim.Item // see stim.DriveSpec

	// Begin puts the events that configure the block. It returns a function that puts the block's events for one port
	// event. Feed calls Begin at the start of each episode.
	Begin func(f *Feed) func(e *PortEvent)
}

// Feed is a source whose items come from simulations that run while it is read. Each place of the block in the
// simulated network is an episode. After the last place of a simulation comes the first place of the next one.
type Feed struct {
	Rand stim.Rand // for the contents of the episode

	block  SwitchBlock
	name   string // of the source, with prefix
	o      *stim.Options
	tour   tour
	whole  bool // one episode of all simulations, at the first place
	ctx    context.Context
	cancel context.CancelFunc
	full   chan feedBatch
	empty  chan []stim.Item
	done   sync.WaitGroup
	ended  bool
	err    error

	in     []stim.Item // being filled
	used   int
	begun  *stim.Episode // the episode that in begins, or nil
	out    feedBatch     // being read
	read   []stim.Item   // the previous batch, whose items may still be in use
	pos    int
	events int
	want   int
	inside [8]bool
	closed bool // while a batch was being filled
}

// feedBatch is one transfer from the simulation to its reader.
type feedBatch struct {
	items []stim.Item
	begin *stim.Episode // the episode that items begin, or nil
	last  bool          // the episode ends after items
}

// feedItems is the number of items in a batch; it must be at least Lookahead.
const feedItems = 1024

// NewFeed returns a feed of the block from one kind of simulation: every episode, or only the one numbered part. It
// delivers as many events as the options ask for, or ends with an error. A single episode may end earlier.
func NewFeed(b SwitchBlock, name string, spec settings.Spec, o *stim.Options, part string) (*Feed, error) {
	only := -1
	if part != "" {
		n, err := strconv.ParseUint(part, 10, 24)
		if err != nil {
			return nil, fmt.Errorf("source fabric:%s/%s: episode must be a number, as in fabric:%s/17", name, part, name)
		}
		only = int(n)
	}
	f, err := newFeed(b, name, spec, o)
	if err != nil {
		return nil, err
	}
	f.tour.only = only
	f.start()
	return f, nil
}

// NewLong returns a feed with one episode: what the first place sees in one simulation after another, each run to its
// end.
func NewLong(b SwitchBlock, name string, spec settings.Spec, o *stim.Options) (*Feed, error) {
	f, err := newFeed(b, name, spec, o)
	if err != nil {
		return nil, err
	}
	f.whole, f.tour.most, f.tour.only = true, -1, 0
	f.start()
	return f, nil
}

func newFeed(b SwitchBlock, name string, spec settings.Spec, o *stim.Options) (*Feed, error) {
	if o.Events == 0 {
		return nil, fmt.Errorf("source fabric:%s: events = 0 sets no end; give a number of events", name)
	}
	at, err := placesOf(spec, b.Ports)
	if err != nil {
		return nil, fmt.Errorf("source fabric:%s: %w", name, err)
	}
	words := event.NewLayout(b.Schema).In.Words
	f := &Feed{block: b, name: stim.Fabric + name, o: o, want: o.Events, full: make(chan feedBatch, 3),
		empty: make(chan []stim.Item, 5), tour: tour{spec: spec, at: at, only: -1, enough: o.Events, most: roundEvents}}
	for range 5 {
		items := make([]stim.Item, feedItems)
		store := make([]uint64, feedItems*words)
		for i := range items {
			items[i].Words = store[i*words : (i+1)*words]
		}
		f.empty <- items
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	f.in = <-f.empty
	return f, nil
}

// start starts the simulations.
func (f *Feed) start() {
	f.done.Go(func() {
		defer close(f.full)
		if err := f.run(); err != nil && f.ctx.Err() == nil {
			f.err = fmt.Errorf("source %s: %w", f.name, err)
		}
	})
}

// Put returns the words of the next item, all 0, or nil when the feed must end. more marks that the next item of the
// stream belongs to this one.
func (f *Feed) Put(lane int, wait uint8, more bool) []uint64 {
	if !f.inside[lane] {
		if f.events == f.want {
			return nil
		}
		f.events++
	}
	f.inside[lane] = more
	if f.used == len(f.in) && !f.flush(false) {
		return nil
	}
	it := &f.in[f.used]
	f.used++
	clear(it.Words)
	*it = stim.Item{Lane: lane, Wait: wait, More: more, Words: it.Words}
	return it.Words
}

// Gap makes the last item wait for that many more cycles.
func (f *Feed) Gap(cycles uint16) { f.in[f.used-1].Gap = cycles }

// enough reports whether enough events were made or the source is closed.
func (f *Feed) enough() bool { return f.events >= f.want || f.closed }

// flush hands the filled batch to the reader; last marks the end of the episode. It returns false when the source is
// closed.
func (f *Feed) flush(last bool) bool {
	select {
	case f.full <- feedBatch{f.in[:f.used], f.begun, last}:
		f.begun = nil
	case <-f.ctx.Done():
		f.closed = true
		return false
	}
	select {
	case f.in = <-f.empty:
		f.used = 0
	case <-f.ctx.Done():
		f.closed = true
		return false
	}
	return true
}

// Next returns the next episode.
func (f *Feed) Next() (*stim.Episode, bool) {
	for {
		if f.read != nil {
			f.empty <- f.read[:cap(f.read)]
		}
		f.read, f.pos = f.out.items, 0
		b, ok := <-f.full
		if f.out = b; !ok {
			f.ended = true
			return nil, false
		}
		if b.begin != nil {
			return b.begin, true
		}
	}
}

func (f *Feed) next(it *stim.Item) bool {
	for f.pos == len(f.out.items) {
		if f.out.last || f.ended {
			return false
		}
		if f.read != nil {
			f.empty <- f.read[:cap(f.read)]
		}
		f.read, f.pos = f.out.items, 0
		b, ok := <-f.full
		if f.out = b; !ok {
			f.ended = true
			return false
		}
	}
	*it = f.out.items[f.pos]
	f.pos++
	return true
}

// Err returns why the source ended with fewer events than requested, once it has ended.
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
