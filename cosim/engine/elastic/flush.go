package elastic

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// fall begins or continues a reset. It loses what is under way on both sides, so some resets wait for it first: one in
// two, and each before which the device had long enough to answer.
func (p *player) fall(ctx context.Context) error {
	if !p.low && p.open > 0 {
		p.resets++
		if p.idle >= p.spec.Flush || p.waits() {
			if err := p.drain(ctx); err != nil || p.res.Finding != nil {
				return err
			}
		}
		p.open, p.idle = 0, 0
	}
	return p.reset()
}

// waits draws whether a reset waits, the same for the same episode.
func (p *player) waits() bool {
	h := fnv.New32a()
	fmt.Fprint(h, p.name, p.resets)
	return h.Sum32()>>16&1 != 0
}

// drain waits for what is owed before the reset in p.in. An event that is offered stays so until it is taken:
// the driver has drawn the reset, but the device has not seen it.
func (p *player) drain(ctx context.Context) error {
	low := slices.Clone(p.in)
	was := p.recent[(p.noted-1)%windowCycles]
	offer := slices.Clone(was.In)
	for _, s := range p.ins {
		if s.Taken(was.Out) {
			offer[0] &^= s.Valid
		}
	}
	err := p.flush(ctx, offer)
	p.in = low
	return err
}

// flush waits, with every output open and the events of a record offered until they are taken, until nothing
// has come for Spec.Flush cycles, and then requires what is still owed.
func (p *player) flush(ctx context.Context, offer []uint64) error {
	p.in, p.out = offer, make([]uint64, p.outWords)
	p.in[0] |= readies(p.outs)
	shown := valids(p.outs)
	last := newTail(len(p.outs))
	for quiet := 0; quiet < p.spec.Flush; {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := last.check(p.spec); err != nil {
			return err
		}
		watch := shown | p.asked()
		most := min(leap, p.spec.Flush-quiet)
		n, err := p.dev.StepUntil(p.in, p.many[:most*p.outWords], watch)
		if err != nil {
			return err
		}
		if err := p.along(p.in, p.many[:n*p.outWords]); err != nil {
			return err
		}
		if n > 1 { // what was stalled when the outputs were opened must be there in the first of the cycles
			copy(p.out, p.many[:p.outWords])
			if i, how := p.stable(); i >= 0 {
				p.note(p.out)
				p.found(p.unstable(i, how))
				return nil
			}
		}
		copy(p.out, p.many[(n-1)*p.outWords:n*p.outWords])
		p.res.Cycles += uint64(n - 1)
		quiet += n
		last.cycles += n
		if p.out[0]&watch != 0 {
			quiet = 0
		}
		for i := range p.outs {
			if p.outs[i].Offered(p.out) {
				last.transfers[i]++
			}
		}
		if err := p.transfers(); err != nil || p.res.Finding != nil {
			return err
		}
		if taken := p.taken(); taken != 0 {
			p.driver.Rewind(p.in)
			p.driver.Observe(p.out)
			p.in[0] &^= taken
			last.begin()
		}
	}
	if p.follow != nil {
		p.follow.Settle()
	}
	if err := p.whole(true); err != nil || p.res.Finding != nil {
		return err
	}
	for i := range p.outs {
		o, ok, err := p.board.oldest(i)
		if err != nil {
			return err
		}
		if ok && p.spec.Packets {
			if ok, err = p.board.due(i, o); err != nil {
				return err
			}
		}
		if ok {
			p.found(Finding{Kind: Missing, Stream: i, Want: o.want, Lane: o.lane, Event: o.event})
			return nil
		}
	}
	return nil
}

// asked returns the ready bits of the streams that offer an event.
func (p *player) asked() (bits uint64) {
	for _, s := range p.ins {
		if s.Offered(p.in) {
			bits |= s.Ready
		}
	}
	return bits
}

// taken returns the valid bits of the events that the cycle just run took.
func (p *player) taken() (bits uint64) {
	for _, s := range p.ins {
		if s.Moves(p.in, p.out) {
			bits |= s.Valid
		}
	}
	return bits
}

// count notes whether the device could answer in the cycle just run and did nothing.
func (p *player) count() {
	open, moved := true, p.taken() != 0
	for _, s := range p.outs {
		open = open && s.Taken(p.in)
		moved = moved || s.Offered(p.out)
	}
	switch {
	case moved:
		p.idle = 0
	case open:
		p.idle++
	}
}

// ErrEndless marks a design that never falls silent: its last response cannot be told from the others.
var ErrEndless = errors.New("the design never stops answering")

// The most that may come after the last event. A switch block's queues hold some 10,000 transfers.
const (
	tailTransfers = 1 << 17
	tailCycles    = 1 << 21
)

// tail counts what comes after the last event.
type tail struct {
	cycles    int
	transfers []int // by output stream
}

func newTail(outs int) tail { return tail{transfers: make([]int, outs)} }

// begin notes that an event was accepted.
func (t *tail) begin() {
	t.cycles = 0
	clear(t.transfers)
}

// most returns the output stream that showed most.
func (t *tail) most() int {
	best := 0
	for i, n := range t.transfers {
		if n > t.transfers[best] {
			best = i
		}
	}
	return best
}

// check returns the error of a device that goes on for too long.
func (t *tail) check(s *Spec) error {
	i := t.most()
	if t.transfers[i] <= tailTransfers && t.cycles <= tailCycles+s.Flush {
		return nil
	}
	return fmt.Errorf("%w: %s showed %d transfers in %d cycles after the last event, never %d cycles apart; check "+
		"that its valid is low without an answer, or lower flush", ErrEndless, s.control(event.Out, i, "_valid"),
		t.transfers[i], t.cycles, s.Flush)
}
