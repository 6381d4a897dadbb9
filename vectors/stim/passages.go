package stim

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/vectors/event"
)

// Passages returns a source of episodes name/0, name/1, ... that write writes in order, all of them, whatever number of
// events the options give. write returns false after the last one; its error ends the source. An episode without events
// is left out.
func Passages(b *event.Block, o *Options, name string, write func(s *Script) (more bool, err error)) Source {
	return &passages{scriptSource: scriptSource{block: b.Name, o: o, words: event.NewLayout(b).In.Words}, name: name,
		write: write, more: true}
}

type passages struct {
	scriptSource
	name  string
	write func(s *Script) (bool, error)
	more  bool
	err   error
}

func (p *passages) Err() error { return p.err }

func (p *passages) Next() (*Episode, bool) {
	for p.more {
		no := p.at
		p.at++
		p.s.begin(p.words, p.o, math.MaxInt, Seeded(p.o.Seed, p.block, p.name, uint64(no)))
		if p.more, p.err = p.write(&p.s); p.err != nil {
			break
		}
		if p.s.Used > 0 {
			return p.episode(fmt.Sprintf("%s/%d", p.name, no), p.o.Seed^uint64(no)<<32), true
		}
	}
	return nil, false
}
