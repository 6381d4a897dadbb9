package diff

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/goldwire/goldwire/cosim/report"
)

// Headline returns the first line of a report: what was played, and what fixed point is.
func (res *Result) Headline() string {
	s := fmt.Sprintf("diff  %s %s seed %d: %s events", res.Block, res.Source, res.Seed, group(res.Events))
	switch {
	case res.Parted != "":
		return s + "; FIXED POINT IS NOT THE MODEL"
	case res.Model > 0:
		return s + "; fixed point is the cycle-true model in all of them"
	}
	if len(res.Changed) == 1 {
		return s + "; 1 format is not the contract's"
	}
	return fmt.Sprintf("%s; %d formats are not the contract's", s, len(res.Changed))
}

// WriteText prints the result for a terminal.
func (res *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(res.Headline() + "\n")
	if res.Parted != "" {
		b.WriteString(res.Parted + "\n")
	}
	for _, t := range res.tables() {
		t.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write prints heading, note, table and list; the first column to the left, the others to the right.
func (t *table) write(b *strings.Builder) {
	b.WriteString("\n" + t.Title + "\n")
	if t.Note != "" {
		b.WriteString(wrap(t.Note, width))
	}
	rows := t.Rows
	if len(t.Head) > 0 {
		rows = append([][]string{t.Head}, rows...)
	}
	var widths []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range rows {
		line := ""
		for i, c := range r {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i == 0 {
				line += c + pad
			} else {
				line += " " + pad + c
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, l := range t.List {
		b.WriteString(wrap(l, width))
	}
}

// width is the number of columns of a report.
const width = 100

// wrap breaks a text into lines.
func wrap(s string, n int) string {
	var b strings.Builder
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len(line)+1+len(word) > n {
			b.WriteString(line + "\n")
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}

// WriteJSON prints the result as JSON.
func (res *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(res)
}

// WriteHTML writes the result as a page.
func (res *Result) WriteHTML(w io.Writer) error {
	p := report.Page{Title: "Goldwire diff: " + res.Block + " " + res.Source,
		Banner: report.Banner{Word: "DONE", Class: "good", Line: res.Headline()}}
	if res.Parted != "" {
		p.Word, p.Class = "MISMATCH", "bad"
		p.Sections = append(p.Sections, report.Section{Title: "Fixed point is not the model", Note: res.Parted})
	}
	for _, t := range res.tables() {
		p.Sections = append(p.Sections, t.section())
	}
	return p.WriteHTML(w)
}
