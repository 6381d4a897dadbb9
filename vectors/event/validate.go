package event

import (
	"fmt"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Limits of a schema. A field wider than 64 bits is allowed in a stream, not in a register or state word.
const (
	maxFieldWidth = 4096
	maxStreams    = 16
)

var (
	lowerName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	upperName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
	camelName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	qFormat   = regexp.MustCompile(`^(U?)Q(\d+)\.(\d+)$`)
)

// reserved are the SystemVerilog keywords that a hardware engineer might take for a field name.
var reserved = map[string]bool{
	"begin": true, "bit": true, "byte": true, "case": true, "class": true, "clocking": true, "config": true,
	"default": true, "do": true, "edge": true, "end": true, "event": true, "export": true, "final": true,
	"for": true, "force": true, "function": true, "if": true, "import": true, "initial": true, "input": true,
	"int": true, "interface": true, "local": true, "logic": true, "module": true, "new": true, "output": true,
	"packed": true, "parameter": true, "priority": true, "program": true, "property": true, "pure": true,
	"rand": true, "real": true, "ref": true, "reg": true, "release": true, "return": true, "sequence": true,
	"signed": true, "static": true, "string": true, "struct": true, "table": true, "tagged": true, "task": true,
	"this": true, "time": true, "type": true, "union": true, "unique": true, "unsigned": true, "var": true,
	"virtual": true, "void": true, "wait": true, "while": true, "wire": true, "with": true,
}

// Validate reports the first thing about b that no generator could use: a name that is missing, repeated or not a legal
// identifier, a width out of range, a Q format that does not fill its width, a value that does not fit, state fields
// that overlap, an unknown enum.
func (b *Block) Validate() error { return validate(b, nil) }

// checker reports problems with their place; root is nil when there is no text to point into.
type checker struct {
	b    *Block
	root *yaml.Node
}

func (c *checker) fail(path []any, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if c.root != nil {
		msg = fmt.Sprintf("line %d: %s", lineOf(c.root, path), msg)
	}
	return fmt.Errorf("%w %s: %s", ErrSchema, nameOr(c.b.Name), msg)
}

func at(path ...any) []any { return path }

func validate(b *Block, root *yaml.Node) error {
	c := &checker{b, root}
	if !lowerName.MatchString(b.Name) {
		return c.fail(at("block"), "key \"block\": %q is not a lower-case name", b.Name)
	}
	for _, check := range []func() error{c.params, c.constants, c.enums, c.streams, c.registers, c.words,
		c.stimulus, c.coverage} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// name checks the form of a name, and that seen does not contain it yet.
func (c *checker) name(path []any, form *regexp.Regexp, what, name string, seen map[string]bool) error {
	path = append(path, "name")
	switch {
	case !form.MatchString(name):
		return c.fail(path, "%s: key \"name\": %q is not a name of the form %s", what, name, form)
	case reserved[name]:
		return c.fail(path, "%s: key \"name\": %q is a SystemVerilog keyword", what, name)
	case seen[name]:
		return c.fail(path, "%s: key \"name\": %q appears twice", what, name)
	}
	seen[name] = true
	return nil
}

func (c *checker) params() error {
	seen := map[string]bool{}
	for i, p := range c.b.Params {
		path := at("params", i)
		if err := c.name(path, camelName, "params", p.Name, seen); err != nil {
			return err
		}
		if p.Min < 1 || p.Max < p.Min || p.Max > 1<<30 {
			return c.fail(path, "param %s: key \"min\", \"max\": want 1 <= min <= max <= 2^30, have %d and %d", p.Name, p.Min,
				p.Max)
		}
		if err := p.Check(p.Default); err != nil {
			return c.fail(append(path, "default"), "key \"default\": %v", err)
		}
	}
	return nil
}

// Check returns why v is not a legal value for the parameter, or nil.
func (p *Param) Check(v int) error {
	if v < p.Min || v > p.Max {
		return fmt.Errorf("parameter %s: %d is not in %d..%d", p.Name, v, p.Min, p.Max)
	}
	if p.Pow2 && v&(v-1) != 0 {
		return fmt.Errorf("parameter %s: %d is not a power of two", p.Name, v)
	}
	return nil
}

func (c *checker) constants() error {
	seen := map[string]bool{}
	for i, k := range c.b.Constants {
		if err := c.name(at("constants", i), upperName, "constants", k.Name, seen); err != nil {
			return err
		}
		if k.Value < 0 || k.Value > 1<<31-1 {
			return c.fail(at("constants", i, "value"), "constant %s: key \"value\": %d is not in 0..2^31-1", k.Name, k.Value)
		}
	}
	return nil
}

func (c *checker) enums() error {
	seen := map[string]bool{}
	for i, e := range c.b.Enums {
		path := at("enums", i)
		if err := c.name(path, lowerName, "enums", e.Name, seen); err != nil {
			return err
		}
		if e.Width < 1 || e.Width > 32 {
			return c.fail(append(path, "width"), "enum %s: key \"width\": %d is not in 1..32", e.Name, e.Width)
		}
		names, codes := map[string]bool{}, map[uint64]bool{}
		for j, v := range e.Values {
			vp := at("enums", i, "values", j)
			if err := c.name(vp, upperName, "enum "+e.Name, v.Name, names); err != nil {
				return err
			}
			if v.Value>>e.Width != 0 {
				return c.fail(append(vp, "value"), "enum %s: key \"value\": %s = %d does not fit %d bits", e.Name,
					v.Name, v.Value, e.Width)
			}
			if codes[v.Value] {
				return c.fail(append(vp, "value"), "enum %s: key \"value\": code %d appears twice", e.Name, v.Value)
			}
			codes[v.Value] = true
		}
	}
	return nil
}

// number checks what fields, registers and state fields have in common: width, Q format, enum.
func (c *checker) number(path []any, what string, width, limit int, q, enum string, signed bool) error {
	if width < 1 || width > limit {
		return c.fail(append(path, "width"), "%s: key \"width\": %d is not in 1..%d", what, width, limit)
	}
	if q != "" {
		m := qFormat.FindStringSubmatch(q)
		if m == nil {
			return c.fail(append(path, "q"), "%s: key \"q\": %q is not UQm.n or Qm.n", what, q)
		}
		whole, _ := strconv.Atoi(m[2])
		frac, _ := strconv.Atoi(m[3])
		if whole+frac != width {
			return c.fail(append(path, "q"), "%s: key \"q\": %s has %d bits, the width is %d", what, q, whole+frac, width)
		}
		if (m[1] == "") != signed {
			return c.fail(append(path, "q"), "%s: key \"q\": %s and \"signed\" disagree", what, q)
		}
	}
	if enum != "" {
		e := c.b.Enum(enum)
		if e == nil {
			return c.fail(append(path, "enum"), "%s: key \"enum\": there is no enum %q", what, enum)
		}
		if e.Width != width || signed {
			return c.fail(append(path, "enum"), "%s: key \"enum\": %s is unsigned with %d bits, the field is not", what, enum,
				e.Width)
		}
	}
	return nil
}

func (c *checker) streams() error {
	seen := map[string]bool{}
	if len(c.b.Streams) > maxStreams {
		return c.fail(at("streams"), "key \"streams\": %d streams, at most %d fit the control word",
			len(c.b.Streams), maxStreams)
	}
	for i, s := range c.b.Streams {
		if err := c.name(at("streams", i), lowerName, "streams", s.Name, seen); err != nil {
			return err
		}
		if s.Dir != In && s.Dir != Out {
			return c.fail(at("streams", i, "dir"), "stream %s: key \"dir\": %q is neither in nor out", s.Name, s.Dir)
		}
		if len(s.Fields) == 0 {
			return c.fail(at("streams", i), "stream %s: key \"fields\": there are none", s.Name)
		}
		fields := map[string]bool{}
		for j, f := range s.Fields {
			path, what := at("streams", i, "fields", j), "field "+s.Name+"."+f.Name
			if err := c.name(path, lowerName, "stream "+s.Name, f.Name, fields); err != nil {
				return err
			}
			if f.Name == "valid" || f.Name == "ready" {
				return c.fail(append(path, "name"), "%s: key \"name\": the port would clash with the handshake", what)
			}
			if err := c.number(path, what, f.Width, maxFieldWidth, f.Q, f.Enum, f.Signed); err != nil {
				return err
			}
			if f.Signed && (f.Width < 2 || f.Width > 64) {
				return c.fail(append(path, "signed"), "%s: key \"signed\": only for 2..64 bits", what)
			}
			if f.Show != "" && f.Show != ShowHex {
				return c.fail(append(path, "show"), "%s: key \"show\": %q is not hex", what, f.Show)
			}
			if f.Show != "" && f.Enum != "" {
				return c.fail(append(path, "show"), "%s: key \"show\": the codes of enum %s have names; leave it out", what, f.Enum)
			}
		}
		if err := c.masks(i, &s); err != nil {
			return err
		}
	}
	if len(c.b.StreamsOf(In)) == 0 || len(c.b.StreamsOf(Out)) == 0 {
		return c.fail(at("streams"), "key \"streams\": a block needs one stream in and one out")
	}
	return nil
}

func (c *checker) registers() error {
	seen, addrs := map[string]bool{}, map[int]bool{}
	for i, r := range c.b.Registers {
		path, what := at("registers", i), "register "+r.Name
		if err := c.name(path, upperName, "registers", r.Name, seen); err != nil {
			return err
		}
		if err := c.number(path, what, r.Width, 64, r.Q, "", false); err != nil {
			return err
		}
		if r.Addr < 0 || r.Addr>>c.b.AddrWidth() != 0 {
			return c.fail(append(path, "addr"), "%s: key \"addr\": %d does not fit %d bits", what, r.Addr, c.b.AddrWidth())
		}
		if addrs[r.Addr] {
			return c.fail(append(path, "addr"), "%s: key \"addr\": %d appears twice", what, r.Addr)
		}
		addrs[r.Addr] = true
		if r.Width < 64 && r.Reset>>r.Width != 0 {
			return c.fail(append(path, "reset"), "%s: key \"reset\": %d does not fit %d bits", what, r.Reset, r.Width)
		}
	}
	for i := range c.b.Registers {
		if !addrs[i] {
			return c.fail(at("registers"), "key \"registers\": addresses are not 0..%d, %d is free", len(c.b.Registers)-1, i)
		}
	}
	return nil
}

func (c *checker) words() error {
	seen, addrs := map[string]bool{}, map[int]bool{}
	for i, w := range c.b.Words {
		if w.Addr < 0 || w.Addr>>c.b.AddrWidth() != 0 || addrs[w.Addr] {
			return c.fail(at("words", i, "addr"), "word %d: key \"addr\": it appears twice, or is wider than %d bits",
				w.Addr, c.b.AddrWidth())
		}
		addrs[w.Addr] = true
		var used uint64
		for j, f := range w.Fields {
			path, what := at("words", i, "fields", j), fmt.Sprintf("word %d field %s", w.Addr, f.Name)
			if err := c.name(path, lowerName, fmt.Sprintf("word %d", w.Addr), f.Name, seen); err != nil {
				return err
			}
			if err := c.number(path, what, f.Width, 64, f.Q, f.Enum, f.Signed); err != nil {
				return err
			}
			if f.LSB < 0 || f.LSB+f.Width > 64 {
				return c.fail(append(path, "lsb"), "%s: key \"lsb\": bits %d..%d are not in 0..63", what, f.LSB, f.LSB+f.Width-1)
			}
			if used&f.Mask() != 0 {
				return c.fail(append(path, "lsb"), "%s: key \"lsb\": bits %d..%d overlap another field",
					what, f.LSB, f.LSB+f.Width-1)
			}
			used |= f.Mask()
		}
	}
	for i := range c.b.Words {
		if !addrs[i] {
			return c.fail(at("words"), "key \"words\": addresses are not 0..%d, %d is free", len(c.b.Words)-1, i)
		}
	}
	return nil
}

// Mask returns the bits of its word that the field takes.
func (f *WordField) Mask() uint64 { return ones(f.Width) << f.LSB }

// Mask returns the bits of the word that carry state; the others read as 0.
func (w *Word) Mask() uint64 {
	var m uint64
	for i := range w.Fields {
		m |= w.Fields[i].Mask()
	}
	return m
}
