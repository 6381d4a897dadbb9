package report

import (
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
	var b strings.Builder
	fmt.Fprintf(&b, "### goldwire %s\n", MarkdownCell(strings.Join(strings.Fields(headline), " ")))
	row := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + MarkdownCell(c) + " |")
		}
		b.WriteString("\n")
	}
	for i := range sheets {
		s := &sheets[i]
		fmt.Fprintf(&b, "\n**%s**\n", MarkdownCell(s.Title))
		if s.Note != "" {
			fmt.Fprintf(&b, "\n%s\n", MarkdownCell(s.Note))
		}
		if len(s.Rows) > 0 {
			b.WriteString("\n")
			row(s.Head)
			b.WriteString("|---" + strings.Repeat("|--:", max(0, len(s.Head)-1)) + "|\n")
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
