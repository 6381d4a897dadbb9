package report

import (
	"cmp"

	"fmt"
	"io"
	"strings"
)

// WriteJUnit writes the report as JUnit XML: a test suite per Result, with a test case per Case, or one named after the
// source if there are none. The failure of the case with the first mismatch holds the fields side by side and the
// reproduce command. A run that stopped early, did not begin or compared nothing has an error with the reason; a run of
// the model alone is skipped. Times are seconds of the whole run; a case has no time.
func WriteJUnit(w io.Writer, r *Report) error {
	doc := Suites{Name: "goldwire cosim", Time: Seconds(r.totals().seconds)}
	for i := range r.Results {
		doc.Suites = append(doc.Suites, junitOf(&r.Results[i]))
	}
	if r.Failure != "" || len(r.Results) == 0 {
		c := TestCase{Name: "command", Classname: "goldwire", Time: "0.000",
			Error: &Problem{Message: r.Reason(), Type: string(r.Verdict())}}
		doc.Suites = append(doc.Suites, Suite{Name: doc.Name, Time: "0.000", Details: &Details{}, Cases: []TestCase{c}})
	}
	if err := doc.Write(w); err != nil {
		return fmt.Errorf("junit report: %w", err)
	}
	return nil
}

func junitOf(r *Result) Suite {
	s := Suite{Name: r.Name(), Time: Seconds(r.Seconds), Details: &Details{}}
	for _, p := range [][2]string{{"verdict", string(r.Verdict())}, {"reason", r.Reason()}, {"seed", utoa(r.Seed)},
		{"tick", r.Tick}, {"params", paramList(r.Params)},
		{"transport", r.Transport}, {"rtl", r.RTL}, {"dut", device(r)}, {"schema_hash", r.SchemaHash},
		{"events", utoa(r.Events)}, {"cycles", utoa(r.Cycles)},
		{"compared_responses", utoa(r.Compared.Responses)}, {"compared_fields", utoa(r.Compared.Fields)},
		{"digest", r.Digest}, {"reproduce", r.Reproduce}} {
		if p[0] != "tick" || p[1] != "" {
			s.Details.Add(p[0], p[1])
		}
	}
	for _, p := range [][2]string{{"expected_from", r.Reference}, {"uncompared", strings.Join(r.Uncompared, " ")},
		{"masked", r.masked()}, {"relaxed", strings.Join(r.Relaxed, " ")}} {
		if p[1] != "" {
			s.Details.Add(p[0], p[1])
		}
	}
	for i := range r.Sections {
		sec := &r.Sections[i]
		if o, why := sec.Outcome(); o != NoBounds {
			s.Details.Add(sec.Key, strings.TrimSuffix(string(o)+": "+why, ": "))
		}
		for k := range sec.Metrics {
			m := &sec.Metrics[k]
			s.Details.Add(sec.Key+"."+m.Name, m.words())
		}
	}
	class := "goldwire." + r.Block + "." + strings.ReplaceAll(r.Source, ".", "_")
	first := firstFailedCase(r)
	for i, c := range r.Cases {
		jc := TestCase{Name: c.Name, Classname: class, Time: "0.000",
			Out: fmt.Sprintf("%s events, %s cycles", Count(c.Events), Count(c.Cycles))}
		if c.Failed {
			jc.Failure = failure(r, c.Message, i == first)
		} else if r.ModelOnly {
			jc.Skipped = &Problem{Message: "nothing was compared", Type: string(ModelAlone)}
		}
		s.Cases = append(s.Cases, jc)
	}
	// A failure that no case owns, and a run without cases, still need a case.
	whole := TestCase{Name: r.Source, Classname: class, Time: Seconds(r.Seconds)}
	v, why := r.judge()
	problem := &Problem{Message: string(v) + ": " + why, Type: string(v), Text: r.Reproduce}
	name := r.Source + " (whole run)"
	if v == Mismatched && first < 0 {
		whole.Failure = failure(r, "", true)
		s.Cases = append(s.Cases, whole)
	}
	early, ended := r.Interrupted || r.Broken != "", TestCase{Name: name, Classname: class, Time: whole.Time,
		Error: &Problem{Message: "the run ended early: " + cmp.Or(r.Broken, "interrupted"), Type: string(v),
			Text: r.Reproduce}}
	switch {
	case v == OverBound:
		whole.Name, whole.Failure = name, problem
		s.Cases = append(s.Cases, whole)
		if early {
			s.Cases = append(s.Cases, ended)
		}
	case v == ModelAlone:
		whole.Name, whole.Skipped = name, problem
		s.Cases = append(s.Cases, whole)
	case v == Mismatched && early:
		s.Cases = append(s.Cases, ended)
	case v != Mismatched && v != Pass:
		whole.Name, whole.Error = name, problem
		s.Cases = append(s.Cases, whole)
	case len(s.Cases) == 0:
		s.Cases = append(s.Cases, whole)
	}
	return s
}

// firstFailedCase returns the index of the case with the first mismatch: the one named like its episode, or else the
// first that failed; -1 for none.
func firstFailedCase(r *Result) int {
	first := -1
	for i, c := range r.Cases {
		if !c.Failed {
			continue
		}
		if first < 0 {
			first = i
		}
		if r.FirstMismatch != nil && c.Name == r.FirstMismatch.Episode {
			return i
		}
	}
	return first
}

func failure(r *Result, message string, detail bool) *Problem {
	if message == "" {
		message = mismatches(r.Mismatches)
		if m := r.FirstMismatch; m != nil && len(m.Fields) > 0 {
			f := m.Fields[0]
			message = fmt.Sprintf("%s: cycle %d, %s: want %s, got %s", m.Episode, m.Cycle, f.Name, f.Want, f.Got)
			if by := m.Finder(); by != "" {
				message += "; " + by
			}
		}
	}
	p := &Problem{Message: message, Type: "mismatch", Text: message}
	if detail && r.FirstMismatch != nil {
		var b strings.Builder
		b.WriteString("\n")
		mismatchText(&b, r.FirstMismatch)
		p.Text = b.String()
	}
	return p
}
