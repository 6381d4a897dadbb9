package elastic

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/vectors/event"
)

// Asker answers events, as a session of bridge/client with a program on a socket does.
type Asker interface {
	// Restart starts again from power-on.
	Restart(seed uint32) error
	// Ask takes input records with the valid bit of their stream and returns output records, likewise.
	Ask(events []uint64) ([]uint64, error)
}

// askAtOnce is how many events one request has at most.
const askAtOnce = 4096

// Program is an Expect made of a program that is asked. A reset restarts it: it gets events only.
type Program struct {
	asker     Asker
	ins, outs []port
	inWords   int
	outWords  int
	valid     uint64   // of every output
	fresh     bool     // restarted and not asked since
	waiting   []uint64 // events not asked yet
	answers   queues
}

// NewProgram returns the Expect of a program.
func NewProgram(b *event.Block, a Asker) *Program {
	l := event.NewLayout(b)
	p := &Program{asker: a, inWords: l.In.Words, outWords: l.Out.Words}
	p.ins, p.outs = portsOf(l)
	p.valid, p.answers = valids(p.outs), make(queues, len(p.outs))
	return p
}

// Restart starts again from power-on.
func (p *Program) Restart(seed uint32) error {
	p.waiting = p.waiting[:0]
	clear(p.answers)
	if p.fresh {
		return nil
	}
	p.fresh = true
	return p.asker.Restart(seed)
}

// Reset restarts the program.
func (p *Program) Reset() error { return p.Restart(0) }

// Accept queues a transfer.
func (p *Program) Accept(stream int, _ bool, words []uint64) error {
	at := len(p.waiting)
	p.waiting = append(p.waiting, words...)
	p.waiting[at] |= p.ins[stream].Valid
	if len(p.waiting) >= askAtOnce*p.inWords {
		return p.ask()
	}
	return nil
}

func (p *Program) ask() error {
	p.fresh = false
	got, err := p.asker.Ask(p.waiting)
	p.waiting = p.waiting[:0]
	if err != nil {
		return err
	}
	for n := 0; n+p.outWords <= len(got); n += p.outWords {
		rec := got[n : n+p.outWords]
		if k := bits.OnesCount64(rec[0] & p.valid); k != 1 {
			return fmt.Errorf("response %d of its answer has %d valid bits set; each response has the one of its stream",
				n/p.outWords, k)
		}
		for i := range p.outs {
			if o := &p.outs[i]; o.Offered(rec) {
				p.answers[i] = append(p.answers[i], o.fields(rec))
			}
		}
	}
	return nil
}

// Next asks when nothing is at hand.
func (p *Program) Next(stream int) ([]uint64, bool, error) {
	if len(p.answers[stream]) == 0 && len(p.waiting) > 0 {
		if err := p.ask(); err != nil {
			return nil, false, err
		}
	}
	return p.answers.take(stream)
}

// queues holds, by output stream, the responses that were given and not asked for.
type queues [][][]uint64

// take takes the oldest response of a stream, if there is one.
func (q queues) take(stream int) ([]uint64, bool, error) {
	if len(q[stream]) == 0 {
		return nil, false, nil
	}
	w := q[stream][0]
	q[stream] = q[stream][1:]
	return w, true, nil
}
