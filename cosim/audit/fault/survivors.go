package fault

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

//go:embed survivors.yaml
var survivorsYAML []byte

// Argument is an entry of survivors.yaml: a fault, identified by content, and why no stimulus can find it.
type Argument struct {
	Block    string `yaml:"block"`
	File     string `yaml:"file"`
	Operator string `yaml:"operator"`
	Before   string `yaml:"before"`
	After    string `yaml:"after"`
	Why      string `yaml:"why"`
}

func (a *Argument) key() key { return key{a.File, a.Operator, a.Before, a.After} }

// Strict decodes YAML that holds no other keys than those of a type.
func Strict(text []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	return dec.Decode(into)
}

// Arguments returns the entries of survivors.yaml of every block, in their order.
func Arguments() ([]Argument, error) { return readArguments(survivorsYAML) }

func readArguments(text []byte) (all []Argument, err error) {
	if err := Strict(text, &all); err != nil {
		return nil, fmt.Errorf("%w: survivors.yaml: %w", ErrFault, err)
	}
	return all, nil
}

// Lookup returns the fault of an argument. It returns an error when the RTL no longer holds it.
func (d *Design) Lookup(a Argument) (*Fault, error) {
	for _, f := range d.All() {
		if f.key() == a.key() {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%w: block %s, %s: %s -> %s is no longer a fault of the RTL", ErrFault, a.Block, a.File,
		a.Before, a.After)
}

// Book holds the arguments of one block.
type Book struct {
	arguments map[key]string
}

// LoadSurvivors returns the arguments of a block. It returns an error when an entry is incomplete or appears twice.
func LoadSurvivors(block string) (*Book, error) { return readSurvivors(survivorsYAML, block) }

func readSurvivors(text []byte, block string) (*Book, error) {
	all, err := readArguments(text)
	if err != nil {
		return nil, err
	}
	b := &Book{arguments: map[key]string{}}
	for i, a := range all {
		if slices.Contains([]string{a.Block, a.File, a.Operator, a.Before, a.After, a.Why}, "") {
			return nil, fmt.Errorf("%w: survivors.yaml: entry %d (%s %s) lacks one of block, file, operator, before, "+
				"after, why", ErrFault, i+1, a.File, a.Before)
		}
		if a.Block != block {
			continue
		}
		if b.arguments[a.key()] != "" {
			return nil, fmt.Errorf("%w: survivors.yaml: %s: %s -> %s appears twice for block %s", ErrFault, a.File,
				a.Before, a.After, block)
		}
		b.arguments[a.key()] = a.Why
	}
	return b, nil
}

// Why returns the argument for a fault, or "".
func (b *Book) Why(f *Fault) string { return b.arguments[f.key()] }

// stale returns the entries that name none of the faults.
func (b *Book) stale(all []*Fault) []string {
	left := maps.Clone(b.arguments)
	for _, f := range all {
		delete(left, f.key())
	}
	var out []string
	for k := range left {
		out = append(out, fmt.Sprintf("%s %s: %s -> %s", k.file, k.operator, k.before, k.after))
	}
	slices.Sort(out)
	return out
}
