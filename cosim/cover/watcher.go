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
	// Define adds the bins of a block with these parameters to the plan, and is called once, first.
	Define(p *Plan, b *event.Block, params map[string]int)
	// Cycle takes a cycle with rst_n high, Reset one with rst_n low.
	Cycle(hits Hits, in, out []uint64)
	Reset(hits Hits, in []uint64)
	// Fold adds to the bins what is counted separately.
	Fold(hits Hits)

	// Differences returns how many responses do not follow from what went before; Difference describes the first, if
	// the Watcher keeps it.
	Differences() uint64
	Difference() string
}

// EventWatcher is the Watcher of a block with one stream of events and one of responses, on which Timing works.
type EventWatcher interface {
	Watcher
	// Sample takes an event and its response without cycles.
	Sample(hits Hits, in, out []uint64)
	// InUse returns the credits in use and the events in the input FIFO.
	InUse() (credits, queued int)
}

// Disagreement counts the responses that do not follow from the events, and keeps a description of the first.
type Disagreement struct {
	n     uint64
	first string
}

// Differences returns how many there are.
func (d *Disagreement) Differences() uint64 { return d.n }

// Difference describes the first, if it was counted by Differ.
func (d *Disagreement) Difference() string { return d.first }

// Disagree counts a difference without a description.
func (d *Disagreement) Disagree() { d.n++ }

// DisagreeIf counts a difference without a description if there is one.
func (d *Disagreement) DisagreeIf(differs bool) { d.n += uint64(Bit(differs)) }

// Differ counts a response that does not follow from what went before, and keeps the description if it is the first.
func (d *Disagreement) Differ(format string, args ...any) {
	if d.n++; d.n == 1 {
		d.first = fmt.Sprintf(format, args...)
	}
}

// Owed are the items that an output stream of a block has still to give.
type Owed[T comparable] struct {
	Queue[T]
	got T
}

// Meet compares an item of the stream, described by what, with the oldest of those owed, which leaves.
func (o *Owed[T]) Meet(d *Disagreement, what string, out []uint64, unpack func(out []uint64, x *T)) {
	if unpack(out, &o.got); len(o.Queue) == 0 {
		d.Differ("%s: none is due, got %+v", what, o.got)
		return
	}
	if want := o.Pop(); o.got != want {
		d.Differ("%s: want %+v, got %+v", what, want, o.got)
	}
}

// Queue is a list whose oldest item, the first, leaves first. It keeps its storage.
type Queue[T any] []T

// Push appends an item.
func (q *Queue[T]) Push(x T) { *q = append(*q, x) }

// Accept appends the item of an input record.
func (q *Queue[T]) Accept(in []uint64, unpack func(in []uint64, x *T)) {
	var none T
	q.Push(none)
	unpack(in, &(*q)[len(*q)-1])
}

// Pop takes the oldest item out of the queue.
func (q *Queue[T]) Pop() T {
	x := (*q)[0]
	*q = append((*q)[:0], (*q)[1:]...)
	return x
}

// Clear drops all items.
func (q *Queue[T]) Clear() { *q = (*q)[:0] }
