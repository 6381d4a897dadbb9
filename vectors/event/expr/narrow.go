package expr

import (
	"errors"
	"math/big"
)

// Var is the set of values that a field may have: the integers from Lo to Hi and, if Step is above 1, only those that
// leave Rem when divided by it.
type Var struct {
	Lo, Hi    big.Int
	Step, Rem big.Int
}

// Single reports whether one value is left.
func (v *Var) Single() bool { return v.Lo.Cmp(&v.Hi) == 0 }

// Constraint is an expression over variables. It is for one goroutine.
type Constraint struct {
	Text    string
	root    *node
	vars    []*Var
	changed bool
}

// Bind gives the names variables; a constant is a variable with one value. An error of resolve is returned as an *Error
// with the column of the name.
func (e *Expr) Bind(resolve func(name string) (*Var, error)) (*Constraint, error) {
	c := &Constraint{Text: e.Text}
	var err error
	if c.root, err = c.bind(e.root, resolve); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Constraint) bind(n *node, resolve func(string) (*Var, error)) (*node, error) {
	if n == nil {
		return nil, nil
	}
	m := &node{op: n.op, col: n.col, text: n.text}
	m.lo.Set(&n.lo)
	m.hi.Set(&n.hi)
	var errs [3]error
	if n.op == name {
		if m.v, errs[0] = resolve(n.text); errs[0] != nil {
			return nil, &Error{Col: n.col + 1, Text: errs[0].Error()}
		}
		c.vars = append(c.vars, m.v)
	}
	m.a, errs[1] = c.bind(n.a, resolve)
	m.b, errs[2] = c.bind(n.b, resolve)
	for _, err := range errs {
		var e *Error
		if errors.As(err, &e) {
			return nil, e
		}
	}
	return m, nil
}

// Vars returns the variables that it names, some more than once.
func (c *Constraint) Vars() []*Var { return c.vars }

// Changed reports whether the last Narrow removed values.
func (c *Constraint) Changed() bool { return c.changed }

// Narrow removes values that cannot satisfy the constraint. It returns false when none is left; where every variable
// has a single value, it returns whether the constraint holds.
func (c *Constraint) Narrow() bool {
	c.changed = false
	c.root.forward()
	if c.root.truth == unknown {
		single := true
		for _, v := range c.vars {
			single = single && v.Single()
		}
		return !single && c.be(c.root, true)
	}
	return c.root.truth == yes
}

// be forces a truth value.
func (c *Constraint) be(n *node, want bool) bool {
	if n.truth != unknown {
		return (n.truth == yes) == want
	}
	a, b := n.a, n.b
	switch n.op {
	case not:
		return c.be(a, !want)
	case and, or:
		if (n.op == and) == want {
			return c.be(a, want) && c.be(b, want)
		}
		return c.last(a, !want, b, want) && c.last(b, !want, a, want)
	case implies:
		if !want {
			return c.be(a, true) && c.be(b, false)
		}
		return c.last(a, true, b, true) && c.last(b, false, a, false)
	}
	o := n.op
	if !want {
		o = map[op]op{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[o]
	}
	return c.compare(o, a, b)
}

// last forces b, given that a is known to be was.
func (c *Constraint) last(a *node, was bool, b *node, want bool) bool {
	if a.truth == unknown || (a.truth == yes) != was {
		return true
	}
	return c.be(b, want)
}

var one = big.NewInt(1)

func plus(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Int).Add(a, b)
}

func minus(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Int).Sub(a, b)
}

// ends returns the bounds of a number, nil where it has none.
func (n *node) ends() (lo, hi *big.Int) {
	if n.inf {
		return nil, nil
	}
	return &n.lo, &n.hi
}

func (n *node) single() bool { return !n.inf && n.lo.Cmp(&n.hi) == 0 }

func (c *Constraint) compare(o op, a, b *node) bool {
	if o == ">" || o == ">=" {
		a, b = b, a
		o = map[op]op{">": "<", ">=": "<="}[o]
	}
	alo, ahi := a.ends()
	blo, bhi := b.ends()
	switch o {
	case "<":
		return c.within(a, nil, minus(bhi, one)) && c.within(b, plus(alo, one), nil)
	case "<=":
		return c.within(a, nil, bhi) && c.within(b, alo, nil)
	case "==":
		return c.within(a, blo, bhi) && c.within(b, alo, ahi)
	}
	return c.unlike(a, b) && c.unlike(b, a)
}

// unlike removes the value of b from an end of a.
func (c *Constraint) unlike(a, b *node) bool {
	if !b.single() || a.inf {
		return true
	}
	if a.lo.Cmp(&b.lo) == 0 && !c.within(a, plus(&a.lo, one), nil) {
		return false
	}
	return a.hi.Cmp(&b.lo) != 0 || c.within(a, nil, minus(&a.hi, one))
}

// within narrows a number to lo..hi; nil is no bound.
func (c *Constraint) within(n *node, lo, hi *big.Int) bool {
	if lo == nil && hi == nil {
		return true
	}
	if !n.inf && (lo != nil && lo.Cmp(&n.hi) > 0 || hi != nil && hi.Cmp(&n.lo) < 0) {
		return false
	}
	a, b := n.a, n.b
	switch n.op {
	case name:
		return c.cut(n.v, lo, hi)
	case neg:
		return c.within(a, negated(hi), negated(lo))
	case "+":
		alo, ahi := a.ends()
		blo, bhi := b.ends()
		return c.within(a, minus(lo, bhi), minus(hi, blo)) && c.within(b, minus(lo, ahi), minus(hi, alo))
	case "-":
		alo, ahi := a.ends()
		blo, bhi := b.ends()
		return c.within(a, plus(lo, blo), plus(hi, bhi)) && c.within(b, minus(alo, hi), minus(ahi, lo))
	case "*":
		if a.single() && !b.single() {
			a, b = b, a
		}
		if b.single() && b.lo.Sign() > 0 {
			return c.within(a, up(lo, &b.lo), down(hi, &b.lo))
		}
	case "/":
		if b.single() && b.lo.Sign() > 0 {
			return c.within(a, times(lo, &b.lo), plus(times(hi, &b.lo), minus(&b.lo, one)))
		}
	case "<<", ">>":
		if b.single() && small(&b.lo) {
			f := new(big.Int).Lsh(one, uint(b.lo.Uint64()))
			if n.op == "<<" {
				return c.within(a, up(lo, f), down(hi, f))
			}
			return c.within(a, times(lo, f), plus(times(hi, f), minus(f, one)))
		}
	case "%":
		if a.op == name && b.single() && b.lo.Cmp(one) > 0 && lo != nil && hi != nil && lo.Cmp(hi) == 0 {
			return c.align(a.v, &b.lo, lo)
		}
	}
	return true
}

// cut narrows a variable.
func (c *Constraint) cut(v *Var, lo, hi *big.Int) bool {
	if lo != nil && lo.Cmp(&v.Lo) > 0 {
		v.Lo.Set(lo)
		c.changed = true
	}
	if hi != nil && hi.Cmp(&v.Hi) < 0 {
		v.Hi.Set(hi)
		c.changed = true
	}
	return v.Lo.Cmp(&v.Hi) <= 0
}

// align reduces a variable to the values that leave rem, which is below step, when divided by step.
func (c *Constraint) align(v *Var, step, rem *big.Int) bool {
	if v.Step.Sign() == 0 {
		v.Step.Set(step)
		v.Rem.Set(rem)
		c.changed = true
	}
	lo, hi := minus(&v.Lo, rem), minus(&v.Hi, rem)
	return c.cut(v, plus(times(up(lo, step), step), rem), plus(times(down(hi, step), step), rem))
}

func negated(a *big.Int) *big.Int {
	if a == nil {
		return nil
	}
	return new(big.Int).Neg(a)
}

func times(a, b *big.Int) *big.Int {
	if a == nil {
		return nil
	}
	return new(big.Int).Mul(a, b)
}

// down returns floor(a / b), up ceil(a / b), for b > 0.
func down(a, b *big.Int) *big.Int {
	if a == nil {
		return nil
	}
	return new(big.Int).Div(a, b)
}

func up(a, b *big.Int) *big.Int {
	if a == nil {
		return nil
	}
	return negated(down(negated(a), b))
}
