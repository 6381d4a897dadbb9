package elastic

import (
	"context"

	"github.com/goldwire/goldwire/vectors/event"
)

// Peer is an Expect made of a second device: what that answers is owed. It runs at its own pace with open
// outputs. Transfers that the first device accepted in one cycle are offered in one cycle, too: what a block
// answers may hang on that.
type Peer struct {
	ctx     context.Context // ends Next, which has none of its own
	dev     Device
	spec    Spec
	ins     []port
	outs    []port
	rstN    uint64
	open    uint64 // ready of every output
	valid   uint64 // of every output
	in      []uint64
	out     []uint64
	outs1   int // words of an output record
	waiting []transfer
	answers [][][]uint64 // by output stream: given and not asked for
	tail    tail
}

// NewPeer returns the Expect of a device, which answers until ctx ends. Of the spec, the block and the cycles of
// reset, patience and flush count.
func NewPeer(ctx context.Context, dev Device, spec Spec) *Peer {
	l := event.NewLayout(spec.Block)
	p := &Peer{ctx: ctx, dev: dev, spec: spec, rstN: l.In.Control("rst_n"), in: make([]uint64, l.In.Words), outs1: l.Out.Words,
		out: make([]uint64, leap*l.Out.Words)}
	p.ins, p.outs = portsOf(spec.Block, l)
	for _, o := range p.outs {
		p.open |= o.ready
		p.valid |= o.valid
	}
	p.answers, p.tail = make([][][]uint64, len(p.outs)), newTail(len(p.outs))
	return p
}

// Restart begins anew from power-on.
func (p *Peer) Restart(seed uint32) error { return p.dev.Restart(seed) }

// Reset holds the device in reset.
func (p *Peer) Reset() error {
	p.waiting = nil
	p.tail.begin()
	for i := range p.answers {
		p.answers[i] = nil
	}
	clear(p.in)
	for range p.spec.ResetCycles {
		if err := p.dev.Step(p.in, p.out[:p.outs1]); err != nil {
			return err
		}
	}
	return nil
}

// Accept queues a transfer.
func (p *Peer) Accept(stream int, pair bool, words []uint64) error {
	p.waiting = append(p.waiting, transfer{stream, pair, append([]uint64(nil), words...)})
	return nil
}

// Next runs the device until a response shows on a stream or nothing has come for as long as one may take.
func (p *Peer) Next(stream int) ([]uint64, bool, error) {
	for refused, silent := 0, 0; len(p.answers[stream]) == 0; {
		if p.ctx.Err() != nil {
			return nil, false, context.Cause(p.ctx)
		}
		if err := p.tail.check(&p.spec); err != nil {
			return nil, false, err
		}
		limit := leap
		if len(p.waiting) == 0 {
			if silent >= p.spec.Flush {
				return nil, false, nil
			}
			limit = min(limit, p.spec.Flush-silent)
		} else if refused >= p.spec.Patience {
			lane := p.waiting[0].stream
			return nil, false, p.spec.Refused(&Finding{Stream: lane})
		}
		n, accepted, answered, err := p.step(limit)
		if err != nil {
			return nil, false, err
		}
		refused, silent = refused+n, silent+n
		if accepted {
			refused = 0
		}
		if accepted || answered {
			silent = 0
		}
	}
	w := p.answers[stream][0]
	p.answers[stream] = p.answers[stream][1:]
	return w, true, nil
}

// step offers what waits longest, with what came in the same cycle, until one is accepted or something comes, for
// so many cycles at most.
func (p *Peer) step(limit int) (n int, accepted, answered bool, err error) {
	clear(p.in)
	word, watch := p.rstN|p.open, p.valid
	var offered int
	for offered < len(p.waiting) && (offered == 0 || p.waiting[offered].pair) {
		t := &p.waiting[offered]
		s := &p.ins[t.stream]
		word |= s.valid
		watch |= s.ready
		for w, m := range s.mask {
			p.in[w] |= t.words[w] & m
		}
		offered++
	}
	p.in[0] |= word
	if n, err = p.dev.StepUntil(p.in, p.out[:limit*p.outs1], watch); err != nil {
		return n, false, false, err
	}
	last := p.out[(n-1)*p.outs1 : n*p.outs1]
	p.tail.cycles += n
	left := 0 // of those offered, moved to the end of them
	for k := offered - 1; k >= 0; k-- {
		if last[0]&p.ins[p.waiting[k].stream].ready == 0 {
			left++
			p.waiting[offered-left] = p.waiting[k]
		}
	}
	if accepted = left < offered; accepted {
		p.waiting = p.waiting[offered-left:]
		p.tail.begin()
	}
	for i := range p.outs {
		if o := &p.outs[i]; last[0]&o.valid != 0 {
			p.answers[i] = append(p.answers[i], o.fields(last))
			p.tail.transfers[i]++
			answered = true
		}
	}
	return n, accepted, answered, nil
}

// Close has nothing to release: the device is its owner's.
func (p *Peer) Close() error { return nil }
