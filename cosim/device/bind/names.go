package bind

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A name of the design is written in a dut.yaml as in the RTL, without the backslash of an escaped identifier:
// in.valid, d[3], a+b. In SystemVerilog it has the backslash again, and the space that ends it; in Verilator's tree
// and on its command line it is encoded.

// keywords are the words of SystemVerilog that are a name only behind a backslash.
var keywords = strings.Fields(`accept_on alias always always_comb always_ff always_latch and assert assign assume
	automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class
	clocking cmos config const constraint context continue cover covergroup coverpoint cross deassign default defparam
	design disable dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate
	endgroup endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
	endtask enum event eventually expect export extends extern final first_match for force foreach forever fork forkjoin
	function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir
	include initial inout input inside instance int integer interconnect interface intersect join join_any join_none
	large let liblist library local localparam logic longint macromodule matches medium modport module nand negedge
	nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge
	primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent
	pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos
	rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint
	shortreal showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct super
	supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran
	tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped
	use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor
	xor`)

// sv returns a name as SystemVerilog code.
func sv(name string) string {
	if identifier(name) && !slices.Contains(keywords, name) {
		return name
	}
	return `\` + name + " "
}

// net returns the adapter's net for a port of the design.
func net(port string) string { return sv("p_" + port) }

// svName matches a name in the text of a source, with the backslash if it has one.
const svName = `(?:\\[!-~]+|[A-Za-z_][A-Za-z0-9_$]*)`

// bare returns a name in the text of a source without its backslash.
func bare(name string) string { return strings.TrimPrefix(name, `\`) }

// svText returns a pattern that matches a name in the text of a source.
func svText(name string) string {
	if sv(name) == name {
		return `(?:\b|\\)` + regexp.QuoteMeta(name) + `\b`
	}
	return `\\` + regexp.QuoteMeta(name) + `\s`
}

// encoded returns a name as Verilator keeps it: other characters than letters, digits and single underscores as __0
// and two hexadecimal digits.
func encoded(name string) string {
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		switch {
		case letter || i > 0 && c >= '0' && c <= '9':
			out.WriteByte(c)
		case c == '_' && i+1 < len(name) && name[i+1] == '_':
			out.WriteString("___05F")
			i++
		case c == '_':
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "__0%02x", c)
		}
	}
	return out.String()
}

var code = regexp.MustCompile(`__0[0-9a-fA-F]{2}`)

// decoded returns the name that Verilator keeps encoded.
func decoded(name string) string {
	return code.ReplaceAllStringFunc(name, func(c string) string {
		n, _ := strconv.ParseUint(c[3:], 16, 8) // two digits, by the pattern
		return string([]byte{byte(n)})
	})
}

// oddNames returns the names of a module's ports and of their members that an expression reads only if it knows them,
// longest first.
func (m *Module) oddNames() (names []string) {
	add := func(name string) {
		if e, err := ParseExpr(name); err == nil && (e.None || e.Timed != nil || e.Pieces[0].Const != nil) {
			return // an expression that has a meaning keeps it; with the backslash it is the name
		}
		if !identifier(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var members func(ms []Member)
	members = func(ms []Member) {
		for i := range ms {
			add(ms[i].Name)
			members(ms[i].Members)
		}
	}
	for i := range m.Ports {
		add(m.Ports[i].Name)
		members(m.Ports[i].Members)
	}
	slices.SortStableFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

// reread reads the expressions of the map again, now that the names of the design are known.
func (c *checker) reread() {
	for at, old := range c.b.Map {
		if e, err := parseExpr(old.Text, c.names); err == nil && len(c.names) > 0 {
			c.b.Map[at] = e
		}
	}
}

// expr returns a port or a member of one as an expression.
func (m *Module) expr(path ...string) string {
	text := strings.Join(path, ".")
	if e, err := parseExpr(text, m.oddNames()); err == nil && len(e.Pieces) == 1 && e.Pieces[0].name() == text {
		return text
	}
	for i, name := range path {
		if !identifier(name) {
			path[i] = `\` + name + " "
		}
	}
	return strings.Join(path, ".")
}

func inYAML(text string) string {
	if plainText.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

var plainText = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$.]*$`)
