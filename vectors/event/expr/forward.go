package expr

import "math/big"

// maxShift bounds shift distances and exponents, so that numbers fit into memory.
const maxShift = 1024

// small reports whether a number may be a distance or an exponent.
func small(x *big.Int) bool { return x.Sign() >= 0 && x.IsUint64() && x.Uint64() <= maxShift }

// forward derives what is known about a node from the values that its variables may have.
func (n *node) forward() {
	if n.a != nil {
		n.a.forward()
	}
	if n.b != nil {
		n.b.forward()
	}
	a, b := n.a, n.b
	switch n.op {
	case number:
	case name:
		n.lo.Set(&n.v.Lo)
		n.hi.Set(&n.v.Hi)
	case not:
		n.truth = a.truth.inverse()
	case and:
		n.truth = a.truth.and(b.truth)
	case or:
		n.truth = a.truth.inverse().and(b.truth.inverse()).inverse()
	case implies:
		n.truth = a.truth.and(b.truth.inverse()).inverse()
	case "==", "!=", "<", "<=", ">", ">=":
		n.truth = holds(n.op, a, b)
	default:
		n.inf = a.inf || b != nil && b.inf || !n.arithmetic()
	}
}

func (t truth) inverse() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func (t truth) and(u truth) truth {
	switch {
	case t == no || u == no:
		return no
	case t == yes && u == yes:
		return yes
	}
	return unknown
}

func holds(o op, a, b *node) truth {
	if a.inf || b.inf {
		return unknown
	}
	switch o {
	case ">":
		return holds("<", b, a)
	case ">=":
		return holds("<", a, b).inverse()
	case "<=":
		return holds("<", b, a).inverse()
	case "!=":
		return holds("==", a, b).inverse()
	case "==":
		switch {
		case a.hi.Cmp(&b.lo) < 0 || b.hi.Cmp(&a.lo) < 0:
			return no
		case a.single() && b.single():
			return yes
		}
		return unknown
	}
	switch {
	case a.hi.Cmp(&b.lo) < 0:
		return yes
	case a.lo.Cmp(&b.hi) >= 0:
		return no
	}
	return unknown
}

// arithmetic finds the bounds of an operation on bounded numbers; false when it cannot.
func (n *node) arithmetic() bool {
	a, b := n.a, n.b
	switch n.op {
	case neg:
		n.lo.Neg(&a.hi)
		n.hi.Neg(&a.lo)
	case "+":
		n.lo.Add(&a.lo, &b.lo)
		n.hi.Add(&a.hi, &b.hi)
	case "-":
		lo := new(big.Int).Sub(&a.lo, &b.hi)
		n.hi.Sub(&a.hi, &b.lo)
		n.lo.Set(lo)
	case "*":
		n.corners(func(z, x, y *big.Int) { z.Mul(x, y) })
	case "/":
		if b.lo.Sign() <= 0 {
			return false
		}
		n.corners(func(z, x, y *big.Int) { z.Div(x, y) })
	case "%":
		if b.lo.Sign() <= 0 {
			return false
		}
		n.remainder()
	case "<<", ">>":
		if !small(&b.lo) || !small(&b.hi) {
			return false
		}
		n.corners(func(z, x, y *big.Int) {
			if n.op == "<<" {
				z.Lsh(x, uint(y.Uint64()))
			} else {
				z.Rsh(x, uint(y.Uint64()))
			}
		})
	case "^":
		if !small(&b.lo) || !small(&b.hi) || a.hi.BitLen() > 64 || a.lo.Sign() < 0 && !(a.single() && b.single()) {
			return false
		}
		n.corners(func(z, x, y *big.Int) { z.Exp(x, y, nil) })
	default:
		return false
	}
	return true
}

// corners sets the bounds to the least and the greatest of an operation on the bounds of both operands: right for an
// operation that is monotonic in each.
func (n *node) corners(f func(z, x, y *big.Int)) {
	var z, lo, hi big.Int
	for i, pair := range [4][2]*big.Int{{&n.a.lo, &n.b.lo}, {&n.a.lo, &n.b.hi}, {&n.a.hi, &n.b.lo}, {&n.a.hi, &n.b.hi}} {
		if f(&z, pair[0], pair[1]); i == 0 || z.Cmp(&lo) < 0 {
			lo.Set(&z)
		}
		if i == 0 || z.Cmp(&hi) > 0 {
			hi.Set(&z)
		}
	}
	n.lo.Set(&lo)
	n.hi.Set(&hi)
}

// remainder sets the bounds of a % b for b above 0.
func (n *node) remainder() {
	a, b := n.a, n.b
	if b.single() {
		var q, r big.Int
		n.lo.Mod(&a.lo, &b.lo)
		n.hi.Mod(&a.hi, &b.lo)
		if q.Div(&a.lo, &b.lo); q.Cmp(r.Div(&a.hi, &b.lo)) == 0 {
			return // no wrap in between
		}
	}
	n.lo.SetInt64(0)
	n.hi.Sub(&b.hi, one)
}
