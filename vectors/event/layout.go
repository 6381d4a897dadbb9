package event

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Slot is the place of one field in a cycle record: Width bits from bit Bit of word Word on. A field
// wider than 64 bits has Bit 0 and goes on in the following words, least significant word first.
type Slot struct {
	Stream string
	Field  Field
	Word   int
	Bit    int
}

// Control is one control bit of a cycle record, in word 0: rst_n, <stream>_valid or <stream>_ready.
type Control struct {
	Name string
	Bit  int
}

// Record is the layout of one direction's cycle record.
type Record struct {
	Words    int
	Controls []Control
	Slots    []Slot
}

// Layout is the place of everything in a block's cycle records. See the package comment for the rules.
type Layout struct {
	In  Record
	Out Record

	inputs, outputs []Port
}

// NewLayout returns the layout of a block that Validate accepts.
func NewLayout(b *Block) *Layout {
	in, out := b.StreamsOf(In), b.StreamsOf(Out)
	l := &Layout{}
	l.In.control("rst_n")
	for _, s := range in {
		l.In.control(s.Name + "_valid")
		l.Out.control(s.Name + "_ready")
	}
	for _, s := range out {
		l.In.control(s.Name + "_ready")
		l.Out.control(s.Name + "_valid")
	}
	l.In.place(in)
	l.Out.place(out)
	l.inputs, l.outputs = ports(&l.In, &l.Out, in), ports(&l.Out, &l.In, out)
	return l
}

func (r *Record) control(name string) {
	r.Controls = append(r.Controls, Control{name, len(r.Controls)})
}

func (r *Record) place(streams []*Stream) {
	next := len(r.Controls) // first free bit, counted from bit 0 of word 0
	for _, s := range streams {
		for _, f := range s.Fields {
			free := (64 - next%64) % 64
			if (f.Width > 64 || f.Width > free) && free > 0 {
				next += free
			}
			r.Slots = append(r.Slots, Slot{s.Name, f, next / 64, next % 64})
			if f.Width > 64 {
				next += 64 * ((f.Width + 63) / 64)
			} else {
				next += f.Width
			}
		}
	}
	r.Words = max(1, (next+63)/64)
}

// Slot returns the place of a field, or nil.
func (r *Record) Slot(stream, field string) *Slot {
	for i := range r.Slots {
		if s := &r.Slots[i]; s.Stream == stream && s.Field.Name == field {
			return s
		}
	}
	return nil
}

// Control returns the mask in word 0 of the control bit of that name, 0 when there is none.
func (r *Record) Control(name string) uint64 {
	for _, c := range r.Controls {
		if c.Name == name {
			return 1 << c.Bit
		}
	}
	return 0
}

// ControlMask returns the mask of all control bits in word 0.
func (r *Record) ControlMask() uint64 { return ones(len(r.Controls)) }

// StreamMask returns, word for word, the bits that carry fields of one stream.
func (r *Record) StreamMask(stream string) []uint64 {
	m := make([]uint64, r.Words)
	for i := range r.Slots {
		s := &r.Slots[i]
		if s.Stream != stream {
			continue
		}
		for w, left := s.Word, s.Field.Width; left > 0; w, left = w+1, left-64 {
			m[w] |= ones(min(left, 64)) << s.Bit
		}
	}
	return m
}

// Get returns the field's raw bits, zero extended; for a field wider than 64 bits, the lowest 64.
func (s *Slot) Get(record []uint64) uint64 {
	return record[s.Word] >> s.Bit & ones(min(s.Field.Width, 64))
}

// Set writes the field's raw bits. Bits of v beyond its width are dropped; in a field wider than 64 bits only the
// lowest word changes.
func (s *Slot) Set(record []uint64, v uint64) {
	m := ones(min(s.Field.Width, 64))
	record[s.Word] = record[s.Word]&^(m<<s.Bit) | (v&m)<<s.Bit
}

// Signed64 returns raw bits as a number: sign extended when the field is signed, else as they are.
func (f *Field) Signed64(raw uint64) int64 {
	if !f.Signed {
		return int64(raw)
	}
	return int64(raw<<(64-f.Width)) >> (64 - f.Width)
}

// ShowHex is the value of Field.Show for raw bits in hexadecimal, every digit of the width.
const ShowHex = "hex"

// Format returns raw bits in readable form: the name of an enum's code, hexadecimal where Show asks for it,
// else a signed or unsigned decimal. Codes that have no name are printed as numbers.
func (b *Block) Format(f *Field, raw uint64) string {
	if e := b.Enum(f.Enum); e != nil {
		for _, v := range e.Values {
			if v.Value == raw {
				return v.Name
			}
		}
	}
	if f.Show == ShowHex {
		return fmt.Sprintf("0x%0*x", (f.Width+3)/4, raw)
	}
	if f.Signed {
		return fmt.Sprint(f.Signed64(raw))
	}
	return fmt.Sprint(raw)
}

// ones returns n one bits, 0 <= n <= 64.
func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// IsBytes reports whether the field carries bytes of a packet, not a number: it is wider than any number that a block
// computes with, and a whole number of bytes.
func (f *Field) IsBytes() bool { return f.Width > 64 && f.Width%8 == 0 }

// Bytes returns the bytes of a field for which IsBytes holds, in wire order: byte k is bits 8k+7..8k.
func (s *Slot) Bytes(record []uint64) []byte {
	b := make([]byte, s.Field.Width/8)
	for k := range b {
		b[k] = byte(record[s.Word+k/8] >> (8 * (k % 8)))
	}
	return b
}

// SetBytes is the inverse of Bytes.
func (s *Slot) SetBytes(record []uint64, b []byte) {
	for k := range b {
		w, shift := &record[s.Word+k/8], 8*(k%8)
		*w = *w&^(0xff<<shift) | uint64(b[k])<<shift
	}
}

// byteGroup is how many bytes are written together in text.
const byteGroup = 8

// BytesText returns bytes in hex, byte 0 first, in groups of eight joined by underscores, so that they stay one
// word: 0200000000020200_0000000108004522.
func BytesText(b []byte) string {
	var t strings.Builder
	for i := 0; i < len(b); i += byteGroup {
		if i > 0 {
			t.WriteByte('_')
		}
		t.WriteString(hex.EncodeToString(b[i:min(i+byteGroup, len(b))]))
	}
	return t.String()
}

// ParseBytes reads the output of BytesText, however grouped. It errors when the text is not n bytes.
func ParseBytes(text string, n int) ([]byte, error) {
	b, err := hex.DecodeString(strings.ReplaceAll(text, "_", ""))
	if err != nil || len(b) != n {
		return nil, fmt.Errorf("%q is not %d bytes in hex, byte 0 first", text, n)
	}
	return b, nil
}
