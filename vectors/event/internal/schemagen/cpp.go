package schemagen

import (
	"math/bits"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// cppPorts writes the only C++ file that knows the block. Reads and writes are straight-line, one statement per port:
// they run once per simulated cycle.
func cppPorts(b *event.Block, l *event.Layout) []byte {
	t := new(text)
	t.p("// %s", banner(b))
	t.p("// Port table of the %s block: how packed cycle records meet the Verilated model's ports.", b.Name)
	t.p("#pragma once\n")
	t.p("#include <cstddef>\n#include <cstdint>\n")
	t.p("#include \"V%s_top.h\"\n", b.Name)
	t.p("namespace gw::port {\n")
	t.p("using Model = V%s_top;\n", b.Name)
	t.p("inline constexpr const char* kBlock = \"%s\";", b.Name)
	t.p("inline constexpr const char* kSchemaHash = \"%s\";", b.Hash())
	t.p("inline constexpr std::size_t kInWords = %d;   // 64-bit words of an input record", l.In.Words)
	t.p("inline constexpr std::size_t kOutWords = %d;  // 64-bit words of an output record\n", l.Out.Words)
	t.p("struct ParamInfo {\n  const char* name;\n  int def, min, max;\n  bool pow2;\n};")
	if len(b.Params) > 0 {
		t.p("inline constexpr ParamInfo kParams[] = {")
		for _, p := range b.Params {
			t.p("    {\"%s\", %d, %d, %d, %t},", p.Name, p.Default, p.Min, p.Max, p.Pow2)
		}
		t.p("};")
	}
	cppDrive(t, b, l)
	cppSample(t, b, l)
	cppEqual(t, b, l)
	cppCompared(t, b, l)
	t.p("}  // namespace gw::port")
	return t.Bytes()
}

// port names the flat port of a control bit or field.
func port(name string, in bool) string {
	if name == "rst_n" {
		return "rst_ni"
	}
	if in {
		return name + "_i"
	}
	return name + "_o"
}

func cppDrive(t *text, b *event.Block, l *event.Layout) {
	t.p("// Sets every input port but the clock from one input record.")
	t.p("inline void drive(Model& m, const std::uint64_t* in) {")
	for _, c := range l.In.Controls {
		t.p("  m.%s = (in[0] >> %d) & 1u;", port(c.Name, true), c.Bit)
	}
	for _, s := range l.In.Slots {
		name := port(s.Stream+"_"+s.Field.Name, true)
		switch w := s.Field.Width; {
		case w > 64:
			for i := 0; i*32 < w; i++ {
				n := min(32, w-32*i)
				t.p("  m.%s[%d] = static_cast<std::uint32_t>(in[%d] >> %d) & %su;", name, i, s.Word+i/2, i%2*32, mask(n))
			}
		case w == 64:
			t.p("  m.%s = in[%d];", name, s.Word)
		default:
			t.p("  m.%s = (in[%d] >> %d) & %sull;", name, s.Word, s.Bit, mask(w))
		}
	}
	t.p("}\n")
}

func cppSample(t *text, b *event.Block, l *event.Layout) {
	words := make([][]string, l.Out.Words)
	for _, c := range l.Out.Controls {
		words[0] = append(words[0], orShift("static_cast<std::uint64_t>(m."+port(c.Name, false)+")", c.Bit))
	}
	for _, s := range l.Out.Slots {
		name := "m." + port(s.Stream+"_"+s.Field.Name, false)
		if s.Field.Width <= 64 {
			words[s.Word] = append(words[s.Word], orShift("static_cast<std::uint64_t>("+name+")", s.Bit))
			continue
		}
		for i := 0; i*32 < s.Field.Width; i++ {
			elem := "static_cast<std::uint64_t>(" + name + "[" + itoa(i) + "])"
			words[s.Word+i/2] = append(words[s.Word+i/2], orShift(elem, i%2*32))
		}
	}
	t.p("// Reads every output port into one output record.")
	t.p("inline void sample(Model& m, std::uint64_t* out) {")
	for i, terms := range words {
		for j := range terms {
			if strings.Contains(terms[j], "<<") {
				terms[j] = "(" + terms[j] + ")"
			}
		}
		t.p("  out[%d] = %s;", i, strings.Join(terms, " |\n           "))
	}
	t.p("}\n")
}

// cppEqual compares without branches: a stream's valid becomes a mask of all ones or none.
func cppEqual(t *text, b *event.Block, l *event.Layout) {
	t.p("// The compare rule: control bits always, a stream's fields only where it is expected to be valid.")
	t.p("inline bool equal(const std::uint64_t* want, const std::uint64_t* got) {")
	t.p("  std::uint64_t diff = (want[0] ^ got[0]) & %sull;", mask(len(l.Out.Controls)))
	for _, s := range b.StreamsOf(event.Out) {
		var terms []string
		for i, m := range l.Out.StreamMask(s.Name) {
			if m != 0 {
				terms = append(terms, "((want["+itoa(i)+"] ^ got["+itoa(i)+"]) & 0x"+hex(m)+"ull)")
			}
		}
		t.p("  const std::uint64_t %s_valid = 0 - ((want[0] >> %d) & 1u);", s.Name, validBit(l, s))
		t.p("  diff |= %s_valid & (%s);", s.Name, strings.Join(terms, " |\n                       "))
	}
	t.p("  return diff == 0;\n}\n")
}

// validBit returns the place of an output stream's valid in word 0.
func validBit(l *event.Layout, s *event.Stream) int {
	return bits.TrailingZeros64(l.Out.Control(s.Name + "_valid"))
}

// cppCompared passes a stream's words only where it is valid, because most streams are idle in most cycles.
func cppCompared(t *text, b *event.Block, l *event.Layout) {
	t.p("// Calls word(i, bits) with what counts of a record under the compare rule, a word that streams share in parts.")
	t.p("template <class Word>\ninline void compared(const std::uint64_t* out, Word word) {")
	t.p("  word(0, out[0] & %sull);", mask(len(l.Out.Controls)))
	for _, s := range b.StreamsOf(event.Out) {
		t.p("  if ((out[0] >> %d) & 1u) {  // %s_valid", validBit(l, s), s.Name)
		for i, m := range l.Out.StreamMask(s.Name) {
			switch m {
			case 0:
			case ^uint64(0):
				t.p("    word(%d, out[%d]);", i, i)
			default:
				t.p("    word(%d, out[%d] & 0x%sull);", i, i, hex(m))
			}
		}
		t.p("  }")
	}
	t.p("}\n")
}

// Ports returns the C++ port table of a block.
func Ports(b *event.Block) []byte { return cppPorts(b, event.NewLayout(b)) }
