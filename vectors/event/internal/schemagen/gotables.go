package schemagen

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

func goEqual(t *text, b *event.Block, l *event.Layout) {
	for _, s := range b.StreamsOf(event.Out) {
		m := l.Out.StreamMask(s.Name)
		hex := make([]string, len(m))
		for i, w := range m {
			hex[i] = fmt.Sprintf("0x%016x", w)
		}
		t.p("// %sMask has a 1 for every bit of an output record that carries a field of %s.", structName(s.Name), s.Name)
		t.p("var %sMask = [OutWords]uint64{%s}\n", structName(s.Name), strings.Join(hex, ", "))
	}
	t.p("// EqualOut reports whether two output records agree: control bits always, the fields of a stream")
	t.p("// only where want says that it is valid.")
	t.p("func EqualOut(want, got []uint64) bool {\n_, _ = want[OutWords-1], got[OutWords-1]")
	t.p("diff := (want[0] ^ got[0]) & OutControl")
	for _, s := range b.StreamsOf(event.Out) {
		var terms []string
		for i, m := range l.Out.StreamMask(s.Name) {
			if m != 0 {
				terms = append(terms, fmt.Sprintf("(want[%d]^got[%d])&0x%016x", i, i, m))
			}
		}
		t.p("if want[0]&Out%sValid != 0 {\ndiff |= %s\n}", camel(s.Name), strings.Join(terms, " |\n"))
	}
	t.p("return diff == 0\n}\n")
}

func goRegisters(t *text, b *event.Block) {
	if len(b.Registers) == 0 {
		return
	}
	t.p("// NumRegs is the number of configuration registers.\nconst NumRegs = %d\n", len(b.Registers))
	t.p("// Addresses of the configuration registers.\nconst (")
	for _, r := range b.Registers {
		t.p("Reg%s = %d // %s", camel(r.Name), r.Addr, comment(r.Doc, r.Q, r.Unit, false))
	}
	t.p(")\n")
	t.p("// RegInfo has, by address, each register's name, address, width in bits, value after reset, unit and Q format.")
	t.p("var RegInfo = [NumRegs]struct {\nName string\nAddr int\nWidth int\nReset uint64\nUnit string\nQ string\n}{")
	for _, r := range b.Registers {
		t.p("Reg%s: {%q, %d, %d, %d, %q, %q},", camel(r.Name), r.Name, r.Addr, r.Width, r.Reset, r.Unit, r.Q)
	}
	t.p("}\n")
}

// goWords writes the state as preload and read-back events see it. The constants of fields in one word have the same
// value: the address of that word.
func goWords(t *text, b *event.Block) {
	if len(b.Words) == 0 {
		return
	}
	t.p("// NumWords is the number of state words of a context.\nconst NumWords = %d\n", len(b.Words))
	t.p("// Address of the state word that holds a field, its lowest bit there and its width in bits.\nconst (")
	for _, w := range b.Words {
		for _, f := range w.Fields {
			n := camel(f.Name)
			t.p("Word%s, Word%sLSB, Word%sWidth = %d, %d, %d", n, n, n, w.Addr, f.LSB, f.Width)
		}
	}
	t.p(")\n")
	masks := make([]string, len(b.Words))
	for _, w := range b.Words {
		masks[w.Addr] = fmt.Sprintf("0x%016x", w.Mask())
	}
	t.p("// WordMask has, by address, a 1 for every bit that carries state; the others read as 0.")
	t.p("var WordMask = [NumWords]uint64{%s}\n", strings.Join(masks, ", "))
	t.p("// Words is the state of a context as its state words show it.\ntype Words struct {")
	for _, w := range b.Words {
		for _, f := range w.Fields {
			c := comment("", f.Q, f.Unit, f.Signed)
			if c != "" {
				c = " // " + c
			}
			t.p("%s %s%s", camel(f.Name), goType(b, f.Width, f.Signed, f.Enum), c)
		}
	}
	t.p("}\n")
	t.p("// Word returns the state word at addr, as READ gives it; 0 beyond the last.")
	t.p("func (x *Words) Word(addr int) uint64 {\nswitch addr {")
	for _, w := range b.Words {
		terms := make([]string, len(w.Fields))
		for i, f := range w.Fields {
			terms[i] = orShift(raw("x."+camel(f.Name), f.Width, f.Signed, f.Enum), f.LSB)
		}
		t.p("case %d:\nreturn %s", w.Addr, strings.Join(terms, " | "))
	}
	t.p("}\nreturn 0\n}\n")
	t.p("// SetWord takes the fields of the state word at addr from data; beyond the last it does nothing.")
	t.p("func (x *Words) SetWord(addr int, data uint64) {\nswitch addr {")
	for _, w := range b.Words {
		t.p("case %d:", w.Addr)
		for _, f := range w.Fields {
			t.p("x.%s = %s", camel(f.Name), value(b, "data", f.LSB, f.Width, f.Signed, f.Enum))
		}
	}
	t.p("}\n}\n")
}
