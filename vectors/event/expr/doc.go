// Package expr reads the constraints of a schema's stimulus and narrows the values that their fields may have.
//
//	e, err := expr.Parse("kind == WRITE -> addr + len <= 24")
//	c, err := e.Bind(func(name string) (*expr.Var, error) { return vars[name], nil })
//	ok := c.Narrow()   // false: no values of the fields, as they are now, can satisfy it
//
// Operators, loosest first: -> (to the right), ||, &&, then one of == != < <= > >=, << >>, + -, * / %, ^ (power), and
// the unary - and !. Numbers are unbounded integers, decimal or with 0x, 0o or 0b; / and % round down. A number in
// place of a truth value means that it is not 0. A division by 0 or less has no value, nor has a shift distance or an
// exponent below 0 or above 1,024; a truth value that depends on one is not satisfied (see Undefined).
//
// Narrow works on intervals, forwards and backwards through the expression. It never removes a value that could be
// right, and leaves what it cannot decide, such as the factors of a product of two fields. When every field has a
// single value it decides exactly whether the constraint holds.
package expr
