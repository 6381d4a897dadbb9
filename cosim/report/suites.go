package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Suites is a result as JUnit XML.
type Suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	Tally
	Time   string  `xml:"time,attr,omitempty"` // with a time, errors are counted even if there are none
	Suites []Suite `xml:"testsuite"`
}

// Suite is one test suite. Suites.Write counts its tests.
type Suite struct {
	Name string `xml:"name,attr"`
	Tally
	Time    string     `xml:"time,attr,omitempty"`
	Details *Details   `xml:"properties,omitempty"`
	Cases   []TestCase `xml:"testcase"`
}

// Tally counts tests.
type Tally struct {
	Tests    int  `xml:"tests,attr"`
	Failures int  `xml:"failures,attr"`
	Errors   *int `xml:"errors,attr,omitempty"`
	Skipped  int  `xml:"skipped,attr"`
}

// TestCase is one test. It passed unless it has a Failure or an Error or was Skipped.
type TestCase struct {
	Name      string   `xml:"name,attr"`
	Classname string   `xml:"classname,attr"`
	Time      string   `xml:"time,attr,omitempty"` // in seconds, as Seconds writes it
	Details   *Details `xml:"properties,omitempty"`
	Failure   *Problem `xml:"failure,omitempty"`
	Error     *Problem `xml:"error,omitempty"`
	Skipped   *Problem `xml:"skipped,omitempty"`
	Out       string   `xml:"system-out,omitempty"`
}

// Problem is why a test did not pass.
type Problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Details are the properties of a test or a suite, such as its seed.
type Details struct {
	Properties []Property `xml:"property"`
}

// Add adds a property.
func (d *Details) Add(name, value string) { d.Properties = append(d.Properties, Property{name, value}) }

// Property is one property.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Seconds writes a time for TestCase.Time.
func Seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// Write writes the suites with their counts.
func (d *Suites) Write(w io.Writer) error {
	given := func(p *Problem) int {
		if p == nil {
			return 0
		}
		return 1
	}
	tally := func(cases ...TestCase) Tally {
		t, errors := Tally{Tests: len(cases)}, 0
		for i := range cases {
			c := &cases[i]
			t.Failures, errors, t.Skipped = t.Failures+given(c.Failure), errors+given(c.Error), t.Skipped+given(c.Skipped)
		}
		if errors > 0 || d.Time != "" {
			t.Errors = &errors
		}
		return t
	}
	var all []TestCase
	for i := range d.Suites {
		d.Suites[i].Tally = tally(d.Suites[i].Cases...)
		all = append(all, d.Suites[i].Cases...)
	}
	d.Tally = tally(all...)
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	_, err := io.WriteString(w, xml.Header)
	if err == nil {
		err = e.Encode(d)
	}
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}

// MarkdownCell escapes a text for a table cell in Markdown.
func MarkdownCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "`", "'").Replace(s)
}

// WriteMarkdown writes a headline and sheets for a pull request.
func WriteMarkdown(w io.Writer, headline string, sheets []Sheet) error {
	head := "### goldwire " + MarkdownCell(strings.Join(strings.Fields(headline), " "))
	if _, err := fmt.Fprintln(w, head); err != nil {
		return err
	}
	return WriteMarkdownSheets(w, sheets)
}

// WriteMarkdownSheets writes sheets without their figures. Each begins with an empty line.
func WriteMarkdownSheets(w io.Writer, sheets []Sheet) error {
	var b strings.Builder
	row := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + MarkdownCell(c) + " |")
		}
		b.WriteString("\n")
	}
	for i := range sheets {
		s := &sheets[i]
		if s.Title != "" {
			fmt.Fprintf(&b, "\n**%s**\n", MarkdownCell(s.Title))
		}
		if s.Note != "" {
			fmt.Fprintf(&b, "\n%s\n", MarkdownCell(s.Note))
		}
		if len(s.Rows) > 0 {
			b.WriteString("\n")
			row(s.Head)
			words := min(max(1, s.Words), len(s.Head))
			b.WriteString(strings.Repeat("|---", words) + strings.Repeat("|--:", len(s.Head)-words) + "|\n")
			for _, r := range s.Rows {
				row(r)
			}
		}
		for k, l := range s.List {
			if k == 0 {
				b.WriteString("\n")
			}
			b.WriteString("- " + MarkdownCell(l) + "\n")
		}
	}
	return flush(w, &b)
}

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
