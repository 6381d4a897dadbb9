package event

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// CompareHash returns the first 16 hex digits of the SHA-256 of the schema's rules for which bits of a response are
// compared: the keys mask and when of its fields. It returns "" for a block whose responses are compared in every bit.
// It is separate from Hash because a mask changes no port: both ends of the bridge still agree on every bit, but two
// runs with different masks do not compare the same.
func (b *Block) CompareHash() string {
	rules := b.compareRules()
	if len(rules) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte("goldwire-compare 1\n" + strings.Join(rules, "\n") + "\n"))
	return hex.EncodeToString(sum[:8])
}

// compareRules returns one line for each field that is not always compared whole, in the order of the schema.
func (b *Block) compareRules() (rules []string) {
	for _, s := range b.StreamsOf(Out) {
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Mask != "" || f.When != "" {
				rules = append(rules, fmt.Sprintf("field %s.%s mask=%q when=%q", s.Name, f.Name, f.Mask, f.When))
			}
		}
	}
	return rules
}

// CompareName returns a compare hash as messages name it.
func CompareName(hash string) string {
	if hash == "" {
		return "none (every bit)"
	}
	return hash
}

// SameComparison returns nil when two schemas of one interface compare the same bits, or an error that names both
// compare hashes and the first field with different masks. x and y name the owners of the schemas.
func SameComparison(x string, a *Block, y string, b *Block) error {
	if a.CompareHash() == b.CompareHash() {
		return nil
	}
	return fmt.Errorf("%s has the compare hash %s, and %s %s%s; give both the same schema",
		x, CompareName(a.CompareHash()), y, CompareName(b.CompareHash()), firstRule(a, b))
}

// firstRule names the first field whose masks differ.
func firstRule(a, b *Block) string {
	for _, s := range a.StreamsOf(Out) {
		t := b.Stream(s.Name)
		for i := range s.Fields {
			f := &s.Fields[i]
			if t == nil || t.Field(f.Name) == nil {
				continue // the interfaces differ, which is reported elsewhere
			}
			if g := t.Field(f.Name); f.Mask != g.Mask || f.When != g.When {
				return fmt.Sprintf(": field %s.%s is compared %s, and %s", s.Name, f.Name, f.compared(), g.compared())
			}
		}
	}
	return ""
}

// compared describes when a field is compared.
func (f *Field) compared() string {
	switch {
	case f.Mask != "" && f.When != "":
		return fmt.Sprintf("under mask %s when %s", f.Mask, f.When)
	case f.Mask != "":
		return "under mask " + f.Mask
	case f.When != "":
		return "when " + f.When
	}
	return "always"
}

// NeverCompared returns the output fields, STREAM.FIELD, whose condition no response satisfies with these parameters,
// nil for their defaults. It errors when a condition cannot be evaluated with them.
func (b *Block) NeverCompared(params map[string]int) (names []string, err error) {
	for _, s := range b.StreamsOf(Out) {
		for i := range s.Fields {
			f := &s.Fields[i]
			if f.When == "" {
				continue
			}
			k, _, err := b.when(s, f, params)
			if err != nil {
				return nil, fmt.Errorf("field %s.%s: key \"when\": %w", s.Name, f.Name, err)
			}
			if !k.Narrow() {
				names = append(names, s.Name+"."+f.Name)
			}
		}
	}
	return names, nil
}

// FieldBits returns, word by word of an output record, the bits of the output fields STREAM.FIELD; nil for none. It
// skips names that are no such field.
func (b *Block) FieldBits(names []string) (bits []uint64) {
	l := NewLayout(b)
	for _, name := range names {
		stream, field, _ := strings.Cut(name, ".")
		s := l.Out.Slot(stream, field)
		if s == nil {
			continue
		}
		if bits == nil {
			bits = make([]uint64, l.Out.Words)
		}
		for w, left := s.Word, s.Field.Width; left > 0; w, left = w+1, left-64 {
			bits[w] |= ones(min(left, 64)) << s.Bit
		}
	}
	return bits
}

// Hash returns the first 16 hex digits of the SHA-256 of Canonical. It is equal on both ends of the bridge
// exactly when they agree on every bit of the interface.
func (b *Block) Hash() string {
	sum := sha256.Sum256([]byte(b.Canonical()))
	return hex.EncodeToString(sum[:8])
}

// Canonical returns everything about the block that two sides must agree on, one item a line: names, widths, order,
// enums, constants, parameter ranges, registers with reset values, state words. Documentation and parameter defaults
// are left out: a better comment does not change the interface, and the parameters in use are sent in the hello.
func (b *Block) Canonical() string {
	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	p("goldwire-schema 1")
	p("block %s", b.Name)
	for _, x := range b.Params {
		p("param %s %d %d %t", x.Name, x.Min, x.Max, x.Pow2)
	}
	for _, x := range b.Constants {
		p("constant %s %d", x.Name, x.Value)
	}
	for _, x := range b.Enums {
		p("enum %s %d", x.Name, x.Width)
		for _, v := range x.Values {
			p("value %s %d", v.Name, v.Value)
		}
	}
	for _, x := range b.Streams {
		p("stream %s %s", x.Name, x.Dir)
		for _, f := range x.Fields {
			p("field %s %d signed=%t enum=%q open=%t q=%q unit=%q", f.Name, f.Width, f.Signed, f.Enum, f.Open, f.Q, f.Unit)
		}
	}
	for _, x := range b.Registers {
		p("register %s %d %d reset=%d q=%q unit=%q", x.Name, x.Addr, x.Width, x.Reset, x.Q, x.Unit)
	}
	for _, x := range b.Words {
		p("word %d", x.Addr)
		for _, f := range x.Fields {
			p("field %s %d %d signed=%t enum=%q q=%q unit=%q", f.Name, f.LSB, f.Width, f.Signed, f.Enum, f.Q, f.Unit)
		}
	}
	return s.String()
}
