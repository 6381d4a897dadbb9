package report

import (
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
	SystemOut string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a test suite per Result and in it a
// test case per Case, or one named after the source where there are none. The
// failure of the case with the first mismatch holds the fields side by side and
// the reproduce command. A run that stopped early or compared nothing has an
// error. Times are seconds of the whole run; a case has none of its own.
func WriteJUnit(w io.Writer, r *Report) error {
	doc := junitSuites{Name: "goldwire cosim", Time: seconds(r.totals().seconds)}
	for i := range r.Results {
		s := junitOf(&r.Results[i])
		doc.Tests += s.Tests
		doc.Failures += s.Failures
		doc.Errors += s.Errors
		doc.Suites = append(doc.Suites, s)
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

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

func junitOf(r *Result) junitSuite {
	s := junitSuite{Name: r.Name(), Time: seconds(r.Seconds)}
	for _, p := range [][2]string{{"seed", utoa(r.Seed)}, {"tick", r.Tick}, {"params", paramList(r.Params)},
		{"transport", r.Transport}, {"rtl", r.RTL}, {"dut", device(r)}, {"schema_hash", r.SchemaHash},
		{"events", utoa(r.Events)}, {"cycles", utoa(r.Cycles)}, {"digest", r.Digest}, {"reproduce", r.Reproduce}} {
		if p[0] != "tick" || p[1] != "" {
			s.Properties = append(s.Properties, junitProperty{p[0], p[1]})
		}
	}
	for _, p := range [][2]string{{"expected_from", r.Reference}, {"uncompared", strings.Join(r.Uncompared, " ")},
		{"masked", r.masked()}} {
		if p[1] != "" {
			s.Properties = append(s.Properties, junitProperty{p[0], p[1]})
		}
	}
	class := "goldwire." + r.Block + "." + strings.ReplaceAll(r.Source, ".", "_")
	first := firstFailedCase(r)
	for i, c := range r.Cases {
		jc := junitCase{Name: c.Name, Classname: class, Time: "0.000",
			SystemOut: fmt.Sprintf("%s events, %s cycles", group(c.Events), group(c.Cycles))}
		if c.Failed {
			jc.Failure = failure(r, c.Message, i == first)
		}
		s.Cases = append(s.Cases, jc)
	}
	// A failure that no case owns, and a run without cases, still need a case to
	// stand on.
	whole := junitCase{Name: r.Source, Classname: class, Time: seconds(r.Seconds)}
	switch v := r.Verdict(); {
	case v == Mismatched && first < 0:
		whole.Failure = failure(r, "", true)
		s.Cases = append(s.Cases, whole)
	case r.Interrupted || v == Empty || v == Errored:
		text := "interrupted: the run stopped before its last event"
		switch v {
		case Empty:
			text = "empty: no event was accepted, so nothing was compared"
		case Errored:
			text = "error: " + r.Broken
		}
		whole.Name += " (whole run)"
		whole.Error = &junitProblem{Message: text, Type: string(v), Text: r.Reproduce}
		s.Cases = append(s.Cases, whole)
	case len(r.Cases) == 0:
		s.Cases = append(s.Cases, whole)
	}
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
	}
	return s
}

// firstFailedCase returns the index of the case that the first mismatch belongs
// to: the one named as its episode, or else the first that failed; -1 for none.
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
