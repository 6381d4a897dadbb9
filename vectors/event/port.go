package event

import (
	"slices"
	"strings"
)

// Port is one stream of a block as its cycle records carry it. An input stream has its fields and its valid in the
// input record and its ready in the output record; an output stream has them the other way round. "Own" is the record
// with the fields, "other" the one with the ready.
type Port struct {
	Name  string
	Dir   Dir
	Lane  int      // place among the streams of its direction
	Valid uint64   // control bit in word 0 of the own record
	Ready uint64   // control bit in word 0 of the other record
	Mask  []uint64 // bits of its fields, word for word of the own record
	From  int      // first word with a field
	To    int      // word after the last one with a field; From when the stream has no fields
	Slots []*Slot  // its fields, in the order of the schema
	Last  *Slot    // the field that marks the end of a packet; nil when every transfer stands alone
}

// Inputs returns the input streams of the block in the order of its schema. The caller must not change them.
func (l *Layout) Inputs() []Port { return l.inputs }

// Outputs returns the output streams, likewise.
func (l *Layout) Outputs() []Port { return l.outputs }

// Port returns the stream of that name, or nil.
func (l *Layout) Port(name string) *Port {
	of := func(p *Port) string { return p.Name }
	if p := named(l.inputs, name, of); p != nil {
		return p
	}
	return named(l.outputs, name, of)
}

// Reset returns the control bit of rst_n in word 0 of an input record. Reset is active where the bit is 0.
func (l *Layout) Reset() uint64 { return l.In.Control("rst_n") }

// Readies returns the control bits of the ready of every output stream, in word 0 of an input record.
func (l *Layout) Readies() (bits uint64) {
	for i := range l.outputs {
		bits |= l.outputs[i].Ready
	}
	return bits
}

// ports derives the streams of one direction, whose fields are in own.
func ports(own, other *Record, streams []*Stream) []Port {
	out := make([]Port, 0, len(streams))
	for lane, s := range streams {
		p := Port{Name: s.Name, Dir: s.Dir, Lane: lane, Valid: own.Control(s.Name + "_valid"),
			Ready: other.Control(s.Name + "_ready"),
			Mask:  own.StreamMask(s.Name), Last: own.Slot(s.Name, "last")}
		for i := range own.Slots {
			if own.Slots[i].Stream == s.Name {
				p.Slots = append(p.Slots, &own.Slots[i])
			}
		}
		p.From, p.To = span(p.Mask)
		out = append(out, p)
	}
	return out
}

// span returns the first word of a mask with a bit and the word after the last one.
func span(mask []uint64) (from, to int) {
	for w, m := range mask {
		if m == 0 {
			continue
		}
		if to == 0 {
			from = w
		}
		to = w + 1
	}
	return from, to
}

// Offered reports whether the stream is valid in its own record.
func (p *Port) Offered(own []uint64) bool { return own[0]&p.Valid != 0 }

// Taken reports whether the other record is ready for the stream.
func (p *Port) Taken(other []uint64) bool { return other[0]&p.Ready != 0 }

// Moves reports whether the stream transfers in a cycle with these records. It ignores the reset.
func (p *Port) Moves(own, other []uint64) bool { return p.Offered(own) && p.Taken(other) }

// Ends reports whether a transfer ends a packet.
func (p *Port) Ends(own []uint64) bool { return p.Last == nil || p.Last.Get(own) != 0 }

// Copy writes the fields of the stream from src into dst, both own records, and leaves all other bits of dst.
func (p *Port) Copy(dst, src []uint64) {
	for w := p.From; w < p.To; w++ {
		dst[w] = dst[w]&^p.Mask[w] | src[w]&p.Mask[w]
	}
}

// Cause returns the input stream whose events the transfers of an output stream answer one by one, by its
// name, or -1.
func Cause(ins, outs []string, out int) int {
	known := map[string]string{"rsp": "ev", "gr": "grant", "note": "rx", "tx": "rx"}
	name := outs[out]
	from, ok := known[name]
	switch {
	case len(ins) == 1 && len(outs) == 1:
		return 0
	case !ok:
		from = strings.TrimSuffix(name, "r")
	case name == "tx" && slices.Contains(outs, "note"):
		return -1 // packets leave in another order than they came
	}
	return slices.Index(ins, from)
}
