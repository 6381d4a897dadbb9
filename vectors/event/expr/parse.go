package expr

import (
	"fmt"
	"math/big"
	"strings"
)

type op string

const (
	number  op = "number"
	name    op = "name"
	neg     op = "neg"
	not     op = "!"
	implies op = "->"
	or      op = "||"
	and     op = "&&"
)

// node is a part of an expression with what is currently known about it.
type node struct {
	op   op
	a, b *node
	col  int
	text string // of a name
	v    *Var   // of a name, once bound

	lo, hi big.Int // of a number
	inf    bool    // nothing is known about the number
	truth  truth
}

// truth is what is known about a truth value.
type truth int8

const (
	unknown truth = iota
	yes
	no
)

// Expr is an expression that has been read: a truth value over names.
type Expr struct {
	Text string
	root *node
}

// Error is a mistake in an expression; Col counts its characters from 1.
type Error struct {
	Col  int
	Text string
}

// Error returns the column and what is wrong there.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Col, e.Text) }

// maxDepth bounds how deep brackets and signs may be nested.
const maxDepth = 200

// levels are the binary operators, loosest first, longest first within a level.
var levels = [][]string{{"->"}, {"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"<<", ">>"},
	{"+", "-"}, {"*", "/", "%"}, {"^"}}

// Places in levels.
const (
	compare = 3
	power   = 7
)

// Parse reads an expression. Its error is an *Error.
func Parse(text string) (*Expr, error) {
	n, err := parse(text)
	if err != nil {
		return nil, err
	}
	return &Expr{Text: text, root: truthOf(n)}, nil
}

func parse(text string) (n *node, err error) {
	p := &parser{text: text}
	defer func() {
		if bad, ok := recover().(*Error); ok {
			n, err = nil, bad
		}
	}()
	n = p.binary(0)
	if p.skip(); p.pos < len(text) {
		p.fail(p.pos, "%q is left over", text[p.pos:])
	}
	return n, nil
}

type parser struct {
	text  string
	pos   int
	depth int
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(&Error{Col: at + 1, Text: fmt.Sprintf(format, args...)})
}

func (p *parser) skip() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// take consumes one of the operators at the cursor, "" when there is none.
func (p *parser) take(ops ...string) string {
	p.skip()
	rest := p.text[p.pos:]
	for _, o := range ops {
		if !strings.HasPrefix(rest, o) {
			continue
		}
		if o == "-" && strings.HasPrefix(rest, "->") {
			continue // << and >> are taken, by their level, before < and > are looked for
		}
		p.pos += len(o)
		return o
	}
	return ""
}

func (p *parser) binary(level int) *node {
	if level == len(levels) {
		return p.unary()
	}
	n := p.binary(level + 1)
	for first := true; ; first = false {
		p.skip()
		at := p.pos
		o := p.take(levels[level]...)
		if o == "" {
			return n
		}
		next := level + 1
		if level == 0 || level == power {
			next = level // to the right
			p.enter()
		}
		m := &node{op: op(o), a: n, b: p.binary(next), col: at}
		if level == 0 || level == power {
			p.depth--
		}
		switch {
		case level < compare:
			m.a, m.b = truthOf(m.a), truthOf(m.b)
		case level == compare && !first:
			p.fail(at, "comparisons do not chain; join them with &&")
		default:
			p.numeric(m.a)
			p.numeric(m.b)
		}
		n = m
	}
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.pos, "nested too deeply")
	}
}

func (p *parser) unary() *node {
	p.skip()
	at := p.pos
	p.enter()
	defer func() { p.depth-- }()
	switch {
	case p.take("!") != "":
		return &node{op: not, a: truthOf(p.unary()), col: at}
	case p.take("-") != "":
		n := p.binary(power) // -2^2 is -4
		p.numeric(n)
		return &node{op: neg, a: n, col: at}
	case p.take("(") != "":
		n := p.binary(0)
		if p.take(")") == "" {
			p.fail(p.pos, "a closing bracket is missing")
		}
		return n
	}
	for p.pos < len(p.text) && isName(p.text[p.pos]) {
		p.pos++
	}
	word := p.text[at:p.pos]
	if word == "" {
		what := "an operand is missing"
		if at < len(p.text) {
			what = fmt.Sprintf("%q is not an operand", p.text[at:at+1])
		}
		p.fail(at, "%s", what)
	}
	if word[0] >= '0' && word[0] <= '9' {
		v, ok := new(big.Int).SetString(word, 0)
		if !ok {
			p.fail(at, "%q is not a number", word)
		}
		return constant(v, at)
	}
	return &node{op: name, text: word, col: at}
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func constant(v *big.Int, col int) *node {
	n := &node{op: number, col: col}
	n.lo.Set(v)
	n.hi.Set(v)
	return n
}

// isTruth reports whether a node is a truth value, not a number.
func (n *node) isTruth() bool {
	switch n.op {
	case not, implies, or, and, "==", "!=", "<=", ">=", "<", ">":
		return true
	}
	return false
}

// truthOf returns a node as a truth value.
func truthOf(n *node) *node {
	if n.isTruth() {
		return n
	}
	return &node{op: "!=", a: n, b: constant(new(big.Int), n.col), col: n.col}
}

func (p *parser) numeric(n *node) {
	if n.isTruth() {
		p.fail(n.col, "a number is required here, not the result of %s", n.op)
	}
}
