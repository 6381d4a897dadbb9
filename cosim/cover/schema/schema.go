// Package schema covers a block that only its schema describes, whatever it is.
package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
)

// Coverage measures the coverage of a block that only its schema describes: of each input field the ends of what may be
// driven and the values or ranges between them, of each output field the codes of its enum and the values of one bit,
// the classes that the schema names, and the crosses that it names. A bin of the inputs that no event reaches under
// the constraints is unreachable.
type Coverage struct {
	block   string
	ins     []*stream
	outs    []*stream
	streams []*stream // in the order of the schema
}

// stream is one stream's bins.
type stream struct {
	fields  []field
	crosses []cross
}

// field is one field's bins.
type field struct {
	name  string // STREAM.FIELD
	slot  *event.Slot
	bins  []bin
	cross []int // bins that crosses use
}

// bin is a run of values.
type bin struct {
	name   string
	lo, hi big.Int
	corner bool
	wide   uint64 // of a field of more than 64 bits: every word
	never  bool   // no event has it
	hits   uint64
}

// cross counts bins of several fields together.
type cross struct {
	name   string
	fields []int
	hits   map[string]uint64 // by the places of the bins
	never  map[string]bool
}

// New returns the coverage of a block whose parameters have these values, nil for their defaults. Drawn is
// whether every event comes from the schema's stimulus: only then are there bins that no event reaches.
func New(b *event.Block, params map[string]int, drawn bool) (*Coverage, error) {
	l := event.NewLayout(b)
	o := &Coverage{block: b.Name}
	for i := range b.Streams {
		s := &b.Streams[i]
		r, list := &l.In, &o.ins
		if s.Dir == event.Out {
			r, list = &l.Out, &o.outs
		}
		x, err := newStream(b, r, s, params, drawn)
		if err != nil {
			return nil, err
		}
		*list = append(*list, x)
		o.streams = append(o.streams, x)
	}
	return o, nil
}

func newStream(b *event.Block, r *event.Record, s *event.Stream, params map[string]int,
	drawn bool) (*stream, error) {
	x := &stream{}
	reach, err := newReach(b, s, params, drawn)
	if err != nil {
		return nil, fmt.Errorf("coverage of %s: %w", s.Name, err)
	}
	given := find(b.Coverage, func(x *event.StreamCoverage) bool { return x.Name == s.Name })
	for i := range s.Fields {
		f := &s.Fields[i]
		y := field{name: s.Name + "." + f.Name, slot: r.Slot(s.Name, f.Name)}
		if err := y.fill(b, s, i, given, reach); err != nil {
			return nil, fmt.Errorf("coverage of %s: %w", y.name, err)
		}
		x.fields = append(x.fields, y)
	}
	if given == nil {
		return x, nil
	}
	for _, names := range given.Crosses {
		c := cross{name: s.Name + "." + strings.Join(names, " x "), hits: map[string]uint64{}, never: map[string]bool{}}
		all := 1
		for _, n := range names {
			k := slices.IndexFunc(s.Fields, func(f event.Field) bool { return f.Name == n })
			c.fields = append(c.fields, k)
			all *= len(x.fields[k].cross)
		}
		if all == 0 || all > maxCross {
			return nil, fmt.Errorf("cross %s: it has %d bins, and 1 to %d are allowed; "+
				"give its fields classes (key \"coverage\")", c.name, all, maxCross)
		}
		for _, at := range x.places(&c) {
			if s.Dir == event.In && !reach.can(x, &c, at) {
				c.never[key(at)] = true
			}
		}
		x.crosses = append(x.crosses, c)
	}
	return x, nil
}

// maxCross bounds the bins of a cross.
const maxCross = 4096

func (y *field) fill(b *event.Block, s *event.Stream, i int, given *event.StreamCoverage, reach *reach) error {
	f := &s.Fields[i]
	if f.Width > 64 {
		if s.Dir == event.In {
			y.bins = []bin{{name: "all zeros", corner: true}, {name: "all ones", corner: true, wide: ^uint64(0)}}
		}
		return nil
	}
	add := func(name string, lo, hi *big.Int, corner bool) {
		bin := bin{name: name, corner: corner, never: s.Dir == event.In && !reach.has(i, lo, hi)}
		bin.lo.Set(lo)
		bin.hi.Set(hi)
		y.bins = append(y.bins, bin)
	}
	if given == nil {
		given = &event.StreamCoverage{}
	}
	if named := find(given.Fields, func(x *event.FieldCoverage) bool { return x.Name == f.Name }); named != nil {
		spans, err := b.Classes(f, named)
		if err != nil {
			return err
		}
		for n := range spans {
			y.cross = append(y.cross, len(y.bins))
			add(named.Classes[n], &spans[n].Lo, &spans[n].Hi, false)
		}
	}
	classes := len(y.cross) > 0
	both := func(lo, hi *big.Int, corner bool, name string) {
		if !classes {
			y.cross = append(y.cross, len(y.bins))
		}
		add(name, lo, hi, corner)
	}
	lo, hi := f.Bounds()
	switch e := b.Enum(f.Enum); {
	case e != nil:
		for _, v := range e.Values {
			n := new(big.Int).SetUint64(v.Value)
			both(n, n, s.Dir == event.In, v.Name)
		}
		return nil
	case f.Width == 1:
		for _, n := range []*big.Int{lo, hi} {
			both(n, n, s.Dir == event.In, n.String())
		}
		return nil
	case s.Dir == event.Out:
		return nil
	}
	lo, hi = reach.bounds(i)
	if spans := reach.spans[i]; len(spans) > 1 {
		for k := range spans {
			if a, z := &spans[k].Lo, &spans[k].Hi; a.Cmp(z) == 0 {
				both(a, z, true, a.String())
			} else {
				both(a, z, false, a.String()+".."+z.String())
			}
		}
		add("least "+lo.String(), lo, lo, true)
		add("most "+hi.String(), hi, hi, true)
		return nil
	}
	one := big.NewInt(1)
	both(lo, lo, true, "least "+lo.String())
	if lo.Sign() < 0 && hi.Sign() > 0 {
		add("zero", new(big.Int), new(big.Int), true)
	}
	inner, outer := new(big.Int).Add(lo, one), new(big.Int).Sub(hi, one)
	if inner.Cmp(outer) <= 0 {
		both(inner, outer, false, "between")
	}
	if lo.Cmp(hi) < 0 {
		both(hi, hi, true, "most "+hi.String())
	}
	return nil
}

// Take counts a transfer on an input stream, by its place among them.
func (o *Coverage) Take(stream int, words []uint64) { o.ins[stream].count(words) }

// Answer counts a transfer on an output stream, likewise.
func (o *Coverage) Answer(stream int, words []uint64) { o.outs[stream].count(words) }

func (x *stream) count(words []uint64) {
	place := make([]int, len(x.fields))
	var v big.Int
	for i := range x.fields {
		y := &x.fields[i]
		place[i] = -1
		if y.slot.Field.Width > 64 {
			for k := range y.bins {
				if y.every(words, y.bins[k].wide) {
					y.bins[k].hits++
				}
			}
			continue
		}
		raw := y.slot.Get(words)
		if v.SetUint64(raw); y.slot.Field.Signed {
			v.SetInt64(y.slot.Field.Signed64(raw))
		}
		for k := range y.bins {
			if y.bins[k].lo.Cmp(&v) <= 0 && v.Cmp(&y.bins[k].hi) <= 0 {
				y.bins[k].hits++
				if slices.Contains(y.cross, k) {
					place[i] = k
				}
			}
		}
	}
	for i := range x.crosses {
		c := &x.crosses[i]
		at := make([]int, len(c.fields))
		for k, f := range c.fields {
			at[k] = place[f]
		}
		if !slices.Contains(at, -1) {
			c.hits[key(at)]++
		}
	}
}

// every reports whether each word of a wide field is as given.
func (y *field) every(words []uint64, want uint64) bool {
	for w, left := y.slot.Word, y.slot.Field.Width; left > 0; w, left = w+1, left-64 {
		mask := ^uint64(0) >> (64 - min(left, 64))
		if (words[w]^want)&mask != 0 {
			return false
		}
	}
	return true
}

func key(at []int) string { return fmt.Sprint(at) }

// places returns every bin of a cross, the last field fastest.
func (x *stream) places(c *cross) [][]int {
	all := [][]int{nil}
	for _, f := range c.fields {
		var next [][]int
		for _, at := range all {
			for _, bin := range x.fields[f].cross {
				next = append(next, append(slices.Clone(at), bin))
			}
		}
		all = next
	}
	return all
}

// whyNever is why a bin is unreachable.
const whyNever = "no event that the schema's stimulus allows has it"

// Report sums up; corners are the corners of input fields that were never driven.
func (o *Coverage) Report() (r *cover.Report, unreachable []cover.Unreachable, corners []string) {
	r = &cover.Report{Block: o.block, Missed: []string{}, Impossible: []string{}, Groups: []cover.Group{}}
	bin := func(g *cover.Group, name string, hits uint64, never bool) bool {
		r.Bins++
		g.Bins++
		g.Hits += hits
		switch {
		case never:
			r.Unreachable++
			g.Unreachable++
			unreachable = append(unreachable, cover.Unreachable{Bin: name, Why: whyNever})
			if hits > 0 {
				r.Impossible = append(r.Impossible, name)
			}
		case hits > 0:
			r.Hit++
			g.Hit++
		default:
			r.Missed = append(r.Missed, name)
			return false
		}
		return true
	}
	for _, x := range o.streams {
		for i := range x.fields {
			y := &x.fields[i]
			if len(y.bins) == 0 {
				continue
			}
			g := cover.Group{Name: y.name}
			for k := range y.bins {
				if !bin(&g, y.name+" "+y.bins[k].name, y.bins[k].hits, y.bins[k].never) && y.bins[k].corner {
					corners = append(corners, y.name+" "+y.bins[k].name)
				}
			}
			r.Groups = append(r.Groups, g)
		}
		for i := range x.crosses {
			c := &x.crosses[i]
			g := cover.Group{Name: c.name}
			for _, at := range x.places(c) {
				names := make([]string, len(at))
				for k, b := range at {
					names[k] = x.fields[c.fields[k]].bins[b].name
				}
				bin(&g, c.name+" "+strings.Join(names, " x "), c.hits[key(at)], c.never[key(at)])
			}
			r.Groups = append(r.Groups, g)
		}
	}
	return r, unreachable, corners
}
