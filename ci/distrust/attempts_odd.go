package distrust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// renamed moves a file in the folder of outputs.
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
		spoilt(func(b []byte) []byte { return append(b[:len(b)/2], make([]byte, len(b)-len(b)/2)...) }),
		verify, verify)
	return out
}

// savedCases are files of --save-case that are incomplete, or of another block.
func savedCases() (out []Attempt) {
	const wrong = "assign rsp_sum_o   = (a_q == 8'd255 || a_q == 8'd0) ? sum_q ^ 9'd1 : sum_q;"
	found := func(w *World) error {
		if err := Edit("adder.sv", dutSum, wrong)(w); err != nil {
			return err
		}
		c, err := w.start(context.Background(), w.filled(tiny("--save-case", "{out}/case.json")), "")
		if err != nil {
			return err
		}
		if got := c.Wait(); got.Code != 1 {
			return fmt.Errorf("the wrong design: exit code %d: %s", got.Code, got.Text)
		}
		return Edit("adder.sv", wrong, dutSum)(w)
	}
	replay := func(args ...string) []string { return append(args, "--replay", "{out}/case.json") }
	mine := replay("cosim", "--dut", "{dir}/dut.yaml", "--against", "{dir}/ref.yaml")
	add := func(quick bool, name, says string, exit int, sabotage func(*World) error, args ...string) {
		out = append(out, Attempt{Name: "replay/" + name, Quick: quick, Prepare: found, Control: mine, Args: args,
			Sabotage: sabotage, Says: says, Exit: []int{exit}})
	}
	changed := func(how func([]byte) []byte) func(*World) error {
		return func(w *World) error {
			path := filepath.Join(w.Out, "case.json")
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, how(text), 0o644)
		}
	}
	add(true, "of-another-block", "block tiny", 2, nil, replay("cosim", "--block", "txstate")...)
	add(true, "cut-short", "not a saved case", 2, changed(func(b []byte) []byte { return b[:len(b)/2] }), mine...)
	add(false, "without-events", "it has no events", 2, changed(func([]byte) []byte {
		return []byte(`{"goldwire_case": 1, "block": "tiny", "schema_hash": "", "seed": 1, "episode": "random/0",
			"items": []}`)
	}), mine...)
	add(false, "twice", "not a saved case", 2, changed(func(b []byte) []byte { return append(b, b...) }), mine...)
	add(false, "with-other-events", "leave out --events", 2, nil, append(mine[:len(mine):len(mine)], "--events", "5")...)
	add(true, "still-wrong", "rsp_sum", 1, Edit("adder.sv", dutSum, wrong), mine...)
	return out
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
