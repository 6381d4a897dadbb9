package cover

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// stream is one stream as its handshake shows it.
type stream struct {
	name  string
	since int   // cycle since which its valid has waited, where it does
	ports Cross // valid and ready
	hold  Cross // cycles until a transfer
}

// Streams follows the handshakes of a block: every stream by itself, and all of them together. A set of streams has
// bit i for the i-th of the schema, inputs before outputs.
//
// The control bits of word 0, see package event, hold such sets: of an input record, above rst_n, the valids of inputs
// and the readies of outputs; of an output record the readies of inputs and the valids of outputs.
type Streams struct {
	all   []stream
	low   int // cycles of the reset going on
	swept int // cycles since
	sweep int

	full, outs     uint64   // sets of all streams and of the outputs
	moves, waiting uint64   // sets as of this cycle
	flat           []uint64 // cycles by both records' control bits, which fold spreads over bins

	pairs           bool // too many streams for every set of them
	together        Cross
	two             Sparse
	resetLow        Cross
	resetAt, offers Cross
}

func (s *Streams) Define(p *Plan, b *event.Block, sweep int) {
	s.sweep = sweep
	ins := b.StreamsOf(event.In)
	var names []string
	for _, st := range append(ins[:len(ins):len(ins)], b.StreamsOf(event.Out)...) {
		s.all, names = append(s.all, stream{name: st.Name}), append(names, st.Name)
	}
	s.full = 1<<len(s.all) - 1
	s.outs = s.full &^ (1<<len(ins) - 1)
	s.flat = make([]uint64, (s.full+1)*(s.full+1))
	yes := YesNo
	for i := range s.all {
		st := &s.all[i]
		st.ports = p.Add(st.name+"_valid_ready", yes, yes)
		st.hold = p.Add(st.name+"_waits_cycles", Labels("1 2_to_7 8_to_63 64_or_more"))
	}
	if s.pairs = len(names) > 5; s.pairs {
		// Every two streams: all sets of seven are more than traffic brings about.
		s.two = p.AddSome("transfers_of_two_streams", func(i, j, _, _ int) bool { return i < j }, names, names)
	} else {
		sets := []string{"none"}
		for set := 1; set < 1<<len(names); set++ {
			var on []string
			for i, n := range names {
				if set>>i&1 != 0 {
					on = append(on, n)
				}
			}
			sets = append(sets, strings.Join(on, "+"))
		}
		s.together = p.Add("transfers_in_one_cycle", sets)
	}
	s.resetLow = p.Add("reset_length", Labels("1 2 longer"))
	s.resetAt = p.Add("reset_comes", Labels("in_sweep just_after_sweep later"))
	s.offers = p.Add("reset_finds_offered", names)
}

// Moved reports whether stream i transferred in this cycle.
func (s *Streams) Moved(i int) bool { return s.moves>>i&1 != 0 }

// MovedSet returns the streams that transferred in this cycle, bit i for stream i.
func (s *Streams) MovedSet() uint64 { return s.moves }

// SinceReset returns the cycles since the last reset, this one among them.
func (s *Streams) SinceReset() int { return s.swept }

// InReset reports whether the cycle before was one of a reset.
func (s *Streams) InReset() bool { return s.low > 0 }

// Cycle counts one cycle with rst_n high, by word 0 of both records.
func (s *Streams) Cycle(hits Hits, in, out uint64) {
	if s.low > 0 {
		hits[s.resetLow.At1(min(s.low, 3)-1)]++
		s.low = 0
	}
	s.swept++
	a, b := in>>1&s.full, out&s.full
	s.flat[a*(s.full+1)|b]++
	moved := a & b
	s.moves = moved
	for set := moved & s.waiting; set != 0; set &= set - 1 {
		s.endHold(hits, &s.all[bits.TrailingZeros64(set)])
	}
	waiting := s.valid(a, b) &^ moved
	for set := waiting &^ s.waiting; set != 0; set &= set - 1 {
		s.all[bits.TrailingZeros64(set)].since = s.swept
	}
	// A stream that waited and is gone without a transfer breaks a rule of the ports; its cycles keep counting.
	s.waiting = s.waiting&^moved | waiting
}

// valid returns the streams whose valid is high.
func (s *Streams) valid(a, b uint64) uint64 { return a&^s.outs | b&s.outs }

// Fold spreads the counts of whole cycles over the bins, which saves a cycle one addition for each stream.
func (s *Streams) Fold(hits Hits) {
	for i, n := range s.flat {
		if n == 0 {
			continue
		}
		s.flat[i] = 0
		a, b := uint64(i)/(s.full+1), uint64(i)&s.full
		moved, valid := a&b, s.valid(a, b)
		ready := a ^ b ^ valid
		for k := range s.all {
			hits[s.all[k].ports.At2(int(valid>>k&1), int(ready>>k&1))] += n
		}
		if !s.pairs {
			hits[s.together.At1(int(moved))] += n
			continue
		}
		for k := range s.all {
			for j := k + 1; j < len(s.all); j++ {
				if (moved>>k)&(moved>>j)&1 != 0 {
					s.two.Add(hits, k, j, n)
				}
			}
		}
	}
}

// endHold counts a wait that ends with this cycle.
func (s *Streams) endHold(hits Hits, st *stream) {
	hits[st.hold.At1(Band(s.swept-st.since, 2, 8, 64))]++
}

func (s *Streams) Reset(hits Hits) {
	if s.low == 0 && s.swept > 0 {
		hits[s.resetAt.At1(Band(s.swept, s.sweep+1, s.sweep+3))]++
		for i := range s.all {
			hits.If(s.waiting>>i&1 != 0, s.offers.At1(i))
		}
	}
	s.swept++ // the wait was until the cycle before this one
	for set := s.waiting; set != 0; set &= set - 1 {
		s.endHold(hits, &s.all[bits.TrailingZeros64(set)])
	}
	s.low++
	s.swept, s.waiting = 0, 0
}

// ExcludeWaits excludes the waits longer than the sweep of an input that is always ready after it.
func (s *Streams) ExcludeWaits(p *Plan, name string, sweep int) {
	hold := s.all[slices.IndexFunc(s.all, func(st stream) bool { return st.name == name })].hold
	for k, least := range []int{1, 2, 8, 64} {
		if sweep >= least {
			continue
		}
		p.Exclude(hold.At1(k), name+" waits in the sweep only: what is accepted issues in the next cycle", func() error {
			// q(t+1) = q(t) + accept(t) - issue(t), issue(t) = q(t) > 0, ready(t) = q(t) < 2: with an offer in every
			// cycle of 1000, ready never falls.
			q := 0
			return None(1000, "not ready in cycle", func(int) bool {
				full := q >= 2
				q += 1 - Bit(q > 0)
				return full || sweep >= least
			})()
		})
	}
}

// Control bits of word 0, see package event: of every block rst_n, and of a block with one stream of events its valid.
const (
	inRstN    = 1 << 0
	inEvValid = 1 << 1
)

// BeatEnd reads where the packets of an input stream end, without the rest of a beat.
type BeatEnd struct {
	keep, last int    // words
	lastBit    uint64 // in its word
}

func NewBeatEnd(l *event.Layout, stream string) BeatEnd {
	last := l.In.Slot(stream, "last")
	return BeatEnd{l.In.Slot(stream, "keep").Word, last.Word, 1 << last.Bit}
}

func (e *BeatEnd) Read(in []uint64) (keep uint64, last bool) {
	return in[e.keep], in[e.last]&e.lastBit != 0
}
