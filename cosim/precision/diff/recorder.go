package diff

import (
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
)

// recorder is an arithmetic that keeps the last number it brought to each value since clear.
type recorder[N any] struct {
	arith.Numbers[N]
	last [nscc.NumValues]N
	set  uint64 // bit for each value

	rounds bool                // a quotient is rounded before it is used
	seen   func(nscc.Value, N) // called with every number, or nil
}

func (r *recorder[N]) clear() { r.set = 0 }

func (r *recorder[N]) note(at nscc.Value, x N) N {
	r.last[at] = x
	r.set |= 1 << at
	if r.seen != nil {
		r.seen(at, x)
	}
	return x
}

// Quantise implements nscc.Arith, as do the others.
func (r *recorder[N]) Quantise(at nscc.Value, x N) N { return r.note(at, r.Numbers.Quantise(at, x)) }

// Fit clamps and notes.
func (r *recorder[N]) Fit(at nscc.Value, x N) (N, bool) {
	y, clamped := r.Numbers.Fit(at, x)
	return r.note(at, y), clamped
}

// Mod notes.
func (r *recorder[N]) Mod(at nscc.Value, x, m N) N { return r.note(at, r.Numbers.Mod(at, x, m)) }

// Share notes the quotient in it, which fixed point rounds before it multiplies.
func (r *recorder[N]) Share(at nscc.Value, k, x, y N) N {
	q := r.Numbers.Quo(at, x, y)
	if r.rounds {
		return r.Mul(k, r.Quantise(at, q))
	}
	r.note(at, q)
	return r.Numbers.Share(at, k, x, y)
}
