package contract

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/vectors/event"
)

// Names of the files beside a schema.
const (
	TextFile  = "contract.md"
	TableFile = "rules.yaml"
)

// Book is the contract of a block with its table of outputs.
type Book struct {
	Rules []Rule

	block   *event.Block
	outputs map[string][]string // names of rules by output
}

// Open reads the contract and the table in the folder of a block's schema.
func Open(dir string, b *event.Block) (*Book, error) {
	text, err := os.ReadFile(filepath.Join(dir, TextFile))
	if err != nil {
		return nil, err
	}
	table, err := os.ReadFile(filepath.Join(dir, TableFile))
	if err != nil {
		return nil, err
	}
	k, err := NewBook(string(text), table, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, TableFile), err)
	}
	return k, nil
}

// NewBook returns the book of a contract and a table. It returns an error when the table leaves an output of the block
// out, names one that it does not have, or a rule that the contract does not have.
func NewBook(text string, table []byte, b *event.Block) (*Book, error) {
	k := &Book{Rules: Parse(text), block: b, outputs: map[string][]string{}}
	var t map[string]map[string][]string
	if err := yaml.NewDecoder(bytes.NewReader(table)).Decode(&t); err != nil {
		return nil, err
	}
	var wrong []string
	for stream, fields := range t {
		for field, rules := range fields {
			name := stream + "_" + field
			k.outputs[name] = rules
			if len(rules) == 0 {
				wrong = append(wrong, name+": it has no rule")
			}
			for _, r := range rules {
				if k.Rule(r) == nil {
					wrong = append(wrong, fmt.Sprintf("%s: the contract has no rule %s", name, r))
				}
			}
		}
	}
	names := Outputs(b)
	for name := range k.outputs {
		if !slices.Contains(names, name) {
			wrong = append(wrong, name+": the schema has no such output")
		}
	}
	for _, name := range names {
		if k.outputs[name] == nil {
			wrong = append(wrong, name+": it is left out")
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return nil, errors.New(strings.Join(wrong, "; "))
	}
	return k, nil
}

// Outputs returns the names of everything that a block puts out, as reports have them: rsp_valid, rsp_cwnd, ev_ready.
func Outputs(b *event.Block) (names []string) {
	l := event.NewLayout(b)
	for _, c := range l.Out.Controls {
		names = append(names, c.Name)
	}
	for i := range l.Out.Slots {
		names = append(names, event.Part{Slot: &l.Out.Slots[i]}.Name())
	}
	return names
}

// Rule returns the rule of that name, or nil.
func (k *Book) Rule(name string) *Rule {
	for i := range k.Rules {
		if k.Rules[i].Name == name {
			return &k.Rules[i]
		}
	}
	return nil
}

// Decides reports whether the table names a rule for an output.
func (k *Book) Decides(output, rule string) bool { return slices.Contains(k.outputs[output], rule) }

// Deciding returns the rules that decide an output of the response to an event of a kind, by the name of its code; ""
// for any. Of rules whose section is named as a kind, such as ack/7, only those of this kind count; all of the table
// where none is left.
func (k *Book) Deciding(output, kind string) (rules []*Rule) {
	var all []*Rule
	for _, name := range k.outputs[output] {
		r := k.Rule(name)
		all = append(all, r)
		section, _, _ := strings.Cut(name, "/")
		if kind == "" || section == slug(kind) || !k.ofKind(section) {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return all
	}
	return rules
}

// ofKind reports whether a section has the name of a code of an enum of an input stream's first field.
func (k *Book) ofKind(section string) bool {
	for _, s := range k.block.StreamsOf(event.In) {
		e := k.block.Enum(s.Fields[0].Enum)
		if e != nil && slices.ContainsFunc(e.Values, func(v event.EnumValue) bool { return slug(v.Name) == section }) {
			return true
		}
	}
	return false
}
