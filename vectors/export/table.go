package export

import (
	"encoding/json"
	"strconv"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// Column is one field or control bit of a record.
type Column struct {
	Name   string // stream.field, or the name of the control bit
	Stream string // empty for control bits
	Dir    event.Dir
	slot   event.Slot
	valid  uint64 // mask in word 0 of the same record; 0 for control bits, which are always present
	names  []string
	hex    bool
	key    string // ,"field": of JSON
	first  string // the same where its stream begins: ,"stream":{"field":
}

// Table gives the values of records by name, in the order of the schema: control bits (rst_n always, the others per
// cycle only), fields of input streams, fields of output streams.
type Table struct {
	Columns  []Column
	PerCycle bool
	Chosen   bool // a caller has removed columns
	block    *event.Block
	layout   *event.Layout
}

// exact is the width in bits up to which every reader of CSV and JSON keeps numbers exact. Wider fields are written
// as 0x and hex digits.
const exact = 53

// NewTable returns the table of records of a block, per cycle or per transaction.
func NewTable(b *event.Block, per string) *Table {
	t := &Table{PerCycle: per == format.PerCycle, block: b, layout: event.NewLayout(b)}
	side := func(r *event.Record, d event.Dir) {
		for _, c := range r.Controls {
			if t.PerCycle || c.Name == "rst_n" {
				t.Columns = append(t.Columns, Column{Name: c.Name, Dir: d,
					slot: event.Slot{Bit: c.Bit, Field: event.Field{Name: c.Name, Width: 1}}, key: `,"` + c.Name + `":`})
			}
		}
	}
	side(&t.layout.In, event.In)
	side(&t.layout.Out, event.Out)
	fields := func(r *event.Record, d event.Dir) {
		for _, s := range r.Slots {
			c := Column{Name: s.Stream + "." + s.Field.Name, Stream: s.Stream, Dir: d, slot: s,
				valid: r.Control(s.Stream + "_valid"), hex: s.Field.Width > exact || s.Field.Show == event.ShowHex,
				key: `,"` + s.Field.Name + `":`, first: `,"` + s.Stream + `":{"` + s.Field.Name + `":`}
			if e := b.Enum(s.Field.Enum); e != nil && s.Field.Width <= 16 {
				c.names = make([]string, 1<<s.Field.Width)
				for _, v := range e.Values {
					if v.Value < uint64(len(c.names)) {
						c.names[v.Value] = v.Name
					}
				}
			}
			t.Columns = append(t.Columns, c)
		}
	}
	fields(&t.layout.In, event.In)
	fields(&t.layout.Out, event.Out)
	return t
}

// record returns the half of rec that holds the column.
func (c *Column) record(rec *format.Record) []uint64 {
	if c.Dir == event.In {
		return rec.In
	}
	return rec.Out
}

// Present reports whether the column has a value in rec: a field has one when the valid of its stream is 1.
func (c *Column) Present(rec *format.Record) bool {
	return c.valid == 0 || c.record(rec)[0]&c.valid != 0
}

// AppendText appends the value in readable form: the name of a code, a decimal number, or hex for more than 53 bits and
// for fields that the schema shows in hex.
func (c *Column) AppendText(dst []byte, rec *format.Record) []byte {
	half := c.record(rec)
	if c.hex {
		return c.appendHex(dst, half)
	}
	raw := c.slot.Get(half)
	switch {
	case c.names != nil && c.names[raw] != "":
		return append(dst, c.names[raw]...)
	case raw < 10 && (!c.slot.Field.Signed || c.slot.Field.Width > 4): // most values are
		return append(dst, '0'+byte(raw))
	case c.slot.Field.Signed:
		return strconv.AppendInt(dst, c.slot.Field.Signed64(raw), 10)
	}
	return strconv.AppendUint(dst, raw, 10)
}

// AppendShown appends the value as AppendText does, except that bytes of a packet appear in wire order, byte 0 first.
func (c *Column) AppendShown(dst []byte, rec *format.Record) []byte {
	if c.slot.Field.IsBytes() {
		return append(dst, event.BytesText(c.slot.Bytes(c.record(rec)))...)
	}
	return c.AppendText(dst, rec)
}

const hexDigits = "0123456789abcdef"

func (c *Column) appendHex(dst []byte, half []uint64) []byte {
	dst = append(dst, "0x"...)
	for left := c.slot.Field.Width; left > 0; {
		w := (left - 1) / 64
		word := format.Word(&c.slot, half, w)
		for d := (left - 64*w + 3) / 4; d > 0; d-- {
			dst = append(dst, hexDigits[word>>(4*(d-1))&15])
		}
		left = 64 * w
	}
	return dst
}

// appendJSON appends the value as JSON: a number, or a string for names and hex.
func (c *Column) appendJSON(dst []byte, rec *format.Record) []byte {
	if !c.hex && (c.names == nil || c.names[c.slot.Get(c.record(rec))] == "") {
		return c.AppendText(dst, rec)
	}
	dst = append(dst, '"')
	return append(c.AppendText(dst, rec), '"')
}

// AppendLine appends the record as one JSON object and a newline: its number, its episode, control bits, and one object
// for each stream that carries something.
func (t *Table) AppendLine(dst []byte, rec *format.Record, episode string) []byte {
	unit := format.PerTransaction
	if t.PerCycle {
		unit = format.PerCycle
	}
	dst = append(dst, `{"`...)
	dst = append(dst, unit...)
	dst = append(dst, `":`...)
	dst = strconv.AppendUint(dst, rec.Number, 10)
	dst = append(dst, `,"episode":`...)
	dst = appendQuoted(dst, episode)
	stream := ""
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Stream != stream {
			if stream != "" {
				dst = append(dst, '}')
			}
			stream = ""
		}
		if !c.Present(rec) {
			continue
		}
		if c.Stream != stream {
			stream = c.Stream
			dst = append(dst, c.first...)
		} else {
			dst = append(dst, c.key...)
		}
		dst = c.appendJSON(dst, rec)
	}
	if stream != "" {
		dst = append(dst, '}')
	}
	return append(dst, "}\n"...)
}

// appendQuoted appends a JSON string; Go's quoting uses escapes that JSON lacks.
func appendQuoted(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string never fails
			}
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
