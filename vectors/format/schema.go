package format

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/vectors/event"
)

// SchemaText returns the YAML of a block's schema, without comments and without keys that have no value,
// so that equal schemas have equal texts, and without its stimulus and coverage, which do not concern records. It
// errors when the text would not read back as the same block.
func SchemaText(b *event.Block) (string, error) {
	var n yaml.Node
	interfaceOnly := *b
	interfaceOnly.Stimulus, interfaceOnly.Coverage, interfaceOnly.Turns = nil, nil, false
	if err := n.Encode(&interfaceOnly); err != nil {
		return "", fmt.Errorf("schema %s: %w", b.Name, err)
	}
	prune(&n)
	for i := 1; i < len(n.Content); i += 2 {
		for _, item := range n.Content[i].Content {
			flow(item)
		}
	}
	var t bytes.Buffer
	enc := yaml.NewEncoder(&t)
	enc.SetIndent(2)
	if err := enc.Encode(&n); err != nil {
		return "", fmt.Errorf("schema %s: %w", b.Name, err)
	}
	back, err := event.Parse(t.Bytes())
	if err != nil {
		return "", err
	}
	if back.Canonical() != b.Canonical() {
		return "", fmt.Errorf("schema %s: its text does not read back as the same", b.Name)
	}
	return t.String(), nil
}

// prune drops the keys whose value is empty.
func prune(n *yaml.Node) {
	kept := n.Content[:0]
	for i, c := range n.Content {
		if n.Kind != yaml.MappingNode {
			prune(c)
			kept = append(kept, c)
			continue
		}
		if i%2 == 0 {
			continue
		}
		prune(c)
		empty := c.Kind == yaml.ScalarNode && (c.Value == "" || c.Value == "false") ||
			c.Kind == yaml.SequenceNode && len(c.Content) == 0
		if !empty {
			kept = append(kept, n.Content[i-1], c)
		}
	}
	n.Content = kept
}

// flow writes the innermost mappings on one line each.
func flow(n *yaml.Node) {
	deep := false
	for _, c := range n.Content {
		if c.Kind == yaml.SequenceNode {
			deep = true
			for _, item := range c.Content {
				flow(item)
			}
		}
	}
	if !deep {
		n.Style = yaml.FlowStyle
	}
}
