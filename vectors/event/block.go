package event

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Dir is the direction of a stream, seen from the block.
type Dir string

// The directions of a stream.
const (
	In  Dir = "in"
	Out Dir = "out"
)

// Block is the interface of one hardware block, as its schema.yaml states it.
type Block struct {
	Name      string     `yaml:"block"`
	Title     string     `yaml:"title"`
	Doc       string     `yaml:"doc"`
	Params    []Param    `yaml:"params"`
	Constants []Constant `yaml:"constants"`
	Enums     []Enum     `yaml:"enums"`
	Streams   []Stream   `yaml:"streams"`
	Registers []Register `yaml:"registers"`
	Words     []Word     `yaml:"words"`

	// Turns is set where the answers depend on the order of the events alone as long as no input stream goes on before
	// what came on the others is answered. A design of another timing is then compared with its streams taking turns.
	// Like the next two it is not part of the hash.
	Turns bool `yaml:"turns,omitempty"`

	// Stimulus describes random events; nil leaves every field its width. It is not part of the
	// interface and so not of the hash.
	Stimulus *Stimulus `yaml:"stimulus"`

	// Coverage names what is counted for a stream in addition to the ends and codes of its fields. It is not part of
	// the hash either.
	Coverage []StreamCoverage `yaml:"coverage"`
}

// Param is an elaboration parameter of the module. Pow2 demands a power of two.
type Param struct {
	Name    string `yaml:"name"`
	Default int    `yaml:"default"`
	Min     int    `yaml:"min"`
	Max     int    `yaml:"max"`
	Pow2    bool   `yaml:"pow2"`
	Doc     string `yaml:"doc"`
}

// Constant is a number that the module, its model and the contract share.
type Constant struct {
	Name  string `yaml:"name"`
	Value int    `yaml:"value"`
	Unit  string `yaml:"unit"`
	Doc   string `yaml:"doc"`
}

// Enum is a set of named codes of one width, in bits.
type Enum struct {
	Name   string      `yaml:"name"`
	Width  int         `yaml:"width"`
	Doc    string      `yaml:"doc"`
	Values []EnumValue `yaml:"values"`
}

// EnumValue is one named code.
type EnumValue struct {
	Name  string `yaml:"name"`
	Value uint64 `yaml:"value"`
	Doc   string `yaml:"doc"`
}

// Stream is one valid/ready channel with its payload.
type Stream struct {
	Name   string  `yaml:"name"`
	Dir    Dir     `yaml:"dir"`
	Doc    string  `yaml:"doc"`
	Fields []Field `yaml:"fields"`
}

// Field is one member of a stream's payload. Width is in bits; Q is the fixed-point format (UQm.n, or
// Qm.n with the sign counted in m) when it has fraction bits; Open means that codes outside Enum may
// occur and are carried unchanged. Mask and When say which bits of an output field are compared (see Masks):
// Mask names a field of the stream, each bit of which stands for an equal part, as a keep of 8 bits does for
// the 8 bytes of 64; When is an expression over the stream's fields. Show is how it is printed for people: hex.
// The last three are not part of the interface and so not of Hash; CompareHash is the hash of Mask and When.
type Field struct {
	Name   string `yaml:"name"`
	Width  int    `yaml:"width"`
	Signed bool   `yaml:"signed"`
	Enum   string `yaml:"enum"`
	Open   bool   `yaml:"open"`
	Unit   string `yaml:"unit"`
	Q      string `yaml:"q"`
	Doc    string `yaml:"doc"`
	Mask   string `yaml:"mask"`
	When   string `yaml:"when"`
	Show   string `yaml:"show"`
}

// Register is one configuration register: its address, width in bits and value after reset.
type Register struct {
	Name  string `yaml:"name"`
	Addr  int    `yaml:"addr"`
	Width int    `yaml:"width"`
	Q     string `yaml:"q"`
	Reset uint64 `yaml:"reset"`
	Unit  string `yaml:"unit"`
	Doc   string `yaml:"doc"`
}

// Word is one 64-bit word of a context's state, as preload and read-back events see it.
type Word struct {
	Addr   int         `yaml:"addr"`
	Fields []WordField `yaml:"fields"`
}

// WordField is one piece of state inside a Word: Width bits from bit LSB on.
type WordField struct {
	Name   string `yaml:"name"`
	LSB    int    `yaml:"lsb"`
	Width  int    `yaml:"width"`
	Signed bool   `yaml:"signed"`
	Enum   string `yaml:"enum"`
	Unit   string `yaml:"unit"`
	Q      string `yaml:"q"`
}

// Enum returns the enum of that name, or nil.
func (b *Block) Enum(name string) *Enum {
	return named(b.Enums, name, func(x *Enum) string { return x.Name })
}

// Stream returns the stream of that name, or nil.
func (b *Block) Stream(name string) *Stream {
	return named(b.Streams, name, func(x *Stream) string { return x.Name })
}

// StreamsOf returns the streams of one direction in the order of the schema.
func (b *Block) StreamsOf(d Dir) []*Stream {
	var out []*Stream
	for i := range b.Streams {
		if b.Streams[i].Dir == d {
			out = append(out, &b.Streams[i])
		}
	}
	return out
}

// Field returns the field of that name, or nil.
func (s *Stream) Field(name string) *Field {
	return named(s.Fields, name, func(x *Field) string { return x.Name })
}

// Constant returns the value of the constant of that name and whether there is one.
func (b *Block) Constant(name string) (int, bool) {
	if c := named(b.Constants, name, func(x *Constant) string { return x.Name }); c != nil {
		return c.Value, true
	}
	return 0, false
}

// Param returns the parameter of that name, or nil.
func (b *Block) Param(name string) *Param {
	return named(b.Params, name, func(x *Param) string { return x.Name })
}

// Register returns the register of that name, or nil.
func (b *Block) Register(name string) *Register {
	return named(b.Registers, name, func(x *Register) string { return x.Name })
}

// Value returns the code of that name, or nil, as of an enum that is nil.
func (e *Enum) Value(name string) *EnumValue {
	if e == nil {
		return nil
	}
	return named(e.Values, name, func(x *EnumValue) string { return x.Name })
}

// named returns the element of that name, or nil.
func named[T any](list []T, name string, of func(*T) string) *T {
	for i := range list {
		if of(&list[i]) == name {
			return &list[i]
		}
	}
	return nil
}

// AddrWidth returns the width in bits of a register or state word address: that of the input field
// `addr` where there is one, else what the highest address needs.
func (b *Block) AddrWidth() int {
	for _, s := range b.StreamsOf(In) {
		if f := s.Field("addr"); f != nil {
			return f.Width
		}
	}
	top, w := 0, 1
	for _, r := range b.Registers {
		top = max(top, r.Addr)
	}
	for _, d := range b.Words {
		top = max(top, d.Addr)
	}
	for top>>w > 0 {
		w++
	}
	return w
}

// Values returns the value of each parameter of the block: that of given, or else the schema's default. It errors,
// naming the parameter and its range, when given has one that the block lacks or that is out of range.
func (b *Block) Values(given map[string]int) (map[string]int, error) {
	out := make(map[string]int, len(b.Params))
	var names []string
	for _, p := range b.Params {
		out[p.Name] = p.Default
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		v, p := given[name], b.Param(name)
		switch {
		case p == nil && len(names) == 0:
			return nil, fmt.Errorf("parameter %q: block %s has no parameters; leave it out", name, b.Name)
		case p == nil:
			return nil, fmt.Errorf("parameter %q: block %s has %s", name, b.Name, strings.Join(names, ", "))
		}
		if err := p.Check(v); err != nil {
			return nil, fmt.Errorf("block %s: %w", b.Name, err)
		}
		out[name] = v
	}
	return out, nil
}
