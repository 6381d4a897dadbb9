package cover

import "math/bits"

// beatFlow works the way of beats through trimmer and intmd out: input FIFO, release, store, output. The rules
// are in the contracts of both, under "Timing"; the numbers differ.
type beatFlow struct {
	headBeats, release, store, out int

	now     int64
	q, s, w int // beats in the input FIFO, in the store, and on their way to the taker
	avail   int
	pending [16]int // beats released, by cycle mod 16

	in    []flowBeat // beats in FIFO and store, oldest first; a part of room
	room  []flowBeat
	at    int  // of in, the first in the FIFO
	index int  // of the next beat to issue, within its packet
	added bool // a beat more is due
}

// flowBeat is a beat between rx and its leaving the store.
type flowBeat struct {
	index  int
	last   bool
	packet int // number of its packet since the last reset
}

func (f *beatFlow) clear() {
	*f = beatFlow{headBeats: f.headBeats, release: f.release, store: f.store, out: f.out,
		now: f.now, in: f.room[:0], room: f.room}
}

// beat returns the beat at a place of a step.
func (f *beatFlow) beat(i int) flowBeat { return f.in[i] }

// left reports whether no beat of a packet, nor of one before it, is in FIFO or store.
func (f *beatFlow) left(packet int) bool { return len(f.in) == 0 || f.in[0].packet > packet }

// adds reports whether a beat more is due.
func (f *beatFlow) adds() bool { return f.added }

// flowStep is what happens to beats in one cycle.
type flowStep struct {
	issued, popped int  // places in flow.in, -1: none
	released       bool // the beat issued releases its packet
	waits          bool // a beat could leave the store but for the output
	full           bool // a beat could issue but for the store
}

// step decides what issues and what leaves the store in this cycle.
func (f *beatFlow) step() (s flowStep) {
	s.issued, s.popped = -1, -1
	f.avail += f.pending[f.now&15]
	f.pending[f.now&15] = 0
	if f.q > 0 {
		if f.s < f.store {
			s.issued = f.at
			b := &f.in[f.at]
			n := 0
			switch {
			case b.index < f.headBeats-1 && !b.last:
			case b.index <= f.headBeats-1:
				n, s.released = b.index+1, true
			default:
				n = 1
			}
			f.pending[(f.now+int64(f.release))&15] += n
		} else {
			s.full = true
		}
	}
	if f.avail > 0 || f.added {
		if f.w < f.out {
			if !f.added {
				s.popped = 0
			}
		} else {
			s.waits = true
		}
	}
	return s
}

// finish takes the step over, with what came in and was taken in the cycle: pushed says that a beat went to
// the output, grows that the beat that left is followed by one more.
func (f *beatFlow) finish(s flowStep, pushed, grows, taken bool) {
	if s.issued >= 0 {
		f.q--
		f.s++
		f.at++
	}
	if s.popped >= 0 {
		f.s--
		f.avail--
		f.at--
		// At most as many beats as FIFO and store hold; moved down only when there is no room behind them.
		if f.in = f.in[1:]; len(f.in) == 0 {
			f.in = f.room[:0]
		}
	} else if f.added && !s.waits {
		f.added = false
	}
	if grows {
		f.added = true
	}
	if pushed {
		f.w++
	}
	if taken {
		f.w--
	}
	f.now++
}

// accept takes a beat into the FIFO; the last of a packet ends it.
func (f *beatFlow) accept(packet int, last bool) {
	if len(f.in) == cap(f.in) {
		if f.room == nil {
			f.room = make([]flowBeat, 0, 1<<10)
		}
		f.in = append(f.room[:0], f.in...)
	}
	f.in = append(f.in, flowBeat{f.index, last, packet})
	f.q++
	if f.index++; last {
		f.index = 0
	}
}

// onesBelow is the number of bytes of a last beat.
func onesBelow(keep uint64) int { return bits.TrailingZeros64(^keep) }

// flowBins are the bins of beats and packets that trimmer and intmd share.
type flowBins struct {
	beats, lastBytes cross
	flow, level, out cross
	lies             cross
	run              int // beats taken one a cycle
}

// Facts about the flow of beats.
const (
	flowStoreFull = iota
	flowOutFull
	flowFullRate
	flowResetInPacket
	flowResetInStore
	flowResetInOutput
	flowEmptyTail
)

var flowNames = words("store_full output_full 64_beats_in_a_row reset_in_packet reset_with_store_in_use reset_with_output_in_use last_beat_without_bytes")

func (b *flowBins) define(p *plan, what []string, store, out int) {
	b.beats = p.add("beats_of_packet", words("1 2 3 4 5 6_to_15 16_or_more"), what)
	b.lastBytes = p.add("bytes_of_last_beat", numbers(0, 64), what)
	b.flow = p.add("beats", flowNames)
	b.level = p.add("beats_in_store", numbers(0, store))
	b.out = p.add("beats_in_output", numbers(0, out))
	b.lies = p.add("len_against_frame", words("short_frame below equal above"))
}

func (b *flowBins) cycle(hits []uint64, f *beatFlow, s flowStep, accepted bool) {
	hits[b.level.at1(f.s)]++
	hits[b.out.at1(f.w)]++
	if s.full {
		hits[b.flow.at1(flowStoreFull)]++
	}
	if s.waits {
		hits[b.flow.at1(flowOutFull)]++
	}
	if !accepted {
		b.run = 0
	} else if b.run++; b.run == 64 {
		hits[b.flow.at1(flowFullRate)]++
	}
}

func (b *flowBins) reset(hits []uint64, f *beatFlow) {
	if f.index > 0 {
		hits[b.flow.at1(flowResetInPacket)]++
	}
	if f.s > 0 {
		hits[b.flow.at1(flowResetInStore)]++
	}
	if f.w > 0 {
		hits[b.flow.at1(flowResetInOutput)]++
	}
	b.run = 0
}

// packet counts a whole packet: beats, bytes of the last one, which way it went, and len.
func (b *flowBins) packet(hits []uint64, beats, lastBytes, what, length, headBeats int) {
	size := 0
	switch {
	case beats <= 5:
		size = beats - 1
	case beats < 16:
		size = 5
	default:
		size = 6
	}
	hits[b.beats.at2(size, what)]++
	hits[b.lastBytes.at2(lastBytes, what)]++
	if lastBytes == 0 {
		hits[b.flow.at1(flowEmptyTail)]++
	}
	actual := 64*(beats-1) + lastBytes
	switch {
	case beats <= headBeats:
		hits[b.lies.at1(0)]++
	case length < actual:
		hits[b.lies.at1(1)]++
	case length == actual:
		hits[b.lies.at1(2)]++
	default:
		hits[b.lies.at1(3)]++
	}
}

// cfgFlow works out when cfg events issue: a FIFO of 2 and 8 credits, nothing waits for anything else.
type cfgFlow struct {
	queue   [2][maxCfgWords]uint64
	n, used int
	open    [][maxCfgWords]uint64 // issued and not answered
	done    [maxCfgWords]uint64   // answered last
}

const maxCfgWords = 16

// waits reports whether an event has not issued.
func (c *cfgFlow) waits() bool { return c.n > 0 }

// issue returns the event that issues in this cycle, or nil, and appends it to those without a response.
func (c *cfgFlow) issue(credits int) []uint64 {
	if c.n == 0 || c.used == credits {
		return nil
	}
	c.open = append(c.open, c.queue[0])
	c.queue[0] = c.queue[1]
	c.n--
	c.used++
	return c.open[len(c.open)-1][:]
}

// finish takes over what came in and was taken in the cycle; it returns the event answered, nil for none.
func (c *cfgFlow) finish(in []uint64, accepted, taken bool) (answered []uint64) {
	if taken && len(c.open) > 0 {
		c.done = c.open[0]
		answered = c.done[:]
		c.open = append(c.open[:0], c.open[1:]...)
		c.used--
	}
	if accepted {
		copy(c.queue[c.n][:], in)
		c.n++
	}
	return answered
}

func (c *cfgFlow) clear() { c.n, c.used, c.open = 0, 0, c.open[:0] }
