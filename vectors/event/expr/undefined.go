package expr

import (
	"fmt"
	"math/big"
)

var limit = big.NewInt(maxShift)

// Undefined returns the first operation that has no value for any of the remaining values of its variables, such as a
// division by 0, as an *Error that names the fix; nil when there is none. An operation without a value for only some of
// them is not a mistake: those do not satisfy the constraint.
func (c *Constraint) Undefined() error {
	c.root.forward()
	if n := c.root.never(); n != nil {
		return n.unvalued()
	}
	return nil
}

// never returns the first part, operands before operations, that has no value.
func (n *node) never() *node {
	for _, k := range []*node{n.a, n.b} {
		if k == nil {
			continue
		}
		if bad := k.never(); bad != nil {
			return bad
		}
	}
	if n.b == nil || n.b.inf {
		return nil
	}
	switch n.op {
	case "/", "%":
		if n.b.hi.Sign() <= 0 {
			return n
		}
	case "<<", ">>", "^":
		if n.b.hi.Sign() < 0 || n.b.lo.Cmp(limit) > 0 {
			return n
		}
	}
	return nil
}

// unvalued returns the error of a part that never has a value.
func (n *node) unvalued() error {
	by := n.b.lo.String()
	if !n.b.single() {
		by += ".." + n.b.hi.String()
	}
	what, write := "a division by "+by, "a divisor above 0"
	switch n.op {
	case "<<", ">>":
		what, write = "a shift by "+by, fmt.Sprintf("a distance of 0 to %d", maxShift)
	case "^":
		what, write = "a power of "+by, fmt.Sprintf("an exponent of 0 to %d", maxShift)
	}
	return &Error{n.col + 1, fmt.Sprintf("%s has no value; write %s after %s", what, write, n.op)}
}
