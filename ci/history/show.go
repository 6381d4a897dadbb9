package history

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/report"
)

// sheets returns what the trends show, as text and on a page.
func (t *Trends) sheets() []report.Sheet {
	out := []report.Sheet{t.passed(), t.failures(), t.coverage(), t.missing(), t.speed(), t.cost(), t.figures()}
	if len(t.Errors) > 0 {
		out = append(out[:2], append([]report.Sheet{t.errors()}, out[2:]...)...)
	}
	return out
}

// headline returns the newest campaign of each stage.
func (t *Trends) headline() string {
	newest := map[string]*Night{}
	var stages []string
	for _, x := range t.Nights {
		if newest[x.Stage] == nil {
			stages = append(stages, x.Stage)
		}
		newest[x.Stage] = x
	}
	var parts []string
	for _, s := range stages {
		x := newest[s]
		parts = append(parts, fmt.Sprintf("stage %s, night %s: %d of %d runs passed, %d failed, %d errors, %d open "+
			"testpoints", s, x.Night, x.Passed, x.Planned, x.Failed, x.Errors, x.Open))
	}
	return strings.Join(parts, "; ")
}

// WriteText writes the trends for a terminal.
func (t *Trends) WriteText(w io.Writer) error {
	return report.WriteSheets(w, strings.ToUpper(string(t.Verdict))+"  "+t.headline(), t.sheets())
}

// WriteHTML writes the trends as a page.
func (t *Trends) WriteHTML(w io.Writer) error {
	class := map[campaign.Outcome]string{campaign.Passed: "good"}[t.Verdict]
	if class == "" {
		class = "bad"
	}
	p := report.Page{Title: "Trends of campaigns", Banner: report.Banner{Word: strings.ToUpper(string(t.Verdict)),
		Class: class, Line: t.headline()}}
	for _, s := range t.sheets() {
		s.List = nil
		x := s.Section()
		x.Parts = append(x.Parts, t.parts(s.Title)...)
		p.Sections = append(p.Sections, x)
	}
	return p.WriteHTML(w)
}

// parts returns what a page shows instead of the list of a sheet.
func (t *Trends) parts(title string) (out []report.Part) {
	switch title {
	case titleFailures:
		for _, f := range t.Failures {
			if f.Status != Mended {
				out = append(out, report.Heading(f.Bucket), report.Command(f.Command))
			}
		}
	case titleErrors:
		for _, e := range t.Errors {
			out = append(out, report.Text{Text: e.reason()}, report.Command(e.Command))
		}
	case titleMissing:
		for _, c := range t.Coverage {
			for _, m := range c.Missing {
				out = append(out, report.Fold{Name: fmt.Sprintf("%s (%s, %s): %d", m.name(), c.Size, c.Stage, len(m.Bins)),
					Parts: []report.Part{report.List{Items: m.Bins, Names: true}}})
			}
		}
	}
	return out
}

// Titles of the sheets whose lists a page shows differently.
const (
	titleFailures = "Failures"
	titleErrors   = "Errors of the harness"
	titleMissing  = "Missing bins by testpoint"
	listed        = 8 // bins of a testpoint in the text
)

func (x *Trouble) reason() string {
	return fmt.Sprintf("stage %s, %s: %s", x.Stage, report.Plural(uint64(x.Runs), "run"), x.Reason)
}

func (m *Missing) name() string { return cmp.Or(m.Testpoint, "(no testpoint)") }

// share writes a percentage that is 100 only if nothing is missing.
func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", math.Floor(1000*float64(part)/float64(whole))/10)
}

func (t *Trends) passed() report.Sheet {
	s := report.Sheet{Title: "Campaigns", Head: []string{"night", "stage", "revision", "planned", "passed", "failed",
		"errors", "open", "passed %", "CPU s"}}
	if n := len(t.Nights); n < t.Total {
		s.Note = fmt.Sprintf("The last %d of %d; --last shows more.", n, t.Total)
	}
	at, y := map[string][]int{}, map[string][]float64{}
	var stages []string
	for i, c := range t.Nights {
		cpu := 0.0
		for k := range c.Runs {
			cpu += c.Runs[k].Cost.CPU
		}
		s.Rows = append(s.Rows, []string{c.Night, c.Stage, cmp.Or(c.Revision, "-"), fmt.Sprint(c.Planned),
			fmt.Sprint(c.Passed), fmt.Sprint(c.Failed), fmt.Sprint(c.Errors), fmt.Sprint(c.Open), share(c.Passed, c.Planned),
			fmt.Sprintf("%.0f", cpu)})
		if at[c.Stage] == nil {
			stages = append(stages, c.Stage)
		}
		at[c.Stage] = append(at[c.Stage], i)
		y[c.Stage] = append(y[c.Stage], 100*float64(c.Passed)/float64(c.Planned))
	}
	p := report.Panel{Title: "runs that passed, %"}
	for _, stage := range stages {
		p.Curves = append(p.Curves, curve(stage, at[stage], y[stage]))
	}
	s.Figures = []report.Figure{{Name: "Pass rate", X: abscissa, Whole: true, Panels: []report.Panel{p}}}
	return s
}

// abscissa names the campaigns in figures.
const abscissa = "campaign, in the order of the table"

// panel returns the panel of a figure with the title of p, which it adds if there is none.
func panel(f *report.Figure, p report.Panel) *report.Panel {
	k := slices.IndexFunc(f.Panels, func(x report.Panel) bool { return x.Title == p.Title })
	if k < 0 {
		k, f.Panels = len(f.Panels), append(f.Panels, p)
	}
	return &f.Panels[k]
}

// curve returns a curve over campaigns, each as wide as from its number to the next, so that the newest is visible too.
func curve(name string, at []int, y []float64) report.Curve {
	c := report.Curve{Name: name, Y: slices.Clone(y)}
	for _, i := range at {
		c.X = append(c.X, float64(i+1))
	}
	if n := len(at); n > 0 {
		c.X, c.Y = append(c.X, float64(at[n-1]+2)), append(c.Y, y[n-1])
	}
	return c
}

func (t *Trends) failures() report.Sheet {
	s := report.Sheet{Title: titleFailures}
	if len(t.Failures) == 0 {
		s.Note = "No run of these stages failed in any campaign of the history."
		return s
	}
	s.Note = "By bucket, as goldwire ci triage names them, over the whole history. A failure is mended when " +
		"every run that showed it last was run again and passed; drawn seeds are not run again, so theirs is not seen."
	s.Head = []string{"failure", "status", "stage", "first night", "last night", "campaigns", "runs"}
	for _, f := range t.Failures {
		s.Rows = append(s.Rows, []string{f.Bucket, string(f.Status), f.Stage, f.First, f.Last, fmt.Sprint(f.Nights),
			fmt.Sprint(f.Runs)})
		if f.Status != Mended {
			s.List = append(s.List, f.Bucket+": "+f.Command)
		}
	}
	return s
}

func (t *Trends) errors() report.Sheet {
	s := report.Sheet{Title: titleErrors, Note: "In the newest campaign of each stage, by reason."}
	for _, e := range t.Errors {
		s.List = append(s.List, e.reason()+"; "+e.Command)
	}
	return s
}

func (t *Trends) coverage() report.Sheet {
	s := report.Sheet{Title: "Coverage", Head: []string{"block", "size", "stage", "bins", "hit", "hit %", "before"}}
	if len(t.Coverage) == 0 {
		s.Head, s.Note = nil, "No run of the newest campaigns has coverage."
		return s
	}
	s.Note = "In the newest campaign of each stage; before is how many bins the campaign before it hit."
	f := report.Figure{Name: "Missed bins", X: abscissa, Whole: true}
	for _, c := range t.Coverage {
		earlier, row := c.Nights, []string{c.Block, c.Size, c.Stage, "-", "not known", "-", "-"}
		if n := len(earlier); c.Known {
			last := earlier[n-1]
			row = append(row[:3], fmt.Sprint(last.Bins), fmt.Sprint(last.Hit), share(last.Hit, last.Bins), "-")
			earlier = earlier[:n-1]
		}
		if n := len(earlier); n > 0 {
			row[6] = fmt.Sprint(earlier[n-1].Hit)
		}
		s.Rows = append(s.Rows, row)
		p := panel(&f, report.Panel{Title: "bins missed, stage " + c.Stage})
		name := c.Block
		if c.Size != campaign.DefaultSize {
			name += " " + c.Size
		}
		var at []int
		var missed []float64
		for _, n := range c.Nights {
			at, missed = append(at, n.At), append(missed, float64(n.Bins-n.Hit))
		}
		p.Curves = append(p.Curves, curve(name, at, missed))
	}
	s.Figures = []report.Figure{f}
	return s
}

func (t *Trends) missing() report.Sheet {
	s := report.Sheet{Title: titleMissing, Note: "Of the newest campaign of each stage. A bin of several " +
		"testpoints stands at each.", Head: []string{"testpoint", "block", "size", "stage", "missed"}}
	for _, c := range t.Coverage {
		if !c.Known {
			s.Rows = append(s.Rows, []string{"(not known)", c.Block, c.Size, c.Stage, "-"})
		}
		for _, m := range c.Missing {
			s.Rows = append(s.Rows, []string{m.name(), c.Block, c.Size, c.Stage, fmt.Sprint(len(m.Bins))})
			shown := m.Bins[:min(len(m.Bins), listed)]
			line := fmt.Sprintf("%s (%s, %s): %s", m.name(), c.Size, c.Stage, strings.Join(shown, ", "))
			if n := len(m.Bins) - len(shown); n > 0 {
				line += fmt.Sprintf(" and %d more", n)
			}
			s.List = append(s.List, line)
		}
	}
	if len(s.Rows) == 0 {
		s.Head, s.Note = nil, "None."
		if len(t.Coverage) == 0 {
			s.Note = "Not known: no run has coverage."
		}
	}
	return s
}

func (t *Trends) speed() report.Sheet {
	s := report.Sheet{Title: "Throughput", Note: "Events per CPU second, of a campaign the median of the runs that " +
		"passed. The band is the noise of the campaigns before the newest, and ~ a value within it.",
		Head: []string{"test", "stage", "newest", "median", "band", "change"}}
	f := report.Figure{Name: "Throughput", X: abscissa, Whole: true}
	for i := range t.Tests {
		x := &t.Tests[i]
		if len(x.Speed.Values) == 0 {
			continue
		}
		s.Rows = append(s.Rows, append([]string{x.title(), x.Stage}, x.Speed.cells()...))
		p := panel(&f, report.Panel{Title: "events per CPU second, stage " + x.Stage, Log: true})
		p.Curves = append(p.Curves, curve(x.title(), x.Speed.At, x.Speed.Values))
	}
	if len(s.Rows) == 0 {
		s.Head, s.Note = nil, "Not known: no co-simulation passed."
		return s
	}
	s.Figures = []report.Figure{f}
	return s
}

func (x *Test) title() string { return strings.TrimSpace(x.Name + " " + x.Source) }

// cells returns a series as cells of a table: newest, median, band, change.
func (s *Series) cells() []string {
	newest, middle, band := "-", "-", "-"
	if s.Verdict != None {
		newest = report.Short(s.Newest)
	}
	if s.Median > 0 {
		middle = report.Short(s.Median)
	}
	if s.Verdict != Few && s.High > 0 {
		band = report.Short(s.Low) + " to " + report.Short(s.High)
	}
	return []string{newest, middle, band, string(s.Verdict)}
}

func (t *Trends) cost() report.Sheet {
	s := report.Sheet{Title: "Cost of the tests", Note: "CPU seconds of all runs of a test and source in a campaign, " +
		"with builds and with the second run of failures; % of all is the share in the newest campaign of the stage.",
		Head: []string{"test", "stage", "runs", "CPU s", "% of all", "median", "band", "change", "MB"}}
	total := map[string]float64{}
	for i := range t.Tests {
		total[t.Tests[i].Stage] += t.Tests[i].CPU.Newest
	}
	for i := range t.Tests {
		x := &t.Tests[i]
		c := x.CPU.cells()
		part := "-"
		if total[x.Stage] > 0 {
			part = fmt.Sprintf("%.1f", 100*x.CPU.Newest/total[x.Stage])
		}
		s.Rows = append(s.Rows, []string{x.title(), x.Stage, fmt.Sprint(x.Runs), c[0], part, c[1], c[2], c[3],
			fmt.Sprint(x.MemoryMB)})
	}
	return s
}
