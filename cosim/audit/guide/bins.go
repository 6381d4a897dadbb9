package guide

import (
	"math/bits"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// binBits is the width of a bin's number. The bins are not listed: a number is a hash of what was seen. When two bins
// share a number, the search loses a little; no verdict depends on it.
const binBits = 21

// bin is the number of a bin.
type bin uint32

// The groups of bins, beside those of the block's coverage.
const (
	ofCoverage = iota
	ofShape    // a response by its flags and codes
	ofPair     // two responses in a row
	ofBit      // a bit of a field, 0 or 1, in an event or a response of a kind
	ofLength   // the bit length of a field, by the shape of the response
	ofStep     // an intermediate value of the model by its rule: its bit length, and each of its bits
	ofDistance // the distance between two intermediate values of a rule
	ofRules    // the rules that decided a response
	ofLatency  // cycles from an event to its response
	ofFlight   // events in flight when one is accepted, and how closely they follow each other
	ofHold     // cycles for which a port was held
	ofReset    // events in flight at a reset
)

// tally is an observer that notes each bin seen in an episode once.
type tally struct {
	play.Still
	ins, outs []lane
	answers   []int // by output stream: the input stream that it answers, or -1

	stamp []uint32 // by bin: the episode that saw it last
	now   uint32
	seen  []bin // in this episode

	lastShape uint64
	lastAt    uint64
	lastKind  uint64
	steps     map[uint64]*known // by rule and name
	held      [2][]uint32       // cycles for which a stream has waited: inputs, outputs
}

// lane is a stream with its fields by size.
type lane struct {
	port   *event.Port
	kind   *event.Slot   // the field kind; nil without one
	narrow []*event.Slot // codes and flags
	wide   []*event.Slot // numbers
	bits   []known       // by kind and number: the bits noted in this episode
	kinds  []uint64      // of the events in flight, oldest first
	since  []uint64      // the cycles of their acceptance
}

// known has the bits of a value that were 1, and those that were 0.
type known struct{ ones, zeros uint64 }

// news returns the bits of a value of w bits that are new, and adds them.
func (k *known) news(v uint64, w int) (ones, zeros uint64) {
	all := ^uint64(0) >> (64 - w)
	ones, zeros = v&all&^k.ones, ^v&all&^k.zeros
	k.ones |= ones
	k.zeros |= zeros
	return ones, zeros
}

// widest is the width of the widest field that counts as a code.
const widest = 3

func newTally(b *event.Block, l *event.Layout) *tally {
	t := &tally{stamp: make([]uint32, 1<<binBits), steps: map[uint64]*known{}}
	ports := play.PortsOf(l)
	add := func(to []lane, p *event.Port) []lane {
		x := lane{port: p}
		for _, s := range p.Slots {
			switch {
			case s.Field.Name == "kind":
				x.kind = s
				x.narrow = append(x.narrow, s)
			case s.Field.Width <= widest || s.Field.Enum != "":
				x.narrow = append(x.narrow, s)
			default:
				x.wide = append(x.wide, s)
			}
		}
		x.bits = make([]known, x.codes()*len(x.wide))
		return append(to, x)
	}
	for i := range l.Inputs() {
		t.ins = add(t.ins, &l.Inputs()[i])
	}
	for i := range l.Outputs() {
		t.outs = add(t.outs, &l.Outputs()[i])
		t.answers = append(t.answers, ports.Cause(i))
	}
	t.held = [2][]uint32{make([]uint32, len(t.ins)), make([]uint32, len(t.outs))}
	return t
}

// note counts a bin, given by its group and what was seen.
func (t *tally) note(group uint64, what ...uint64) {
	h := group*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	for _, x := range what {
		h = (h ^ x) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	n := bin(h >> (64 - binBits))
	if t.stamp[n] != t.now {
		t.stamp[n] = t.now
		t.seen = append(t.seen, n)
	}
}

// noteBits counts a bin for each bit of ones and of zeros.
func (t *tally) noteBits(ones, zeros, group, of, name uint64) {
	for ; ones != 0; ones &= ones - 1 {
		t.note(group, of, name, uint64(bits.TrailingZeros64(ones))<<1|1)
	}
	for ; zeros != 0; zeros &= zeros - 1 {
		t.note(group, of, name, uint64(bits.TrailingZeros64(zeros))<<1)
	}
}

func (t *tally) Begin(uint64, *stim.Episode) {
	t.now++
	t.seen = t.seen[:0]
	t.forget()
	t.lastShape, t.lastAt, t.lastKind = 0, 0, 0
	for i := range t.ins {
		clear(t.ins[i].bits)
	}
	for i := range t.outs {
		clear(t.outs[i].bits)
	}
	for _, k := range t.steps {
		*k = known{}
	}
	clear(t.held[0])
	clear(t.held[1])
}

func (t *tally) forget() {
	for i := range t.ins {
		t.ins[i].kinds, t.ins[i].since = t.ins[i].kinds[:0], t.ins[i].since[:0]
	}
}

// Reset notes what was in flight.
func (t *tally) Reset(n uint64) {
	for i := range t.ins {
		t.note(ofReset, uint64(i), uint64(len(t.ins[i].kinds)))
	}
	t.forget()
	t.lastAt = n
}

// Accept notes the values of an event, and what is in flight.
func (t *tally) Accept(n uint64, s int, in []uint64, ends bool) {
	x := &t.ins[s]
	kind := x.code(in)
	t.values(uint64(s), kind, x, in)
	apart := min(n-t.lastAt, 10)
	t.note(ofFlight, uint64(s), uint64(len(x.kinds)), apart)
	t.note(ofFlight, uint64(s), kind, t.lastKind, apart)
	t.lastAt, t.lastKind = n, kind
	if ends {
		x.kinds, x.since = append(x.kinds, kind), append(x.since, n)
	}
}

// Respond notes the shape and the values of a response.
func (t *tally) Respond(n uint64, s int, out []uint64, ends bool) {
	x := &t.outs[s]
	shape := uint64(s) + 1
	for _, slot := range x.narrow {
		shape = shape*0x100000001b3 ^ slot.Get(out)
	}
	t.note(ofShape, shape)
	t.note(ofPair, t.lastShape, shape)
	t.lastShape = shape
	for i, slot := range x.wide {
		if slot.Field.Width <= 64 {
			t.note(ofLength, shape, uint64(i), uint64(bits.Len64(slot.Get(out))))
		}
	}
	t.values(uint64(s)+64, x.code(out), x, out)
	if !ends {
		return
	}
	if k := t.answers[s]; k >= 0 && len(t.ins[k].kinds) > 0 {
		from := &t.ins[k]
		t.note(ofLatency, from.kinds[0], min(n-from.since[0], 100))
		from.kinds, from.since = from.kinds[1:], from.since[1:]
	}
}

func (x *lane) codes() int {
	if x.kind == nil {
		return 1
	}
	return 1 << x.kind.Field.Width
}

// code returns the kind of an event or a response, 0 without one.
func (x *lane) code(rec []uint64) uint64 {
	if x.kind == nil {
		return 0
	}
	return x.kind.Get(rec)
}

// values notes the bits of the fields of a transfer.
func (t *tally) values(s, kind uint64, x *lane, rec []uint64) {
	for i, slot := range x.narrow {
		t.note(ofBit, s, kind, uint64(i)+100, slot.Get(rec))
	}
	for i, slot := range x.wide {
		if w := slot.Field.Width; w <= 64 {
			ones, zeros := x.bits[int(kind)*len(x.wide)+i].news(slot.Get(rec), w)
			t.noteBits(ones, zeros, ofBit, s<<8|kind, uint64(i))
		}
	}
}

// Cycle notes how long each stream waits.
func (t *tally) Cycle(_ uint64, in, out []uint64) {
	hold := func(kind, i int, offered, taken bool) {
		h := &t.held[kind][i]
		switch {
		case offered && !taken:
			*h++
		case *h > 0:
			t.note(ofHold, uint64(kind), uint64(i), uint64(min(*h, 80)))
			*h = 0
		}
	}
	for i := range t.ins {
		p := t.ins[i].port
		hold(0, i, p.Offered(in), p.Taken(out))
	}
	for i := range t.outs {
		p := t.outs[i].port
		hold(1, i, p.Offered(out), p.Taken(in))
	}
}

// decided notes how the model came to a response.
func (t *tally) decided(d *event.Decision) {
	by := uint64(0) // a sum, since a map has no order
	for name, rules := range d.By {
		h := text(name)
		for _, r := range rules {
			h = h*31 ^ text(r)
		}
		t.note(ofRules, h)
		by += h * h
	}
	t.note(ofRules, by)
	for i := range d.Steps {
		s := &d.Steps[i]
		size := s.Value.BitLen()
		if size > 64 {
			continue
		}
		name := text(s.Rule) ^ text(s.Name)*3
		k := t.steps[name]
		if k == nil {
			k = &known{}
			t.steps[name] = k
		}
		t.note(ofStep, name, uint64(size), uint64(s.Value.Sign()))
		ones, zeros := k.news(s.Value.Uint64(), max(size, 1))
		t.noteBits(ones, zeros, ofStep, name, 1000)
		if i > 0 && d.Steps[i-1].Value.IsInt64() && s.Value.IsInt64() {
			apart := s.Value.Int64() - d.Steps[i-1].Value.Int64()
			t.note(ofDistance, name, uint64(bits.Len64(uint64(max(apart, -apart)))), uint64(apart)>>63)
		}
	}
}
