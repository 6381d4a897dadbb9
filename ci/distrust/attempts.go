package distrust

import "slices"

// Attempts returns the table.
func Attempts() []Attempt {
	return slices.Concat(arguments(), against(), designs(), stale(), cached(), vectorFiles(), vectorTools(), oddVectors(),
		savedCases(), environment(), clients(), ends(), reports())
}

// group collects the attempts of a group, which have what is set in Attempt; its Name is that of the group.
type group struct {
	Attempt
	out []Attempt
}

// add adds an attempt. Without args it has the command of the group.
func (g *group) add(quick bool, name, says string, exit int, sabotage func(*World) error, args ...string) {
	a := g.Attempt
	a.Name, a.Quick, a.Says, a.Exit, a.Sabotage = g.Name+"/"+name, quick, says, []int{exit}, sabotage
	if args != nil {
		a.Args = args
	}
	g.out = append(g.out, a)
}

// tiny is the command of the tiny block: two designs against each other.
func tiny(args ...string) []string {
	return flagged([]string{"cosim", "--dut", "{dir}/dut.yaml", "--against", "{dir}/ref.yaml", "--events", "600"}, args)
}

// flagged returns a command with more arguments. A flag among them replaces the command's own.
func flagged(base, args []string) []string {
	out := base[:1:1]
	for i := 1; i+1 < len(base); i += 2 {
		if !slices.Contains(args, base[i]) {
			out = append(out, base[i:i+2]...)
		}
	}
	return append(out, args...)
}

// txstate is the command of one of our blocks against its model.
func txstate(args ...string) []string {
	return flagged([]string{"cosim", "--block", "txstate", "--source", "random", "--events", "300"}, args)
}

// arguments holds attempts whose arguments would make a run do something other than intended.
func arguments() []Attempt {
	g := group{Attempt: Attempt{Name: "argument", Control: txstate()}}
	add := func(name, says string, args ...string) { g.add(true, name, says, 2, nil, args...) }
	for _, flag := range []string{"block", "source", "events", "seed", "seeds", "tick", "param", "transport", "rtl",
		"dut", "case", "episode",
		"waves", "timeout", "json", "junit", "html", "pcap", "root"} {
		add("empty-"+flag, "--"+flag, txstate("--"+flag, "")...)
	}
	add("blank-case", "--case: it is empty", txstate("--case", " ")...)
	add("empty-word", "argument 8 is empty", txstate("")...)
	add("case-without-name", "it names no case", "cosim", "--block", "txstate", "--case", "directed/")
	add("source-without-name", `unknown`, "cosim", "--block", "txstate", "--source", "directed/", "--events", "300")
	add("source-and-nothing", `unknown source ""`, "cosim", "--block", "txstate", "--source", "random,", "--events", "300")
	add("unknown-case", "unknown case", "cosim", "--block", "txstate", "--case", "no/such")
	add("episode-beyond-the-last", "beyond the last", txstate("--episode", "random/999999")...)
	add("unknown-episode", "episode", txstate("--episode", "rondom/1")...)
	add("no-events", "compares nothing", "cosim", "--block", "txstate", "--events", "0")
	add("no-seeds", "the range is empty", txstate("--seeds", "3..1")...)
	add("no-seed-in-a-list", "is not a seed", txstate("--seeds", ",")...)
	add("seed-twice", "seed 2 is given twice", txstate("--seeds", "1..3,2")...)
	add("source-twice", "random is given twice", txstate("--source", "random,random")...)
	for flag, value := range map[string]string{"block": "ccc", "events": "5", "episode": "random/0",
		"rtl": "{root}/hdl/rtl", "json": "{out}/again.json"} {
		add(flag+"-twice", "it is given twice", txstate("--"+flag, value, "--"+flag, value)...)
	}
	add("block-in-capitals", "unknown block", "cosim", "--block", "TXSTATE", "--events", "300")
	add("case-in-capitals", "unknown case", "cosim", "--block", "txstate", "--case", "KEY/FIRST")
	add("episode-of-another-case", "episode", "cosim", "--block", "txstate", "--source", "directed",
		"--episode", "directed/no/such")
	add("rtl-without-a-module", "holds no module", txstate("--rtl", "{out}")...)
	add("rtl-without-the-block", "it must hold txstate.sv", txstate("--rtl", "{root}/hdl/rtl/common")...)
	add("rtl-with-a-module-twice", "is there twice", txstate("--rtl", "{root}/hdl")...)
	add("model-only-and-pcap", "pcap", txstate("--model-only", "--pcap", "{out}/p.pcap")...)
	return append(g.out, Attempt{Name: "argument/model-only", Quick: true, Control: txstate(),
		Args: txstate("--model-only"), Exit: []int{0}, Says: "MODEL ONLY.*nothing was compared"},
		Attempt{Name: "argument/model-only-several", Control: txstate("--seeds", "1..3"),
			Args: txstate("--seeds", "1..3", "--model-only"), Exit: []int{0},
			Says: "MODEL ONLY"})
}

// against holds attempts that compare a design with itself or with nothing.
func against() []Attempt {
	g := group{Attempt: Attempt{Name: "against", Control: tiny()}}
	add := func(name, says string, sabotage func(*World) error, args ...string) {
		g.add(true, name, says, 2, sabotage, args...)
	}
	with := func(file string) []string {
		return []string{"cosim", "--dut", "{dir}/dut.yaml", "--against", file, "--events", "600"}
	}
	const same = "are the same design"
	add("the-very-same", same, nil, with("{dir}/dut.yaml")...)
	add("another-path", same, nil, with("{dir}/sub/../dut.yaml")...)
	add("a-link", same, link("dut.yaml", "also.yaml"), with("{dir}/also.yaml")...)
	add("a-copy", same, duplicate("dut.yaml", "also.yaml"), with("{dir}/also.yaml")...)
	add("a-copied-folder", same, Then(duplicate("schema.yaml", "c/schema.yaml"), duplicate("dut.yaml", "c/dut.yaml"),
		duplicate("adder.sv", "c/adder.sv"), duplicate("sub/sum.svh", "c/sub/sum.svh")), with("{dir}/c/dut.yaml")...)
	add("empty-against", "--against: it is empty", nil, with("")...)
	add("empty-golden", "--golden: it is empty", nil, "cosim", "--dut", "{dir}/dut.yaml", "--golden", "")
	add("empty-expect", "--expect: it is empty", nil, "cosim", "--dut", "{dir}/dut.yaml", "--expect", "")
	add("nothing", "give a reference|where expected values", nil, "cosim", "--dut", "{dir}/dut.yaml")
	add("model-only", "model-only", nil, tiny("--model-only")...)
	add("self-without-against", "--self", nil, "cosim", "--dut", "{dir}/dut.yaml", "--golden", "unix:{out}/s", "--self")
	add("episode-beyond-the-last", "episode", nil, tiny("--episode", "random/999999")...)
	add("unknown-episode", "episode", nil, tiny("--episode", "rondom/1")...)
	add("two-references", "more than one|keep one", nil, tiny("--golden", "unix:{out}/s")...)
	add("other-schema", "schema hash", Then(duplicate("schema.yaml", "other.yaml"), duplicate("ref.yaml", "ref2.yaml"),
		Edit("other.yaml", "{name: sum, width: 9", "{name: sum, width: 10", "ref2.yaml", "schema: schema.yaml",
			"schema: other.yaml",
			"ref2.yaml", `rsp.sum: "out_word[8:0]"`, `rsp.sum: "{1'd0, out_word[8:0]}"`)), with("{dir}/ref2.yaml")...)
	return append(g.out, Attempt{Name: "against/self-of-a-faulty-copy",
		Control: append(with("{dir}/dut.yaml"), "--self"), Exit: []int{1}, Says: "rsp_sum",
		Args: append(with("{dir}/also.yaml"), "--self"), Sabotage: Then(duplicate("adder.sv", "also.sv"),
			duplicate("dut.yaml", "also.yaml"),
			Edit("also.sv", dutSum, "assign rsp_sum_o   = (a_q == 8'd255 || a_q == 8'd0) ? sum_q ^ 9'd1 : sum_q;",
				"also.yaml", "[adder.sv]", "[also.sv]"))})
}
