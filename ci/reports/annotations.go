package reports

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// MaxAnnotations is how many annotations of one kind GitHub shows per step.
const MaxAnnotations = 10

// WriteAnnotations writes the commands by which GitHub annotates files: one for each bucket of failures, for each
// reason of errors and for the missing runs. If there are more than GitHub shows, the last one counts the rest.
func (r *Report) WriteAnnotations(w io.Writer) error {
	var all []string
	for i := range r.failures {
		g := &r.failures[i]
		run, st := r.first(g)
		all = append(all, annotation(file(run), g.title, fmt.Sprintf("%s, first %s: %s\n%s",
			report.Plural(uint64(len(g.runs)), "run"), who(run), difference(st), st.Repeat)))
	}
	for i := range r.errors {
		g := &r.errors[i]
		run, st := r.first(g)
		all = append(all, annotation(plan.Own, "error of the harness", fmt.Sprintf("%s, first %s: %s\n%s",
			report.Plural(uint64(len(g.runs)), "run"), who(run), g.title, st.Repeat)))
	}
	if n := len(r.missing); n > 0 {
		st := &r.Runs[r.missing[0]]
		all = append(all, annotation(plan.Own, "missing runs", fmt.Sprintf("%s without a record, the first %s\n%s",
			report.Plural(uint64(n), "run"), st.ID, st.Repeat)))
	}
	if why := r.why(); why != "" {
		all = slices.Insert(all, 0, annotation(plan.Own, "stage "+r.Stage, why))
	}
	if n := len(all); n > MaxAnnotations {
		all = append(all[:MaxAnnotations-1], annotation(plan.Own, "stage "+r.Stage,
			fmt.Sprintf("%d more kinds of failures and errors are in the job summary and in the page", n-MaxAnnotations+1)))
	}
	_, err := io.WriteString(w, strings.Join(all, ""))
	return err
}

// file returns the file at which a failure is shown: the top of the design, or the dut.yaml that names another.
func file(run *plan.Run) string {
	if i := slices.Index(run.Args, "--dut"); i >= 0 && i+1 < len(run.Args) {
		return run.Args[i+1]
	}
	if !run.Cosim() {
		return plan.Own
	}
	return path.Join("hdl/rtl", run.Block, run.Block+".sv")
}

// maxAnnotation is the size limit of an annotation's text; GitHub cuts longer ones anywhere.
const maxAnnotation = 3000

func annotation(file, title, text string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::error file=%s,title=%s::%s\n", property.Replace(file), property.Replace(title),
		data.Replace(cut(text, maxAnnotation)))
}

// cut shortens a text to at most n bytes, between characters, and notes the cut.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = " [cut]"
	n -= len(mark)
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + mark
}
