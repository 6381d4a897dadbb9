package bind

import (
	"context"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/emit"
)

// Foreign elaborates and checks the design and returns what it takes to build it. Its error is Problems
// where the dut.yaml or the design is at fault.
func (b *Binding) Foreign(ctx context.Context) (*launch.Foreign, error) {
	m, err := b.Elaborate(ctx)
	if err != nil {
		return nil, err
	}
	w, ps := b.wire(m)
	if err := ps.err(); err != nil {
		return nil, err
	}
	f := &launch.Foreign{Adapter: adapter{b}.text(w) + m.Synth, Args: b.designArgs(), Files: m.Files, Read: m.Read,
		Dir: b.dir()}
	if b.SchemaOnly() {
		f.Ports = emit.Ports(b.Block)
	}
	return f, nil
}

// width renders the type of a vector.
func width(n int) string {
	if n == 1 {
		return "logic"
	}
	return fmt.Sprintf("logic [%d:0]", n-1)
}

// adapter writes the module that has the block's flat ports and holds the design: wires only.
type adapter struct{ *Binding }

func (b adapter) text(w *wiring) string {
	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	p("// Written by the build: module %s of the design under the ports of the block %s.", b.Top, b.Block.Name)
	p("module %s", launch.AdapterName)
	if n := len(b.Block.Params); n > 0 {
		params := make([]string, n)
		for i, q := range b.Block.Params {
			params[i] = fmt.Sprintf("  parameter int %s = %d", q.Name, q.Default)
		}
		p("#(\n%s\n)", strings.Join(params, ",\n"))
	}
	ports := []string{"  input  logic clk_i", "  input  logic rst_ni"}
	all := refs(b.Block, 0)
	for i := range all {
		r := &all[i]
		ports = append(ports, fmt.Sprintf("  %s %s %s", either(r.In, "input ", "output"), width(r.Width), r.port()))
	}
	p("(\n%s\n);", strings.Join(ports, ",\n"))
	for i := range w.module.Ports {
		if q := &w.module.Ports[i]; q.Width > 0 {
			p("  %s %s;", width(q.Width), net(q.Name))
		}
	}
	b.levels(p)
	used := b.edges(p)
	b.assigns(p, w)
	b.domains(p)
	b.instance(p, w.module)
	p("endmodule")
	for _, name := range used {
		p("\n%s", edgeModule(name))
	}
	return s.String()
}

func (b adapter) assigns(p func(string, ...any), w *wiring) {
	for _, name := range named(b.Clock, b.Clocks) {
		p("  assign %s = clk_i;", net(name))
	}
	for _, name := range resets(b.Binding) {
		p("  assign %s = %s;", net(name), either(b.Reset.High, "~rst_ni", "rst_ni"))
	}
	mapped := map[string]bool{}
	settle := b.settle()
	if settle > 0 {
		b.settled(p, settle)
	}
	for i := range w.wires {
		x := &w.wires[i]
		switch {
		case x.ref == nil:
			p("  assign %s = %s;", x.spans[0].bits(), x.spans[1].literal())
		case x.ref.In:
			b.spread(p, x, settle > 0)
		default:
			mapped[x.ref.Name] = true
			parts := make([]string, len(x.spans))
			for k := range x.spans {
				parts[k] = x.spans[k].read()
			}
			value := "{" + strings.Join(parts, ", ") + "}"
			if settle > 0 && b.input(x.ref.Stream.Name) {
				value += " & {1{g_open}}"
			}
			if x.ref.Field == nil && (b.Reset.Sync || b.Reset.None) {
				// A block shows no valid in reset. A design with a synchronous reset does so one edge later, and one
				// without a reset never.
				value += " & {" + fmt.Sprint(x.ref.Width) + "{rst_ni}}"
			}
			p("  assign %s = %s;", b.inner(x.ref), value)
		}
	}
	// What the design does not have reads as 0 and is not compared.
	all := refs(b.Block, b.Beats)
	for i := range all {
		r := &all[i]
		if t := b.Map[r.Name].Timed; t != nil {
			b.timedValid(p, r, t)
			continue
		}
		if !r.In && !mapped[r.Name] {
			p("  assign %s = %d'd0;", b.inner(r), r.Width)
		}
	}
}

// spread drives the design's inputs from one schema port; waits makes events wait for the levels.
func (b adapter) spread(p func(string, ...any), x *wire, waits bool) {
	at := x.ref.Width
	for i := range x.spans {
		s := &x.spans[i]
		at -= s.width
		if s.port == nil {
			continue // these bits are not connected
		}
		from := b.inner(x.ref)
		if x.ref.Width > 1 {
			from = fmt.Sprintf("%s[%d:%d]", from, at+s.width-1, at)
		}
		if waits && x.ref.Name == x.ref.Stream.Name+"_valid" {
			from = "(" + from + " & g_open)"
		}
		if b.Reset.None && x.ref.Field == nil {
			from = "(" + from + " & rst_ni)" // only the adapter keeps the design from taking what is offered during reset
		}
		if s.invert {
			from = "~" + from
		}
		p("  assign %s = %s;", s.bits(), from)
	}
}

func (s *span) bits() string {
	if s.port.Width == 1 {
		return net(s.port.Name)
	}
	return fmt.Sprintf("%s[%d:%d]", net(s.port.Name), s.lsb+s.width-1, s.lsb)
}

// read returns the bits, or the constant, as an operand.
func (s *span) read() string {
	switch {
	case s.port == nil:
		return s.literal()
	case s.invert:
		return "~" + s.bits()
	}
	return s.bits()
}

func (s *span) literal() string { return fmt.Sprintf("%d'h%x", s.width, s.value) }

func (b adapter) instance(p func(string, ...any), m *Module) {
	params := ""
	if names := sortedKeys(b.Parameters); len(names) > 0 && !vhdl(b.Binding) {
		for i, name := range names {
			names[i] = fmt.Sprintf("    .%s(%s)", sv(name), b.Parameters[name])
		}
		params = " #(\n" + strings.Join(names, ",\n") + "\n  )"
	}
	conns := make([]string, len(m.Ports))
	for i := range m.Ports {
		q := &m.Ports[i]
		conns[i] = fmt.Sprintf("    .%s(%s)", sv(q.Name), net(q.Name))
		if q.Width == 0 {
			conns[i] = fmt.Sprintf("    .%s()", sv(q.Name))
		}
	}
	p("  %s%s u_dut (\n%s\n  );", sv(b.Top), params, strings.Join(conns, ",\n"))
}

// timedValid drives the valid of an output stream for which the design has none.
func (b adapter) timedValid(p func(string, ...any), r *ref, t *Timed) {
	name := r.Stream.Name
	switch {
	case t.After != "" && t.Cycles == 0:
		p("  assign %s = rst_ni & %s_valid_i & %s_ready_o;", r.port(), t.After, t.After)
		return
	case t.After != "":
		p("  logic [%d:0] g_%s;  // events of the last cycles", t.Cycles-1, name)
		p("  always_ff @(posedge clk_i) g_%s <= rst_ni ? %d'({g_%s, %s_valid_i & %s_ready_o}) : '0;", name,
			t.Cycles, name, t.After, t.After)
		p("  assign %s = rst_ni & g_%s[%d];", r.port(), name, t.Cycles-1)
		return
	}
	var fields []string
	for _, f := range r.Stream.Fields {
		fields = append(fields, name+"_"+f.Name+"_o")
	}
	p("  logic [%d:0] told_%s;  // fields of the last response", bits(r.Stream)-1, name)
	p("  logic [31:0] kept_%s;  // cycles for which they have been as they are", name)
	p("  assign g_%s = {%s};", name, strings.Join(fields, ", "))
	p("  assign still_%s = g_%s == seen_%s;", name, name, name)
	p("  assign %s = rst_ni & g_%s != told_%s & (still_%s ? kept_%s : 32'd0) >= 32'd%d;", r.port(), name,
		name, name, name, t.Cycles)
	p("  always_ff @(posedge clk_i) begin")
	p("    seen_%s <= g_%s;", name, name)
	p("    kept_%s <= still_%s ? kept_%s + 32'(kept_%s != '1) : 32'd1;", name, name, name, name)
	p("    if (!rst_ni || %s) told_%s <= g_%s;", r.port(), name, name)
	p("  end")
}

// level reports whether an output stream is a level, and for how long it has to stay.
func (b adapter) level(s *event.Stream) (cycles int, ok bool) {
	t := b.Map[s.Name+"_valid"].Timed
	if t == nil || t.After != "" {
		return 0, false
	}
	return t.Cycles, true
}

// settle returns for how many cycles every level has to stay before the next event is given, 0 for none.
func (b adapter) settle() (most int) {
	for _, s := range b.Block.StreamsOf(event.Out) {
		n, _ := b.level(s)
		most = max(most, n)
	}
	return most
}

// levels declares what watches the levels.
func (b adapter) levels(p func(string, ...any)) {
	for _, s := range b.Block.StreamsOf(event.Out) {
		if _, ok := b.level(s); !ok {
			continue
		}
		p("  logic [%d:0] g_%s, seen_%s;  // fields now and in the last cycle", bits(s)-1, s.Name, s.Name)
		p("  logic still_%s;", s.Name)
	}
}

func bits(s *event.Stream) (sum int) {
	for i := range s.Fields {
		sum += s.Fields[i].Width
	}
	return sum
}

// settled holds the next event back until every level has stayed for so many cycles since the last event. What was
// offered to the design stays so.
func (b adapter) settled(p func(string, ...any), cycles int) {
	var still, moves, held []string
	for _, s := range b.Block.StreamsOf(event.Out) {
		if _, ok := b.level(s); ok {
			still = append(still, "still_"+s.Name)
		}
	}
	for _, s := range b.Block.StreamsOf(event.In) {
		moves = append(moves, fmt.Sprintf("%s_valid_i & %s_ready_o", s.Name, s.Name))
		held = append(held, fmt.Sprintf("%s_valid_i & ~%s_ready_o", s.Name, s.Name))
	}
	p("  logic g_open, g_held;  // an event may be given; one is offered already")
	p("  logic [31:0] g_rest;  // cycles without an event or a change")
	p("  assign g_open = g_held | (%s) & g_rest >= 32'd%d;", strings.Join(still, " & "), cycles)
	p("  always_ff @(posedge clk_i) begin")
	p("    g_held <= rst_ni & g_open & (%s);", strings.Join(held, " | "))
	p("    g_rest <= ~rst_ni ? '1 : %s | ~(%s) ? '0 : g_rest + 32'(g_rest != '1);", strings.Join(moves, " | "),
		strings.Join(still, " & "))
	p("  end")
}
