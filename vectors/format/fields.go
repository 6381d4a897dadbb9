package format

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Text returns a field of a record as a person reads it: the name of an enum's code, a decimal, bytes in wire
// order, or, for any other field wider than 64 bits, 0x and all its hex digits.
func Text(b *event.Block, s *event.Slot, record []uint64) string {
	if s.Field.IsBytes() {
		return event.BytesText(s.Bytes(record))
	}
	if s.Field.Width > 64 {
		return Hex(s, record)
	}
	return b.Format(&s.Field, s.Get(record))
}

// Hex returns a field of a record as 0x and as many hex digits as its width needs.
func Hex(s *event.Slot, record []uint64) string {
	digits := (s.Field.Width + 3) / 4
	if s.Field.Width <= 64 {
		return fmt.Sprintf("0x%0*x", digits, s.Get(record))
	}
	var t strings.Builder
	for w := (s.Field.Width - 1) / 64; w >= 0; w-- {
		fmt.Fprintf(&t, "%016x", Word(s, record, w))
	}
	h := t.String()
	return "0x" + h[len(h)-digits:]
}

// Word returns 64 bits of a field, w counted from the least significant.
func Word(s *event.Slot, record []uint64, w int) uint64 {
	left := s.Field.Width - 64*w
	if left >= 64 {
		return record[s.Word+w]
	}
	return record[s.Word+w] >> s.Bit & (1<<left - 1)
}

// Difference is one field or control bit that differs.
type Difference struct {
	Name      string // stream.field, or the name of the control bit
	Want, Got string
}

func (d Difference) String() string { return fmt.Sprintf("%s want %s got %s", d.Name, d.Want, d.Got) }

// Comparer compares output records: control bits always, the fields of a stream where its expected valid
// is 1. It is not safe for use by two goroutines.
type Comparer struct {
	block *event.Block
	s     *shape
	mask  []uint64
}

// NewComparer returns a comparer for records of a valid block.
func NewComparer(b *event.Block) *Comparer {
	s := newShape(b, PerCycle)
	return &Comparer{b, s, make([]uint64, s.out)}
}

// Equal reports whether got is what want asks for.
func (c *Comparer) Equal(want, got []uint64) bool {
	allow(c.mask, want[0], c.s.outCtl, c.s.outs)
	for w, m := range c.mask {
		if (want[w]^got[w])&m != 0 {
			return false
		}
	}
	return true
}

// EqualStream reports whether the fields of one output stream are what want asks for, valid or not.
func (c *Comparer) EqualStream(stream string, want, got []uint64) bool {
	for i := range c.s.outs {
		x := &c.s.outs[i]
		if x.name != stream {
			continue
		}
		for j, w := range x.words {
			if (want[w]^got[w])&x.masks[j] != 0 {
				return false
			}
		}
	}
	return true
}

// Diff returns everything that differs, control bits first.
func (c *Comparer) Diff(want, got []uint64) []Difference {
	var out []Difference
	for _, k := range c.s.layout.Out.Controls {
		if w, g := want[0]>>k.Bit&1, got[0]>>k.Bit&1; w != g {
			out = append(out, Difference{k.Name, fmt.Sprint(w), fmt.Sprint(g)})
		}
	}
	for i := range c.s.outs {
		if x := &c.s.outs[i]; want[0]&got[0]&x.valid != 0 {
			out = append(out, c.DiffStream(x.name, want, got)...)
		}
	}
	return out
}

// DiffStream returns the fields of one output stream that differ.
func (c *Comparer) DiffStream(stream string, want, got []uint64) []Difference {
	var out []Difference
	for i := range c.s.layout.Out.Slots {
		s := &c.s.layout.Out.Slots[i]
		if s.Stream != stream {
			continue
		}
		w, g := Text(c.block, s, want), Text(c.block, s, got)
		if w != g {
			out = append(out, Difference{s.Stream + "." + s.Field.Name, w, g})
		}
	}
	return out
}
