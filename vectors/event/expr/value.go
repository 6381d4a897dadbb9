package expr

import (
	"fmt"
	"math/big"
)

// Value returns the value of an arithmetic expression over names that lookup knows. Its error is an *Error.
func Value(text string, lookup func(name string) (*big.Int, bool)) (*big.Int, error) {
	n, err := parse(text)
	if err != nil {
		return nil, err
	}
	if n.isTruth() {
		return nil, &Error{n.col + 1, fmt.Sprintf("a number is required here, not the result of %s", n.op)}
	}
	c := new(Constraint)
	n, err = c.bind(n, func(name string) (*Var, error) {
		x, ok := lookup(name)
		if !ok {
			return nil, fmt.Errorf("%q is not known", name)
		}
		v := new(Var)
		v.Lo.Set(x)
		v.Hi.Set(x)
		return v, nil
	})
	if err != nil {
		return nil, err
	}
	if n.forward(); n.inf {
		return nil, n.undefined()
	}
	return &n.lo, nil
}

// undefined returns why an operation has no value although its operands have one.
func (n *node) undefined() error {
	for _, k := range []*node{n.a, n.b} {
		if k != nil && k.inf {
			return k.undefined()
		}
	}
	why := "the exponent is out of range"
	switch n.op {
	case "/", "%":
		why = "division by 0 or less"
	case "<<", ">>":
		why = "the shift distance is out of range"
	}
	return &Error{n.col + 1, why}
}
