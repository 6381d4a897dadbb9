package schema

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/expr"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Limits of the search for an event that satisfies every constraint: draws of a field before the event is restarted,
// restarts before the search gives up, and rounds of narrowing in a row.
const fieldTries, eventTries, narrowRounds = 12, 400, 64

// defaultCorners is how often, in percent, a field is drawn from its corners.
const defaultCorners = 40

// field is one field of a stream, prepared for drawing.
type field struct {
	slot    *event.Slot
	spans   []event.Span // nil: the field is wider than 64 bits
	weights int          // sum over the spans
	corners int
	v       *expr.Var
	bound   []*rule // constraints that name the field
}

// rule is one constraint of a stream.
type rule struct {
	*expr.Constraint
	src    *event.Constraint
	off    bool // disabled while looking for the constraints that contradict each other
	failed int  // how often it could not be satisfied in the event being drawn
	drawn  bool // for a field drawn from a set; enabled or not depending on whether the set has a member
}

// stream draws the events of one input stream of a user-defined block.
type stream struct {
	name   string
	fields []field
	order  []int // order in which fields are drawn: first those with several spans
	rules  []rule
	hulls  []bounds // of the fields before any constraint
	base   []bounds // of the fields, narrowed by what holds for every event
	memory *memory  // of the stimulus; nil for none
	draws  []*setDraw
}

// bounds is the state of an expr.Var.
type bounds struct{ lo, hi, step, rem big.Int }

func (b *bounds) save(v *expr.Var) {
	b.lo.Set(&v.Lo)
	b.hi.Set(&v.Hi)
	b.step.Set(&v.Step)
	b.rem.Set(&v.Rem)
}

func (b *bounds) restore(v *expr.Var) {
	v.Lo.Set(&b.lo)
	v.Hi.Set(&b.hi)
	v.Step.Set(&b.step)
	v.Rem.Set(&b.rem)
}

// newStream prepares a stream. It errors, naming the constraint, if no event of the stream can satisfy it.
func newStream(b *event.Block, in *event.Record, s *event.Stream, params map[string]int, m *memory) (*stream, error) {
	m.free()
	o := &stream{name: s.Name, memory: m, fields: make([]field, len(s.Fields)), base: make([]bounds, len(s.Fields))}
	var given *event.StreamStimulus
	if b.Stimulus != nil {
		for i := range b.Stimulus.Streams {
			if b.Stimulus.Streams[i].Name == s.Name {
				given = &b.Stimulus.Streams[i]
			}
		}
	}
	var plain []int
	vars := make([]*expr.Var, len(s.Fields))
	for i := range s.Fields {
		f := &o.fields[i]
		f.slot, f.v, f.corners = in.Slot(s.Name, s.Fields[i].Name), new(expr.Var), defaultCorners
		vars[i] = f.v
		var st *event.FieldStimulus
		if given != nil {
			for k := range given.Fields {
				if given.Fields[k].Name == s.Fields[i].Name {
					st = &given.Fields[k]
				}
			}
		}
		if st != nil && st.Corners != nil {
			f.corners = *st.Corners
		}
		if s.Fields[i].Width <= 64 {
			var err error
			if f.spans, err = b.Spans(&s.Fields[i], st); err != nil {
				return nil, fmt.Errorf("stimulus of %s.%s: %w", s.Name, s.Fields[i].Name, err)
			}
			f.hull()
		}
		if len(f.spans) > 1 {
			o.order = append(o.order, i)
		} else {
			plain = append(plain, i)
		}
	}
	o.order = append(o.order, plain...)
	if given != nil {
		o.rules = make([]rule, len(given.Constraints))
		for i := range given.Constraints {
			r := &o.rules[i]
			r.src = &given.Constraints[i]
			var states map[string]*expr.Var
			if m != nil {
				states = m.vars
			}
			var err error
			if r.Constraint, err = r.src.BindState(b, s, vars, params, states); err != nil {
				return nil, fmt.Errorf("stimulus of %s: %s", s.Name, r.src.At(err))
			}
		}
		for i := range given.Fields {
			if st := &given.Fields[i]; st.From != "" {
				if err := o.newDraw(b, s, st, vars, params, m); err != nil {
					return nil, fmt.Errorf("stimulus of %s.%s: %w", s.Name, st.Name, err)
				}
			}
		}
		for i := range o.rules { // o.rules is complete, so pointers into it stay valid
			for _, v := range o.rules[i].Vars() {
				for k := range o.fields {
					if o.fields[k].v == v {
						o.fields[k].bound = append(o.fields[k].bound, &o.rules[i])
					}
				}
			}
		}
	}
	o.hulls = make([]bounds, len(o.fields))
	for i := range o.fields {
		o.hulls[i].save(o.fields[i].v)
	}
	if o.narrow(o.all()) != nil {
		return nil, o.contradiction()
	}
	for i := range o.fields {
		o.base[i].save(o.fields[i].v)
	}
	return o, nil
}

// hull sets the field's variable to all values of its spans.
func (f *field) hull() {
	f.v.Lo.Set(&f.spans[0].Lo)
	f.v.Hi.Set(&f.spans[0].Hi)
	for i := range f.spans {
		s := &f.spans[i]
		f.weights += s.Weight
		if s.Lo.Cmp(&f.v.Lo) < 0 {
			f.v.Lo.Set(&s.Lo)
		}
		if s.Hi.Cmp(&f.v.Hi) > 0 {
			f.v.Hi.Set(&s.Hi)
		}
	}
}

// narrow removes values that the rules forbid until nothing changes. It returns a rule that leaves no value, or nil.
func (o *stream) narrow(rules []*rule) *rule {
	for range narrowRounds {
		changed := false
		for _, r := range rules {
			if r.off {
				continue
			}
			if !r.Narrow() {
				r.failed++
				return r
			}
			changed = changed || r.Changed()
		}
		if !changed {
			return nil
		}
		if len(rules) < len(o.rules) { // the change may affect the other rules
			rules = rules[:0:0]
			for i := range o.rules {
				rules = append(rules, &o.rules[i])
			}
		}
	}
	return nil
}

// draw packs an event into dst. It errors, naming the constraints at fault, if it finds none.
func (o *stream) draw(r *stim.Rand, dst []uint64) error {
	clear(dst)
	for i := range o.rules {
		o.rules[i].failed = 0
	}
	for range eventTries {
		if o.memory != nil {
			o.memory.draw(r)
		}
		if !o.ready() {
			continue
		}
		if o.try(r, dst) {
			return nil
		}
	}
	return o.rarity()
}

func (o *stream) try(r *stim.Rand, dst []uint64) bool {
	var saved []bounds
	for _, i := range o.order {
		f := &o.fields[i]
		if f.spans == nil {
			f.wide(r, dst)
			continue
		}
		if len(f.bound) > 0 && saved == nil {
			saved = make([]bounds, len(o.fields))
		}
		for k := range saved {
			saved[k].save(o.fields[k].v)
		}
		done := false
		for n := 0; !done; n++ {
			if n == fieldTries || !f.pick(r) {
				return false
			}
			if len(f.bound) == 0 || o.narrow(f.bound) == nil {
				done = true
				break
			}
			for k := range saved {
				saved[k].restore(o.fields[k].v)
			}
		}
		x := f.v.Lo.Uint64()
		if f.v.Lo.Sign() < 0 {
			x = uint64(f.v.Lo.Int64())
		}
		f.slot.Set(dst, x)
	}
	return true
}

// wide draws a field of more than 64 bits: random, all zeros or all ones.
func (f *field) wide(r *stim.Rand, dst []uint64) {
	kind := r.N(200)
	for w, left := f.slot.Word, f.slot.Field.Width; left > 0; w, left = w+1, left-64 {
		x := r.Bits(min(left, 64))
		switch {
		case kind < f.corners:
			x = 0
		case kind < 2*f.corners:
			x = ^uint64(0) >> (64 - min(left, 64))
		}
		dst[w] = x
	}
}

// pick sets the field's variable to one value that its spans and bounds allow. It returns false if there is none.
func (f *field) pick(r *stim.Rand) bool {
	total := 0
	for i := range f.spans {
		if f.meets(&f.spans[i]) {
			total += f.spans[i].Weight
		}
	}
	if total == 0 {
		return false
	}
	at := r.N(total)
	for i := range f.spans {
		s := &f.spans[i]
		if !f.meets(s) {
			continue
		}
		if at -= s.Weight; at >= 0 {
			continue
		}
		if s.Lo.Cmp(&f.v.Lo) > 0 {
			f.v.Lo.Set(&s.Lo)
		}
		if s.Hi.Cmp(&f.v.Hi) < 0 {
			f.v.Hi.Set(&s.Hi)
		}
		break
	}
	return f.value(r)
}

func (f *field) meets(s *event.Span) bool {
	return s.Lo.Cmp(&f.v.Hi) <= 0 && s.Hi.Cmp(&f.v.Lo) >= 0
}

// value picks one of the variable's values. In corners of 100 draws it is an end or its neighbour, 0, 1, -1 or next to
// a power of two; otherwise it is uniform in length or in value.
func (f *field) value(r *stim.Rand) bool {
	v := f.v
	if v.Single() {
		return f.fits()
	}
	width := new(big.Int).Sub(&v.Hi, &v.Lo) // below 2^64
	x := new(big.Int)
	near := func(base *big.Int, by int64) *big.Int { return x.Add(base, big.NewInt(by)) }
	switch corner := r.N(100) < f.corners; {
	case corner:
		switch r.N(8) {
		case 0, 1:
			x.Set(&v.Lo)
		case 2, 3:
			x.Set(&v.Hi)
		case 4:
			near(&v.Lo, int64(r.N(3)))
		case 5:
			near(&v.Hi, -int64(r.N(3)))
		case 6:
			x.SetInt64(int64(r.N(3)) - 1)
		default:
			x.Lsh(big.NewInt(1), uint(r.N(max(v.Lo.BitLen(), v.Hi.BitLen()))))
			if v.Lo.Sign() < 0 && r.One(2) {
				x.Neg(x)
			}
			near(x, int64(r.N(3))-1)
		}
	case r.One(3):
		x.SetUint64(r.LogN(width.BitLen()))
		x.Add(x, &v.Lo)
	default:
		x.SetUint64(r.U64())
		if !width.IsUint64() || width.Uint64() != ^uint64(0) {
			x.Mod(x, width.Add(width, big.NewInt(1)))
		}
		x.Add(x, &v.Lo)
	}
	if v.Step.Sign() > 0 { // round down to a value with the right remainder; Lo has it
		x.Sub(x, new(big.Int).Mod(new(big.Int).Sub(x, &v.Rem), &v.Step))
	}
	if x.Cmp(&v.Lo) < 0 {
		x.Set(&v.Lo)
	}
	if x.Cmp(&v.Hi) > 0 {
		x.Set(&v.Hi)
	}
	v.Lo.Set(x)
	v.Hi.Set(x)
	return f.fits()
}

// fits reports whether a single value has the remainder that a constraint requires.
func (f *field) fits() bool {
	return f.v.Step.Sign() == 0 || new(big.Int).Mod(&f.v.Lo, &f.v.Step).Cmp(&f.v.Rem) == 0
}
