package report

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is the outcome of the exact comparison of a run: RTL against model,
// every output of every cycle. Fixed point against float has its own verdict,
// see FloatDiff.Within.
type Verdict string

// The verdicts.
const (
	Pass        Verdict = "pass"           // everything compared, nothing differed
	ModelAlone  Verdict = "model only"     // nothing was compared, by request
	Interrupted Verdict = "interrupted"    // stopped early, nothing had differed until then
	NotRun      Verdict = "not run"        // planned, and the command ended before it
	Errored     Verdict = "error"          // the harness broke, nothing had differed until then
	Empty       Verdict = "empty"          // nothing was compared, so nothing is shown
	OverBound   Verdict = "bound exceeded" // nothing differed, but fixed point is too far from float64
	Mismatched  Verdict = "mismatch"
)

// order has the verdicts from best to worst, for a Report of several Results.
var order = []Verdict{Pass, ModelAlone, NotRun, Interrupted, Errored, Empty, OverBound, Mismatched}

func (v Verdict) worse(than Verdict) bool { return slices.Index(order, v) > slices.Index(order, than) }

// Found holds for the verdicts of a run that found something wrong; what breaks after it does not take it back.
func (v Verdict) Found() bool { return v == Mismatched || v == OverBound }

// OK holds for the verdicts that let a build go on.
func (v Verdict) OK() bool { return v == Pass || v == ModelAlone }

// Verdict returns the outcome of the run. A mismatch stays one when the run was
// interrupted after it.
func (r *Result) Verdict() Verdict {
	v, _ := r.judge()
	return v
}

// Reason returns in one line why the run has its verdict.
func (r *Result) Reason() string {
	_, why := r.judge()
	return why
}

// judge is the only place where a verdict is made: from what was counted where it was compared.
func (r *Result) judge() (Verdict, string) {
	switch {
	case r.Mismatches > 0 || r.FirstMismatch != nil:
		why := mismatches(r.Mismatches)
		if m := r.FirstMismatch; m != nil && len(m.Fields) > 0 {
			f := m.Fields[0]
			why += fmt.Sprintf("; the first in episode %s at cycle %d: %s, want %s, got %s", m.Episode, m.Cycle, f.Name, f.Want,
				f.Got)
			if by := m.Finder(); by != "" {
				why += "; " + by
			}
		}
		return Mismatched, why
	case r.beyond() != "":
		return OverBound, r.beyond()
	case r.Interrupted:
		return Interrupted, "stopped early; nothing had differed in " + group(r.Cycles) + " cycles"
	case r.Broken != "":
		return Errored, r.Broken
	case r.NotRun != "":
		return NotRun, r.NotRun
	case r.Events == 0:
		return Empty, "no event was accepted, so nothing was compared; give more --events or another --source"
	case !r.ModelOnly && r.Compared.Responses == 0:
		return Empty, plural(r.Events, "event") + " accepted and no response came, so nothing was compared; " +
			"the stimulus, the design or its dut.yaml is wrong"
	case !r.ModelOnly && r.Compared.Fields == 0:
		return Empty, plural(r.Compared.Responses, "response") + " came and no field of them is compared; " +
			"map an output field of the dut.yaml to a port"
	}
	if r.State != nil {
		if ok, why := r.State.Within(); !ok {
			return OverBound, stateBound + why
		}
	}
	if r.Float != nil {
		if ok, over := r.Float.Within(r.Tick); !ok {
			return OverBound, floatBound + strings.Join(over, "; ")
		}
	}
	if r.ModelOnly {
		return ModelAlone, "the model ran alone: nothing was compared"
	}
	return Pass, "every output agrees with the " + r.referenceWord() + ": " + r.Compared.words() +
		" compared, over " + group(r.Events) + " events and " + group(r.Cycles) + " cycles"
}

// beyond returns the first value that is beyond its bound, "" for none: a run that ended early has found it, too. The
// bounds of shares are for whole runs.
func (r *Result) beyond() string {
	if r.State != nil && r.State.Beyond > 0 {
		_, why := r.State.Within()
		return stateBound + why
	}
	if r.Float != nil && (!(r.Float.MaxRelErrCwnd <= MaxRelErrCwnd) || r.Float.PsUnexplained > 0) {
		_, over := r.Float.Within(r.Tick)
		return floatBound + strings.Join(over, "; ")
	}
	return ""
}

// What the reasons of OverBound begin with.
const (
	stateBound = "model against the float reference, one event at a time: "
	floatBound = "fixed point against float64: "
)

func (r *Result) referenceWord() string {
	if r.Reference != "" {
		return "reference"
	}
	return "model"
}

// words returns "N fields of M responses".
func (c Compared) words() string {
	return plural(c.Fields, "field") + " of " + plural(c.Responses, "response")
}

// Name returns "block source seed N", with the tick when it is not the default
// of 1 ns; it names the run in every report.
func (r *Result) Name() string {
	s := r.Block + " " + r.Source + " seed " + utoa(r.Seed)
	if r.Tick != "" && r.Tick != "1ns" {
		s += " tick " + r.Tick
	}
	return s
}

// Bounds that the fixed-point format was chosen for. The picosecond bound holds
// at a tick of 1 ns; at 128 ns the figure is reported without one.
const (
	MaxRelErrCwnd    = 1e-3 // one step, same tick inputs
	MaxFlipsPer10k   = 1.0  // same tick inputs
	MaxPsFlipsPer10k = 10.0 // picosecond inputs, tick of 1 ns
)

// Within returns whether the fixed-point errors are inside their bounds, and
// for each bound that is exceeded one phrase. tick is Result.Tick.
func (f *FloatDiff) Within(tick string) (ok bool, exceeded []string) {
	check := func(good bool, what string, got, bound float64) {
		if !good {
			exceeded = append(exceeded, what+" "+sig(got)+" exceeds "+sig(bound))
		}
	}
	check(f.MaxRelErrCwnd <= MaxRelErrCwnd, "relative error of cwnd", f.MaxRelErrCwnd, MaxRelErrCwnd)
	check(f.FlipsPer10k <= MaxFlipsPer10k, "action flips per 10,000 (tick inputs)", f.FlipsPer10k, MaxFlipsPer10k)
	if tick == "1ns" {
		check(f.PsFlipsPer10k <= MaxPsFlipsPer10k, "action flips per 10,000 (picosecond inputs)", f.PsFlipsPer10k,
			MaxPsFlipsPer10k)
	}
	check(f.PsUnexplained == 0, "flips further than a tick from every threshold", float64(f.PsUnexplained), 0)
	return len(exceeded) == 0, exceeded
}
