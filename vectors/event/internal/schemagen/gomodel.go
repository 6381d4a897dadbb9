package schemagen

import "github.com/goldwire/goldwire/vectors/event"

// withPorts reports whether the model of a block has its ports generated: one of several input streams, whose methods
// give each stream by itself. One with a single pipeline has the stream of rtlmodel/clk instead.
func withPorts(b *event.Block) bool { return len(b.StreamsOf(event.In)) > 1 }

// goModel is the glue between a model and its records: which stream moves, into and out of which method.
func goModel(b *event.Block) []byte {
	t := new(text)
	t.p("// %s\n", banner(b))
	t.p("package %s\n", b.Name)
	t.p("import port \"github.com/goldwire/goldwire/vectors/event/%s\"\n", b.Name)
	t.p("// show fills out with the values of the ports in this cycle: readies, and of each output stream that is valid " +
		"the\n// payload. The rest of out is 0.")
	t.p("func (m *Model) show(out []uint64) {\nclear(out[:port.OutWords])")
	for _, s := range b.StreamsOf(event.In) {
		name := camel(s.Name)
		t.p("if m.%sReady() {\nout[0] |= port.Out%sReady\n}", name, name)
	}
	for _, s := range b.StreamsOf(event.Out) {
		name := camel(s.Name)
		t.p("if x := m.%s(); x != nil {\nport.Pack%s(x, out)\nout[0] |= port.Out%sValid\n}", name, structName(s.Name), name)
	}
	t.p("}\n")
	t.p("// transfer executes the transfers at the ports: of those streams whose valid and ready are set, in and out " +
		"together.")
	t.p("func (m *Model) transfer(in, out []uint64) {\nctl, shown := in[0], out[0]")
	for _, s := range b.StreamsOf(event.In) {
		name := camel(s.Name)
		t.p("if ctl&port.In%sValid != 0 && shown&port.Out%sReady != 0 {", name, name)
		t.p("port.Unpack%s(in, m.Accept%s())\n}", structName(s.Name), name)
	}
	for _, s := range b.StreamsOf(event.Out) {
		name := camel(s.Name)
		t.p("if ctl&port.In%sReady != 0 && shown&port.Out%sValid != 0 {\nm.Take%s()\n}", name, name, name)
	}
	t.p("}")
	return t.Bytes()
}
