package plan

import (
	"bytes"
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

	"github.com/goldwire/goldwire/vectors/event/contract"
)

// ErrPlan is wrapped by the errors of a plan that cannot be used.
var ErrPlan = errors.New("plan")

// Plan is a verification plan. Its patterns are names in which * stands for any characters.
type Plan struct {
	// Include names other files by shell patterns, relative to this file's folder. Their contents are placed before the
	// contents of this file.
	Include    []string    `yaml:"include"`
	Testpoints []Testpoint `yaml:"testpoints"`
	Tests      []Test      `yaml:"tests"`
	Stages     []Stage     `yaml:"stages"`
}

// Testpoint is a piece of a contract and the evidence that it was exercised.
type Testpoint struct {
	Name  string   `yaml:"name"`  // BLOCK/SLUG
	Rules []string `yaml:"rules"` // patterns of rules, without the block: ack/7, parts/*
	Bins  []string `yaml:"bins"`  // patterns of coverage bins
	Cases []string `yaml:"cases"` // patterns of directed cases
	// Informative is why nothing in it can be exercised: a list of decisions, an example.
	Informative string `yaml:"informative"`
}

// Block returns the block of the testpoint's contract.
func (t *Testpoint) Block() string {
	block, _, _ := strings.Cut(t.Name, "/")
	return block
}

// Test is one goldwire command that is run for each of its sources and seeds.
type Test struct {
	Name  string `yaml:"name"`
	Block string `yaml:"block"`
	// Command and its arguments, for anything but a co-simulation: {seed} stands for the seed, {json} for the result file.
	// Such a test has no sources.
	Command []string `yaml:"command"`

	Sources   []string       `yaml:"sources"`
	Params    map[string]int `yaml:"params"`
	Transport string         `yaml:"transport"`
	Tick      string         `yaml:"tick"`
	Dut       string         `yaml:"dut"` // dut.yaml instead of our design
	Assert    bool           `yaml:"assert"`
	Code      bool           `yaml:"code"` // counts the design's code coverage
	Events    Count          `yaml:"events"`
	Seeds     Seeds          `yaml:"seeds"`
	Drawn     int            `yaml:"drawn"` // seeds drawn from the night, instead of Seeds

	Shows    []string `yaml:"shows"` // patterns of testpoints
	Seconds  int      `yaml:"seconds"`
	MemoryMB int      `yaml:"memory_mb"`
}

// Stage is a set of tests that are run together. Its other settings override those of the tests.
type Stage struct {
	Name  string   `yaml:"name"`
	About string   `yaml:"about"`
	Tests []string `yaml:"tests"` // patterns of tests
	// Sources are patterns of the sources to run; empty for all.
	Sources []string `yaml:"sources"`
	Events  Count    `yaml:"events"`
	Seeds   Seeds    `yaml:"seeds"`
	Drawn   int      `yaml:"drawn"`
	// Closed requires every bin and case of every testpoint: without them the stage does not pass.
	Closed bool `yaml:"closed"`
}

// The limits of a run that states none.
const (
	DefaultSeconds  = 1800
	DefaultMemoryMB = 4096
	// MaxSeeds is the most seeds of one test.
	MaxSeeds = 100_000
)

// Count is a number of events: 250000, 250k, 1M.
type Count uint64

// UnmarshalYAML reads the number.
func (c *Count) UnmarshalYAML(n *yaml.Node) error {
	text, scale := strings.ReplaceAll(n.Value, "_", ""), uint64(1)
	if t, ok := strings.CutSuffix(text, "k"); ok {
		text, scale = t, 1e3
	} else if t, ok := strings.CutSuffix(text, "M"); ok {
		text, scale = t, 1e6
	}
	v, err := strconv.ParseUint(text, 10, 40) // so that the product with a million fits 64 bits
	if err != nil || v == 0 || n.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: events: %q: give a number above 0, such as 100000, 250k or 1M", n.Line, n.Value)
	}
	*c = Count(v * scale)
	return nil
}

// Seeds is a list of seeds: 7, 1..20 or 1,5,9.
type Seeds []uint64

// UnmarshalYAML reads the list.
func (s *Seeds) UnmarshalYAML(n *yaml.Node) error {
	bad := fmt.Errorf("line %d: seeds: %q: give a seed, a range such as 1..20 or a list such as 1,5,9", n.Line, n.Value)
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: seeds: give one text, such as 1..20 or \"1,5,9\"", n.Line)
	}
	seen := map[uint64]bool{}
	for _, part := range strings.Split(n.Value, ",") {
		lo, hi, ranged := strings.Cut(strings.TrimSpace(part), "..")
		a, err := strconv.ParseUint(lo, 10, 63)
		b := a
		if err == nil && ranged {
			b, err = strconv.ParseUint(hi, 10, 63)
		}
		if err != nil || b < a {
			return bad
		}
		if b-a >= MaxSeeds || len(*s)+int(b-a) >= MaxSeeds {
			return fmt.Errorf("line %d: seeds: %q: more than %d", n.Line, n.Value, MaxSeeds)
		}
		for ; a <= b; a++ {
			if seen[a] {
				return fmt.Errorf("line %d: seeds: %q: seed %d is given twice", n.Line, n.Value, a)
			}
			seen[a] = true
			*s = append(*s, a)
		}
	}
	return nil
}

// Own is the project's own plan, relative to the root of the repository.
const Own = "ci/plan/goldwire.yaml"

// Load reads a plan and the files that it includes. It errors, naming the file, if a text is not a plan. Check decides
// whether the plan is complete.
func Load(path string) (*Plan, error) {
	p, err := load(path)
	if err != nil {
		return nil, err
	}
	whole := new(Plan)
	for _, pattern := range p.Include {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("%w %s: include: no file is named %s", ErrPlan, path, pattern)
		}
		for _, file := range files {
			part, err := load(file)
			if err != nil {
				return nil, err
			}
			if len(part.Include) > 0 {
				return nil, fmt.Errorf("%w %s: it is included in %s and includes others; include them there", ErrPlan, file, path)
			}
			whole.add(part)
		}
	}
	whole.add(p)
	return whole, nil
}

func (p *Plan) add(q *Plan) {
	p.Testpoints = append(p.Testpoints, q.Testpoints...)
	p.Tests = append(p.Tests, q.Tests...)
	p.Stages = append(p.Stages, q.Stages...)
}

func load(path string) (*Plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlan, err)
	}
	p, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrPlan, path, err)
	}
	return p, nil
}

// Parse reads a plan from its text.
func Parse(text []byte) (*Plan, error) {
	p := new(Plan)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	switch err := dec.Decode(p); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the file is empty; give testpoints, tests and stages")
	case err != nil:
		return nil, errors.New(reworded(err))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document in the file; give one")
	}
	return p, nil
}

var unknownKey = regexp.MustCompile(`^line (\d+): field (\S+) not found in type plan\.(\S+)$`)

// reworded removes the names of Go types from the decoder's errors.
func reworded(err error) string {
	var te *yaml.TypeError
	if !errors.As(err, &te) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	out := make([]string, len(te.Errors))
	for i, e := range te.Errors {
		if m := unknownKey.FindStringSubmatch(e); m != nil {
			e = fmt.Sprintf("line %s: unknown key %q of a %s", m[1], m[2], strings.ToLower(m[3]))
		}
		out[i] = e
	}
	return strings.Join(out, "; ")
}

// Match reports whether a name matches a pattern, in which * stands for any characters, including slashes.
func Match(pattern, name string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, head)
	for i := 0; ok && i <= len(name); i++ {
		if Match(rest, name[i:]) {
			return true
		}
	}
	return false
}

// MatchAny reports whether a name matches one of the patterns.
func MatchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Match(p, name) })
}

// Rules returns the names of the rules of a contract in the order of its text; see contract.Rule.
func Rules(text string) []string { return contract.Names(text) }
