package cover

import "strings"

// bin is one thing to see happen.
type bin struct {
	name  string
	proof *proof // nil: reachable
}

// Plan is the list of a block's bins. Groups are crosses of labelled dimensions;
// a bin's name is GROUP/LABEL.LABEL...
type Plan struct {
	bins   []bin
	groups []string
	starts []int
	err    error
}

// Cross is a group's place in the plan.
type Cross struct {
	base int
	dim  [4]int // number of labels of each dimension, 1 when there is none
}

// At returns the bin of one label of each dimension.
func (c *Cross) At(i ...int) int {
	n := 0
	for k, x := range i {
		n = n*c.dim[k] + x
	}
	return c.base + n
}

// At1 to At3 are At without the slice, for the hot path.
func (c *Cross) At1(i int) int       { return c.base + i }
func (c *Cross) At2(i, j int) int    { return c.base + i*c.dim[1] + j }
func (c *Cross) At3(i, j, k int) int { return c.base + (i*c.dim[1]+j)*c.dim[2] + k }

// At4 is At for four dimensions.
func (c *Cross) At4(i, j, k, l int) int {
	return c.base + ((i*c.dim[1]+j)*c.dim[2]+k)*c.dim[3] + l
}

// Add appends a group of up to four dimensions.
func (p *Plan) Add(name string, dims ...[]string) Cross {
	c := Cross{base: len(p.bins), dim: [4]int{1, 1, 1, 1}}
	p.groups = append(p.groups, name)
	p.starts = append(p.starts, c.base)
	names := []string{""}
	for k, labels := range dims {
		c.dim[k] = len(labels)
		var next []string
		for _, n := range names {
			for _, l := range labels {
				next = append(next, strings.TrimPrefix(n+"."+l, "."))
			}
		}
		names = next
	}
	for _, n := range names {
		p.bins = append(p.bins, bin{name: name + "/" + n})
	}
	return c
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
		if !keep(at[0], at[1], at[2], at[3]) {
			s.idx = append(s.idx, -1)
			continue
		}
		var labels []string
		for k := range dims {
			labels = append(labels, dims[k][at[k]])
		}
		s.idx = append(s.idx, len(p.bins))
		p.bins = append(p.bins, bin{name: name + "/" + strings.Join(labels, ".")})
	}
	return s
}

// At returns the bin of a combination, -1 when there is none.
func (s *Sparse) At(i, j, k, l int) int { return s.idx[((i*s.dim[1]+j)*s.dim[2]+k)*s.dim[3]+l] }

// Hit counts a combination and reports whether it is a bin.
func (s *Sparse) Hit(hits []uint64, i, j, k, l int) bool {
	n := s.At(i, j, k, l)
	if n < 0 {
		return false
	}
	hits[n]++
	return true
}

// Add counts a combination of the first two dimensions that is a bin n times.
func (s *Sparse) Add(hits []uint64, i, j int, n uint64) {
	hits[s.At(i, j, 0, 0)] += n
}
