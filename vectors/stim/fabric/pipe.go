package fabric

import (
	"context"
	"fmt"
	"sync"

	"github.com/goldwire/goldwire/vectors/stim"
)

// item is an item on its way from the simulation to the reader, with its times in picoseconds.
type item struct {
	stim.Item
	now, tx int64
	timed   bool
}

// batch is one transfer from the simulation to its reader.
type batch struct {
	items []item
	begin *stim.Episode // the episode that items begin, or nil
	last  bool          // the episode ends after items
}

// batchItems is the number of items in a batch; it must be at least Lookahead.
const batchItems = 1024

// pipe carries episodes from a simulation, which runs in its own goroutine, to the reader of the source.
type pipe struct {
	name   string // of the source, with prefix
	ctx    context.Context
	cancel context.CancelFunc
	full   chan batch
	empty  chan []item
	done   sync.WaitGroup
	ended  bool
	err    error

	in     []item // being filled
	used   int
	begun  *stim.Episode // the episode that in begins, or nil
	closed bool          // while a batch was being filled
	out    batch         // being read
	read   []item        // the previous batch, whose items may still be in use
	pos    int
}

// newPipe returns a pipe for items of that many words.
func newPipe(name string, words int) *pipe {
	p := &pipe{name: stim.Fabric + name, full: make(chan batch, 3), empty: make(chan []item, 5)}
	for range 5 {
		items := make([]item, batchItems)
		store := make([]uint64, batchItems*words)
		for i := range items {
			items[i].Words = store[i*words : (i+1)*words]
		}
		p.empty <- items
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.in = <-p.empty
	return p
}

// start runs the simulation, which puts items until it returns.
func (p *pipe) start(simulate func() error) {
	p.done.Go(func() {
		defer close(p.full)
		if err := simulate(); err != nil && p.ctx.Err() == nil {
			p.err = fmt.Errorf("source %s: %w", p.name, err)
		}
	})
}

// put returns the next item for the caller to fill in, all of its words 0, or nil when the source is closed.
func (p *pipe) put() *item {
	if p.used == len(p.in) && !p.flush(false) {
		return nil
	}
	it := &p.in[p.used]
	p.used++
	clear(it.Words)
	*it = item{Item: stim.Item{Words: it.Words}}
	return it
}

// flush hands the filled batch to the reader; last marks the end of the episode. It returns false when the source is
// closed.
func (p *pipe) flush(last bool) bool {
	select {
	case p.full <- batch{p.in[:p.used], p.begun, last}:
		p.begun = nil
	case <-p.ctx.Done():
		p.closed = true
		return false
	}
	select {
	case p.in = <-p.empty:
		p.used = 0
	case <-p.ctx.Done():
		p.closed = true
		return false
	}
	return true
}

// take takes the next batch to be read.
func (p *pipe) take() bool {
	if p.read != nil {
		p.empty <- p.read[:cap(p.read)]
	}
	p.read, p.pos = p.out.items, 0
	var ok bool
	p.out, ok = <-p.full
	p.ended = !ok
	return ok
}

// Next returns the next episode.
func (p *pipe) Next() (*stim.Episode, bool) {
	for p.take() {
		if p.out.begin != nil {
			return p.out.begin, true
		}
	}
	return nil, false
}

// next fills in the next item of the episode.
func (p *pipe) next(it *stim.Item) bool {
	for p.pos == len(p.out.items) {
		if p.out.last || p.ended || !p.take() {
			return false
		}
	}
	*it = p.out.items[p.pos].Item
	p.pos++
	return true
}

// times returns the times of the last item.
func (p *pipe) times() (now, tx int64, ok bool) {
	if p.pos == 0 {
		return 0, 0, false
	}
	it := &p.out.items[p.pos-1]
	return it.now, it.tx, it.timed
}

// Err returns why the source ended with fewer events than requested, once it has ended.
func (p *pipe) Err() error {
	if !p.ended {
		return nil
	}
	p.done.Wait()
	return p.err
}

// Close ends the simulation and waits for it.
func (p *pipe) Close() {
	p.cancel()
	p.done.Wait()
}

// drive draws how the ports are driven while a simulation is played.
func drive(r *stim.Rand) stim.DriveSpec {
	return stim.DriveSpec{
		Idle:   stim.Gate{Close: uint16(200 + r.N(400)), Open: 20000},
		Stall:  stim.Pick(r, stim.Density(20), stim.Density(60), stim.Bursts(200, 20), stim.Bursts(2000, 120)),
		Resets: []stim.Reset{{Low: 2}},
	}
}
