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
	valid  uint64 // mask in word 0 of the same record; 0 for control bits, which are always there
	names  []string
	hex    bool
	key    string // "field": of JSON
}

// Table gives the values of records by name, in the order of the schema: control bits (per cycle only, but
// rst_n always), fields of input streams, fields of output streams.
type Table struct {
	Columns  []Column
	PerCycle bool
	Chosen   bool // somebody has removed the columns that are not wanted
	block    *event.Block
	layout   *event.Layout
}

// exact is the widest number, in bits, that every reader of CSV and JSON keeps exactly. Wider fields are
// written as 0x and hex digits.
const exact = 53

// NewTable returns the table of records of a block, per cycle or per transaction.
func NewTable(b *event.Block, per string) *Table {
	t := &Table{PerCycle: per == format.PerCycle, block: b, layout: event.NewLayout(b)}
	side := func(r *event.Record, d event.Dir) {
		for _, c := range r.Controls {
			if t.PerCycle || c.Name == "rst_n" {
				t.Columns = append(t.Columns, Column{Name: c.Name, Dir: d, slot: event.Slot{Bit: c.Bit, Field: event.Field{Name: c.Name, Width: 1}}, key: `"` + c.Name + `":`})
			}
		}
	}
	side(&t.layout.In, event.In)
	side(&t.layout.Out, event.Out)
	fields := func(r *event.Record, d event.Dir) {
		for _, s := range r.Slots {
			c := Column{Name: s.Stream + "." + s.Field.Name, Stream: s.Stream, Dir: d, slot: s, valid: r.Control(s.Stream + "_valid"), hex: s.Field.Width > exact, key: `"` + s.Field.Name + `":`}
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

// record returns the half of rec that the column lies in.
func (c *Column) record(rec *format.Record) []uint64 {
	if c.Dir == event.In {
		return rec.In
	}
	return rec.Out
}

// Present reports whether the column has a value in rec: the fields of a stream do when its valid is 1.
func (c *Column) Present(rec *format.Record) bool {
	return c.valid == 0 || c.record(rec)[0]&c.valid != 0
}

// AppendText appends the value as a person reads it: the name of a code, a decimal, hex beyond 53 bits.
func (c *Column) AppendText(dst []byte, rec *format.Record) []byte {
	dst, _ = c.append(dst, rec)
	return dst
}

// AppendShown appends the value as AppendText does, but bytes of a packet in wire order, byte 0 first.
func (c *Column) AppendShown(dst []byte, rec *format.Record) []byte {
	if c.slot.Field.IsBytes() {
		return append(dst, event.BytesText(c.slot.Bytes(c.record(rec)))...)
	}
	return c.AppendText(dst, rec)
}

// append also tells whether the value is a plain number.
func (c *Column) append(dst []byte, rec *format.Record) ([]byte, bool) {
	half := c.record(rec)
	if c.hex {
		return c.appendHex(dst, half), false
	}
	raw := c.slot.Get(half)
	if c.names != nil && c.names[raw] != "" {
		return append(dst, c.names[raw]...), false
	}
	if c.slot.Field.Signed {
		return strconv.AppendInt(dst, c.slot.Field.Signed64(raw), 10), true
	}
	return strconv.AppendUint(dst, raw, 10), true
}

const hexDigits = "0123456789abcdef"

func (c *Column) appendHex(dst []byte, half []uint64) []byte {
	dst = append(dst, "0x"...)
	for d := (c.slot.Field.Width+3)/4 - 1; d >= 0; d-- {
		dst = append(dst, hexDigits[format.Word(&c.slot, half, d/16)>>(4*(d%16))&15])
	}
	return dst
}

// AppendJSON appends the value as JSON: a number, or a string for names and hex.
func (c *Column) AppendJSON(dst []byte, rec *format.Record) []byte {
	at := len(dst)
	dst = append(dst, '"')
	dst, number := c.append(dst, rec)
	if number {
		copy(dst[at:], dst[at+1:])
		return dst[:len(dst)-1]
	}
	return append(dst, '"')
}

// AppendLine appends the record as one JSON object with a newline: its number, its episode, control bits,
// and one object for each stream that carries something.
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
		dst = append(dst, ',')
		if c.Stream != stream {
			stream = c.Stream
			dst = append(dst, '"')
			dst = append(dst, stream...)
			dst = append(dst, `":{`...)
		}
		dst = append(dst, c.key...)
		dst = c.AppendJSON(dst, rec)
	}
	if stream != "" {
		dst = append(dst, '}')
	}
	return append(dst, "}\n"...)
}

// appendQuoted appends a JSON string; Go's own quoting has escapes that JSON lacks.
func appendQuoted(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, err := json.Marshal(s)
			if err != nil {
				panic(err) // no string fails
			}
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
