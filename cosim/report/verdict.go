package report

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is the outcome of a run: of the exact comparison of RTL and model, every output of every cycle, and of the
// bounds of its sections.
type Verdict string

// The verdicts.
const (
	Pass        Verdict = "pass"           // everything compared, nothing differed
	ModelAlone  Verdict = "model only"     // only the model ran, on request
	Interrupted Verdict = "interrupted"    // stopped early; no difference until then
	NotRun      Verdict = "not run"        // planned, but the command ended before it
	Errored     Verdict = "error"          // the harness broke; no difference until then
	Empty       Verdict = "empty"          // nothing was compared, or not everything due, so nothing is proven
	OverBound   Verdict = "bound exceeded" // nothing differed, but a figure is beyond its bound
	Mismatched  Verdict = "mismatch"
)

// order lists the verdicts from best to worst, for a Report of several Results.
var order = []Verdict{Pass, ModelAlone, NotRun, Interrupted, Errored, Empty, OverBound, Mismatched}

func (v Verdict) worse(than Verdict) bool { return slices.Index(order, v) > slices.Index(order, than) }

// Found reports whether a run found something wrong. Later failures do not change that.
func (v Verdict) Found() bool { return v == Mismatched || v == OverBound }

// OK reports whether a build may continue.
func (v Verdict) OK() bool { return v == Pass || v == ModelAlone }

// Verdict returns the outcome of the run. A mismatch stays a mismatch if the run was interrupted after it.
func (r *Result) Verdict() Verdict {
	v, _ := r.judge()
	return v
}

// Reason returns in one line why the run has its verdict.
func (r *Result) Reason() string {
	_, why := r.judge()
	return why
}

// judge is the only place where a verdict is made, from counts taken where the comparison happened.
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
	case r.beyond(true) != "":
		return OverBound, r.beyond(true)
	case r.Interrupted:
		return Interrupted, "stopped early; nothing had differed in " + Count(r.Cycles) + " cycles"
	case r.Broken != "":
		return Errored, r.Broken
	case r.NotRun != "":
		return NotRun, r.NotRun
	case r.Events == 0:
		return Empty, "no event was accepted, so nothing was compared; give more --events or another --source"
	case !r.ModelOnly && r.Compared.Responses == 0:
		return Empty, Plural(r.Events, "event") + " accepted and no response came, so nothing was compared; " +
			"the stimulus, the design or its dut.yaml is wrong"
	case !r.ModelOnly && r.Compared.Fields == 0:
		return Empty, Plural(r.Compared.Responses, "response") + " came and no field of them is compared; " +
			"map an output field of the dut.yaml to a port"
	}
	if over := r.beyond(false); over != "" {
		return OverBound, over
	}
	if why := r.incomplete(); why != "" {
		return Empty, why
	}
	if r.ModelOnly {
		return ModelAlone, "the model ran alone: nothing was compared"
	}
	outputs := "every output agrees"
	if r.partial() != "" {
		outputs = "every compared output agrees"
	}
	return Pass, outputs + " with the " + r.referenceWord() + r.softened(" ") + ": " + r.Compared.words() + " compared" +
		r.partial() + ", over " + Count(r.Events) + " events and " + Count(r.Cycles) + " cycles"
}

// beyond describes the first section with a figure beyond its bound, or returns "". A run that ended early counts too,
// except for bounds that apply only to whole runs.
func (r *Result) beyond(early bool) string {
	for i := range r.Sections {
		s := &r.Sections[i]
		if over := s.beyond(early); over != "" {
			return s.lead() + over
		}
	}
	return ""
}

// incomplete describes the first section that is due but missing, or that did not measure what it must.
func (r *Result) incomplete() string {
	for _, key := range r.Due {
		s := r.Section(key)
		if s == nil {
			return "the section " + key + " is missing from the result: its bounds were not checked, by a fault of the harness"
		}
		if o, _ := s.Outcome(); o == NoBounds {
			return s.lead() + "it has no figure with a bound, so nothing was checked, by a fault of the harness"
		}
	}
	for i := range r.Sections {
		s := &r.Sections[i]
		if o, why := s.Outcome(); o == Incomplete {
			return s.lead() + why
		}
	}
	return ""
}

// softened names the comparison if it accepts more than equal values, after a separator; "" if every value had to be
// equal.
func (r *Result) softened(sep string) string {
	for i := range r.Sections {
		if s := r.Sections[i].Softens; s != "" {
			return sep + s
		}
	}
	return ""
}

// first returns the text of the first run for which text returns one.
func (r *Report) first(text func(*Result) string) string {
	for i := range r.Results {
		if s := text(&r.Results[i]); s != "" {
			return s
		}
	}
	return ""
}

// softened is Result.softened of the first run that has one.
func (r *Report) softened(sep string) string {
	return r.first(func(x *Result) string { return x.softened(sep) })
}

func (r *Result) referenceWord() string {
	if r.Reference != "" {
		return "reference"
	}
	return "model"
}

// partial returns " (N of M output fields of the block)" where some are not compared, else "".
func (r *Result) partial() string {
	without := map[string]bool{}
	for _, x := range slices.Concat(r.Uncompared, r.Ignored) {
		name, _, _ := strings.Cut(x, " ")
		without[name] = true
	}
	if r.OutputFields == 0 || len(without) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d output fields of the block)", r.OutputFields-len(without), r.OutputFields)
}

// partial is Result.partial of the first run that has one.
func (r *Report) partial() string { return r.first((*Result).partial) }

// words returns "N fields of M responses".
func (c Compared) words() string {
	return Plural(c.Fields, "field") + " of " + Plural(c.Responses, "response")
}

// Name returns "block source seed N", with the tick if it is not the default of 1 ns. It names the run in every report.
func (r *Result) Name() string {
	s := r.Block + " " + r.Source + " seed " + utoa(r.Seed)
	if r.Tick != "" && r.Tick != "1ns" {
		s += " tick " + r.Tick
	}
	return s
}
