package campaign

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/explain/signals"
)

// Parting is where the failing design first differs from a good one on the shortest events of a failure.
type Parting struct {
	Good   string `json:"good"`             // revision or folder of the good design
	Signal string `json:"signal,omitempty"` // its path, without numbers of instances and words
	Beside string `json:"beside,omitempty"` // the next one that differs in that cycle
	Cycle  uint64 `json:"cycle,omitempty"`  // since the start of the events
	// Lacking is the number of signals that only one of the designs has. They were not compared.
	Lacking int `json:"lacking,omitempty"`
	// Why is the reason if there is no Signal.
	Why string `json:"why,omitempty"`
}

// String describes the parting.
func (p *Parting) String() string {
	if p.Signal == "" {
		return fmt.Sprintf("not known from good design %s: %s", p.Good, p.Why)
	}
	out := fmt.Sprintf("%s, in cycle %d of the shrunk events, against good design %s", p.Signal, p.Cycle, p.Good)
	if p.Lacking > 0 {
		out += fmt.Sprintf("; %d signals that only one of them has were not compared", p.Lacking)
	}
	return out
}

// Good is a design that is known to pass.
type Good struct {
	Name string // revision or folder, for people
	RTL  string // its copy of hdl/rtl
}

// part finds where the design of a failing run first differs from the good one. If it cannot, the parting says why, and
// the failure stays unchanged. It errors if the campaign cannot continue.
func (m *manager) part(ctx context.Context, rec *Record, dir string, core int) error {
	if m.Good == nil || rec.Outcome != Failed || rec.Result == nil || rec.Result.Failure == nil {
		return nil
	}
	o := &Parting{Good: m.Good.Name}
	rec.Result.Failure.Parting = o
	if len(rec.Case) == 0 {
		o.Why = "its shortest events were not found"
		return nil
	}
	own, ok := rtlOf(rec.Run.Args)
	if !ok {
		o.Why = "it is of a design bound by a dut.yaml"
		return nil
	}
	failing, good := filepath.Join(dir, "failing.vcd"), filepath.Join(dir, "good.vcd")
	for _, x := range []struct {
		design, file string
		want         Outcome
		otherwise    string
	}{
		{own, failing, Failed, "the failing design does not fail again on its shortest events"},
		{m.Good.RTL, good, Passed, "the good design does not pass these events either"},
	} {
		outcome, err := m.signals(ctx, rec, dir, x.design, x.file, core)
		if err != nil {
			return err
		}
		if outcome != x.want {
			o.Why = fmt.Sprintf("%s (%s)", x.otherwise, outcome)
			return nil
		}
	}
	switch p, err := signals.Compare(failing, good); {
	case err != nil:
		o.Why = err.Error()
	case p == nil:
		o.Why = "no signal that both designs have differs, when registers start with ones"
	default:
		o.Signal, o.Beside = p.Origin()
		o.Cycle, o.Lacking = p.Cycle, p.Lacking
	}
	return nil
}

// signals plays the case of a record on a design, writes its signals to a file and returns the outcome.
func (m *manager) signals(ctx context.Context, rec *Record, dir, rtl, file string, core int) (Outcome, error) {
	args := []string{"cosim", "--block", rec.Run.Block, "--replay", filepath.Join(dir, caseName), "--signals", file,
		"--no-shrink", "--no-float", "--json", plan.JSON}
	if rtl != "" {
		args = append(args, "--rtl", rtl)
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Run.Params)) {
		args = append(args, "--param", fmt.Sprintf("%s=%d", name, rec.Run.Params[name]))
	}
	run := rec.Run
	run.Args, run.Source, run.Events = args, "replay", 0 // the case has the seed of its run
	x := &Record{Run: run}
	if err := m.attempt(ctx, x, dir, filepath.Base(file), core, nil); err != nil {
		return "", err
	}
	rec.Cost.Add(x.Cost)
	return x.Outcome, nil
}

// rtlOf returns the folder of RTL that a command names, or "" for ours. ok is false if it binds another design.
func rtlOf(args []string) (rtl string, ok bool) {
	for i, a := range args {
		switch {
		case a == "--dut":
			return "", false
		case a == "--rtl" && i+1 < len(args):
			rtl = args[i+1]
		}
	}
	return rtl, true
}
