package frame

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/cover"
)

// Flow works out the path of beats through trimmer and intmd: input FIFO, release, store, output. The rules are in the
// contracts of both, under "Timing"; the numbers differ.
type Flow struct {
	HeadBeats, Release, Store, Out int

	now     int64
	q, s, w int // beats in the input FIFO, in the store, and on their way to the taker
	avail   int
	pending [16]int // beats released, by cycle mod 16

	in    []Beat // beats in FIFO and store, oldest first; a part of room
	room  []Beat
	at    int  // of in, the first in the FIFO
	index int  // of the next beat to issue, within its packet
	added bool // a beat more is due
}

// Beat is a beat between rx and its leaving the store.
type Beat struct {
	Index  int
	Last   bool
	Packet int // number of its packet since the last reset
}

func (f *Flow) Clear() {
	*f = Flow{HeadBeats: f.HeadBeats, Release: f.Release, Store: f.Store, Out: f.Out,
		now: f.now, in: f.room[:0], room: f.room}
}

// Beat returns the beat at a place of a step.
func (f *Flow) Beat(i int) Beat { return f.in[i] }

// Left reports whether no beat of a packet, nor of one before it, is in FIFO or store.
func (f *Flow) Left(packet int) bool { return len(f.in) == 0 || f.in[0].Packet > packet }

// Adds reports whether a beat more is due.
func (f *Flow) Adds() bool { return f.added }

// Step is what happens to beats in one cycle.
type Step struct {
	Issued, Popped int  // places for Flow.Beat, -1: none
	Released       bool // the beat issued releases its packet
	Waits          bool // a beat could leave the store but for the output
	full           bool // a beat could issue but for the store
}

// Step decides what issues and what leaves the store in this cycle.
func (f *Flow) Step() (s Step) {
	s.Issued, s.Popped = -1, -1
	f.avail += f.pending[f.now&15]
	f.pending[f.now&15] = 0
	if f.q > 0 {
		if f.s < f.Store {
			s.Issued = f.at
			b := &f.in[f.at]
			n := 0
			switch {
			case b.Index < f.HeadBeats-1 && !b.Last:
			case b.Index <= f.HeadBeats-1:
				n, s.Released = b.Index+1, true
			default:
				n = 1
			}
			f.pending[(f.now+int64(f.Release))&15] += n
		} else {
			s.full = true
		}
	}
	if f.avail > 0 || f.added {
		if f.w < f.Out {
			if !f.added {
				s.Popped = 0
			}
		} else {
			s.Waits = true
		}
	}
	return s
}

// Finish applies the step, with what came in and was taken in the cycle. pushed reports whether a beat went to the
// output, grows whether the beat that left is followed by one more.
func (f *Flow) Finish(s Step, pushed, grows, taken bool) {
	if s.Issued >= 0 {
		f.q--
		f.s++
		f.at++
	}
	if s.Popped >= 0 {
		f.s--
		f.avail--
		f.at--
		// At most as many beats as FIFO and store hold; moved down only when there is no room behind them.
		if f.in = f.in[1:]; len(f.in) == 0 {
			f.in = f.room[:0]
		}
	} else if f.added && !s.Waits {
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

// Accept takes a beat into the FIFO; the last of a packet ends it.
func (f *Flow) Accept(packet int, last bool) {
	if len(f.in) == cap(f.in) {
		if f.room == nil {
			f.room = make([]Beat, 0, 1<<10)
		}
		f.in = append(f.room[:0], f.in...)
	}
	f.in = append(f.in, Beat{f.index, last, packet})
	f.q++
	if f.index++; last {
		f.index = 0
	}
}

// LastBytes is the number of bytes of a last beat.
func LastBytes(keep uint64) int { return bits.TrailingZeros64(^keep) }

// BeatBins are the bins of beats and packets that trimmer and intmd share.
type BeatBins struct {
	flow struct{ StoreFull, OutFull, FullRate, ResetInPacket, ResetInStore, ResetInOutput, EmptyTail int }

	beats, lastBytes cover.Cross
	level, out       cover.Cross
	lies             cover.Cross
	run              int // beats taken one a cycle
}

func (b *BeatBins) Define(p *cover.Plan, what []string, store, out int) {
	b.beats = p.Add("beats_of_packet", cover.Labels("1 2 3 4 5 6_to_15 16_or_more"), what)
	b.lastBytes = p.Add("bytes_of_last_beat", cover.Numbers(0, 64), what)
	p.Places("beats", cover.Labels(`store_full output_full 64_beats_in_a_row reset_in_packet reset_with_store_in_use
		reset_with_output_in_use last_beat_without_bytes`), &b.flow)
	b.level = p.Add("beats_in_store", cover.Numbers(0, store))
	b.out = p.Add("beats_in_output", cover.Numbers(0, out))
	b.lies = p.Add("len_against_frame", cover.Labels("short_frame below equal above"))
}

func (b *BeatBins) Cycle(hits cover.Hits, f *Flow, s Step, accepted bool) {
	hits[b.level.At1(f.s)]++
	hits[b.out.At1(f.w)]++
	hits.If(s.full, b.flow.StoreFull)
	hits.If(s.Waits, b.flow.OutFull)
	if !accepted {
		b.run = 0
	} else if b.run++; b.run == 64 {
		hits[b.flow.FullRate]++
	}
}

func (b *BeatBins) Reset(hits cover.Hits, f *Flow) {
	hits.If(f.index > 0, b.flow.ResetInPacket)
	hits.If(f.s > 0, b.flow.ResetInStore)
	hits.If(f.w > 0, b.flow.ResetInOutput)
	b.run = 0
}

// Packet counts a whole packet: beats, bytes of the last one, which way it went, and len.
func (b *BeatBins) Packet(hits cover.Hits, beats, lastBytes, what, length, headBeats int) {
	hits[b.beats.At2(cover.Band(beats, 2, 3, 4, 5, 6, 16), what)]++
	hits[b.lastBytes.At2(lastBytes, what)]++
	hits.If(lastBytes == 0, b.flow.EmptyTail)
	actual := 64*(beats-1) + lastBytes
	hits[b.lies.At1(cover.First(beats <= headBeats, length < actual, length == actual))]++
}

// Access works out when cfg events issue: a FIFO of 2 and 8 credits, nothing waits for anything else.
type Access struct {
	queue   [2][maxCfgWords]uint64
	n, used int
	open    cover.Queue[[maxCfgWords]uint64] // issued and not answered
	done    [maxCfgWords]uint64              // answered last
}

const maxCfgWords = 16

// Waits reports whether an event has not issued.
func (c *Access) Waits() bool { return c.n > 0 }

// Issue returns the event that issues in this cycle, or nil, and appends it to those without a response.
func (c *Access) Issue(credits int) []uint64 {
	if c.n == 0 || c.used == credits {
		return nil
	}
	c.open = append(c.open, c.queue[0])
	c.queue[0] = c.queue[1]
	c.n--
	c.used++
	return c.open[len(c.open)-1][:]
}

// Finish applies what came in and was taken in the cycle; it returns the event answered, nil for none.
func (c *Access) Finish(in []uint64, accepted, taken bool) (answered []uint64) {
	if taken && len(c.open) > 0 {
		c.done = c.open.Pop()
		answered = c.done[:]
		c.used--
	}
	if accepted {
		copy(c.queue[c.n][:], in)
		c.n++
	}
	return answered
}

func (c *Access) Clear() { c.n, c.used, c.open = 0, 0, c.open[:0] }
