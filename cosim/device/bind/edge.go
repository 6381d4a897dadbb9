package bind

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Between the block's flat ports and the design's, a stream may pass through modules of the folder edge: its streams
// take turns, and the beats of packets are cut anew. The nets on the design's side are e_STREAM_FIELD.

//go:embed edge/*.sv
var edgeFiles embed.FS

// edgeModule returns the text of a module of the folder edge.
func edgeModule(name string) string {
	text, err := edgeFiles.ReadFile("edge/" + name + ".sv")
	if err != nil {
		panic(err) // the callers name those that are there
	}
	return string(text)
}

// edged reports whether a stream passes through modules at the edge.
func (b adapter) edged(s *event.Stream) bool {
	return slices.Contains(packetStreams(b.Binding), s) || takesTurns(b.Binding) && s.Dir == event.In || b.domain(s) >= 0
}

// domain returns which of several clocks a stream is on, or -1 for a design with one.
func (b adapter) domain(s *event.Stream) int {
	return slices.IndexFunc(b.Domains, func(d Domain) bool { return slices.Contains(d.Streams, s.Name) })
}

// inner returns the net of a schema port on the design's side of the edge.
func (b adapter) inner(r *ref) string {
	if b.domain(r.Stream) >= 0 {
		return "k_" + r.Stream.Name + "_" + r.what()
	}
	if b.edged(r.Stream) {
		return "e_" + r.Stream.Name + "_" + r.what()
	}
	return r.port()
}

// edges writes the nets and instances at the edge, and returns the modules that they are of.
func (b adapter) edges(p func(string, ...any)) (modules []string) {
	all := refs(b.Block, b.Beats)
	for i := range all {
		if r := &all[i]; b.edged(r.Stream) {
			p("  %s e_%s_%s;", width(r.Width), r.Stream.Name, r.what())
		}
	}
	use := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(modules, name) {
				modules = append(modules, name)
			}
		}
	}
	if takesTurns(b.Binding) {
		b.taking(p)
		use("goldwire_turns")
	}
	for i := range b.Block.Streams {
		s := &b.Block.Streams[i]
		switch packets := slices.Contains(packetStreams(b.Binding), s); {
		case packets && s.Dir == event.In:
			b.packetsIn(p, s)
			use("goldwire_whole", b.cutter(packetBits(s), b.Beats), "goldwire_gaps")
		case packets:
			b.packetsOut(p, s)
			use("goldwire_steady", b.cutter(b.Beats, packetBits(s)), "goldwire_fold")
		case b.edged(s) && s.Dir == event.Out:
			// What waits is not shown: it would be gone between two edges.
			p("  assign %s_valid_o = e_%s_valid & %s_ready_i;", s.Name, s.Name, s.Name)
			p("  assign e_%s_ready = %s_ready_i;", s.Name, s.Name)
			for _, f := range s.Fields {
				p("  assign %s_%s_o = e_%s_%s;", s.Name, f.Name, s.Name, f.Name)
			}
		case b.edged(s):
			valid, ready := b.offered(s)
			p("  assign e_%s_valid = %s;", s.Name, valid)
			p("  assign %s = e_%s_ready;", ready, s.Name)
			for _, f := range s.Fields {
				p("  assign e_%s_%s = %s_%s_i;", s.Name, f.Name, s.Name, f.Name)
			}
		}
	}
	if b.Domains != nil {
		b.crossing(p)
		use("goldwire_clock", "goldwire_steady")
	}
	return modules
}

// cutter returns the module that makes beats of some bits of others.
func (b adapter) cutter(from, to int) string {
	return either(from < to, "goldwire_join", "goldwire_cut")
}

// offered returns the nets of valid and ready of an input stream after goldwire_turns.
func (b adapter) offered(s *event.Stream) (valid, ready string) {
	if takesTurns(b.Binding) {
		return "t_" + s.Name + "_valid", "t_" + s.Name + "_ready"
	}
	return s.Name + "_valid_i", s.Name + "_ready_o"
}

// taking writes the turns that the input streams take.
func (b adapter) taking(p func(string, ...any)) {
	ins, outs := b.Block.StreamsOf(event.In), b.Block.StreamsOf(event.Out)
	name := func(all []*event.Stream) (out []string) {
		for _, s := range all {
			out = append(out, s.Name)
		}
		return out
	}
	ends := func(s *event.Stream, last string) string {
		if s.Field("last") == nil {
			return "1'b1"
		}
		return last
	}
	n := len(ins)
	valids, moves, ended, answers := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	answered := make([]string, n)
	for k, s := range ins { // most significant first
		at := n - 1 - k
		valids[at] = s.Name + "_valid_i"
		moves[at] = fmt.Sprintf("%s_valid_i & %s_ready_o", s.Name, s.Name)
		ended[at] = ends(s, s.Name+"_last_i")
		answers[at], answered[at] = "1'b0", "1'b0"
	}
	var shown, open []string
	for i, s := range outs {
		shown, open = append(shown, s.Name+"_valid_o"), append(open, s.Name+"_ready_i")
		if c := event.Cause(name(ins), name(outs), i); c >= 0 {
			answers[n-1-c] = fmt.Sprintf("%s_valid_o & %s_ready_i & %s", s.Name, s.Name, ends(s, s.Name+"_last_o"))
			answered[n-1-c] = "1'b1"
		}
	}
	p("  logic [%d:0] g_turn, g_moves;  // the input stream whose turn it is, and those that move", n-1)
	p("  assign g_moves = {%s};", strings.Join(moves, ", "))
	p("  goldwire_turns #(.N(%d), .QUIET(%d), .ANSWERED({%s})) u_turns (", n, b.Flush*Steps(b.Binding),
		strings.Join(answered, ", "))
	p("    .clk_i, .rst_ni, .valid_i({%s}), .moves_i(g_moves), .ends_i({%s}),", strings.Join(valids, ", "),
		strings.Join(ended, ", "))
	p("    .answers_i({%s}), .moved_i(|g_moves | %s), .open_i(%s), .open_o(g_turn)", strings.Join(answers, ", "),
		strings.Join(shown, " | "), strings.Join(open, " & "))
	p("  );")
	for k, s := range ins {
		p("  logic t_%s_valid, t_%s_ready;", s.Name, s.Name)
		p("  assign t_%s_valid = %s_valid_i & g_turn[%d] & rst_ni;", s.Name, s.Name, k)
		p("  assign %s_ready_o = t_%s_ready & g_turn[%d] & rst_ni;", s.Name, s.Name, k)
	}
}

// sideBits returns the bits of the sideband of a stream of packets, at least 1.
func sideBits(s *event.Stream) (sum int) {
	for _, f := range sideband(s) {
		sum += f.Width
	}
	return max(sum, 1)
}

// packetsIn cuts the beats of an input stream anew.
func (b adapter) packetsIn(p func(string, ...any), s *event.Stream) {
	wide, name, side := packetBits(s), s.Name, sideband(s)
	valid, ready := b.offered(s)
	p("  logic [%d:0] w_%s_keep;  // bytes that count", wide/8-1, name)
	p("  logic [%d:0] c_%s_side;", sideBits(s)-1, name)
	p("  logic c_%s_valid, c_%s_ready;  // before the idle cycles", name, name)
	p("  goldwire_whole #(.D(%d)) u_%s_whole (.keep_i(%s_keep_i), .last_i(%s_last_i), .keep_o(w_%s_keep));", wide, name,
		name, name, name)
	p("  %s #(.A(%d), .B(%d), .S(%d)) u_%s_cut (", b.cutter(wide, b.Beats), wide, b.Beats, sideBits(s), name)
	p("    .clk_i, .rst_ni, .valid_i(%s), .ready_o(%s), .data_i(%s_data_i), .keep_i(w_%s_keep), .last_i(%s_last_i),",
		valid, ready, name, name, name)
	p("    .side_i({%s}), .valid_o(c_%s_valid), .ready_i(c_%s_ready), .data_o(e_%s_data), .keep_o(e_%s_keep),",
		joined(side, name+"_", "_i", "1'b0"), name, name, name, name)
	p("    .last_o(e_%s_last), .side_o(c_%s_side)", name, name)
	p("  );")
	if len(side) > 0 {
		p("  assign {%s} = c_%s_side;", joined(side, "e_"+name+"_", "", ""), name)
	}
	p("  goldwire_gaps u_%s_gaps (.clk_i, .rst_ni, .valid_i(c_%s_valid), .ready_o(c_%s_ready), .last_i(e_%s_last),", name,
		name, name, name)
	p("    .valid_o(e_%s_valid), .ready_i(e_%s_ready));", name, name)
}

// packetsOut makes the block's beats of those of an output stream.
func (b adapter) packetsOut(p func(string, ...any), s *event.Stream) {
	wide, name, side := packetBits(s), s.Name, sideband(s)
	same := make([]string, len(side)) // a field with a condition has no value in every beat
	var equal []string
	for i, f := range side {
		same[i] = fmt.Sprintf("{%d{1'b%s}}", f.Width, either(f.When+f.Mask == "", "1", "0"))
		if f.When+f.Mask == "" {
			equal = append(equal, f.Name)
		}
	}
	if len(side) == 0 {
		same = []string{"1'b0"}
	}
	common := fmt.Sprintf(".S(%d), .SAME({%s}), .NAME(\"%s (%s)\")", sideBits(s), strings.Join(same, ", "), name,
		strings.Join(equal, ", "))
	extra := "" // a cut beat has the sideband that it comes from
	if b.Beats < wide {
		extra = ", .LAST(1), " + common
	} else {
		extra = fmt.Sprintf(", .S(%d)", sideBits(s))
	}
	p("  logic c_%s_valid, c_%s_ready, c_%s_open, c_%s_last;  // cut anew", name, name, name, name)
	p("  logic [%d:0] c_%s_data;", wide-1, name)
	p("  logic [%d:0] c_%s_keep;", wide/8-1, name)
	p("  logic [%d:0] c_%s_side, d_%s_side;", sideBits(s)-1, name, name)
	p("  assign e_%s_ready = %s_ready_i & c_%s_open;", name, name, name)
	if b.domain(s) < 0 {
		b.steady(p, s, "e", "1'b1")
	}
	p("  %s #(.A(%d), .B(%d)%s) u_%s_cut (", b.cutter(b.Beats, wide), b.Beats, wide, extra, name)
	p("    .clk_i, .rst_ni, .valid_i(e_%s_valid & %s_ready_i), .ready_o(c_%s_open), .data_i(e_%s_data),", name, name, name,
		name)
	p("    .keep_i(e_%s_keep), .last_i(e_%s_last), .side_i({%s}), .valid_o(c_%s_valid), .ready_i(c_%s_ready),", name, name,
		joined(side, "e_"+name+"_", "", "1'b0"), name, name)
	p("    .data_o(c_%s_data), .keep_o(c_%s_keep), .last_o(c_%s_last), .side_o(c_%s_side)", name, name, name, name)
	p("  );")
	p("  goldwire_fold #(.D(%d), %s) u_%s_fold (", wide, common, name)
	p("    .clk_i, .rst_ni, .valid_i(c_%s_valid), .ready_o(c_%s_ready), .data_i(c_%s_data), .keep_i(c_%s_keep),", name,
		name, name, name)
	p("    .last_i(c_%s_last), .side_i(c_%s_side), .valid_o(%s_valid_o), .ready_i(%s_ready_i), .data_o(%s_data_o),", name,
		name, name, name, name)
	p("    .keep_o(%s_keep_o), .last_o(%s_last_o), .side_o(d_%s_side)", name, name, name)
	p("  );")
	if len(side) > 0 {
		p("  assign {%s} = d_%s_side;", joined(side, name+"_", "_o", ""), name)
	}
}

// steady writes the check of the handshake of an output stream, by the prefix of its nets.
func (b adapter) steady(p func(string, ...any), s *event.Stream, nets, edge string) {
	relaxes := func(rule string) string {
		i := slices.Index(b.Block.StreamsOf(event.Out), s)
		on := b.Relaxes(rule)
		return either(on != nil && on[i], "1", "0")
	}
	all, bits := refs(b.Block, b.Beats), 0
	for i := range all {
		if r := &all[i]; r.Stream == s && r.Field != nil {
			bits += r.Width
		}
	}
	p("  goldwire_steady #(.K(%d), .DROPS(%s), .CHANGES(%s), .NAME(\"%s\")) u_%s_steady (", bits, relaxes(ValidDrops),
		relaxes(DataChanges), s.Name, s.Name)
	p("    .clk_i, .rst_ni, .edge_i(%s), .valid_i(%s_%s_valid), .ready_i(%s_%s_ready),", edge, nets, s.Name, nets, s.Name)
	p("    .beat_i({%s})", joined(s.Fields, nets+"_"+s.Name+"_", "", ""))
	p("  );")
}

// crossing connects each stream with its clock: what moves does so in the steps at whose end the clock rises.
func (b adapter) crossing(p func(string, ...any)) {
	for i, d := range b.Domains {
		p("  logic g_clock%d, g_rise%d;", i, i)
		p("  goldwire_clock #(.PERIOD(%d), .PHASE(%d), .NUMBER(%d)) u_clock%d (", d.Period, d.Phase, i, i)
		p("    .clk_i, .rise_o(g_rise%d), .clk_o(g_clock%d)", i, i)
		p("  );")
	}
	all := refs(b.Block, b.Beats)
	for i := range all {
		r := &all[i]
		at := fmt.Sprintf("g_rise%d", b.domain(r.Stream))
		mine, theirs := "e_"+r.Stream.Name+"_"+r.what(), b.inner(r)
		p("  %s %s;", width(r.Width), theirs)
		switch {
		case r.In: // what the design gets stays until the edge has passed
			p("  assign %s = %s;", theirs, mine)
		case r.Field != nil:
			p("  assign %s = %s;", mine, theirs)
		default: // valid or ready of the design
			p("  assign %s = %s & %s;", mine, theirs, at)
		}
	}
	for _, s := range b.Block.StreamsOf(event.Out) {
		b.steady(p, s, "k", fmt.Sprintf("g_rise%d", b.domain(s)))
	}
}

// domains drives the clocks of a design that has several.
func (b adapter) domains(p func(string, ...any)) {
	for i, d := range b.Domains {
		p("  assign %s = g_clock%d;", net(d.Port), i)
	}
}
