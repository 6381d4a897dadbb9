package distrust

import (
	"os"
	"path/filepath"
)

// link makes a symbolic link in the folder of the designs.
func link(to, name string) func(*World) error {
	return func(w *World) error { return os.Symlink(filepath.Join(w.Dir, to), filepath.Join(w.Dir, name)) }
}

// duplicate copies a file in the folder of the designs.
func duplicate(from, to string) func(*World) error {
	return func(w *World) error {
		text, err := os.ReadFile(filepath.Join(w.Dir, from))
		if err != nil {
			return err
		}
		return Write(to, string(text))(w)
	}
}

// Lines of the designs that the attempts change.
const (
	dutValid = "assign rsp_valid_o = rst_ni && valid_q;"
	dutSum   = "assign rsp_sum_o   = sum_q;"
	dutReady = "assign ev_ready_o  = rst_ni && (!valid_q || rsp_ready_i);"
	dutTake  = "      if (ev_valid_i) begin"
	refReady = "assign in_ready  = !rst && used != 2'd2;"
	refValid = "assign out_valid = !rst && used != 2'd0;"
)

// designs holds attempts with designs that are silent or wrong, or of which nothing is compared.
func designs() []Attempt {
	g := group{Attempt: Attempt{Name: "design", Args: tiny()}}
	silent := Edit("adder.sv", dutValid, "assign rsp_valid_o = 1'b0 && valid_q;", "adder.sv", dutReady,
		"assign ev_ready_o  = rst_ni || rsp_ready_i;")
	g.add(true, "both-silent", "no response came", 2, Then(silent,
		Edit("ref.sv", refValid, "assign out_valid = 1'b0;", "ref.sv", refReady, "assign in_ready  = !rst;")))
	g.add(false, "silent", "never answered", 2, silent)
	g.add(true, "nothing-mapped", "no field that the design puts out would be compared", 2,
		Edit("dut.yaml", "rsp.a: rsp_a_o", "rsp.a: none", "dut.yaml", "rsp.sum: rsp_sum_o", "rsp.sum: none"))
	g.add(true, "reference-leaves-a-field-out", "ref.yaml leaves out rsp.a with none", 2,
		Edit("ref.yaml", `rsp.a: "out_word[16:9]"`, "rsp.a: none"))
	g.add(true, "nothing-mapped-in-the-reference", "ref.yaml:\\d+: no field that the design puts out would be compared", 2,
		Edit("ref.yaml", `rsp.a: "out_word[16:9]"`, "rsp.a: none", "ref.yaml", `rsp.sum: "out_word[8:0]"`, "rsp.sum: none"))
	g.add(false, "mapped-to-constants", "no field that the design puts out would be compared", 2,
		Edit("dut.yaml", "rsp.a: rsp_a_o", "rsp.a: 8'd3", "dut.yaml", "rsp.sum: rsp_sum_o", "rsp.sum: 9'd7",
			"ref.yaml", `rsp.a: "out_word[16:9]"`, "rsp.a: 8'd3", "ref.yaml", `rsp.sum: "out_word[8:0]"`, "rsp.sum: 9'd7"))
	g.add(false, "one-here-the-other-there", "ref.yaml leaves out rsp.sum with none", 2,
		Edit("dut.yaml", "rsp.a: rsp_a_o", "rsp.a: none",
			"ref.yaml", `rsp.sum: "out_word[8:0]"`, "rsp.sum: none"))
	g.add(false, "never-ready", "never became ready", 2, Edit("adder.sv", dutReady,
		"assign ev_ready_o  = 1'b0 && rsp_ready_i;"))
	g.add(false, "finishes", "finish", 2, Edit("adder.sv", dutTake, dutTake+"\n        if (ev_a_i == 8'd7) $finish;"))
	g.add(false, "loops", "combinational loop|converge|UNOPTFLAT", 2,
		Edit("adder.sv", dutSum, "logic l; assign l = ~l; assign rsp_sum_o = sum_q ^ {8'd0, l};"))
	g.add(true, "does-not-compile", "adder.sv", 2, Edit("adder.sv", "endmodule", "endmodul"))
	g.add(false, "another-top", "no_adder", 2, Edit("dut.yaml", "top: adder", "top: no_adder"))
	g.add(false, "no-source", "gone.sv", 2, Edit("dut.yaml", "sources: [adder.sv]", "sources: [gone.sv]"))
	g.add(true, "wrong-once", "rsp_sum", 1, Edit("adder.sv", dutSum,
		"assign rsp_sum_o   = (a_q == 8'd255 || a_q == 8'd0) ? sum_q ^ 9'd1 : sum_q;"))
	g.add(false, "drops-an-answer", "MISMATCH", 1, Edit("adder.sv", "valid_q <= ev_valid_i;",
		"valid_q <= ev_valid_i && ev_a_i != 8'd255;"))
	g.add(false, "answers-twice", "MISMATCH", 1, Edit("adder.sv", dutReady,
		"logic again; assign ev_ready_o = rst_ni && (!valid_q || (rsp_ready_i && !again));",
		"adder.sv", dutTake, "      again <= ev_valid_i && ev_a_i == 8'd255;\n"+dutTake,
		"adder.sv", "    end else if (ev_ready_o) begin",
		"    end else if (valid_q && rsp_ready_i && again) again <= 1'b0;\n    else if (ev_ready_o) begin",
		"adder.sv", "      valid_q <= 1'b0;", "      valid_q <= 1'b0;\n      again <= 1'b0;"))
	g.add(false, "valid-drops-while-stalled", "MISMATCH", 1, Then(unstable(),
		Edit("adder.sv", dutValid, "assign rsp_valid_o = rst_ni && valid_q && !(held == 2'd2 && !rsp_ready_i);")))
	g.add(false, "data-changes-while-stalled", "MISMATCH", 1,
		Then(unstable(), Edit("adder.sv", dutSum, "assign rsp_sum_o   = sum_q ^ {8'd0, held >= 2'd2};")))
	g.add(false, "stops-with-an-error", "sum of 7", 1, Edit("adder.sv", dutTake,
		dutTake+"\n        if (ev_a_i == 8'd7) $error(\"sum of 7\");"))
	g.add(false, "another-parameter", "rsp_sum", 1, Edit("dut.yaml", "include: [.]",
		"include: [.]\nparameters: {Bias: 1}"))
	g.add(false, "another-define", "rsp_sum", 1, Edit("dut.yaml", "include: [.]", "include: [.]\ndefines: [WRONG]",
		"sub/sum.svh", "`define SUM(x, y) ({1'b0, x} + {1'b0, y})",
		"`ifdef WRONG\n`define SUM(x, y) ({1'b0, x} - {1'b0, y})\n`else\n`define SUM(x, y) ({1'b0, x} + {1'b0, y})\n`endif"))
	g.add(true, "module-twice", "Duplicate declaration of module", 2, Then(duplicate("adder.sv", "second.sv"),
		Edit("second.sv", dutSum, "assign rsp_sum_o = ~sum_q;", "dut.yaml", "[adder.sv]", "[adder.sv, second.sv]")))
	g.add(false, "module-twice-in-a-file", "Duplicate declaration of module", 2,
		Edit("adder.sv", "endmodule", "endmodule\nmodule adder; endmodule"))
	g.add(true, "port-mapped-twice", "ev.a and ev.b both drive", 2, Edit("dut.yaml", "ev.b: ev_b_i", "ev.b: ev_a_i"))
	g.add(false, "output-mapped-to-an-input", "an input of the design", 2,
		Edit("dut.yaml", "rsp.a: rsp_a_o", "rsp.a: ev_a_i"))
	g.add(true, "key-twice", "already defined at line", 2, Edit("dut.yaml", "map:", "map:\n  rsp.sum: none"))
	g.add(false, "key-in-capitals", "unknown key", 2, Edit("dut.yaml", "latency:", "Order: stream\nlatency:"))
	g.add(false, "field-in-capitals", "has no such port", 2, Edit("dut.yaml", "map:", "map:\n  RSP.sum: none"))
	g.add(false, "two-documents", "a second document begins here", 2,
		Edit("dut.yaml", "schema: schema.yaml", "---\nschema: schema.yaml",
			"dut.yaml", "  rsp.sum: rsp_sum_o", "  rsp.sum: rsp_sum_o\n---\ntop: ref_adder"))
	g.add(false, "another-top-by-flag", "top-module|--top", 2,
		Edit("dut.yaml", "include: [.]", "include: [.]\nverilator: [--top-module, ref_adder]"))
	g.add(false, "ends-well-in-the-run", "exit|ended", 2, Then(Write("twist.cpp",
		"#include <cstdlib>\nextern \"C\" int gw_twist(int x) { if ((x & 15) == 7) std::_Exit(0); return x; }\n"),
		Edit("adder.sv", dutSum,
			"import \"DPI-C\" function int gw_twist(input int x);\n  assign rsp_sum_o = 9'(gw_twist({23'd0, sum_q}));",
			"dut.yaml", "sources: [adder.sv]", "sources: [adder.sv, twist.cpp]")))
	g.add(false, "prints-a-verdict", "rsp_sum", 1, Edit("adder.sv", dutSum,
		"assign rsp_sum_o   = ~sum_q;\n  initial $display(\"PASS  3 runs\");"))
	g.add(false, "swapped-map", "MISMATCH", 1, Edit("dut.yaml", "rsp.a: rsp_a_o", "rsp.a: rsp_sum_o[7:0]"))
	return g.out
}

// unstable adds a counter of the cycles that an answer has waited.
func unstable() func(*World) error {
	return Edit("adder.sv", dutSum, dutSum+
		"\n  logic [1:0] held;\n  always_ff @(posedge clk_i) held <= (!rst_ni || rsp_ready_i || !valid_q) ? 2'd0 : "+
		"held + {1'b0, held != 2'd3};")
}

// wrongSum is the content of an included file after the sabotage.
const wrongSum = "`define SUM(x, y) ({1'b0, x} + {1'b0, y} + 9'd1)\n"

// stale holds attempts in which a design was built and then one of its parts changes.
func stale() (out []Attempt) {
	add := func(quick bool, name, says string, exit int, prepare, sabotage func(*World) error) {
		out = append(out, Attempt{Name: "stale/" + name, Quick: quick, Args: tiny(), Prepare: prepare,
			Sabotage: sabotage, Says: says, Exit: []int{exit}})
	}
	const include, right = "`include \"sub/sum.svh\"", "`define SUM(x, y) ({1'b0, x} + {1'b0, y})\n"
	add(true, "include-in-a-subfolder", "rsp_sum", 1, nil, Write("sub/sum.svh", wrongSum))
	add(true, "include-is-gone", "sum.svh", 2, nil,
		func(w *World) error { return os.RemoveAll(filepath.Join(w.Dir, "sub")) })
	add(false, "include-with-another-ending", "rsp_sum", 1, Then(Write("sum.txt", right),
		Edit("adder.sv", include, "`include \"sum.txt\"")), Write("sum.txt", wrongSum))
	add(false, "include-through-a-macro", "rsp_sum", 1, Then(Write("m.inc", right),
		Edit("adder.sv", include, "`define FILE \"m.inc\"\n`include `FILE")), Write("m.inc", wrongSum))
	add(false, "include-from-outside", "rsp_sum", 1, Then(Write("../elsewhere/sum.inc", right),
		Edit("adder.sv", include, "`include \"../elsewhere/sum.inc\"")),
		Write("../elsewhere/sum.inc", wrongSum))
	add(false, "include-of-an-include", "rsp_sum", 1, Then(Write("deep/x.inc", right, "sub/sum.svh",
		"`include \"deep/x.inc\"\n")), Write("deep/x.inc", wrongSum))
	add(false, "include-found-earlier", "rsp_sum", 1, Then(Write("first/empty.svh", ""),
		Edit("dut.yaml", "include: [.]", "include: [first, .]")),
		Write("first/sub/sum.svh", wrongSum))
	part := "module part (input logic [8:0] x, output logic [8:0] y);\n  assign y = x;\nendmodule\n"
	used := Edit("adder.sv", dutSum, "part u_part (.x(sum_q), .y(rsp_sum_o));")
	wrongPart := "module part (input logic [8:0] x, output logic [8:0] y);\n  assign y = x ^ 9'd4;\nendmodule\n"
	add(false, "module-of-a-library-folder", "rsp_sum", 1, Then(used, Write("lib/part.sv", part),
		Edit("dut.yaml", "include: [.]", "include: [.]\nverilator: [+incdir+{lib}]"), libPath()),
		Write("lib/part.sv", wrongPart))
	add(false, "module-of-a-glob", "rsp_sum", 1, Then(used, Write("lib/part.sv", part),
		Edit("dut.yaml", "sources: [adder.sv]", "sources: [lib/*.sv, adder.sv]")),
		Write("lib/part.sv", wrongPart))
	add(false, "data-file", "rsp_sum", 1, Then(Write("flip.hex", "000\n"), Edit("adder.sv", dutSum,
		"logic [8:0] flip [1];\n  initial $readmemh(\"flip.hex\", flip);\n  assign rsp_sum_o = sum_q ^ flip[0];")),
		Write("flip.hex", "001\n"))
	add(false, "data-file-is-gone", "flip.hex", 2, Then(Write("flip.hex", "000\n"), Edit("adder.sv", dutSum,
		"logic [8:0] flip [1];\n  initial $readmemh(\"flip.hex\", flip);\n  assign rsp_sum_o = sum_q ^ flip[0];")),
		func(w *World) error { return os.Remove(filepath.Join(w.Dir, "flip.hex")) })
	dpi := Edit("adder.sv", dutSum, "import \"DPI-C\" function int gw_twist(input int x);\n  assign rsp_sum_o = "+
		"9'(gw_twist({23'd0, sum_q}));")
	add(false, "c-source", "rsp_sum", 1, Then(dpi, Write("twist.cpp", "extern \"C\" int gw_twist(int x) { return x; }\n"),
		Edit("dut.yaml", "sources: [adder.sv]", "sources: [adder.sv, twist.cpp]")),
		Write("twist.cpp", "extern \"C\" int gw_twist(int x) { return x ^ 1; }\n"))
	add(false, "static-library", "rsp_sum", 1, Then(dpi, archive("return x;"),
		Edit("dut.yaml", "include: [.]", "include: [.]\nverilator: [-LDFLAGS, \"-L{lib} -ltwist\"]"), libPath()),
		archive("return x ^ 1;"))
	linked := func(to string) func(*World) error {
		return func(w *World) error {
			_ = os.Remove(filepath.Join(w.Dir, "linked"))
			return link(to, "linked")(w)
		}
	}
	wrong := Then(duplicate("adder.sv", "wrong.sv"), Edit("wrong.sv", dutSum, "assign rsp_sum_o = ~sum_q;"))
	add(false, "source-behind-a-link", "rsp_sum", 1, Then(linked("adder.sv"), Edit("dut.yaml", "[adder.sv]", "[linked]")),
		Then(wrong, linked("wrong.sv")))
	add(false, "include-folder-behind-a-link", "rsp_sum", 1,
		Then(Write("one/in.inc", right, "two/in.inc", wrongSum), linked("one"),
			Edit("adder.sv", include, "`include \"linked/in.inc\"")),
		linked("two"))
	const rtx = "(old_rtx == 2'd0) ? 2'd1 : 2'd2;"
	copied := func(w *World) error {
		return os.CopyFS(filepath.Join(w.Out, "rtl"), os.DirFS(filepath.Join(w.Root, "hdl", "rtl")))
	}
	out = append(out, Attempt{Name: "stale/include-of-rtl-of-ours", Args: txstate("--rtl", "{out}/rtl"), Exit: []int{1},
		Says: "MISMATCH",
		Prepare: func(w *World) error {
			return Then(copied, Write("../out/rtl/sub/rtx.inc", rtx+"\n"),
				Edit("../out/rtl/txstate/txstate.sv", rtx, "\n`include \""+filepath.Join(w.Out, "rtl/sub/rtx.inc")+"\"\n"))(w)
		}, Sabotage: Write("../out/rtl/sub/rtx.inc", "(old_rtx == 2'd0) ? 2'd1 : 2'd3;\n")})
	out = append(out, Attempt{Name: "stale/rtl-of-ours", Control: txstate(), Args: txstate("--rtl", "{out}/rtl"),
		Exit: []int{1}, Says: "MISMATCH",
		Sabotage: Then(copied, Edit("../out/rtl/txstate/txstate.sv", rtx, "(old_rtx == 2'd0) ? 2'd1 : 2'd3;"))})
	return out
}
