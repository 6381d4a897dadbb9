package cover

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// stream is one stream as its handshake shows it.
type stream struct {
	name  string
	since int   // cycle since which its valid has waited, where it does
	ports cross // valid and ready
	hold  cross // cycles until a transfer
}

// streams follows the handshakes of a block: every stream by itself, and all of them together. A set of streams has
// bit i for the i-th of the schema, inputs before outputs.
//
// The control bits of word 0, see package event, hold such sets: of an input record, above rst_n, the valids of inputs
// and the readies of outputs; of an output record the readies of inputs and the valids of outputs.
type streams struct {
	all   []stream
	low   int // cycles of the reset going on
	swept int // cycles since
	sweep int

	full, outs     uint64   // sets of all streams and of the outputs
	moves, waiting uint64   // sets as of this cycle
	flat           []uint64 // cycles by both records' control bits, which fold spreads over bins

	pairs           bool // too many streams for every set of them
	together        cross
	two             sparse
	resetLow        cross
	resetAt, offers cross
}

func (s *streams) define(p *plan, b *event.Block, sweep int) {
	s.sweep = sweep
	var ins, outs []string
	for _, st := range b.StreamsOf(event.In) {
		s.all = append(s.all, stream{name: st.Name})
		ins = append(ins, st.Name)
	}
	for _, st := range b.StreamsOf(event.Out) {
		s.all = append(s.all, stream{name: st.Name})
		outs = append(outs, st.Name)
	}
	s.full = 1<<len(s.all) - 1
	s.outs = s.full &^ (1<<len(ins) - 1)
	s.flat = make([]uint64, (s.full+1)*(s.full+1))
	yes := yesNo
	for i := range s.all {
		st := &s.all[i]
		st.ports = p.add(st.name+"_valid_ready", yes, yes)
		st.hold = p.add(st.name+"_waits_cycles", words("1 2_to_7 8_to_63 64_or_more"))
	}
	names := append(ins, outs...)
	if s.pairs = len(names) > 5; s.pairs {
		// Every two streams: all sets of seven are more than traffic brings about.
		s.two = p.addSome("transfers_of_two_streams", func(i, j, _, _ int) bool { return i < j }, names, names)
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
		s.together = p.add("transfers_in_one_cycle", sets)
	}
	s.resetLow = p.add("reset_length", words("1 2 longer"))
	s.resetAt = p.add("reset_comes", words("in_sweep just_after_sweep later"))
	s.offers = p.add("reset_finds_offered", names)
}

// moved reports whether stream i transferred in this cycle.
func (s *streams) moved(i int) bool { return s.moves>>i&1 != 0 }

// movedSet returns the streams that transferred in this cycle, bit i for stream i.
func (s *streams) movedSet() uint64 { return s.moves }

// sinceReset returns the cycles since the last reset, this one among them.
func (s *streams) sinceReset() int { return s.swept }

// inReset reports whether the cycle before was one of a reset.
func (s *streams) inReset() bool { return s.low > 0 }

// cycle counts one cycle with rst_n high.
func (s *streams) cycle(hits []uint64, in, out []uint64) {
	if s.low > 0 {
		hits[s.resetLow.at1(min(s.low, 3)-1)]++
		s.low = 0
	}
	s.swept++
	a, b := in[0]>>1&s.full, out[0]&s.full
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
	// What waited and is gone without a transfer would break a rule of the ports: its cycles count on.
	s.waiting = s.waiting&^moved | waiting
}

// valid returns the streams whose valid is high.
func (s *streams) valid(a, b uint64) uint64 { return a&^s.outs | b&s.outs }

// fold spreads the counts of whole cycles over the bins, which saves a cycle one addition for each stream.
func (s *streams) fold(hits []uint64) {
	for i, n := range s.flat {
		if n == 0 {
			continue
		}
		s.flat[i] = 0
		a, b := uint64(i)/(s.full+1), uint64(i)&s.full
		moved, valid := a&b, s.valid(a, b)
		ready := a ^ b ^ valid
		for k := range s.all {
			hits[s.all[k].ports.at2(int(valid>>k&1), int(ready>>k&1))] += n
		}
		if !s.pairs {
			hits[s.together.at1(int(moved))] += n
			continue
		}
		for k := range s.all {
			for j := k + 1; j < len(s.all); j++ {
				if (moved>>k)&(moved>>j)&1 != 0 {
					s.two.add(hits, k, j, n)
				}
			}
		}
	}
}

// endHold counts a wait that ends with this cycle.
func (s *streams) endHold(hits []uint64, st *stream) {
	switch held := s.swept - st.since; {
	case held == 1:
		hits[st.hold.at1(0)]++
	case held < 8:
		hits[st.hold.at1(1)]++
	case held < 64:
		hits[st.hold.at1(2)]++
	default:
		hits[st.hold.at1(3)]++
	}
}

func (s *streams) reset(hits []uint64) {
	if s.low == 0 && s.swept > 0 {
		switch {
		case s.swept <= s.sweep:
			hits[s.resetAt.at1(0)]++
		case s.swept <= s.sweep+2:
			hits[s.resetAt.at1(1)]++
		default:
			hits[s.resetAt.at1(2)]++
		}
		for i := range s.all {
			if s.waiting>>i&1 != 0 {
				hits[s.offers.at1(i)]++
			}
		}
	}
	s.swept++ // the wait was until the cycle before this one
	for set := s.waiting; set != 0; set &= set - 1 {
		s.endHold(hits, &s.all[bits.TrailingZeros64(set)])
	}
	s.low++
	s.swept, s.waiting = 0, 0
}

// excludeWaits says how long an input that is always ready after the sweep can be offered in vain.
func (s *streams) excludeWaits(p *plan, name string, sweep int) {
	for i := range s.all {
		if s.all[i].name != name {
			continue
		}
		for k, least := range []int{1, 2, 8, 64} {
			if sweep >= least {
				continue
			}
			p.exclude(s.all[i].hold.at1(k), &Proof{name + " waits in the sweep only: what is accepted issues in the next cycle", func() error {
				// q(t+1) = q(t) + accept(t) - issue(t), issue(t) = q(t) > 0, ready(t) = q(t) < 2: with an offer in
				// every cycle of 1000, ready never falls.
				q := 0
				for t := range 1000 {
					if q >= 2 {
						return fmt.Errorf("not ready at %d", t)
					}
					q += 1 - b2i(q > 0)
				}
				if sweep >= least {
					return fmt.Errorf("a sweep of %d cycles", sweep)
				}
				return nil
			}})
		}
	}
}
