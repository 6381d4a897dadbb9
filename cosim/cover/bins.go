package cover

import (
	"fmt"
	"reflect"
	"strings"
)

// bin is one thing to see happen.
type bin struct {
	name  string
	proof *proof // nil: reachable
}

// Plan is the list of a block's bins. Groups are crosses of labelled dimensions; a bin's name is GROUP/LABEL.LABEL...
type Plan struct {
	bins   []bin
	groups []string
	starts []int
}

// Cross is a group's place in the plan.
type Cross struct {
	base int
	dim  [4]int // number of labels of each dimension, 1 when there is none
}

// At1 to At4 return the bin of one label of each dimension.
func (c *Cross) At1(i int) int       { return c.base + i }
func (c *Cross) At2(i, j int) int    { return c.base + i*c.dim[1] + j }
func (c *Cross) At3(i, j, k int) int { return c.base + (i*c.dim[1]+j)*c.dim[2] + k }
func (c *Cross) At4(i, j, k, l int) int {
	return c.base + ((i*c.dim[1]+j)*c.dim[2]+k)*c.dim[3] + l
}

// Add appends a group of up to four dimensions.
func (p *Plan) Add(name string, dims ...[]string) Cross {
	c := Cross{base: len(p.bins)}
	c.dim = p.AddSome(name, func(int, int, int, int) bool { return true }, dims...).dim
	return c
}

// Places appends a group of one dimension and stores the bin of each label in the fields of places, in order: a
// pointer to a struct of int and arrays of int. Without a label a field gets -1. It panics where there are more labels.
func (p *Plan) Places(name string, labels []string, places any) {
	c := p.Add(name, labels)
	n := 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		default:
			v.SetInt(-1)
			if n < len(labels) {
				v.SetInt(int64(c.base + n))
			}
			n++
		}
	}
	if fill(reflect.ValueOf(places).Elem()); n < len(labels) {
		panic("coverage: group " + name + " has more bins than places")
	}
}

// Sparse is a group of which only some combinations of labels are bins: the others make no sense.
type Sparse struct {
	dim [4]int
	idx []int // bin of each combination, -1: none
}

// AddSome appends a group with the combinations that keep accepts.
func (p *Plan) AddSome(name string, keep func(i, j, k, l int) bool, dims ...[]string) Sparse {
	s := Sparse{dim: [4]int{1, 1, 1, 1}}
	p.groups = append(p.groups, name)
	p.starts = append(p.starts, len(p.bins))
	for k, labels := range dims {
		s.dim[k] = len(labels)
	}
	for n := range s.dim[0] * s.dim[1] * s.dim[2] * s.dim[3] {
		at := [4]int{n / (s.dim[1] * s.dim[2] * s.dim[3]), n / (s.dim[2] * s.dim[3]) % s.dim[1], n / s.dim[3] % s.dim[2],
			n % s.dim[3]}
		s.idx = append(s.idx, -1)
		if !keep(at[0], at[1], at[2], at[3]) {
			continue
		}
		labels := make([]string, len(dims))
		for k := range dims {
			labels[k] = dims[k][at[k]]
		}
		s.idx[n] = len(p.bins)
		p.bins = append(p.bins, bin{name: name + "/" + strings.Join(labels, ".")})
	}
	return s
}

// At returns the bin of a combination, -1 when there is none.
func (s *Sparse) At(i, j, k, l int) int { return s.idx[((i*s.dim[1]+j)*s.dim[2]+k)*s.dim[3]+l] }

// Hit counts a combination and reports whether it is a bin.
func (s *Sparse) Hit(hits Hits, i, j, k, l int) bool {
	n := s.At(i, j, k, l)
	if n < 0 {
		return false
	}
	hits[n]++
	return true
}

// Add counts a combination of the first two dimensions that is a bin n times.
func (s *Sparse) Add(hits Hits, i, j int, n uint64) {
	hits[s.At(i, j, 0, 0)] += n
}

// proof is the argument that a bin cannot be hit.
type proof struct {
	why   string
	check func() error
}

// Exclude attaches to a bin the proof that it cannot be hit: why is the constraint in words. check evaluates it over
// every case of a small model that has everything the constraint depends on, and returns an error that names a case in
// which the bin would be hit.
func (p *Plan) Exclude(bin int, why string, check func() error) {
	p.bins[bin].proof = &proof{why, check}
}

// Unreachable is a bin that cannot be hit and why.
type Unreachable struct {
	Bin string `json:"bin"`
	Why string `json:"why"`
}

// Unreachable returns the bins that carry a proof.
func (c *Collector) Unreachable() []Unreachable {
	out := []Unreachable{}
	for _, b := range c.plan.bins {
		if b.proof != nil {
			out = append(out, Unreachable{b.name, b.proof.why})
		}
	}
	return out
}

// CheckProofs evaluates every proof and returns the first that fails, named by its bin.
func (c *Collector) CheckProofs() error {
	for _, b := range c.plan.bins {
		if b.proof == nil {
			continue
		}
		if err := b.proof.check(); err != nil {
			return fmt.Errorf("bin %s is called unreachable because %s, but: %w", b.name, b.proof.why, err)
		}
	}
	return nil
}

// None proves that none of n cases, from 0 on, would hit the bin; what names a case.
func None(n int, what string, hits func(i int) bool) func() error {
	return func() error {
		for i := range n {
			if hits(i) {
				return fmt.Errorf("%s %d", what, i)
			}
		}
		return nil
	}
}

// OnePort proves that the ports of a block of so many are the first and no other.
func OnePort(ports int) func() error {
	return None(ports, "port", func(i int) bool { return i != 0 })
}
