package stim

import (
	"hash/fnv"
	"math/rand/v2"
)

// Rand draws from a PCG. It is a value type so that a source can embed it.
type Rand struct{ p rand.PCG }

// Seeded returns the generator of (seed, block, name, n). Every stream of draws in this package starts here, so equal
// arguments give equal stimulus.
func Seeded(seed uint64, block, name string, n uint64) Rand {
	h := fnv.New64a()
	h.Write([]byte(block))
	h.Write([]byte{0})
	h.Write([]byte(name))
	var r Rand
	r.p.Seed(seed, h.Sum64()+n*0x9e3779b97f4a7c15)
	return r
}

func (r *Rand) U64() uint64 { return r.p.Uint64() }

// N returns a number in 0..k-1; k must be positive. The bias is below k/2^64.
func (r *Rand) N(k int) int { return int(r.p.Uint64() >> 1 % uint64(k)) }

// One returns true with probability 1/k.
func (r *Rand) One(k int) bool { return r.N(k) == 0 }

// Bits returns a uniform number of w bits.
func (r *Rand) Bits(w int) uint64 {
	if w >= 64 {
		return r.U64()
	}
	return r.U64() >> (64 - w)
}

// LogN returns a number of at most w bits whose length is uniform, so small and large magnitudes are equally likely.
func (r *Rand) LogN(w int) uint64 { return r.Bits(r.N(w + 1)) }

// Corner returns a number of w bits that is often an end of the range, a power of two or a neighbour of one.
func (r *Rand) Corner(w int) uint64 {
	mask := ^uint64(0) >> (64 - w)
	switch r.N(10) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return mask
	case 3:
		return mask - uint64(r.N(3))
	case 4:
		return (uint64(1)<<r.N(w) + uint64(r.N(3)) - 1) & mask
	case 5, 6:
		return r.LogN(w)
	default:
		return r.Bits(w)
	}
}

// Near returns v or a close neighbour, wrapped to w bits.
func (r *Rand) Near(v uint64, w int) uint64 {
	mask := ^uint64(0) >> (64 - w)
	switch r.N(8) {
	case 0, 1:
		return v & mask
	case 2, 3:
		return (v + 1) & mask
	case 4, 5:
		return (v - 1) & mask
	case 6:
		return (v + uint64(r.N(64))) & mask
	default:
		return (v - uint64(r.N(64))) & mask
	}
}

// Pick returns one of the values.
func Pick[T any](r *Rand, vs ...T) T { return vs[r.N(len(vs))] }

// Weighted returns the place of one of the weights, as often as it says. One must be above 0.
func (r *Rand) Weighted(weights ...int) (k int) {
	total := 0
	for _, w := range weights {
		total += w
	}
	for n := r.N(total); n >= weights[k]; k++ {
		n -= weights[k]
	}
	return k
}

// Bit returns 1 for true.
func Bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
