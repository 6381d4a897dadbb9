package schemagen

import "github.com/goldwire/goldwire/vectors/event"

// withPorts reports whether the ports of a block's model are generated, as for a block with several input streams,
// whose model has methods for each stream. A model with a single pipeline has the stream of rtlmodel/clk instead.
func withPorts(b *event.Block) bool { return len(b.StreamsOf(event.In)) > 1 }

// goModel writes the glue between a model and its records: which method takes or gives each stream's transfers.
func goModel(b *event.Block) []byte {
	t := new(text)
	t.p("// %s\n", banner(b))
	t.p("package %s\n", b.Name)
	t.p("import port \"github.com/goldwire/goldwire/vectors/event/%s\"\n", b.Name)
	t.p("// Cycle executes one clock cycle. in is an input record of port.InWords words; " +
		"Cycle fills out with the output\n" +
		"// record of port.OutWords words: readies and valids always, payload when valid, else 0. It allocates nothing.\n//")
	t.p("// Ports are shown and transfers executed in one pass: what a transfer changes is seen after Tick only.")
	t.p("func (m *Model) Cycle(in, out []uint64) {\nctl := in[0]\nclear(out[:port.OutWords])")
	t.p("if ctl&port.InRstN == 0 {\nm.Reset()\nreturn\n}")
	for _, s := range b.StreamsOf(event.In) {
		name := camel(s.Name)
		t.p("if m.%sReady() {\nout[0] |= port.Out%sReady", name, name)
		t.p("if ctl&port.In%sValid != 0 {\nport.Unpack%s(in, m.Accept%s())\n}\n}", name, structName(s.Name), name)
	}
	for _, s := range b.StreamsOf(event.Out) {
		name := camel(s.Name)
		t.p("if x := m.%s(); x != nil {\nport.Pack%s(x, out)\nout[0] |= port.Out%sValid", name, structName(s.Name), name)
		t.p("if ctl&port.In%sReady != 0 {\nm.Take%s()\n}\n}", name, name)
	}
	t.p("m.Tick()\n}")
	return t.Bytes()
}
