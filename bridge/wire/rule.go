package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Rule is the compare rule of a block's output records: control bits always, the fields of a stream only
// where its expected valid is 1.
type Rule struct {
	layout  *event.Layout
	control uint64
}

// NewRule returns the rule of a block's layout.
func NewRule(_ *event.Block, l *event.Layout) *Rule { return &Rule{l, l.Out.ControlMask()} }

// Equal reports whether got agrees with want.
func (r *Rule) Equal(want, got []uint64) bool { return r.layout.Equal(want, got) }

// Digest returns d with the bits of one more output record that count. A word that streams share is added in parts, one
// for each stream: their bits are disjoint, so the products add up to that of the whole.
func (r *Rule) Digest(d Digest, record []uint64) Digest {
	sum := record[0] & r.control * digestStep
	outs := r.layout.Outputs()
	for i := range outs {
		s := &outs[i]
		if !s.Offered(record) {
			continue
		}
		words := record[s.From:s.To]
		mask, factor := s.Mask[s.From:s.To][:len(words)], uint64(2*s.From+1)*digestStep
		for i, w := range words {
			sum += w & mask[i] * factor
			factor += digestStride
		}
	}
	return d.chain(sum)
}

// RecordText returns the layout of one direction's records, a line for each control bit and field:
//
//	control NAME BIT
//	field STREAM NAME WIDTH WORD BIT SIGNED
//
// in the order of the schema. BIT is that of the lowest bit in word WORD (word 0 for a control bit), SIGNED
// is 0 or 1. A field wider than 64 bits goes on in the following words, least significant first.
func RecordText(r *event.Record) string {
	var b strings.Builder
	for _, c := range r.Controls {
		fmt.Fprintf(&b, "control %s %d\n", c.Name, c.Bit)
	}
	for i := range r.Slots {
		s := &r.Slots[i]
		signed := 0
		if s.Field.Signed {
			signed = 1
		}
		fmt.Fprintf(&b, "field %s %s %d %d %d %d\n", s.Stream, s.Field.Name, s.Field.Width, s.Word, s.Bit, signed)
	}
	return b.String()
}

// ParamText returns every parameter of a block with its value, the default where given has none, as hellos
// carry it: "Name=value" sorted by name, joined by commas. It errors with ErrParams for a parameter the
// schema does not have or a value it does not allow.
func ParamText(block *event.Block, given map[string]int) (string, error) {
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p := block.Param(name)
		if p == nil {
			known := make([]string, len(block.Params))
			for i, q := range block.Params {
				known[i] = q.Name
			}
			if len(known) == 0 {
				return "", &Error{Kind: ErrParams, What: fmt.Sprintf("block %s has no parameters", block.Name),
					Mend: "leave " + name + " out"}
			}
			return "", &Error{Kind: ErrParams, What: fmt.Sprintf("block %s has no parameter %s", block.Name, name),
				Mend: "its parameters are " + strings.Join(known, ", ")}
		}
		if err := p.Check(given[name]); err != nil {
			return "", &Error{Kind: ErrParams, What: "block " + block.Name, Err: err}
		}
	}
	var text []string
	for _, p := range block.Params {
		v := p.Default
		if o, ok := given[p.Name]; ok {
			v = o
		}
		text = append(text, fmt.Sprintf("%s=%d", p.Name, v))
	}
	slices.Sort(text)
	return strings.Join(text, ","), nil
}
