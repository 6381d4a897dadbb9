package formats

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrFormats is wrapped by every error about a table of formats.
var ErrFormats = errors.New("formats")

// Kind is where a value is held.
type Kind string

// The kinds.
const (
	State        Kind = "state"
	Register     Kind = "register"
	Intermediate Kind = "intermediate"
)

// Value is one value of a block with its format.
type Value struct {
	Name   string
	Kind   Kind
	Format Format
	Round  Rounding
	Over   Overflow
	Unit   string
	Rule   string // of an intermediate value: the text of the contract that defines it
	Doc    string
}

// String returns format, rounding and overflow as Table.Set takes them.
func (v *Value) String() string { return fmt.Sprintf("%v,%v,%v", v.Format, v.Round, v.Over) }

// Table holds the values of one block, in the order of its file.
type Table struct {
	Block  string
	Values []Value
}

// Lookup returns the value of that name. Case matters only between names that differ in nothing else, such as the word
// max_wnd and the register MAX_WND.
func (t *Table) Lookup(name string) (*Value, bool) {
	var like *Value
	for i := range t.Values {
		v := &t.Values[i]
		if v.Name == name {
			return v, true
		}
		if like == nil && strings.EqualFold(v.Name, name) {
			like = v
		}
	}
	return like, like != nil
}

// find is Lookup with an error that lists what there is.
func (t *Table) find(name string) (*Value, error) {
	v, ok := t.Lookup(name)
	if ok {
		return v, nil
	}
	var names []string
	for i := range t.Values {
		names = append(names, t.Values[i].Name)
	}
	return nil, fmt.Errorf("%w: value %q: unknown; block %s has %s", ErrFormats, name, t.Block, strings.Join(names, ", "))
}

// Set changes one value: spec is a format, and optionally a rounding and an overflow after commas, as in
// "UQ32.12,nearest-even,saturate". What is not given stays, except that a value that was exact is floored if it loses
// fraction bits.
func (t *Table) Set(name, spec string) error {
	v, err := t.find(name)
	if err != nil {
		return err
	}
	n := *v
	parts := strings.Split(spec, ",")
	if n.Format, err = ParseFormat(strings.TrimSpace(parts[0])); err != nil {
		return fmt.Errorf("%w: value %s: %w", ErrFormats, v.Name, err)
	}
	var round, over bool
	for _, p := range parts[1:] {
		p = strings.TrimSpace(p)
		if i, err := named("rounding", p, roundings[1:]); err == nil && !round {
			n.Round, round = Rounding(i+1), true
		} else if i, err := named("overflow", p, overflows[1:]); err == nil && !over {
			n.Over, over = Overflow(i+1), true
		} else {
			return fmt.Errorf("%w: value %s: %q: give after the format at most one rounding (%s) and one overflow (%s)",
				ErrFormats, v.Name, p, strings.Join(roundings[1:], ", "), strings.Join(overflows[1:], ", "))
		}
	}
	if n.Round == None && n.Format.Frac < v.Format.Frac {
		n.Round = Floor
	}
	*v = n
	return nil
}

// Changed returns the values in which the table differs from another of the same block.
func (t *Table) Changed(from *Table) (out []Value) {
	for i := range t.Values {
		v := &t.Values[i]
		if f, ok := from.Lookup(v.Name); !ok || f.Format != v.Format || f.Round != v.Round || f.Over != v.Over {
			out = append(out, *v)
		}
	}
	return out
}

// Clone returns a copy of the table.
func (t *Table) Clone() *Table {
	return &Table{Block: t.Block, Values: slices.Clone(t.Values)}
}
