package distrust

import (
	"os"
	"path/filepath"
)

// recorded writes the vector file of the reference.
var recorded = Goldwire("vectors", "gen", "--dut", "{dir}/ref.yaml", "--events", "600", "-o", "{out}/v.gwv")

// spoilt corrupts the vector file.
func spoilt(how func([]byte) []byte) func(*World) error {
	return func(w *World) error {
		path := filepath.Join(w.Out, "v.gwv")
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, how(text), 0o644)
	}
}

// expecting returns the command that replays the vector file.
func expecting(args ...string) []string {
	return append([]string{"cosim", "--dut", "{dir}/dut.yaml", "--expect", "{out}/v.gwv"}, args...)
}

// vectorFiles holds attempts that replay wrong files, or designs that are wrong only under back-pressure.
func vectorFiles() (out []Attempt) {
	add := func(quick bool, name, says string, exit int, sabotage func(*World) error, args ...string) {
		out = append(out, Attempt{Name: "expect/" + name, Quick: quick, Prepare: recorded, Control: expecting(),
			Args:     expecting(args...),
			Sabotage: sabotage, Says: says, Exit: []int{exit}})
	}
	add(true, "cut-short", "v.gwv", 2, spoilt(func(b []byte) []byte { return b[:len(b)-len(b)/4] }))
	add(true, "empty", "v.gwv", 2, spoilt(func([]byte) []byte { return nil }))
	add(true, "one-bit-changed", "v.gwv", 2, spoilt(func(b []byte) []byte { b[len(b)-len(b)/3] ^= 4; return b }))
	add(false, "text", "v.gwv", 2, spoilt(func([]byte) []byte { return []byte("a b sum\n1 2 3\n") }))
	add(false, "gone", "v.gwv", 2, func(w *World) error { return os.Remove(filepath.Join(w.Out, "v.gwv")) })
	add(false, "of-another-block", "of block", 2, Goldwire("vectors", "gen", "--block", "txstate", "--events", "300",
		"-o", "{out}/v.gwv"))
	add(false, "unknown-episode", "episode", 2, nil, "--episode", "random/999999")
	add(false, "with-another-seed", "the file has its own events", 2, nil, "--seed", "2")
	add(false, "wrong-once", "rsp_sum", 1, Edit("adder.sv", dutSum,
		"assign rsp_sum_o   = (a_q == 8'd255 || a_q == 8'd0) ? sum_q ^ 9'd1 : sum_q;"))
	// Faults that replay without back-pressure does not find.
	add(true, "valid-drops-while-stalled", "MISMATCH", 1, Then(unstable(),
		Edit("adder.sv", dutValid, "assign rsp_valid_o = rst_ni && valid_q && !(held == 2'd2 && !rsp_ready_i);")))
	add(false, "data-changes-while-stalled", "MISMATCH", 1,
		Then(unstable(), Edit("adder.sv", dutSum, "assign rsp_sum_o   = sum_q ^ {8'd0, held >= 2'd2};")))
	// The design accepts an event while an answer waits, and loses that answer.
	add(true, "overflows-while-stalled", "MISMATCH", 1, Edit("adder.sv", dutReady, "assign ev_ready_o  = rst_ni;",
		"adder.sv", "      valid_q <= ev_valid_i;", "      if (ev_valid_i || rsp_ready_i) valid_q <= ev_valid_i;"))
	return out
}

// vectorTools holds attempts with commands on vector files.
func vectorTools() (out []Attempt) {
	gen := []string{"vectors", "gen", "--block", "txstate", "--events", "300", "-o"}
	twice := Then(Goldwire(append(gen, "{out}/v.gwv")...), Goldwire(append(gen, "{out}/again.gwv")...))
	add := func(quick bool, name, says string, exit int, sabotage func(*World) error, control, args []string) {
		out = append(out, Attempt{Name: "vectors/" + name, Quick: quick, Control: control, Args: args,
			Prepare:  twice,
			Sabotage: sabotage, Says: says, Exit: []int{exit}})
	}
	verify := []string{"vectors", "verify", "{out}/v.gwv"}
	same := []string{"vectors", "diff", "{out}/v.gwv", "{out}/again.gwv"}
	add(true, "verify-cut-short", "v.gwv", 2, spoilt(func(b []byte) []byte { return b[:len(b)-len(b)/4] }), verify, verify)
	add(true, "verify-empty", "v.gwv", 2, spoilt(func([]byte) []byte { return nil }), verify, verify)
	add(false, "verify-one-bit-changed", "v.gwv", 2, spoilt(
		func(b []byte) []byte { b[len(b)-len(b)/3] ^= 4; return b }), verify, verify)
	add(false, "verify-empty-name", "is empty", 2, nil, verify, []string{"vectors", "verify", ""})
	add(false, "diff-of-two-seeds", "", 1, Goldwire("vectors", "gen", "--block", "txstate", "--events", "300", "--seed",
		"2", "-o", "{out}/w.gwv"), same,
		[]string{"vectors", "diff", "{out}/v.gwv", "{out}/w.gwv"})
	add(true, "diff-of-one-file", "they are one file", 2, nil, same, []string{"vectors", "diff", "{out}/v.gwv",
		"{out}/./v.gwv"})
	add(false, "no-events", "event", 2, nil, verify, []string{"vectors", "gen", "--block", "txstate", "--events", "0",
		"-o", "{out}/w.gwv"})
	for i := range out {
		if out[i].Name == "vectors/diff-of-two-seeds" {
			out[i].Says = "differ"
		}
	}
	for name, args := range map[string][]string{"verify": verify, "info": {"vectors", "info", "{out}/v.gwv"},
		"show": {"vectors", "show", "{out}/v.gwv"}, "diff": same} {
		out = append(out, Attempt{Name: "vectors/" + name + "-to-a-full-disk", Quick: name == "verify", Args: args,
			Stdout: "/dev/full", Says: "no space left",
			Prepare: twice})
	}
	return out
}
