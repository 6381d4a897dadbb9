package export

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// Condition is one condition on a record: columns, a comparison and values.
type Condition struct {
	columns []*Column // any of them
	op      string
	value   *big.Int
}

// operators lists longer ones first, so that <= is not read as <.
var operators = []string{"!=", "<=", ">=", "=", "<", ">"}

// ParseCondition parses "ctx=3", "rsp.cwnd>=4096", "ev.kind!=ACK". A name without a stream matches every stream with
// such a field. Values are decimal, hex with 0x, a name of the field's enum or, for bytes of a packet, hex digits
// without 0x, byte 0 first. It returns an error when the block has no such field or the field cannot have the value.
func (t *Table) ParseCondition(s string) (Condition, error) {
	at, op := len(s), ""
	for _, o := range operators {
		if i := strings.Index(s, o); i >= 0 && i < at {
			at, op = i, o
		}
	}
	if op == "" {
		return Condition{}, fmt.Errorf("condition %q: give FIELD=VALUE, with = != < <= > or >=", s)
	}
	name, text := strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+len(op):])
	c := Condition{op: op}
	var known []string
	for i := range t.Columns {
		x := &t.Columns[i]
		known = append(known, x.Name)
		if x.Name == name || x.Stream != "" && x.slot.Field.Name == name {
			c.columns = append(c.columns, x)
		}
	}
	if c.columns == nil {
		return c, fmt.Errorf("condition %q: block %s has no field %q; it has %s", s, t.block.Name, name,
			strings.Join(known, ", "))
	}
	v, err := t.value(c.columns[0], text)
	if err != nil {
		return c, fmt.Errorf("condition %q: %w", s, err)
	}
	c.value = v
	return c, nil
}

func (t *Table) value(c *Column, text string) (*big.Int, error) {
	if e := t.block.Enum(c.slot.Field.Enum); e != nil {
		var names []string
		for _, v := range e.Values {
			if strings.EqualFold(v.Name, text) {
				return new(big.Int).SetUint64(v.Value), nil
			}
			names = append(names, v.Name)
		}
		if v, ok := new(big.Int).SetString(text, 0); ok {
			return v, nil
		}
		return nil, fmt.Errorf("%q is not a code of %s: give a number or %s", text, c.Name, strings.Join(names, ", "))
	}
	if c.slot.Field.IsBytes() && !strings.HasPrefix(text, "0x") {
		b, err := event.ParseBytes(text, c.slot.Field.Width/8)
		if err != nil {
			return nil, fmt.Errorf("%w; or a number with 0x, byte 0 last", err)
		}
		slices.Reverse(b)
		return new(big.Int).SetBytes(b), nil
	}
	v, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return nil, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// contexts are the names of the fields by which blocks number their contexts, best first.
var contexts = []string{"ctx", "pdc", "port"}

// Context returns the condition that a record belongs to a context: the field ctx, pdc or port. It returns an error
// when the block has none of them.
func (t *Table) Context(n uint64) (Condition, error) {
	for _, name := range contexts {
		if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Stream != "" && c.slot.Field.Name == name }) {
			return t.ParseCondition(fmt.Sprintf("%s=%d", name, n))
		}
	}
	return Condition{}, fmt.Errorf("block %s has no field %s; give a condition on another field", t.block.Name,
		strings.Join(contexts, ", "))
}

// Match reports whether a record meets the condition. A stream that carries nothing meets no condition.
func (c *Condition) Match(rec *format.Record) bool {
	for _, x := range c.columns {
		if x.Present(rec) && c.holds(x, rec) {
			return true
		}
	}
	return false
}

func (c *Condition) holds(x *Column, rec *format.Record) bool {
	cmp := x.number(rec).Cmp(c.value)
	switch c.op {
	case "=":
		return cmp == 0
	case "!=":
		return cmp != 0
	case "<":
		return cmp < 0
	case "<=":
		return cmp <= 0
	case ">":
		return cmp > 0
	}
	return cmp >= 0
}

func (c *Column) number(rec *format.Record) *big.Int {
	half, n := c.record(rec), new(big.Int)
	f := &c.slot.Field
	if f.Width <= 64 {
		if f.Signed {
			return n.SetInt64(f.Signed64(c.slot.Get(half)))
		}
		return n.SetUint64(c.slot.Get(half))
	}
	for w := (f.Width - 1) / 64; w >= 0; w-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(format.Word(&c.slot, half, w)))
	}
	return n // no field of more than 64 bits is signed
}
