package bind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/vectors/event"
)

// file is a dut.yaml as its text says it.
type file struct {
	Block       string            `yaml:"block"`
	Schema      string            `yaml:"schema"`
	Top         string            `yaml:"top"`
	Sources     []string          `yaml:"sources"`
	Include     []string          `yaml:"include"`
	Defines     []string          `yaml:"defines"`
	Parameters  map[string]string `yaml:"parameters"`
	BlockParams map[string]int    `yaml:"block_parameters"`
	Clock       string            `yaml:"clock"`
	Reset       struct {
		Port   string `yaml:"port"`
		Active string `yaml:"active"`
		Kind   string `yaml:"kind"`
		Cycles int    `yaml:"cycles"`
	} `yaml:"reset"`
	Latency  string            `yaml:"latency"`
	Order    string            `yaml:"order"`
	Key      string            `yaml:"key"`
	Flush    int               `yaml:"flush"`
	Patience int               `yaml:"patience"`
	PlusArgs []string          `yaml:"plusargs"`
	Flags    []string          `yaml:"verilator"`
	Map      map[string]string `yaml:"map"`
	Tie      map[string]string `yaml:"tie"`
}

// Load reads a dut.yaml. lookup returns the schema of one of our blocks, or an error that lists them. Its
// error is Problems: all that can be told without the design itself.
func Load(path string, lookup func(block string) (*event.Block, error)) (*Binding, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("binding %s: %w; name a dut.yaml", path, err)
	}
	if isSchema(text) {
		return nil, Problems{{File: path, Text: "this is a block's schema, and a dut.yaml is due; goldwire dut init TOP.sv --schema " + path + " writes a first one"}}
	}
	b := &Binding{File: path, lines: map[string]int{}}
	var ps Problems
	var f file
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&f); err != nil && !b.typeErrors(&ps, err) {
		return nil, ps
	}
	// A key that is there twice leaves the rest in doubt: it is told alone.
	if twice := slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool { return !strings.Contains(p.Text, "already defined at line") }); len(twice) > 0 {
		return nil, twice
	}
	if err := dec.Decode(new(yaml.Node)); len(ps) == 0 && !errors.Is(err, io.EOF) {
		b.problem(&ps, "", "more than one document in the file; keep one")
	}
	var root yaml.Node
	if yaml.Unmarshal(text, &root) == nil && len(root.Content) > 0 {
		b.mark("", root.Content[0])
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("binding %s: %w", path, err)
	}
	b.schema(&ps, &f, dir, lookup)
	b.design(&ps, &f, dir)
	b.timing(&ps, &f)
	b.ports(&ps, &f)
	return b, ps.err()
}

// isSchema reports whether a text is a schema given for a dut.yaml.
func isSchema(text []byte) bool {
	var keys map[string]yaml.Node
	if yaml.Unmarshal(text, &keys) != nil {
		return false
	}
	_, streams := keys["streams"]
	_, top := keys["top"]
	return streams && !top
}

// CheckFile reads a dut.yaml and its design and returns everything that is wrong with either, as Problems,
// or nil and the elaborated module. The design is looked at whenever the file says enough of it.
func CheckFile(ctx context.Context, path string, lookup func(block string) (*event.Block, error)) (*Binding, *Module, error) {
	b, err := Load(path, lookup)
	var ps Problems
	if err != nil && !errors.As(err, &ps) {
		return nil, nil, err
	}
	bad := func(key string) bool {
		return slices.ContainsFunc(ps, func(p Problem) bool { return p.Line == b.lines[key] && p.Line > 0 })
	}
	if b == nil || b.Block == nil || b.Top == "" || len(b.Sources) == 0 || bad("sources") || bad("include") || bad("verilator") {
		return b, nil, err
	}
	m, err := b.Elaborate(ctx)
	var more Problems
	if err != nil && !errors.As(err, &more) {
		return b, nil, err
	}
	if err == nil {
		_, more = b.wire(m)
	}
	return b, m, append(ps, more...).err()
}

var (
	yamlLine   = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)`)
	unknownKey = regexp.MustCompile(`^field (\S+) not found in type`)
	wrongType  = regexp.MustCompile("^cannot unmarshal !!(\\w+)(?: `(.*)`)? into (.*)$")
	known      = []string{"block", "schema", "top", "sources", "include", "defines", "parameters", "block_parameters", "clock", "reset",
		"latency", "order", "key", "flush", "patience", "plusargs", "verilator", "map", "tie"}
)

// typeErrors rewords the decoder's errors. It reports whether the rest of the file was decoded all the same.
func (b *Binding) typeErrors(ps *Problems, err error) bool {
	var te *yaml.TypeError
	lines := []string{err.Error()}
	decoded := errors.As(err, &te)
	if decoded {
		lines = te.Errors
	}
	if errors.Is(err, io.EOF) {
		lines = []string{"the file is empty; goldwire dut init writes a first one"}
	}
	for _, l := range lines {
		p := Problem{File: b.File, Text: strings.TrimPrefix(l, "yaml: ")}
		if m := yamlLine.FindStringSubmatch(l); m != nil {
			p.Line, _ = strconv.Atoi(m[1])
			p.Text = m[2]
		}
		if strings.HasPrefix(p.Text, "did not find expected") {
			p.Text += "; an expression with braces, brackets or a colon stands in quotes"
		}
		if m := unknownKey.FindStringSubmatch(p.Text); m != nil {
			p.Text = fmt.Sprintf("unknown key %q%s", m[1], meant(m[1], append(slices.Clone(known), "port", "active", "kind", "cycles")))
		} else if m := wrongType.FindStringSubmatch(p.Text); m != nil {
			p.Text = m[2] + " cannot stand here"
			switch {
			case m[1] == "map" && m[3] == "string":
				p.Text = "braces are YAML's own: put the expression in quotes"
			case strings.HasPrefix(m[3], "[]"):
				p.Text = fmt.Sprintf("a list is due here: [%s]", m[2])
			case m[3] == "int":
				p.Text = m[2] + " is no number"
			}
		}
		*ps = append(*ps, p)
	}
	return decoded
}

// mark notes the lines of all keys.
func (b *Binding) mark(prefix string, n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key := prefix + n.Content[i].Value
		b.lines[key] = n.Content[i].Line
		b.mark(key+".", n.Content[i+1])
	}
}
