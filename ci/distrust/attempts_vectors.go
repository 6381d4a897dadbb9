package distrust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// recorded writes the vector file of the reference.
var recorded = Goldwire("vectors", "gen", "--dut", "{dir}/ref.yaml", "--events", "600", "-o", "{out}/v.gwv")

func spoilt(how func([]byte) []byte) func(*World) error { return altered("v.gwv", how) }

// altered changes an output of the control.
func altered(name string, how func([]byte) []byte) func(*World) error {
	return func(w *World) error {
		path := filepath.Join(w.Out, name)
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
func vectorFiles() []Attempt {
	g := group{Attempt: Attempt{Name: "expect", Prepare: recorded, Control: expecting()}}
	add := func(quick bool, name, says string, exit int, sabotage func(*World) error, args ...string) {
		g.add(quick, name, says, exit, sabotage, expecting(args...)...)
	}
	add(true, "cut-short", "v.gwv", 2, spoilt(func(b []byte) []byte { return b[:len(b)-len(b)/4] }))
	add(false, "empty", "v.gwv", 2, spoilt(func([]byte) []byte { return nil }))
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
	add(false, "overflows-while-stalled", "MISMATCH", 1, Edit("adder.sv", dutReady, "assign ev_ready_o  = rst_ni;",
		"adder.sv", "      valid_q <= ev_valid_i;", "      if (ev_valid_i || rsp_ready_i) valid_q <= ev_valid_i;"))
	return g.out
}

// vectorTools holds attempts with commands on vector files.
func vectorTools() (out []Attempt) {
	gen := []string{"vectors", "gen", "--block", "txstate", "--events", "300", "-o"}
	twice := Then(Goldwire(append(gen, "{out}/v.gwv")...), Goldwire(append(gen, "{out}/again.gwv")...))
	add := func(quick bool, name, says string, exit int, sabotage func(*World) error, control, args []string) {
		out = append(out, Attempt{Name: "vectors/" + name, Quick: quick, Control: control, Args: args, Prepare: twice,
			Sabotage: sabotage, Says: says, Exit: []int{exit}})
	}
	verify := []string{"vectors", "verify", "{out}/v.gwv"}
	same := []string{"vectors", "diff", "{out}/v.gwv", "{out}/again.gwv"}
	add(true, "verify-cut-short", "v.gwv", 2, spoilt(func(b []byte) []byte { return b[:len(b)-len(b)/4] }), verify, verify)
	add(true, "verify-empty", "v.gwv", 2, spoilt(func([]byte) []byte { return nil }), verify, verify)
	add(false, "verify-one-bit-changed", "v.gwv", 2, spoilt(
		func(b []byte) []byte { b[len(b)-len(b)/3] ^= 4; return b }), verify, verify)
	add(false, "verify-empty-name", "is empty", 2, nil, verify, []string{"vectors", "verify", ""})
	add(false, "diff-of-two-seeds", "differ", 1, Goldwire("vectors", "gen", "--block", "txstate", "--events", "300",
		"--seed", "2", "-o", "{out}/w.gwv"), same, []string{"vectors", "diff", "{out}/v.gwv", "{out}/w.gwv"})
	add(true, "diff-of-one-file", "they are one file", 2, nil, same, []string{"vectors", "diff", "{out}/v.gwv",
		"{out}/./v.gwv"})
	add(false, "no-events", "event", 2, nil, verify, []string{"vectors", "gen", "--block", "txstate", "--events", "0",
		"-o", "{out}/w.gwv"})
	for name, args := range map[string][]string{"verify": verify, "info": {"vectors", "info", "{out}/v.gwv"},
		"show": {"vectors", "show", "{out}/v.gwv"}, "diff": same} {
		out = append(out, Attempt{Name: "vectors/" + name + "-to-a-full-disk", Quick: name == "verify", Args: args,
			Stdout: "/dev/full", Says: "no space left", Prepare: twice})
	}
	return out
}

func renamed(from, to string) func(*World) error {
	return func(w *World) error { return os.Rename(filepath.Join(w.Out, from), filepath.Join(w.Out, to)) }
}

// oddVectors are sound vector files that prove nothing or do not belong together.
func oddVectors() (out []Attempt) {
	add := func(quick bool, name, says string, prepare, sabotage func(*World) error, control, args []string) {
		out = append(out, Attempt{Name: "vectors/" + name, Quick: quick, Prepare: prepare, Control: control, Args: args,
			Sabotage: sabotage, Says: says})
	}
	generated := func(file string, args ...string) func(*World) error {
		return Goldwire(append([]string{"vectors", "gen", "--block", "txstate", "--events", "300", "-o", "{out}/" + file},
			args...)...)
	}
	// The first cycles of a file per cycle are reset.
	resets := Then(Goldwire("vectors", "cut", "--to", "1", "{out}/v.gwv", "-o", "{out}/w.gwv"), renamed("w.gwv", "v.gwv"))
	cycles, verify := generated("v.gwv", "--per", "cycle"), []string{"vectors", "verify", "{out}/v.gwv"}
	add(true, "verify-of-resets", "no response", cycles, resets, verify, verify)
	bench := []string{"vectors", "export", "--to", "sv", "{out}/v.gwv", "-o", "{out}/bench"}
	add(false, "bench-of-resets", "no response", cycles, resets, bench, bench)
	exact := Then(Edit("dut.yaml", "latency: elastic\norder: stream", "latency: exact"),
		Goldwire("vectors", "gen", "--dut", "{dir}/dut.yaml", "--events", "600", "--per", "cycle", "-o", "{out}/v.gwv"))
	add(false, "replay-of-resets", "nothing was compared", exact, resets, expecting(), expecting())
	add(true, "replay-of-two-in-one-file", "follow the end mark", recorded,
		spoilt(func(b []byte) []byte { return append(b, b...) }), expecting(), expecting())
	merge := []string{"vectors", "merge", "{out}/v.gwv", "{out}/w.gwv", "-o", "{out}/x.gwv"}
	for name, args := range map[string][]string{"per-cycle": {"--per", "cycle"},
		"of-another-size": {"--param", "Depth=32"}} {
		add(name == "per-cycle", "merge-"+name, "only files of one kind",
			Then(generated("v.gwv"), generated("w.gwv", "--seed", "2")), generated("w.gwv", args...), merge, merge)
	}
	add(false, "merge-of-another-block", "only files of one kind",
		Then(generated("v.gwv"), generated("w.gwv", "--seed", "2")),
		Goldwire("vectors", "gen", "--block", "egress", "--events", "300", "-o", "{out}/w.gwv"), merge, merge)
	// The schema that the design is bound to hides most of a field; the file's schema does not.
	masked := Then(duplicate("schema.yaml", "masked.yaml"),
		Edit("masked.yaml", "{name: sum, width: 9,", "{name: sum, width: 9, when: \"a > 250\","))
	add(true, "replay-under-another-mask", "compare hash", recorded,
		Then(masked, Edit("dut.yaml", "schema: schema.yaml", "schema: masked.yaml",
			"adder.sv", dutSum, "assign rsp_sum_o = sum_q ^ {8'd0, a_q == 8'd7};")), expecting(), expecting())
	recordedBy := func(dut, seed, file string) func(*World) error {
		return Goldwire("vectors", "gen", "--dut", "{dir}/"+dut, "--events", "300", "--seed", seed, "-o", "{out}/"+file)
	}
	add(false, "merge-under-another-mask", "compare hash",
		Then(recordedBy("ref.yaml", "1", "v.gwv"), recordedBy("ref.yaml", "2", "w.gwv")),
		Then(masked, duplicate("ref.yaml", "other.yaml"), Edit("other.yaml", "schema: schema.yaml", "schema: masked.yaml"),
			recordedBy("other.yaml", "2", "w.gwv")), merge, merge)
	add(false, "verify-of-a-file-half-written", "v.gwv", generated("v.gwv"),
		spoilt(func(b []byte) []byte { return append(b[:len(b)/2], make([]byte, len(b)-len(b)/2)...) }), verify, verify)
	return out
}

// savedCases are files of --save-case that are incomplete, or of another block.
func savedCases() []Attempt {
	const wrong = "assign rsp_sum_o   = (a_q == 8'd255 || a_q == 8'd0) ? sum_q ^ 9'd1 : sum_q;"
	found := Then(Edit("adder.sv", dutSum, wrong), exits(1, tiny("--save-case", "{out}/case.json")...),
		Edit("adder.sv", wrong, dutSum))
	replay := func(args ...string) []string { return append(args, "--replay", "{out}/case.json") }
	mine := replay("cosim", "--dut", "{dir}/dut.yaml", "--against", "{dir}/ref.yaml")
	g := group{Attempt: Attempt{Name: "replay", Prepare: found, Control: mine}}
	changed := func(how func([]byte) []byte) func(*World) error { return altered("case.json", how) }
	g.add(false, "of-another-block", "block tiny", 2, nil, replay("cosim", "--block", "txstate")...)
	g.add(true, "cut-short", "not a saved case", 2, changed(func(b []byte) []byte { return b[:len(b)/2] }), mine...)
	g.add(false, "without-events", "it has no events", 2, changed(func([]byte) []byte {
		return []byte(`{"goldwire_case": 1, "block": "tiny", "schema_hash": "", "seed": 1, "episode": "random/0",
			"items": []}`)
	}), mine...)
	g.add(false, "twice", "not a saved case", 2, changed(func(b []byte) []byte { return append(b, b...) }), mine...)
	g.add(false, "with-other-events", "leave out --events", 2, nil, append(mine[:len(mine):len(mine)], "--events", "5")...)
	g.add(true, "still-wrong", "rsp_sum", 1, Edit("adder.sv", dutSum, wrong), mine...)
	return g.out
}

// environment has variables that redirect a run to another repository or make its build useless.
func environment() []Attempt {
	// Another repository, which lacks nothing that a run looks for.
	other := func(w *World) error {
		repo := filepath.Join(w.Out, "repo")
		if err := os.MkdirAll(repo, 0o755); err != nil {
			return err
		}
		for _, name := range []string{"hdl", "vectors", "go.mod"} {
			if err := os.Symlink(filepath.Join(w.Root, name), filepath.Join(repo, name)); err != nil {
				return err
			}
		}
		return nil
	}
	elsewhere := Attempt{Name: "environment/root-of-another-repository", Quick: true, Args: txstate(), Sabotage: other,
		Env: []string{"GOLDWIRE_ROOT={out}/repo"}, Says: "GOLDWIRE_ROOT"}
	// Somebody edits the RTL that goldwire unpacked, where no checkout is.
	cache := "XDG_CACHE_HOME={out}/cache"
	edited := func(w *World) error {
		c, err := w.start(context.Background(), []string{"--root", "built-in", "ci", "plan", "rules", "txstate"}, "",
			w.filled([]string{cache})...)
		if err != nil {
			return err
		}
		if got := c.Wait(); got.Code != 0 {
			return fmt.Errorf("unpacking: exit code %d: %s", got.Code, got.Text)
		}
		module := filepath.Join("hdl", "rtl", "txstate", "txstate.sv")
		found, err := filepath.Glob(filepath.Join(w.Out, "cache", "goldwire", "files-*", module))
		if err != nil || len(found) != 1 {
			return fmt.Errorf("unpacked: %q: %w", found, err)
		}
		if err := os.Chmod(found[0], 0o600); err != nil {
			return err
		}
		text, err := os.ReadFile(found[0])
		if err != nil {
			return err
		}
		return os.WriteFile(found[0], append(text, "// edited\n"...), 0o600)
	}
	out := []Attempt{elsewhere, {Name: "environment/unpacked-rtl-edited", Quick: true, Control: txstate(),
		Env: []string{cache}, Args: txstate("--root", "built-in"), Sabotage: edited, Says: "txstate.sv was changed"}}
	// A wrong design stays wrong, whatever make and the compiler are told.
	for name, v := range map[string]string{"make-does-nothing": "MAKEFLAGS=-n", "make-goes-on": "MAKEFLAGS=-k -i",
		"make-variables": "MAKEOVERRIDES=OPT_FAST=-O0"} {
		out = append(out, Attempt{Name: "environment/" + name, Control: tiny(), Args: tiny(), Sabotage: unique(true),
			Env: []string{v}, Exit: []int{1}, Says: "rsp_sum"})
	}
	return out
}
