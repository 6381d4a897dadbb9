package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Suites is a result as JUnit XML, for reports that are not of co-simulation runs.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr,omitempty"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []Suite  `xml:"testsuite"`
}

// Suite is one test suite. Write counts its tests.
type Suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr,omitempty"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []TestCase `xml:"testcase"`
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

// Details are the properties of a test, such as its seed.
type Details struct {
	Properties []Property `xml:"property"`
}

// Property is one property.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Seconds writes a time for TestCase.Time.
func Seconds(s float64) string { return seconds(s) }

// Write writes the suites with their counts.
func (d *Suites) Write(w io.Writer) error {
	d.Tests, d.Failures, d.Errors, d.Skipped = 0, 0, 0, 0
	for i := range d.Suites {
		s := &d.Suites[i]
		s.Tests, s.Failures, s.Errors, s.Skipped = len(s.Cases), 0, 0, 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				s.Failures++
			}
			if c.Error != nil {
				s.Errors++
			}
			if c.Skipped != nil {
				s.Skipped++
			}
		}
		d.Tests, d.Failures, d.Errors = d.Tests+s.Tests, d.Failures+s.Failures, d.Errors+s.Errors
		d.Skipped += s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(d); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
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
