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
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/vectors/event"
)

// file is a dut.yaml as it is written.
type file struct {
	Block       string            `yaml:"block"`
	Schema      string            `yaml:"schema"`
	Top         string            `yaml:"top"`
	Sources     []string          `yaml:"sources"`
	Include     []string          `yaml:"include"`
	Defines     []string          `yaml:"defines"`
	Parameters  map[string]string `yaml:"parameters"`
	BlockParams map[string]int    `yaml:"block_parameters"`
	Clock       portNames         `yaml:"clock"`
	Clocks      map[string]struct {
		Period  int      `yaml:"period"`
		Phase   *int     `yaml:"phase"`
		Streams []string `yaml:"streams"`
	} `yaml:"clocks"`
	Reset    resetKey  `yaml:"reset"`
	Latency  string    `yaml:"latency"`
	Order    string    `yaml:"order"`
	Key      string    `yaml:"key"`
	Flush    int       `yaml:"flush"`
	Patience int       `yaml:"patience"`
	Relax    []string  `yaml:"relax"`
	Beats    *beatsKey `yaml:"beats"`

	Tolerance map[string]toleranceKey `yaml:"tolerance"`
	Resync    string                  `yaml:"resync"`

	PlusArgs []string          `yaml:"plusargs"`
	Flags    []string          `yaml:"verilator"`
	Map      map[string]string `yaml:"map"`
	Tie      map[string]string `yaml:"tie"`
}

// portNames is one port or a list of them.
type portNames []string

func (n *portNames) UnmarshalYAML(y *yaml.Node) error {
	if y.Kind == yaml.ScalarNode {
		*n = portNames{y.Value}
		return nil
	}
	return y.Decode((*[]string)(n))
}

// resetKey is the key reset: none, or a mapping.
type resetKey struct {
	None   bool
	Port   portNames
	Active string
	Kind   string
	Cycles int
}

// UnmarshalYAML reads none or {port, active, kind, cycles}.
func (r *resetKey) UnmarshalYAML(y *yaml.Node) error {
	if r.None = y.Kind == yaml.ScalarNode && y.Value == noPort; r.None {
		return nil
	}
	var x struct {
		Port   portNames `yaml:"port"`
		Active string    `yaml:"active"`
		Kind   string    `yaml:"kind"`
		Cycles int       `yaml:"cycles"`
	}
	err := y.Decode(&x)
	r.Port, r.Active, r.Kind, r.Cycles = x.Port, x.Active, x.Kind, x.Cycles
	for i := 0; y.Kind == yaml.MappingNode && i < len(y.Content); i += 2 {
		// A decoder of a node takes unknown keys.
		if key := y.Content[i]; !slices.Contains(resetKeys, key.Value) {
			te := &yaml.TypeError{}
			_ = errors.As(err, &te)
			te.Errors = append(te.Errors, fmt.Sprintf("line %d: field %s not found in type reset", key.Line, key.Value))
			err = te
		}
	}
	return err
}

// noPort stands for a clock or a reset that the design does not have.
const noPort = "none"

var resetKeys = []string{"port", "active", "kind", "cycles"}

// Load reads a dut.yaml. lookup returns the schema of one of our blocks, or an error that lists them. Its
// error is Problems: all that can be checked without the design itself.
func Load(path string, lookup func(block string) (*event.Block, error)) (*Binding, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("binding %s: %w; name a dut.yaml", path, err)
	}
	if isSchema(text) {
		return nil, Problems{{File: path, Text: "this is a block's schema, but a dut.yaml is expected; goldwire dut init " +
			"TOP.sv --schema " + path + " writes a first one"}}
	}
	if slices.Contains([]string{".sv", ".v", ".svh", ".vh"}, filepath.Ext(path)) || isVHDL(path) {
		return nil, Problems{{File: path, Text: "this is RTL, but a dut.yaml is expected; goldwire dut init " +
			path + " writes a first one"}}
	}
	b := &Binding{File: path, lines: map[string]int{}, values: map[string]int{}}
	var ps Problems
	for i, line := range bytes.Split(text, []byte("\n")) {
		if !utf8.Valid(line) {
			return nil, Problems{{File: path, Line: i + 1, Text: "the text is not UTF-8; save the file as UTF-8"}}
		}
	}
	var f file
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&f); err != nil && !b.typeErrors(&ps, err, text) {
		return nil, ps
	}
	// A key that appears twice leaves the rest in doubt, so it is reported alone.
	if twice := slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool {
		return !strings.Contains(p.Text, "already defined at line")
	}); len(twice) > 0 {
		return nil, twice
	}
	var second yaml.Node
	if err := dec.Decode(&second); len(ps) == 0 && !errors.Is(err, io.EOF) {
		return nil, Problems{{File: path, Line: second.Line,
			Text: "a second document begins here; keep one, without --- between"}}
	}
	var root yaml.Node
	if yaml.Unmarshal(text, &root) == nil && len(root.Content) > 0 {
		b.mark("", root.Content[0])
		b.whole(&ps, "", root.Content[0])
	}
	for _, p := range ps {
		b.badLines = append(b.badLines, p.Line)
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("binding %s: %w", path, err)
	}
	b.schema(&ps, &f, dir, lookup)
	b.design(&ps, &f, dir)
	readVHDL(b, &ps)
	b.timing(&ps, &f)
	b.ports(&ps, &f)
	readBeats(b, &ps, &f)
	readClocks(b, &ps, &f)
	t := tolerant{b, &ps}
	t.read(&f)
	t.whole()
	return b, ps.err()
}

// isSchema reports whether a text is a schema that was given in place of a dut.yaml.
func isSchema(text []byte) bool {
	var keys map[string]yaml.Node
	if yaml.Unmarshal(text, &keys) != nil {
		return false
	}
	_, streams := keys["streams"]
	_, top := keys["top"]
	return streams && !top
}

// readable reports whether the design can be given to Verilator: the file says enough about it, and what it says was
// accepted.
func readable(b *Binding, ps Problems) bool {
	bad := func(key string) bool {
		return slices.ContainsFunc(ps, func(p Problem) bool { return p.Line == b.lines[key] && p.Line > 0 })
	}
	return b.Block != nil && b.Top != "" && len(b.Sources) > 0 && !bad("sources") && !bad("include") && !bad("verilator")
}

// CheckFile reads a dut.yaml and its design and returns everything that is wrong with either, as Problems,
// or nil and the elaborated module. The design is read whenever the file says enough about it.
func CheckFile(ctx context.Context, path string, lookup func(block string) (*event.Block,
	error)) (*Binding, *Module, error) {
	b, err := Load(path, lookup)
	var ps Problems
	if err != nil && !errors.As(err, &ps) {
		return nil, nil, err
	}
	if b == nil || !readable(b, ps) || b.misread("map") {
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
	noAnchor   = regexp.MustCompile(`unknown anchor '(.*)' referenced`)
	known      = []string{"block", "schema", "top", "sources", "include", "defines", "parameters",
		"block_parameters", "clock", "clocks", "period", "phase", "streams", "reset",
		"latency", "order", "key", "flush", "patience", "relax", "beats", "width", "tolerance",
		"resync", "plusargs", "verilator", "map", "tie"}
)

// typeErrors rewords the decoder's errors. It reports whether the rest of the file was decoded all the same.
func (b *Binding) typeErrors(ps *Problems, err error, text []byte) bool {
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
		switch {
		case strings.HasPrefix(p.Text, "did not find expected"):
			p.Text += "; an expression with braces, brackets or a colon stands in quotes"
		case strings.HasPrefix(p.Text, "mapping values are not allowed"):
			p.Text += "; keys that belong together begin in one column, and those of map in another than map itself"
		case strings.HasPrefix(p.Text, "found character that cannot start any token"):
			p.Text += "; indent with spaces, not with tabs"
		}
		if m := noAnchor.FindStringSubmatch(p.Text); m != nil {
			p.Line = 1 + bytes.Count(text[:max(bytes.Index(text, []byte("*"+m[1])), 0)], []byte("\n"))
			p.Text = fmt.Sprintf("*%s names an anchor that does not exist; YAML reserves the *: put the text in quotes", m[1])
		}
		if m := unknownKey.FindStringSubmatch(p.Text); m != nil {
			p.Text = fmt.Sprintf("unknown key %q%s", m[1], meant(m[1], append(slices.Clone(known), resetKeys...)))
		} else if m := wrongType.FindStringSubmatch(p.Text); m != nil {
			p.Text = unfit(m[1], m[2], m[3])
		}
		*ps = append(*ps, p)
	}
	return decoded
}

// unfit returns what is wrong with a YAML value where a Go type is required.
func unfit(is, value, due string) string {
	_, err := strconv.ParseInt(value, 10, 64)
	switch {
	case strings.HasPrefix(due, "[]") && value != "":
		return fmt.Sprintf("a list is required here: [%s]", value)
	case strings.HasPrefix(due, "[]"):
		return "a list is required here: [FIRST, SECOND]"
	case strings.HasPrefix(due, "map["):
		return "names with values are required here, each on a line of its own as in `name: value`"
	case strings.HasPrefix(due, "struct"):
		return "keys with values are required here: {port: NAME, active: high or low, kind: async or sync}"
	case strings.HasSuffix(due, "beatsKey"):
		return "keys with values are required here: {width: BITS}"
	case due == "string" && is == "map":
		return "YAML reserves braces: put the expression in quotes"
	case due == "string" && is == "seq":
		return "YAML reads brackets as a list, where one value is required: give the value alone, and an expression in quotes"
	case due == "int" && is == "str" && err == nil:
		return value + " is text, but a number is required: remove the quotes"
	case due == "int" && (is == "int" || is == "float"):
		return value + " is too large a number"
	case due == "int":
		return value + " is not a number"
	}
	return value + " cannot stand here"
}

// whole finds numbers with a fraction, which the decoder would truncate.
func (b *Binding) whole(ps *Problems, prefix string, n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key, v := prefix+n.Content[i].Value, n.Content[i+1]
		switch {
		case prefix == "" && (key == "block_parameters" || key == "reset" || key == "beats" || key == "clocks"),
			prefix == "clocks.":
			b.whole(ps, key+".", v)
		case v.Tag != "!!float" || slices.ContainsFunc(*ps, func(p Problem) bool { return p.Line == v.Line }):
		case prefix == "block_parameters." || key == "flush" || key == "patience" || key == "reset.cycles" ||
			key == "beats.width" || strings.HasPrefix(key, "clocks."):
			b.problem(ps, key, "%s is not a whole number", v.Value)
		}
	}
}

// misread reports whether the value of a key could not be read, which was already reported.
func (b *Binding) misread(key string) bool {
	return b.lines[key] > 0 && (slices.Contains(b.badLines, b.lines[key]) || slices.Contains(b.badLines, b.values[key]))
}

func (b *Binding) mark(prefix string, n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key := prefix + n.Content[i].Value
		b.lines[key], b.values[key] = n.Content[i].Line, n.Content[i+1].Line
		b.mark(key+".", n.Content[i+1])
	}
}
