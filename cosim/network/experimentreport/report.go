// Package experimentreport shows how the experiments of the sources came out: a table for a terminal, JSON, and a page
// with the figures of each source as we get them beside its claims.
//
//	r := &experimentreport.Report{Seeds: seeds, All: judged}
//	v, why := r.Verdict()      // pass, fail, or not whole
//	err := r.WriteText(os.Stdout)
package experimentreport

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/experiment"
)

// Verdict is the outcome of all experiments together.
type Verdict string

// The verdicts. NotWhole is the lack of one: an experiment could not be run, measured nothing, or left an order open.
const (
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
	NotWhole Verdict = "not whole"
)

// Report is what experiments gave.
type Report struct {
	Seeds   []uint64
	Full    bool
	Elapsed time.Duration
	All     []experiment.Judged
}

// Verdict returns the outcome and its reason. It passes only when every experiment ran and every check decided.
func (r *Report) Verdict() (Verdict, string) {
	t := experiment.Count(r.All)
	text := r.counts(&t)
	switch {
	case t.Fail > 0:
		return Fail, text
	case t.NotRun > 0, t.Vacuous > 0:
		return NotWhole, text
	case t.Undecided > 0:
		return NotWhole, text + "; give more --seeds"
	case t.Pass == 0:
		return NotWhole, text + "; nothing was checked"
	}
	return Pass, text
}

// counts writes how many checks there are of each verdict.
func (r *Report) counts(t *experiment.Tally) string {
	out := []string{fmt.Sprintf("%d checks pass", t.Pass)}
	for _, x := range []struct {
		n    int
		what string
	}{
		{t.Fail, "fail"}, {t.Undecided, "undecided"}, {t.Vacuous, "measured nothing"}, {t.Weak, "weak"},
		{t.NotRun, "experiments could not be run"},
	} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	return strings.Join(out, ", ")
}

// state describes an experiment without checks, "" for one with checks.
func state(j *experiment.Judged) string {
	switch {
	case j.Err != nil:
		return "NOT RUN: " + j.Err.Error()
	case len(j.Checks) == 0:
		return "NOT RUN: no checks"
	}
	return ""
}

// word writes the verdict of a check; those that need attention stand out.
func word(c *experiment.Check) string {
	switch c.Verdict {
	case experiment.Pass:
		return "pass"
	case experiment.Reported:
		if c.Holds {
			return "weak, holds"
		}
		return "weak, does not hold"
	case "":
		return "VACUOUS"
	}
	return strings.ToUpper(string(c.Verdict))
}

// WriteText prints a line for each check.
func (r *Report) WriteText(w io.Writer) error {
	v, why := r.Verdict()
	fmt.Fprintf(w, "%s: %s (%d seeds, %.1f s)\n", strings.ToUpper(string(v)), why, len(r.Seeds), r.Elapsed.Seconds())
	var b strings.Builder
	for i := range r.All {
		j := &r.All[i]
		if s := state(j); s != "" {
			fmt.Fprintf(&b, "%s: %s: %s\n", j.ID, j.Title, s)
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %d runs\n", j.ID, j.Title, j.Runs)
		for k, line := range aligned(j.Checks) {
			b.WriteString(line)
			if why := j.Checks[k].Reason; why != "" {
				fmt.Fprintf(&b, "    %s\n", why)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// aligned returns a line for each check, its end with it, in columns. Reasons come between the lines, where a tabwriter
// would end its columns.
func aligned(checks []experiment.Check) []string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for k := range checks {
		c := &checks[k]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", word(c), c.Mark, c.Name, c.Measured, c.Claim)
	}
	_ = t.Flush() // a Builder takes everything
	return slices.Collect(strings.Lines(b.String()))
}

// Document is the JSON document.
type Document struct {
	Verdict     Verdict          `json:"verdict"`
	Why         string           `json:"why"`
	Seeds       []uint64         `json:"seeds"`
	Full        bool             `json:"full"`
	Seconds     float64          `json:"seconds"`
	Tally       experiment.Tally `json:"tally"`
	Experiments []Row            `json:"experiments"`
}

// Row is one experiment of a Document.
type Row struct {
	ID      string              `json:"id"`
	Title   string              `json:"title"`
	Source  string              `json:"source,omitempty"`
	Claim   string              `json:"claim,omitempty"`
	Setup   string              `json:"setup,omitempty"`
	State   string              `json:"state,omitempty"` // of one without checks
	Runs    int                 `json:"runs"`
	Checks  []experiment.Check  `json:"checks"`
	Figures []experiment.Figure `json:"figures,omitempty"`
}

// setup returns what was simulated.
func (r *Report) setup(j *experiment.Judged) string {
	if r.Full && j.Full != "" {
		return j.Full
	}
	return j.Small
}

// WriteJSON writes everything that was measured.
func (r *Report) WriteJSON(w io.Writer) error {
	d := Document{Seeds: r.Seeds, Full: r.Full, Seconds: r.Elapsed.Seconds(), Tally: experiment.Count(r.All),
		Experiments: []Row{}}
	d.Verdict, d.Why = r.Verdict()
	for i := range r.All {
		j := &r.All[i]
		row := Row{ID: j.ID, Title: j.Title, Source: j.Source, Claim: j.Claim, Setup: r.setup(j), State: state(j),
			Runs: j.Runs, Checks: j.Checks}
		if row.Checks == nil {
			row.Checks = []experiment.Check{}
		}
		for _, f := range j.Figures {
			row.Figures = append(row.Figures, finite(f))
		}
		d.Experiments = append(d.Experiments, row)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// finite returns a figure without the points that have no value.
func finite(f experiment.Figure) experiment.Figure {
	lines := f.Lines
	f.Lines = nil
	for _, l := range lines {
		x, y := l.X, l.Y
		l.X, l.Y = []float64{}, []float64{}
		for i := range y {
			if s := x[i] + y[i]; !math.IsNaN(s) && !math.IsInf(s, 0) {
				l.X, l.Y = append(l.X, x[i]), append(l.Y, y[i])
			}
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

// WriteHTML writes one page: for each experiment what its source claims, the checks, and its figures as we get them.
func (r *Report) WriteHTML(w io.Writer) error {
	v, why := r.Verdict()
	class := map[Verdict]string{Pass: "good", Fail: "bad", NotWhole: "warn"}
	b := report.Banner{Word: strings.ToUpper(string(v)), Class: class[v], Line: why}
	var sheets []report.Sheet
	for i := range r.All {
		sheets = append(sheets, r.sheet(&r.All[i]))
	}
	return report.WritePage(w, "Experiments of the sources", b, sheets)
}

// sheet shows one experiment.
func (r *Report) sheet(j *experiment.Judged) report.Sheet {
	s := report.Sheet{Title: j.ID + ": " + j.Title,
		Note: fmt.Sprintf("%s: %s. Set-up: %s; %d runs.", j.Source, j.Claim, r.setup(j), j.Runs)}
	if text := state(j); text != "" {
		s.List = []string{text}
		return s
	}
	s.Head = []string{"check", "mark", "claim", "measured", "verdict"}
	for k := range j.Checks {
		c := &j.Checks[k]
		s.Rows = append(s.Rows, []string{c.Name, string(c.Mark), c.Claim, c.Measured, word(c)})
		if c.Reason != "" {
			s.List = append(s.List, c.Name+": "+c.Reason)
		}
	}
	for _, f := range j.Figures {
		p := report.Panel{Title: f.Title}
		for _, l := range finite(f).Lines {
			p.Curves = append(p.Curves, curve(&l))
		}
		s.Figures = append(s.Figures, report.Figure{X: f.X, Panels: []report.Panel{p}})
	}
	return s
}

// few is the number of points up to which a line of dots is drawn as bars without sides, since single dots are hard to
// see.
const few = 10

// curve draws a line. Each of a few points holds until the next, the last as long as the one before it.
func curve(l *experiment.Line) report.Curve {
	c := report.Curve{Name: l.Name, X: l.X, Y: l.Y}
	n := len(l.X)
	switch {
	case l.Dots && n > 1 && n <= few:
		c.X = append(append([]float64{}, l.X...), 2*l.X[n-1]-l.X[n-2])
		c.Y = append(append([]float64{}, l.Y...), l.Y[n-1])
	case l.Dots:
		c.Form = report.Dots
	}
	return c
}
