package diff

import (
	"io"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// Sheet is a piece of a report, as text and on a page.
type Sheet = table

// WriteSheets prints a headline and sheets for a terminal.
func WriteSheets(w io.Writer, headline string, sheets []Sheet) error {
	var b strings.Builder
	b.WriteString(wrap(headline, width))
	for i := range sheets {
		sheets[i].write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WritePage writes a page with a headline and sheets.
func WritePage(w io.Writer, title string, banner report.Banner, sheets []Sheet) error {
	p := report.Page{Title: title, Banner: banner}
	for i := range sheets {
		p.Sections = append(p.Sections, sheets[i].section())
	}
	return p.WriteHTML(w)
}

// Short returns a number in at most 8 characters, to three digits.
func Short(x float64) string { return short(x) }

// Group returns a whole number with commas.
func Group(n uint64) string { return group(n) }
