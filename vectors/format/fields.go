package format

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Text returns a field of a record in readable form: the name of an enum's code, a decimal, bytes in wire
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

// Comparer compares output records under the rule of event.Layout.Differ, and describes what differs.
type Comparer struct {
	block  *event.Block
	layout *event.Layout
}

// NewComparer returns a comparer for records of a valid block.
func NewComparer(b *event.Block) *Comparer { return &Comparer{b, event.NewLayout(b)} }

// Equal reports whether got agrees with want.
func (c *Comparer) Equal(want, got []uint64) bool { return c.layout.Equal(want, got) }

// EqualStream reports whether the fields of one output stream agree with want, valid or not. A stream that the
// block does not have is never equal.
func (c *Comparer) EqualStream(stream string, want, got []uint64) bool {
	p := c.output(stream)
	return p != nil && !p.Differs(want, got, p.Mask)
}

// output returns an output stream, or nil.
func (c *Comparer) output(stream string) *event.Port {
	for i := range c.layout.Outputs() {
		if p := &c.layout.Outputs()[i]; p.Name == stream {
			return p
		}
	}
	return nil
}

// Diff returns everything that differs, control bits first. If a stream is not valid in got, only its valid bit is
// listed.
func (c *Comparer) Diff(want, got []uint64) []Difference {
	var out []Difference
	for p := range c.layout.Differ(want, got) {
		switch {
		case p.Slot == nil:
			w, g := want[0]>>p.Control.Bit&1, got[0]>>p.Control.Bit&1
			out = append(out, Difference{p.Control.Name, fmt.Sprint(w), fmt.Sprint(g)})
		case p.Port.Offered(got):
			out = append(out, c.field(p.Slot, want, got))
		}
	}
	return out
}

// DiffStream returns the fields of one output stream that differ.
func (c *Comparer) DiffStream(stream string, want, got []uint64) []Difference {
	p := c.output(stream)
	if p == nil {
		return nil
	}
	var out []Difference
	for _, s := range p.Slots {
		if s.Differs(want, got) {
			out = append(out, c.field(s, want, got))
		}
	}
	return out
}

func (c *Comparer) field(s *event.Slot, want, got []uint64) Difference {
	return Difference{s.Stream + "." + s.Field.Name, Text(c.block, s, want), Text(c.block, s, got)}
}
