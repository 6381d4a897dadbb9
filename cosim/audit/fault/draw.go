package fault

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// place is a site and the faults still to be drawn there, by operator.
type place struct {
	operators []string
	left      map[string][]*Fault
}

// All returns every fault that the operators can plant in the block's modules, without those of inner blocks, in the
// order of the text.
func (d *Design) All() []*Fault {
	var out []*Fault
	for _, m := range d.Modules {
		if d.inner[m.File] {
			continue
		}
		for _, s := range m.Sites {
			for _, f := range d.mutants(m, s) {
				if !f.alias {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// Draw returns the faults of All in the order in which a seed draws them, numbered from 1. Every statement has the same
// chance, regardless of the length of its expression, and so has every applicable operator within a statement. No fault
// comes twice. The caller takes as many from the front as it needs.
func (d *Design) Draw(seed uint64) []*Fault {
	var places []*place
	for _, m := range d.Modules {
		if d.inner[m.File] {
			continue
		}
		for _, s := range m.Sites {
			if p := newPlace(d.mutants(m, s)); p != nil {
				places = append(places, p)
			}
		}
	}
	h := fnv.New64a()
	h.Write([]byte(d.Block))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	var out []*Fault
	for len(places) > 0 {
		i := r.IntN(len(places))
		p := places[i]
		f := p.draw(r)
		if !f.alias {
			f.Seed, f.Number = seed, len(out)+1
			out = append(out, f)
		}
		if len(p.operators) == 0 {
			places = slices.Delete(places, i, i+1)
		}
	}
	return out
}

func newPlace(faults []*Fault) *place {
	if len(faults) == 0 {
		return nil
	}
	p := &place{left: map[string][]*Fault{}}
	for _, f := range faults {
		if p.left[f.Operator] == nil {
			p.operators = append(p.operators, f.Operator)
		}
		p.left[f.Operator] = append(p.left[f.Operator], f)
	}
	return p
}

func (p *place) draw(r *rand.Rand) *Fault {
	i := r.IntN(len(p.operators))
	op := p.operators[i]
	j := r.IntN(len(p.left[op]))
	f := p.left[op][j]
	p.left[op] = slices.Delete(p.left[op], j, j+1)
	if len(p.left[op]) == 0 {
		p.operators = slices.Delete(p.operators, i, i+1)
	}
	return f
}
