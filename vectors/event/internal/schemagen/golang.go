package schemagen

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

func goDoc(b *event.Block) []byte {
	t := new(text)
	t.p("// %s\n", banner(b))
	t.p("// Package %s is the Go side of the %s block's interface: %s.", b.Name, b.Name, b.Title)
	t.p("//")
	for _, line := range wrap(b.Doc, 98) {
		t.p("// %s", line)
	}
	t.p("//")
	t.p("// Pack and Unpack move the payload structs to and from packed cycle records, whose layout the")
	t.p("// package vectors/event defines; the tables are in fields.md, the arithmetic and timing in contract.md.")
	in := b.StreamsOf(event.In)[0]
	n := structName(in.Name)
	t.p("//")
	t.p("//\tvar record [%s.InWords]uint64", b.Name)
	t.p("//\t%s.Pack%s(&%s.%s{%s: 1}, record[:])", b.Name, n, b.Name, n, camel(in.Fields[1].Name))
	t.p("//\trecord[0] |= %s.InRstN | %s.In%sValid", b.Name, b.Name, camel(in.Name))
	t.p("package %s", b.Name)
	return t.Bytes()
}

// goType is the Go type of one field.
func goType(b *event.Block, width int, signed bool, enum string) string {
	switch {
	case enum != "":
		return camel(enum)
	case width == 1:
		return "bool"
	case width > 64:
		return fmt.Sprintf("[%d]uint64", (width+63)/64)
	}
	t := "uint64"
	for _, n := range []int{8, 16, 32} {
		if width <= n {
			t = fmt.Sprintf("uint%d", n)
			break
		}
	}
	if signed {
		return t[1:]
	}
	return t
}

func goEvent(b *event.Block, l *event.Layout) []byte {
	t := new(text)
	t.p("// %s\n", banner(b))
	t.p("package %s\n", b.Name)
	t.p("import (\n_ \"embed\"\n\"fmt\"\n\"sync\"\n\n\"github.com/goldwire/goldwire/vectors/event\"\n)\n")
	t.p("// BlockName is the one name of the block: folder, module, schema, hello.")
	t.p("const BlockName = %q\n", b.Name)
	t.p("// SchemaHash is the hash of the interface; both ends of the bridge compare it.")
	t.p("const SchemaHash = %q\n", b.Hash())
	t.p("// SchemaYAML is the text of the schema.\n//\n//go:embed schema.yaml\nvar SchemaYAML []byte\n")
	t.p("var schema = sync.OnceValue(func() *event.Block {\nb, err := event.Parse(SchemaYAML)\nif err != nil " +
		"{\npanic(err)\n}\nreturn b\n})\n")
	t.p("// Schema returns the parsed schema. Callers share it and must not change it.")
	t.p("func Schema() *event.Block { return schema() }\n")
	goConsts(t, b, l)
	for i := range b.Enums {
		goEnum(t, &b.Enums[i])
	}
	for i := range b.Streams {
		goStream(t, b, l, &b.Streams[i])
	}
	goEqual(t, b, l)
	goRegisters(t, b)
	goWords(t, b)
	t.p("// bit is 1 for true; the compiler makes it branch-free.")
	t.p("func bit(b bool) uint64 {\nif b {\nreturn 1\n}\nreturn 0\n}")
	return t.Bytes()
}

func goConsts(t *text, b *event.Block, l *event.Layout) {
	t.p("// Words of 64 bits in a cycle record.\nconst (\nInWords = %d\nOutWords = %d\n)\n", l.In.Words, l.Out.Words)
	t.p("// Control bits in word 0 of an input record (In...) and of an output record (Out...).\nconst (")
	for _, c := range l.In.Controls {
		t.p("In%s uint64 = 1 << %d", camel(c.Name), c.Bit)
	}
	for _, c := range l.Out.Controls {
		t.p("Out%s uint64 = 1 << %d", camel(c.Name), c.Bit)
	}
	t.p("InControl uint64 = %s // all of an input record's", mask(len(l.In.Controls)))
	t.p("OutControl uint64 = %s // all of an output record's", mask(len(l.Out.Controls)))
	t.p(")\n")
	if len(b.Constants) > 0 {
		t.p("// Constants of the contract.\nconst (")
		for _, c := range b.Constants {
			t.p("%s = %d // %s", camel(c.Name), c.Value, comment(c.Doc, "", c.Unit, false))
		}
		t.p(")\n")
	}
	if len(b.Params) > 0 {
		t.p("// Parameters of the module: default and range.\nconst (")
		for _, p := range b.Params {
			t.p("Default%s = %d // %s", p.Name, p.Default, p.Doc)
			t.p("Min%s = %d\nMax%s = %d", p.Name, p.Min, p.Name, p.Max)
		}
		t.p(")\n")
	}
}

func goEnum(t *text, e *event.Enum) {
	name := camel(e.Name)
	t.p("// %s: %s.\ntype %s %s\n", name, e.Doc, name, goType(nil, max(e.Width, 2), false, ""))
	t.p("// Codes of %s.\nconst (", name)
	for _, v := range e.Values {
		t.p("%s%s %s = %d // %s", name, camel(v.Name), name, v.Value, v.Doc)
	}
	t.p(")\n")
	t.p("// Num%ss is the number of codes of %s that have a name.\nconst Num%ss = %d\n", name, name, name, len(e.Values))
	t.p("// String returns the schema's name of the code, or its number.")
	t.p("func (x %s) String() string {\nswitch x {", name)
	for _, v := range e.Values {
		t.p("case %s%s:\nreturn %q", name, camel(v.Name), v.Name)
	}
	t.p("}\nreturn fmt.Sprintf(\"%s(%%d)\", uint64(x))\n}\n", name)
}

func goStream(t *text, b *event.Block, l *event.Layout, s *event.Stream) {
	name := structName(s.Name)
	rec, words, other := &l.In, "InWords", len(b.StreamsOf(s.Dir)) > 1
	if s.Dir == event.Out {
		rec, words = &l.Out, "OutWords"
	}
	t.p("// %sWords is the number of words of a packed %s.", name, name)
	t.p("const %sWords = %s\n", name, words)
	t.p("// %s is the payload of the stream %s: %s.\ntype %s struct {", name, s.Name, s.Doc, name)
	for _, f := range s.Fields {
		t.p("%s %s // %s", camel(f.Name), goType(b, f.Width, f.Signed, f.Enum), comment(f.Doc, f.Q, f.Unit, f.Signed))
	}
	t.p("}\n")
	t.p("// Pack%s writes the payload into a record of %s words and clears everything else in it", name, words)
	if other {
		t.p("// that belongs to this stream. Bits beyond a field's width are dropped.")
	} else {
		t.p("// (the control bits too). Bits beyond a field's width are dropped.")
	}
	t.p("func Pack%s(x *%s, dst []uint64) {\n_ = dst[%s-1]", name, name, words)
	terms, masks := packTerms(rec, s), rec.StreamMask(s.Name)
	for w := range terms {
		expr := strings.Join(terms[w], " |\n")
		switch {
		case !other && expr == "":
			t.p("dst[%d] = 0", w)
		case !other:
			t.p("dst[%d] = %s", w, expr)
		case expr != "":
			t.p("dst[%d] = dst[%d]&^0x%x | %s", w, w, masks[w], expr)
		}
	}
	t.p("}\n")
	t.p("// Unpack%s reads the payload out of a record of %s words and leaves control bits alone.", name, words)
	t.p("func Unpack%s(src []uint64, x *%s) {\n_ = src[%s-1]", name, name, words)
	for i := range rec.Slots {
		if rec.Slots[i].Stream == s.Name {
			unpack(t, b, &rec.Slots[i])
		}
	}
	t.p("}\n")
}

// packTerms returns, for each word of the record, the terms to be ORed.
func packTerms(rec *event.Record, s *event.Stream) [][]string {
	terms := make([][]string, rec.Words)
	for i := range rec.Slots {
		sl := &rec.Slots[i]
		if sl.Stream != s.Name {
			continue
		}
		f, x := &sl.Field, "x."+camel(sl.Field.Name)
		if f.Width > 64 {
			for k := 0; 64*k < f.Width; k++ {
				m := mask(min(64, f.Width-64*k))
				terms[sl.Word+k] = append(terms[sl.Word+k], fmt.Sprintf("%s[%d]&%s", x, k, m))
			}
			continue
		}
		terms[sl.Word] = append(terms[sl.Word], orShift(raw(x, f.Width, f.Signed, f.Enum), sl.Bit))
	}
	return terms
}

// raw renders a Go value as its bits in a uint64.
func raw(x string, width int, signed bool, enum string) string {
	switch {
	case width == 1 && enum == "":
		return "bit(" + x + ")"
	case width == 64 && !signed && enum == "":
		return x
	case width > 32 && !signed && enum == "":
		return x + "&" + mask(width)
	case !signed && (width == 8 || width == 16 || width == 32 || width == 64):
		return "uint64(" + x + ")"
	}
	return "uint64(" + x + ")&" + mask(width)
}

// value renders the bits at word, bit as a Go value.
func value(b *event.Block, word string, bit, width int, signed bool, enum string) string {
	down, typ := shiftDown(word, bit), goType(b, width, signed, enum)
	switch {
	case width == 1 && enum == "":
		return fmt.Sprintf("%s&1 != 0", down)
	case signed:
		return fmt.Sprintf("%s(int64(%s<<%d) >> %d)", typ, word, 64-width-bit, 64-width)
	case width == 64:
		return down
	case typ == "uint64":
		return down + " & " + mask(width)
	}
	return fmt.Sprintf("%s(%s & %s)", typ, down, mask(width))
}

func unpack(t *text, b *event.Block, s *event.Slot) {
	f, x := &s.Field, "x."+camel(s.Field.Name)
	if f.Width > 64 {
		for k := 0; 64*k < f.Width; k++ {
			t.p("%s[%d] = src[%d] & %s", x, k, s.Word+k, mask(min(64, f.Width-64*k)))
		}
		return
	}
	t.p("%s = %s", x, value(b, fmt.Sprintf("src[%d]", s.Word), s.Bit, f.Width, f.Signed, f.Enum))
}
