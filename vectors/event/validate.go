package event

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
var reserved = strings.Fields("begin bit byte case class clocking config default do edge end event export final for " +
	"force function if import initial input int interface local logic module new output packed parameter priority " +
	"program property pure rand real ref reg release return sequence signed static string struct table tagged task " +
	"this time type union unique unsigned var virtual void wait while wire with")

// Validate reports the first thing about b that no generator could use: a name that is missing, repeated or not a legal
// identifier, a width out of range, a Q format that does not fill its width, a value that does not fit, state fields
// that overlap, an unknown enum.
func (b *Block) Validate() error { return validate(b, nil) }

// checker reports problems with their place; root is nil when there is no text to point into.
type checker struct {
	b    *Block
	root *yaml.Node
}

// fail ends the check with an error.
func (c *checker) fail(path []any, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if c.root != nil {
		msg = fmt.Sprintf("line %d: %s", lineOf(c.root, path), msg)
	}
	panic(fmt.Errorf("%w %s: %s", ErrSchema, nameOr(c.b.Name), msg))
}

// refuse fails if something is wrong.
func (c *checker) refuse(wrong bool, path []any, format string, args ...any) {
	if wrong {
		c.fail(path, format, args...)
	}
}

func at(path ...any) []any { return path }

func validate(b *Block, root *yaml.Node) (err error) {
	defer func() {
		x := recover()
		if e, ok := x.(error); ok && errors.Is(e, ErrSchema) {
			err = e
		} else if x != nil {
			panic(x)
		}
	}()
	c := &checker{b, root}
	c.refuse(!lowerName.MatchString(b.Name), at("block"), "key \"block\": %q is not a lower-case name", b.Name)
	c.params()
	c.constants()
	c.enums()
	c.streams()
	c.registers()
	c.words()
	c.stimulus()
	c.coverage()
	return nil
}

// name checks the form of a name, and that seen does not contain it yet.
func (c *checker) name(path []any, form *regexp.Regexp, what, name string, seen map[string]bool) {
	path = append(path, "name")
	switch {
	case !form.MatchString(name):
		c.fail(path, "%s: key \"name\": %q is not a name of the form %s", what, name, form)
	case slices.Contains(reserved, name):
		c.fail(path, "%s: key \"name\": %q is a SystemVerilog keyword", what, name)
	case seen[name]:
		c.fail(path, "%s: key \"name\": %q appears twice", what, name)
	}
	seen[name] = true
}

func (c *checker) params() {
	seen := map[string]bool{}
	for i, p := range c.b.Params {
		path := at("params", i)
		c.name(path, camelName, "params", p.Name, seen)
		c.refuse(p.Min < 1 || p.Max < p.Min || p.Max > 1<<30, path,
			"param %s: key \"min\", \"max\": want 1 <= min <= max <= 2^30, have %d and %d", p.Name, p.Min, p.Max)
		if err := p.Check(p.Default); err != nil {
			c.fail(append(path, "default"), "key \"default\": %v", err)
		}
	}
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

func (c *checker) constants() {
	seen := map[string]bool{}
	for i, k := range c.b.Constants {
		c.name(at("constants", i), upperName, "constants", k.Name, seen)
		c.refuse(k.Value < 0 || k.Value > 1<<31-1, at("constants", i, "value"),
			"constant %s: key \"value\": %d is not in 0..2^31-1", k.Name, k.Value)
	}
}

func (c *checker) enums() {
	seen := map[string]bool{}
	for i, e := range c.b.Enums {
		path := at("enums", i)
		c.name(path, lowerName, "enums", e.Name, seen)
		c.refuse(e.Width < 1 || e.Width > 32, append(path, "width"), "enum %s: key \"width\": %d is not in 1..32", e.Name,
			e.Width)
		names, codes := map[string]bool{}, map[uint64]bool{}
		for j, v := range e.Values {
			vp := at("enums", i, "values", j)
			c.name(vp, upperName, "enum "+e.Name, v.Name, names)
			c.refuse(v.Value>>e.Width != 0, append(vp, "value"), "enum %s: key \"value\": %s = %d does not fit %d bits", e.Name,
				v.Name, v.Value, e.Width)
			c.refuse(codes[v.Value], append(vp, "value"), "enum %s: key \"value\": code %d appears twice", e.Name, v.Value)
			codes[v.Value] = true
		}
	}
}

// number checks what fields, registers and state fields have in common: width, Q format, enum.
func (c *checker) number(path []any, what string, width, limit int, q, enum string, signed bool) {
	c.refuse(width < 1 || width > limit, append(path, "width"), "%s: key \"width\": %d is not in 1..%d", what, width,
		limit)
	if q != "" {
		m := qFormat.FindStringSubmatch(q)
		c.refuse(m == nil, append(path, "q"), "%s: key \"q\": %q is not UQm.n or Qm.n", what, q)
		whole, _ := strconv.Atoi(m[2])
		frac, _ := strconv.Atoi(m[3])
		c.refuse(whole+frac != width, append(path, "q"), "%s: key \"q\": %s has %d bits, the width is %d", what, q,
			whole+frac, width)
		c.refuse((m[1] == "") != signed, append(path, "q"), "%s: key \"q\": %s and \"signed\" disagree", what, q)
	}
	if enum != "" {
		e := c.b.Enum(enum)
		c.refuse(e == nil, append(path, "enum"), "%s: key \"enum\": there is no enum %q", what, enum)
		c.refuse(e.Width != width || signed, append(path, "enum"),
			"%s: key \"enum\": %s is unsigned with %d bits, the field is not", what, enum, e.Width)
	}
}

func (c *checker) streams() {
	seen := map[string]bool{}
	c.refuse(len(c.b.Streams) > maxStreams, at("streams"), "key \"streams\": %d streams, at most %d fit the control word",
		len(c.b.Streams), maxStreams)
	for i, s := range c.b.Streams {
		c.name(at("streams", i), lowerName, "streams", s.Name, seen)
		c.refuse(s.Dir != In && s.Dir != Out, at("streams", i, "dir"), "stream %s: key \"dir\": %q is neither in nor out",
			s.Name, s.Dir)
		c.refuse(len(s.Fields) == 0, at("streams", i), "stream %s: key \"fields\": there are none", s.Name)
		fields := map[string]bool{}
		for j, f := range s.Fields {
			path, what := at("streams", i, "fields", j), "field "+s.Name+"."+f.Name
			c.name(path, lowerName, "stream "+s.Name, f.Name, fields)
			c.refuse(f.Name == "valid" || f.Name == "ready", append(path, "name"),
				"%s: key \"name\": the port would clash with the handshake", what)
			c.number(path, what, f.Width, maxFieldWidth, f.Q, f.Enum, f.Signed)
			c.refuse(f.Signed && (f.Width < 2 || f.Width > 64), append(path, "signed"),
				"%s: key \"signed\": only for 2..64 bits", what)
			c.refuse(f.Show != "" && f.Show != ShowHex, append(path, "show"), "%s: key \"show\": %q is not hex", what, f.Show)
			c.refuse(f.Show != "" && f.Enum != "", append(path, "show"),
				"%s: key \"show\": the codes of enum %s have names; leave it out", what, f.Enum)
		}
		c.masks(i, &s)
	}
	c.refuse(len(c.b.StreamsOf(In)) == 0 || len(c.b.StreamsOf(Out)) == 0, at("streams"),
		"key \"streams\": a block needs one stream in and one out")
}

func (c *checker) registers() {
	seen, addrs := map[string]bool{}, map[int]bool{}
	for i, r := range c.b.Registers {
		path, what := at("registers", i), "register "+r.Name
		c.name(path, upperName, "registers", r.Name, seen)
		c.number(path, what, r.Width, 64, r.Q, "", false)
		c.refuse(r.Addr < 0 || r.Addr>>c.b.AddrWidth() != 0, append(path, "addr"),
			"%s: key \"addr\": %d does not fit %d bits", what, r.Addr, c.b.AddrWidth())
		c.refuse(addrs[r.Addr], append(path, "addr"), "%s: key \"addr\": %d appears twice", what, r.Addr)
		addrs[r.Addr] = true
		c.refuse(r.Width < 64 && r.Reset>>r.Width != 0, append(path, "reset"), "%s: key \"reset\": %d does not fit %d bits",
			what, r.Reset, r.Width)
	}
	for i := range c.b.Registers {
		c.refuse(!addrs[i], at("registers"), "key \"registers\": addresses are not 0..%d, %d is free", len(c.b.Registers)-1,
			i)
	}
}

func (c *checker) words() {
	seen, addrs := map[string]bool{}, map[int]bool{}
	for i, w := range c.b.Words {
		c.refuse(w.Addr < 0 || w.Addr>>c.b.AddrWidth() != 0 || addrs[w.Addr], at("words", i, "addr"),
			"word %d: key \"addr\": it appears twice, or is wider than %d bits", w.Addr, c.b.AddrWidth())
		addrs[w.Addr] = true
		var used uint64
		for j, f := range w.Fields {
			path, what := at("words", i, "fields", j), fmt.Sprintf("word %d field %s", w.Addr, f.Name)
			c.name(path, lowerName, fmt.Sprintf("word %d", w.Addr), f.Name, seen)
			c.number(path, what, f.Width, 64, f.Q, f.Enum, f.Signed)
			c.refuse(f.LSB < 0 || f.LSB+f.Width > 64, append(path, "lsb"), "%s: key \"lsb\": bits %d..%d are not in 0..63", what,
				f.LSB, f.LSB+f.Width-1)
			c.refuse(used&f.Mask() != 0, append(path, "lsb"), "%s: key \"lsb\": bits %d..%d overlap another field", what, f.LSB,
				f.LSB+f.Width-1)
			used |= f.Mask()
		}
	}
	for i := range c.b.Words {
		c.refuse(!addrs[i], at("words"), "key \"words\": addresses are not 0..%d, %d is free", len(c.b.Words)-1, i)
	}
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
