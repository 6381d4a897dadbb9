package fault

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

//go:embed survivors.yaml
var survivorsYAML []byte

// argument is an entry of survivors.yaml: a fault, identified by content, and why no stimulus can find it.
type argument struct {
	Block    string `yaml:"block"`
	File     string `yaml:"file"`
	Operator string `yaml:"operator"`
	Before   string `yaml:"before"`
	After    string `yaml:"after"`
	Why      string `yaml:"why"`
}

// Book holds the arguments of one block.
type Book struct {
	arguments map[key]string
}

// LoadSurvivors returns the arguments of a block. It returns an error when an entry is incomplete or appears twice.
func LoadSurvivors(block string) (*Book, error) { return readSurvivors(survivorsYAML, block) }

func readSurvivors(text []byte, block string) (*Book, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	var all []argument
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("%w: survivors.yaml: %w", ErrFault, err)
	}
	b := &Book{arguments: map[key]string{}}
	for i, a := range all {
		if a.Block == "" || a.File == "" || a.Operator == "" || a.Before == "" || a.After == "" || a.Why == "" {
			return nil, fmt.Errorf("%w: survivors.yaml: entry %d (%s %s) lacks one of block, file, operator, before, "+
				"after, why", ErrFault, i+1, a.File, a.Before)
		}
		if a.Block != block {
			continue
		}
		k := key{a.File, a.Operator, a.Before, a.After}
		if b.arguments[k] != "" {
			return nil, fmt.Errorf("%w: survivors.yaml: %s: %s -> %s appears twice for block %s", ErrFault, a.File,
				a.Before, a.After, block)
		}
		b.arguments[k] = a.Why
	}
	return b, nil
}

// stale returns the entries that name none of the faults.
func (b *Book) stale(all []*Fault) []string {
	left := map[key]bool{}
	for k := range b.arguments {
		left[k] = true
	}
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
