// Package expr reads the constraints of a schema's stimulus and narrows the values that their fields may have.
//
//	e, err := expr.Parse("kind == WRITE -> addr + len <= 24")
//	c, err := e.Bind(func(name string) (*expr.Var, error) { return vars[name], nil })
//	ok := c.Narrow()   // false: no values of the fields, as they are now, can satisfy it
//
// Operators, loosest first: -> (to the right), ||, &&, then one of == != < <= > >=, << >>, + -, * / %,
// ^ (power), and the unary - and !. Numbers are unbounded integers, decimal or with 0x, 0o or 0b; / and %
// round down. A number in place of a truth value means that it is not 0. A division by 0 or less, a distance and an
// exponent below 0 or above 1,024 have no value; a truth value that depends on one is not satisfied (see Undefined).
//
// Narrow works on intervals, forth and back through the expression, so that it never takes a value away that
// could be right; what it cannot see, such as the inside of a product of two fields, it leaves. Of fields that
// have one value each it says exactly whether the constraint holds.
package expr
