package elastic

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
)

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
	control := s.Block.StreamsOf(event.Out)[i].Name + "_valid"
	return fmt.Errorf("%w: %s%s showed %d transfers in %d cycles after the last event, never %d cycles apart; check "+
		"that its valid is low without an answer, or lower flush", ErrEndless, control, s.port(control), t.transfers[i],
		t.cycles, s.Flush)
}
