package experimentreport

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
	"github.com/goldwire/goldwire/golden/experiment"
)

// WriteMarkdown writes the counts and every check to a document. ended is why the runs ended early, or nil.
func (r *Report) WriteMarkdown(w io.Writer, doc *measured.Doc, ended error) error {
	v, why := r.Verdict()
	doc.Outcome = fmt.Sprintf("%s: %s (%s, %.0f s).", strings.ToUpper(string(v)), why,
		report.Plural(uint64(len(r.Seeds)), "seed"), r.Elapsed.Seconds())
	doc.Lack(ended)
	counted := report.Sheet{Title: "Checks by weight", Head: []string{"checks", "pass", "fail", "undecided",
		"measured nothing", "reported only"}}
	for _, m := range []experiment.Mark{experiment.Headline, experiment.Plain, experiment.Weak} {
		t := experiment.Count(r.only(m))
		row := []string{string(m)}
		for _, n := range []int{t.Pass, t.Fail, t.Undecided, t.Vacuous, t.Weak} {
			row = append(row, strconv.Itoa(n))
		}
		counted.Rows = append(counted.Rows, row)
	}
	doc.Sheets = []report.Sheet{counted}
	for i := range r.All {
		j := &r.All[i]
		if s := state(j); s != "" {
			doc.Lack(errors.New(j.ID + ": " + s))
		}
		s := r.sheet(j)
		s.Words = len(s.Head)
		doc.Sheets = append(doc.Sheets, s)
	}
	return doc.WriteMarkdown(w)
}

// only returns the experiments that have checks of a mark, with those alone.
func (r *Report) only(m experiment.Mark) (out []experiment.Judged) {
	for i := range r.All {
		j := experiment.Judged{Experiment: r.All[i].Experiment}
		for _, c := range r.All[i].Checks {
			if c.Mark == m {
				j.Checks = append(j.Checks, c)
			}
		}
		if len(j.Checks) > 0 {
			out = append(out, j)
		}
	}
	return out
}
