package elastic

import (
	"context"
	"errors"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// ErrParted marks a Peer that runs in the cycles of the device and does not keep its time.
var ErrParted = errors.New("the reference does not keep the design's time")

// peerYield is for how many cycles a Peer may refuse the transfer that waits longest before it is offered those
// of other streams, too: it may need one to take the other.
const peerYield = 64

// Peer is an Expect made of a second device: its answers are what is owed. It runs in one of two ways.
//
// Apart, it runs at its own pace with open outputs. It is offered the transfers in the order in which the first
// device accepted them, those of one cycle in one cycle: what a block answers may depend on that. A transfer that it
// refuses waits until it is taken, and those of other streams then go first.
//
// Together, it gets the inputs of the first device in the same cycles, stalls included, so that it makes the same
// decisions wherever a choice depends on time. This ends with ErrParted at the first cycle in which it takes something
// else, and at the first response that it does not have yet. PlayAgainst tries both.
type Peer struct {
	ctx      context.Context // ends Next, which has none of its own
	dev      Device
	spec     Spec
	together bool
	settled  bool // together: it may run on to answer, since no cycle of the first device follows
	ins      []port
	outs     []port
	rstN     uint64
	open     uint64 // ready of every output
	kept     uint64 // ready of every output that it cannot stall
	valid    uint64 // of every output
	in       []uint64
	out      []uint64
	outs1    int // words of an output record
	waiting  []transfer
	refused  int  // cycles since one was taken
	took     bool // it took one since it was restarted
	answers  queues
	tail     tail
	watch    *Watch // of its handshake, together; apart, every output is open
	broken   error  // what watch found in a cycle that the first device has run, and after which nothing is kept
}

// NewPeer returns the Expect of a device, which answers until ctx ends. It uses the block, the cycles of reset,
// patience and flush, and the outputs of the spec that cannot be stalled.
func NewPeer(ctx context.Context, dev Device, spec Spec) *Peer {
	l := event.NewLayout(spec.Block)
	p := &Peer{ctx: ctx, dev: dev, spec: spec, rstN: l.Reset(), in: make([]uint64, l.In.Words),
		outs1: l.Out.Words,
		out:   make([]uint64, leap*l.Out.Words)}
	p.ins, p.outs = portsOf(l)
	p.open, p.valid = readies(p.outs), valids(p.outs)
	for i, o := range p.outs {
		if i < len(spec.NoStall) && spec.NoStall[i] {
			p.kept |= o.Ready
		}
	}
	p.answers, p.tail, p.watch = make(queues, len(p.outs)), newTail(len(p.outs)), NewWatch(&p.spec)
	return p
}

// Together sets the way in which the device runs, from its next Restart on.
func (p *Peer) Together(on bool) { p.together = on }

// Several reports whether answers may depend on the time at which several input streams meet.
func (p *Peer) Several() bool { return len(p.ins) > 1 }

// Restart starts again from power-on.
func (p *Peer) Restart(seed uint32) error {
	p.took, p.settled, p.broken = false, false, nil
	p.watch.Begin()
	p.forget()
	return p.dev.Restart(seed)
}

func (p *Peer) forget() {
	p.waiting, p.refused = nil, 0
	p.tail.begin()
	clear(p.answers)
}

// Reset holds the device in reset; together, the cycles of the reset come by Follow.
func (p *Peer) Reset() error {
	p.forget()
	if p.together {
		return nil
	}
	clear(p.in)
	for range p.spec.ResetCycles {
		if err := p.dev.Step(p.in, p.out[:p.outs1]); err != nil {
			return err
		}
	}
	return nil
}

// Accept queues a transfer; together, it was taken already.
func (p *Peer) Accept(stream int, pair bool, words []uint64) error {
	if !p.together {
		p.waiting = append(p.waiting, transfer{stream, pair, slices.Clone(words)})
	}
	return nil
}

// End returns what the watch found in the last cycles, or what the RTL reported at the last clock edge.
func (p *Peer) End() error {
	if p.broken != nil {
		return p.broken
	}
	return p.dev.End()
}

// Follow runs the cycles that the first device has run; apart, it does nothing. A break of its own handshake is
// reported by the next call, so that what the first device answered in the cycles before it is still compared.
func (p *Peer) Follow(in, out []uint64) error {
	if !p.together {
		return nil
	}
	if p.broken != nil {
		return p.broken
	}
	if p.settled {
		// It ran on to give what was owed before a reset: the reset makes up for it.
		if p.settled = false; in[0]&p.rstN != 0 {
			return ErrParted
		}
	}
	w, n := len(p.in), len(out)/p.outs1
	given := make([]uint64, n*w)
	for i := range n {
		from := min(i*w, len(in)-w)
		copy(given[i*w:], in[from:from+w])
		given[i*w] |= p.kept
	}
	mine := p.out[:n*p.outs1]
	if err := p.dev.Step(given, mine); err != nil {
		return err
	}
	for i := range n {
		at := i * w
		if p.broken = p.watch.Look(given[at:at+w], mine[i*p.outs1:(i+1)*p.outs1]); p.broken != nil {
			return nil
		}
		if given[at]&p.rstN == 0 {
			continue
		}
		his, own := out[i*p.outs1], mine[i*p.outs1]
		for _, s := range p.ins {
			if given[at]&s.Valid != 0 && (his^own)&s.Ready != 0 {
				return ErrParted
			}
		}
		p.collect(mine[i*p.outs1:(i+1)*p.outs1], given[at])
	}
	return nil
}

// Settle lets a device that runs along go on by itself until it has answered.
func (p *Peer) Settle() { p.settled = p.together }

// collect keeps the responses of a cycle; readies is word 0 of what was driven in it.
func (p *Peer) collect(out []uint64, readies uint64) (answered bool) {
	for i := range p.outs {
		if o := &p.outs[i]; o.Offered(out) && readies&o.Ready != 0 {
			p.answers[i] = append(p.answers[i], o.fields(out))
			p.tail.transfers[i]++
			answered = true
		}
	}
	return answered
}

// Next runs the device until a response shows on a stream or nothing has come for as long as one may take.
func (p *Peer) Next(stream int) ([]uint64, bool, error) {
	if p.broken != nil && len(p.answers[stream]) == 0 {
		return nil, false, p.broken
	}
	if p.together && !p.settled && len(p.answers[stream]) == 0 {
		return nil, false, ErrParted
	}
	for silent := 0; len(p.answers[stream]) == 0; {
		if p.ctx.Err() != nil {
			return nil, false, context.Cause(p.ctx)
		}
		if err := p.tail.check(&p.spec); err != nil {
			return nil, false, err
		}
		limit := leap
		switch {
		case len(p.waiting) == 0:
			if silent >= p.spec.Flush {
				return nil, false, nil
			}
			limit = min(limit, p.spec.Flush-silent)
		case p.refused >= p.spec.Patience && p.took && p.Several():
			return nil, false, nil // it needs a transfer of another stream, which the first device has not taken
		case p.refused >= p.spec.Patience:
			return nil, false, p.spec.Stopped(&Finding{Stream: p.waiting[0].stream}, p.took)
		case p.refused < peerYield && p.Several():
			limit = peerYield - p.refused
		}
		n, accepted, answered, err := p.step(limit)
		if err != nil {
			return nil, false, err
		}
		p.refused, silent = p.refused+n, silent+n
		if accepted {
			p.refused, p.took = 0, true
		}
		if accepted || answered {
			silent = 0
		}
	}
	return p.answers.take(stream)
}

// offered returns which of the waiting transfers are offered: that which waits longest with those of its cycle,
// and once it was refused for long, the next of every other stream.
func (p *Peer) offered() (at []int) {
	seen := map[int]bool{}
	for k := range p.waiting {
		t := &p.waiting[k]
		if k > 0 && !t.pair && p.refused < peerYield {
			break
		}
		if !seen[t.stream] {
			seen[t.stream] = true
			at = append(at, k)
		}
		if len(seen) == len(p.ins) {
			break
		}
	}
	return at
}

// step offers what waits until something is accepted or something comes, for at most this many cycles.
func (p *Peer) step(limit int) (n int, accepted, answered bool, err error) {
	clear(p.in)
	word, watch := p.rstN|p.open, p.valid
	at := p.offered()
	for _, k := range at {
		t := &p.waiting[k]
		s := &p.ins[t.stream]
		word |= s.Valid
		watch |= s.Ready
		for w, m := range s.mask {
			p.in[w] |= t.words[w] & m
		}
	}
	p.in[0] |= word
	if n, err = p.dev.StepUntil(p.in, p.out[:limit*p.outs1], watch); err != nil {
		return n, false, false, err
	}
	for i := 0; p.together && i < n; i++ {
		if p.broken = p.watch.Look(p.in, p.out[i*p.outs1:(i+1)*p.outs1]); p.broken != nil {
			return n, false, false, p.broken
		}
	}
	last := p.out[(n-1)*p.outs1 : n*p.outs1]
	p.tail.cycles += n
	for i := len(at) - 1; i >= 0; i-- {
		k := at[i]
		if !p.ins[p.waiting[k].stream].Taken(last) {
			continue
		}
		// The rest of its cycle now waits by itself.
		if k+1 < len(p.waiting) && !p.waiting[k].pair {
			p.waiting[k+1].pair = false
		}
		p.waiting = slices.Delete(p.waiting, k, k+1)
		accepted = true
	}
	if accepted {
		p.tail.begin()
	}
	return n, accepted, p.collect(last, p.in[0]), nil
}

// PlayAgainst plays an episode on a device whose reference is a second one. With one input stream the two run
// apart: what is owed follows from the order of the events alone. With several, answers may depend on the cycles in
// which events meet, as those of an arbiter do; the two run together then for as long as they keep the same time.
// Two that do not are restarted, by restart, and run apart: what is owed then follows from the order in which the
// device took the events.
//
// exp is peer, or wraps it.
func PlayAgainst(ctx context.Context, dev Device, peer *Peer, exp Expect, ep *stim.Episode, spec Spec,
	restart func() error) (Outcome, error) {
	if !peer.Several() {
		return Play(ctx, dev, exp, ep, spec)
	}
	var taken []stim.Item
	tap := ep.Tap
	ep.Tap = func(it *stim.Item) {
		taken = append(taken, it.Clone())
		if tap != nil {
			tap(it)
		}
	}
	peer.Together(true)
	if err := restart(); err != nil {
		return Outcome{}, err
	}
	out, err := Play(ctx, dev, exp, ep, spec)
	if ep.Tap = tap; !errors.Is(err, ErrParted) {
		return out, err
	}
	peer.Together(false)
	if err := restart(); err != nil {
		return Outcome{}, err
	}
	return Play(ctx, dev, exp, stim.Again(ep, taken), spec)
}
