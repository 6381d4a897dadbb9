package gen

import (
	"fmt"
	"math/big"
	"strings"
)

// eval returns the value of an arithmetic expression over unbounded integers.
// Operators, loosest first: << >> (floor), + -, * / (floor), ^ (power), unary -.
// Numbers are decimal, or hexadecimal with 0x; names are looked up.
func eval(text string, lookup func(string) (*big.Int, bool)) (v *big.Int, err error) {
	p := exprParser{text: text, lookup: lookup}
	defer func() {
		if e, ok := recover().(exprError); ok {
			v, err = nil, fmt.Errorf("expression %q: %s", text, string(e))
		}
	}()
	v = p.shift()
	if p.pos < len(p.text) {
		return nil, fmt.Errorf("expression %q: %q is left over", text, p.text[p.pos:])
	}
	return v, nil
}

// exprError is panicked inside the parser and leaves eval as an error.
type exprError string

type exprParser struct {
	text   string
	pos    int
	lookup func(string) (*big.Int, bool)
}

// take consumes one of the operators at the cursor, "" when there is none.
func (p *exprParser) take(ops ...string) string {
	for _, op := range ops {
		if strings.HasPrefix(p.text[p.pos:], op) {
			p.pos += len(op)
			return op
		}
	}
	return ""
}

func (p *exprParser) shift() *big.Int {
	v := p.sum()
	for {
		op := p.take("<<", ">>")
		if op == "" {
			return v
		}
		n := p.sum()
		if n.Sign() < 0 || n.BitLen() > 16 {
			panic(exprError("shift distance out of range"))
		}
		if op == "<<" {
			v = new(big.Int).Lsh(v, uint(n.Uint64()))
		} else {
			v = new(big.Int).Rsh(v, uint(n.Uint64()))
		}
	}
}

func (p *exprParser) sum() *big.Int {
	v := p.product()
	for {
		switch p.take("+", "-") {
		case "+":
			v = new(big.Int).Add(v, p.product())
		case "-":
			v = new(big.Int).Sub(v, p.product())
		default:
			return v
		}
	}
}

func (p *exprParser) product() *big.Int {
	v := p.power()
	for {
		switch p.take("*", "/") {
		case "*":
			v = new(big.Int).Mul(v, p.power())
		case "/":
			d := p.power()
			if d.Sign() == 0 {
				panic(exprError("division by 0"))
			}
			m := new(big.Int)
			v, _ = new(big.Int).DivMod(v, d, m)
		default:
			return v
		}
	}
}

func (p *exprParser) power() *big.Int {
	if p.take("-") != "" {
		return new(big.Int).Neg(p.power())
	}
	v := p.primary()
	if p.take("^") != "" {
		n := p.power()
		if n.Sign() < 0 || n.BitLen() > 16 {
			panic(exprError("exponent out of range"))
		}
		v = new(big.Int).Exp(v, n, nil)
	}
	return v
}

func (p *exprParser) primary() *big.Int {
	if p.take("(") != "" {
		v := p.shift()
		if p.take(")") == "" {
			panic(exprError("a closing bracket is missing"))
		}
		return v
	}
	from := p.pos
	for p.pos < len(p.text) && (isName(p.text[p.pos])) {
		p.pos++
	}
	word := p.text[from:p.pos]
	if word == "" {
		panic(exprError("an operand is missing"))
	}
	if v, ok := new(big.Int).SetString(word, 0); ok {
		return v
	}
	if v, ok := p.lookup(word); ok {
		return v
	}
	panic(exprError(fmt.Sprintf("%q is not known", word)))
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
