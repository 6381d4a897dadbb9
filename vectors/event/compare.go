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
