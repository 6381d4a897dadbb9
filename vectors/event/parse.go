package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrSchema is wrapped by every error about a schema's text or contents.
var ErrSchema = errors.New("schema")

// Load reads and checks the schema file at path. Errors name the block, the key and the line.
func Load(path string) (*Block, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	b, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// Parse reads and checks one schema. It refuses unknown keys, more than one document and everything
// that Validate refuses; the error names the block, the key and the line.
func Parse(text []byte) (*Block, error) {
	b := new(Block)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(b); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: the file is empty; hdl/examples/README.md shows what a schema contains", ErrSchema)
	} else if err != nil {
		return nil, fmt.Errorf("%w %s: %s", ErrSchema, nameOr(b.Name), plainYAML(err, text))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w %s: more than one document in the file", ErrSchema, nameOr(b.Name))
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("%w %s: %s", ErrSchema, nameOr(b.Name), plainYAML(err, text))
	}
	if err := validate(b, &root); err != nil {
		return nil, err
	}
	return b, nil
}

func nameOr(name string) string {
	if name == "" {
		return "(no name)"
	}
	return name
}

var (
	unknownKey = regexp.MustCompile(`^line (\d+): field (\S+) not found in type event\.(\w+)$`)
	wrongList  = regexp.MustCompile("^line (\\d+): cannot unmarshal !!\\w+ `(.*)` into \\[\\]")
	wrongType  = regexp.MustCompile("^line (\\d+): cannot unmarshal !!\\w+ `(.*)` into (\\w+)$")
)

// plainYAML rewords the decoder's errors in the schema's own terms: Go type names mean nothing to
// someone who edits YAML.
func plainYAML(err error, text []byte) string {
	var te *yaml.TypeError
	if !errors.As(err, &te) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	out := make([]string, len(te.Errors))
	for i, e := range te.Errors {
		if m := unknownKey.FindStringSubmatch(e); m != nil {
			what := strings.ToLower(m[3])
			if part, ok := strings.CutSuffix(m[3], "Stimulus"); ok && part != "" {
				what = strings.ToLower(part) + " of the stimulus"
			}
			e = fmt.Sprintf("line %s: unknown key %q of a %s", m[1], m[2], what)
		} else if m := wrongList.FindStringSubmatch(e); m != nil {
			e = fmt.Sprintf("line %s: key %q: a list is required, in brackets: [%s]", m[1], keyAt(text, m[1], m[2]), m[2])
		} else if m := wrongType.FindStringSubmatch(e); m != nil {
			e = fmt.Sprintf("line %s: key %q: %s is no %s", m[1], keyAt(text, m[1], m[2]), m[2], m[3])
		}
		out[i] = e
	}
	return strings.Join(out, "; ")
}

// keyAt returns the key of the scalar value on that line that starts as given.
func keyAt(text []byte, line, start string) string {
	var root yaml.Node
	if yaml.Unmarshal(text, &root) != nil {
		return ""
	}
	var find func(n *yaml.Node) string
	find = func(n *yaml.Node) string {
		for i, c := range n.Content {
			hit := n.Kind == yaml.MappingNode && i%2 == 1 && c.Kind == yaml.ScalarNode && fmt.Sprint(c.Line) == line
			if hit && strings.HasPrefix(c.Value, strings.TrimSuffix(start, "...")) {
				return n.Content[i-1].Value
			}
			if key := find(c); key != "" {
				return key
			}
		}
		return ""
	}
	return find(&root)
}

// lineOf returns the line on which the node at path stands: a string steps into a mapping's value, an
// int into a sequence's item. Where the path ends early it gives the last line it found.
func lineOf(root *yaml.Node, path []any) int {
	n := root
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	line := n.Line
	for _, step := range path {
		var next *yaml.Node
		switch k := step.(type) {
		case int:
			if n.Kind == yaml.SequenceNode && k < len(n.Content) {
				next = n.Content[k]
			}
		case string:
			for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == k {
					next = n.Content[i+1]
				}
			}
		}
		if next == nil {
			break
		}
		n, line = next, next.Line
	}
	return line
}
