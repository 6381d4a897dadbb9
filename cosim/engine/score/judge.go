package score

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Judge compares the output records of one block and describes records in words.
type Judge struct {
	block  *event.Block
	layout *event.Layout
}

// NewJudge returns a judge for a validated schema.
func NewJudge(b *event.Block) *Judge { return &Judge{block: b, layout: event.NewLayout(b)} }

// Layout returns the block's record layout.
func (j *Judge) Layout() *event.Layout { return j.layout }

// Difference is one output that differs in one cycle.
type Difference struct {
	Name string   // port name, for example rsp_cwnd
	Want string   // the model's value, by the field's type
	Got  string   // the device's
	LSB  *big.Int // got - want in units of the last place; nil for codes of an enum, masks and bytes
	Byte string   // where bytes differ, first byte first; empty for everything else
	At   int      // the first byte that differs

	Stream string // of a field; empty for a handshake
}

// String returns the difference on one line.
func (d Difference) String() string {
	if d.Byte != "" {
		return fmt.Sprintf("%s: %s; want %s, got %s", d.Name, d.Byte, d.Want, d.Got)
	}
	if d.LSB == nil {
		return fmt.Sprintf("%s: want %s, got %s", d.Name, d.Want, d.Got)
	}
	return fmt.Sprintf("%s: want %s, got %s (%s LSB)", d.Name, d.Want, d.Got, signedText(d.LSB))
}

// firstByte returns the first of the bytes that differ, and names it and how many more do.
func firstByte(want, got []byte) (int, string) {
	first, n := -1, 0
	for i := range want {
		if want[i] != got[i] {
			if n++; first < 0 {
				first = i
			}
		}
	}
	text := fmt.Sprintf("byte %d: want %02x, got %02x", first, want[first], got[first])
	if n > 1 {
		text += fmt.Sprintf(", and %d more", n-1)
	}
	return first, text
}

// DiffLSB returns the difference in units of the last place with its sign, or "" for codes and bytes.
func (d Difference) DiffLSB() string {
	if d.LSB == nil {
		return ""
	}
	return signedText(d.LSB)
}

func signedText(n *big.Int) string {
	if n.Sign() > 0 {
		return "+" + n.String()
	}
	return n.String()
}

// Diff returns every output that differs under the compare rule, handshakes first, in schema order.
func (j *Judge) Diff(want, got []uint64) []Difference {
	var out []Difference
	for p := range j.layout.Differ(want, got) {
		d := Difference{Name: p.Name()}
		if s := p.Slot; s == nil {
			d.Want, d.Got = fmt.Sprint(want[0]>>p.Control.Bit&1), fmt.Sprint(got[0]>>p.Control.Bit&1)
		} else {
			d.Stream, d.Want, d.Got = s.Stream, j.text(s, want), j.text(s, got)
			switch {
			case s.Field.IsBytes():
				d.At, d.Byte = firstByte(s.Bytes(want), s.Bytes(got))
			case s.Field.Enum == "" && !isMask(&s.Field):
				d.LSB = new(big.Int).Sub(asNumber(&s.Field, rawBits(s, got)), asNumber(&s.Field, rawBits(s, want)))
			}
		}
		out = append(out, d)
	}
	return out
}

// Value is a named, formatted part of a record.
type Value struct {
	Name  string
	Value string
}

// Controls returns the control bits of an input or output record.
func (j *Judge) Controls(r *event.Record, rec []uint64) []Value {
	out := make([]Value, 0, len(r.Controls))
	for _, c := range r.Controls {
		out = append(out, Value{c.Name, fmt.Sprint(rec[0] >> c.Bit & 1)})
	}
	return out
}

// Fields returns every field of one stream of a record.
func (j *Judge) Fields(r *event.Record, stream string, rec []uint64) []Value {
	var out []Value
	for i := range r.Slots {
		if s := &r.Slots[i]; s.Stream == stream {
			out = append(out, Value{s.Stream + "_" + s.Field.Name, j.text(s, rec)})
		}
	}
	return out
}

// Outputs returns the control bits of an output record and the fields of the streams that are valid in it.
func (j *Judge) Outputs(rec []uint64) []Value {
	return j.values(&j.layout.Out, j.layout.Outputs(), rec)
}

// Inputs returns the control bits of an input record and the fields of the streams that are valid in it.
func (j *Judge) Inputs(rec []uint64) []Value { return j.values(&j.layout.In, j.layout.Inputs(), rec) }

func (j *Judge) values(r *event.Record, ports []event.Port, rec []uint64) []Value {
	out := j.Controls(r, rec)
	for i := range ports {
		if p := &ports[i]; p.Offered(rec) {
			out = append(out, j.Fields(r, p.Name, rec)...)
		}
	}
	return out
}

// Describe returns a packed event or response in words: its first field, by its value alone when that has a
// name, then every field that is not zero, as in "ACK ctx=3 now=1200 rcvd_bytes=16 m=1". Addresses of
// registers are their names, as in "CFG_WRITE addr=MTU data=4096". For bytes it gives the words that are not zero with
// the range of their bytes, as in "data[8..23]=0000000001080045_0042003200014000".
func (j *Judge) Describe(r *event.Record, stream string, rec []uint64) string {
	var b strings.Builder
	config := false
	for i := range r.Slots {
		s := &r.Slots[i]
		if s.Stream != stream {
			continue
		}
		text := j.text(s, rec)
		switch {
		case s.Field.IsBytes():
			describeBytes(&b, s.Field.Name, s.Bytes(rec))
		case b.Len() == 0 && s.Field.Enum == "":
			fmt.Fprintf(&b, "%s=%s", s.Field.Name, text)
		case b.Len() == 0:
			b.WriteString(text)
			config = strings.HasPrefix(text, "CFG_")
		case config && s.Field.Name == "addr":
			fmt.Fprintf(&b, " addr=%s", j.register(s.Get(rec)))
		case rawBits(s, rec).Sign() != 0:
			fmt.Fprintf(&b, " %s=%s", s.Field.Name, text)
		}
	}
	return b.String()
}

// Event describes a packed event of an input stream, which is named where there are several.
func (j *Judge) Event(lane int, words []uint64) string {
	ins := j.layout.Inputs()
	text := j.Describe(&j.layout.In, ins[lane].Name, words)
	if len(ins) > 1 {
		text = ins[lane].Name + ": " + text
	}
	return text
}

// describeBytes writes the words of 8 bytes that are not zero; for bytes that are the first field of an event, 0 if all
// are.
func describeBytes(b *strings.Builder, name string, data []byte) {
	const word = 8
	end := func(at int) int { return min(at+word, len(data)) }
	zero := func(at int) bool { return len(bytes.Trim(data[at:end(at)], "\x00")) == 0 }
	gap := ""
	if b.Len() > 0 {
		gap = " "
	}
	shown := false
	for at := 0; at < len(data); at += word {
		if zero(at) {
			continue
		}
		from := at
		for end(at) < len(data) && !zero(end(at)) {
			at += word
		}
		place := ""
		if from > 0 || end(at) < len(data) {
			place = fmt.Sprintf("[%d..%d]", from, end(at)-1)
		}
		fmt.Fprintf(b, "%s%s%s=%s", gap, name, place, event.BytesText(data[from:end(at)]))
		gap, shown = " ", true
	}
	if !shown && gap == "" {
		fmt.Fprintf(b, "%s=0", name)
	}
}

// register returns the name of the register at an address, or the address.
func (j *Judge) register(addr uint64) string {
	for _, r := range j.block.Registers {
		if uint64(r.Addr) == addr {
			return r.Name
		}
	}
	return fmt.Sprint(addr)
}

// isMask reports whether a field has a bit for each byte of a beat, by its AXI-Stream name, and so is not a number.
func isMask(f *event.Field) bool { return f.Name == "keep" }

func (j *Judge) text(s *event.Slot, rec []uint64) string {
	if s.Field.IsBytes() {
		return event.BytesText(s.Bytes(rec))
	}
	if s.Field.Width > 64 || isMask(&s.Field) {
		return fmt.Sprintf("0x%x", rawBits(s, rec))
	}
	return j.block.Format(&s.Field, s.Get(rec))
}

// rawBits returns a field's bits as an unsigned number, whatever its width.
func rawBits(s *event.Slot, rec []uint64) *big.Int {
	n := new(big.Int)
	if s.Field.Width <= 64 {
		return n.SetUint64(s.Get(rec))
	}
	for w := (s.Field.Width+63)/64 - 1; w >= 0; w-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(rec[s.Word+w]))
	}
	return n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(s.Field.Width)), big.NewInt(1)))
}

func asNumber(f *event.Field, raw *big.Int) *big.Int {
	if !f.Signed || raw.Bit(f.Width-1) == 0 {
		return raw
	}
	return new(big.Int).Sub(raw, new(big.Int).Lsh(big.NewInt(1), uint(f.Width)))
}
