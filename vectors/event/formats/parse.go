package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/vectors/event"
)

// file is the text of a table.
type file struct {
	Block  string
	Values []entry
}

type entry struct {
	Name, Kind, Format, Round, Over, Unit, Rule, Doc string

	Bits *int
	line int
}

// UnmarshalYAML notes the line and refuses unknown keys, which a nested decoder does not.
func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	type plain entry
	e.line = n.Line
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: give one value as {name: ..., format: ...}", n.Line)
	}
	known := []string{"name", "kind", "bits", "format", "round", "over", "unit", "rule", "doc"}
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		if _, err := named("key", k.Value, known); err != nil {
			return fmt.Errorf("line %d: unknown key %q of a value; give %s", k.Line, k.Value, strings.Join(known, ", "))
		}
	}
	return n.Decode((*plain)(e))
}

// decode returns the one document of a text.
func decode(text []byte) (*file, error) {
	f := new(file)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	switch err := dec.Decode(f); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: the file is empty; give block and values", ErrFormats)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", ErrFormats, plain(err))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more than one document in the file", ErrFormats)
	}
	return f, nil
}

var unknownKey = regexp.MustCompile(`^line (\d+): field (\S+) not found in type \S+$`)

// plain rewords the decoder's errors: the names of Go types mean nothing to someone who edits YAML.
func plain(err error) string {
	var te *yaml.TypeError
	if !errors.As(err, &te) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	out := make([]string, len(te.Errors))
	for i, e := range te.Errors {
		if m := unknownKey.FindStringSubmatch(e); m != nil {
			e = fmt.Sprintf("line %s: unknown key %q; give block, values", m[1], m[2])
		}
		out[i] = e
	}
	return strings.Join(out, "; ")
}

// Parse returns the table of a text, checked against the schema of its block. It returns an error that names line and
// value for unknown keys, formats of more than MaxBits, values given twice and entries that contradict themselves or
// the schema.
func Parse(text []byte, b *event.Block) (*Table, error) {
	f, err := decode(text)
	if err != nil {
		return nil, err
	}
	t := &Table{Block: f.Block}
	if f.Block != b.Name {
		return nil, fmt.Errorf("%w: block %q: the schema is that of %s", ErrFormats, f.Block, b.Name)
	}
	for i := range f.Values {
		e := &f.Values[i]
		v, err := e.value(b)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: value %s: %w", ErrFormats, e.line, e.Name, err)
		}
		if old, ok := t.Lookup(v.Name); ok && old.Name == v.Name {
			return nil, fmt.Errorf("%w: line %d: value %s: given twice; keep one", ErrFormats, e.line, v.Name)
		}
		t.Values = append(t.Values, v)
	}
	if len(t.Values) == 0 {
		return nil, fmt.Errorf("%w: no values; give at least one", ErrFormats)
	}
	return t, nil
}

// value checks one entry.
func (e *entry) value(b *event.Block) (Value, error) {
	v := Value{Name: e.Name, Kind: Kind(e.Kind), Unit: e.Unit, Rule: e.Rule, Doc: e.Doc}
	if e.Name == "" {
		return v, errors.New("no name; give one")
	}
	if _, err := named("kind", e.Kind, []string{string(State), string(Register), string(Intermediate)}); err != nil {
		return v, err
	}
	if err := v.fill(e); err != nil {
		return v, err
	}
	if e.Bits == nil {
		return v, errors.New("no bits; give the number of all bits of the format")
	}
	if v.Kind == Intermediate {
		if e.Rule == "" {
			return v, errors.New("no rule; give the text of the contract that settles an intermediate value")
		}
		return v, nil
	}
	return v, v.matches(b)
}

// fill takes format, bits, rounding and overflow of an entry, which must agree.
func (v *Value) fill(e *entry) (err error) {
	if v.Format, err = ParseFormat(e.Format); err != nil {
		return err
	}
	if e.Bits != nil && *e.Bits != v.Format.Bits() {
		return fmt.Errorf("bits %d and format %v, which has %d, contradict each other", *e.Bits, v.Format, v.Format.Bits())
	}
	round, err := named("round", e.Round, roundings[:])
	if err != nil {
		return err
	}
	over, err := named("over", e.Over, overflows[:])
	v.Round, v.Over = Rounding(round), Overflow(over)
	return err
}

// matches checks a state word's field or a register against the schema.
func (v *Value) matches(b *event.Block) error {
	want := func(width int, signed bool, q string) error {
		f := Format{Signed: signed, Int: uint8(width)}
		if signed {
			f.Int--
		}
		if q != "" {
			var err error
			if f, err = ParseFormat(q); err != nil {
				return err
			}
		}
		if f != v.Format {
			return fmt.Errorf("format %v contradicts the schema, which has %v", v.Format, f)
		}
		return nil
	}
	if v.Kind == Register {
		if r := b.Register(v.Name); r != nil {
			return want(r.Width, false, r.Q)
		}
		return fmt.Errorf("the schema of %s has no register of that name", b.Name)
	}
	for _, w := range b.Words {
		for _, f := range w.Fields {
			if f.Name == v.Name {
				return want(f.Width, f.Signed, f.Q)
			}
		}
	}
	return fmt.Errorf("the schema of %s has no state word of that name", b.Name)
}

// Overlay changes the values that a text of the same form names; kind and rule may be left out, and bits, round and
// over too, which then stay as Set has it. Formats may differ from the schema. It errors as Parse does, and then
// changes nothing.
func (t *Table) Overlay(text []byte) error {
	f, err := decode(text)
	if err != nil {
		return err
	}
	if f.Block != t.Block {
		return fmt.Errorf("%w: block %q: the formats are those of %s", ErrFormats, f.Block, t.Block)
	}
	if len(f.Values) == 0 {
		return fmt.Errorf("%w: no values; give at least one", ErrFormats)
	}
	n := t.Clone()
	seen := map[string]bool{}
	for i := range f.Values {
		e := &f.Values[i]
		name, err := n.overlay(e)
		if err != nil {
			return fmt.Errorf("line %d: %w", e.line, err)
		}
		if seen[name] {
			return fmt.Errorf("line %d: %w: value %s: given twice; keep one", e.line, ErrFormats, name)
		}
		seen[name] = true
	}
	*t = *n
	return nil
}

// overlay changes one value and returns its name.
func (t *Table) overlay(e *entry) (string, error) {
	v, err := t.find(e.Name)
	if err != nil {
		return "", err
	}
	if e.Kind != "" && Kind(e.Kind) != v.Kind {
		return "", fmt.Errorf("%w: value %s: kind %s contradicts the block, which has a %s",
			ErrFormats, v.Name, e.Kind, v.Kind)
	}
	if e.Round == "" {
		if e.Round = v.Round.String(); v.Round == None {
			if f, err := ParseFormat(e.Format); err == nil && f.Frac < v.Format.Frac {
				e.Round = Floor.String()
			}
		}
	}
	if e.Over == "" {
		e.Over = v.Over.String()
	}
	if err := v.fill(e); err != nil {
		return "", fmt.Errorf("%w: value %s: %w", ErrFormats, v.Name, err)
	}
	return v.Name, nil
}
