package bind

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

// Unfit is the error of a design whose ports no map can name: interfaces, unpacked arrays, reals and inout ports. It
// comes with a wrapper of packed ports.
type Unfit struct {
	Top     string
	File    string
	Ports   []string // each in words
	Wrapper string
}

// Error names every such port and the fix.
func (u *Unfit) Error() string {
	return fmt.Sprintf("module %s has ports that are not packed inputs or outputs: %s; save the wrapper that dut init "+
		"prints as %s_wrap.sv, and run dut init %s_wrap.sv --source %s",
		u.Top, strings.Join(u.Ports, ", "), u.Top, u.Top, u.File)
}

// Bus is an interface that a module has as a port.
type Bus struct {
	Type    string
	Modport string
	Inputs  []Port // ports of the interface itself
	Signals []Port // of the modport, Dir as the module sees it; without one, of the whole interface, Dir ""
}

var (
	busPort = regexp.MustCompile(`^\s*(` + svName + `)(?:\s*\.\s*(` + svName + `))?\s+(` + svName + `)\s*$`)
	svWord  = []string{"input", "output", "inout", "ref", "logic", "wire", "reg", "bit", "int", "integer", "byte",
		"module", "parameter", "localparam", "var", "real", "time"}
	typeName = regexp.MustCompile(`\bparameter\s+type\s+(` + svName + `)`)
)

// probeName is the module that holds a design with interfaces, so that its ports can be read.
const probeName = "goldwire_probe"

// insideProbe reads the ports of a design with interfaces, which err reports, by putting it into a module. It returns
// nil when they cannot be read, or when err is something else.
func (b *Binding) insideProbe(ctx context.Context, err error) *Module {
	ps, ok := err.(Problems)
	if !ok || b.Top == probeName {
		return nil
	}
	buses := map[string]*Bus{}
	var text strings.Builder
	var pins []string
	for _, p := range ps {
		if p.kind != toolchain.TopInterface {
			continue // it follows from that
		}
		source, err := os.ReadFile(p.File)
		lines := strings.Split(string(source), "\n")
		if err != nil || p.Line < 1 || p.Line > len(lines) {
			return nil
		}
		line, _, _ := strings.Cut(lines[p.Line-1], "//")
		for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("(),;", r) }) {
			if m := busPort.FindStringSubmatch(part); m != nil && !slices.Contains(svWord, m[1]) && buses[bare(m[3])] == nil {
				buses[bare(m[3])] = &Bus{Type: bare(m[1]), Modport: bare(m[2])}
				fmt.Fprintf(&text, "  %s %s ();\n", m[1], m[3])
				pins = append(pins, fmt.Sprintf(".%s (%s )", m[3], m[3]))
			}
		}
	}
	dir, err := os.MkdirTemp("", "goldwire-dut-")
	if err != nil || len(pins) == 0 {
		return nil
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, probeName+".sv")
	code := fmt.Sprintf("module %s;\n%s  %s u_dut (%s);\nendmodule\n", probeName, text.String(), sv(b.Top),
		strings.Join(pins, ", "))
	if os.WriteFile(file, []byte(code), 0o644) != nil {
		return nil
	}
	probe := *b
	probe.Top, probe.Parameters, probe.Sources = probeName, nil, append(slices.Clone(b.Sources), file)
	m, err := probe.Elaborate(ctx)
	if err != nil {
		return nil
	}
	return m.net.inside(b.Top, buses)
}

// inside returns a module that is not the top, with its interfaces.
func (n *netlist) inside(top string, buses map[string]*Bus) *Module {
	alone := *n
	alone.modules = slices.DeleteFunc(slices.Clone(n.modules), func(m *node) bool { return m.attr["topModule"] == "1" })
	out, err := alone.module(top)
	if err != nil {
		return nil
	}
	for name, bus := range buses {
		i := slices.IndexFunc(n.ifaces, func(x *node) bool {
			return decoded(x.attr["origName"]) == bus.Type || x.attr["name"] == bus.Type
		})
		if i < 0 {
			return nil
		}
		n.bus(n.ifaces[i], bus)
		out.Ports = append(out.Ports, Port{Name: name, Type: strings.TrimSuffix("interface "+bus.Type+"."+
			bus.Modport, "."), Bus: bus})
	}
	place := func(p *Port) string { // buses come last, by name
		if p.Bus == nil {
			return ""
		}
		return p.Name
	}
	slices.SortStableFunc(out.Ports, func(a, b Port) int { return strings.Compare(place(&a), place(&b)) })
	return out
}

// bus fills in the signals of an interface.
func (n *netlist) bus(iface *node, bus *Bus) {
	var dirs map[string]string
	for _, m := range iface.find("modport", nil) {
		if m.attr["name"] == bus.Modport {
			dirs = map[string]string{}
			for _, r := range m.find("modportvarref", nil) {
				dirs[r.attr["name"]] = strings.TrimSuffix(strings.ToLower(r.attr["direction"]), "put")
			}
		}
	}
	for _, v := range iface.kids {
		if v.kind != "var" || v.attr["param"] == "true" {
			continue
		}
		p := Port{Name: decoded(v.attr["origName"]), Dir: strings.TrimSuffix(v.attr["dir"], "put")}
		t := n.shape(v.attr["dtype_id"], 0)
		p.Width, p.Left, p.Right, p.Type, p.Dims, p.Elem = t.width, t.left, t.right, t.name, t.dims, t.elem
		switch dir, named := dirs[p.Name], dirs != nil; {
		case p.Dir != "":
			bus.Inputs = append(bus.Inputs, p)
		case !named:
			bus.Signals = append(bus.Signals, p)
		case dir != "":
			p.Dir = dir
			bus.Signals = append(bus.Signals, p)
		}
	}
}

// odd returns why a port cannot be mapped, "" if it can.
func (p *Port) odd() string {
	what := ""
	switch {
	case p.Bus != nil:
		what = "is an " + p.Type
	case p.Width == 0:
		what = "is of type " + p.Type
	case p.Dir == "inout":
		what = "is inout"
	default:
		return ""
	}
	at := ""
	if p.Line != "" {
		at = " (" + p.Line + ")"
	}
	return fmt.Sprintf("port %s%s %s", p.Name, at, what)
}

// unfit returns the error of a module with ports that no map can name, or nil.
func (m *Module) unfit(file string) error {
	u := &Unfit{Top: m.Name, File: file}
	for i := range m.Ports {
		if text := m.Ports[i].odd(); text != "" {
			u.Ports = append(u.Ports, text)
		}
	}
	if len(u.Ports) == 0 {
		return nil
	}
	u.Wrapper = m.wrapper()
	return u
}

// wrapper writes a module of packed ports that holds the design.
func (m *Module) wrapper() string {
	w := &wrapping{}
	for i := range m.Ports {
		w.port(m, &m.Ports[i])
	}
	params := ""
	if len(m.Params) > 0 {
		params = fmt.Sprintf("  // Parameters of %s: %s. Give them here: %s #(.%s(...)) u_dut\n", m.Name,
			strings.Join(m.Params, ", "), sv(m.Name), sv(m.Params[0]))
	}
	return fmt.Sprintf("// Packed ports around %s, for goldwire dut. An unpacked array lies in one vector, its element "+
		"of the lowest index in\n"+
		"// the lowest bits; a real is its 64 bits; of an inout port, _en drives _in onto it and _out shows it.\n"+
		"module %s (\n%s\n);\n%s%s  %s u_dut (\n    %s\n  );\nendmodule\n",
		m.Name, sv(m.Name+"_wrap"), strings.Join(w.ports, ",\n"), w.body.String(), params, sv(m.Name),
		strings.Join(w.pins, ",\n    "))
}

// wrapping is a wrapper being written.
type wrapping struct {
	ports []string
	pins  []string
	body  strings.Builder
}

func (w *wrapping) declare(dir string, bits int, name string) {
	w.ports = append(w.ports, fmt.Sprintf("  %-6s %s %s", dir+"put", width(bits), sv(name)))
}

func (w *wrapping) p(format string, args ...any) { fmt.Fprintf(&w.body, "  "+format+"\n", args...) }

func (w *wrapping) pin(port, to string) {
	w.pins = append(w.pins, fmt.Sprintf(".%s(%s)", sv(port), to))
}

func (w *wrapping) port(m *Module, p *Port) {
	switch {
	case p.Bus != nil:
		w.bus(m, p)
	case len(p.Dims) > 0:
		w.declare(p.Dir, p.flat(), p.Name)
		w.p("%s %s %s;", width(p.Elem), sv(p.Name+"_u"), p.ranges())
		w.spread(p, sv(p.Name+"_u"), p.Name, p.Dir == "in")
		w.pin(p.Name, sv(p.Name+"_u"))
	case p.Type == "real" && p.Dir == "in":
		w.declare("in", 64, p.Name)
		w.pin(p.Name, "$bitstoreal("+sv(p.Name)+")")
	case p.Type == "real":
		w.declare("out", 64, p.Name)
		w.p("real %s;", sv(p.Name+"_u"))
		w.p("assign %s = $realtobits(%s);", sv(p.Name), sv(p.Name+"_u"))
		w.pin(p.Name, sv(p.Name+"_u"))
	case p.Dir == "inout":
		w.declare("in", p.Width, p.Name+"_in")
		w.declare("in", 1, p.Name+"_en")
		w.declare("out", p.Width, p.Name+"_out")
		w.p("wire %s %s;", strings.TrimPrefix(width(p.Width), "logic"), sv(p.Name+"_u"))
		w.p("assign %s = %s ? %s : 'z;", sv(p.Name+"_u"), sv(p.Name+"_en"), sv(p.Name+"_in"))
		w.p("assign %s = %s;", sv(p.Name+"_out"), sv(p.Name+"_u"))
		w.pin(p.Name, sv(p.Name+"_u"))
	case p.Width == 0:
		w.p("// %s %s: of type %s; connect it by hand", p.Dir, p.Name, p.Type)
		w.pin(p.Name, "")
	default:
		w.declare(p.Dir, p.Width, p.Name)
		w.pin(p.Name, sv(p.Name))
	}
}

// bus adds an interface: an instance of it, and a port for each signal.
func (w *wrapping) bus(m *Module, p *Port) {
	var pins []string
	for _, q := range p.Bus.Inputs {
		name := q.Name
		if own := m.Port(q.Name); own == nil || own.Width != q.Width {
			name = p.Name + "_" + q.Name
			w.declare("in", q.Width, name)
		}
		pins = append(pins, fmt.Sprintf(".%s(%s)", sv(q.Name), sv(name)))
	}
	w.p("%s %s (%s);", sv(p.Bus.Type), sv(p.Name), strings.Join(pins, ", "))
	for i := range p.Bus.Signals {
		s := &p.Bus.Signals[i]
		name := p.Name + "_" + s.Name
		switch {
		case s.Dir == "" || s.Width == 0 && len(s.Dims) == 0:
			w.p("// signal %s.%s, %s: connect it by hand, in its direction", p.Name, s.Name, s.Type)
			continue
		case len(s.Dims) > 0:
			w.declare(s.Dir, s.flat(), name)
			w.spread(s, sv(p.Name)+"."+sv(s.Name), name, s.Dir == "in")
			continue
		case s.Dir == "in":
			w.p("assign %s.%s = %s;", sv(p.Name), sv(s.Name), sv(name))
		default:
			w.p("assign %s = %s.%s;", sv(name), sv(p.Name), sv(s.Name))
		}
		w.declare(s.Dir, s.Width, name)
	}
	to := sv(p.Name)
	if p.Bus.Modport != "" {
		to += "." + sv(p.Bus.Modport)
	}
	w.pin(p.Name, to)
}

// spread connects each element of an unpacked array with its bits of a vector.
func (w *wrapping) spread(p *Port, array, vector string, in bool) {
	index := []string{""}
	for _, d := range p.Dims {
		var next []string
		for _, at := range index {
			for k := min(d[0], d[1]); k <= max(d[0], d[1]); k++ {
				next = append(next, fmt.Sprintf("%s[%d]", at, k))
			}
		}
		index = next
	}
	for i, at := range index {
		bits := fmt.Sprintf("%s[%d:%d]", sv(vector), (i+1)*p.Elem-1, i*p.Elem)
		if in {
			w.p("assign %s%s = %s;", array, at, bits)
		} else {
			w.p("assign %s = %s%s;", bits, array, at)
		}
	}
}

// flat returns the bits of an unpacked array.
func (p *Port) flat() int {
	n := p.Elem
	for _, d := range p.Dims {
		n *= max(d[0], d[1]) - min(d[0], d[1]) + 1
	}
	return n
}

// ranges returns the unpacked ranges as they are declared.
func (p *Port) ranges() string {
	var s strings.Builder
	for _, d := range p.Dims {
		fmt.Fprintf(&s, "[%d:%d]", d[0], d[1])
	}
	return s.String()
}

// typeParams returns the parameters of the top module that are types, which Verilator does not list.
func (b *Binding) typeParams() (out []string) {
	head := regexp.MustCompile(`\bmodule\s+(?:automatic\s+|static\s+)?` + svText(b.Top) + `[^;]*;`)
	for _, s := range b.Sources {
		text, err := os.ReadFile(s)
		if err != nil {
			continue // the compiler has reported it
		}
		for _, m := range typeName.FindAllSubmatch(head.Find(text), -1) {
			out = append(out, bare(string(m[1])))
		}
	}
	return out
}
