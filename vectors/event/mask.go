package event

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors/event/expr"
)

// Masks computes which bits of a block's responses are compared, where the schema has fields with the keys mask
// or when. It decides by the expected response, never by the one received. It is for one goroutine.
type Masks struct {
	layout  *Layout
	streams [][]maskRule // by output stream
	counts  []MaskCount
}

// MaskCount is how much of a field was not compared because of its mask.
type MaskCount struct {
	Name   string // STREAM.FIELD
	Hidden uint64 // bits that its mask hid
	Total  uint64 // bits that were compared without it
}

// maskRule is one field with a mask.
type maskRule struct {
	slot  *Slot
	by    *Slot            // its bit for each part of the field; nil for none
	when  *expr.Constraint // nil: always
	vars  []*expr.Var      // of the stream's fields
	slots []*Slot          // of those
	count int              // place in counts
}

// NewMasks returns the masks of a block with these parameters, nil for their defaults. It returns nil when no field
// has a mask. It errors when a condition cannot be evaluated with these parameters.
func NewMasks(b *Block, l *Layout, params map[string]int) (*Masks, error) {
	m := &Masks{layout: l}
	for _, s := range b.StreamsOf(Out) {
		var rules []maskRule
		for i := range s.Fields {
			f := &s.Fields[i]
			if f.Mask == "" && f.When == "" {
				continue
			}
			r := maskRule{slot: l.Out.Slot(s.Name, f.Name), count: len(m.counts)}
			if f.Mask != "" {
				r.by = l.Out.Slot(s.Name, f.Mask)
			}
			if f.When != "" {
				var err error
				if r.when, r.vars, err = b.when(s, f, params); err != nil {
					return nil, fmt.Errorf("field %s.%s: key \"when\": %w", s.Name, f.Name, err)
				}
				for k := range s.Fields {
					r.slots = append(r.slots, l.Out.Slot(s.Name, s.Fields[k].Name))
				}
			}
			rules = append(rules, r)
			m.counts = append(m.counts, MaskCount{Name: s.Name + "." + f.Name})
		}
		m.streams = append(m.streams, rules)
	}
	if len(m.counts) == 0 {
		return nil, nil
	}
	return m, nil
}

// when binds the condition of a field to variables, one for each field of its stream.
func (b *Block) when(s *Stream, f *Field, params map[string]int) (*expr.Constraint, []*expr.Var, error) {
	e, err := expr.Parse(f.When)
	if err != nil {
		return nil, nil, err
	}
	vars := s.wide()
	c, err := (&Constraint{Text: f.When, Expr: e}).Bind(b, s, vars, params)
	if err != nil {
		return nil, nil, err
	}
	return c, vars, nil
}

// Clear clears, in the words of an output record mask, the bits of one output stream, given by its index, that are not
// compared when want is expected.
func (m *Masks) Clear(stream int, want, mask []uint64) {
	for i := range m.streams[stream] {
		r := &m.streams[stream][i]
		if !r.open(want) {
			r.slot.clear(mask, 0, r.slot.Field.Width)
			continue
		}
		if r.by == nil {
			continue
		}
		part := r.slot.Field.Width / r.by.Field.Width
		for k := range r.by.Field.Width {
			if !r.by.bit(want, k) {
				r.slot.clear(mask, k*part, part)
			}
		}
	}
}

// Count notes a response that was compared under mask, where without the masks it would be under all, and returns how
// many fields its masks hid whole. A field that is not in all is not compared for another reason, and not counted.
func (m *Masks) Count(stream int, all, mask []uint64) (whole int) {
	for i := range m.streams[stream] {
		r := &m.streams[stream][i]
		c := &m.counts[r.count]
		hidden, total := 0, 0
		for k := range r.slot.Field.Width {
			if !r.slot.bit(all, k) {
				continue
			}
			total++
			if !r.slot.bit(mask, k) {
				hidden++
			}
		}
		if total > 0 && hidden == total {
			whole++
		}
		c.Hidden += uint64(hidden)
		c.Total += uint64(total)
	}
	return whole
}

// Counts returns what Count noted, by field in the schema's order. The caller must not change it.
func (m *Masks) Counts() []MaskCount { return m.counts }

// open reports whether the condition of a rule holds.
func (r *maskRule) open(want []uint64) bool {
	if r.when == nil {
		return true
	}
	for i, s := range r.slots {
		if s.Field.Width > 64 {
			continue // no condition names it
		}
		v := r.vars[i]
		if s.Field.Signed {
			v.Lo.SetInt64(s.Field.Signed64(s.Get(want)))
		} else {
			v.Lo.SetUint64(s.Get(want))
		}
		v.Hi.Set(&v.Lo)
	}
	return r.when.Narrow()
}

// bit returns a bit of a field, counted from its least significant.
func (s *Slot) bit(record []uint64, k int) bool {
	at := s.Bit + k
	return record[s.Word+at/64]>>(at%64)&1 != 0
}

// clear clears n bits of a field from bit from on.
func (s *Slot) clear(record []uint64, from, n int) {
	for k := from; k < from+n; k++ {
		at := s.Bit + k
		record[s.Word+at/64] &^= 1 << (at % 64)
	}
}

// Decides returns the first field of the stream whose mask depends on the field of that name, or "".
func (s *Stream) Decides(name string) string {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Mask == name {
			return f.Name
		}
		if f.When == "" {
			continue
		}
		e, err := expr.Parse(f.When)
		if err != nil {
			continue // Validate refuses it
		}
		found := false
		_, _ = e.Bind(func(n string) (*expr.Var, error) { found = found || n == name; return new(expr.Var), nil })
		if found {
			return f.Name
		}
	}
	return ""
}

// masks checks the keys mask and when of a stream's fields.
func (c *checker) masks(i int, s *Stream) {
	for j := range s.Fields {
		f := &s.Fields[j]
		if f.Mask == "" && f.When == "" {
			continue
		}
		path, what := at("streams", i, "fields", j), "field "+s.Name+"."+f.Name
		c.refuse(s.Dir == In, path, "%s: keys \"mask\", \"when\": only output fields are compared; leave it out", what)
		if f.Mask != "" {
			by := s.Field(f.Mask)
			at := append(path, "mask")
			c.refuse(by == nil || by == f, at, "%s: key \"mask\": %q is not another field of stream %s", what, f.Mask, s.Name)
			c.refuse(f.Width%by.Width != 0, at,
				"%s: key \"mask\": the %d bits of %s do not divide its %d bits into equal parts", what, by.Width, by.Name, f.Width)
			c.refuse(by.Mask != "" || by.When != "", at,
				"%s: key \"mask\": %s has a mask itself; name a field that is always compared", what, by.Name)
		}
		if f.When == "" {
			continue
		}
		path = append(path, "when")
		k, vars, err := c.b.when(s, f, nil)
		if err != nil {
			c.fail(path, "%s: key \"when\": %q: %v", what, f.When, err)
		}
		for n := range s.Fields {
			g := &s.Fields[n]
			c.refuse(slices.Contains(k.Vars(), vars[n]) && (g.Mask != "" || g.When != ""), path,
				"%s: key \"when\": %s has a mask itself; name a field that is always compared", what, g.Name)
		}
		c.refuse(!k.Narrow(), path, "%s: key \"when\": no response satisfies %q, so the field would never be compared; "+
			"leave the field out of the schema, or loosen it", what, f.When)
	}
}
