package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitProblem `xml:"failure,omitempty"`
	Error     *junitProblem `xml:"error,omitempty"`
	Skipped   *junitProblem `xml:"skipped,omitempty"`
	SystemOut string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a test suite per Result, with a test case per Case, or one named after the
// source if there are none. The failure of the case with the first mismatch holds the fields side by side and the
// reproduce command. A run that stopped early, did not begin or compared nothing has an error with the reason; a run of
// the model alone is skipped. Times are seconds of the whole run; a case has no time.
func WriteJUnit(w io.Writer, r *Report) error {
	doc := junitSuites{Name: "goldwire cosim", Time: seconds(r.totals().seconds)}
	for i := range r.Results {
		doc.add(junitOf(&r.Results[i]))
	}
	if r.Failure != "" || len(r.Results) == 0 {
		c := junitCase{Name: "command", Classname: "goldwire", Time: "0.000",
			Error: &junitProblem{Message: r.Reason(), Type: string(r.Verdict())}}
		doc.add(junitSuite{Name: doc.Name, Time: "0.000"}.with(c))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("junit report: %w", err)
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("junit report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// add adds a suite to the document.
func (d *junitSuites) add(s junitSuite) {
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Skipped += s.Skipped
	d.Suites = append(d.Suites, s)
}

// with returns the suite with one more case, counted.
func (s junitSuite) with(c junitCase) junitSuite {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	return s
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

func junitOf(r *Result) junitSuite {
	s := junitSuite{Name: r.Name(), Time: seconds(r.Seconds)}
	for _, p := range [][2]string{{"verdict", string(r.Verdict())}, {"reason", r.Reason()}, {"seed", utoa(r.Seed)},
		{"tick", r.Tick}, {"params", paramList(r.Params)},
		{"transport", r.Transport}, {"rtl", r.RTL}, {"dut", device(r)}, {"schema_hash", r.SchemaHash},
		{"events", utoa(r.Events)}, {"cycles", utoa(r.Cycles)},
		{"compared_responses", utoa(r.Compared.Responses)}, {"compared_fields", utoa(r.Compared.Fields)},
		{"digest", r.Digest}, {"reproduce", r.Reproduce}} {
		if p[0] != "tick" || p[1] != "" {
			s.Properties = append(s.Properties, junitProperty{p[0], p[1]})
		}
	}
	for _, p := range [][2]string{{"expected_from", r.Reference}, {"uncompared", strings.Join(r.Uncompared, " ")},
		{"masked", r.masked()}, {"relaxed", strings.Join(r.Relaxed, " ")}} {
		if p[1] != "" {
			s.Properties = append(s.Properties, junitProperty{p[0], p[1]})
		}
	}
	for i := range r.Sections {
		sec := &r.Sections[i]
		if o, why := sec.Outcome(); o != NoBounds {
			s.Properties = append(s.Properties, junitProperty{sec.Key, strings.TrimSuffix(string(o)+": "+why, ": ")})
		}
		for k := range sec.Metrics {
			m := &sec.Metrics[k]
			s.Properties = append(s.Properties, junitProperty{sec.Key + "." + m.Name, m.words()})
		}
	}
	class := "goldwire." + r.Block + "." + strings.ReplaceAll(r.Source, ".", "_")
	first := firstFailedCase(r)
	for i, c := range r.Cases {
		jc := junitCase{Name: c.Name, Classname: class, Time: "0.000",
			SystemOut: fmt.Sprintf("%s events, %s cycles", Count(c.Events), Count(c.Cycles))}
		if c.Failed {
			jc.Failure = failure(r, c.Message, i == first)
		} else if r.ModelOnly {
			jc.Skipped = &junitProblem{Message: "nothing was compared", Type: string(ModelAlone)}
		}
		s = s.with(jc)
	}
	// A failure that no case owns, and a run without cases, still need a case.
	whole := junitCase{Name: r.Source, Classname: class, Time: seconds(r.Seconds)}
	v, why := r.judge()
	problem := &junitProblem{Message: string(v) + ": " + why, Type: string(v), Text: r.Reproduce}
	name := r.Source + " (whole run)"
	if v == Mismatched && first < 0 {
		whole.Failure = failure(r, "", true)
		s = s.with(whole)
	}
	early, ended := r.Interrupted || r.Broken != "", junitCase{Name: name, Classname: class, Time: whole.Time,
		Error: &junitProblem{Message: "the run ended early: " + cmp.Or(r.Broken, "interrupted"), Type: string(v),
			Text: r.Reproduce}}
	switch {
	case v == OverBound:
		whole.Name, whole.Failure = name, problem
		s = s.with(whole)
		if early {
			s = s.with(ended)
		}
	case v == ModelAlone:
		whole.Name, whole.Skipped = name, problem
		s = s.with(whole)
	case v == Mismatched && early:
		s = s.with(ended)
	case v != Mismatched && v != Pass:
		whole.Name, whole.Error = name, problem
		s = s.with(whole)
	case len(s.Cases) == 0:
		s = s.with(whole)
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

func failure(r *Result, message string, detail bool) *junitProblem {
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
	p := &junitProblem{Message: message, Type: "mismatch", Text: message}
	if detail && r.FirstMismatch != nil {
		var b strings.Builder
		b.WriteString("\n")
		mismatchText(&b, r.FirstMismatch)
		p.Text = b.String()
	}
	return p
}
