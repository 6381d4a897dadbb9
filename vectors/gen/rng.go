package gen

import (
	"hash/fnv"
	"math/rand/v2"
)

// rng draws from a PCG. It is a value type so that a source holds it in place.
type rng struct{ p rand.PCG }

// seeded returns the generator of (seed, block, case, n). Every stream of draws
// in this package starts here, so equal arguments give equal stimulus.
func seeded(seed uint64, block, name string, n uint64) rng {
	h := fnv.New64a()
	h.Write([]byte(block))
	h.Write([]byte{0})
	h.Write([]byte(name))
	var r rng
	r.p.Seed(seed, h.Sum64()+n*0x9e3779b97f4a7c15)
	return r
}

func (r *rng) u64() uint64 { return r.p.Uint64() }

// n returns a number in 0..k-1; k must be positive. The bias is below k/2^64.
func (r *rng) n(k int) int { return int(r.p.Uint64() >> 1 % uint64(k)) }

// one returns true once in k.
func (r *rng) one(k int) bool { return r.n(k) == 0 }

// bits returns a number of w bits, every one equally likely.
func (r *rng) bits(w int) uint64 {
	if w >= 64 {
		return r.u64()
	}
	return r.u64() >> (64 - w)
}

// logn returns a number of at most w bits whose length is uniform, so that
// small and large magnitudes are equally likely.
func (r *rng) logn(w int) uint64 { return r.bits(r.n(w + 1)) }

// corner returns a number of w bits that is often an end of the range, a power
// of two or a neighbour of one.
func (r *rng) corner(w int) uint64 {
	mask := ^uint64(0) >> (64 - w)
	switch r.n(10) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return mask
	case 3:
		return mask - uint64(r.n(3))
	case 4:
		return (uint64(1)<<r.n(w) + uint64(r.n(3)) - 1) & mask
	case 5, 6:
		return r.logn(w)
	default:
		return r.bits(w)
	}
}

// near returns v or a close neighbour of it, kept within w bits.
func (r *rng) near(v uint64, w int) uint64 {
	mask := ^uint64(0) >> (64 - w)
	switch r.n(8) {
	case 0, 1:
		return v & mask
	case 2, 3:
		return (v + 1) & mask
	case 4, 5:
		return (v - 1) & mask
	case 6:
		return (v + uint64(r.n(64))) & mask
	default:
		return (v - uint64(r.n(64))) & mask
	}
}

// pick returns one of the values.
func pick[T any](r *rng, vs ...T) T { return vs[r.n(len(vs))] }

// bit returns 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
