package cover

import "github.com/goldwire/goldwire/vectors/event"

// Classes of events in the order of issue, as in timing.md.
const (
	Keyed     = iota // waits for events of its key
	Free             // waits for no other event
	Exclusive        // waits for all other events
)

// MaxWords is the most words that a record of a covered block has.
const MaxWords = 9

// Pending is an event between acceptance and response.
type Pending struct {
	Words [MaxWords]uint64
	at    int64 // cycle of its issue
	Key   uint32
	Class uint8
	Kind  uint8 // index into the labels of the group same_key_after
}

const ringSize = 128 // more than input FIFO and credits of any covered block

// Shape is what the timing of a block depends on.
type Shape struct {
	Sweep   int      // cycles of the sweep
	Kinds   []string // labels of the kinds that have a key
	HasFree bool     // there are events that wait for nobody
	KeyBits int      // width of a key; 0 when keys are too many for a table
	Words   int      // words of an event, at most MaxWords

	Classify func(e *Pending)                  // sets key, class and kind of an event that is accepted
	Sample   func(hits Hits, in, out []uint64) // takes an event with its response
	Forget   func()                            // forgets what rst_n low does, and is called first
}

// Timing follows the two handshakes of a block with one stream of events and one of responses by the rules of
// timing.md: from what is accepted and taken it works out what issues when, and why the head waits.
type Timing struct {
	Shape
	stall, latency, credits, depth int

	ring              [ringSize]Pending
	in, issued, out   uint           // events accepted, issued, answered since the last reset
	now, since        int64          // this cycle; the first after the last reset
	hist              [64]pendingKey // by issue cycle mod 64
	last              []pendingKey   // by key, where keys are few enough
	flat              [1024]uint64   // cycles by what fold spreads over bins
	lastAny           int64
	headAt, headUntil int64 // head examined; cycle from which it is not blocked
	swept             int   // cycles since reset was released
	low               int   // cycles of the reset going on, 0 when none
	run, hold         int

	ports, moves                   Cross
	waitKey, waitAll, queue, using Cross
	resetQ, resetUse, resetAt      Cross
	resetLow, holdLen, pair        Cross
	misc                           timingFacts
}

type pendingKey struct {
	cycle int64
	key   uint32
	kind  uint8
	class uint8
}

// Bits of an index into flat, above the four of the handshakes.
const (
	flatQueue = 4 // two bits: events in the input FIFO
	flatUse   = 6 // two bits: label of credits in use
	flatIssue = 8
	flatSwept = 9
)

// Fold spreads the counts of whole cycles over the bins. Counting them in one
// place costs a cycle one addition instead of five.
func (t *Timing) Fold(hits Hits) {
	for i, n := range t.flat {
		if n == 0 {
			continue
		}
		t.flat[i] = 0
		bit := func(k int) int { return i >> k & 1 }
		evValid, evReady, rspValid, rspReady := bit(0), bit(1), bit(2), bit(3)
		hits[t.ports.At4(evValid, evReady, rspValid, rspReady)] += n
		hits[t.queue.At1(min(i>>flatQueue&3, t.depth))] += n
		hits[t.using.At1(i>>flatUse&3)] += n
		hits[t.moves.At3(evValid&evReady, bit(flatIssue), rspValid&rspReady)] += n
		switch {
		case evValid > evReady && bit(flatSwept) == 0:
			hits[t.misc.SweepOffered] += n
		case evValid > evReady:
			hits[t.misc.FIFOFull] += n
		case evReady > evValid:
			hits[t.misc.ReadyUnused] += n
		}
	}
}

// timingFacts are the bins of the group timing; the last is there only in blocks that have free events.
type timingFacts struct {
	CreditWait, FIFOFull, FullRate, ExclusiveUnblocked, KeyedUnblocked, ResetValid, ResetOffered, ResetBlocked,
	SweepOffered, ReadyUnused, Refill, FreeUnblocked int
}

var miscNames = Labels(`head_waits_for_credit input_fifo_full_and_offered 64_accepts_in_a_row
	exclusive_issues_at_once keyed_issues_at_once reset_with_response_waiting
	reset_with_event_offered reset_with_head_blocked event_offered_in_sweep ready_without_event
	credit_freed_and_used free_follows_at_once`)

func (t *Timing) Define(p *Plan, b *event.Block, sh Shape) {
	t.latency, _ = b.Constant("LATENCY")
	t.stall, _ = b.Constant("STALL")
	t.credits, _ = b.Constant("CREDITS")
	t.depth, _ = b.Constant("IN_FIFO_DEPTH")
	t.Shape = sh
	t.clear()
	if sh.KeyBits > 0 {
		t.last = make([]pendingKey, 1<<sh.KeyBits)
		for i := range t.last {
			t.last[i].cycle = -1 << 40
		}
	}

	yes := YesNo
	t.ports = p.Add("port_ev_valid_ready_rsp_valid_ready", yes, yes, yes, yes)
	t.moves = p.Add("cycle_accept_issue_take", yes, yes, yes)
	t.waitKey = p.Add("stall_same_key_cycles", Numbers(0, t.stall-1))
	t.waitAll = p.Add("stall_exclusive_cycles", Numbers(0, t.stall-1))
	t.queue = p.Add("input_fifo_level", Numbers(0, t.depth))
	t.using = p.Add("credits_in_use", Labels("none some all_but_one all"))
	names := miscNames
	if !sh.HasFree {
		names = names[:len(names)-1]
	}
	p.Places("timing", names, &t.misc)
	t.resetQ = p.Add("reset_in_stream_fifo_level", Numbers(0, t.depth))
	t.resetUse = p.Add("reset_in_stream_credits", Labels("none some all"))
	t.resetAt = p.Add("reset_in_sweep", Labels("first_cycle middle last_cycle just_done"))
	t.resetLow = p.Add("reset_length", Labels("1 2 longer"))
	t.pair = p.Add("same_key_after", sh.Kinds, sh.Kinds)
	t.holdLen = p.Add("response_held_cycles", Labels("1 2_to_7 8_to_63 64_or_more"))
}

// clear is what a reset does.
func (t *Timing) clear() {
	t.in, t.issued, t.out = 0, 0, 0
	t.headAt = -1
	t.swept = 0
	t.run = 0
	t.lastAny = -1 << 40
	for i := range t.hist {
		t.hist[i].cycle = -1 << 40
	}
	t.since = t.now + 1
	t.Forget()
}

// InUse returns the credits in use and the events in the input FIFO, as worked out from the handshakes so far.
func (t *Timing) InUse() (credits, queued int) { return int(t.issued - t.out), int(t.in - t.issued) }

// Reset takes a cycle of rst_n low.
func (t *Timing) Reset(hits Hits, in []uint64) {
	valid := in[0]&inEvValid != 0
	if t.low == 0 && t.now > 0 {
		if t.swept <= t.Sweep {
			hits.If(t.swept == 1, t.resetAt.At1(0))
			hits.If(t.swept > 1, t.resetAt.At1(Band(t.swept, 0, t.Sweep-1, t.Sweep)))
		} else {
			hits[t.resetQ.At1(int(t.in-t.issued))]++
			o := int(t.issued - t.out)
			hits[t.resetUse.At1(Bit(o > 0)+Bit(o == t.credits))]++
			hits.If(o > 0 && t.ring[t.out%ringSize].at+int64(t.latency) <= t.now, t.misc.ResetValid)
			hits.If(valid, t.misc.ResetOffered)
			hits.If(t.headAt >= 0 && t.headUntil > t.now, t.misc.ResetBlocked)
		}
	}
	t.endHold(hits)
	t.clear()
	t.low++
	t.now++
}

// endHold closes a run of cycles in which a response waited.
func (t *Timing) endHold(hits Hits) {
	if t.hold > 0 {
		hits[t.holdLen.At1(Band(t.hold, 2, 8, 64))]++
	}
	t.hold = 0
}

// Cycle takes a cycle with rst_n high.
func (t *Timing) Cycle(hits Hits, in, out []uint64) {
	// The handshakes as bits of an index into flat: no branch, traffic goes either way.
	shakes := int(in[0]>>1&1 | out[0]&3<<1 | in[0]>>2&1<<3)
	accept, take, holds := shakes&3 == 3, shakes>>2 == 3, shakes>>2 == 1
	if accept {
		e := &t.ring[t.in%ringSize]
		copy(e.Words[:t.Words], in)
		t.Classify(e)
	}
	if t.low > 0 {
		hits[t.resetLow.At1(min(t.low, 3)-1)]++
		t.low = 0
	}
	t.swept++
	q, o := int(t.in-t.issued), int(t.issued-t.out)
	use := 1
	switch {
	case o == 0:
		use = 0
	case o >= t.credits-1:
		use = 2 + Bit(o == t.credits)
	}
	if holds {
		t.hold++
	} else if t.hold > 0 {
		t.endHold(hits)
	}
	issue := q > 0 && t.issueHead(hits, o)
	hits.If(issue && take && o == t.credits-1, t.misc.Refill)
	t.flat[shakes|q<<flatQueue|use<<flatUse|Bit(issue)<<flatIssue|Bit(t.swept > t.Sweep)<<flatSwept]++
	if accept {
		t.in++
		if t.run++; t.run == 64 {
			hits[t.misc.FullRate]++
		}
	} else {
		t.run = 0
	}
	t.now++
	if take && t.out < t.issued {
		e := &t.ring[t.out%ringSize]
		t.out++
		t.Sample(hits, e.Words[:t.Words], out)
	}
}

// issueHead examines the head of the input FIFO and issues it if the rules let it; o credits are in use.
func (t *Timing) issueHead(hits Hits, o int) bool {
	e := &t.ring[t.issued%ringSize]
	if t.headAt < 0 {
		t.examine(hits, e)
	}
	if t.headUntil > t.now {
		return false
	}
	if o >= t.credits {
		hits[t.misc.CreditWait]++
		return false
	}
	h := &t.hist[t.now&63]
	if t.last != nil && e.Class == Keyed {
		h = &t.last[e.Key]
	}
	h.cycle, h.key, h.kind, h.class = t.now, e.Key, e.Kind, e.Class
	t.lastAny, e.at = t.now, t.now
	t.issued++
	t.headAt = -1
	return true
}

// examine works out, in the first cycle at the head, until when an event waits for those before it.
func (t *Timing) examine(hits Hits, e *Pending) {
	t.headAt, t.headUntil = t.now, t.now
	switch e.Class {
	case Exclusive:
		if until := t.lastAny + int64(t.stall); until > t.now {
			t.headUntil = until
		} else {
			hits[t.misc.ExclusiveUnblocked]++
		}
		hits[t.waitAll.At1(int(t.headUntil-t.now))]++
	case Keyed:
		if h := t.before(e.Key); h != nil {
			t.headUntil = h.cycle + int64(t.stall)
			hits[t.pair.At2(int(h.kind), int(e.Kind))]++
		}
		hits[t.waitKey.At1(int(t.headUntil-t.now))]++
		hits.If(t.headUntil == t.now, t.misc.KeyedUnblocked)
	default:
		hits.If(t.lastAny == t.now-1, t.misc.FreeUnblocked)
	}
}

// before returns the issue of an event of a key that still blocks that key, or nil.
func (t *Timing) before(key uint32) *pendingKey {
	if t.lastAny <= t.now-int64(t.stall) {
		return nil // nothing issued lately: no need to look for the key
	}
	if t.last != nil {
		h := &t.last[key]
		if h.cycle >= t.since && h.cycle > t.now-int64(t.stall) {
			return h
		}
		return nil
	}
	for d := int64(1); d < int64(t.stall); d++ {
		h := &t.hist[(t.now-d)&63]
		if h.cycle == t.now-d && h.class == Keyed && h.key == key {
			return h
		}
	}
	return nil
}
