package presets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// Scenario is a run read from a file: a spec and, when the file lists flows, the messages that replace its workload.
type Scenario struct {
	Spec     settings.Spec
	Messages []traffic.Message

	lines map[string]int // of each key, by its path
}

// LoadScenario reads a YAML file of settings, nested or with dotted paths, over a
// preset, and optionally a list of flows:
//
//	preset: fattree128/permutation
//	link: {gbps: 800}
//	target.us: 3
//	flows:
//	  - {src: 0, dst: 5, bytes: 1000000, lb: ecmp, cc: nscc-htsim}
//	  - {src: 5, dst: 7, bytes: 1000000, after: [0]}
//
// A flow needs src, dst and bytes; it starts at start_us (0), or when the flows of
// after, counted from 0, are delivered, whichever is later. With stop_us it ends then, with what it has sent; with
// background: true it is not measured. It errors, with the file and the path of the key, when it cannot be read, a key
// is given twice or has no effect, or its spec is impossible.
func LoadScenario(path string) (*Scenario, error) {
	text, err := traffic.ReadRegular(path)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	s, err := ParseScenario(text)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", path, err)
	}
	return s, nil
}

// ParseScenario is LoadScenario on the file's content.
func ParseScenario(text []byte) (*Scenario, error) {
	var root, more yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&root); errors.Is(err, io.EOF) {
		return nil, errors.New("empty; give a preset or settings")
	} else if err != nil {
		return nil, plainYAML(err)
	}
	if err := in.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("a second document after ---; keep one")
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want settings, each a key and a value", top.Line)
	}
	s := &Scenario{Spec: settings.DefaultSpec(), lines: map[string]int{}}
	for i := 0; i < len(top.Content); i += 2 {
		if top.Content[i].Value == "preset" {
			if top.Content[i+1].Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("preset: line %d: want a name", top.Content[i+1].Line)
			}
			p, err := Lookup(top.Content[i+1].Value)
			if err != nil {
				return nil, fmt.Errorf("preset: %w", err)
			}
			s.Spec = p.Spec
		}
	}
	if err := s.apply("", top); err != nil {
		return nil, err
	}
	file := s.Spec.Shape() == settings.CustomFile
	if file {
		g, err := s.Spec.Network()
		if err != nil {
			return nil, fmt.Errorf("topology.file: %w", err)
		}
		s.Spec.Graph = g
	}
	if err := s.Spec.Validate(); err != nil {
		return nil, err
	}
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(s.lines)),
		func(p string) bool { return p == "preset" || p == "flows" })
	if err := s.Spec.Ineffective(paths, s.Messages != nil); err != nil {
		return nil, err
	}
	if err := settings.IneffectiveFlows(paths, s.Messages); err != nil {
		return nil, err
	}
	measured := func(m traffic.Message) bool { return !m.Background }
	if s.Messages != nil && !slices.ContainsFunc(s.Messages, measured) {
		return nil, errors.New("flows: all are in the background: nothing is measured")
	}
	if err := traffic.Check("flows", s.Messages, s.Spec.Hosts()); err != nil {
		return nil, err
	}
	if file {
		s.Spec.Graph = nil // Run loads it, with what is set until then
	}
	return s, nil
}

// once errors when a path was given before, nested or with dots.
func (s *Scenario) once(path string, line int) error {
	if first := s.lines[path]; first > 0 {
		return fmt.Errorf("%s: line %d: given before, on line %d; keep one", path, line, first)
	}
	s.lines[path] = line
	return nil
}

// apply sets what a mapping holds, under the path of its keys.
func (s *Scenario) apply(prefix string, m *yaml.Node) error {
	for i := 0; i < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		path := prefix + k.Value
		known, unknown := s.Spec.Find(path)
		if v.Kind != yaml.MappingNode || unknown == nil || path == "preset" || path == "flows" {
			if err := s.once(path, k.Line); err != nil {
				return err
			}
		}
		switch {
		case path == "preset":
		case path == "flows":
			if err := s.flows(v); err != nil {
				return err
			}
		case v.Kind == yaml.MappingNode && unknown != nil:
			if err := s.apply(path+".", v); err != nil {
				return err
			}
		case unknown != nil:
			return unknown
		default:
			text, err := textOf(&known, v)
			if err != nil {
				return fmt.Errorf("%s: line %d: %w", path, v.Line, err)
			}
			if err := s.Spec.Set(path, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// textOf returns the value of a setting as Set reads it.
func textOf(k *settings.Row, v *yaml.Node) (string, error) {
	var items []string
	for i, n := range v.Content {
		if n.Kind != yaml.ScalarNode {
			return "", settings.Wanted("plain values in the list")
		}
		if v.Kind == yaml.MappingNode && i%2 == 1 {
			items[len(items)-1] += "=" + n.Value
			continue
		}
		items = append(items, n.Value)
	}
	switch {
	case v.Kind == yaml.ScalarNode:
		return v.Value, nil
	case v.Kind == yaml.SequenceNode && k.List, v.Kind == yaml.MappingNode && k.ByNumber:
		return strings.Join(items, ","), nil
	case v.Kind == yaml.SequenceNode:
		return "", settings.Wanted("one value, not a list")
	}
	return "", settings.Wanted("a value")
}

// plainYAML strips what a decoder puts around its errors, and joins them on one line.
func plainYAML(err error) error {
	var te *yaml.TypeError
	if errors.As(err, &te) {
		return errors.New(strings.Join(te.Errors, "; "))
	}
	return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
}

// flows reads the list of flows, each on a connection of its own.
func (s *Scenario) flows(v *yaml.Node) error {
	if v.Kind != yaml.SequenceNode || len(v.Content) == 0 {
		return fmt.Errorf("flows: line %d: want a list of one flow or more", v.Line)
	}
	for i, n := range v.Content {
		m, err := flowOf(n)
		if err != nil {
			return fmt.Errorf("flows[%d]%w", i, err)
		}
		m.Conn = int32(i)
		s.Messages = append(s.Messages, m)
	}
	return nil
}

// whole reports whether a number has no fraction, which a decoder would drop.
func whole(v *yaml.Node) bool { return settings.IntInto(v.Value, func(int64) {}) == nil }

// flowOf reads one flow; its errors begin with the key, as in ".bytes: ...".
func flowOf(n *yaml.Node) (m traffic.Message, err error) {
	if n.Kind != yaml.MappingNode {
		return m, fmt.Errorf(": line %d: want keys and values, such as {src: 0, dst: 5, bytes: 1000}", n.Line)
	}
	start, stop := 0.0, 0.0
	type key struct {
		name, want string
		into       any
	}
	keys := []key{{"src", "a host's number", &m.Src}, {"dst", "a host's number", &m.Dst},
		{"bytes", "a whole number", &m.Bytes}, {"start_us", "microseconds", &start}, {"stop_us", "microseconds", &stop},
		{"after", "a list of flow numbers", &m.After}, {"lb", "a name", &m.LB}, {"cc", "a name", &m.CC},
		{"background", "true or false", &m.Background}}
	seen, names := map[string]bool{}, make([]string, len(keys))
	for i := range keys {
		names[i] = keys[i].name
	}
	for j := 0; j < len(n.Content); j += 2 {
		name, v := n.Content[j].Value, n.Content[j+1]
		k := slices.Index(names, name)
		switch {
		case k < 0:
			return m, fmt.Errorf(".%s: line %d: no such key; there are %s", name, v.Line, strings.Join(names, ", "))
		case seen[name]:
			return m, fmt.Errorf(".%s: line %d: given before; keep one", name, v.Line)
		case v.Tag == "!!null" || v.Tag == "!!float" && !whole(v) && keys[k].want != "microseconds" ||
			name == "background" && v.Tag != "!!bool" || v.Decode(keys[k].into) != nil:
			return m, fmt.Errorf(".%s: line %d: want %s", name, v.Line, keys[k].want)
		}
		seen[name] = true
	}
	if !seen["src"] || !seen["dst"] || !seen["bytes"] {
		return m, fmt.Errorf(": line %d: a flow needs src, dst and bytes", n.Line)
	}
	if m.LB != "" {
		if _, err := lb.Parse(m.LB); err != nil {
			return m, fmt.Errorf(".lb: %w", err)
		}
	}
	if !(start >= 0) || start > 1e9 {
		return m, fmt.Errorf(".start_us: %v: want 0 to 10^9", start)
	}
	if seen["stop_us"] && (!(stop > start) || stop > 1e9) {
		return m, fmt.Errorf(".stop_us: %v: want a time after start_us, at most 10^9", stop)
	}
	m.Start, m.Stop = int64(start*float64(units.Microsecond)), int64(stop*float64(units.Microsecond))
	return m, nil
}
