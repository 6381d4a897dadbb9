package bind

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// span is a run of bits of one of the design's ports, counted from its least significant bit.
type span struct {
	port   *Port
	lsb    int
	width  int
	invert bool
	value  *big.Int // constant in place of a port
}

// wire is one connection: a schema port, or a tie, and the bits it stands for, most significant first.
type wire struct {
	ref   *ref // nil for a tie
	spans []span
}

// wiring is a map that fits a module.
type wiring struct {
	module *Module
	wires  []wire
}

// wire checks the map against the module and returns the connections; everything that does not fit becomes a problem.
func (b *Binding) wire(m *Module) (*wiring, Problems) {
	c := &checker{b: b, m: m, names: m.oddNames(), driven: map[string][]string{}}
	c.reread()
	for i := range m.Ports {
		p := &m.Ports[i]
		if p.Dir == "inout" {
			b.problem(&c.ps, "top", "port %s (%s) is inout; wrap the design in a module with inputs and outputs, which "+
				"goldwire dut init prints", p.Name, p.Line)
		}
	}
	for _, name := range clocks(b) {
		c.single(either(b.Domains == nil, "clock", "clocks."+name), name, "clock")
	}
	for _, name := range resets(b) {
		c.single("reset.port", name, "reset")
	}
	w := &wiring{module: m}
	all := refs(b.Block, b.Beats)
	for i := range all {
		if e, ok := b.Map[all[i].Name]; ok && !e.None && e.Timed == nil && !e.broken {
			w.wires = append(w.wires, wire{&all[i], c.connect(&all[i], e)})
		}
	}
	for _, name := range sortedKeys(b.Tie) {
		if spans := c.tie(name, b.Tie[name]); spans != nil {
			w.wires = append(w.wires, wire{nil, spans})
		}
	}
	c.undriven()
	for _, name := range sortedKeys(b.Parameters) {
		if slices.Contains(b.typeParams(), name) {
			b.problem(&c.ps, "parameters."+name, "parameter %s of module %s is a type, which a dut.yaml cannot give; wrap "+
				"the design in a module that holds %s #(.%s(TYPE))",
				name, m.Name, m.Name, name)
		} else if !slices.Contains(m.Params, name) {
			b.problem(&c.ps, "parameters."+name, "module %s has no parameter %s%s", m.Name, name, meant(name, m.Params))
		}
	}
	return w, c.ps
}

type checker struct {
	b      *Binding
	m      *Module
	ps     Problems
	names  []string            // that are not plain identifiers
	driven map[string][]string // by input port: what drives each bit
}

// port returns a port that is there and has bits.
func (c *checker) port(key, what, name string) *Port {
	p := c.m.Port(name)
	if p == nil {
		var names []string
		for i := range c.m.Ports {
			names = append(names, c.m.Ports[i].Name)
		}
		hint := meant(name, names)
		if hint == "" && len(names) <= 12 {
			hint = "; it has " + strings.Join(names, ", ")
		}
		c.b.problem(&c.ps, key, "%s: module %s has no port %s%s", what, c.m.Name, name, hint)
		return nil
	}
	if p.Width == 0 {
		c.b.problem(&c.ps, key, "%s: port %s (%s) is not a vector of bits but of type %s; wrap the design in a module "+
			"with packed ports, which goldwire dut init prints", what, name, p.Line, p.Type)
		return nil
	}
	return p
}

// single checks the clock or the reset.
func (c *checker) single(key, name, what string) {
	p := c.port(key, what, name)
	switch {
	case p == nil:
	case p.Dir != "in":
		c.b.problem(&c.ps, key, "%s: port %s (%s) is not an input", what, name, p.Line)
	case p.Width != 1:
		c.b.problem(&c.ps, key, "%s: port %s (%s) is %d wide, a %s is 1", what, name, p.Line, p.Width, what)
	default:
		c.drive(key, what, span{port: p, width: 1})
	}
}

// connect resolves the expression of a schema port.
func (c *checker) connect(r *ref, e Expr) []span {
	key := "map." + r.Name
	spans, sum, ok := c.spans(key, r.Name, e, r.Width)
	if !ok {
		return nil
	}
	if sum != r.Width {
		c.b.problem(&c.ps, key, "%s is %d wide and %s %d%s", r.Name, r.Width, e.Text, sum, c.advice(r, spans, sum))
		return nil
	}
	for _, s := range spans {
		if s.port == nil {
			continue
		}
		if want := either(r.In, "in", "out"); s.port.Dir != want && s.port.Dir != "inout" {
			c.b.problem(&c.ps, key, "%s is an %sput of the block, and port %s (%s) an %sput of the design", r.Name, want,
				s.port.Name, s.port.Line, s.port.Dir)
			return nil
		}
		if r.In {
			c.drive(key, r.Name, s)
		}
	}
	return spans
}

// advice returns the change that makes a width fit.
func (c *checker) advice(r *ref, spans []span, sum int) string {
	if len(spans) != 1 || spans[0].port == nil || spans[0].width != spans[0].port.Width {
		return ""
	}
	name := spans[0].port.Name
	switch {
	case sum < r.Width && r.In:
		return fmt.Sprintf("; \"{%d'd0, %s}\" drops the upper %d", r.Width-sum, name, r.Width-sum)
	case sum < r.Width:
		return fmt.Sprintf("; \"{%d'd0, %s}\" fills the upper %d with zeros", r.Width-sum, name, r.Width-sum)
	case r.In:
		return fmt.Sprintf("; map %s[%d:0] and tie %s[%d:%d]", name, r.Width-1, name, sum-1, r.Width)
	}
	return fmt.Sprintf("; %s[%d:0] takes the lower %d", name, r.Width-1, r.Width)
}

// spans resolves the pieces of an expression and their widths; a constant without one takes all of total.
func (c *checker) spans(key, what string, e Expr, total int) (out []span, sum int, ok bool) {
	ok = true
	for i := range e.Pieces {
		p := &e.Pieces[i]
		if p.Const != nil {
			s := span{width: p.Width, value: p.value(total)}
			if s.width == 0 {
				s.width = total
			}
			if s.value.BitLen() > s.width {
				c.b.problem(&c.ps, key, "%s: %s does not fit into %d bits", what, s.value, s.width)
				ok = false
			}
			out, sum = append(out, s), sum+s.width
			continue
		}
		s, good := c.span(key, what, p)
		ok = ok && good
		out, sum = append(out, s), sum+s.width
	}
	return out, sum, ok
}

// span resolves one port, member or slice.
func (c *checker) span(key, what string, p *Piece) (span, bool) {
	port := c.port(key, what, p.Port)
	if port == nil {
		return span{}, false
	}
	lsb, width, left, right := 0, port.Width, port.Left, port.Right
	members := port.Members
	for _, name := range p.Members {
		i := slices.IndexFunc(members, func(m Member) bool { return m.Name == name })
		if i < 0 {
			var names []string
			for _, m := range members {
				names = append(names, m.Name)
			}
			hint := "; it is not a packed struct"
			if len(names) > 0 {
				hint = "; it has " + strings.Join(names, ", ")
			}
			c.b.problem(&c.ps, key, "%s: port %s (%s) has no member %s%s", what, port.Name, port.Line,
				strings.Join(p.Members, "."), hint)
			return span{}, false
		}
		lsb, width, members = lsb+members[i].LSB, members[i].Width, members[i].Members
		left, right = width-1, 0
	}
	if p.Slice {
		lo, hi := min(left, right), max(left, right)
		if p.From < lo || p.From > hi || p.To < lo || p.To > hi {
			c.b.problem(&c.ps, key, "%s: %s[%d:%d] is not within %s[%d:%d] (%s)", what, p.name(), p.From, p.To,
				p.name(), left, right, port.Line)
			return span{}, false
		}
		if left > right && p.From < p.To || left < right && p.From > p.To {
			c.b.problem(&c.ps, key, "%s: %s[%d:%d] runs the other way than %s[%d:%d] (%s); write %s[%d:%d]", what, p.name(),
				p.From, p.To, p.name(), left, right, port.Line, p.name(), p.To, p.From)
			return span{}, false
		}
		if left >= right {
			lsb, width = lsb+p.To-right, p.From-p.To+1
		} else {
			lsb, width = lsb+right-p.To, p.To-p.From+1
		}
	}
	return span{port: port, lsb: lsb, width: width, invert: p.Invert}, true
}

func (c *checker) tie(name string, e Expr) []span {
	key := "tie." + name
	at, err := parseExpr(name, c.names)
	if err != nil || len(at.Pieces) != 1 || at.Pieces[0].Const != nil || at.Pieces[0].Invert {
		c.b.problem(&c.ps, key, "%s: a tie names one input of the design or a slice of it", name)
		return nil
	}
	s, ok := c.span(key, "tie", &at.Pieces[0])
	if !ok {
		return nil
	}
	if s.port.Dir != "in" {
		c.b.problem(&c.ps, key, "tie: port %s (%s) is not an input", s.port.Name, s.port.Line)
		return nil
	}
	v, _ := e.Constant(s.width)
	if v.BitLen() > s.width {
		c.b.problem(&c.ps, key, "tie: %s does not fit into %s, which is %d wide", e.Text, name, s.width)
		return nil
	}
	c.drive(key, "tie", s)
	return []span{s, {width: s.width, value: v}}
}

// drive notes what drives bits of an input.
func (c *checker) drive(key, what string, s span) {
	bits := c.driven[s.port.Name]
	if bits == nil {
		bits = make([]string, s.port.Width)
		c.driven[s.port.Name] = bits
	}
	for i := s.lsb; i < s.lsb+s.width && i < len(bits); i++ {
		if bits[i] != "" {
			c.b.problem(&c.ps, key, "%s and %s both drive bit %d of %s (%s)", bits[i], what, i, s.port.Name, s.port.Line)
			return
		}
		bits[i] = what
	}
}

// undriven finds the bits of inputs that nothing drives.
func (c *checker) undriven() {
	for i := range c.m.Ports {
		p := &c.m.Ports[i]
		if p.Dir != "in" || p.Width == 0 {
			if p.Dir == "in" && !c.complained(p.Name) {
				c.b.problem(&c.ps, c.b.room(), "input %s (%s) is not a vector of bits but of type %s; wrap the design in a "+
					"module with packed ports, which goldwire dut init prints", p.Name, p.Line, p.Type)
			}
			continue
		}
		bits := c.driven[p.Name]
		if bits == nil {
			if !c.complained(p.Name) && !c.b.unnamed(p) {
				c.b.problem(&c.ps, c.b.room(), "input %s (%s, %s) is driven by nothing; map a field to it or tie it", p.Name,
					p.Line, bitsOf(p.Width))
			}
			continue
		}
		for lo := 0; lo < len(bits); lo++ {
			if bits[lo] != "" {
				continue
			}
			hi := lo
			for hi+1 < len(bits) && bits[hi+1] == "" {
				hi++
			}
			c.b.problem(&c.ps, c.b.room(), "bits %d:%d of input %s (%s) are driven by nothing; map a field to them or tie them",
				hi, lo, p.Name, p.Line)
			lo = hi
		}
	}
}

// unnamed reports whether a port looks like a clock or reset that the file does not name: that was already reported.
func (b *Binding) unnamed(p *Port) bool {
	name := strings.ToLower(p.Name)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(x string) bool { return strings.Contains(name, x) })
	}
	return p.Width == 1 && (b.Clock == "" && b.Domains == nil && b.lines["clock"] == 0 && has("clk", "clock", "ck") ||
		b.Reset.Port == "" && !b.Reset.None && has("rst", "reset"))
}

// room returns the key at whose line missing entries are reported: tie, or the last of map.
func (b *Binding) room() string {
	if b.lines["tie"] > 0 {
		return "tie"
	}
	last := "map"
	for key, line := range b.lines {
		if strings.HasPrefix(key, "map.") && line > b.lines[last] {
			last = key
		}
	}
	return last
}

// complained reports whether a problem already names a port: a second one would not help.
func (c *checker) complained(port string) bool {
	return slices.ContainsFunc(c.ps, func(p Problem) bool {
		if !identifier(port) {
			return strings.Contains(p.Text, port)
		}
		return slices.ContainsFunc(strings.FieldsFunc(p.Text, func(r rune) bool {
			return !(r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
		}), func(word string) bool { return word == port })
	})
}
