package fabric

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// Scenario is a run read from a file: a spec and, when the file lists flows, the
// messages that replace its workload.
type Scenario struct {
	Spec     Spec
	Messages []traffic.Message

	lines map[string]int // of each key, by its path
}

// Options returns the options that a run of the scenario needs.
func (s *Scenario) Options() []Option {
	if s.Messages == nil {
		return nil
	}
	return []Option{WithMessages(s.Messages)}
}

// flowLine is one flow of a scenario file.
type flowLine struct {
	Src     *int32  `yaml:"src"`
	Dst     *int32  `yaml:"dst"`
	Bytes   *int64  `yaml:"bytes"`
	StartUs float64 `yaml:"start_us"`
	After   []int32 `yaml:"after"`
	LB      string  `yaml:"lb"`
	CC      string  `yaml:"cc"`
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
// after, counted from 0, are delivered. It errors, with the file and the path of the
// key, when it cannot be read, a key is given twice or has no effect, or its spec is
// impossible.
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
	var root yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&root); errors.Is(err, io.EOF) {
		return nil, errors.New("empty; give a preset or settings")
	} else if err != nil {
		return nil, err
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want settings, each a key and a value", top.Line)
	}
	s := &Scenario{Spec: DefaultSpec(), lines: map[string]int{}}
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
	if err := s.loadGraph(); err != nil {
		return nil, err
	}
	if err := s.Spec.Validate(); err != nil {
		return nil, err
	}
	var paths []string
	for p := range s.lines {
		if p != "preset" && p != "flows" {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	if err := s.Spec.Ineffective(paths, s.Messages != nil); err != nil {
		return nil, err
	}
	for i := range s.Messages {
		if err := checkMessage(s.Messages, i, s.Spec.Hosts()); err != nil {
			return nil, fmt.Errorf("flows[%d] (%d -> %d): %w", i, s.Messages[i].Src, s.Messages[i].Dst, err)
		}
	}
	if s.Spec.topology() == CustomFile {
		s.Spec.Graph = nil // Run loads it, with what is set until then
	}
	return s, nil
}

// loadGraph reads the topology's file.
func (s *Scenario) loadGraph() error {
	if s.Spec.topology() != CustomFile {
		return nil
	}
	g, err := s.Spec.Network()
	if err != nil {
		return fmt.Errorf("topology.file: %w", err)
	}
	s.Spec.Graph = g
	return nil
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
		known, unknown := lookup(path)
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
func textOf(k *setting, v *yaml.Node) (string, error) {
	var items []string
	for i, n := range v.Content {
		if n.Kind != yaml.ScalarNode {
			return "", wanted("plain values in the list")
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
	case v.Kind == yaml.SequenceNode && k.list, v.Kind == yaml.MappingNode && k.byNumber:
		return strings.Join(items, ","), nil
	case v.Kind == yaml.SequenceNode:
		return "", wanted("one value, not a list")
	}
	return "", wanted("a value")
}

// flows reads the list of flows, each on a connection of its own.
func (s *Scenario) flows(v *yaml.Node) error {
	if v.Kind != yaml.SequenceNode || len(v.Content) == 0 {
		return fmt.Errorf("flows: line %d: want a list", v.Line)
	}
	known := []string{"src", "dst", "bytes", "start_us", "after", "lb", "cc"}
	for i, n := range v.Content {
		at := fmt.Sprintf("flows[%d]", i)
		for j := 0; n.Kind == yaml.MappingNode && j < len(n.Content); j += 2 {
			if !slices.Contains(known, n.Content[j].Value) {
				return fmt.Errorf("%s.%s: no such key; there are %v", at, n.Content[j].Value, known)
			}
		}
		var f flowLine
		if err := n.Decode(&f); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if f.Src == nil || f.Dst == nil || f.Bytes == nil {
			return fmt.Errorf("%s: line %d: a flow needs src, dst and bytes", at, n.Line)
		}
		if f.LB != "" {
			if _, err := lb.Parse(f.LB); err != nil {
				return fmt.Errorf("%s.lb: %w", at, err)
			}
		}
		if !(f.StartUs >= 0) || f.StartUs > 1e9 {
			return fmt.Errorf("%s.start_us: %v: want 0 or above", at, f.StartUs)
		}
		s.Messages = append(s.Messages, traffic.Message{
			Src: *f.Src, Dst: *f.Dst, Bytes: *f.Bytes, Start: int64(f.StartUs * float64(Microsecond)),
			After: f.After, Conn: int32(i), LB: f.LB, CC: f.CC,
		})
	}
	return nil
}
