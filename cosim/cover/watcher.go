package cover

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
)

// Block is how a block is covered: its schema, and a constructor of what follows it.
type Block struct {
	Schema  func() *event.Block
	Watcher func() Watcher
}

// Watcher follows a block cycle by cycle and counts in hits what it sees, by the bins that it defined. It knows the
// block by its vocabulary alone.
type Watcher interface {
	// define adds the bins of a block with these parameters to the plan, and is called once, first.
	define(p *plan, b *event.Block, params map[string]int)
	// cycle takes a cycle with rst_n high, reset one with rst_n low.
	cycle(hits []uint64, in, out []uint64)
	reset(hits []uint64, in []uint64)
	// fold adds to the bins what is counted apart from them.
	fold(hits []uint64)

	// differences returns how many responses do not follow from what went before, difference the first of them in
	// words where the watcher keeps it.
	differences() uint64
	difference() string
}

// EventWatcher is the Watcher of a block with one stream of events and one of responses, on which timing works.
type EventWatcher interface {
	Watcher
	// sample takes an event and its response without cycles.
	sample(hits []uint64, in, out []uint64)
	// inUse returns the credits in use and the events in the input FIFO.
	inUse() (credits, queued int)
}

// disagreement counts the responses that do not follow from the events, and keeps the first in words.
type disagreement struct {
	n     uint64
	first string
}

func (d *disagreement) differences() uint64 { return d.n }
func (d *disagreement) difference() string  { return d.first }

// disagree counts a difference without words.
func (d *disagreement) disagree() { d.n++ }

// disagreeIf counts a difference without words if there is one.
func (d *disagreement) disagreeIf(differs bool) { d.n += uint64(b2i(differs)) }

// differ counts what does not follow from what went before; if nothing was counted before, it keeps it in words.
func (d *disagreement) differ(format string, args ...any) {
	if d.n++; d.n == 1 {
		d.first = fmt.Sprintf(format, args...)
	}
}
