package distrust

import (
	"context"
	"os"
	"syscall"
	"time"
)

// asking returns the command with a golden program as the reference.
func asking(args ...string) []string {
	return flagged([]string{"cosim", "--dut", "{dir}/dut.yaml", "--golden", "unix:{socket}", "--events", "600"}, args)
}

// clients holds attempts with golden programs that do not answer, answer wrongly or stop early.
func clients() (out []Attempt) {
	add := func(quick bool, name, golden, says string, exit int, sabotage func(*World) error, args ...string) {
		out = append(out, Attempt{Name: "golden/" + name, Quick: quick, Golden: golden, Args: asking(args...),
			Sabotage: sabotage, Says: says, Exit: []int{exit}, PassesSome: len(args) > 0})
	}
	silent := Edit("adder.sv", dutValid, "assign rsp_valid_o = 1'b0 && valid_q;", "adder.sv", dutReady,
		"assign ev_ready_o  = rst_ni || rsp_ready_i;")
	add(true, "answers-nothing-as-the-design", "silent", "no response came", 2, silent)
	add(false, "answers-nothing", "silent", "MISMATCH|before any event|response", 1, nil)
	add(true, "ends-in-the-run", "ends", "golden program", 2, nil)
	add(false, "ends-in-the-second-run", "ends", "golden program", 2, nil, "--seeds", "1..3")
	add(true, "wrong-once", "off", "rsp_sum", 1, nil)
	add(false, "answers-no-more", "mute", "MISMATCH", 1, nil)
	add(false, "design-silent", "right", "never answered", 2, silent)
	out = append(out, Attempt{Name: "golden/nobody-listens", Quick: true, Control: tiny(), Args: asking(),
		Says: "golden program"},
		Attempt{Name: "golden/of-another-schema", Control: tiny(), Args: asking(), Says: "schema", Golden: "right",
			Sabotage: Edit("schema.yaml", "      - {name: b, width: 8, doc: second}",
				"      - {name: b, width: 8, doc: second}\n      - {name: c, width: 1, doc: unused}",
				"dut.yaml", "  ev.b: ev_b_i", "  ev.b: ev_b_i\n  ev.c: none")})
	return out
}

// endless is a run that would take hours.
func endless(args ...string) []string { return txstate(append(args, "--events", "2000M")...) }

// ends holds attempts whose run is killed or interrupted, or loses its device.
func ends() (out []Attempt) {
	type during = func(context.Context, *World, *Child) error
	add := func(quick bool, name, says string, exit int, args []string, strike during) {
		out = append(out, Attempt{Name: "end/" + name, Quick: quick, Control: txstate(), Args: args, Says: says,
			Exit: []int{exit}, During: strike, Old: true, PassesSome: true})
	}
	working := func(f func(c *Child, device int) error) during {
		return func(ctx context.Context, _ *World, c *Child) error {
			pid, err := c.Device(ctx)
			if err != nil {
				return err
			}
			time.Sleep(300 * time.Millisecond) // well into the run; an earlier moment would be a different attempt
			return f(c, pid)
		}
	}
	signalled := func(s os.Signal) during { return working(func(c *Child, _ int) error { return c.Signal(s) }) }
	after := func(d time.Duration, s os.Signal) during {
		return func(_ context.Context, _ *World, c *Child) error {
			time.Sleep(d)
			return c.Signal(s)
		}
	}
	add(true, "interrupt", "interrupted", 2, endless(), signalled(os.Interrupt))
	add(false, "terminate", "interrupted", 2, endless(), signalled(syscall.SIGTERM))
	add(true, "kill", "", -1, endless(), signalled(syscall.SIGKILL))
	add(true, "device-killed", "killed|ended", 2, endless(),
		working(func(_ *Child, pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }))
	add(false, "device-stopped", "sign of life", 2, endless("--timeout", "2s"),
		working(func(_ *Child, pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }))
	add(false, "device-killed-in-the-first-of-three", "not begun", 2, endless("--seeds", "1..3"),
		working(func(_ *Child, pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }))
	three := txstate("--seeds", "1..200", "--events", "3000")
	add(true, "interrupt-between-runs", "NOT RUN", 2, three, func(ctx context.Context, _ *World, c *Child) error {
		if err := c.Shows(ctx, "PASS  txstate random seed 1"); err != nil {
			return err
		}
		return c.Signal(os.Interrupt)
	})
	add(false, "kill-between-runs", "", -1, three, func(ctx context.Context, _ *World, c *Child) error {
		if err := c.Shows(ctx, "PASS  txstate random seed 1"); err != nil {
			return err
		}
		c.Kill()
		return nil
	})
	add(true, "interrupt-of-the-model-alone", "interrupted", 2, endless("--model-only"), after(time.Second, os.Interrupt))
	add(false, "interrupt-of-the-model-alone-on-a-network", "interrupted", 2,
		[]string{"cosim", "--block", "egress", "--source", "fabric:permutation", "--events", "2000M", "--model-only"},
		after(2*time.Second, os.Interrupt))
	for name, args := range map[string][]string{
		"vectors-gen":   {"vectors", "gen", "--block", "txstate", "--events", "2000M", "-o", "{out}/long.gwv"},
		"vectors-suite": {"vectors", "suite", "--level", "soak", "-o", "{out}/suite"},
		"fabric-run":    {"fabric", "run", "fattree128/permutation", "--set", "flow.bytes=1000000000"},
		"fabric-seeds":  {"fabric", "run", "fattree128/permutation", "--seeds", "1..1000"},
		"bench":         {"bench", "--block", "txstate"},
		"faults":        {"faults", "--block", "txstate"},
		"vectors-bench": {"vectors", "bench"},
	} {
		out = append(out, Attempt{Name: "end/interrupt-of-" + name, Control: []string{"version"}, Args: args,
			Says: "interrupt", During: after(2*time.Second, os.Interrupt)})
	}
	out = append(out, Attempt{Name: "end/interrupt-of-a-build", Control: tiny(), Args: tiny("--seeds", "1..3"),
		Sabotage: unique(false), Says: "interrupted", During: after(time.Second, os.Interrupt), Old: true, PassesSome: true})
	return out
}

// reports holds attempts in which a report cannot be written or is that of an earlier run.
func reports() []Attempt {
	g := group{Attempt: Attempt{Name: "report", Control: tiny(), Old: true}}
	add := func(quick bool, name, says string, args []string, sabotage func(*World) error) {
		g.add(quick, name, says, 2, sabotage, args...)
	}
	add(false, "of-before-a-broken-dut-yaml", "dut.yaml", tiny(), Edit("dut.yaml", "top: adder", "tob: adder"))
	add(true, "of-before-a-design-that-does-not-compile", "adder.sv", tiny(), Edit("adder.sv", "endmodule", "endmodul"))
	add(false, "of-before-a-missing-design", "gone.yaml",
		[]string{"cosim", "--dut", "{dir}/gone.yaml", "--against", "{dir}/ref.yaml"}, nil)
	add(false, "of-before-several-runs-of-which-none-builds", "not begun", tiny("--seeds", "1..3"),
		Edit("adder.sv", "endmodule", "endmodul"))
	add(false, "of-before-an-empty-argument", "it is empty", tiny("--case", ""), nil)
	add(true, "of-before-an-unknown-flag", "unknown flag", tiny("--sede", "1"), nil)
	add(false, "of-before-a-flag-given-twice", "given twice", tiny("--seed", "1", "--seed", "2"), nil)
	add(false, "of-before-a-word-too-many", "unexpected argument", tiny("directed"), nil)
	add(true, "over-the-design", "both name", tiny("--json", "{dir}/dut.yaml"), (*World).forget)
	add(false, "over-the-other-design", "both name", tiny("--html", "{dir}/./ref.yaml"), (*World).forget)
	add(false, "over-the-saved-case", "both name", tiny("--junit", "{out}/x", "--save-case", "{out}/x"), (*World).forget)
	for _, form := range []string{"json", "junit", "html"} {
		g.out = append(g.out, Attempt{Name: "report/" + form + "-to-a-full-disk", Quick: form == "junit", Control: tiny(),
			Args: tiny("--"+form, "/dev/full"), Says: "no space left", PassesSome: true})
		g.out = append(g.out, Attempt{Name: "report/" + form + "-to-a-folder", Control: tiny(),
			Args: tiny("--"+form, "{out}"), Says: "it is a folder"})
	}
	add(false, "two-in-one-file", "both name", tiny("--json", "{out}/x", "--junit", "{out}/x"), (*World).forget)
	add(false, "in-a-missing-folder", "does not exist", tiny("--json", "{out}/no/r.json"), (*World).forget)
	for name, args := range map[string][]string{"text": tiny(), "json": tiny("--json", "-"),
		"several": tiny("--seeds", "1..3")} {
		g.out = append(g.out, Attempt{Name: "report/" + name + "-stdout-full", Quick: name != "several", Control: tiny(),
			Args: args, Stdout: "/dev/full", Says: "no space left", PassesSome: true})
	}
	return g.out
}

// forget removes the reports of the control: the command is refused before it touches any.
func (w *World) forget() error {
	w.clearReports()
	return nil
}
