package schemagen

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// vec renders the type of a plain vector.
func vec(width int) string {
	if width == 1 {
		return "logic"
	}
	return fmt.Sprintf("logic [%d:0]", width-1)
}

// svPackage has plain vectors and ints only: some of the simulators and synthesis tools that must read it do not
// support packages with struct or enum types.
func svPackage(b *event.Block) []byte {
	t := new(text)
	num := func(prefix, name string, width int, v uint64) {
		t.p("  localparam %s %s_%s = %d'd%d;", vec(width), prefix, name, width, v)
	}
	t.p("// %s", banner(b))
	t.p("// Constants of the %s block: %s.", b.Name, b.Title)
	t.p("")
	t.p("// One user needs few of them: unused constants are the point of a shared package.")
	t.p("/* verilator lint_off UNUSEDPARAM */")
	t.p("package %s_pkg;", b.Name)
	t.p("  // Hash of the interface; the hello of the bridge carries it too.")
	t.p("  localparam logic [63:0] SCHEMA_HASH = 64'h%s;", b.Hash())
	t.p("")
	for _, c := range b.Constants {
		t.p("  // %s", comment(c.Doc, "", c.Unit, false))
		t.p("  localparam int %s = %d;", c.Name, c.Value)
	}
	for _, e := range b.Enums {
		t.p("\n  // %s: %s", e.Name, e.Doc)
		up := strings.ToUpper(e.Name)
		t.p("  localparam int %s_W = %d;", up, e.Width)
		for _, v := range e.Values {
			t.p("  localparam %s %s_%s = %d'd%d;  // %s", vec(e.Width), up, v.Name, e.Width, v.Value, v.Doc)
		}
	}
	for _, s := range b.Streams {
		t.p("\n  // widths of the fields of the stream %s, and of all of them", s.Name)
		up, sum := strings.ToUpper(s.Name), 0
		for _, f := range s.Fields {
			t.p("  localparam int %s_%s_W = %d;", up, strings.ToUpper(f.Name), f.Width)
			sum += f.Width
		}
		t.p("  localparam int %s_W = %d;", up, sum)
	}
	if len(b.Registers) > 0 {
		t.p("\n  // configuration registers: address, width, value after reset")
		t.p("  localparam int NUM_REGS = %d;", len(b.Registers))
		for _, r := range b.Registers {
			t.p("  // %s", comment(r.Doc, r.Q, r.Unit, false))
			num("REG", r.Name, b.AddrWidth(), uint64(r.Addr))
			t.p("  localparam int REG_%s_W = %d;", r.Name, r.Width)
			num("RST", r.Name, r.Width, r.Reset)
		}
		names, sum := make([]string, len(b.Registers)), 0
		for i, r := range b.Registers {
			names[i] = "    RST_" + r.Name
			sum += r.Width
		}
		t.p("  // all of them after reset, as a %s_regs_t", b.Name)
		t.p("  localparam int REGS_W = %d;", sum)
		t.p("  localparam %s RST_REGS = {\n%s\n  };", vec(sum), strings.Join(names, ",\n"))
	}
	if len(b.Words) > 0 {
		t.p("\n  // state words: address of the word, lowest bit and width of each field")
		t.p("  localparam int NUM_WORDS = %d;", len(b.Words))
		for _, w := range b.Words {
			for _, f := range w.Fields {
				up := strings.ToUpper(f.Name)
				num("WORD", up, b.AddrWidth(), uint64(w.Addr))
				t.p("  localparam int WORD_%s_LSB = %d;", up, f.LSB)
				t.p("  localparam int WORD_%s_W = %d;", up, f.Width)
			}
		}
	}
	t.p("endpackage")
	t.p("/* verilator lint_on UNUSEDPARAM */")
	return t.Bytes()
}

func svTypes(b *event.Block) []byte {
	t := new(text)
	guard := strings.ToUpper(b.Name) + "_TYPES_SV"
	t.p("// %s", banner(b))
	t.p("// Payload structs of the %s block, at file scope: list this file first. Signed members are plain", b.Name)
	t.p("// vectors; read them as $signed(s.f).")
	t.p("`ifndef %s", guard)
	t.p("`define %s", guard)
	// Yosys 0.52 fails on a struct outside a package, and Yosys 0.23 reads one inside as separate signals.
	t.p("`ifdef GW_STRUCTS_IN_PACKAGE")
	t.p("package %s_types;", b.Name)
	t.p("`endif")
	var names []string
	end := func(kind string) {
		names = append(names, b.Name+"_"+kind+"_t")
		t.p("} %s;", names[len(names)-1])
	}
	for _, s := range b.Streams {
		t.p("\n// %s", s.Doc)
		t.p("typedef struct packed {")
		for _, f := range s.Fields {
			t.p("  %s %s;  // %s", vec(f.Width), f.Name, comment(f.Doc, f.Q, f.Unit, f.Signed))
		}
		end(s.Name)
	}
	if len(b.Registers) > 0 {
		// Upper case, as in the schema: a register may have a name that is a keyword in lower case.
		t.p("\n// the configuration registers, each at its width")
		t.p("typedef struct packed {")
		for _, r := range b.Registers {
			t.p("  %s %s;  // %s", vec(r.Width), r.Name, comment(r.Doc, r.Q, r.Unit, false))
		}
		end("regs")
	}
	t.p("\n`ifdef GW_STRUCTS_IN_PACKAGE")
	t.p("endpackage")
	for _, n := range names {
		t.p("typedef %s_types::%s %s;", b.Name, n, n)
	}
	t.p("`endif")
	t.p("`endif")
	return t.Bytes()
}

// svTop has flat ports only, so that any testbench language can bind to them.
func svTop(b *event.Block) []byte {
	t := new(text)
	t.p("// %s", banner(b))
	t.p("// %s with flat ports: wires only, the timing is that of the module %s.", b.Title, b.Name)
	params, pass := make([]string, len(b.Params)), make([]string, len(b.Params))
	for i, p := range b.Params {
		params[i] = fmt.Sprintf("  parameter int %s = %d", p.Name, p.Default)
		pass[i] = fmt.Sprintf("    .%s(%s)", p.Name, p.Name)
	}
	head, inst := "", ""
	if len(params) > 0 {
		head = " #(\n" + strings.Join(params, ",\n") + "\n)"
		inst = " #(\n" + strings.Join(pass, ",\n") + "\n  )"
	}
	ports := []string{"  input  logic clk_i", "  input  logic rst_ni"}
	conns := []string{"    .clk_i(clk_i)", "    .rst_ni(rst_ni)"}
	var wires, assigns []string
	for _, s := range b.Streams {
		n := s.Name
		vd, rd, fd, sfx := "input ", "output", "input ", "i"
		vs, rs := "i", "o"
		if s.Dir == event.Out {
			vd, rd, fd, sfx, vs, rs = "output", "input ", "output", "o", "o", "i"
		}
		ports = append(ports, fmt.Sprintf("  %s logic %s_valid_%s", vd, n, vs),
			fmt.Sprintf("  %s logic %s_ready_%s", rd, n, rs))
		conns = append(conns, fmt.Sprintf("    .%s_valid_%s(%s_valid_%s)", n, vs, n, vs),
			fmt.Sprintf("    .%s_ready_%s(%s_ready_%s)", n, rs, n, rs), fmt.Sprintf("    .%s_%s(%s)", n, sfx, n))
		wires = append(wires, fmt.Sprintf("  %s_%s_t %s;", b.Name, n, n))
		var cat []string
		for _, f := range s.Fields {
			port := fmt.Sprintf("%s_%s_%s", n, f.Name, sfx)
			ports = append(ports, fmt.Sprintf("  %s %s %s", fd, vec(f.Width), port))
			if s.Dir == event.In {
				cat = append(cat, "    "+port)
			} else {
				assigns = append(assigns, fmt.Sprintf("  assign %s = %s.%s;", port, n, f.Name))
			}
		}
		if s.Dir == event.In {
			// Not every reader takes an assignment to a member of a struct net, all take a concatenation.
			assigns = append(assigns, fmt.Sprintf("  assign %s = {\n%s\n  };", n, strings.Join(cat, ",\n")))
		}
	}
	t.p("module %s_top%s (\n%s\n);", b.Name, head, strings.Join(ports, ",\n"))
	t.p("%s\n", strings.Join(wires, "\n"))
	t.p("%s\n", strings.Join(assigns, "\n"))
	t.p("  %s%s u_%s (\n%s\n  );", b.Name, inst, b.Name, strings.Join(conns, ",\n"))
	t.p("endmodule")
	return t.Bytes()
}
