package fabric

import (
	"context"
	"fmt"
	"strconv"

	"github.com/goldwire/goldwire/vectors/stim"
)

// made is a round, or the error that prevented it.
type made struct {
	*round
	err error
}

// rounds simulates rounds until they hold as many events as requested, at most one round ahead of the reader. The
// reader returns each round it has played through back.
func (f *Feed) rounds(ctx context.Context, out chan<- made, back <-chan *round) {
	defer close(out)
	sure := 0
	for number := max(f.tour.only, 0) / len(f.tour.at.first); sure < f.want; number++ {
		var m made
		select {
		case m.round = <-back:
		case <-ctx.Done():
			return
		}
		m.number = number
		m.err = f.tour.simulate(ctx, m.round)
		sure += m.sure
		select {
		case out <- m:
		case <-ctx.Done():
			return
		}
		if m.err != nil || f.tour.only >= 0 && !f.whole {
			return
		}
	}
}

// run plays rounds until there are enough events.
func (f *Feed) run() error {
	ctx, cancel := context.WithCancel(f.ctx)
	defer cancel()
	out, back := make(chan made), make(chan *round, 2)
	back <- &round{}
	back <- &round{}
	f.done.Go(func() { f.rounds(ctx, out, back) })
	var put func(*PortEvent)
	if f.whole {
		put = f.begin(0)
	}
	for m := range out {
		if m.err != nil {
			return fmt.Errorf("fabric run: %w", m.err)
		}
		before := f.events
		f.play(m.round, put)
		if f.enough() {
			break
		}
		if f.events == before {
			return fmt.Errorf("simulation %d: no packet comes to the block's %d ports", m.number, f.block.Ports)
		}
		back <- m.round
	}
	f.flush(true)
	if f.events < f.want && (f.tour.only < 0 || f.whole) {
		return fmt.Errorf("only %d of %d events were made", f.events, f.want)
	}
	return nil
}

// play puts the events of a round: one episode per place, or all events through put if it is not nil.
func (f *Feed) play(r *round, put func(*PortEvent)) {
	for place, seen := range r.seen {
		if len(seen) == 0 || f.enough() {
			continue
		}
		to := put
		if to == nil {
			to = f.begin(r.number*len(r.seen) + place)
		}
		for i := range seen {
			if to(&seen[i]); f.enough() {
				break
			}
		}
		if put == nil {
			f.end()
		}
	}
}

// begin begins the episode of that number.
func (f *Feed) begin(number int) func(*PortEvent) {
	name := f.name
	if !f.whole {
		name += "/" + strconv.Itoa(number)
	}
	r := stim.Seeded(f.o.Seed, f.block.Schema.Name, f.name, uint64(number))
	f.begun = &stim.Episode{Name: name, Block: f.block.Schema.Name, Seed: f.o.Seed, Items: f.next, Drive: drive(&r)}
	f.begun.Drive.StallMore = []stim.Gate{stim.Density(30), stim.Density(30), stim.Density(30)}
	f.begun.Drive.Relief = f.block.Relief
	f.Rand = stim.Seeded(f.o.Seed, f.block.Schema.Name, f.name[len(stim.Fabric):], uint64(number)+1)
	return f.block.Begin(f)
}

// end ends an episode. An episode without items is dropped.
func (f *Feed) end() {
	if f.used > 0 || f.begun == nil {
		f.flush(true)
	}
	f.begun = nil
}
