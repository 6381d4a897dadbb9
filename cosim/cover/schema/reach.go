package schema

import (
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/expr"
)

// reach knows what the stimulus of an input stream allows.
type reach struct {
	vars  []*expr.Var
	rules []*expr.Constraint
	// What the stimulus remembers may be anything.
	states map[string]*expr.Var
	spans  [][]event.Span // by field; nil: wider than 64 bits
	lo     []big.Int      // what is left of each field under all constraints
	hi     []big.Int
}

func newReach(b *event.Block, s *event.Stream, params map[string]int, drawn bool) (*reach, error) {
	r := &reach{states: b.Stimulus.AnyState(), spans: make([][]event.Span, len(s.Fields)),
		lo: make([]big.Int, len(s.Fields)), hi: make([]big.Int, len(s.Fields))}
	var given *event.StreamStimulus
	if b.Stimulus != nil && s.Dir == event.In && drawn {
		given = find(b.Stimulus.Streams, func(x *event.StreamStimulus) bool { return x.Name == s.Name })
	}
	for i := range s.Fields {
		r.vars = append(r.vars, new(expr.Var))
		if s.Fields[i].Width > 64 {
			continue
		}
		var st *event.FieldStimulus
		if given != nil {
			st = find(given.Fields, func(x *event.FieldStimulus) bool { return x.Name == s.Fields[i].Name })
		}
		var err error
		if r.spans[i], err = b.Spans(&s.Fields[i], st); err != nil {
			return nil, err
		}
	}
	if given != nil {
		for i := range given.Constraints {
			k, err := given.Constraints[i].BindState(b, s, r.vars, params, r.states)
			if err != nil {
				return nil, err
			}
			r.rules = append(r.rules, k)
		}
	}
	r.narrow(nil)
	for i := range r.vars {
		r.lo[i].Set(&r.vars[i].Lo)
		r.hi[i].Set(&r.vars[i].Hi)
	}
	return r, nil
}

// find returns the element that is wanted, nil for none.
func find[T any](all []T, wanted func(*T) bool) *T {
	for i := range all {
		if wanted(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// bounds returns the least and the most that a field takes under the constraints.
func (r *reach) bounds(i int) (lo, hi *big.Int) { return &r.lo[i], &r.hi[i] }

// narrow starts from all values of the fields, limited to bins of some of them, and removes what the constraints
// forbid. It returns false when nothing is left.
func (r *reach) narrow(bins map[int]*bin) bool {
	event.FreeStates(r.states)
	for i, v := range r.vars {
		v.Step.SetInt64(0)
		v.Rem.SetInt64(0)
		if r.spans[i] == nil {
			continue
		}
		first := true
		for k := range r.spans[i] {
			lo, hi := &r.spans[i][k].Lo, &r.spans[i][k].Hi
			if bin := bins[i]; bin != nil {
				lo = slices.MaxFunc([]*big.Int{lo, &bin.lo}, (*big.Int).Cmp)
				hi = slices.MinFunc([]*big.Int{hi, &bin.hi}, (*big.Int).Cmp)
			}
			if lo.Cmp(hi) > 0 {
				continue
			}
			if first || lo.Cmp(&v.Lo) < 0 {
				v.Lo.Set(lo)
			}
			if first || hi.Cmp(&v.Hi) > 0 {
				v.Hi.Set(hi)
			}
			first = false
		}
		if first {
			return false
		}
	}
	for range 64 {
		changed := false
		for _, k := range r.rules {
			if !k.Narrow() {
				return false
			}
			changed = changed || k.Changed()
		}
		if !changed {
			break
		}
	}
	return true
}

// has reports whether an event may have a value of the field between two.
func (r *reach) has(i int, lo, hi *big.Int) bool {
	b := &bin{}
	b.lo.Set(lo)
	b.hi.Set(hi)
	return r.narrow(map[int]*bin{i: b})
}

// can reports whether an event may fall into a bin of a cross.
func (r *reach) can(x *stream, c *cross, at []int) bool {
	bins := map[int]*bin{}
	for k, f := range c.fields {
		bins[f] = &x.fields[f].bins[at[k]]
	}
	return r.narrow(bins)
}
