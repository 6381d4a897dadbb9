package loop

import (
	"fmt"
	"sort"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// answers compares the answers of the clocked model with those that the network was given.
type answers struct {
	play.Idle
	feed *feed
	done int // items of the oldest batch of the feed that are answered

	compared uint64
	wrong    error // the first difference
	journal  journal
}

// Respond implements play.Listener.
func (a *answers) Respond(n uint64, _ int, out []uint64, _ bool) {
	if a.wrong != nil {
		return
	}
	if len(a.feed.old) == 0 {
		a.wrong = fmt.Errorf("the model answers in cycle %d without an event", n)
		return
	}
	b := a.feed.old[0]
	it := &b.items[b.order[a.done]]
	differ := (out[0] ^ it.want[0]) &^ (ccc.OutEvReady | ccc.OutRspValid)
	for w := 1; w < ccc.OutWords; w++ {
		differ |= out[w] ^ it.want[w]
	}
	if differ != 0 {
		a.wrong = fmt.Errorf("the clocked model answers event %d, %v of host %d context %d at %v, other than the network "+
			"was told: the model depends on the time of its events", it.number, it.kind, it.from.NIC, it.from.CCC,
			it.from.Time)
		return
	}
	a.compared++
	a.journal.add(entry{cycle: n, event: it.number, from: it.from, kind: it.kind})
	if a.done++; a.done == len(b.order) {
		// The driver looks at the words of an item until it is accepted, and all of these are answered.
		a.done, a.feed.old = 0, append(a.feed.old[:0], a.feed.old[1:]...)
		if a.feed.now == b {
			a.feed.now = nil
		}
		a.feed.free <- b
	}
}

// Left is where a design first differs from the model: the first event with another answer, or an answer at another
// time.
type Left struct {
	Event    uint64 // of the run, from 1, with those that set registers and move contexts
	Cycle    uint64 // of the device
	Kind     string
	NIC, CCC int32
	Time     units.Picos
	RTL      string // the design's own report, such as a failed assertion; "" for a difference
}

// String returns the place as "event 7 (ack of host 3 context 0 at 1.2us), cycle 300".
func (l *Left) String() string {
	s := fmt.Sprintf("event %d (%s of host %d context %d at %v), cycle %d", l.Event, l.Kind, l.NIC, l.CCC, l.Time, l.Cycle)
	if l.RTL != "" {
		s += ": " + l.RTL
	}
	return s
}

// entry is an answered event.
type entry struct {
	cycle, event uint64
	from         origin
	kind         ccc.Kind
}

// journalLen is the number of answers that a journal holds. A cycle has at most one answer, so a journal covers all the
// cycles by which the model can be ahead of the device.
const journalLen = 1 << 16

// journal holds the last answers, to find the event of a cycle that the device reports later.
type journal struct {
	ring []entry
	n    uint64
}

func (j *journal) add(e entry) {
	if j.ring == nil {
		j.ring = make([]entry, journalLen)
	}
	j.ring[j.n%journalLen] = e
	j.n++
}

// at returns the event whose answer was due in a cycle or, if there is none, the next one; after the last answer, it
// returns the last event.
func (j *journal) at(cycle uint64) *Left {
	kept := min(j.n, journalLen)
	if kept == 0 {
		return &Left{Cycle: cycle, Kind: "reset"}
	}
	first := j.n - kept
	k := uint64(sort.Search(int(kept), func(i int) bool { return j.ring[(first+uint64(i))%journalLen].cycle >= cycle }))
	e := &j.ring[(first+min(k, kept-1))%journalLen]
	return &Left{Event: e.event, Cycle: cycle, Kind: e.kind.String(), NIC: e.from.NIC, CCC: e.from.CCC, Time: e.from.Time}
}
