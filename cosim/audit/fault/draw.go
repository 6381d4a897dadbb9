package fault

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
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
	for all := range d.bySite {
		for _, f := range all {
			if !f.alias {
				out = append(out, f)
			}
		}
	}
	return out
}

// bySite yields the faults of each site outside of inner blocks, in the order of the text.
func (d *Design) bySite(yield func([]*Fault) bool) {
	for _, m := range d.Modules {
		for _, s := range m.Sites {
			if !d.inner[m.File] && !yield(d.mutants(m, s)) {
				return
			}
		}
	}
}

// Draw returns the faults of All in the order in which a seed draws them, numbered from 1. Every statement has the same
// chance, regardless of the length of its expression, and so has every applicable operator within a statement. No fault
// comes twice. The caller takes as many from the front as it needs.
func (d *Design) Draw(seed uint64) []*Fault {
	var places []*place
	for all := range d.bySite {
		if len(all) > 0 {
			places = append(places, newPlace(all))
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

// Resets returns the faults of All that drop a reset: a register that keeps its value in the branch of !rst_ni, or an
// instance whose reset is never low.
func (d *Design) Resets() []*Fault {
	var out []*Fault
	for _, f := range d.All() {
		switch {
		case f.site.Kind == sv.Port:
			if f.site.Port == "rst_ni" && f.text == "1'b1" {
				out = append(out, f)
			}
		case f.Operator == opHold && f.site.Clocked && inReset(f.module.Text[:f.site.Start]):
			out = append(out, f)
		}
	}
	return out
}

// inReset reports whether the text before a statement ends in the branch of a reset.
func inReset(before string) bool {
	i := strings.LastIndex(before, "if (!rst_ni)")
	return i >= 0 && !strings.Contains(before[i:], "else") && !strings.Contains(before[i:], "always_ff")
}
