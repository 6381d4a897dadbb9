package bind

import (
	"context"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
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
	f := &launch.Foreign{Adapter: b.adapter(w), Args: b.designArgs(), Files: m.Files, Read: m.Read, Dir: b.dir()}
	if b.SchemaFile != "" {
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

// adapter returns the module that has the block's flat ports and holds the design: wires only.
func (b *Binding) adapter(w *wiring) string {
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
	all := refs(b.Block)
	for i := range all {
		r := &all[i]
		dir := "output"
		if r.In {
			dir = "input "
		}
		ports = append(ports, fmt.Sprintf("  %s %s %s", dir, width(r.Width), r.port()))
	}
	p("(\n%s\n);", strings.Join(ports, ",\n"))
	for i := range w.module.Ports {
		if q := &w.module.Ports[i]; q.Width > 0 {
			p("  %s p_%s;", width(q.Width), q.Name)
		}
	}
	b.assigns(p, w)
	b.instance(p, w.module)
	p("endmodule")
	return s.String()
}

// assigns writes the connections.
func (b *Binding) assigns(p func(string, ...any), w *wiring) {
	p("  assign p_%s = clk_i;", b.Clock)
	p("  assign p_%s = %s;", b.Reset.Port, map[bool]string{true: "~rst_ni", false: "rst_ni"}[b.Reset.High])
	mapped := map[string]bool{}
	for i := range w.wires {
		x := &w.wires[i]
		switch {
		case x.ref == nil:
			p("  assign %s = %s;", x.spans[0].bits(), x.spans[1].literal())
		case x.ref.In:
			b.spread(p, x)
		default:
			mapped[x.ref.Name] = true
			parts := make([]string, len(x.spans))
			for k := range x.spans {
				parts[k] = x.spans[k].read()
			}
			value := "{" + strings.Join(parts, ", ") + "}"
			if x.ref.Field == nil && b.Reset.Sync {
				// A block is silent in reset; a design that samples it is so one edge later.
				value += " & {" + fmt.Sprint(x.ref.Width) + "{rst_ni}}"
			}
			p("  assign %s = %s;", x.ref.port(), value)
		}
	}
	// What the design does not have reads as 0 and is not compared.
	all := refs(b.Block)
	for i := range all {
		if r := &all[i]; !r.In && !mapped[r.Name] {
			p("  assign %s = %d'd0;", r.port(), r.Width)
		}
	}
}

// spread drives the design's inputs from one schema port.
func (b *Binding) spread(p func(string, ...any), x *wire) {
	at := x.ref.Width
	for i := range x.spans {
		s := &x.spans[i]
		at -= s.width
		if s.port == nil {
			continue // these bits go nowhere
		}
		from := x.ref.port()
		if x.ref.Width > 1 {
			from = fmt.Sprintf("%s[%d:%d]", from, at+s.width-1, at)
		}
		if s.invert {
			from = "~" + from
		}
		p("  assign %s = %s;", s.bits(), from)
	}
}

// bits returns the bits of the adapter's wire.
func (s *span) bits() string {
	if s.port.Width == 1 {
		return "p_" + s.port.Name
	}
	return fmt.Sprintf("p_%s[%d:%d]", s.port.Name, s.lsb+s.width-1, s.lsb)
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

// instance holds the design.
func (b *Binding) instance(p func(string, ...any), m *Module) {
	params := ""
	if names := sortedKeys(b.Parameters); len(names) > 0 {
		for i, name := range names {
			names[i] = fmt.Sprintf("    .%s(%s)", name, b.Parameters[name])
		}
		params = " #(\n" + strings.Join(names, ",\n") + "\n  )"
	}
	conns := make([]string, len(m.Ports))
	for i := range m.Ports {
		q := &m.Ports[i]
		conns[i] = fmt.Sprintf("    .%s(p_%s)", q.Name, q.Name)
		if q.Width == 0 {
			conns[i] = fmt.Sprintf("    .%s()", q.Name)
		}
	}
	p("  %s%s u_dut (\n%s\n  );", b.Top, params, strings.Join(conns, ",\n"))
}
