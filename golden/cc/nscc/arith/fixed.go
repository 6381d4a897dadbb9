package arith

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Fixed is fixed point at the formats of a table. Its methods are those of Numbers, and what it has counted.
type Fixed struct {
	fixed.Context
	table  *formats.Table
	values [nscc.NumValues]formats.Value
	regs   [ccc.NumRegs]*formats.Value // nil for a register without arithmetic
	use    [nscc.NumValues]Use
	regUse [ccc.NumRegs]Use
	watch  bool
}

// Use counts what happened to the numbers converted to one value's format.
type Use struct {
	fixed.Counts
	Lo, Hi fixed.Num
}

func (u *Use) note(c *fixed.Context, x fixed.Num, f fixed.Flags) {
	u.Counts.Note(f)
	if u.Count == 1 {
		u.Lo, u.Hi = x, x
		return
	}
	if c.Cmp(x, u.Lo) < 0 {
		u.Lo = x
	}
	if c.Cmp(u.Hi, x) < 0 {
		u.Hi = x
	}
}

// NewFixed returns the arithmetic of a table of ccc, and an error when the table lacks a value of the rules.
func NewFixed(t *formats.Table) (*Fixed, error) {
	a := &Fixed{table: t}
	for v := range a.values {
		f, ok := t.Lookup(nscc.Value(v).String())
		if !ok {
			return nil, fmt.Errorf("formats: value %v is missing", nscc.Value(v))
		}
		a.values[v] = *f
	}
	for addr, r := range ccc.RegInfo {
		for i := range t.Values {
			if f := &t.Values[i]; f.Name == r.Name && f.Kind == formats.Register {
				a.regs[addr] = f
			}
		}
		if a.regs[addr] == nil && addr != ccc.RegCtrl {
			return nil, fmt.Errorf("formats: register %s is missing", r.Name)
		}
	}
	return a, nil
}

// Watch turns on the counts of Use, at some cost.
func (a *Fixed) Watch() { a.watch = true }

// Table returns the formats.
func (a *Fixed) Table() *formats.Table { return a.table }

// Use returns the counts of one value of the table, by its name.
func (a *Fixed) Use(name string) Use {
	for v := range a.values {
		if a.values[v].Name == name {
			return a.use[v]
		}
	}
	for addr, f := range a.regs {
		if f != nil && f.Name == name {
			return a.regUse[addr]
		}
	}
	return Use{}
}

func (a *Fixed) Whole(v int64) fixed.Num             { return fixed.Of(v, 0) }
func (a *Fixed) Of(raw int64, frac uint8) fixed.Num  { return fixed.Of(raw, frac) }
func (a *Fixed) Sign(x fixed.Num) int                { return x.Sign() }
func (a *Fixed) Bits(x fixed.Num, frac uint8) uint64 { return x.Bits(frac) }
func (a *Fixed) Rat(x fixed.Num) *big.Rat            { return x.Rat() }
func (a *Fixed) Float(x fixed.Num) float64           { return x.Float64() }

// Quo returns x / y with the rounding and the fraction bits of the value.
func (a *Fixed) Quo(at nscc.Value, x, y fixed.Num) fixed.Num {
	v := &a.values[at]
	q, flags := a.Context.Quo(x, y, v.Format.Frac, v.Round)
	if a.watch && flags&fixed.Inexact != 0 {
		a.use[at].Inexact++ // Quantise or Fit follows, finds an exact number and counts it
	}
	return q
}

// Share returns k times x / y in the value's format.
func (a *Fixed) Share(at nscc.Value, k, x, y fixed.Num) fixed.Num {
	return a.Mul(k, a.Quantise(at, a.Quo(at, x, y)))
}

// Quantise returns x in the value's format.
func (a *Fixed) Quantise(at nscc.Value, x fixed.Num) fixed.Num {
	y, _ := a.Fit(at, x)
	return y
}

// Fit is Quantise and reports whether the value saturated.
func (a *Fixed) Fit(at nscc.Value, x fixed.Num) (fixed.Num, bool) {
	return a.into(&a.values[at], &a.use[at], x)
}

// into returns x in a format, counts it, and reports whether it saturated.
func (a *Fixed) into(f *formats.Value, use *Use, x fixed.Num) (fixed.Num, bool) {
	y, flags := a.Context.Quantise(x, f.Format, f.Round, f.Over)
	if a.watch {
		use.note(&a.Context, y, flags)
	}
	return y, flags&fixed.Saturated != 0
}

// Mod returns x in the value's format, which wraps if the table says so; m is for arithmetics without formats.
func (a *Fixed) Mod(at nscc.Value, x, _ fixed.Num) fixed.Num { return a.Quantise(at, x) }

// Register returns the number of a register's word in the table's format of that register.
func (a *Fixed) Register(addr int, raw uint64) fixed.Num {
	x, f := fixed.OfUnsigned(raw, regFrac[addr]), a.regs[addr]
	if f == nil {
		return x
	}
	y, _ := a.into(f, &a.regUse[addr], x)
	return y
}

// RegisterWord returns the word of the number that the table's format leaves of a register's word.
func (a *Fixed) RegisterWord(addr int, raw uint64) uint64 {
	f := a.regs[addr]
	if f == nil {
		return raw
	}
	y, _ := a.Context.Quantise(fixed.OfUnsigned(raw, regFrac[addr]), f.Format, f.Round, f.Over)
	return y.Bits(regFrac[addr])
}
