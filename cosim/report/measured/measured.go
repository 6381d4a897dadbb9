// Package measured writes the MEASURED.md files: the result of one command as tables, with what it was measured by, at
// which revision and on which machine in the first line. A command writes its whole file; no figure is typed.
//
//	doc := measured.New(root, "goldwire", args, "verilator", "c++") // before the run
//	doc.Outcome, doc.Sheets = "PASS: ...", sheets
//	doc.Lack(err)                                                   // what failed or was not measured
//	err := report.WriteFile(path, doc.WriteMarkdown)
package measured

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// Name is the name of the files, one in each folder that measures something.
const Name = "MEASURED.md"

// Doc is the content of one file.
type Doc struct {
	Command  string // as it was typed
	Revision string // of the repository
	Machine  string
	Outcome  string // one line
	Notes    []string
	Sheets   []report.Sheet
	lacking  []string
}

// New returns the document of a command that begins now, in the repository under root. The tools are those whose
// versions matter to its figures, besides Go.
func New(root, program string, args []string, tools ...string) *Doc {
	rev := Revision(root, ":(exclude,glob)**/"+Name+"*") // which a campaign replaces one by one
	if rev == "" {
		rev = "unknown"
	}
	return &Doc{Command: strings.TrimSpace(program + " " + report.CommandLine(args)), Revision: rev,
		Machine: Machine(tools...)}
}

// Lack notes why the document does not hold all that was to be measured; nil notes nothing.
func (d *Doc) Lack(why error) {
	if why != nil {
		d.lacking = append(d.lacking, strings.Join(strings.Fields(why.Error()), " "))
	}
}

// Incomplete heads a document that does not hold the whole result. The commands that set aside earlier results know it.
const Incomplete = "**NOT COMPLETE.**"

// WriteMarkdown writes the document. One that lacks something, or holds no row of figures, says so before its tables.
func (d *Doc) WriteMarkdown(w io.Writer) error {
	cell := report.MarkdownCell
	lacking := d.lacking
	if !slices.ContainsFunc(d.Sheets, func(s report.Sheet) bool { return len(s.Rows) > 0 }) {
		lacking = append(slices.Clone(lacking), "nothing was measured")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Measured by `%s`, revision %s, on %s.\n", strings.ReplaceAll(d.Command, "`", "'"), d.Revision,
		cell(d.Machine))
	if len(lacking) > 0 {
		fmt.Fprintf(&b, "\n%s What follows is not the whole result:\n\n", Incomplete)
		for _, l := range lacking {
			fmt.Fprintf(&b, "- %s\n", cell(l))
		}
	}
	for _, l := range append([]string{d.Outcome}, d.Notes...) {
		if l != "" {
			fmt.Fprintf(&b, "\n%s\n", cell(l))
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return report.WriteMarkdownSheets(w, d.Sheets)
}

// Figures returns the sheet of named figures, each with its bound and whether it was kept.
func Figures(title string, metrics []report.Metric) report.Sheet {
	s := report.Sheet{Title: title, Words: 2, Head: []string{"figure", "what", "median", "least", "greatest", "bound",
		"bound kept"}}
	for i := range metrics {
		m := &metrics[i]
		row := []string{m.Name, m.What, "-", "-", "-", m.Bound.String(), ""}
		switch m.Verdict() {
		case report.Within:
			row[6] = "yes"
		case report.Beyond:
			row[6] = "NO"
		case report.Unmeasured:
			row[6] = "NOT MEASURED"
		}
		if m.Samples > 0 {
			row[2] = report.Short(m.Value)
		}
		if m.Samples > 1 {
			row[3], row[4] = report.Short(m.Least), report.Short(m.Greatest)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
