package event

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Hash returns the first 16 hex digits of the SHA-256 of Canonical. It is equal on both ends of the bridge
// exactly when they agree on every bit of the interface.
func (b *Block) Hash() string {
	sum := sha256.Sum256([]byte(b.Canonical()))
	return hex.EncodeToString(sum[:8])
}

// Canonical returns everything about the block that two sides must agree on, one item a line: names, widths, order,
// enums, constants, parameter ranges, registers with reset values, state words. Documentation and parameter defaults
// are left out: a better comment does not change the interface, and the parameters in use are sent in the hello.
func (b *Block) Canonical() string {
	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	p("goldwire-schema 1")
	p("block %s", b.Name)
	for _, x := range b.Params {
		p("param %s %d %d %t", x.Name, x.Min, x.Max, x.Pow2)
	}
	for _, x := range b.Constants {
		p("constant %s %d", x.Name, x.Value)
	}
	for _, x := range b.Enums {
		p("enum %s %d", x.Name, x.Width)
		for _, v := range x.Values {
			p("value %s %d", v.Name, v.Value)
		}
	}
	for _, x := range b.Streams {
		p("stream %s %s", x.Name, x.Dir)
		for _, f := range x.Fields {
			p("field %s %d signed=%t enum=%q open=%t q=%q unit=%q", f.Name, f.Width, f.Signed, f.Enum, f.Open, f.Q, f.Unit)
		}
	}
	for _, x := range b.Registers {
		p("register %s %d %d reset=%d q=%q unit=%q", x.Name, x.Addr, x.Width, x.Reset, x.Q, x.Unit)
	}
	for _, x := range b.Words {
		p("word %d", x.Addr)
		for _, f := range x.Fields {
			p("field %s %d %d signed=%t enum=%q q=%q unit=%q", f.Name, f.LSB, f.Width, f.Signed, f.Enum, f.Q, f.Unit)
		}
	}
	return s.String()
}
