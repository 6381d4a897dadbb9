package egress

import (
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// issued is an event of egress between issue and the moment it is sorted.
type issued struct {
	grant    bool
	same     bool // the other stream issued in the same cycle
	behind   bool // a grant of another port than the one of this cycle issued in the cycle before
	answered bool
	in       [egress.InWords]uint64
	out      [egress.OutWords]uint64
}

// watch works the issue order of both streams out from the handshakes, follows queues and registers
// from events and responses, and sorts every event in the order in which events take effect.
type watch struct {
	cover.Streams
	cover.Disagreement
	bins
	update
	ports, depth int

	now       int64
	queue     [2][2][egress.InWords]uint64 // input FIFOs
	n         [2]int                       // events in them
	credits   [2]int
	lastIssue int64
	lastGrant int64
	grantPort uint8

	order    []issued // issued and not sorted, in order of effect
	head     int
	answered [2]int // place in order of the stream's oldest event without response

	regs  [egress.NumRegs]uint64
	state []portState
	lfsr  uint32
	total uint64 // shared_bytes

	lastServed struct{ port, cls int } // by the grant sorted last; port -1: nothing

	enq  egress.Enq
	enqr egress.Enqr
	deq  egress.Deq
	deqr egress.Deqr
}

// portState is a port as followed.
type portState struct {
	q    [egress.Classes]fifo
	ptr  int
	xoff bool
	// The pause request was moved by a grant that found the port empty, and no event has evaluated it since.
	byEmpty bool
}

type fifo struct {
	packets  []packet
	head     int
	bytes    uint64
	deficit  uint64
	passed   uint64    // bytes appended since the reset
	counters [7]uint32 // words 2 to 8
}

type packet struct {
	id                    uint32
	len                   uint16
	trimmed, lastHop, ect bool
}

func (q *fifo) n() int { return len(q.packets) - q.head }

// pop does not move the others, as cover.Queue does: a port holds thousands.
func (q *fifo) pop() packet {
	p := q.packets[q.head]
	if q.head++; q.head == len(q.packets) {
		q.packets, q.head = q.packets[:0], 0
	} else if q.head >= 32 && 2*q.head > len(q.packets) {
		q.packets = q.packets[:copy(q.packets, q.packets[q.head:])]
		q.head = 0
	}
	return p
}

func (q *fifo) first() uint64 { return uint64(q.packets[q.head].len) }

func (p *portState) bytes() uint64 { return p.q[0].bytes + p.q[1].bytes + p.q[2].bytes }

func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.ports, w.depth = params["NumPorts"], params["Depth"]
	w.Streams.Define(p, b, w.ports)
	w.bins.define(p, w.ports, w.depth)
	w.update.define(p, w.ports)
	w.state = make([]portState, w.ports)
	w.clear()
}

func (w *watch) clear() {
	w.n, w.credits = [2]int{}, [2]int{}
	w.lastIssue, w.lastGrant = -1<<40, -1<<40
	w.order, w.head, w.answered = w.order[:0], 0, [2]int{}
	for a := range w.regs {
		w.regs[a] = egress.RegInfo[a].Reset
	}
	for i := range w.state {
		p := &w.state[i]
		p.ptr, p.xoff, p.byEmpty = 0, false, false
		for c := range p.q {
			q := &p.q[c]
			*q = fifo{packets: q.packets[:0]}
		}
	}
	w.lfsr, w.total = 1, 0
	w.long.Clear()
}

func (w *watch) Reset(hits cover.Hits, _ []uint64) {
	if !w.Streams.InReset() && w.Streams.SinceReset() > w.ports {
		for i, n := range w.credits {
			hits[w.resetUse.At2(i, cover.Band(n, 1, egress.Credits))]++
		}
		hits[w.resetQueue.At2(w.n[0], w.n[1])]++
	}
	w.Streams.Reset(hits)
	w.clear()
	w.now++
}

const (
	enqLane = iota
	deqLane
)

func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	excl := w.n[enqLane] > 0 && exclusiveEnq(w.queue[enqLane][0][0])
	recent := w.lastIssue > w.now-egress.Stall
	e := w.n[enqLane] > 0 && w.credits[enqLane] < egress.Credits && !(excl && recent)
	hold := excl && w.credits[enqLane] < egress.Credits
	d, behind := false, false
	if w.n[deqLane] > 0 {
		port := uint8(w.grantOf(w.queue[deqLane][0][:]))
		near := w.lastGrant == w.now-1 && w.grantPort == port
		d = w.credits[deqLane] < egress.Credits && !hold && !near
		why := cover.First(hold && !near, near && !hold, w.credits[deqLane] == egress.Credits, d && excl)
		hits.If(why < 4, w.wait.Hold+why)
		if d {
			behind = w.lastGrant == w.now-1
			w.lastGrant, w.grantPort = w.now, port
			w.issue(deqLane, e, behind)
		}
	}
	if w.n[enqLane] > 0 {
		full := w.credits[enqLane] == egress.Credits
		hits.If(full, w.wait.ExclCredit+cover.Bit(!excl))
		hits.If(!full && excl && recent, w.quiet.At1(int(w.now-w.lastIssue)-1))
		hits.If(!full && excl && !recent, w.wait.None)
	}
	if e {
		w.issue(enqLane, d, behind)
	}
	if e || d {
		w.lastIssue = w.now
	}
	hits[w.issues.At2(cover.Bit(e), cover.Bit(d))]++
	hits[w.fifo.At2(w.n[enqLane], w.n[deqLane])]++
	for set := w.Streams.MovedSet(); set != 0; set &= set - 1 { // enq, deq, enqr, deqr
		i := bits.TrailingZeros64(set)
		if i < 2 {
			w.queue[i][w.n[i]] = [egress.InWords]uint64(in)
			w.n[i]++
		} else {
			w.credits[i-2]--
			w.answer(i-2, out)
		}
	}
	w.now++
	for w.head < len(w.order) && w.order[w.head].answered {
		w.sort(hits, &w.order[w.head])
		w.head++
	}
	if w.head == len(w.order) {
		w.order, w.head, w.answered = w.order[:0], 0, [2]int{}
	}
}

func exclusiveEnq(word uint64) bool {
	k := egress.Kind(word >> 5 & 15)
	return k == egress.KindCfgWrite || k == egress.KindLoad
}

func (w *watch) grantOf(rec []uint64) uint8 {
	egress.UnpackDeq(rec, &w.deq)
	return w.deq.Port
}

// issue takes the head of an input FIFO into the order of effect.
func (w *watch) issue(i int, same, behind bool) {
	if len(w.order) == cap(w.order) && w.head > 0 {
		n := copy(w.order, w.order[w.head:])
		w.order = w.order[:n]
		w.answered[0], w.answered[1] = max(w.answered[0]-w.head, 0), max(w.answered[1]-w.head, 0)
		w.head = 0
	}
	n := len(w.order)
	if n == cap(w.order) {
		w.order = slices.Grow(w.order, max(n, 512))
	}
	w.order = w.order[:n+1]
	o := &w.order[n] // its out is written by answer
	o.grant, o.same, o.behind, o.answered, o.in = i == deqLane, same, behind, false, w.queue[i][0]
	w.queue[i][0] = w.queue[i][1]
	w.n[i]--
	w.credits[i]++
}

// answer gives a response to the oldest event of its stream that has none.
func (w *watch) answer(i int, out []uint64) {
	for k := w.answered[i]; k < len(w.order); k++ {
		if o := &w.order[k]; o.grant == (i == deqLane) && !o.answered {
			o.answered = true
			o.out = [egress.OutWords]uint64(out)
			w.answered[i] = k + 1
			return
		}
	}
	w.Disagree() // a response without an event
}
