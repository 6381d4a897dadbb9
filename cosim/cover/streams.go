package cover

import (
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// watcher collects what a block with several streams does, cycle by cycle.
type watcher interface {
	define(p *plan, b *event.Block, params map[string]int)
	// cycle takes a cycle with rst_n high, reset one with rst_n low.
	cycle(hits []uint64, in, out []uint64)
	reset(hits []uint64)
}

// stream is one stream as its handshake shows it.
type stream struct {
	name         string
	valid, ready uint64
	input        bool
	held         int   // cycles for which its valid has waited
	moved        bool  // in this cycle
	ports        cross // valid and ready
	hold         cross // cycles until a transfer
}

// streams follows the handshakes of a block: every stream by itself, and all of them together.
type streams struct {
	all   []stream
	low   int // cycles of the reset going on
	swept int // cycles since
	sweep int

	pairs           bool // too many streams for every set of them
	together        cross
	two             sparse
	resetLow        cross
	resetAt, offers cross
}

func (s *streams) define(p *plan, b *event.Block, sweep int) {
	l := event.NewLayout(b)
	s.sweep = sweep
	var ins, outs []string
	for _, st := range b.StreamsOf(event.In) {
		s.all = append(s.all, stream{name: st.Name, input: true, valid: l.In.Control(st.Name + "_valid"), ready: l.Out.Control(st.Name + "_ready")})
		ins = append(ins, st.Name)
	}
	for _, st := range b.StreamsOf(event.Out) {
		s.all = append(s.all, stream{name: st.Name, valid: l.Out.Control(st.Name + "_valid"), ready: l.In.Control(st.Name + "_ready")})
		outs = append(outs, st.Name)
	}
	yes := words("0 1")
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

// cycle counts one cycle and sets moved of every stream.
func (s *streams) cycle(hits []uint64, in, out []uint64) {
	if s.low > 0 {
		hits[s.resetLow.at1(min(s.low, 3)-1)]++
		s.low = 0
	}
	s.swept++
	set := 0
	for i := range s.all {
		st := &s.all[i]
		v, r := in[0]&st.valid != 0, out[0]&st.ready != 0
		if !st.input {
			v, r = out[0]&st.valid != 0, in[0]&st.ready != 0
		}
		hits[st.ports.at2(b2i(v), b2i(r))]++
		st.moved = v && r
		if st.moved {
			set |= 1 << i
			s.endHold(hits, st)
		} else if v {
			st.held++
		}
	}
	if !s.pairs {
		hits[s.together.at1(set)]++
		return
	}
	for i := range s.all {
		for j := i + 1; s.all[i].moved && j < len(s.all); j++ {
			if s.all[j].moved {
				s.two.hit(hits, i, j, 0, 0)
			}
		}
	}
}

func (s *streams) endHold(hits []uint64, st *stream) {
	switch {
	case st.held == 0:
		return
	case st.held == 1:
		hits[st.hold.at1(0)]++
	case st.held < 8:
		hits[st.hold.at1(1)]++
	case st.held < 64:
		hits[st.hold.at1(2)]++
	default:
		hits[st.hold.at1(3)]++
	}
	st.held = 0
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
			if s.all[i].held > 0 {
				hits[s.offers.at1(i)]++
			}
		}
	}
	for i := range s.all {
		s.endHold(hits, &s.all[i])
	}
	s.low++
	s.swept = 0
}
