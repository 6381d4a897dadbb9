package report

// Verdict is the outcome of the exact comparison of a run: RTL against model,
// every output of every cycle. Fixed point against float has its own verdict,
// see FloatDiff.Within.
type Verdict string

// The verdicts, from best to worst.
const (
	Pass        Verdict = "pass"        // everything compared, nothing differed
	ModelAlone  Verdict = "model only"  // nothing was compared, by request
	Interrupted Verdict = "interrupted" // stopped early, nothing had differed until then
	Errored     Verdict = "error"       // the harness broke, nothing had differed until then
	Empty       Verdict = "empty"       // no event was accepted, so nothing is shown
	Mismatched  Verdict = "mismatch"
)

// worse orders verdicts for a Report of several Results.
var worse = map[Verdict]int{Pass: 0, ModelAlone: 1, Interrupted: 2, Errored: 3, Empty: 4, Mismatched: 5}

// OK holds for the verdicts that let a build go on.
func (v Verdict) OK() bool { return v == Pass || v == ModelAlone }

// Verdict returns the outcome of the run. A mismatch stays one when the run was
// interrupted after it.
func (r *Result) Verdict() Verdict {
	switch {
	case r.Mismatches > 0 || r.FirstMismatch != nil:
		return Mismatched
	case r.Interrupted:
		return Interrupted
	case r.Broken != "":
		return Errored
	case r.Events == 0:
		return Empty
	case r.ModelOnly:
		return ModelAlone
	}
	return Pass
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

// FloatWithin reports whether fixed point is inside its bounds in every result that compared it.
func (r *Report) FloatWithin() bool {
	for i := range r.Results {
		if x := &r.Results[i]; x.Float != nil {
			if ok, _ := x.Float.Within(x.Tick); !ok {
				return false
			}
		}
	}
	return true
}

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
		check(f.PsFlipsPer10k <= MaxPsFlipsPer10k, "action flips per 10,000 (picosecond inputs)", f.PsFlipsPer10k, MaxPsFlipsPer10k)
	}
	check(f.PsUnexplained == 0, "flips further than a tick from every threshold", float64(f.PsUnexplained), 0)
	return len(exceeded) == 0, exceeded
}
