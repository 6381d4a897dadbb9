package reports

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// MaxMarkdown is the size limit of a job summary, in bytes: GitHub shows no larger one.
const MaxMarkdown = 1 << 20

// Limits for parts of a summary, so that each leaves room for the others.
const (
	maxText    = 2000 // bytes of a reason or a command
	maxShrunk  = 40   // lines
	reserved   = 400  // bytes for the line about what was cut
	perHeading = 50   // errors or missing runs that are listed individually
)

// document collects blocks of Markdown up to a number of bytes. A block is added whole or not at all.
type document struct {
	b    strings.Builder
	room int
	left int // blocks without room
}

func (d *document) add(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if d.left > 0 || len(s) > d.room {
		d.left++ // and all later ones, so that the order stays
		return
	}
	d.room -= len(s)
	d.b.WriteString(s)
}

// WriteMarkdown writes a job summary of at most MaxMarkdown bytes. Its last line lists what it leaves out.
func (r *Report) WriteMarkdown(w io.Writer) error { return r.writeMarkdown(w, MaxMarkdown) }

func (r *Report) writeMarkdown(w io.Writer, limit int) error {
	d := &document{room: limit - reserved}
	d.add("### goldwire %s: %s\n\n", r.word(), cell(r.line()))
	d.add("Compared %s. Cost: %s.\n", r.Compared(), r.Spent())
	if r.Judged > 0 {
		d.add("\n%s.\n", r.Near())
	}
	for _, o := range r.Origins() {
		d.add("\nNot run: %s.\n", cell(o))
	}
	r.markFailures(d)
	for i := range r.errors {
		g := &r.errors[i]
		if i == 0 {
			d.add("\n#### Errors of the harness\n\n")
		}
		_, st := r.first(g)
		d.add("%s: %s\n\n%s\n", report.Plural(uint64(len(g.runs)), "run"), cell(g.title), code(st.Repeat))
	}
	for k, i := range r.missing {
		if k == 0 {
			d.add("\n#### Missing runs\n\n")
		}
		if k == perHeading {
			d.add("- and %d more\n", len(r.missing)-k)
			break
		}
		d.add("- %s: %s\n", cell(r.Runs[i].ID), cell(r.Runs[i].Reason))
	}
	for i, p := range r.open() {
		if i == 0 {
			d.add("\n#### Open testpoints\n\n")
		}
		d.add("- %s\n", cell(p))
	}
	r.markCoverage(d)
	r.markCost(d)
	text := d.b.String()
	if d.left > 0 {
		text += fmt.Sprintf("\n\n**Cut: %d more parts found no room in this summary of at most %d bytes; the page and the "+
			"JUnit file have all.**\n", d.left, limit)
	}
	_, err := io.WriteString(w, text)
	return err
}

func (r *Report) markFailures(d *document) {
	for i := range r.failures {
		g := &r.failures[i]
		if i == 0 {
			d.add("\n#### Failures\n\n")
		}
		run, st := r.first(g)
		d.add("**%s** (%s; first: %s)\n\n%s\n\n%s\n", cell(g.title), report.Plural(uint64(len(g.runs)), "run"),
			cell(who(run)), cell(difference(st)), code(st.Repeat))
		if f := st.Failure; f != nil && len(f.Shrunk) > 0 {
			lines := f.Shrunk
			if len(lines) > maxShrunk {
				lines = append(lines[:maxShrunk:maxShrunk], fmt.Sprintf("... %d more", len(f.Shrunk)-maxShrunk))
			}
			d.add("<details><summary>shortest events</summary>\n\n%s\n</details>\n\n", code(strings.Join(lines, "\n")))
		}
	}
}

func (r *Report) markCoverage(d *document) {
	for i, c := range r.Coverage {
		if i == 0 {
			d.add("\n#### Coverage\n\n| block | size | bins | hit | missed |\n|---|---|--:|--:|--:|\n")
		}
		d.add("| %s | %s | %d | %d | %d |\n", cell(c.Block), cell(c.Size), c.Bins, c.Hit, len(c.Missed))
	}
	for i, m := range r.missed {
		if i == 0 {
			d.add("\nMissed bins by testpoint:\n\n")
		}
		var names []string
		for _, bin := range m.bins {
			names = append(names, cell(bin))
		}
		d.add("<details><summary>%s (%s, %s): %d</summary>\n\n%s\n\n</details>\n", cell(m.testpoint), cell(m.block),
			cell(m.size), len(m.bins), strings.Join(names, ", "))
	}
}

func (r *Report) markCost(d *document) {
	d.add("\n#### Cost\n\n| test | runs | not passed | taken over | CPU s | s | MB |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i := range r.tests {
		t := &r.tests[i]
		d.add("| %s | %d | %d | %d | %.1f | %.1f | %d |\n", cell(t.name), t.runs, t.unpassed, t.taken, t.cpu, t.seconds,
			t.memoryMB)
	}
}

// cell escapes a text for any place on a line of Markdown.
func cell(s string) string {
	s = strings.NewReplacer("&", "&amp;", ">", "&gt;", "*", "&#42;", "_", "&#95;", "[", "&#91;", "@", "&#64;",
		"#", "&#35;", "~", "&#126;", `\`, "&#92;").Replace(cut(s, maxText))
	return report.MarkdownCell(s)
}

// code returns a text in a fence that the text does not close.
func code(s string) string {
	s = cut(s, maxText)
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + s + "\n" + fence + "\n"
}

func (r *Report) class() string {
	if r.Result == campaign.Passed {
		return "good"
	}
	return "bad"
}

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
