package diff

import (
	"fmt"
	"io"

	"github.com/goldwire/goldwire/cosim/report"
)

// Headline returns the first line of a report: what was played, and what fixed point is.
func (res *Result) Headline() string {
	s := res.played()
	if n := res.without(); n > 0 {
		s += fmt.Sprintf("; %s WITHOUT A CAUSE", report.Plural(n, "flip"))
	}
	return s
}

// Failed reports whether the run found something wrong: fixed point that is not the cycle-true model, or a flip
// without a cause.
func (res *Result) Failed() bool { return res.Parted != "" || res.without() > 0 }

// without returns the number of flips without a cause in all modes.
func (res *Result) without() (n uint64) {
	for i := range res.Modes {
		n += res.Modes[i].Without()
	}
	return n
}

func (res *Result) played() string {
	s := fmt.Sprintf("diff  %s %s seed %d: %s events", res.Block, res.Source, res.Seed, report.Count(res.Events))
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
	head := res.Headline()
	if res.Parted != "" {
		head += "\n" + res.Parted
	}
	return report.WriteSheets(w, head, res.sheets())
}

// WriteHTML writes the result as a page.
func (res *Result) WriteHTML(w io.Writer) error {
	banner, sheets := report.Banner{Word: "DONE", Class: "good", Line: res.Headline()}, res.sheets()
	if res.without() > 0 {
		banner.Word, banner.Class = "FLIPS WITHOUT A CAUSE", "warn"
	}
	if res.Parted != "" {
		banner.Word, banner.Class = "MISMATCH", "bad"
		sheets = append([]report.Sheet{{Title: "Fixed point is not the model", Note: res.Parted}}, sheets...)
	}
	return report.WritePage(w, "Goldwire diff: "+res.Block+" "+res.Source, banner, sheets)
}
